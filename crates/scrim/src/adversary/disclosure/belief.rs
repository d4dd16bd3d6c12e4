//! What an onlooker believes.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::chain::Chain;
use super::effort::Method;
use super::property::{BigRational, Property};

/// What is believed of the rows that nobody can tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Believed {
    /// The rows of their class in the release.
    pub rows: u64,
    /// The first of these rows.
    pub first_row: u32,
    /// The share of possible tables in which such a row has the value: (value, low, high), by value. Values that are not listed are
    /// impossible.
    pub bounds: Vec<(u32, BigRational, BigRational)>,
}

/// The strongest belief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highest {
    /// The first row of which it is held.
    pub row: u32,
    /// The value's number.
    pub value: u32,
    /// The share of possible tables is at least this.
    pub low: BigRational,
    /// And at most this.
    pub high: BigRational,
}

/// Random tables that were drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// At all.
    pub drawn: u64,
    /// Those that the algorithm would have taken to the released step.
    pub accepted: u64,
}

/// What an onlooker believes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// How it was found.
    pub method: Method,
    /// How many tables are possible, where they were counted.
    pub size: Option<BigUint>,
    /// The random tables, where such were drawn.
    pub draws: Option<Draws>,
    values: usize,
    of_row: Vec<u32>,
    beliefs: Vec<Believed>,
}

impl Disclosure {
    pub(super) fn new(
        chain: &Chain,
        method: Method,
        of_row: Vec<u32>,
        beliefs: Vec<Believed>,
    ) -> Self {
        Self {
            method,
            size: None,
            draws: None,
            values: chain.values(),
            of_row,
            beliefs,
        }
    }

    pub(super) fn sized(mut self, size: BigUint) -> Self {
        self.size = Some(size);
        self
    }

    /// Whether the property holds for everything that is believed. Under bounds a yes is sound, a no may be caution.
    pub fn holds(&self, property: &dyn Property) -> bool {
        let nothing = (BigRational::zero(), BigRational::zero());
        let mut dense = vec![nothing.clone(); self.values];
        self.beliefs.iter().all(|belief| {
            for (value, low, high) in &belief.bounds {
                dense[*value as usize] = (low.clone(), high.clone());
            }
            let held = property.believed(belief.rows, &dense);
            for (value, _, _) in &belief.bounds {
                dense[*value as usize] = nothing.clone();
            }
            held
        })
    }

    /// The strongest belief: the highest upper bound, then the highest lower one, then the first row, then the first value.
    pub fn max(&self) -> Option<Highest> {
        let mut best: Option<Highest> = None;
        for belief in &self.beliefs {
            for (value, low, high) in &belief.bounds {
                let stands = best.as_ref().is_some_and(|best| {
                    let own = (high, low);
                    let order = own.cmp(&(&best.high, &best.low));
                    let first = (best.row, best.value) <= (belief.first_row, *value);
                    order.is_lt() || (order.is_eq() && first)
                });
                if !stands {
                    best = Some(Highest {
                        row: belief.first_row,
                        value: *value,
                        low: low.clone(),
                        high: high.clone(),
                    });
                }
            }
        }
        best
    }

    /// What is believed of a row.
    pub fn belief_of_row(&self, row: usize) -> Option<&Believed> {
        self.beliefs.get(*self.of_row.get(row)? as usize)
    }

    /// All beliefs.
    pub fn beliefs(&self) -> &[Believed] {
        &self.beliefs
    }

    /// Which of the beliefs is held of each row.
    pub fn of_row(&self) -> &[u32] {
        &self.of_row
    }
}

/// The belief (low, high) that lies within a margin of a share, and within 0 and 1.
pub(super) fn clamped(low: BigRational, high: BigRational) -> (BigRational, BigRational) {
    (low.max(BigRational::zero()), high.min(BigRational::one()))
}
