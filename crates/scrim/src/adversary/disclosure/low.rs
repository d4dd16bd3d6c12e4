//! Positive numbers that are never rounded up.
//!
//! **Holds because** every operation on positive numbers here cuts off what does not fit into 64 bits, so that a sum of products is a
//! lower bound of the exact one.
//! **Oracle.** The tests beside it, in exact fractions.

/// `mantissa` · 2^`exponent`, the highest bit of the mantissa set unless it is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Low {
    mantissa: u64,
    exponent: i64,
}

/// How many parts one is in [`Low::parts`]: 2^64.
pub(super) const ONE: u128 = 1 << 64;

impl Low {
    pub(super) const ZERO: Self = Self {
        mantissa: 0,
        exponent: 0,
    };

    pub(super) const UNIT: Self = Self {
        mantissa: 1 << 63,
        exponent: -63,
    };

    fn cut(wide: u128, exponent: i64) -> Self {
        if wide == 0 {
            return Self::ZERO;
        }
        let zeros = i64::from(wide.leading_zeros());
        let mantissa = ((wide << zeros) >> 64) as u64;
        Self {
            mantissa,
            exponent: exponent + 64 - zeros,
        }
    }

    pub(super) fn times(self, factor: u64) -> Self {
        Self::cut(
            u128::from(self.mantissa) * u128::from(factor),
            self.exponent,
        )
    }

    /// Divided by a number above zero.
    pub(super) fn over(self, divisor: u64) -> Self {
        let wide = (u128::from(self.mantissa) << 64) / u128::from(divisor.max(1));
        Self::cut(wide, self.exponent - 64)
    }

    pub(super) fn by(self, other: Self) -> Self {
        let wide = u128::from(self.mantissa) * u128::from(other.mantissa);
        Self::cut(wide, self.exponent + other.exponent)
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
        let aligned = (u128::from(small.mantissa) << 63)
            .checked_shr(apart)
            .unwrap_or(0);
        Self::cut(
            (u128::from(large.mantissa) << 63) + aligned,
            large.exponent - 63,
        )
    }

    /// Whether it does not matter beside another number: 2^40 times smaller.
    pub(super) fn is_dust_beside(self, other: Self) -> bool {
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

/// At least this is the chance that of `drawn` rows out of `rows`, `marked` of them marked, exactly `hit` are marked.
pub(super) fn exactly(rows: u32, marked: u32, drawn: u32, hit: u32) -> Low {
    let (rows, marked) = (u64::from(rows), u64::from(marked));
    let (drawn, hit) = (u64::from(drawn), u64::from(hit));
    let plain = rows.saturating_sub(marked);
    if marked > rows || drawn > rows || hit > marked || hit > drawn || drawn - hit > plain {
        return Low::ZERO;
    }
    let mut chance = Low::UNIT;
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

/// At least this is the chance that of `drawn` rows out of `rows`, `marked` of them marked, `hits` or more are marked.
pub(super) fn at_least(rows: u32, marked: u32, drawn: u32, hits: u32) -> Low {
    let plain = rows.saturating_sub(marked);
    let first = hits.max(drawn.saturating_sub(plain));
    if first == drawn.saturating_sub(plain) && hits <= first && marked <= rows && drawn <= rows {
        return Low::UNIT;
    }
    let mut chance = exactly(rows, marked, drawn, first);
    let mut sum = chance;
    for hit in first..marked.min(drawn) {
        // The plain rows that are not drawn: hit + 1 marked ones leave one more.
        let undrawn = u64::from(plain) + u64::from(hit) + 1 - u64::from(drawn);
        chance = chance
            .times(u64::from(marked - hit))
            .times(u64::from(drawn - hit));
        chance = chance.over(u64::from(hit) + 1).over(undrawn);
        if chance.is_dust_beside(sum) {
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
    fn tails_are_just_below_the_exact_ones() {
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
                let exact = (ways << 64_u32) / binomials.of(rows, drawn);
                let parts = BigUint::from(at_least(rows, marked, drawn, hits).parts());
                assert!(parts <= exact, "{rows} {marked} {drawn} {hits}");
                assert!(
                    &exact - &parts <= (exact >> 38_u32) + 2_u32,
                    "{rows} {marked} {drawn} {hits}"
                );
            }
        }
    }
}
