//! k-anonymity over several quasi-identifiers, with suppression.
//!
//! **Definition.** A promise names columns and a k: each sequence of values of these columns appears at least k times
//! (\[Sweeney02\], section 4.1 and Definition 2). The release of a node keeps the largest set of its classes in which every promise
//! holds.
//! **Reading.** All sets of classes are tried; the largest is the union of all in which every promise holds, which is one of
//! them. Where persons are given, they are counted; the limit always counts rows. Suppressed rows are not counted for others.
//! **Cost.** Two to the number of classes: a dozen rows, not more.

use std::collections::BTreeMap;

use crate::Problem;

/// The rows that the release of a node suppresses, ascending; `None` when they are more than allowed. Each promise is its columns
/// and its k.
///
/// # Panics
/// When the node has more than 20 classes.
#[must_use]
pub fn closed_under(
    problem: &Problem,
    node: &[usize],
    promises: &[(Vec<usize>, usize)],
    max_suppressed_rows: usize,
) -> Option<Vec<usize>> {
    let classes = problem.classes(node);
    assert!(classes.len() <= 20, "too many classes to try all sets");
    let rows_of = |chosen: usize| -> Vec<usize> {
        let members = (0..classes.len()).filter(|class| chosen >> class & 1 == 1);
        members.flat_map(|class| classes[class].clone()).collect()
    };
    let largest = (0..1usize << classes.len())
        .filter(|chosen| keeps(problem, node, promises, &rows_of(*chosen)))
        .fold(0, |all, chosen| all | chosen);
    let kept = rows_of(largest);
    assert!(
        keeps(problem, node, promises, &kept),
        "the union of sets in which every promise holds is one of them"
    );
    let rows = 0..problem.rows.len();
    let suppressed: Vec<usize> = rows.filter(|row| !kept.contains(row)).collect();
    (suppressed.len() <= max_suppressed_rows).then_some(suppressed)
}

/// Whether every promise holds in the table of these rows.
fn keeps(
    problem: &Problem,
    node: &[usize],
    promises: &[(Vec<usize>, usize)],
    rows: &[usize],
) -> bool {
    promises.iter().all(|(columns, k)| {
        let mut classes: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for row in rows {
            let values = columns
                .iter()
                .map(|column| problem.cell(*row, *column, node[*column]));
            classes.entry(values.collect()).or_default().push(*row);
        }
        classes
            .values()
            .all(|class| problem.class_size(class) >= *k)
    })
}

#[cfg(test)]
mod tests {
    use super::closed_under;
    use crate::oracle::is_k_anonymous;
    use crate::random_problem;
    use crate::sweeney::figure_7;

    #[test]
    fn a_promise_about_all_columns_is_k_anonymity() {
        for seed in 0..100 {
            let problem = random_problem(seed, 9, 3, 3);
            let all: Vec<usize> = (0..problem.columns.len()).collect();
            for node in problem.all_nodes() {
                assert_eq!(
                    closed_under(&problem, &node, &[(all.clone(), 2)], 9),
                    is_k_anonymous(&problem, &node, 2, 9)
                );
            }
        }
    }

    #[test]
    fn suppressing_for_one_promise_can_break_another() {
        // Figure 7 by race and gender: 4 black women, 2 black men, 5 white men and 1 white woman. By gender alone 5 women and 7
        // men: without the white woman 4 women are left.
        let problem = figure_7("Y-D-C/G2");
        let node = [0, 4, 0, 3];
        let both = [(vec![0, 2], 2), (vec![2], 5)];
        let gone = closed_under(&problem, &node, &both, 12).unwrap();
        assert_eq!(gone, [2, 3, 4, 5, 7]);
        assert_eq!(closed_under(&problem, &node, &both[..1], 12).unwrap(), [7]);
        assert_eq!(closed_under(&problem, &node, &both[1..], 12).unwrap(), []);
    }
}
