//! The answers of mu-Argus on Figure 7, and the table of four columns that it does not protect.

use std::collections::{BTreeMap, BTreeSet};

use super::text::{answers, fraction, number, numbers, records};
use crate::oracle::{Identifies, TestedBy};
use crate::{Fraction, Problem};

/// How identifying the columns of Figure 7 are: Race plainly, `BirthDate` most, Gender and ZIP more.
pub const FIGURE_7_IDENTIFIES: [Identifies; 4] = [
    Identifies::Plainly,
    Identifies::Most,
    Identifies::More,
    Identifies::More,
];

/// What mu-Argus makes of Figure 7 without a decision of the data holder (ties: most, more, identifying, then column order).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MuArgusAnswer {
    /// The variant's name.
    pub variant: String,
    /// k.
    pub k: usize,
    /// The combinations that are tested.
    pub tested: TestedBy,
    /// The levels of step 2.
    pub levels: Vec<usize>,
    /// The outliers of each row.
    pub outliers: Vec<BTreeSet<Vec<usize>>>,
    /// The suppressed columns of each row.
    pub suppressed: Vec<BTreeSet<usize>>,
    /// The precision of the result.
    pub prec: Fraction,
    /// The largest k that the result satisfies.
    pub max_k: Option<usize>,
}

/// mu-Argus on Figure 7: five variants, k = 2, 3, 4, both sets of combinations.
#[must_use]
pub fn figure_7_mu_argus() -> Vec<MuArgusAnswer> {
    answers(fixture!("figure7_muargus.csv"))
        .iter()
        .map(|record| {
            let mut outliers = vec![BTreeSet::new(); 12];
            for (row, columns) in by_row(&record[4]) {
                outliers[row].insert(columns);
            }
            let mut suppressed = vec![BTreeSet::new(); 12];
            for (row, columns) in by_row(&record[5]) {
                suppressed[row].extend(columns);
            }
            MuArgusAnswer {
                variant: record[0].clone(),
                k: number(&record[1]),
                tested: match record[2].as_str() {
                    "figure-12" => TestedBy::Figure12,
                    _ => TestedBy::All,
                },
                levels: numbers(&record[3]),
                outliers,
                suppressed,
                prec: fraction(&record[6]),
                max_k: Some(number(&record[7])),
            }
        })
        .collect()
}

/// "6:0-1-3 7:2" as rows with columns.
fn by_row(field: &str) -> Vec<(usize, Vec<usize>)> {
    field
        .split_whitespace()
        .map(|item| {
            let (row, columns) = item.split_once(':').expect("a fixture's row has columns");
            (number(row), columns.split('-').map(number).collect())
        })
        .collect()
}

/// The printed MT of Figure 15; its blank cells are the tops of their columns.
#[must_use]
pub fn figure_15_mt() -> Vec<Vec<String>> {
    let mut rows = records(fixture!("figure15_mt.csv"), ',').split_off(1);
    rows.iter_mut()
        .flatten()
        .filter(|cell| cell.is_empty())
        .for_each(|cell| "******".clone_into(cell));
    rows
}

/// Four columns of nought and one, every row once: each triple of values occurs twice, each row once.
#[must_use]
pub fn four_bits() -> Problem {
    let chain = |bit: &str| (bit.to_owned(), vec![bit.to_owned(), "*".to_owned()]);
    let chains: BTreeMap<_, _> = [chain("0"), chain("1")].into();
    let row = |number: u32| (0..4).map(move |bit| (number >> (3 - bit) & 1).to_string());
    Problem {
        columns: ["A", "B", "C", "D"].map(str::to_owned).to_vec(),
        rows: (0..16).map(|number| row(number).collect()).collect(),
        chains: vec![chains; 4],
        weights: vec![(1, 1); 4],
        persons: None,
        sensitive: Vec::new(),
    }
}
