//! Bounds without counting.
//!
//! **Definition.** With ε at least the sum over earlier steps of the share of allowed tables for which the step passes, a row that has
//! a value in t of the allowed tables has it in no more than t / (1 - ε) of the possible ones, and no less than t - ε ([Zhang07], S5
//! of our reading).
//! **Holds because** possible tables are at least 1 - ε of the allowed ones. A step passes only if some of its groups all do; these
//! are taken one after the other. Whatever r rows of a class were dealt before, at least `m_v - r` of a value are left among `n - r`
//! rows, and the chance that a group gets too many of it only grows with what is left. Numbers are rounded so that ε is too large.
//! **Reading.** Only exclusive and naive: under the inclusive strategy a test that is too cautious changes what is known later.
//! **Cost.** The rows of the groups that are looked at, times a few values; limited.

use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;

use super::belief::{Believed, Disclosure, clamped};
use super::chain::Partition;
use super::deal::{Share, deal};
use super::effort::{Found, Method, give_up};
use super::low::{Low, ONE, parts_up};
use super::numbers::fraction;
use super::property::BigRational;
use super::scene::Scene;
use super::tails::tail;
use crate::error::Error;

/// Rows times values that may be looked at for one step.
const MOST_WORK: u64 = 20_000_000;
/// The most frequent values are enough for a bound.
const MOST_VALUES: usize = 8;
/// The largest group that may cross classes.
const MOST_CROSSING: u32 = 256;
/// Moves for all histograms of a small group.
const MOST_MOVES: usize = 4096;

/// The bounds, where there are any.
pub(super) fn certificate(
    scene: &Scene<'_>,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Found<Disclosure> {
    let mut sum = 0_u128;
    for step in &scene.steps {
        tick()?;
        sum += Bound::new(scene, step).passes();
        if sum >= ONE {
            return give_up("earlier steps pass too often for a certificate");
        }
    }
    let error = BigRational::new(BigInt::from(sum), BigInt::from(ONE));
    let left = BigRational::one() - &error;
    let mut first = vec![usize::MAX; scene.classes.len()];
    for (kind, (class, _)) in scene.kinds.iter().enumerate().rev() {
        first[*class as usize] = kind;
    }
    // Classes share most of their counts, and fractions are slow.
    let mut known: FxHashMap<(u32, u32), (BigRational, BigRational)> = FxHashMap::default();
    let beliefs = first
        .iter()
        .zip(&scene.classes)
        .map(|(kind, class)| Believed {
            rows: u64::from(class.size()),
            first_row: scene.kinds[*kind].1,
            bounds: class
                .counts
                .iter()
                .map(|(value, count)| {
                    let bounds = known.entry((*count, class.size())).or_insert_with(|| {
                        let share = fraction(*count, class.size());
                        clamped(&share - &error, share / &left)
                    });
                    (*value, bounds.0.clone(), bounds.1.clone())
                })
                .collect(),
        });
    let of_row = scene.released.of_row.clone();
    Ok(Disclosure::new(
        scene.chain,
        Method::Certificate,
        of_row,
        beliefs.collect(),
    ))
}

/// How often one step passes.
pub(super) struct Bound<'a> {
    scene: &'a Scene<'a>,
    groups: Vec<Vec<(u32, u32)>>,
    /// Rows of each class that were dealt to groups before.
    dealt: Vec<u32>,
    work: u64,
}

impl<'a> Bound<'a> {
    fn new(scene: &'a Scene<'a>, step: &Partition) -> Self {
        Self {
            scene,
            groups: step.pieces(scene.released),
            dealt: vec![0; scene.classes.len()],
            work: MOST_WORK,
        }
    }

    /// The same whatever these rows have: they are dealt before, and groups that have one of them are not looked at.
    pub(super) fn after(scene: &'a Scene<'a>, step: &Partition, rows: &[u32]) -> Self {
        let mut bound = Self::new(scene, step);
        for row in rows {
            bound.groups[step.of_row[*row as usize] as usize].clear();
            bound.dealt[scene.released.of_row[*row as usize] as usize] += 1;
        }
        bound
    }

    /// At most this share of the allowed tables lets the step pass, in parts of 2^64.
    pub(super) fn passes(&mut self) -> u128 {
        let order = self.promising();
        self.work = MOST_WORK;
        let mut passes = ONE;
        for group in order {
            let fails = self.fails(group);
            passes = parts_up(passes, ONE - fails);
            for (class, rows) in &self.groups[group] {
                self.dealt[*class as usize] += rows;
            }
            if passes <= 1 || self.work == 0 {
                break;
            }
        }
        passes
    }

    /// The groups that can fail, those first that fail most often for their rows.
    fn promising(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.retain(|group| !self.groups[*group].is_empty());
        order.sort_by_key(|group| self.size(*group));
        let mut known: FxHashMap<(u32, u32), u128> = FxHashMap::default();
        let mut rated = Vec::new();
        for group in order {
            let same = match self.groups[group].as_slice() {
                [one] => known.get(one).copied(),
                _ => None,
            };
            let fails = same.unwrap_or_else(|| self.fails(group));
            if let [one] = self.groups[group].as_slice() {
                known.insert(*one, fails);
            }
            if fails > 0 {
                rated.push((fails / u128::from(self.size(group)), group));
            }
        }
        rated.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
        rated.into_iter().map(|(_, group)| group).collect()
    }

    fn size(&self, group: usize) -> u32 {
        self.groups[group].iter().map(|(_, rows)| *rows).sum()
    }

    /// At least this often a group fails, whatever was dealt before, in parts of 2^64.
    fn fails(&mut self, group: usize) -> u128 {
        let pieces = self.groups[group].clone();
        let size = self.size(group);
        let mut values: FxHashMap<u32, u64> = FxHashMap::default();
        for (class, _) in &pieces {
            let class = *class as usize;
            for (value, count) in &self.scene.classes[class].counts {
                let left = count.saturating_sub(self.dealt[class]);
                *values.entry(*value).or_default() += u64::from(left);
            }
        }
        let mut values: Vec<(u32, u64)> =
            values.into_iter().filter(|(_, left)| *left > 0).collect();
        values.sort_unstable_by_key(|(value, left)| (std::cmp::Reverse(*left), *value));
        values.truncate(MOST_VALUES);
        let crossing = if pieces.len() > 1 {
            u64::from(size.min(MOST_CROSSING))
        } else {
            1
        };
        let cost = u64::from(size) * values.len() as u64 * crossing;
        let Some(left) = self.work.checked_sub(cost) else {
            self.work = 0;
            return 0;
        };
        self.work = left;
        let failing = self.scene.property.least_failing(size);
        let (mut sum, mut most) = (0_u128, 0_u128);
        for (value, _) in values {
            let failing = failing.or_else(|| self.fails_alone(value, size));
            let fails = failing.map_or(0, |failing| {
                self.holds_many(&pieces, value, failing).parts()
            });
            (sum, most) = (sum + fails, most.max(fails));
        }
        // No more values than these can have that many rows at once.
        let at_once = failing.map_or(1, |failing| size / failing.max(1)).max(1);
        let bound = most.max(sum / u128::from(at_once)).min(ONE);
        let fresh = pieces
            .iter()
            .all(|(class, _)| self.dealt[*class as usize] == 0);
        if failing.is_none() && fresh {
            return bound.max(self.fails_exactly(&pieces).min(ONE));
        }
        bound
    }

    /// The count that fails where all rows have the value: all of them, if that fails.
    fn fails_alone(&self, value: u32, size: u32) -> Option<u32> {
        let mut counts = vec![0; self.scene.chain.values()];
        counts[value as usize] = size;
        (!self.scene.property.passes(&counts)).then_some(size)
    }

    /// How often the group gets at least so many rows of a value.
    fn holds_many(&self, pieces: &[(u32, u32)], value: u32, failing: u32) -> Low {
        let left = |class: u32| {
            let dealt = self.dealt[class as usize];
            let class = &self.scene.classes[class as usize];
            let at = class.counts.binary_search_by_key(&value, |(one, _)| *one);
            let count = at.map_or(0, |at| class.counts[at].1);
            (class.size() - dealt, count.saturating_sub(dealt))
        };
        let crosses = pieces.len() > 1;
        if crosses && pieces.iter().map(|(_, rows)| *rows).sum::<u32>() > MOST_CROSSING {
            return Low::ZERO;
        }
        let draws = pieces.iter().map(|(class, drawn)| {
            let (rows, marked) = left(*class);
            (rows, marked, *drawn)
        });
        tail(&draws.collect::<Vec<_>>(), failing)
    }

    /// How often a small group fails of whose classes nothing was dealt, all its histograms taken one by one.
    fn fails_exactly(&self, pieces: &[(u32, u32)]) -> u128 {
        let shares = pieces.iter().map(|(class, rows)| Share {
            counts: &self.scene.classes[*class as usize].counts,
            rows: *rows,
        });
        let shares: Vec<Share<'_>> = shares.collect();
        let caps: Vec<u32> = shares
            .iter()
            .flat_map(|share| share.counts.iter().map(|(_, count)| *count))
            .collect();
        let mut counts = vec![0; self.scene.chain.values()];
        let mut sum = Low::ZERO;
        let ended = deal(&shares, MOST_MOVES, &mut |taken| {
            taken
                .iter()
                .for_each(|(value, rows)| counts[*value as usize] += rows);
            if !self.scene.property.passes(&counts) {
                let mut ways = Low::UNIT;
                for ((_, rows), cap) in taken.iter().zip(&caps) {
                    for at in 0..*rows {
                        ways = ways.times(u64::from(cap - at)).over(u64::from(at) + 1);
                    }
                }
                sum = sum.plus(ways);
            }
            taken
                .iter()
                .for_each(|(value, _)| counts[*value as usize] = 0);
            true
        });
        for share in &shares {
            let rows: u32 = share.counts.iter().map(|(_, count)| *count).sum();
            for at in 0..share.rows {
                sum = sum.times(u64::from(at) + 1).over(u64::from(rows - at));
            }
        }
        if ended { sum.parts() } else { 0 }
    }
}
