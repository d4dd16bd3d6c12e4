//! Distortion ratio.
//!
//! **Definition.** The levels of all cells added up, divided by what they would be with every cell at the top:
//! Σ h / (N Σ H) ([Sun08], section 6).
//! **Reading.** Not 1 − Prec, which divides each level by its own height first. No weights. Suppressed rows count at
//! the top. **Oracle.** `testkit::oracle::distortion_ratio`.

use super::additive::Additive;
use super::prec::levels;
use super::tally::Marginals;
use crate::share::Share;

pub(super) fn bind(marginals: &Marginals<'_>) -> Additive {
    let ones = vec![Share::ONE; marginals.ladders().len()];
    Additive::weighted(
        levels(marginals),
        &ones,
        &vec![1; ones.len()],
        marginals.rows(),
    )
}
