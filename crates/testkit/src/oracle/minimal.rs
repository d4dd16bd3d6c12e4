//! Minimal nodes.
//!
//! **Definition.** A valid generalization is k-minimal when no other valid generalization is below it: Tz <= Tm implies Tz = Tm
//! (\[Sweeney02\], Definition 4, enforced at the attribute level).
//! **Reading.** Below means every level at most as high. Validity need not be monotone: a minimal node may have an invalid one
//! above it.
//! **Cost.** Every pair of nodes.

use crate::Problem;

/// All valid nodes with no other valid node below them, in lexicographic order.
///
/// `valid` gives the suppressed rows of a valid node, as for `optimum`.
pub fn minimal_nodes(
    problem: &Problem,
    valid: impl Fn(&[usize]) -> Option<Vec<usize>>,
) -> Vec<Vec<usize>> {
    let nodes: Vec<Vec<usize>> = problem
        .all_nodes()
        .into_iter()
        .filter(|node| valid(node).is_some())
        .collect();
    nodes
        .iter()
        .filter(|node| {
            !nodes
                .iter()
                .any(|other| other != *node && is_at_most(other, node))
        })
        .cloned()
        .collect()
}

/// Whether every level of `lower` is at most the level of `upper`.
#[must_use]
pub fn is_at_most(lower: &[usize], upper: &[usize]) -> bool {
    lower.iter().zip(upper).all(|(low, high)| low <= high)
}

#[cfg(test)]
mod tests {
    use super::{is_at_most, minimal_nodes};
    use crate::oracle::is_k_anonymous;
    use crate::sweeney::{def6_tie, figure_4};

    #[test]
    fn nodes_are_ordered_by_every_level_and_not_lexicographically() {
        assert!(is_at_most(&[0, 1], &[1, 1]));
        assert!(!is_at_most(&[0, 3], &[1, 0]));
    }

    #[test]
    fn example_4_finds_two_minimal_nodes() {
        let problem = figure_4();
        let minimal = minimal_nodes(&problem, |node| is_k_anonymous(&problem, node, 2, 0));
        assert_eq!(minimal, [[0, 1], [1, 0]]);
    }

    #[test]
    fn a_minimal_node_may_have_an_invalid_one_above() {
        let minimal = minimal_nodes(&def6_tie(), |node| (node != [0, 1]).then(Vec::new));
        assert_eq!(minimal, [[0, 0]]);
    }
}
