//! What each quasi-identifier, and each pair of them, does to make people stand out.

use std::cmp::Reverse;

use rayon::prelude::*;
use serde::Serialize;

use super::super::bands::part;
use super::super::tuples::{Exposure, Tuples};
use super::above;
use crate::share::Share;

/// With more columns pairs are not looked at.
pub(super) const MOST_FOR_PAIRS: usize = 24;

/// One quasi-identifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnRisk {
    /// The column.
    pub column: String,
    /// Its distinct values, a missing one included.
    pub values: u64,
    /// Distinct values over records.
    pub distinction: f64,
    /// The same as a fraction.
    pub distinction_exact: String,
    /// The share of pairs of records that differ in it.
    pub separation: f64,
    /// The same as a fraction.
    pub separation_exact: String,
    /// Records that are alone by this column only.
    pub unique: u64,
    /// Records that are alone in a class, but no more when the column is left out.
    pub unique_through: u64,
    /// Records above the threshold, but no more when the column is left out.
    pub above_through: u64,
}

/// Two quasi-identifiers together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairRisk {
    /// The columns.
    pub columns: [String; 2],
    /// Distinct pairs of values.
    pub values: u64,
    /// Distinct pairs of values over records.
    pub distinction: f64,
    /// The same as a fraction.
    pub distinction_exact: String,
    /// The share of pairs of records that differ in them.
    pub separation: f64,
    /// The same as a fraction.
    pub separation_exact: String,
    /// Records that are alone by these two columns only.
    pub unique: u64,
    /// Records above the threshold by these two columns only.
    pub above: u64,
}

/// All columns and pairs, those first that make most people stand out; the order of the policy decides between equals.
pub(super) fn ranked(
    names: &[&str],
    tuples: &Tuples,
    whole: &Exposure,
    threshold: Share,
) -> (Vec<ColumnRisk>, Vec<PairRisk>) {
    let count = names.len();
    let mut columns: Vec<ColumnRisk> = (0..count)
        .into_par_iter()
        .map(|at| {
            let others: Vec<usize> = (0..count).filter(|other| *other != at).collect();
            let without = tuples.exposure_by(&others);
            let alone = Apart::of(&tuples.exposure_by(&[at]));
            ColumnRisk {
                column: names[at].to_owned(),
                values: alone.values,
                distinction: alone.distinction.0,
                distinction_exact: alone.distinction.1,
                separation: alone.separation.0,
                separation_exact: alone.separation.1,
                unique: alone.unique,
                unique_through: whole.unique().saturating_sub(without.unique()),
                above_through: above(whole, threshold).saturating_sub(above(&without, threshold)),
            }
        })
        .collect();
    columns.sort_by(|left, right| {
        let counts = |column: &ColumnRisk| Reverse((column.unique_through, column.above_through));
        let equal = counts(left).cmp(&counts(right));
        equal.then(right.separation.total_cmp(&left.separation))
    });
    (columns, pairs(names, tuples, threshold))
}

fn pairs(names: &[&str], tuples: &Tuples, threshold: Share) -> Vec<PairRisk> {
    if names.len() > MOST_FOR_PAIRS {
        return Vec::new();
    }
    let both =
        (0..names.len()).flat_map(|left| (left + 1..names.len()).map(move |right| [left, right]));
    let both: Vec<[usize; 2]> = both.collect();
    let mut pairs: Vec<PairRisk> = both
        .into_par_iter()
        .map(|both| {
            let exposure = tuples.exposure_by(&both);
            let found = Apart::of(&exposure);
            PairRisk {
                columns: both.map(|at| names[at].to_owned()),
                values: found.values,
                distinction: found.distinction.0,
                distinction_exact: found.distinction.1,
                separation: found.separation.0,
                separation_exact: found.separation.1,
                unique: found.unique,
                above: above(&exposure, threshold),
            }
        })
        .collect();
    pairs.sort_by(|left, right| {
        let counts = |pair: &PairRisk| Reverse((pair.unique, pair.above));
        let equal = counts(left).cmp(&counts(right));
        equal.then(right.separation.total_cmp(&left.separation))
    });
    pairs
}

/// How well some columns tell records apart.
struct Apart {
    values: u64,
    distinction: (f64, String),
    separation: (f64, String),
    unique: u64,
}

impl Apart {
    fn of(exposure: &Exposure) -> Self {
        let (separated, pairs) = exposure.separated();
        Self {
            values: exposure.count(),
            distinction: part(exposure.count().into(), exposure.appearances().into()),
            separation: part(separated, pairs),
            unique: exposure.unique(),
        }
    }
}
