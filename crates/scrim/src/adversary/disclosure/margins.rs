//! How far a share that was seen may lie from what it estimates.
//!
//! **Definition.** Of N independent draws from 0 to 1 with mean x and sample variance V, all estimates of a decision lie within their
//! margins at once with the asked confidence. The margin is the smaller of Hoeffding's, √(L / 2N), and that of the empirical Bernstein
//! inequality, √(2 V L / N) + 7 L / 3(N - 1) (Maurer and Pontil, 2009, Theorem 4).
//! **Holds because** each inequality fails on each side with a chance of at most 2 e^-L, and L = ln(8 · estimates · stages / (1 -
//! confidence)) shares the doubt among both inequalities, both sides, all estimates and all stages. Numbers are rounded up.

use num_bigint::{BigInt, BigUint};

use super::effort::Effort;
use super::numbers::fraction;
use super::property::BigRational;

/// The margins of one decision.
pub(super) struct Margins {
    /// At least L.
    logarithm: BigRational,
}

/// What was seen of one share: in how many draws, the sum of whole numbers, the sum of their squares, and what is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) draws: u64,
    pub(super) sum: u64,
    pub(super) squares: u128,
    pub(super) unit: u64,
}

impl Margins {
    /// For so many estimates in each of so many stages; nothing where the confidence does not lie between 0 and 1.
    pub(super) fn new(effort: &Effort, estimates: usize, stages: usize) -> Option<Self> {
        let (above, below) = (
            effort.confidence.numerator(),
            effort.confidence.denominator(),
        );
        let doubt = u128::try_from(below.checked_sub(above)?)
            .ok()
            .filter(|doubt| *doubt > 0)?;
        if above <= 0 {
            return None;
        }
        let times =
            BigUint::from(8 * estimates.max(1)) * BigUint::from(stages) * below.unsigned_abs();
        let odds = times / doubt + 1_u32;
        // odds^64 has fewer than 2^bits, and ln 2 < 0.693147180559946.
        let bits = odds.pow(64).bits();
        let natural = BigRational::new(
            BigInt::from(693_147_180_559_946_u64),
            BigInt::from(10_u64.pow(15)),
        );
        Some(Self {
            logarithm: BigRational::new(BigInt::from(bits), BigInt::from(64)) * natural,
        })
    }

    /// How far the share that was seen may be off, if so many draws had been like these.
    pub(super) fn of(&self, seen: Seen, draws: u64) -> BigRational {
        let draws = BigInt::from(draws.max(2));
        let hoeffding = root(&(&self.logarithm / (&draws * 2)));
        if seen.draws < 2 {
            return hoeffding;
        }
        let many = BigInt::from(seen.draws);
        let spread = &many * seen.squares - BigInt::from(seen.sum).pow(2);
        let whole = &many * (&many - 1) * BigInt::from(seen.unit).pow(2);
        let variance = BigRational::new(spread, whole);
        let bernstein = root(&(variance * &self.logarithm * BigInt::from(2) / &draws))
            + &self.logarithm * BigInt::from(7) / ((draws - 1) * 3);
        hoeffding.min(bernstein)
    }

    /// The share and how far it may be off.
    pub(super) fn around(&self, seen: Seen, draws: u64) -> (BigRational, BigRational) {
        let margin = self.of(seen, draws);
        let all = BigUint::from(seen.draws.max(1)) * seen.unit;
        let share = fraction(seen.sum, all);
        (&share - &margin, share + margin)
    }
}

/// At least the square root.
fn root(square: &BigRational) -> BigRational {
    let square = square * (BigInt::from(1) << 64_u32);
    let root = (square.to_integer() + 1_u32).magnitude().sqrt() + 1_u32;
    fraction(root, BigUint::from(1_u64 << 32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::Share;

    #[test]
    fn margins_are_those_of_the_inequalities() {
        let effort = Effort {
            confidence: Share::new(999, 1000).unwrap_or(Share::ZERO),
            ..Effort::default()
        };
        let margins = Margins::new(&effort, 10, 5).unwrap();
        let near = |margin: BigRational, expected: f64| {
            let margin = crate::model::belief_f64(&margin);
            assert!(
                margin >= expected && margin < expected * 1.01,
                "{margin} {expected}"
            );
        };
        // L = ln(400000).
        let logarithm = 400_000_f64.ln();
        let half = Seen {
            draws: 10_000,
            sum: 5_000,
            squares: 5_000,
            unit: 1,
        };
        near(margins.of(half, half.draws), (logarithm / 20_000.0).sqrt());
        // Four rows of which always one to three have the value: a variance of 1/32.
        let even = Seen {
            draws: 10_000,
            sum: 20_000,
            squares: 2_500 + 5_000 * 4 + 2_500 * 9,
            unit: 4,
        };
        let variance = 10_000.0 / 9_999.0 / 32.0;
        let bernstein =
            (2.0 * variance * logarithm / 10_000.0).sqrt() + 7.0 * logarithm / (3.0 * 9_999.0);
        near(margins.of(even, even.draws), bernstein);
        assert!(
            Margins::new(
                &Effort {
                    confidence: Share::ONE,
                    ..effort
                },
                1,
                1
            )
            .is_none()
        );
    }
}
