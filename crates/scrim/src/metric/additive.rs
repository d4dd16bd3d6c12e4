//! Measures that add up over cells: one sum an attribute, put together at the end.
//!
//! Each cell costs a whole number of units that depends on its attribute, level and generalized value; a suppressed
//! row costs the top's units in every attribute. So a node's sums follow from the margins alone, but for the rows it
//! suppresses, and the sums without suppression bound the cost of every release at that node and above it.
//!
//! Where rows are known to be suppressed, what they cost beyond their cells is added: by their own codes where the level
//! is known, else as if they were the rows whose cells cost most already, because these cost least beyond.

use std::collections::BTreeMap;

use super::{Cost, Marginals, Metric, Sizes, Tally};
use crate::recoding::Node;
use crate::share::Share;

/// The units of each cell, by attribute, level and code, and those of a suppressed cell.
#[derive(Clone, Debug)]
pub struct Units {
    cells: Vec<Vec<Vec<u64>>>,
    tops: Vec<u64>,
    /// The sum over all rows, by attribute and level.
    totals: Vec<Vec<u128>>,
    /// What a suppressed row costs beyond its cell, ascending, and how many rows have such cells; by attribute and level.
    extras: Vec<Vec<Vec<(u64, u64)>>>,
}

impl Units {
    /// The units given by a function of attribute, level and code; the top's value is the suppressed cell's.
    pub fn new(
        marginals: &Marginals<'_>,
        unit: impl Fn(usize, u8, usize) -> u64,
        top: impl Fn(usize) -> u64,
    ) -> Self {
        let mut units = Self {
            cells: Vec::new(),
            tops: Vec::new(),
            totals: Vec::new(),
            extras: Vec::new(),
        };
        for (attribute, ladder) in marginals.ladders().iter().enumerate() {
            let level_units = |level: u8| {
                (0..ladder.width(level))
                    .map(|code| unit(attribute, level, code))
                    .collect::<Vec<u64>>()
            };
            let cells: Vec<Vec<u64>> = (0..=ladder.height()).map(level_units).collect();
            let total = |(level, units): (u8, &Vec<u64>)| {
                let counts = marginals.counts(attribute, level);
                units
                    .iter()
                    .zip(counts)
                    .map(|(unit, count)| u128::from(*unit) * u128::from(*count))
                    .sum()
            };
            let top = top(attribute);
            let extra = |(level, units): (u8, &Vec<u64>)| {
                let counts = marginals.counts(attribute, level);
                let mut rows: BTreeMap<u64, u64> = BTreeMap::new();
                for (unit, count) in units.iter().zip(counts) {
                    *rows.entry(top.saturating_sub(*unit)).or_default() += count;
                }
                rows.into_iter().collect()
            };
            units.totals.push((0..).zip(&cells).map(total).collect());
            units.extras.push((0..).zip(&cells).map(extra).collect());
            units.cells.push(cells);
            units.tops.push(top);
        }
        units
    }

    /// The sum of an attribute at a level when nothing is suppressed.
    pub fn total(&self, attribute: usize, level: u8) -> u128 {
        self.totals[attribute][usize::from(level)]
    }

    /// The sums of a release, by attribute.
    pub fn sums(&self, tally: &Tally) -> Vec<u128> {
        let sum = |(attribute, level): (usize, &u8)| {
            self.total(attribute, *level) + self.beyond(attribute, *level, tally)
        };
        tally.node.levels().iter().enumerate().map(sum).collect()
    }

    /// What the suppressed rows cost beyond their cells in an attribute, at the tally's own level.
    fn beyond(&self, attribute: usize, level: u8, tally: &Tally) -> u128 {
        let cells = &self.cells[attribute][usize::from(level)];
        tally.suppressed_by[attribute]
            .iter()
            .zip(cells)
            .map(|(count, unit)| u128::from(*count) * u128::from(self.tops[attribute] - unit))
            .sum()
    }

    /// What so many suppressed rows, whichever they are, cost beyond their cells at least.
    fn least_beyond(&self, attribute: usize, level: u8, rows: u64) -> u128 {
        let mut left = rows;
        let mut sum = 0;
        for (extra, count) in &self.extras[attribute][usize::from(level)] {
            let taken = left.min(*count);
            sum += u128::from(taken) * u128::from(*extra);
            left -= taken;
            if left == 0 {
                break;
            }
        }
        sum
    }

    /// The least sums of a release between two nodes that suppresses what the upper one does.
    fn sums_between(&self, low: &Node, high: &Tally) -> Vec<u128> {
        let levels = low.levels().iter().zip(high.node.levels());
        let sum = |(attribute, (low, top)): (usize, (&u8, &u8))| {
            let beyond = if high.suppressed == 0 {
                0
            } else if low == top {
                self.beyond(attribute, *low, high)
            } else {
                self.least_beyond(attribute, *low, high.suppressed)
            };
            self.total(attribute, *low) + beyond
        };
        levels.enumerate().map(sum).collect()
    }

    fn floors(&self, node: &Node) -> Vec<u128> {
        node.levels()
            .iter()
            .enumerate()
            .map(|(attribute, level)| self.total(attribute, *level))
            .collect()
    }
}

/// Steps of a float cost.
const QUANTA: f64 = 1_099_511_627_776.0;

/// How the sums of the attributes become one cost. Growing with each sum.
#[derive(Clone, Debug)]
pub enum Combine {
    /// A weighted sum of whole numbers.
    Weighted {
        /// The weights.
        weights: Vec<u128>,
        /// How many of their units make one.
        one: u128,
    },
    /// A weighted sum of floats.
    Float(Vec<f64>),
    /// The geometric mean of 1 + x, where x runs from 0 at `low` to 1 at `high`, with exponents.
    Geometric {
        /// The sum at which nothing is lost, by attribute.
        low: Vec<u128>,
        /// The sum at which all is lost.
        high: Vec<u128>,
        /// The exponents; they add up to 1.
        exponents: Vec<f64>,
    },
}

impl Combine {
    /// A weighted sum, each weight divided by a number: in whole numbers where they and the largest sums fit, else in
    /// floats, always added in the same order.
    pub fn weighted(weights: &[Share], divisors: &[u64], units: &Units, rows: u64) -> Self {
        let pairs = || weights.iter().zip(divisors);
        let part = |(weight, divisor): (&Share, &u64)| {
            weight.checked_mul(Share::new(1, i128::from(*divisor))?)
        };
        let parts = pairs().map(part).collect::<Option<Vec<Share>>>();
        let fits = |(whole, _): &(Vec<u128>, u128)| {
            // Beside the attributes there may be sensitive columns, of which nothing is known but their domain.
            let tops = units.tops.iter().chain(&divisors[units.tops.len()..]);
            let most = whole
                .iter()
                .zip(tops)
                .try_fold(0u128, |sum, (weight, top)| {
                    let high = u128::from(*top).checked_mul(u128::from(rows))?;
                    sum.checked_add(weight.checked_mul(high)?)
                });
            most.is_some()
        };
        let floats = || {
            pairs()
                .map(|(weight, divisor)| weight.to_f64() / *divisor as f64)
                .collect()
        };
        let exact = parts.as_deref().and_then(Self::whole).filter(fits);
        exact.map_or_else(
            || Self::Float(floats()),
            |(weights, one)| Self::Weighted { weights, one },
        )
    }

    /// The weights over their common denominator.
    fn whole(weights: &[Share]) -> Option<(Vec<u128>, u128)> {
        let (whole, one) = Share::over_common(weights)?;
        let whole = whole.into_iter();
        let whole = whole.map(|weight| u128::try_from(weight).ok());
        Some((whole.collect::<Option<_>>()?, u128::try_from(one).ok()?))
    }

    /// A float cost in steps of 2^-40: costs that are equal to about twelve digits are a tie.
    fn quantize(cost: f64) -> Cost {
        Cost((cost.max(0.0) * QUANTA).round() as u128)
    }

    fn apply(&self, sums: &[u128]) -> Cost {
        match self {
            Self::Weighted { weights, .. } => Cost(
                weights
                    .iter()
                    .zip(sums)
                    .map(|(weight, sum)| weight * sum)
                    .sum(),
            ),
            Self::Float(weights) => {
                let sum: f64 = weights
                    .iter()
                    .zip(sums)
                    .map(|(weight, sum)| weight * *sum as f64)
                    .sum();
                // The bits of floats that are not negative are ordered as the floats are.
                Cost(sum.to_bits().into())
            }
            Self::Geometric {
                low,
                high,
                exponents,
            } => Self::quantize(geometric(sums, low, high, exponents)),
        }
    }
}

/// The share of what can be lost: 0 at `low`, 1 at `high`.
pub(super) fn share_lost(sum: u128, low: u128, high: u128) -> f64 {
    if high <= low {
        0.0
    } else {
        sum.saturating_sub(low) as f64 / (high - low) as f64
    }
}

pub(super) fn geometric(sums: &[u128], low: &[u128], high: &[u128], exponents: &[f64]) -> f64 {
    let logs = sums.iter().zip(low).zip(high).zip(exponents);
    logs.map(|(((sum, low), high), exponent)| exponent * (1.0 + share_lost(*sum, *low, *high)).ln())
        .sum::<f64>()
        .exp_m1()
}

/// An additive measure: its units and how they are put together.
#[derive(Clone, Debug)]
pub struct Additive {
    /// The units.
    pub units: Units,
    /// How the sums become one.
    pub combine: Combine,
    /// The domains of sensitive columns that it looks at, after the attributes.
    pub sensitive: Vec<u64>,
    /// How the measure is read from a weighted sum.
    pub reading: Reading,
}

/// The measure of a sum: `zero` where it is nought, `step` more for each one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// At nought.
    pub zero: f64,
    /// Each one adds so much.
    pub step: f64,
}

impl Reading {
    /// The sum itself.
    pub const PLAIN: Self = Self {
        zero: 0.0,
        step: 1.0,
    };

    /// A mean over the rows, by weights.
    pub(super) fn mean(weights: &[Share], rows: u64) -> Self {
        let whole: f64 = weights.iter().map(|weight| weight.to_f64()).sum();
        let most = whole * rows as f64;
        Self {
            zero: 0.0,
            step: if most > 0.0 { most.recip() } else { 0.0 },
        }
    }
}

impl Additive {
    /// A weighted sum over a table of so many rows, each weight divided by a number above zero.
    pub fn weighted(
        units: Units,
        weights: &[Share],
        divisors: &[u64],
        rows: u64,
        reading: Reading,
    ) -> Self {
        let combine = Combine::weighted(weights, divisors, &units, rows);
        let sensitive = divisors[units.tops.len()..].to_vec();
        Self {
            units,
            combine,
            sensitive,
            reading,
        }
    }
}

impl Metric for Additive {
    fn cost(&self, tally: &Tally) -> Cost {
        let mut sums = self.units.sums(tally);
        // Measures that do not look at sensitive values have no weight for them.
        sums.extend(&tally.sensitive_lost);
        self.combine.apply(&sums)
    }

    fn sensitive_domains(&self) -> &[u64] {
        &self.sensitive
    }

    fn floor(&self, node: &Node) -> Cost {
        self.combine.apply(&self.units.floors(node))
    }

    fn floor_counted(&self, tally: &Tally) -> Cost {
        self.floor(&tally.node)
    }

    fn floor_between(&self, low: &Node, _: Sizes, high: &Tally) -> Cost {
        self.combine.apply(&self.units.sums_between(low, high))
    }

    fn value(&self, cost: Cost) -> f64 {
        let sum = match &self.combine {
            Combine::Weighted { one, .. } => cost.0 as f64 / *one as f64,
            Combine::Float(_) => f64::from_bits(u64::try_from(cost.0).unwrap_or(u64::MAX)),
            Combine::Geometric { .. } => cost.0 as f64 / QUANTA,
        };
        self.reading.zero + self.reading.step * sum
    }
}
