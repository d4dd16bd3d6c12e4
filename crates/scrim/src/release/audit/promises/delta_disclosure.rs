//! delta-disclosure privacy.
//!
//! **Definition.** For each class and every sensitive value of the table, |ln(share in the class / share in the table)| <
//! *delta*.
//! **Reading.** A value of the table that a class lacks, or the other way round, is beyond any *delta*. A power of e to
//! a fraction other than 0 is no fraction, so there are no ties; a logarithm within 1e-12 of *delta* counts as broken.

use super::exact::{GUARD, log_ratio};
use super::{Cell, Finding, Reference, Sensitive};
use crate::error::Error;
use crate::share::Share;

pub(super) fn check(sensitive: &Sensitive<'_>, delta: Share) -> Result<Finding, Error> {
    let reference = sensitive.reference()?;
    let mut worst: Option<(f64, usize)> = None;
    for (class, cells) in sensitive.classes() {
        let found = farthest(cells, sensitive.size(class), &reference);
        if worst.is_none_or(|(worst, _)| found > worst) {
            worst = Some((found, class));
        }
    }
    let of = sensitive.name();
    let told = |(found, class): (f64, usize)| {
        let found = if found.is_finite() {
            format!("a log-ratio of {found:.6} of `{of}`, but delta is {delta}")
        } else {
            format!("a value of `{of}` is in the class or in the table alone, but delta is {delta}")
        };
        (class, found)
    };
    Ok(Finding {
        observed: worst.map(|(found, _)| found).into(),
        worst: worst.iter().map(|(_, class)| *class).collect(),
        broken: worst
            .filter(|(found, _)| found * (1.0 + GUARD) >= delta.to_f64())
            .map(told),
        ..Finding::default()
    })
}

/// The largest logarithm of all values that class or table have.
fn farthest(cells: &[Cell], rows: u64, reference: &Reference) -> f64 {
    let mut here = vec![0u64; reference.counts.len()];
    for cell in cells {
        here[cell.value as usize] = cell.rows;
    }
    let log = |(here, there): (&u64, &u64)| {
        log_ratio(
            u128::from(*here) * u128::from(reference.rows),
            u128::from(*there) * u128::from(rows),
        )
    };
    here.iter()
        .zip(&reference.counts)
        .filter(|(here, there)| **here > 0 || **there > 0)
        .map(log)
        .fold(0.0, f64::max)
}
