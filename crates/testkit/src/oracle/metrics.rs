//! What a release cost, by every metric.
//!
//! **Definition.** The release is given as a node and the suppressed rows; h is the level of a released cell, H the height of its
//! column, N the number of raw rows, |D| the number of values in a column's domain, in the data or not.
//! - `prec`: 1 - sum w h/H / (N sum w) (\[Sweeney02\], Definition 5, weighted).
//! - `distortion_ratio`: sum h / (N sum H) (\[Sun08\], section 4).
//! - `information_loss`: sum of w (values below the released value - 1) / |D| (\[XT06\], equations 4 to 6, without the sensitive part).
//! - `loss`, `loss_mean`: per column x = (mean share - 1/|D|) / (1 - 1/|D|), the share being (values below the released value)
//!   / |D|; the geometric mean of 1 + x, less 1, and the arithmetic mean of x, both weighted.
//! - `discernibility`: the squares of the kept classes, and N for each suppressed row.
//! - `average_class_size`: N / number of published classes.
//! - `entropy`: sum of -log2(n(raw value) / n(released value)), n(g) being the raw rows whose value lies below g.
//!
//! **Reading.** A suppressed row is at the top in every column and still counts in N. A class may be suppressed in part. A column
//! of height 0 or with one value loses nothing. A table without rows has lost nothing. Entropy and distortion know no weights.
//! The suppressed rows and a kept class that shows only tops look alike and are one published class.

use crate::{Fraction, Problem};

/// The level of each released cell: the node's, or the top in a suppressed row.
#[must_use]
pub fn released_levels(problem: &Problem, node: &[usize], suppressed: &[usize]) -> Vec<Vec<usize>> {
    (0..problem.rows.len())
        .map(|row| {
            if suppressed.contains(&row) {
                problem.heights()
            } else {
                node.to_vec()
            }
        })
        .collect()
}

/// Precision, weighted: 1 is the raw table, 0 has only tops.
#[must_use]
pub fn prec(problem: &Problem, node: &[usize], suppressed: &[usize]) -> Fraction {
    prec_of_cells(problem, &released_levels(problem, node, suppressed))
}

/// Precision of a release whose cells were each raised on their own: `levels[row][column]`.
#[must_use]
pub fn prec_of_cells(problem: &Problem, levels: &[Vec<usize>]) -> Fraction {
    let mut lost = Fraction::ZERO;
    for row in levels {
        for (column, &level) in row.iter().enumerate() {
            lost = lost + problem.weight(column) * ratio(level, problem.height(column));
        }
    }
    let weights: Fraction = (0..problem.columns.len())
        .map(|column| problem.weight(column))
        .sum();
    if problem.rows.is_empty() {
        return Fraction::ONE;
    }
    Fraction::ONE - lost / (Fraction::whole(problem.rows.len() as u64) * weights)
}

/// The sum of the levels of all cells, over the sum with every cell at its top.
#[must_use]
pub fn distortion_ratio(problem: &Problem, node: &[usize], suppressed: &[usize]) -> Fraction {
    let levels = released_levels(problem, node, suppressed);
    let distortion: usize = levels.iter().flatten().sum();
    let most: usize = problem.rows.len() * problem.heights().iter().sum::<usize>();
    ratio(distortion, most)
}

/// The information loss of the table, weighted, over the quasi-identifiers.
#[must_use]
pub fn information_loss(problem: &Problem, node: &[usize], suppressed: &[usize]) -> Fraction {
    let levels = released_levels(problem, node, suppressed);
    let mut lost = Fraction::ZERO;
    for (row, levels) in levels.iter().enumerate() {
        for (column, &level) in levels.iter().enumerate() {
            let leaves = leaves_below(problem, row, column, level);
            lost = lost + problem.weight(column) * ratio(leaves - 1, problem.domain_size(column));
        }
    }
    lost
}

/// The weighted geometric mean of the columns' losses.
#[must_use]
pub fn loss(problem: &Problem, node: &[usize], suppressed: &[usize]) -> f64 {
    let product: f64 = (0..problem.columns.len())
        .map(|column| {
            let lost = column_loss(problem, node, suppressed, column).to_f64();
            (1.0 + lost).powf(normalized_weight(problem, column).to_f64())
        })
        .product();
    product - 1.0
}

/// The weighted arithmetic mean of the columns' losses.
#[must_use]
pub fn loss_mean(problem: &Problem, node: &[usize], suppressed: &[usize]) -> f64 {
    let mean: Fraction = (0..problem.columns.len())
        .map(|column| {
            column_loss(problem, node, suppressed, column) * normalized_weight(problem, column)
        })
        .sum();
    mean.to_f64()
}

/// The squared sizes (in rows) of the kept classes, and the number of all rows for each suppressed row.
#[must_use]
pub fn discernibility(problem: &Problem, node: &[usize], suppressed: &[usize]) -> u128 {
    let kept: u128 = kept_classes(problem, node, suppressed)
        .iter()
        .map(|class| (class.len() as u128).pow(2))
        .sum();
    kept + suppressed.len() as u128 * problem.rows.len() as u128
}

/// The number of rows over the number of published classes.
#[must_use]
pub fn average_class_size(problem: &Problem, node: &[usize], suppressed: &[usize]) -> Fraction {
    let shows_only_tops = |class: &Vec<usize>| {
        (0..problem.columns.len())
            .all(|column| problem.cell(class[0], column, node[column]) == problem.top(column))
    };
    let kept = kept_classes(problem, node, suppressed);
    let starred = !suppressed.is_empty() || kept.iter().any(shows_only_tops);
    let others = kept.iter().filter(|class| !shows_only_tops(class)).count();
    ratio(problem.rows.len(), others + usize::from(starred))
}

/// The non-uniform entropy in bits.
#[must_use]
pub fn entropy(problem: &Problem, node: &[usize], suppressed: &[usize]) -> f64 {
    let levels = released_levels(problem, node, suppressed);
    let mut bits = 0.0;
    for (row, levels) in levels.iter().enumerate() {
        for (column, &level) in levels.iter().enumerate() {
            let raw = rows_below(problem, row, column, 0) as f64;
            let released = rows_below(problem, row, column, level) as f64;
            bits -= (raw / released).log2();
        }
    }
    bits
}

/// `part / whole`, and nought where the whole is nought.
fn ratio(part: usize, whole: usize) -> Fraction {
    if whole == 0 {
        return Fraction::ZERO;
    }
    Fraction::whole(part as u64) / Fraction::whole(whole as u64)
}

/// The values of the domain that lie below the cell when it is raised by so many levels.
fn leaves_below(problem: &Problem, row: usize, column: usize, level: usize) -> usize {
    let label = problem.cell(row, column, level);
    problem.chains[column]
        .values()
        .filter(|chain| chain[level] == label)
        .count()
}

/// The raw rows whose value lies below the cell when it is raised by so many levels.
fn rows_below(problem: &Problem, row: usize, column: usize, level: usize) -> usize {
    let label = problem.cell(row, column, level);
    (0..problem.rows.len())
        .filter(|&other| problem.cell(other, column, level) == label)
        .count()
}

/// x of one column: the mean share, moved so that the raw table has 0 and a table of tops has 1.
fn column_loss(problem: &Problem, node: &[usize], suppressed: &[usize], column: usize) -> Fraction {
    let domain = problem.domain_size(column);
    if domain == 1 || problem.rows.is_empty() {
        return Fraction::ZERO;
    }
    let levels = released_levels(problem, node, suppressed);
    let shares: Fraction = (0..problem.rows.len())
        .map(|row| {
            ratio(
                leaves_below(problem, row, column, levels[row][column]),
                domain,
            )
        })
        .sum();
    let mean = shares / Fraction::whole(problem.rows.len() as u64);
    (mean - ratio(1, domain)) / (Fraction::ONE - ratio(1, domain))
}

fn normalized_weight(problem: &Problem, column: usize) -> Fraction {
    let weights: Fraction = (0..problem.columns.len())
        .map(|column| problem.weight(column))
        .sum();
    problem.weight(column) / weights
}

/// The classes with their suppressed rows taken out; empty ones are none.
fn kept_classes(problem: &Problem, node: &[usize], suppressed: &[usize]) -> Vec<Vec<usize>> {
    problem
        .classes(node)
        .into_iter()
        .map(|class| {
            class
                .into_iter()
                .filter(|row| !suppressed.contains(row))
                .collect::<Vec<_>>()
        })
        .filter(|class| !class.is_empty())
        .collect()
}

#[cfg(test)]
mod tests;
