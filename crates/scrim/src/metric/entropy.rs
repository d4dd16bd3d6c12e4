//! Non-uniform entropy.
//!
//! **Definition.** A cell that shows g instead of v loses −log2(n(v)/n(g)) bits, n counting the rows of the original
//! table whose value lies below; the measure adds up all cells.
//! **Reading.** A suppressed cell shows the top, whose n is the number of rows. No weights. Logarithms are taken to
//! 2^-32 of a bit, so that a sum does not depend on its order. **Oracle.** `testkit::oracle::entropy`.

use super::additive::{Additive, Reading, Units};
use super::tally::Marginals;
use crate::share::Share;

/// How many units make a bit.
pub(super) const BIT: f64 = 4_294_967_296.0;

pub(super) fn bind(marginals: &Marginals<'_>) -> Additive {
    let ones = vec![Share::ONE; marginals.ladders().len()];
    let units = units(marginals);
    let low: u128 = (0..ones.len()).map(|at| units.total(at, 0)).sum();
    let reading = Reading {
        zero: -(low as f64) / BIT,
        step: BIT.recip(),
    };
    Additive::weighted(
        units,
        &ones,
        &vec![1; ones.len()],
        marginals.rows(),
        reading,
    )
}

/// log2 n(g) of each cell. What is lost is the sum of these less that of the ground domain.
pub(super) fn units(marginals: &Marginals<'_>) -> Units {
    let count = |attribute: usize, level: u8, code: usize| {
        fixed_log2(marginals.counts(attribute, level)[code])
    };
    Units::new(marginals, count, |_| fixed_log2(marginals.rows()))
}

/// log2 of a count, in units.
pub(crate) fn fixed_log2(count: u64) -> u64 {
    ((count.max(1) as f64).log2() * BIT).round() as u64
}
