//! The tables of \[Sun08\] with the answers.
//!
//! **Definition.** Tables 1, 2 and 5 to 8 as printed, the categories of Table 4; the files are in `fixtures/papers/sun08`, where a
//! README says which numbers are the paper's own and which are corrected.
//! **Reading.** Rows stand in the order of Table 1. Table 7 is judged by the categories of section 6, which know Obesity.

// By the crate's folder, so that every file means the same path.
macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/sun08/",
            $file
        ))
    };
}

use std::collections::BTreeMap;

use crate::{Fraction, Problem};

/// A table as the paper releases it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released {
    /// The quasi-identifiers by row.
    pub quasi: Vec<Vec<String>>,
    /// The sensitive value by row.
    pub sensitive: Vec<String>,
}

impl Released {
    /// The sensitive values of each class, classes in the order of their first rows.
    #[must_use]
    pub fn classes(&self) -> Vec<Vec<&str>> {
        let rows = self.records();
        rows.iter()
            .map(|class| {
                class
                    .iter()
                    .map(|row| self.sensitive[row - 1].as_str())
                    .collect()
            })
            .collect()
    }

    /// The records of each class, from 1.
    #[must_use]
    pub fn records(&self) -> Vec<Vec<usize>> {
        let mut classes: Vec<(&Vec<String>, Vec<usize>)> = Vec::new();
        for (record, quasi) in (1..).zip(&self.quasi) {
            match classes.iter_mut().find(|(known, _)| *known == quasi) {
                Some((_, records)) => records.push(record),
                None => classes.push((quasi, vec![record])),
            }
        }
        classes.into_iter().map(|(_, records)| records).collect()
    }
}

/// What a class of a released table has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassAnswer {
    /// Its records, from 1.
    pub records: Vec<usize>,
    /// How many distinct values.
    pub values: usize,
    /// How many distinct categories.
    pub categories: usize,
    /// Its total weight.
    pub weight: Fraction,
}

/// The full-domain generalizations of Table 1 that keep a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalAnswer {
    /// The model: k-anonymity, p-sensitive, p-alpha or p-plus-alpha.
    pub model: String,
    /// Its k.
    pub k: usize,
    /// Its p.
    pub p: usize,
    /// Its alpha.
    pub alpha: Fraction,
    /// How many nodes keep it.
    pub nodes: usize,
    /// The minimal ones.
    pub minimal: Vec<Vec<usize>>,
}

/// Table 1: twelve rows over Age, Country and Zip, with Health as the sensitive column.
#[must_use]
pub fn table_1() -> Problem {
    problem(
        fixture!("table1.csv"),
        &[
            fixture!("age.csv"),
            fixture!("country.csv"),
            fixture!("zip.csv"),
        ],
    )
}

/// Table 8, the middle: four rows over Zipcode, with Disease as the sensitive column.
#[must_use]
pub fn table_8() -> Problem {
    problem(fixture!("table8.csv"), &[fixture!("zipcode.table8.csv")])
}

/// A released table: `table2`, `table5`, `table6`, `table6_corrected`, `table7` or `table8_printed`.
///
/// # Panics
/// When there is no such table.
#[must_use]
pub fn released(table: &str) -> Released {
    let text = match table {
        "table2" => fixture!("table2.csv"),
        "table5" => fixture!("table5.csv"),
        "table6" => fixture!("table6.csv"),
        "table6_corrected" => fixture!("table6_corrected.csv"),
        "table7" => fixture!("table7.csv"),
        "table8_printed" => fixture!("table8_printed.csv"),
        _ => panic!("no released table `{table}`"),
    };
    let rows = records(text, ',').split_off(1);
    Released {
        quasi: rows
            .iter()
            .map(|row| row[..row.len() - 1].to_vec())
            .collect(),
        sensitive: rows.iter().map(|row| row[row.len() - 1].clone()).collect(),
    }
}

/// All released tables.
pub const RELEASED: [&str; 6] = [
    "table2",
    "table5",
    "table6",
    "table6_corrected",
    "table7",
    "table8_printed",
];

/// Table 4: the categories, most sensitive first.
#[must_use]
pub fn categories() -> Vec<Vec<String>> {
    listed(fixture!("table4.csv"))
}

/// The categories by which a released table is judged: those of Table 4, of section 6 or of Table 8.
#[must_use]
pub fn categories_of(table: &str) -> Vec<Vec<String>> {
    match table {
        "table7" => listed(fixture!("section6.csv")),
        "table8_printed" => listed(fixture!("table8_categories.csv")),
        _ => categories(),
    }
}

/// The classes of a released table, by their first records.
#[must_use]
pub fn class_answers(table: &str) -> Vec<ClassAnswer> {
    let mut classes: Vec<ClassAnswer> = records(fixture!("classes.csv"), ',')
        .iter()
        .filter(|record| record[0] == table)
        .map(|record| ClassAnswer {
            records: record[1].split(' ').map(number).collect(),
            values: number(&record[3]),
            categories: number(&record[4]),
            weight: fraction(&record[5]),
        })
        .collect();
    classes.sort_by_key(|class| class.records[0]);
    classes
}

/// The full-domain generalizations of Table 1 for each model.
#[must_use]
pub fn table_1_minimal() -> Vec<MinimalAnswer> {
    records(fixture!("table1_minimal.csv"), ',')
        .split_off(1)
        .iter()
        .map(|record| MinimalAnswer {
            model: record[0].clone(),
            k: number(&record[1]),
            p: number(&record[2]),
            alpha: fraction(&record[3]),
            nodes: number(&record[4]),
            minimal: record[5]
                .split_whitespace()
                .map(|levels| {
                    levels
                        .bytes()
                        .map(|level| usize::from(level - b'0'))
                        .collect()
                })
                .collect(),
        })
        .collect()
}

fn problem(table: &str, hierarchies: &[&str]) -> Problem {
    let mut rows = records(table, ',');
    let columns = rows.remove(0);
    let count = hierarchies.len();
    let chains = |levels: &&str| -> BTreeMap<String, Vec<String>> {
        records(levels, ';')
            .into_iter()
            .map(|chain| (chain[0].clone(), chain))
            .collect()
    };
    Problem {
        columns: columns[..count].to_vec(),
        chains: hierarchies.iter().map(chains).collect(),
        weights: vec![(1, 1); count],
        persons: None,
        sensitive: vec![rows.iter().map(|row| row[count].clone()).collect()],
        rows: rows.iter().map(|row| row[..count].to_vec()).collect(),
    }
}

fn listed(text: &str) -> Vec<Vec<String>> {
    records(text, ',')
        .split_off(1)
        .iter()
        .map(|record| record[1].split(';').map(str::to_owned).collect())
        .collect()
}

fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    text.lines()
        .map(|line| line.split(separator).map(str::to_owned).collect())
        .collect()
}

fn number(field: &str) -> usize {
    field.parse().expect("a fixture's count is a whole number")
}

fn fraction(field: &str) -> Fraction {
    field.parse().expect("a fixture's share is a fraction")
}

#[cfg(test)]
mod tests;
