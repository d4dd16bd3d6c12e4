//! What rows that were pushed back still lack: repair looks for rows that bring it.

use crate::model::{Breach, Quantity};
use crate::share::Share;

/// What rows lack, added up over all models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lack {
    values: u64,
    weight: Share,
}

impl Lack {
    /// Nothing is missing.
    pub(super) const NONE: Self = Self {
        values: 0,
        weight: Share::ZERO,
    };

    pub(super) fn of(breaches: &[Breach]) -> Self {
        let mut lack = Self::NONE;
        for breach in breaches {
            match (&breach.required, &breach.found) {
                (Quantity::Values(required), Quantity::Values(found))
                | (Quantity::Categories(required), Quantity::Categories(found)) => {
                    lack.values += required.saturating_sub(*found);
                }
                (Quantity::Weight(required), Quantity::Weight(found)) => {
                    lack.weight = less(*required, *found)
                        .checked_add(lack.weight)
                        .unwrap_or(lack.weight);
                }
                _ => {}
            }
        }
        lack
    }

    /// By how much this is more than another.
    pub(super) fn less(&self, other: &Self) -> (u64, Share) {
        (
            self.values.saturating_sub(other.values),
            less(self.weight, other.weight),
        )
    }
}

fn less(from: Share, by: Share) -> Share {
    Share::new(-by.numerator(), by.denominator())
        .and_then(|negative| from.checked_add(negative))
        .unwrap_or(Share::ZERO)
}
