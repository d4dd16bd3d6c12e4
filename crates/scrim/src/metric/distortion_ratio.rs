//! Distortion ratio.
//!
//! **Definition.** The levels of all cells added up, divided by what they would be with every cell at the top:
//! Σ h / (N Σ H) ([Sun08], section 6).
//! **Reading.** Not 1 − Prec, which divides each level by its own height first. No weights. Suppressed rows count at
//! the top. **Oracle.** `testkit::oracle::distortion_ratio`.

use super::additive::{Additive, Reading};
use super::prec::levels;
use super::tally::Marginals;
use crate::share::Share;

pub(super) fn bind(marginals: &Marginals<'_>) -> Additive {
    let ones = vec![Share::ONE; marginals.ladders().len()];
    let ladders = marginals.ladders().iter();
    let most = ladders
        .map(|ladder| f64::from(ladder.height()))
        .sum::<f64>()
        * marginals.rows() as f64;
    let reading = Reading {
        zero: 0.0,
        step: if most > 0.0 { most.recip() } else { 0.0 },
    };
    Additive::weighted(
        levels(marginals),
        &ones,
        &vec![1; ones.len()],
        marginals.rows(),
        reading,
    )
}
