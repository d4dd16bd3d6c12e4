//! Precision.
//!
//! **Definition.** Prec = 1 − Σ h/H over all cells, divided by the number of cells; h is the level of a cell, H the
//! height of its hierarchy with suppression on top ([Sweeney02], Definition 5). Weighted: each attribute's cells count
//! by its weight, divided by the sum of the weights.
//! **Reading.** Quasi-identifiers only. N is the number of original rows: a suppressed row counts at the top in every
//! attribute. In an uneven hierarchy a cell counts the level it was generalized to, also where its label did not change.
//! **Cost.** O(attributes) from the margins, O(suppressed classes) for suppression. **Oracle.** `testkit::oracle::prec`.

use super::additive::{Additive, Reading, Units};
use super::tally::Marginals;
use crate::share::Share;

/// The cost 1 − Prec, in common units.
pub(super) fn bind(marginals: &Marginals<'_>, weights: &[Share]) -> Additive {
    let heights: Vec<u64> = marginals
        .ladders()
        .iter()
        .map(|ladder| u64::from(ladder.height()).max(1))
        .collect();
    let mean = Reading::mean(weights, marginals.rows());
    let reading = Reading {
        zero: 1.0,
        step: -mean.step,
    };
    Additive::weighted(
        levels(marginals),
        weights,
        &heights,
        marginals.rows(),
        reading,
    )
}

/// A cell's level; the height where it is suppressed.
pub(super) fn levels(marginals: &Marginals<'_>) -> Units {
    let height = |attribute: usize| u64::from(marginals.ladders()[attribute].height());
    Units::new(marginals, |_, level, _| u64::from(level), height)
}
