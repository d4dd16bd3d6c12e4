//! Information loss.
//!
//! **Definition.** A generalized value loses (values below it − 1) / (values in the domain); a row's loss is the
//! weighted sum over its attributes, a table's the sum over its rows ([XiaoTao06], equations 4 to 6).
//! **Reading.** The domain is the hierarchy's, also where the data do not show all of it; a missing value counts as one
//! value where it occurs. Sensitive values that are published more generally lose in the same way, with their own weight. A suppressed row loses (domain − 1) / domain in every attribute.
//! **Oracle.** `testkit::oracle::information_loss`.

use super::SensitiveUnit;
use super::additive::{Additive, Reading, Units};
use super::tally::Marginals;
use crate::share::Share;

pub(super) fn bind(
    marginals: &Marginals<'_>,
    weights: &[Share],
    sensitive: &[SensitiveUnit],
) -> Additive {
    let ladders = marginals.ladders().iter();
    let domains = ladders.map(|ladder| ladder.hierarchy().domain_size().max(1));
    let domains: Vec<u64> = domains
        .chain(sensitive.iter().map(|unit| unit.domain.max(1)))
        .collect();
    let weights: Vec<Share> = weights
        .iter()
        .copied()
        .chain(sensitive.iter().map(|unit| unit.weight))
        .collect();
    Additive::weighted(
        leaves(marginals, 1),
        &weights,
        &domains,
        marginals.rows(),
        Reading::PLAIN,
    )
}

/// The values below a cell's taxon, less a constant.
pub(super) fn leaves(marginals: &Marginals<'_>, less: u64) -> Units {
    let ladders = marginals.ladders();
    let below = |attribute: usize, level: u8, code: usize| {
        let ladder = &ladders[attribute];
        ladder
            .hierarchy()
            .leaves_below(ladder.taxa(level)[code])
            .max(1)
            - less
    };
    Units::new(marginals, below, |attribute| {
        ladders[attribute].hierarchy().domain_size().max(1) - less
    })
}
