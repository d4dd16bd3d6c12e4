//! Fractions that decide, and logarithms that do not decide alone.

use std::cmp::Ordering;
use std::fmt;

use crate::share::Share;

/// Floats this near to a bound, as a part of it, do not decide for a class.
pub(super) const GUARD: f64 = 1e-12;

/// A fraction not below zero; over zero it is beyond all numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fraction {
    above: u128,
    below: u128,
}

impl Fraction {
    /// `above / below`, not both zero.
    pub(super) fn new(above: impl Into<u128>, below: impl Into<u128>) -> Self {
        let (above, below) = (above.into(), below.into());
        let (mut divisor, mut rest) = (above, below);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let divisor = divisor.max(1);
        Self {
            above: above / divisor,
            below: below / divisor,
        }
    }

    pub(super) fn inverse(self) -> Self {
        Self {
            above: self.below,
            below: self.above,
        }
    }

    /// Both parts.
    pub(super) fn parts(self) -> (u128, u128) {
        (self.above, self.below)
    }

    pub(super) fn is_finite(self) -> bool {
        self.below != 0
    }

    pub(super) fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}

impl From<Share> for Fraction {
    /// A parameter of a promise, none of which may be negative.
    fn from(share: Share) -> Self {
        Self::new(
            share.numerator().max(0).unsigned_abs(),
            share.denominator().unsigned_abs(),
        )
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.below {
            0 => f.write_str("more than any number"),
            1 => write!(f, "{}", self.above),
            below => write!(f, "{}/{below}", self.above),
        }
    }
}

impl Ord for Fraction {
    /// By cross multiplication in 256 bits.
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |left: u128, right: u128| {
            let (low, high) = left.carrying_mul(right, 0);
            (high, low)
        };
        product(self.above, other.below).cmp(&product(other.above, self.below))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Fraction {}

/// |ln(left / right)|, off by a small part of itself; equal numbers give exactly 0, and one of them 0 no number.
pub(super) fn log_ratio(left: u128, right: u128) -> f64 {
    let (small, large) = (left.min(right), left.max(right));
    if small == 0 {
        return f64::INFINITY;
    }
    let apart = large - small;
    if apart < small {
        // ln(b / a) = 2 artanh((b - a) / (b + a)): nothing is lost where the two are nearly equal.
        return 2.0 * (apart as f64 / (large as f64 + small as f64)).atanh();
    }
    (large as f64 / small as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_compared_beyond_128_bits() {
        let big = u128::MAX / 3;
        assert!(Fraction::new(big, big - 1) > Fraction::new(big + 1, big));
        assert!(Fraction::new(1u32, 0u32) > Fraction::new(u128::MAX, 1u32));
        assert_eq!(Fraction::new(2u32, 6u32).to_string(), "1/3");
        assert_eq!(Fraction::new(0u32, 6u32).to_string(), "0");
    }

    #[test]
    fn logarithms_keep_their_digits_near_one() {
        assert!(log_ratio(5, 5).abs() < f64::MIN_POSITIVE);
        let tiny = log_ratio(1 << 60, (1 << 60) + 1);
        assert!((tiny * (1u64 << 60) as f64 - 1.0).abs() < 1e-14);
        assert!((log_ratio(1, 3) - 3f64.ln()).abs() < 1e-15);
        assert!((log_ratio(3, 2) - 1.5f64.ln()).abs() < 1e-15);
        assert!(log_ratio(0, 2).is_infinite());
    }
}
