//! Exact fractions.
//!
//! **Definition.** A number n/d with whole n, whole d > 0 and no common divisor: equal numbers have equal parts.
//! **Reading.** Parts are `i128`; an overflow panics, which in test code is the right answer.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Sub};
use std::str::FromStr;

/// An exact rational number, always reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// Nought.
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };
    /// One.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// The number `numerator / denominator`, reduced.
    ///
    /// # Panics
    /// When the denominator is nought.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128) -> Self {
        assert!(denominator != 0, "a fraction over nought");
        let divisor = greatest_common_divisor(numerator, denominator) * denominator.signum();
        Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }

    /// A count as a fraction.
    ///
    /// # Panics
    /// When the count is above `i128::MAX`.
    #[must_use]
    pub fn whole(count: impl TryInto<i128>) -> Self {
        let Ok(count) = count.try_into() else {
            panic!("the count does not fit into 127 bits")
        };
        Self::new(count, 1)
    }

    /// The reduced numerator, with the sign.
    #[must_use]
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The reduced denominator, above nought.
    #[must_use]
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The nearest float, or one beside it.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn greatest_common_divisor(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.abs(), right.abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

fn times(left: i128, right: i128) -> i128 {
    left.checked_mul(right)
        .expect("the fractions of a test fit into 127 bits")
}

impl Add for Fraction {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let common = greatest_common_divisor(self.denominator, other.denominator);
        let here = times(self.numerator, other.denominator / common);
        let there = times(other.numerator, self.denominator / common);
        let sum = here
            .checked_add(there)
            .expect("the fractions of a test fit into 127 bits");
        Self::new(sum, times(self.denominator, other.denominator / common))
    }
}

impl Sub for Fraction {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + Self::new(-other.numerator, other.denominator)
    }
}

impl Mul for Fraction {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(
            times(self.numerator, other.numerator),
            times(self.denominator, other.denominator),
        )
    }
}

impl Div for Fraction {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self::new(
            times(self.numerator, other.denominator),
            times(self.denominator, other.numerator),
        )
    }
}

impl Sum for Fraction {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        times(self.numerator, other.denominator).cmp(&times(other.numerator, self.denominator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.numerator, self.denominator)
    }
}

/// The text is not a fraction "n/d" nor a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFractionError(String);

impl fmt::Display for ParseFractionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is not a fraction n/d", self.0)
    }
}

impl Error for ParseFractionError {}

impl FromStr for Fraction {
    type Err = ParseFractionError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        match (numerator.parse(), denominator.parse::<i128>()) {
            (Ok(numerator), Ok(denominator)) if denominator > 0 => {
                Ok(Self::new(numerator, denominator))
            }
            _ => Err(ParseFractionError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fraction;

    #[test]
    fn a_fraction_is_always_reduced_and_its_sign_is_above() {
        assert_eq!(Fraction::new(6, -8).to_string(), "-3/4");
        assert_eq!(Fraction::new(0, -5), Fraction::ZERO);
    }

    #[test]
    fn the_four_operations_are_those_of_school() {
        let (half, third) = (Fraction::new(1, 2), Fraction::new(1, 3));
        assert_eq!((half + third).to_string(), "5/6");
        assert_eq!((third - half).to_string(), "-1/6");
        assert_eq!((half * third).to_string(), "1/6");
        assert_eq!((half / third).to_string(), "3/2");
        assert_eq!(
            [half, third, third]
                .into_iter()
                .sum::<Fraction>()
                .to_string(),
            "7/6"
        );
    }

    #[test]
    fn order_is_by_value_also_below_nought() {
        assert!(Fraction::new(-1, 2) < Fraction::new(-1, 3));
        assert!(Fraction::new(7, 12) < Fraction::new(2, 3));
    }

    #[test]
    fn what_is_printed_can_be_read_again() {
        for text in ["5/6", "-3/4", "0/1", "1/1"] {
            assert_eq!(text.parse::<Fraction>().unwrap().to_string(), text);
        }
        assert_eq!("2".parse::<Fraction>().unwrap(), Fraction::whole(2_u64));
        for text in ["", "1/0", "a/2", "1/-2"] {
            assert!(text.parse::<Fraction>().is_err(), "{text}");
        }
    }
}
