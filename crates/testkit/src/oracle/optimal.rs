//! The best nodes of the whole lattice.
//!
//! **Definition.** Of all valid nodes those of least cost (\[Sweeney02\], Figure 5: `MinGen` keeps all maxima of Prec).
//! **Reading.** Costs are compared exactly where the metric is rational, else within 1e-9. Of several best nodes the preferred one
//! has the fewest suppressed rows, then the smallest sum of levels, then the lexicographically smallest levels.
//! **Cost.** Every node of the lattice.

use super::metrics;
use crate::{Fraction, Problem};

/// What is minimized; `Prec` stands for 1 - Prec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// 1 - Prec, weighted.
    Prec,
    /// The distortion ratio.
    DistortionRatio,
    /// The information loss of the table.
    InformationLoss,
    /// The geometric loss.
    Loss,
    /// The discernibility.
    Discernibility,
    /// The average size of the published classes.
    AverageClassSize,
    /// The non-uniform entropy.
    Entropy,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 7] = [
        Self::Prec,
        Self::DistortionRatio,
        Self::InformationLoss,
        Self::Loss,
        Self::Discernibility,
        Self::AverageClassSize,
        Self::Entropy,
    ];

    /// The cost of a release as a float.
    #[must_use]
    pub fn cost(self, problem: &Problem, node: &[usize], suppressed: &[usize]) -> f64 {
        match self.price(problem, node, suppressed) {
            Price::Exact(cost) => cost.to_f64(),
            Price::Float(cost) => cost,
        }
    }

    fn price(self, problem: &Problem, node: &[usize], suppressed: &[usize]) -> Price {
        match self {
            Self::Prec => Price::Exact(Fraction::ONE - metrics::prec(problem, node, suppressed)),
            Self::DistortionRatio => {
                Price::Exact(metrics::distortion_ratio(problem, node, suppressed))
            }
            Self::InformationLoss => {
                Price::Exact(metrics::information_loss(problem, node, suppressed))
            }
            Self::Loss => Price::Float(metrics::loss(problem, node, suppressed)),
            Self::Discernibility => Price::Exact(Fraction::whole(metrics::discernibility(
                problem, node, suppressed,
            ))),
            Self::AverageClassSize => {
                Price::Exact(metrics::average_class_size(problem, node, suppressed))
            }
            Self::Entropy => Price::Float(metrics::entropy(problem, node, suppressed)),
        }
    }
}

/// A cost, exact where it can be.
#[derive(Clone, Copy, Debug)]
enum Price {
    Exact(Fraction),
    Float(f64),
}

impl Price {
    fn is_less_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exact(here), Self::Exact(there)) => here < there,
            (Self::Float(here), Self::Float(there)) => here < there,
            _ => unreachable!("both prices come from one metric"),
        }
    }

    fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exact(here), Self::Exact(there)) => here == there,
            (Self::Float(here), Self::Float(there)) => (here - there).abs() <= 1e-9,
            _ => unreachable!("both prices come from one metric"),
        }
    }
}

/// The least cost over all valid nodes, and all nodes that have it, in lexicographic order; `None` when no node is valid.
///
/// `valid` gives the suppressed rows of a valid node.
pub fn optimum(
    problem: &Problem,
    metric: Metric,
    valid: impl Fn(&[usize]) -> Option<Vec<usize>>,
) -> Option<(f64, Vec<Vec<usize>>)> {
    let (cost, best) = best_releases(problem, metric, valid)?;
    Some((cost, best.into_iter().map(|(node, _)| node).collect()))
}

/// The preferred one of the best nodes, with its suppressed rows; `None` when no node is valid.
pub fn preferred(
    problem: &Problem,
    metric: Metric,
    valid: impl Fn(&[usize]) -> Option<Vec<usize>>,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let (_, best) = best_releases(problem, metric, valid)?;
    best.into_iter().min_by_key(|(node, suppressed)| {
        (suppressed.len(), node.iter().sum::<usize>(), node.clone())
    })
}

/// Nodes with their suppressed rows.
type Releases = Vec<(Vec<usize>, Vec<usize>)>;

fn best_releases(
    problem: &Problem,
    metric: Metric,
    valid: impl Fn(&[usize]) -> Option<Vec<usize>>,
) -> Option<(f64, Releases)> {
    let mut priced = Vec::new();
    for node in problem.all_nodes() {
        if let Some(suppressed) = valid(&node) {
            let price = metric.price(problem, &node, &suppressed);
            priced.push((price, node, suppressed));
        }
    }
    let mut least = priced.first()?.0;
    for (price, _, _) in &priced {
        if price.is_less_than(least) {
            least = *price;
        }
    }
    let cost = match least {
        Price::Exact(cost) => cost.to_f64(),
        Price::Float(cost) => cost,
    };
    let best = priced
        .into_iter()
        .filter(|(price, _, _)| price.equals(least))
        .map(|(_, node, suppressed)| (node, suppressed))
        .collect();
    Some((cost, best))
}

#[cfg(test)]
mod tests {
    use super::{Metric, optimum, preferred};
    use crate::oracle::is_k_anonymous;
    use crate::sweeney::{def6_tie, figure_7};

    #[test]
    fn under_a_tie_all_best_nodes_are_kept_and_the_first_is_preferred() {
        let problem = def6_tie();
        let valid = |node: &[usize]| is_k_anonymous(&problem, node, 2, 0);
        let (cost, nodes) = optimum(&problem, Metric::Prec, valid).unwrap();
        assert!((cost - 0.5).abs() < 1e-12);
        assert_eq!(nodes, [[0, 1], [1, 0]]);
        let chosen = preferred(&problem, Metric::Prec, valid);
        assert_eq!(chosen, Some((vec![0, 1], vec![])));
    }

    #[test]
    fn fewer_suppressed_rows_are_preferred_to_lower_levels() {
        let problem = def6_tie();
        // Both cost everything: the raw table by suppression, the top node by generalization.
        let valid = |node: &[usize]| match node {
            [0, 0] => Some(vec![0, 1, 2, 3]),
            [1, 1] => Some(vec![]),
            _ => None,
        };
        let chosen = preferred(&problem, Metric::Prec, valid);
        assert_eq!(chosen, Some((vec![1, 1], vec![])));
    }

    #[test]
    fn nothing_valid_has_no_optimum() {
        assert!(optimum(&def6_tie(), Metric::Entropy, |_: &[usize]| None).is_none());
    }

    #[test]
    fn every_metric_finds_a_node_that_no_other_node_beats() {
        let problem = figure_7("Y-D/G1");
        let valid = |node: &[usize]| is_k_anonymous(&problem, node, 2, 2);
        for metric in Metric::ALL {
            let (least, best) = optimum(&problem, metric, valid).unwrap();
            for node in problem.all_nodes() {
                let Some(suppressed) = valid(&node) else {
                    continue;
                };
                let cost = metric.cost(&problem, &node, &suppressed);
                assert!(cost > least - 1e-9);
                assert_eq!(best.contains(&node), (cost - least).abs() < 1e-9);
            }
        }
    }
}
