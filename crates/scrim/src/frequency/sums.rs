//! Class sizes of a node above, where nobody asks which tuple became which: counts by number, and nothing else.
//!
//! **Holds because** a number stands for one class ([`Recoder`]), so that rows added up by number are class sizes, in whatever order
//! the numbers are met. Numbers that are few are counted in an array. Many tuples with numbers that are not few are first counted
//! in an array of hashed numbers: a place of that array holds the rows of one class or of several, so rows in places of fewer
//! than `least` rows are in classes of fewer; where these rows alone are too many, the node is known to be hopeless. Else tables
//! count them, part by part. Neighbouring numbers have neighbouring places, so that tuples in the order of their keys, in which the
//! attribute that counts most changes last, ask for memory that is at hand; classes come in nearly the same order.
//! **Cost.** A few look-ups and one addition a tuple; the array is at most eight times as long as the tuples, or a
//! megabyte.
//! **Oracle.** [`FrequencySet::roll_up`], in the tests.

use std::sync::Arc;

use rayon::prelude::*;

use super::FrequencySet;
use super::regroup::Recoder;
use crate::hierarchy::Ladder;
use crate::metric::Sizes;
use crate::recoding::Node;

/// An array of so many places stays in the cache, however few of them are met.
const SMALL: u64 = 1 << 18;
/// A table of so few tuples stays in the cache.
const FEW: usize = 1 << 14;
/// Parts of many tuples.
const PARTS: u64 = 256;
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a node's classes come to where those of too few rows are suppressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SmallClasses {
    /// All classes.
    pub(crate) all: Sizes,
    /// Those that are too small.
    pub(crate) small: Sizes,
    /// The rows of those.
    pub(crate) rows: u64,
    /// The same rows by attribute and code at the node's level.
    pub(crate) by: Vec<Vec<u64>>,
}

/// A class: its number, and its rows.
type Sum = (u64, u32);

/// Memory that is used again.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// So many places an array by number may have.
    most: u64,
    /// By number; all nought between two sums.
    counts: Vec<u32>,
    /// The places of either that are not nought, and what was there before.
    met: Vec<u32>,
    /// By hashed number.
    hashed: Vec<u32>,
    /// Tuples by part.
    parted: Vec<Sum>,
    /// Number plus one, nought where a place is free; all are between two sums.
    table: Vec<Sum>,
    small: Vec<Sum>,
}

impl Scratch {
    /// Nothing yet, and at most about so many bytes beside what a tuple needs.
    pub(crate) fn new(bytes: Option<u64>) -> Self {
        let most = bytes.map_or(u64::MAX, |bytes| bytes / 4);
        Self {
            most: most.clamp(SMALL, u32::MAX.into()),
            counts: Vec::new(),
            met: Vec::new(),
            hashed: Vec::new(),
            parted: Vec::new(),
            table: Vec::new(),
            small: Vec::new(),
        }
    }

    /// The bytes that counting so many tuples may need, but for the array.
    pub(crate) const A_TUPLE: u64 = 40;
}

impl FrequencySet {
    /// What the classes of a node above this one come to, of which those of fewer rows than `least` are suppressed; nothing
    /// where these have more rows than `limit`. The set has `all` rows.
    pub(crate) fn small_classes(
        &self,
        ladders: &[Ladder],
        node: &Node,
        (least, limit): (u64, u64),
        all: u64,
        scratch: &mut Scratch,
    ) -> Option<SmallClasses> {
        if self.node == *node {
            return self.own_small_classes(ladders, (least, limit));
        }
        let recoder = self.recoder(ladders, node);
        let Some(narrow) = u32::try_from(least).ok().filter(|_| recoder.can_sum(all)) else {
            let set = self.roll_up(ladders, node);
            return set.own_small_classes(ladders, (least, limit));
        };
        let mut found = SmallClasses::none(ladders, node);
        let sketched = recoder.is_sketched(self.len(), scratch.most);
        if sketched && recoder.at_least(self, narrow, scratch) > limit {
            return None;
        }
        let mut small = std::mem::take(&mut scratch.small);
        // As no class has more than 32 bits of rows, nor all together, 64 bits hold the squares.
        let (mut classes, mut squares, mut too_small) = (0, 0, 0);
        let mut met = 0;
        recoder.sum(self, scratch, |number, rows, _| {
            classes += 1;
            squares += u64::from(rows) * u64::from(rows);
            if met == small.len() {
                small.resize(met * 2 + 64, (0, 0));
            }
            // Nobody can foretell which are small: each is put down, and the next one over it unless it was.
            small[met] = (number, rows);
            let is_small = u64::from(rows < narrow);
            met += is_small as usize;
            too_small += is_small * u64::from(rows);
        });
        found.all = Sizes {
            classes,
            squares: u128::from(squares),
        };
        let fits = too_small <= limit;
        if fits {
            let small = &small[..met];
            for (_, rows) in small {
                found.small.add(u64::from(*rows));
            }
            found.rows = too_small;
            recoder.digits().add_rows(small, &mut found.by);
            for counts in &mut found.by {
                if let [only] = &mut counts[..] {
                    *only = found.rows;
                }
            }
        }
        scratch.small = small;
        fits.then_some(found)
    }

    /// The same of this node.
    fn own_small_classes(
        &self,
        ladders: &[Ladder],
        (least, limit): (u64, u64),
    ) -> Option<SmallClasses> {
        let mut found = SmallClasses::none(ladders, &self.node);
        let small = self.rows.iter().filter(|rows| **rows < least);
        found.rows = small.sum();
        if found.rows > limit {
            return None;
        }
        found.all = Sizes::of(&self.rows);
        for (class, rows) in self.rows.iter().enumerate() {
            if *rows < least {
                found.small.add(*rows);
                for (attribute, counts) in found.by.iter_mut().enumerate() {
                    counts[self.code(class, attribute) as usize] += *rows;
                }
            }
        }
        Some(found)
    }

    /// The set of a node above this one, which has `all` rows and about so many classes. Its tuples stand in no order that means anything, and it tracks nothing.
    pub(crate) fn summed(
        &self,
        ladders: &[Ladder],
        node: &Node,
        (all, seems): (u64, Option<usize>),
        scratch: &mut Scratch,
    ) -> Self {
        let recoder = self.recoder(ladders, node);
        if !recoder.can_sum(all) {
            let mut set = self.roll_up(ladders, node);
            set.histograms.clear();
            return set;
        }
        let unpacker = recoder.digits().unpacker();
        let room = seems.map_or(0, |classes| classes + classes / 32);
        let mut keys = Vec::with_capacity(room * self.layout.words());
        let mut sizes = Vec::with_capacity(room);
        recoder.sum(self, scratch, |number, rows, come| {
            if sizes.len() == sizes.capacity() {
                keys.reserve(come * self.layout.words());
                sizes.reserve(come);
            }
            unpacker.push(number, &mut keys);
            sizes.push(u64::from(rows));
        });
        Self {
            layout: self.layout.clone(),
            node: node.clone(),
            keys,
            rows: sizes,
            histograms: Vec::new(),
        }
    }

    /// The same tuples in the order of their keys, which tracks nothing.
    pub(crate) fn sorted(&self) -> Self {
        match self.layout.words() {
            1 => self.sorted_by::<1>(),
            2 => self.sorted_by::<2>(),
            4 => self.sorted_by::<4>(),
            _ => self.sorted_by::<8>(),
        }
    }

    fn sorted_by<const W: usize>(&self) -> Self {
        let (keys, _) = self.keys.as_chunks::<W>();
        let mut tuples: Vec<([u64; W], u64)> = keys
            .iter()
            .copied()
            .zip(self.rows.iter().copied())
            .collect();
        tuples.par_sort_unstable_by(|(left, _), (right, _)| {
            left.iter().rev().cmp(right.iter().rev())
        });
        let (keys, rows): (Vec<[u64; W]>, Vec<u64>) = tuples.into_iter().unzip();
        Self {
            layout: Arc::clone(&self.layout),
            node: self.node.clone(),
            keys: keys.into_flattened(),
            rows,
            histograms: Vec::new(),
        }
    }

    /// About how many classes a node above this one has, which has `all` rows; nothing where that is no cheaper than counting them.
    pub(crate) fn seems(
        &self,
        ladders: &[Ladder],
        node: &Node,
        all: u64,
        scratch: &mut Scratch,
    ) -> Option<usize> {
        let recoder = self.recoder(ladders, node);
        if !recoder.can_sum(all) || !recoder.is_sketched(self.len(), scratch.most) {
            return None;
        }
        recoder.sketch(self, scratch);
        let places = scratch.hashed.len() as f64;
        let free = scratch.hashed.iter().filter(|rows| **rows == 0).count();
        // So many throws leave about so many places free.
        Some((-places * (free.max(1) as f64 / places).ln()) as usize)
    }

    fn recoder(&self, ladders: &[Ladder], node: &Node) -> Recoder<'_> {
        let (from, to) = (self.node.levels(), node.levels());
        Recoder::new(&self.layout, ladders, from, to, self.len())
    }
}

impl SmallClasses {
    fn none(ladders: &[Ladder], node: &Node) -> Self {
        let zeros = |(ladder, level): (&Ladder, &u8)| vec![0; ladder.width(*level)];
        let nothing = Sizes::of(&[]);
        Self {
            all: nothing,
            small: nothing,
            rows: 0,
            by: ladders.iter().zip(node.levels()).map(zeros).collect(),
        }
    }
}

impl Recoder<'_> {
    /// Whether classes have numbers, and 32 bits hold the rows of any of them.
    fn can_sum(&self, all: u64) -> bool {
        self.numbers().is_some() && u32::try_from(all).is_ok()
    }

    /// Whether an array with a place for every number, of which there may be so many, is worth it for so many tuples.
    fn is_dense(&self, tuples: usize, most: u64) -> bool {
        let worth = (tuples as u64 * 8).clamp(SMALL, most);
        self.numbers().is_some_and(|numbers| numbers <= worth)
    }

    /// Whether hashed numbers are counted first.
    fn is_sketched(&self, tuples: usize, most: u64) -> bool {
        tuples > FEW && !self.is_dense(tuples, most)
    }

    /// Visits every class once, with how many surely come, itself among them.
    fn sum(
        &self,
        set: &FrequencySet,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, u32, usize),
    ) {
        if !self.is_dense(set.len(), scratch.most) {
            self.sum_parted(set, scratch, visit);
            return;
        }
        let Scratch {
            counts, met, most, ..
        } = scratch;
        let numbers = self.numbers().unwrap_or(0) as usize;
        if counts.len() < numbers {
            // A new and larger one: the system gives noughts, and what is never met is never touched.
            let places = (numbers as u64).next_power_of_two().min(*most);
            *counts = vec![0; numbers.max(places as usize)];
        }
        let counts = &mut counts[..numbers];
        let most = set.len().min(numbers) + 1;
        met.resize(met.len().max(most), 0);
        let mut classes = 0;
        self.each_block(set, |numbers, rows| {
            for (number, rows) in numbers.iter().zip(rows) {
                let count = &mut counts[*number as usize];
                // Nobody can foretell which are new: each is put down, and the next one over it unless it was.
                met[classes] = *number as u32;
                classes += usize::from(*count == 0);
                *count += *rows as u32;
            }
        });
        // Only places that were met are looked at, and are empty for the next one.
        for (at, number) in met[..classes].iter().enumerate() {
            let rows = std::mem::take(&mut counts[*number as usize]);
            visit((*number).into(), rows, classes - at);
        }
    }

    /// Tuples are parted by what counts most in their numbers, so that the table of each part stays in the cache.
    fn sum_parted(
        &self,
        set: &FrequencySet,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, u32, usize),
    ) {
        let tuples = set.len();
        let parts = if tuples > FEW { PARTS } else { 1 };
        let last = self.numbers().unwrap_or(1) - 1;
        // All 64 bits where there is one part.
        let fits = |bits: &u32| last.checked_shr(*bits).unwrap_or(0) < parts;
        let shift = (0..64).find(fits).unwrap_or(64);
        let part_of = |number: &u64| number.checked_shr(shift).unwrap_or(0) as usize;
        let mut ends = vec![0usize; parts as usize];
        self.each_block(set, |numbers, _| {
            for number in numbers {
                ends[part_of(number)] += 1;
            }
        });
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        // Now each is where its part begins, and after this where it ends.
        let Scratch {
            table, met, parted, ..
        } = scratch;
        if parted.len() < tuples {
            *parted = vec![(0, 0); tuples];
        }
        self.each_block(set, |numbers, rows| {
            for (number, rows) in numbers.iter().zip(rows) {
                let at = &mut ends[part_of(number)];
                parted[*at] = (*number, *rows as u32);
                *at += 1;
            }
        });
        let mut start = 0;
        for end in ends {
            let part = &parted[start..end];
            let mut classes = 0;
            met.resize(met.len().max(part.len()), 0);
            start = end;
            let bits = (part.len() * 2).next_power_of_two().trailing_zeros().max(1);
            table.resize(table.len().max(1 << bits), (0, 0));
            let table = &mut table[..1 << bits];
            for (number, rows) in part {
                let mut at = (number.wrapping_mul(ODD) >> (64 - bits)) as usize;
                while table[at].0 != number + 1 {
                    if table[at].0 == 0 {
                        table[at].0 = number + 1;
                        met[classes] = at as u32;
                        classes += 1;
                        break;
                    }
                    at = (at + 1) & (table.len() - 1);
                }
                table[at].1 += *rows;
            }
            for (met, at) in met[..classes].iter().enumerate() {
                let (number, rows) = std::mem::take(&mut table[*at as usize]);
                visit(number - 1, rows, classes - met);
            }
        }
    }

    /// So many rows at least are in classes of fewer rows than `least`.
    fn at_least(&self, set: &FrequencySet, least: u32, scratch: &mut Scratch) -> u64 {
        self.sketch(set, scratch);
        let small = scratch.hashed.iter().filter(|rows| **rows < least);
        small.map(|rows| u64::from(*rows)).sum()
    }

    /// Counts rows by hashed numbers.
    fn sketch(&self, set: &FrequencySet, scratch: &mut Scratch) {
        let bits = set.len().next_power_of_two().trailing_zeros().clamp(8, 22);
        let counts = &mut scratch.hashed;
        counts.clear();
        counts.resize(1 << bits, 0);
        self.each_block(set, |numbers, rows| {
            for (number, rows) in numbers.iter().zip(rows) {
                counts[spread(*number, bits)] += *rows as u32;
            }
        });
    }
}

/// A number hashed to so many bits, eight at least: neighbours stay together.
#[inline]
fn spread(number: u64, bits: u32) -> usize {
    const NEAR: u64 = 1 << 6;
    let far = (number / NEAR).wrapping_mul(ODD) >> (64 - bits);
    (far ^ (number % NEAR)) as usize
}

#[cfg(test)]
mod tests;
