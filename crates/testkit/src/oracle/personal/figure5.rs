//! Figure 5 of \[XiaoTao06\] as it is printed, errors and all.
//!
//! **Definition.** Lines 1 to 15, in the order of the rows.
//! **Reading.** Line 3 looks for bad rows in the whole class (the figure) or in the problem rows only (the text below it). Both are
//! wrong: rows with equal guards drop each other from the problem rows, Line 5 can lower a value that was raised before, and a bad
//! row guarded by the root has no parent to go to. For the right answer see `sensitive_generalizations`.

use super::{GuardedRow, Taxonomy, breaches};
use crate::Fraction;

/// What Figure 5 returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure5 {
    /// The values to publish, safe or not.
    Published(Vec<usize>),
    /// NULL: it finds no SA-generalization.
    Nothing,
    /// Line 5 asks for the parent of the root.
    Undefined,
}

/// Figure 5; `by_the_text` takes the bad rows of Line 3 from the problem rows only.
#[must_use]
pub fn figure5_as_printed(
    tree: &Taxonomy,
    rows: &[GuardedRow],
    p: Fraction,
    primary: bool,
    by_the_text: bool,
) -> Figure5 {
    let mut values: Vec<usize> = rows.iter().map(|row| row.leaf).collect();
    let problem: Vec<usize> = (0..rows.len())
        .filter(|row| is_problem(tree, rows, *row))
        .collect();
    let before = breaches(tree, rows, &values, primary);
    let bad: Vec<usize> = (0..rows.len())
        .filter(|row| before[*row] > p && (!by_the_text || problem.contains(row)))
        .collect();
    for row in bad {
        let Some(parent) = rows[row].guard.and_then(|guard| tree.parent(guard)) else {
            return Figure5::Undefined;
        };
        set(tree, &mut values, row, parent);
    }
    loop {
        let now = breaches(tree, rows, &values, primary);
        let Some(row) = problem.iter().find(|row| now[**row] > p) else {
            return Figure5::Published(values);
        };
        let Some(parent) = tree.parent(values[*row]) else {
            return Figure5::Nothing;
        };
        set(tree, &mut values, *row, parent);
    }
}

/// Line 2: the guard is not in the subtree of the guard of any other row.
fn is_problem(tree: &Taxonomy, rows: &[GuardedRow], row: usize) -> bool {
    rows[row].guard.is_some_and(|guard| {
        rows.iter().enumerate().all(|(other, rival)| {
            other == row
                || rival
                    .guard
                    .is_none_or(|rival| !tree.is_within(guard, rival))
        })
    })
}

/// Lines 5 to 8, and 12 to 15.
fn set(tree: &Taxonomy, values: &mut [usize], row: usize, taxon: usize) {
    values[row] = taxon;
    for value in values {
        if tree.is_within(*value, taxon) {
            *value = taxon;
        }
    }
}
