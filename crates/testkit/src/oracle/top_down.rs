//! Algorithm 1 of [Sun08], without tightening, for any models.
//!
//! **Definition.** All rows at the tops; a class is specialized by the attribute with most rows specialized, then fewest children left,
//! then the first; rows of invalid children are pushed back, and *repair* moves rows or whole children to them, one at a time,
//! until they are valid: `../../../../docs/papers.md` has the reading.
//! **Cost.** Every choice looks at every row of every child, and judges lists of rows.

use std::collections::VecDeque;

use crate::{Fraction, Problem};

/// What the models say about rows.
pub struct Asked<'a> {
    /// Whether rows are a valid class.
    pub holds: &'a dyn Fn(&[usize]) -> bool,
    /// How many values or categories rows lack, and how much weight.
    pub lacks: &'a dyn Fn(&[usize]) -> (usize, Fraction),
}

/// The published cells of each row; nothing where the table as one class is invalid.
#[must_use]
pub fn top_down(problem: &Problem, asked: &Asked<'_>) -> Option<Vec<Vec<String>>> {
    let all: Vec<usize> = (0..problem.rows.len()).collect();
    if !(asked.holds)(&all) {
        return None;
    }
    let mut published = problem.rows.clone();
    let mut queue = VecDeque::from([(all, problem.heights())]);
    while let Some((rows, levels)) = queue.pop_front() {
        let mut put_out = |rows: &[usize]| {
            for row in rows {
                for (column, level) in levels.iter().enumerate() {
                    let cell = problem.cell(*row, column, *level);
                    cell.clone_into(&mut published[*row][column]);
                }
            }
        };
        let tries = (0..levels.len()).filter(|column| levels[*column] > 0);
        let tries =
            tries.map(|column| (column, specialize(problem, asked, &rows, &levels, column)));
        let best = tries
            .filter(|(_, (children, _))| !children.is_empty())
            .min_by_key(|(column, (children, left))| (left.len(), children.len(), *column));
        let Some((column, (children, left))) = best else {
            put_out(&rows);
            continue;
        };
        put_out(&left);
        for child in children {
            let mut below = levels.clone();
            below[column] -= 1;
            queue.push_back((child, below));
        }
    }
    Some(published)
}

/// The children that stay, and the rows pushed back.
fn specialize(
    problem: &Problem,
    asked: &Asked<'_>,
    rows: &[usize],
    levels: &[usize],
    column: usize,
) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut children: Vec<(&str, Vec<usize>)> = Vec::new();
    for row in rows {
        let value = problem.cell(*row, column, levels[column] - 1);
        match children.iter_mut().find(|(known, _)| *known == value) {
            Some((_, child)) => child.push(*row),
            None => children.push((value, vec![*row])),
        }
    }
    let children = children.into_iter().map(|(_, rows)| rows);
    let (mut children, invalid): (Vec<_>, Vec<_>) = children.partition(|rows| (asked.holds)(rows));
    let mut left = invalid.concat();
    while !left.is_empty() && !(asked.holds)(&left) && !children.is_empty() {
        if let Some((child, row)) = most_helpful(asked, &children, &left) {
            children[child].retain(|other| *other != row);
            left.push(row);
        } else {
            let smallest = children.iter().map(Vec::len).min();
            let last = children
                .iter()
                .rposition(|child| Some(child.len()) == smallest);
            if let Some(last) = last {
                left.extend(children.remove(last));
            }
        }
    }
    (children, left)
}

fn most_helpful(
    asked: &Asked<'_>,
    children: &[Vec<usize>],
    left: &[usize],
) -> Option<(usize, usize)> {
    let (values, weight) = (asked.lacks)(left);
    let mut best = None;
    for (at, child) in children.iter().enumerate() {
        for row in child {
            let rest: Vec<usize> = child.iter().copied().filter(|other| other != row).collect();
            if rest.is_empty() || !(asked.holds)(&rest) {
                continue;
            }
            let with: Vec<usize> = left.iter().copied().chain([*row]).collect();
            let (fewer, lighter) = (asked.lacks)(&with);
            let key = (values - fewer, weight - lighter, child.len(), *row);
            if best.as_ref().is_none_or(|(most, _)| key > *most) {
                best = Some((key, at));
            }
        }
    }
    best.map(|((_, _, _, row), child)| (child, row))
}
