//! Class sizes of a node above, where nobody asks which tuple became which: counts by number, and nothing else.
//!
//! **Holds because** a number stands for one class ([`Recoder`]), so that rows added up by number are class sizes, in whatever order
//! the numbers are met. Numbers that are few are counted in an array. Many tuples with numbers that are not few are first counted
//! in an array of hashed numbers: a place of that array holds the rows of one class or of several, so rows in places of fewer
//! than `least` rows are in classes of fewer; where these rows alone are too many, the node is known to be hopeless. Else the tuples
//! are parted by hash, so that the table of each part stays in the cache.
//! **Cost.** A few look-ups and one addition a tuple; the array is at most eight times as long as the tuples.
//! **Oracle.** [`FrequencySet::roll_up`], in the tests.

use std::cell::RefCell;

use super::FrequencySet;
use super::regroup::Recoder;
use crate::hierarchy::Ladder;
use crate::metric::Sizes;
use crate::recoding::Node;

/// So many tuples fit a table that stays in the cache.
const FEW: usize = 1 << 14;
/// Parts of many tuples.
const PARTS: usize = 256;
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
#[derive(Debug, Default)]
struct Scratch {
    /// By number; all nought between two sums.
    counts: Vec<u32>,
    /// The numbers that are not nought.
    met: Vec<u32>,
    /// By hashed number.
    hashed: Vec<u32>,
    /// Numbers by tuple.
    numbers: Vec<u64>,
    /// Tuples by part.
    parted: Vec<Sum>,
    /// Number plus one, nought where a place is free.
    table: Vec<Sum>,
    small: Vec<Sum>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
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
    ) -> Option<SmallClasses> {
        let recoder = self.recoder(ladders, node);
        let mut found = SmallClasses::none(ladders, node);
        let Some(narrow) = u32::try_from(least).ok().filter(|_| recoder.can_sum(all)) else {
            let set = self.roll_up(ladders, node);
            for (class, rows) in set.rows().iter().enumerate() {
                found.all.add(*rows);
                if *rows < least {
                    let code = |attribute: usize| set.code(class, attribute);
                    found.suppress(*rows, code);
                }
            }
            return (found.rows <= limit).then_some(found);
        };
        SCRATCH.with_borrow_mut(|scratch| {
            let sketched = recoder.is_sketched(self.len());
            if sketched && recoder.at_least(self, narrow, scratch) > limit {
                return None;
            }
            let mut small = std::mem::take(&mut scratch.small);
            small.clear();
            // As no class has more than 32 bits of rows, nor all together, 64 bits hold the squares.
            let (mut classes, mut squares, mut too_small) = (0, 0, 0);
            recoder.sum(self, scratch, |number, rows| {
                classes += 1;
                squares += u64::from(rows) * u64::from(rows);
                if rows < narrow {
                    too_small += u64::from(rows);
                    small.push((number, rows));
                }
            });
            found.all = Sizes {
                classes,
                squares: u128::from(squares),
            };
            let fits = too_small <= limit;
            if fits {
                for (number, rows) in &small {
                    let code = |attribute: usize| recoder.digit(*number, attribute);
                    found.suppress((*rows).into(), code);
                }
            }
            scratch.small = small;
            fits.then_some(found)
        })
    }

    /// The set of a node above this one, which has `all` rows. Its tuples stand in no order that means anything, and it tracks nothing.
    pub(crate) fn summed(&self, ladders: &[Ladder], node: &Node, all: u64) -> Self {
        let recoder = self.recoder(ladders, node);
        if !recoder.can_sum(all) {
            let mut set = self.roll_up(ladders, node);
            set.histograms.clear();
            return set;
        }
        let words = self.layout.words();
        let (mut keys, mut sizes) = (Vec::new(), Vec::new());
        SCRATCH.with_borrow_mut(|scratch| {
            recoder.sum(self, scratch, |number, rows| {
                let at = keys.len();
                keys.resize(at + words, 0);
                recoder.unpack(number, &mut keys[at..]);
                sizes.push(u64::from(rows));
            });
        });
        Self {
            layout: self.layout.clone(),
            node: node.clone(),
            keys,
            rows: sizes,
            histograms: Vec::new(),
        }
    }

    /// About how many classes a node above this one has, which has `all` rows; nothing where that is no cheaper than counting them.
    pub(crate) fn seems(&self, ladders: &[Ladder], node: &Node, all: u64) -> Option<usize> {
        let recoder = self.recoder(ladders, node);
        if !recoder.can_sum(all) || !recoder.is_sketched(self.len()) {
            return None;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            recoder.sketch(self, scratch);
            let places = scratch.hashed.len() as f64;
            let free = scratch.hashed.iter().filter(|rows| **rows == 0).count();
            // So many throws leave about so many places free.
            Some((-places * (free.max(1) as f64 / places).ln()) as usize)
        })
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

    fn suppress(&mut self, rows: u64, code: impl Fn(usize) -> u32) {
        self.small.add(rows);
        self.rows += rows;
        for (attribute, counts) in self.by.iter_mut().enumerate() {
            counts[code(attribute) as usize] += rows;
        }
    }
}

impl Recoder<'_> {
    /// Whether classes have numbers, and 32 bits hold the rows of any of them.
    fn can_sum(&self, all: u64) -> bool {
        self.numbers().is_some() && u32::try_from(all).is_ok()
    }

    /// Whether an array with a place for every number is worth it for so many tuples.
    fn is_dense(&self, tuples: usize) -> bool {
        let most = (tuples as u64 * 8).clamp(256, u64::from(u32::MAX));
        self.numbers().is_some_and(|numbers| numbers <= most)
    }

    /// Whether hashed numbers are counted first.
    fn is_sketched(&self, tuples: usize) -> bool {
        tuples > FEW && !self.is_dense(tuples)
    }

    /// Visits every class once.
    fn sum(&self, set: &FrequencySet, scratch: &mut Scratch, mut visit: impl FnMut(u64, u32)) {
        if !self.is_dense(set.len()) {
            self.sum_parted(set, scratch, visit);
            return;
        }
        let Scratch { counts, met, .. } = scratch;
        let numbers = self.numbers().unwrap_or(0) as usize;
        counts.resize(counts.len().max(numbers), 0);
        let counts = &mut counts[..numbers];
        self.each_block(set, |numbers, rows| {
            for (number, rows) in numbers.iter().zip(rows) {
                let count = &mut counts[*number as usize];
                if *count == 0 {
                    met.push(*number as u32);
                }
                *count += *rows as u32;
            }
        });
        // Only places that were met are looked at, and are empty for the next one.
        for number in met.drain(..) {
            let rows = std::mem::take(&mut counts[number as usize]);
            visit(number.into(), rows);
        }
    }

    fn sum_parted(
        &self,
        set: &FrequencySet,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, u32),
    ) {
        let tuples = set.len();
        let parts = if tuples > FEW { PARTS } else { 1 };
        let part = |number: u64| (number.wrapping_mul(ODD) >> 56) as usize & (parts - 1);
        let mut ends = vec![0usize; parts];
        scratch.numbers.clear();
        self.each_block(set, |numbers, _| {
            numbers.iter().for_each(|number| ends[part(*number)] += 1);
            scratch.numbers.extend_from_slice(numbers);
        });
        let largest = ends.iter().copied().max().unwrap_or(0);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        // Now each is where its part begins, and after this where it ends.
        scratch.parted.resize(tuples, (0, 0));
        for (number, rows) in scratch.numbers.iter().zip(set.rows()) {
            let at = &mut ends[part(*number)];
            scratch.parted[*at] = (*number, *rows as u32);
            *at += 1;
        }
        let places = (largest * 2).next_power_of_two().max(16);
        scratch.table.clear();
        scratch.table.resize(places, (0, 0));
        let mut start = 0;
        for end in ends {
            for (number, rows) in &scratch.parted[start..end] {
                add(&mut scratch.table, *number, *rows);
            }
            start = end;
            for place in &mut scratch.table {
                if place.0 > 0 {
                    visit(place.0 - 1, place.1);
                    *place = (0, 0);
                }
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
        let bits = set.len().next_power_of_two().trailing_zeros().clamp(1, 22);
        let counts = &mut scratch.hashed;
        counts.clear();
        counts.resize(1 << bits, 0);
        self.each_block(set, |numbers, rows| {
            for (number, rows) in numbers.iter().zip(rows) {
                let at = number.wrapping_mul(ODD) >> (64 - bits);
                counts[at as usize] += *rows as u32;
            }
        });
    }
}

/// Adds rows to a number, of which the table holds fewer than it has places.
fn add(table: &mut [Sum], number: u64, rows: u32) {
    let mask = table.len() - 1;
    let mut at = (number.wrapping_mul(ODD) >> 24) as usize & mask;
    loop {
        let place = &mut table[at];
        if place.0 == number + 1 {
            place.1 += rows;
            return;
        }
        if place.0 == 0 {
            *place = (number + 1, rows);
            return;
        }
        at = (at + 1) & mask;
    }
}

#[cfg(test)]
mod tests;
