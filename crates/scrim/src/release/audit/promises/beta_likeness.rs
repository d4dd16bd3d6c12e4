//! beta-likeness.
//!
//! **Definition.** Where a value has share p in the table and a larger share q in a class, its gain (q - p) / p is at most
//! *beta* (basic), and at most -ln p as well (enhanced).
//! **Reading.** A value that the table has not gains beyond all numbers. -ln p is never met exactly; a gain within 1e-12
//! of it counts as broken.

use std::cmp::Reverse;

use super::exact::{GUARD, log_ratio};
use super::{Cell, Finding, Fraction, Reference, Sensitive};
use crate::error::Error;
use crate::share::Share;

pub(super) fn check(
    sensitive: &Sensitive<'_>,
    beta: Share,
    enhanced: bool,
) -> Result<Finding, Error> {
    let reference = sensitive.reference()?;
    let mut gains: Vec<(Fraction, Reverse<usize>, bool)> = Vec::new();
    for (class, cells) in sensitive.classes() {
        let values = cells.iter().map(|cell| {
            let gain = gain(cell, sensitive.size(class), &reference);
            let broken = gain > beta.into() || (enhanced && exceeds_log(gain, cell, &reference));
            (gain, Reverse(class), broken)
        });
        gains.extend(values.clone().max());
        gains.extend(values.filter(|(_, _, broken)| *broken).max());
    }
    let worst = gains.iter().max();
    let worst = worst.map(|(gain, class, _)| (*gain, class.0));
    let broken = gains.iter().filter(|(_, _, broken)| *broken).max();
    let of = sensitive.name();
    let broken = broken.map(|(gain, class, _)| {
        let bound = if *gain > beta.into() {
            format!("beta is {beta}")
        } else {
            "-ln of its share in the table is less".to_owned()
        };
        (
            class.0,
            format!("a value of `{of}` gains {gain} of its share, but {bound}"),
        )
    });
    let mut finding = Finding::exact(worst, broken);
    if enhanced {
        finding.details.clear();
    }
    Ok(finding)
}

/// What a value gains: q / p - 1, and 0 where it loses.
fn gain(cell: &Cell, rows: u64, reference: &Reference) -> Fraction {
    let here = u128::from(cell.rows) * u128::from(reference.rows);
    let there = u128::from(reference.counts[cell.value as usize]) * u128::from(rows);
    Fraction::new(here.saturating_sub(there), there)
}

fn exceeds_log(gain: Fraction, cell: &Cell, reference: &Reference) -> bool {
    let there = reference.counts[cell.value as usize];
    let bound = log_ratio(there.into(), reference.rows.into());
    gain > Fraction::new(0u64, 1u64) && gain.to_f64() * (1.0 + GUARD) >= bound
}
