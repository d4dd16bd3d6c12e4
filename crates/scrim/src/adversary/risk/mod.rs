//! How exposed the people of a table are, before or after it is published.
//!
//! **Definition.** A class is the rows with equal quasi-identifiers; its size counts persons where they are told, else rows.
//! *Prosecutor*: the target is known to be in the table, so a record of a class of size f is found with 1/f. *Journalist*:
//! the target is known to be in a population, so it is found with 1/F, F being the persons of the population whom the
//! class covers. *Marketer*: the share of all records that somebody who links all of them expects to find, the mean of 1/f
//! (one class a person: classes / records), or of 1/F against a population. *Distinction* of columns: their distinct values
//! over the records; *separation*: the share of pairs of records that differ in them.
//! **Reading.** Suppressed rows are a class as published. Somebody in several classes counts once, by the smallest. A
//! threshold is exceeded, not met. Distinction and separation count pairs of a person and a value, each once. A column's
//! contribution is how many are alone (or above the threshold) no more when it is left out. Where the population lacks
//! somebody of a class, the persons of the class count.
//! **Does not protect against** anything: it measures. It knows nothing of sensitive values; see `adversary::linkage`.
//! **Cost.** A hash probe a row, then one a distinct tuple for every column and every pair of columns.
//! **Oracle.** `testkit::oracle::risk`.

mod columns;
mod exposed;
mod journalist;
mod several;
mod uniqueness;

pub use columns::{ColumnRisk, PairRisk};
pub use exposed::ExposureReport;
pub use journalist::JournalistRisk;
pub use several::QuasiIdentifierRisk;
pub use uniqueness::{Estimate, Uniqueness, estimates};

use serde::Serialize;

use super::bands::{Band, part, sum_over};
use super::tuples::{Exposure, Tuples};
use crate::share::Share;

/// What is known of the population that a table was taken from.
#[derive(Clone, Copy, Debug)]
pub enum Population<'a> {
    /// Nothing.
    Unknown,
    /// The share of it that is in the table.
    Fraction(Share),
    /// All of it.
    Counted {
        /// By tuple: the persons of the population whom it covers.
        covered: &'a [u64],
        /// Persons of the population.
        persons: u64,
    },
}

/// The risk of a target who is known to be in the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProsecutorRisk {
    /// The largest.
    pub max: f64,
    /// The same as a fraction.
    pub max_exact: String,
    /// The mean.
    pub mean: f64,
    /// The same as a fraction, where it is short.
    pub mean_exact: Option<String>,
    /// Records whose risk exceeds the threshold.
    pub above: u64,
    /// Their share of all.
    pub above_share: f64,
    /// The same as a fraction.
    pub above_share_exact: String,
}

/// All figures of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Risk {
    /// Rows.
    pub rows: u64,
    /// Persons, where the table tells them.
    pub persons: Option<u64>,
    /// What is counted: `persons` or `rows`.
    pub counted: &'static str,
    /// Classes.
    pub classes: u64,
    /// Records that are alone in a class.
    pub unique: u64,
    /// Their share of all.
    pub unique_share: f64,
    /// The same as a fraction.
    pub unique_share_exact: String,
    /// Sizes of classes.
    pub sizes: Vec<Band>,
    /// The size of the smallest class.
    pub smallest: u64,
    /// Rows of the table, from 1, that begin the smallest classes: the first few.
    pub smallest_rows: Vec<u64>,
    /// What risks are compared with.
    pub threshold: f64,
    /// The same as a fraction.
    pub threshold_exact: String,
    /// The target is known to be in the table.
    pub prosecutor: ProsecutorRisk,
    /// The target is known to be in the population, where something is known of that.
    pub journalist: Option<JournalistRisk>,
    /// The share of records that somebody who links all of them expects to find.
    pub marketer: f64,
    /// The same as a fraction, where it is short.
    pub marketer_exact: Option<String>,
    /// Every quasi-identifier, the one that makes most people stand out first.
    pub columns: Vec<ColumnRisk>,
    /// Every pair of them, the one that makes most people stand out first.
    pub pairs: Vec<PairRisk>,
    /// The same by each quasi-identifier that a promise names, where it is not all columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quasi_identifiers: Vec<QuasiIdentifierRisk>,
    /// How many are unique in the population, estimated, where the table's share of it is known.
    pub uniqueness: Option<Uniqueness>,
    /// What a reader should know.
    pub remarks: Vec<String>,
}

/// So many rows of the smallest classes are told.
const ROWS_TOLD: usize = 10;

/// Measures a table, given by the tuples of its quasi-identifiers. `persons` says whether its sizes count persons.
pub fn risk(
    names: &[&str],
    tuples: &Tuples,
    persons: bool,
    population: Population<'_>,
    threshold: Share,
) -> Risk {
    let exposure = tuples.exposure();
    let subjects = tuples.subjects();
    let (unique_share, unique_share_exact) = part(exposure.unique().into(), subjects.into());
    let smallest = exposure.classes.keys().next().copied().unwrap_or(0);
    let prosecutor = prosecutor(&exposure, subjects, threshold);
    let (columns, pairs) = columns::ranked(names, tuples, &exposure, threshold);
    let mut remarks = Vec::new();
    if names.len() > columns::MOST_FOR_PAIRS {
        remarks.push(format!(
            "there are {} quasi-identifiers: pairs of them are not looked at",
            names.len()
        ));
    }
    if exposure.appearances() > subjects {
        remarks.push(
            "some persons are in several classes: each counts once, by the smallest".to_owned(),
        );
    }
    Risk {
        rows: tuples.of_row().len() as u64,
        persons: persons.then_some(subjects),
        counted: if persons { "persons" } else { "rows" },
        classes: exposure.count(),
        unique: exposure.unique(),
        unique_share,
        unique_share_exact,
        sizes: Band::of(Some(&exposure.classes), &exposure.subjects),
        smallest,
        smallest_rows: first_rows(tuples, smallest),
        threshold: threshold.to_f64(),
        threshold_exact: threshold.to_string(),
        marketer: prosecutor.mean,
        marketer_exact: prosecutor.mean_exact.clone(),
        journalist: journalist::journalist(tuples, &exposure, population, threshold),
        prosecutor,
        columns,
        pairs,
        quasi_identifiers: Vec::new(),
        uniqueness: uniqueness::of(&exposure, population, &mut remarks),
        remarks,
    }
}

fn prosecutor(exposure: &Exposure, subjects: u64, threshold: Share) -> ProsecutorRisk {
    let smallest = exposure.subjects.keys().next().copied().unwrap_or(0);
    let (max, max_exact) = part(u128::from(smallest > 0), smallest.max(1).into());
    let (mean, mean_exact) = mean(exposure, subjects);
    let above = above(exposure, threshold);
    let (above_share, above_share_exact) = part(above.into(), subjects.into());
    ProsecutorRisk {
        max,
        max_exact,
        mean,
        mean_exact,
        above,
        above_share,
        above_share_exact,
    }
}

/// The mean of one over the size, and the same as a fraction.
fn mean(exposure: &Exposure, subjects: u64) -> (f64, Option<String>) {
    if exposure.appearances() == subjects {
        // Everybody is in one class, and those of a class add up to one.
        let (mean, exact) = part(exposure.count().into(), subjects.into());
        return (mean, Some(exact));
    }
    mean_of(&exposure.subjects, subjects)
}

/// The mean of one over the size, of counts by size.
fn mean_of(counts: &std::collections::BTreeMap<u64, u64>, subjects: u64) -> (f64, Option<String>) {
    let (sum, exact) = sum_over(counts);
    let one = Share::new(1, i128::from(subjects.max(1)));
    let exact = exact
        .zip(one)
        .and_then(|(exact, one)| exact.checked_mul(one));
    (
        sum / subjects.max(1) as f64,
        exact.map(|exact| exact.to_string()),
    )
}

/// Whether one over a size exceeds a threshold: exactly.
fn exceeds(size: u64, threshold: Share) -> bool {
    let above = threshold.numerator().checked_mul(i128::from(size));
    above.is_some_and(|above| above < threshold.denominator())
}

/// Records whose risk exceeds a threshold.
fn above(exposure: &Exposure, threshold: Share) -> u64 {
    let above = exposure.subjects.iter();
    above
        .take_while(|(size, _)| exceeds(**size, threshold))
        .map(|(_, count)| count)
        .sum()
}

fn first_rows(tuples: &Tuples, size: u64) -> Vec<u64> {
    let classes = tuples.first_rows().iter().zip(tuples.sizes());
    classes
        .filter(|(_, own)| **own == size)
        .map(|(row, _)| *row as u64 + 1)
        .take(ROWS_TOLD)
        .collect()
}
