//! k-anonymity of a generalized table, with suppression.
//!
//! **Definition.** Each sequence of quasi-identifier values appears at least k times (\[Sweeney02\], Definitions 2 and 3).
//! **Reading.** The rows of the classes below k are suppressed, all of them and no others; the node is refused where they are
//! more than allowed. Where persons are given, a class counts its persons; the limit always counts rows. The suppressed rows
//! themselves need not be k.

use crate::Problem;

/// The rows that must be suppressed to make the node's table k-anonymous, ascending; `None` when they are more than allowed.
#[must_use]
pub fn is_k_anonymous(
    problem: &Problem,
    node: &[usize],
    k: usize,
    max_suppressed_rows: usize,
) -> Option<Vec<usize>> {
    let mut suppressed: Vec<usize> = problem
        .classes(node)
        .into_iter()
        .filter(|class| problem.class_size(class) < k)
        .flatten()
        .collect();
    suppressed.sort_unstable();
    (suppressed.len() <= max_suppressed_rows).then_some(suppressed)
}

/// The largest k for which the node's table is k-anonymous without suppression: the size of its smallest class.
#[must_use]
pub fn max_k(problem: &Problem, node: &[usize]) -> Option<usize> {
    let classes = problem.classes(node);
    classes.iter().map(|class| problem.class_size(class)).min()
}

#[cfg(test)]
mod tests {
    use super::{is_k_anonymous, max_k};
    use crate::sweeney::{FIGURE_1_MAX_K, figure_1, figure_4, figure_7};

    #[test]
    fn figure_1_is_2_anonymous_and_not_3_anonymous() {
        let (problem, raw) = (figure_1(), [0, 0, 0, 0]);
        assert_eq!(max_k(&problem, &raw), Some(FIGURE_1_MAX_K));
        assert_eq!(is_k_anonymous(&problem, &raw, 2, 0), Some(vec![]));
        assert_eq!(is_k_anonymous(&problem, &raw, 3, 3), None);
        assert_eq!(is_k_anonymous(&problem, &raw, 3, 4), Some(vec![0, 1, 2, 3]));
    }

    #[test]
    fn the_birth_year_alone_leaves_two_rows_of_figure_7_to_suppress() {
        let problem = figure_7("Y-D-C/G2");
        assert_eq!(
            is_k_anonymous(&problem, &[0, 1, 0, 0], 2, 2),
            Some(vec![6, 7])
        );
        assert_eq!(is_k_anonymous(&problem, &[0, 1, 0, 0], 2, 1), None);
    }

    #[test]
    fn a_class_of_one_person_with_two_rows_is_not_2_anonymous() {
        let mut problem = figure_4();
        problem.persons = Some(vec![0, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(is_k_anonymous(&problem, &[0, 1], 2, 2), Some(vec![0, 1]));
    }
}
