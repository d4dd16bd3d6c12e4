//! Datafly.
//!
//! **Definition.** While the sequences that occur less than k times account for more than k tuples, generalize the attribute with
//! the most distinct values; then suppress the sequences below k; then enforce k on the suppressed tuples (\[Sweeney02\], Figure 8).
//! **Reading.** Ties go to the first attribute in the order of the quasi-identifier. Step 4 acts only when some rows, but fewer
//! than k, are suppressed, and has two readings (see [`Step4`]). Read literally the algorithm may suppress everything, though one
//! more step of generalization would be enough (Figure 7, k = 7): [`Mode::Generalizing`] takes that step. A limit on suppressed
//! rows tightens the stopping rule; where step 4 would exceed it, `Generalizing` takes a step and `Strict` finds nothing. A
//! tuple is a row; the paper knows no person with two rows, so `persons` is not looked at.

use std::collections::BTreeSet;

use crate::Problem;

/// How step 4 brings the suppressed tuples up to k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step4 {
    /// Drop the last tuple of the largest sequence with more than k tuples, on a tie the earliest; where there is none, go on by
    /// `Sequence`.
    Tuple,
    /// Drop whole sequences, the smallest first, on a tie the one whose first tuple is earliest.
    Sequence,
}

/// What happens when nothing would remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The algorithm as printed: everything is suppressed.
    Strict,
    /// Go on generalizing.
    Generalizing,
}

/// What Datafly came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataflyOutcome {
    /// The level of each column.
    pub levels: Vec<usize>,
    /// The rows suppressed in step 3, ascending.
    pub step_3: Vec<usize>,
    /// All suppressed rows, ascending.
    pub suppressed: Vec<usize>,
}

/// Datafly; `None` when the table has fewer than k rows (the paper assumes |PT| >= k) or none.
///
/// # Panics
/// When a hierarchy does not end in a single top.
#[must_use]
pub fn datafly(problem: &Problem, k: usize, step_4: Step4, mode: Mode) -> Option<DataflyOutcome> {
    datafly_within(problem, k, step_4, mode, usize::MAX)
}

/// Datafly that suppresses at most so many rows; `None` also when the literal algorithm would exceed that.
///
/// # Panics
/// When a hierarchy does not end in a single top.
#[must_use]
pub fn datafly_within(
    problem: &Problem,
    k: usize,
    step_4: Step4,
    mode: Mode,
    limit: usize,
) -> Option<DataflyOutcome> {
    if problem.rows.is_empty() || problem.rows.len() < k {
        return None;
    }
    let mut levels = vec![0; problem.columns.len()];
    loop {
        let sequences = problem.classes(&levels);
        let (outliers, kept): (Vec<_>, Vec<_>) = sequences
            .into_iter()
            .partition(|sequence| sequence.len() < k);
        let outlier_rows: usize = outliers.iter().map(Vec::len).sum();
        if outlier_rows <= k && outlier_rows <= limit {
            let outcome = suppress(levels.clone(), outliers, kept, k, step_4);
            let exceeds = outcome.suppressed.len() > limit;
            if mode == Mode::Strict {
                return (!exceeds).then_some(outcome);
            }
            if !exceeds && outcome.suppressed.len() < problem.rows.len() {
                return Some(outcome);
            }
        }
        let column = most_distinct(problem, &levels);
        assert!(
            levels[column] < problem.height(column),
            "a hierarchy ends in a single top"
        );
        levels[column] += 1;
    }
}

/// The first of the columns with the most distinct values.
fn most_distinct(problem: &Problem, levels: &[usize]) -> usize {
    let table = problem.generalize(levels);
    let distinct = |column: usize| {
        let values: BTreeSet<&str> = table.iter().map(|row| row[column].as_str()).collect();
        values.len()
    };
    let mut chosen = 0;
    for column in 1..levels.len() {
        if distinct(column) > distinct(chosen) {
            chosen = column;
        }
    }
    chosen
}

/// Steps 3 and 4.
fn suppress(
    levels: Vec<usize>,
    outliers: Vec<Vec<usize>>,
    mut kept: Vec<Vec<usize>>,
    k: usize,
    step_4: Step4,
) -> DataflyOutcome {
    let mut step_3: Vec<usize> = outliers.into_iter().flatten().collect();
    step_3.sort_unstable();
    let mut suppressed = step_3.clone();
    while !suppressed.is_empty() && suppressed.len() < k && !kept.is_empty() {
        let donor = match step_4 {
            Step4::Tuple => largest_above(&kept, k),
            Step4::Sequence => None,
        };
        match donor {
            Some(donor) => suppressed.extend(kept[donor].pop()),
            None => suppressed.extend(kept.remove(smallest(&kept))),
        }
    }
    suppressed.sort_unstable();
    DataflyOutcome {
        levels,
        step_3,
        suppressed,
    }
}

/// The earliest of the largest sequences with more than k tuples.
fn largest_above(kept: &[Vec<usize>], k: usize) -> Option<usize> {
    let largest = kept.iter().map(Vec::len).max().filter(|&size| size > k)?;
    kept.iter().position(|sequence| sequence.len() == largest)
}

/// The earliest of the smallest sequences; there is one.
fn smallest(kept: &[Vec<usize>]) -> usize {
    (0..kept.len())
        .min_by_key(|&sequence| (kept[sequence].len(), kept[sequence][0]))
        .expect("step 4 stops when nothing is kept")
}

#[cfg(test)]
mod tests {
    use super::{Mode, Step4, datafly};
    use crate::random_problem;
    use crate::sweeney::{figure_4, figure_7};

    #[test]
    fn figure_10_suppresses_t7_and_t8() {
        let outcome = datafly(&figure_7("Y-D-C/G2"), 2, Step4::Tuple, Mode::Strict).unwrap();
        assert_eq!(outcome.levels, [0, 1, 0, 0]);
        assert_eq!(outcome.suppressed, [6, 7]);
    }

    #[test]
    fn read_literally_it_suppresses_everything_where_one_more_step_would_do() {
        let problem = figure_7("Y-D-C/G2");
        let strict = datafly(&problem, 7, Step4::Tuple, Mode::Strict).unwrap();
        assert_eq!(strict.levels, [1, 2, 1, 1]);
        assert_eq!(strict.suppressed.len(), 12);
        let outcome = datafly(&problem, 7, Step4::Tuple, Mode::Generalizing).unwrap();
        assert_eq!(outcome.levels, [1, 2, 1, 2]);
        assert!(outcome.suppressed.is_empty());
    }

    #[test]
    fn with_k_rows_it_need_not_suppress_them_all() {
        let problem = figure_7("Y-D-C/G2");
        let strict = datafly(&problem, 12, Step4::Tuple, Mode::Strict).unwrap();
        assert_eq!((strict.levels, strict.suppressed.len()), (vec![0; 4], 12));
        let outcome = datafly(&problem, 12, Step4::Tuple, Mode::Generalizing).unwrap();
        assert_eq!(
            (outcome.levels, outcome.suppressed.len()),
            (vec![1, 2, 1, 2], 0)
        );
    }

    #[test]
    fn with_fewer_rows_than_k_there_is_nothing() {
        assert_eq!(
            datafly(&figure_4(), 9, Step4::Tuple, Mode::Generalizing),
            None
        );
    }

    #[test]
    fn on_random_problems_what_is_kept_is_k_anonymous_and_so_are_the_suppressed_rows() {
        for seed in 0..400 {
            let problem = random_problem(seed, 12, 3, 3);
            for (k, step_4) in [(2, Step4::Tuple), (3, Step4::Sequence), (4, Step4::Tuple)] {
                let Some(outcome) = datafly(&problem, k, step_4, Mode::Generalizing) else {
                    assert!(problem.rows.len() < k);
                    continue;
                };
                let suppressed = &outcome.suppressed;
                assert!(suppressed.is_empty() || suppressed.len() >= k);
                assert!(suppressed.len() < problem.rows.len());
                for class in problem.classes(&outcome.levels) {
                    let kept = class.iter().filter(|row| !suppressed.contains(row)).count();
                    assert!(kept == 0 || kept >= k, "seed {seed}, k = {k}");
                }
            }
        }
    }
}
