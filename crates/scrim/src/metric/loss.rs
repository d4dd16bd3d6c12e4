//! Loss as ARX computes it, a geometric mean, and the arithmetic mean beside it.
//!
//! **Definition.** With |D| values in the domain, x = (mean share of the domain below a cell − 1/|D|) / (1 − 1/|D|),
//! a suppressed row counting 1. `loss` = (product of 1 + x)^(1/attributes) − 1; `loss_mean` = mean of the x.
//! **Reading.** The domain is all leaves of the hierarchy. Weights are exponents, or weights of the mean, normalized.
//! An attribute with one value only loses nothing. **Oracle.** `testkit::oracle::loss`, `loss_mean`.

use super::additive::{Additive, Combine, Reading};
use super::information_loss::leaves;
use super::tally::Marginals;
use crate::share::Share;

/// The geometric mean.
pub(super) fn geometric(marginals: &Marginals<'_>, weights: &[Share]) -> Additive {
    let rows = u128::from(marginals.rows());
    let domains = marginals
        .ladders()
        .iter()
        .map(|ladder| u128::from(ladder.hierarchy().domain_size()));
    let combine = Combine::Geometric {
        low: vec![rows; marginals.ladders().len()],
        high: domains.map(|domain| rows * domain).collect(),
        exponents: normalized(weights),
    };
    Additive {
        units: leaves(marginals, 0),
        combine,
        sensitive: Vec::new(),
        reading: Reading::PLAIN,
    }
}

/// The arithmetic mean.
pub(super) fn arithmetic(marginals: &Marginals<'_>, weights: &[Share]) -> Additive {
    let ladders = marginals.ladders().iter();
    let most = ladders.map(|ladder| ladder.hierarchy().domain_size().saturating_sub(1).max(1));
    let most: Vec<u64> = most.collect();
    let reading = Reading::mean(weights, marginals.rows());
    Additive::weighted(
        leaves(marginals, 1),
        weights,
        &most,
        marginals.rows(),
        reading,
    )
}

/// Weights as floats that add up to 1.
pub(super) fn normalized(weights: &[Share]) -> Vec<f64> {
    let sum: f64 = weights.iter().map(|weight| weight.to_f64()).sum();
    weights
        .iter()
        .map(|weight| {
            if sum > 0.0 {
                weight.to_f64() / sum
            } else {
                0.0
            }
        })
        .collect()
}
