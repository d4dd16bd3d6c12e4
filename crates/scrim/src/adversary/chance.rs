//! The probability of having been linked to a value at least once.
//!
//! **Definition.** 1 - Π (1 - `n_js/n_j`), the product over the classes that a person was in, one a release ([Wong09], Lemma 2). A
//! release without the person is no factor (E13). A person with several rows in a release has a factor for each: among the rows
//! of the class that are not the person's own earlier ones.
//! **Reading.** Exact: floats decide only where they are far apart.
//! **Oracle.** `testkit::oracle::serial`, and [`super::worlds`].

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

use crate::share::Share;

/// Floats this near to each other do not decide.
const TOO_NEAR: f64 = 1e-9;

/// A probability as the classes that it follows from: rows of the value, and all rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chance {
    factors: Vec<(u64, u64)>,
}

impl Chance {
    /// The person was in one more class.
    pub fn add(&mut self, linked: u64, rows: u64) {
        if linked > 0 && rows > 0 {
            self.factors.push((linked.min(rows), rows));
            self.factors.sort_unstable();
        }
    }

    /// The nearest float, or one beside it.
    pub fn value(&self) -> f64 {
        let missed = self.factors.iter();
        let missed = missed.map(|(linked, rows)| (rows - linked) as f64 / *rows as f64);
        1.0 - missed.product::<f64>()
    }

    /// The probability of never having been linked, above and below, in lowest terms.
    fn unlinked(&self) -> (BigUint, BigUint) {
        let (mut above, mut below) = (BigUint::one(), BigUint::one());
        for (linked, rows) in &self.factors {
            above *= rows - linked;
            below *= *rows;
        }
        let divisor = above.gcd(&below);
        (above / &divisor, below / divisor)
    }

    /// Whether it is above a limit.
    pub fn is_above(&self, limit: Share) -> bool {
        let value = self.value();
        if (value - limit.to_f64()).abs() > TOO_NEAR {
            return value > limit.to_f64();
        }
        let part = |number: i128| BigUint::from(number.max(0).unsigned_abs());
        let (above, below) = self.unlinked();
        (&below - above) * part(limit.denominator()) > below * part(limit.numerator())
    }

    /// The probability as a fraction, where it has at most so many digits and signs.
    pub fn exact(&self, digits: usize) -> Option<String> {
        let (above, below) = self.unlinked();
        let linked = &below - above;
        let text = if below.is_one() {
            linked.to_string()
        } else {
            format!("{linked}/{below}")
        };
        (text.len() <= digits).then_some(text)
    }

    /// Which of two is larger.
    pub fn compare(&self, other: &Self) -> Ordering {
        if self.factors == other.factors {
            return Ordering::Equal;
        }
        let (left, right) = (self.value(), other.value());
        if (left - right).abs() > TOO_NEAR {
            return left.total_cmp(&right);
        }
        let (own, others) = (self.unlinked(), other.unlinked());
        (others.0 * own.1).cmp(&(own.0 * others.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(factors: &[(u64, u64)]) -> Chance {
        let mut chance = Chance::default();
        factors
            .iter()
            .for_each(|(linked, rows)| chance.add(*linked, *rows));
        chance
    }

    #[test]
    fn the_papers_probabilities_come_out_exactly() {
        assert_eq!(chance(&[(1, 2), (1, 2)]).exact(9).unwrap(), "3/4");
        assert_eq!(chance(&[(1, 4), (1, 4)]).exact(9).unwrap(), "7/16");
        assert_eq!(chance(&[(2, 4), (2, 4)]).exact(9).unwrap(), "3/4");
        assert_eq!(chance(&[(0, 4)]).exact(9).unwrap(), "0");
        assert_eq!(chance(&[(3, 3), (1, 7)]).exact(9).unwrap(), "1");
    }

    #[test]
    fn a_limit_that_is_met_exactly_is_not_passed() {
        let half = Share::new(1, 2).unwrap();
        // 1/10 + … so that 1 - 9/10 · 8/9 · 7/8 · 6/7 · 5/6 is a half.
        let met = chance(&[(1, 10), (1, 9), (1, 8), (1, 7), (1, 6)]);
        assert!(!met.is_above(half));
        let passed = chance(&[
            (1, 10),
            (1, 9),
            (1, 8),
            (1, 7),
            (1_000_000_001, 6_000_000_000),
        ]);
        assert!(passed.is_above(half));
        assert_eq!(met.compare(&passed), Ordering::Less);
        assert_eq!(met.compare(&chance(&[(1, 2)])), Ordering::Equal);
    }
}
