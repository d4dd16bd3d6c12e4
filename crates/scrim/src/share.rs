//! Exact fractions: what a promise hangs on is never a float.
//!
//! **Reading.** A policy may write `2`, `0.25` (read as 25/100) or `"7/3"`. A decimal is taken as it is written, not
//! as the nearest binary float.

use std::fmt;
use std::str::FromStr;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, Zero};
use serde::{Serialize, Serializer};

/// An exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(Ratio<i128>);

/// The text was no number that a policy may write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no exact number: write it like 2, 0.25 or \"7/3\"")]
pub struct NotAShare(pub String);

impl Share {
    /// Nothing.
    pub const ZERO: Self = Self(Ratio::new_raw(0, 1));
    /// The whole.
    pub const ONE: Self = Self(Ratio::new_raw(1, 1));

    /// `numerator / denominator`, or nothing when the denominator is zero.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        (denominator != 0).then(|| Self(Ratio::new(numerator, denominator)))
    }

    /// A whole number.
    pub fn whole(number: i128) -> Self {
        Self(Ratio::from_integer(number))
    }

    /// The reduced numerator; it carries the sign.
    pub fn numerator(self) -> i128 {
        *self.0.numer()
    }

    /// The reduced denominator, above zero.
    pub fn denominator(self) -> i128 {
        *self.0.denom()
    }

    /// The sum, unless it overflows.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(&other.0).map(Self)
    }

    /// The product, unless it overflows.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        self.0.checked_mul(&other.0).map(Self)
    }

    /// Shares as whole numbers of one unit, and how many units are one; nothing where they do not fit.
    pub fn over_common(shares: &[Self]) -> Option<(Vec<i128>, i128)> {
        let common = shares.iter().try_fold(1i128, |common, share| {
            let step = share.denominator() / num_integer::gcd(common, share.denominator());
            common.checked_mul(step)
        })?;
        let whole = |share: &Self| share.numerator().checked_mul(common / share.denominator());
        Some((shares.iter().map(whole).collect::<Option<_>>()?, common))
    }

    /// The largest whole number of rows not above this share of `rows`.
    pub fn floor_of(self, rows: u64) -> u64 {
        let product = i128::from(rows).checked_mul(self.numerator());
        let floor = product.map(|whole| whole.div_euclid(self.denominator()));
        floor.map_or(rows, |floor| {
            u64::try_from(floor.max(0)).unwrap_or(u64::MAX)
        })
    }

    /// The nearest float: for losses and pictures only.
    pub fn to_f64(self) -> f64 {
        self.numerator() as f64 / self.denominator() as f64
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl From<u8> for Share {
    fn from(whole: u8) -> Self {
        Self::whole(whole.into())
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator() == 1 {
            write!(f, "{}", self.numerator())
        } else {
            write!(f, "{}/{}", self.numerator(), self.denominator())
        }
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Share {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        let fault = || NotAShare(text.to_owned());
        let trimmed = text.trim();
        if let Some((above, below)) = trimmed.split_once('/') {
            let above: i128 = above.trim().parse().map_err(|_| fault())?;
            let below: i128 = below.trim().parse().map_err(|_| fault())?;
            // The reduction negates and multiplies: keep clear of the ends of the range.
            let sane = |number: i128| number.unsigned_abs() <= 10u128.pow(30);
            return (below > 0 && sane(above) && sane(below))
                .then(|| Self::new(above, below))
                .flatten()
                .ok_or_else(fault);
        }
        decimal(trimmed).ok_or_else(fault)
    }
}

/// A decimal, with an exponent perhaps, exactly as written.
fn decimal(text: &str) -> Option<Share> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 28 || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i128 = all.parse().ok()?;
    let number = if negative { -number } else { number };
    let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    if places.unsigned_abs() > 28 {
        return None;
    }
    let scale = 10i128.checked_pow(places.unsigned_abs())?;
    if places >= 0 {
        Share::new(number, scale)
    } else {
        number.checked_mul(scale).map(Share::whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Share {
        text.parse().unwrap()
    }

    #[test]
    fn a_decimal_is_read_as_it_is_written() {
        assert_eq!(share("0.1"), Share::new(1, 10).unwrap());
        assert_eq!(share("7/3").to_string(), "7/3");
        assert_eq!(share("2.50").to_string(), "5/2");
        assert_eq!(share("1e-2").to_string(), "1/100");
        assert_eq!(share("-3").to_string(), "-3");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            "a",
            "1/0",
            "1/-2",
            "1//2",
            "0x10",
            "nan",
            "1e99",
            "--1",
            "170141183460469231731687303715884105727",
        ] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn shares_over_a_common_denominator_are_whole() {
        let shares = [share("1/6"), share("3/4"), share("2")];
        assert_eq!(Share::over_common(&shares), Some((vec![2, 9, 24], 12)));
        let fine = [
            Share::new(1, i128::MAX).unwrap(),
            Share::new(1, i128::MAX - 1).unwrap(),
        ];
        assert_eq!(Share::over_common(&fine), None);
    }

    #[test]
    fn a_limit_is_rounded_down_to_whole_rows() {
        assert_eq!(share("0.02").floor_of(30162), 603);
        assert_eq!(share("0.29").floor_of(100), 29); // 0.29 * 100.0 is 28.999999999999996 in floats
        assert_eq!(share("1").floor_of(u64::MAX), u64::MAX);
    }
}
