//! The right answers, read from the fixture files.
//!
//! **Definition.** Prec is over the quasi-identifiers, N counts the original rows, a suppressed row is at the top everywhere
//! (\[Sweeney02\], Definition 5); where the paper's printed number disagrees with its definition, the definition's number is here.

use super::text::{answers, fraction, number, numbers, records, weights};
use crate::Fraction;

/// The largest k of Figure 1.
pub const FIGURE_1_MAX_K: usize = 2;

/// The classes of Figure 1 (rows from 0), as Example 1 names them.
pub const FIGURE_1_CLASSES: [&[usize]; 3] = [&[0, 1], &[2, 3], &[4, 5, 6]];

const FIGURE_4_MINIMAL: &str = fixture!("figure4_minimal.csv");
const FIGURE_4_PROTECTED: &str = fixture!("figure4_protected.csv");
const FIGURE_7_MINIMAL: &str = fixture!("figure7_minimal.csv");
const FIGURE_7_PROTECTED: &str = fixture!("figure7_protected.csv");

/// One node of Figure 4's lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatticeAnswer {
    /// The node.
    pub levels: Vec<usize>,
    /// The largest k it satisfies.
    pub max_k: usize,
    /// The number of its classes.
    pub classes: usize,
    /// Its precision.
    pub prec: Fraction,
    /// Its distortion ratio.
    pub distortion_ratio: Fraction,
}

/// The twelve nodes of Figure 4, in lexicographic order.
#[must_use]
pub fn figure_4_lattice() -> Vec<LatticeAnswer> {
    answers(fixture!("figure4_lattice.csv"))
        .iter()
        .map(|record| LatticeAnswer {
            levels: numbers(&record[0]),
            max_k: number(&record[1]),
            classes: number(&record[2]),
            prec: fraction(&record[3]),
            distortion_ratio: fraction(&record[4]),
        })
        .collect()
}

/// The nodes (with their Prec) of one kind for one k; `key` is the record's beginning, before the kind.
fn nodes(text: &str, key: &[&str], kind: &str) -> Vec<(Vec<usize>, Fraction)> {
    answers(text)
        .iter()
        .filter(|record| record[..key.len()] == *key && record[key.len()] == kind)
        .map(|record| {
            (
                numbers(&record[key.len() + 1]),
                fraction(&record[key.len() + 2]),
            )
        })
        .collect()
}

fn levels(nodes: Vec<(Vec<usize>, Fraction)>) -> Vec<Vec<usize>> {
    nodes.into_iter().map(|(levels, _)| levels).collect()
}

fn protected(text: &str, key: &[&str]) -> usize {
    answers(text)
        .iter()
        .filter(|record| record[..key.len()] == *key)
        .map(|record| number(&record[key.len()]))
        .sum()
}

/// The k-minimal nodes of Figure 4 for k = 2 to 8.
#[must_use]
pub fn figure_4_minimal(k: usize) -> Vec<Vec<usize>> {
    levels(nodes(FIGURE_4_MINIMAL, &[&k.to_string()], "minimal"))
}

/// The nodes of Figure 4 of highest Prec for k = 2 to 8.
#[must_use]
pub fn figure_4_distortions(k: usize) -> Vec<Vec<usize>> {
    levels(nodes(FIGURE_4_MINIMAL, &[&k.to_string()], "distortion"))
}

/// The highest Prec of Figure 4 for k = 2 to 8.
#[must_use]
pub fn figure_4_best_prec(k: usize) -> Fraction {
    nodes(FIGURE_4_MINIMAL, &[&k.to_string()], "distortion")[0].1
}

/// How many nodes of Figure 4 are k-anonymous, for k = 2 to 8.
#[must_use]
pub fn figure_4_protected(k: usize) -> usize {
    protected(FIGURE_4_PROTECTED, &[&k.to_string()])
}

/// The k-minimal nodes of Figure 7 for k = 2 to 6.
#[must_use]
pub fn figure_7_minimal(variant: &str, k: usize) -> Vec<Vec<usize>> {
    levels(nodes(
        FIGURE_7_MINIMAL,
        &[variant, &k.to_string()],
        "minimal",
    ))
}

/// The nodes of Figure 7 of highest Prec for k = 2 to 6.
#[must_use]
pub fn figure_7_distortions(variant: &str, k: usize) -> Vec<Vec<usize>> {
    levels(nodes(
        FIGURE_7_MINIMAL,
        &[variant, &k.to_string()],
        "distortion",
    ))
}

/// The highest Prec of a full-domain generalization of Figure 7 for k = 2 to 6.
#[must_use]
pub fn figure_7_best_prec(variant: &str, k: usize) -> Fraction {
    nodes(FIGURE_7_MINIMAL, &[variant, &k.to_string()], "distortion")[0].1
}

/// How many nodes of Figure 7 are k-anonymous, for k = 2 to 6.
#[must_use]
pub fn figure_7_protected(variant: &str, k: usize) -> usize {
    protected(FIGURE_7_PROTECTED, &[variant, &k.to_string()])
}

/// What one variant of Figure 6 makes of Figure 7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantAnswer {
    /// The variant's name.
    pub variant: String,
    /// The heights of the four hierarchies.
    pub heights: Vec<usize>,
    /// Prec of the printed GT by Definition 5 (printed: 0.90).
    pub gt_prec: Fraction,
    /// Prec of Datafly's MGT by Definition 5 (printed: 0.75).
    pub datafly_prec: Fraction,
}

/// The ten variants with the precisions of the printed tables.
#[must_use]
pub fn figure_7_variants() -> Vec<VariantAnswer> {
    answers(fixture!("figure7_variants.csv"))
        .iter()
        .map(|record| VariantAnswer {
            variant: record[0].clone(),
            heights: numbers(&record[1]),
            gt_prec: fraction(&record[2]),
            datafly_prec: fraction(&record[3]),
        })
        .collect()
}

/// The optimum when cells are generalized one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellAnswer {
    /// The variant's name; empty for Figure 4.
    pub variant: String,
    /// k.
    pub k: usize,
    /// The highest Prec.
    pub best_prec: Fraction,
    /// How many tables have it.
    pub tables: usize,
}

fn cells(text: &str) -> Vec<CellAnswer> {
    answers(text)
        .iter()
        .map(|record| CellAnswer {
            variant: record[0].clone(),
            k: number(&record[1]),
            best_prec: fraction(&record[2]),
            tables: number(&record[3]),
        })
        .collect()
}

/// The cell-level optima of Figure 4 for k = 2, 3, 4.
#[must_use]
pub fn figure_4_cells() -> Vec<CellAnswer> {
    cells(fixture!("figure4_cell.csv"))
}

/// The cell-level optima of Figure 7 for k = 2, 3, 4, in every variant.
#[must_use]
pub fn figure_7_cells() -> Vec<CellAnswer> {
    cells(fixture!("figure7_cell.csv"))
}

/// A weighted precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedAnswer {
    /// The weight of each column.
    pub weights: Vec<(u64, u64)>,
    /// k.
    pub k: usize,
    /// "distortion": the node is among the most precise ones; "gt": the printed GT; "datafly": Datafly's table; "cell": the best
    /// table at the cell level.
    pub kind: String,
    /// The node, where there is one.
    pub levels: Vec<usize>,
    /// The weighted precision.
    pub prec: Fraction,
}

/// Figure 4 under five weightings, k = 2, 3, 4: all most precise nodes.
#[must_use]
pub fn figure_4_weighted() -> Vec<WeightedAnswer> {
    weighted(fixture!("figure4_weighted.csv"))
}

/// Figure 7 under four weightings, variant M-Y-5-D/G2, k = 2 and 3.
#[must_use]
pub fn figure_7_weighted() -> Vec<WeightedAnswer> {
    weighted(fixture!("figure7_weighted.csv"))
}

fn weighted(text: &str) -> Vec<WeightedAnswer> {
    answers(text)
        .iter()
        .map(|record| WeightedAnswer {
            weights: weights(&record[0]),
            k: number(&record[1]),
            kind: record[2].clone(),
            levels: numbers(&record[3]),
            prec: fraction(&record[4]),
        })
        .collect()
}

/// What Datafly, read literally, makes of Figure 7 (ties: the first attribute).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataflyAnswer {
    /// The variant's name.
    pub variant: String,
    /// k.
    pub k: usize,
    /// "tuple" or "sequence": how step 4 is read.
    pub step_4: String,
    /// The final levels.
    pub levels: Vec<usize>,
    /// The rows suppressed in step 3.
    pub step_3: Vec<usize>,
    /// All suppressed rows.
    pub suppressed: Vec<usize>,
    /// The precision of the result.
    pub prec: Fraction,
}

/// Datafly on Figure 7: every variant, k = 2 to 12, both readings of step 4.
#[must_use]
pub fn figure_7_datafly() -> Vec<DataflyAnswer> {
    answers(fixture!("figure7_datafly.csv"))
        .iter()
        .map(|record| DataflyAnswer {
            variant: record[0].clone(),
            k: number(&record[1]),
            step_4: record[2].clone(),
            levels: numbers(&record[3]),
            step_3: numbers(&record[4]),
            suppressed: numbers(&record[5]),
            prec: fraction(&record[6]),
        })
        .collect()
}

/// The printed GT of Figure 7: four quasi-identifiers and Problem.
#[must_use]
pub fn figure_7_gt() -> Vec<Vec<String>> {
    records(fixture!("figure7_gt.csv"), ',').split_off(1)
}

/// The printed MGT of Figure 10: four quasi-identifiers and Problem, without the suppressed rows.
#[must_use]
pub fn figure_10_mgt() -> Vec<Vec<String>> {
    records(fixture!("figure10_mgt.csv"), ',').split_off(1)
}
