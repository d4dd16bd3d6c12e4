//! What releases let an onlooker believe about a person and a value, and what is left; exact.
//!
//! **Definition.** Over the releases that have the person, with `n` rows in its class and `n_s` of them with value `s`:
//! `Q = product of (1 - n_s/n)`; the belief is `p = 1 - Q`, and the next class may have the value in a share of at most
//! `R = 1 - (1 - 1/l) / Q` ([Wong09], Lemma 2, with a factor of one for a release without the person). Of
//! several rows in a release each is a factor: the i-th of a class is one of `n - i + 1` rows, so that r rows together miss the value
//! with `C(n - n_s, r) / C(n, r)`.
//! **Reading.** Nothing is left where R is not above zero, and where Q is zero: the person is linked for certain.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, ToPrimitive, Zero};
use scrim::Share;
use serde::{Serialize, Serializer};

/// What is promised about a column: the values, and l.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The sensitive column.
    pub column: String,
    /// Nobody is linked to a value with more than 1/l.
    pub l: Share,
    /// The protected values.
    pub values: Vec<String>,
}

/// An exact fraction of any size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(Ratio<BigInt>);

impl Fraction {
    /// The nearest float, or one next to it: for pictures only.
    pub fn to_f64(&self) -> f64 {
        let bits = self.0.numer().bits().max(self.0.denom().bits());
        // Both are shortened alike, so that neither is too large for a float.
        let shift = bits.saturating_sub(900);
        let float = |whole: &BigInt| (whole >> shift).to_f64().unwrap_or(0.0);
        float(self.0.numer()) / float(self.0.denom())
    }

    /// Whether it is above zero.
    pub fn is_positive(&self) -> bool {
        self.0 > Ratio::zero()
    }

    /// Whether it is below an exact share.
    pub fn is_below(&self, share: Share) -> bool {
        self.0 < exact(share)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How strongly nobody may say that a person has a value: Q, as an unreduced fraction while it is multiplied.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    numerator: BigInt,
    denominator: BigInt,
}

impl Default for Doubt {
    fn default() -> Self {
        Self {
            numerator: BigInt::one(),
            denominator: BigInt::one(),
        }
    }
}

impl Doubt {
    /// One more row of the person, which is one of `rows`, `count` of them with the value.
    pub(super) fn row(&mut self, count: u64, rows: u64) {
        if count > 0 && rows > 0 {
            self.numerator *= rows.saturating_sub(count);
            self.denominator *= rows;
        }
    }

    /// One more class, with `own` rows of the person: each is one of those that the others have left.
    pub(super) fn class(&mut self, count: u64, rows: u64, own: u64) {
        (0..own).for_each(|before| self.row(count, rows.saturating_sub(before).max(1)));
    }

    /// Which doubt is smaller, that is, who is nearer to the limit.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    /// Whether no release has shown the value beside the person.
    pub(super) fn is_whole(&self) -> bool {
        self.numerator == self.denominator
    }

    /// p.
    pub(super) fn belief(&self) -> Fraction {
        Fraction(Ratio::one() - self.ratio())
    }

    /// R; nothing where Q is zero.
    pub(super) fn left(&self, l: Share) -> Option<Fraction> {
        if self.numerator.is_zero() || l <= Share::ZERO {
            return None;
        }
        let safe = Ratio::<BigInt>::one() - exact(l).recip();
        Some(Fraction(Ratio::one() - safe / self.ratio()))
    }

    fn ratio(&self) -> Ratio<BigInt> {
        Ratio::new(self.numerator.clone(), self.denominator.clone())
    }
}

fn exact(share: Share) -> Ratio<BigInt> {
    Ratio::new(share.numerator().into(), share.denominator().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(releases: &[(u64, u64)]) -> Doubt {
        let mut doubt = Doubt::default();
        releases
            .iter()
            .for_each(|(count, rows)| doubt.row(*count, *rows));
        doubt
    }

    #[test]
    fn several_rows_of_a_class_are_drawn_without_putting_back() {
        // One of four rows has the value; three are the person's.
        let mut doubt = Doubt::default();
        doubt.class(1, 4, 3);
        assert_eq!(doubt.belief().to_string(), "3/4");
        // Two of five: 1 - C(3, 2) / C(5, 2).
        let mut doubt = Doubt::default();
        doubt.class(2, 5, 2);
        assert_eq!(doubt.belief().to_string(), "7/10");
        doubt.class(2, 3, 2);
        assert_eq!(doubt.belief().to_string(), "1");
    }

    #[test]
    fn beliefs_are_those_of_the_paper() {
        // [Wong09]: 3/4 after two classes of two, 7/16 after two of four.
        assert_eq!(after(&[(1, 2), (1, 2)]).belief().to_string(), "3/4");
        assert_eq!(after(&[(1, 4), (1, 4)]).belief().to_string(), "7/16");
        assert_eq!(after(&[(0, 2), (1, 2)]).belief().to_string(), "1/2");
    }

    #[test]
    fn what_is_left_just_reaches_the_limit() {
        let l = Share::whole(2);
        assert_eq!(after(&[]).left(l).unwrap().to_string(), "1/2");
        assert_eq!(after(&[(1, 4)]).left(l).unwrap().to_string(), "1/3");
        // A class with the value in exactly that share makes the belief 1/l.
        assert_eq!(after(&[(1, 4), (1, 3)]).belief().to_string(), "1/2");
        assert!(!after(&[(1, 4), (1, 3)]).left(l).unwrap().is_positive());
        assert_eq!(after(&[(1, 2), (1, 2)]).left(l).unwrap().to_string(), "-1");
        assert_eq!(after(&[(2, 2)]).left(l), None);
    }

    #[test]
    fn fractions_too_large_for_floats_are_told_as_floats_all_the_same() {
        let long = after(&vec![(1, 1_000_003); 200]);
        let belief = long.belief();
        assert!(belief.to_string().len() > 1000);
        let expected = -(200.0 * (-1.0f64 / 1_000_003.0).ln_1p()).exp_m1();
        assert!((belief.to_f64() - expected).abs() < 1e-12);
        assert_eq!(long.compare(&after(&[(1, 1_000_003)])), Ordering::Less);
    }
}
