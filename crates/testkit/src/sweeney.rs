//! The tables of \[Sweeney02\] with the answers.
//!
//! **Definition.** Figures 1, 4, 7, 10 and 15 as printed; the files are in `fixtures/papers/sweeney02`, where a README says which
//! numbers are the paper's own and which are corrected.
//! **Reading.** Figure 6 (the hierarchies of Figure 7) is missing from the paper's text: there are ten reconstructions, named by
//! the levels of `BirthDate` above the date (M month, Y year, 5 half decade, D decade, C century) and the height of Gender (G1, G2).

// Before the modules, so that they see it; by the crate's folder, so that every file means the same path.
macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/sweeney02/",
            $file
        ))
    };
}

mod answers;
mod mu_argus;
mod text;

use std::collections::BTreeMap;

pub use answers::{
    CellAnswer, DataflyAnswer, FIGURE_1_CLASSES, FIGURE_1_MAX_K, LatticeAnswer, VariantAnswer,
    WeightedAnswer, figure_4_best_prec, figure_4_cells, figure_4_distortions, figure_4_lattice,
    figure_4_minimal, figure_4_protected, figure_4_weighted, figure_7_best_prec, figure_7_cells,
    figure_7_datafly, figure_7_distortions, figure_7_gt, figure_7_minimal, figure_7_protected,
    figure_7_variants, figure_7_weighted, figure_10_mgt,
};

pub use mu_argus::{
    FIGURE_7_IDENTIFIES, MuArgusAnswer, figure_7_mu_argus, figure_15_mt, four_bits,
};

use crate::Problem;

/// The ten reconstructions of Figure 6: levels of `BirthDate`, then height of Gender.
pub const VARIANTS: [&str; 10] = [
    "Y-D/G1",
    "Y-D/G2",
    "Y-5-D/G1",
    "Y-5-D/G2",
    "M-Y-D/G1",
    "M-Y-D/G2",
    "M-Y-5-D/G1",
    "M-Y-5-D/G2",
    "Y-D-C/G1",
    "Y-D-C/G2",
];

const RACE: &str = fixture!("race.csv");
const RACE_OF_FIGURE_3: &str = fixture!("race.figure3.csv");
const ZIP: &str = fixture!("zip.csv");

/// Figure 1: seven rows over Race, Birth, Gender, ZIP, with Problem as the sensitive column.
#[must_use]
pub fn figure_1() -> Problem {
    problem(
        fixture!("figure1.csv"),
        &[
            RACE_OF_FIGURE_3,
            fixture!("birth.figure1.csv"),
            fixture!("gender.figure1.csv"),
            ZIP,
        ],
    )
}

/// Figure 4, PT: eight rows over Race and ZIP with the hierarchies of Figures 2 and 3.
#[must_use]
pub fn figure_4() -> Problem {
    problem(fixture!("figure4.csv"), &[RACE_OF_FIGURE_3, ZIP])
}

/// Figure 7, PT: twelve rows over Race, `BirthDate`, Gender, ZIP under one of the `VARIANTS` of Figure 6.
///
/// # Panics
/// When there is no such variant.
#[must_use]
pub fn figure_7(variant: &str) -> Problem {
    let (birth_date, gender) = variant.split_once('/').unwrap_or((variant, ""));
    let birth_date = match birth_date {
        "Y-D" => fixture!("birthdate.Y-D.csv"),
        "Y-5-D" => fixture!("birthdate.Y-5-D.csv"),
        "M-Y-D" => fixture!("birthdate.M-Y-D.csv"),
        "M-Y-5-D" => fixture!("birthdate.M-Y-5-D.csv"),
        "Y-D-C" => fixture!("birthdate.Y-D-C.csv"),
        _ => panic!("no variant `{variant}` of Figure 6"),
    };
    let gender = match gender {
        "G1" => fixture!("gender.G1.csv"),
        "G2" => fixture!("gender.G2.csv"),
        _ => panic!("no variant `{variant}` of Figure 6"),
    };
    problem(fixture!("figure7.csv"), &[RACE, birth_date, gender, ZIP])
}

/// Four rows on which Definition 6, read literally, has no solution at k = 2: two nodes are equally precise.
#[must_use]
pub fn def6_tie() -> Problem {
    problem(
        fixture!("def6.csv"),
        &[fixture!("def6.a.csv"), fixture!("def6.b.csv")],
    )
}

/// The first columns of the table are quasi-identifiers, one for each hierarchy; the others are sensitive.
fn problem(table: &str, hierarchies: &[&str]) -> Problem {
    let mut rows = text::records(table, ',');
    let columns = rows.remove(0);
    let count = hierarchies.len();
    Problem {
        columns: columns[..count].to_vec(),
        chains: hierarchies.iter().map(|levels| chains(levels)).collect(),
        weights: vec![(1, 1); count],
        persons: None,
        sensitive: (count..columns.len())
            .map(|column| rows.iter().map(|row| row[column].clone()).collect())
            .collect(),
        rows: rows.iter().map(|row| row[..count].to_vec()).collect(),
    }
}

fn chains(levels: &str) -> BTreeMap<String, Vec<String>> {
    text::records(levels, ';')
        .into_iter()
        .map(|chain| (chain[0].clone(), chain))
        .collect()
}

#[cfg(test)]
mod tests;
