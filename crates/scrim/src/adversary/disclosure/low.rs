//! Positive numbers that are always rounded to one side.
//!
//! **Holds because** every operation on positive numbers here rounds what does not fit into 64 bits down, or every one rounds it up, so
//! that a sum of products is a lower bound, or an upper bound, of the exact one.
//! **Oracle.** The tests beside it, in exact fractions.

use num_bigint::BigInt;

/// `mantissa` · 2^`exponent`, the highest bit of the mantissa set unless it is zero. Rounded up where `UP` is true, else down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounded<const UP: bool> {
    mantissa: u64,
    exponent: i64,
}

/// A number that is never rounded up.
pub(super) type Low = Rounded<false>;

/// A number that is never rounded down.
pub(super) type High = Rounded<true>;

/// How many parts one is in [`Low::parts`]: 2^64.
pub(super) const ONE: u128 = 1 << 64;

impl<const UP: bool> Rounded<UP> {
    pub(super) const ZERO: Self = Self {
        mantissa: 0,
        exponent: 0,
    };

    pub(super) const UNIT: Self = Self {
        mantissa: 1 << 63,
        exponent: -63,
    };

    /// `wide` · 2^`exponent`, and a little more where something was `lost` of it before.
    fn cut(wide: u128, lost: bool, exponent: i64) -> Self {
        if wide == 0 {
            return Self::ZERO;
        }
        let zeros = i64::from(wide.leading_zeros());
        let shifted = wide << zeros;
        let mantissa = (shifted >> 64) as u64;
        let exponent = exponent + 64 - zeros;
        if !UP || (!lost && shifted as u64 == 0) {
            return Self { mantissa, exponent };
        }
        match mantissa.checked_add(1) {
            Some(mantissa) => Self { mantissa, exponent },
            None => Self {
                mantissa: 1 << 63,
                exponent: exponent + 1,
            },
        }
    }

    pub(super) fn times(self, factor: u64) -> Self {
        let wide = u128::from(self.mantissa) * u128::from(factor);
        Self::cut(wide, false, self.exponent)
    }

    /// Divided by a number above zero.
    pub(super) fn over(self, divisor: u64) -> Self {
        let (wide, divisor) = (u128::from(self.mantissa) << 64, u128::from(divisor.max(1)));
        let lost = !wide.is_multiple_of(divisor);
        Self::cut(wide / divisor, lost, self.exponent - 64)
    }

    pub(super) fn by(self, other: Self) -> Self {
        let wide = u128::from(self.mantissa) * u128::from(other.mantissa);
        Self::cut(wide, false, self.exponent + other.exponent)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        if self.mantissa == 0 {
            return other;
        }
        let (large, small) = if other.mantissa == 0 || self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let apart = u32::try_from(large.exponent - small.exponent).unwrap_or(u32::MAX);
        let whole = u128::from(small.mantissa) << 63;
        let aligned = whole.checked_shr(apart).unwrap_or(0);
        let lost = small.mantissa > 0 && apart > 63 + small.mantissa.trailing_zeros();
        let sum = (u128::from(large.mantissa) << 63) + aligned;
        Self::cut(sum, lost, large.exponent - 63)
    }

    pub(super) fn is_less(self, other: Self) -> bool {
        if self.mantissa == 0 || other.mantissa == 0 {
            return other.mantissa > 0;
        }
        (self.exponent, self.mantissa) < (other.exponent, other.mantissa)
    }

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// Whether it is below 2^`power`.
    pub(super) fn is_below(self, power: i64) -> bool {
        self.mantissa == 0 || self.exponent + 64 <= power
    }

    /// The power of two just above it.
    pub(super) fn power_above(self) -> i64 {
        self.exponent + 64
    }

    /// How many units of 2^-`unit` it has.
    pub(super) fn units(self, unit: i64) -> BigInt {
        let shift = self.exponent + unit;
        if shift >= 0 {
            return BigInt::from(self.mantissa) << shift.unsigned_abs();
        }
        let down = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
        let whole = self.mantissa.checked_shr(down).unwrap_or(0);
        let lost = self.mantissa > 0 && down > self.mantissa.trailing_zeros();
        BigInt::from(u128::from(whole) + u128::from(UP && lost))
    }
}

impl Low {
    /// Whether it does not matter beside another number: 2^40 times smaller.
    fn is_dust_beside(self, other: Self) -> bool {
        self.mantissa == 0 || (other.mantissa > 0 && self.exponent + 40 < other.exponent)
    }

    /// How many of the 2^64 parts of one it has, for numbers up to one.
    pub(super) fn parts(self) -> u128 {
        let shift = self.exponent + 64;
        match u32::try_from(shift) {
            Ok(up) => u128::from(self.mantissa)
                .checked_shl(up)
                .unwrap_or(ONE)
                .min(ONE),
            Err(_) => u128::from(self.mantissa)
                .checked_shr(shift.unsigned_abs() as u32)
                .unwrap_or(0),
        }
    }
}

/// The product of two numbers of parts up to one, rounded up.
pub(super) fn parts_up(one: u128, other: u128) -> u128 {
    match (one >= ONE, other >= ONE) {
        (true, _) => other.min(ONE),
        (_, true) => one,
        _ => (one * other).div_ceil(ONE),
    }
}

/// The chance that of `drawn` rows out of `rows`, `marked` of them marked, exactly `hit` are marked.
pub(super) fn exactly<const UP: bool>(rows: u32, marked: u32, drawn: u32, hit: u32) -> Rounded<UP> {
    let (rows, marked) = (u64::from(rows), u64::from(marked));
    let (drawn, hit) = (u64::from(drawn), u64::from(hit));
    let plain = rows.saturating_sub(marked);
    if marked > rows || drawn > rows || hit > marked || hit > drawn || drawn - hit > plain {
        return Rounded::ZERO;
    }
    let mut chance = Rounded::UNIT;
    for at in 0..hit {
        chance = chance
            .times(drawn - at)
            .over(at + 1)
            .times(marked - at)
            .over(rows - at);
    }
    for at in 0..drawn - hit {
        chance = chance.times(plain - at).over(rows - hit - at);
    }
    chance
}

/// The chance that of `drawn` rows out of `rows`, `marked` of them marked, `hits` or more are marked.
pub(super) fn at_least<const UP: bool>(
    rows: u32,
    marked: u32,
    drawn: u32,
    hits: u32,
) -> Rounded<UP> {
    let plain = rows.saturating_sub(marked);
    let first = hits.max(drawn.saturating_sub(plain));
    if first == drawn.saturating_sub(plain) && hits <= first && marked <= rows && drawn <= rows {
        return Rounded::UNIT;
    }
    let mut chance = exactly::<UP>(rows, marked, drawn, first);
    let mut sum = chance;
    for hit in first..marked.min(drawn) {
        // The plain rows that are not drawn: hit + 1 marked ones leave one more.
        let undrawn = u64::from(plain) + u64::from(hit) + 1 - u64::from(drawn);
        chance = chance
            .times(u64::from(marked - hit))
            .times(u64::from(drawn - hit));
        chance = chance.over(u64::from(hit) + 1).over(undrawn);
        let dust = Low {
            mantissa: chance.mantissa,
            exponent: chance.exponent,
        };
        let beside = Low {
            mantissa: sum.mantissa,
            exponent: sum.exponent,
        };
        // What is left out makes a sum smaller, never larger.
        if !UP && dust.is_dust_beside(beside) {
            break;
        }
        sum = sum.plus(chance);
    }
    sum
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use num_traits::Zero;

    use super::*;
    use crate::adversary::disclosure::numbers::Binomials;

    #[test]
    fn tails_are_just_below_and_just_above_the_exact_ones() {
        let mut binomials = Binomials::default();
        for (rows, marked, drawn) in [
            (10, 4, 3),
            (30, 10, 9),
            (200, 50, 60),
            (12, 12, 5),
            (9, 0, 4),
            (40, 30, 20),
        ] {
            for hits in 0..=drawn {
                let mut ways = BigUint::zero();
                for hit in hits..=drawn.min(marked) {
                    if drawn - hit <= rows - marked {
                        let plain = binomials.of(rows - marked, drawn - hit).clone();
                        ways += plain * binomials.of(marked, hit);
                    }
                }
                let exact = (&ways << 64_u32) / binomials.of(rows, drawn);
                let parts = BigUint::from(at_least::<false>(rows, marked, drawn, hits).parts());
                assert!(parts <= exact, "{rows} {marked} {drawn} {hits}");
                assert!(
                    &exact - &parts <= (exact >> 38_u32) + 2_u32,
                    "{rows} {marked} {drawn} {hits}"
                );
                // Cross-multiplied, in units far below what a number is rounded to.
                let all = BigInt::from(binomials.of(rows, drawn).clone());
                let exact = BigInt::from(ways) << 400_u32;
                let low = at_least::<false>(rows, marked, drawn, hits).units(400) * &all;
                let high = at_least::<true>(rows, marked, drawn, hits).units(400) * &all;
                assert!(
                    low <= exact && exact <= high,
                    "{rows} {marked} {drawn} {hits}"
                );
                assert!(high - &low <= (low >> 38_u32) + &all);
            }
        }
    }

    #[test]
    fn what_is_lost_rounds_to_the_side() {
        let third = |up: bool| {
            if up {
                High::UNIT.over(3).units(500)
            } else {
                Low::UNIT.over(3).units(500)
            }
        };
        let one = BigInt::from(1) << 500_u32;
        assert!(third(false) * 3 < one && third(true) * 3 > one);
        let tiny = High::UNIT.over(1 << 62).by(High::UNIT.over(1 << 62));
        assert!(High::UNIT.plus(tiny).units(200) > BigInt::from(1) << 200_u32);
        assert_eq!(
            Low::UNIT.over(1 << 62).by(Low::UNIT.over(1 << 62)).units(3),
            BigInt::ZERO
        );
        assert_eq!(tiny.units(3), BigInt::from(1));
        assert_eq!(High::ZERO.plus(High::UNIT).units(3), BigInt::from(8));
    }
}
