//! Properties for tests: each says the same of counts, of bounds, and to the oracle.

use num_bigint::BigInt;
use num_traits::Zero;
use scrim::adversary::{BigRational, Property};
use scrim::model::Monotone;
use testkit::Fraction;

/// A property that the oracle understands too.
pub trait Known: Property {
    /// CHK for one id.
    fn check(&self, rows: usize, ratios: &[Fraction]) -> bool;
}

/// Every ratio is below a limit. Without `told` it hides what kind of property it is.
#[derive(Debug)]
pub struct Below {
    pub limit: (u32, u32),
    pub told: bool,
}

impl Property for Below {
    fn passes(&self, counts: &[u32]) -> bool {
        let rows: u32 = counts.iter().sum();
        counts
            .iter()
            .all(|count| count * self.limit.1 < rows * self.limit.0)
    }
    fn believed(&self, _: u64, bounds: &[(BigRational, BigRational)]) -> bool {
        let limit = ratio(self.limit.0, self.limit.1);
        bounds.iter().all(|(_, high)| *high < limit)
    }
    fn monotone(&self) -> Monotone {
        Monotone::Unions
    }
    fn symmetric(&self) -> bool {
        true
    }
    fn least_failing(&self, size: u32) -> Option<u32> {
        self.told
            .then(|| (size * self.limit.0).div_ceil(self.limit.1))
    }
}

impl Known for Below {
    fn check(&self, _: usize, ratios: &[Fraction]) -> bool {
        let limit = Fraction::new(self.limit.0.into(), self.limit.1.into());
        ratios.iter().all(|ratio| *ratio < limit)
    }
}

/// Recursive (2, 3)-diversity: the highest ratio is below twice the sum of all but the two highest.
#[derive(Debug)]
pub struct Recursive;

impl Property for Recursive {
    fn passes(&self, counts: &[u32]) -> bool {
        let mut sorted = counts.to_vec();
        sorted.sort_unstable_by(|one, other| other.cmp(one));
        let tail: u32 = sorted.iter().skip(2).sum();
        sorted[0] < 2 * tail
    }
    fn believed(&self, _: u64, bounds: &[(BigRational, BigRational)]) -> bool {
        let mut highs: Vec<&BigRational> = bounds.iter().map(|(_, high)| high).collect();
        highs.sort_unstable_by(|one, other| other.cmp(one));
        let top: BigRational = highs.iter().take(2).copied().sum();
        let tail = (ratio(1, 1) - top) * BigInt::from(2);
        *highs[0] < tail
    }
    fn monotone(&self) -> Monotone {
        Monotone::Unions
    }
    fn symmetric(&self) -> bool {
        true
    }
}

impl Known for Recursive {
    fn check(&self, _: usize, ratios: &[Fraction]) -> bool {
        let mut sorted = ratios.to_vec();
        sorted.sort_by(|one, other| other.cmp(one));
        let tail: Fraction = sorted.iter().skip(2).copied().sum();
        sorted[0] < tail + tail
    }
}

/// At least so many values are possible.
#[derive(Debug)]
pub struct Distinct(pub usize);

impl Property for Distinct {
    fn passes(&self, counts: &[u32]) -> bool {
        counts.iter().filter(|count| **count > 0).count() >= self.0
    }
    fn believed(&self, _: u64, bounds: &[(BigRational, BigRational)]) -> bool {
        bounds.iter().filter(|(low, _)| !low.is_zero()).count() >= self.0
    }
    fn monotone(&self) -> Monotone {
        Monotone::Supersets
    }
    fn symmetric(&self) -> bool {
        true
    }
}

impl Known for Distinct {
    fn check(&self, _: usize, ratios: &[Fraction]) -> bool {
        ratios
            .iter()
            .filter(|ratio| **ratio > Fraction::ZERO)
            .count()
            >= self.0
    }
}

/// The counts of any two values differ by one row at most. Not monotone.
#[derive(Debug)]
pub struct Even;

impl Property for Even {
    fn passes(&self, counts: &[u32]) -> bool {
        let most = counts.iter().max().copied().unwrap_or(0);
        most <= counts.iter().min().copied().unwrap_or(0) + 1
    }
    fn believed(&self, rows: u64, bounds: &[(BigRational, BigRational)]) -> bool {
        let most = bounds.iter().map(|(_, high)| high).max();
        let least = bounds.iter().map(|(low, _)| low).min();
        let apart = most.zip(least).map(|(most, least)| most - least);
        apart.is_none_or(|apart| apart * BigInt::from(rows) <= ratio(1, 1))
    }
    fn monotone(&self) -> Monotone {
        Monotone::No
    }
    fn symmetric(&self) -> bool {
        true
    }
}

impl Known for Even {
    fn check(&self, rows: usize, ratios: &[Fraction]) -> bool {
        let most = ratios.iter().max().copied().unwrap_or(Fraction::ZERO);
        let least = ratios.iter().min().copied().unwrap_or(Fraction::ZERO);
        (most - least) * Fraction::whole(rows) <= Fraction::ONE
    }
}

/// The first value has at most half of the rows.
#[derive(Debug)]
pub struct FirstAtMostHalf;

impl Property for FirstAtMostHalf {
    fn passes(&self, counts: &[u32]) -> bool {
        2 * counts[0] <= counts.iter().sum()
    }
    fn believed(&self, _: u64, bounds: &[(BigRational, BigRational)]) -> bool {
        bounds[0].1 <= ratio(1, 2)
    }
    fn monotone(&self) -> Monotone {
        Monotone::Unions
    }
    fn symmetric(&self) -> bool {
        false
    }
}

impl Known for FirstAtMostHalf {
    fn check(&self, _: usize, ratios: &[Fraction]) -> bool {
        ratios[0] <= Fraction::new(1, 2)
    }
}

/// All of them.
pub fn all() -> Vec<Box<dyn Known>> {
    let below = |above, below, told| -> Box<dyn Known> {
        Box::new(Below {
            limit: (above, below),
            told,
        })
    };
    vec![
        below(1, 2, true),
        below(2, 3, true),
        below(3, 4, true),
        below(2, 3, false),
        Box::new(Recursive),
        Box::new(Distinct(2)),
        Box::new(Distinct(3)),
        Box::new(Even),
        Box::new(FirstAtMostHalf),
    ]
}

pub fn ratio(above: u32, below: u32) -> BigRational {
    BigRational::new(BigInt::from(above), BigInt::from(below))
}
