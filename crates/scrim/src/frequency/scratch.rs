//! The arrays and tables in which rows are added up by number.
//!
//! Numbers that are few are counted in an array. Many tuples with numbers that are not few are first counted in an array of hashed
//! numbers: a place of that array holds the rows of one class or of several, so rows in places of fewer than so many rows are in
//! classes of fewer. Else tables count them, part by part. Neighbouring numbers have neighbouring places, so that tuples in the order of
//! their keys, in which the attribute that counts most changes last, ask for memory that is at hand; classes come in nearly the
//! same order.
//!
//! **Cost.** An addition a tuple; the array is at most eight times as long as the tuples, or a megabyte.

use super::regroup::Recoder;
use super::{FrequencySet, Index};

/// An array of so many places stays in the cache, however few of them are met.
const SMALL: u64 = 1 << 18;
/// A table of so few tuples stays in the cache.
pub(super) const FEW: usize = 1 << 14;
/// Parts of many tuples.
const PARTS: u64 = 256;
pub(super) const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes the numbers of some tuples, and their rows.
pub(super) type Pass<'a> = &'a mut dyn FnMut(&[u64], &[u64]);

/// A class: its number, and its rows.
pub(super) type Sum = (u64, u32);

/// Memory that is used again.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// So many places an array by number may have.
    pub(super) most: u64,
    /// By number; all nought between two sums.
    counts: Vec<u32>,
    /// The places of `counts` or `table` that are not nought, and what was there before.
    met: Vec<u32>,
    /// By hashed number.
    pub(super) hashed: Vec<u32>,
    /// Tuples by part.
    parted: Vec<Sum>,
    /// Number plus one, nought where a place is free; all are between two sums.
    table: Vec<Sum>,
    /// Classes that are too small.
    pub(super) small: Vec<Sum>,
    /// Capped counts, by number or by hashed number.
    pub(super) bytes: Vec<u8>,
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
            bytes: Vec::new(),
        }
    }

    /// The bytes that counting so many tuples may need, but for the array.
    pub(crate) const A_TUPLE: u64 = 40;

    /// How often so many tuples that are not held must pass by, so that the classes of each time fit; a sketch was made of them.
    pub(super) fn passes(&self, tuples: usize) -> u64 {
        self.sketched_classes(tuples) as u64 / (self.most / 8) + 1
    }

    /// About how many classes a sketch of so many tuples met: so many throws leave about so many places free. Where hardly any is
    /// free that tells nothing, and there may be as many as tuples.
    pub(super) fn sketched_classes(&self, tuples: usize) -> usize {
        let places = self.hashed.len();
        let free = self.hashed.iter().filter(|rows| **rows == 0).count();
        if free < places / 64 {
            return tuples;
        }
        let share = free.max(1) as f64 / places as f64;
        ((-(places as f64) * share.ln()) as usize).min(tuples)
    }
}

impl Recoder<'_> {
    /// Whether an array with a place for every number, of which there may be so many, is worth it for so many tuples.
    fn is_dense(&self, tuples: usize, most: u64) -> bool {
        let worth = (tuples as u64 * 8).clamp(SMALL, most);
        self.numbers().is_some_and(|numbers| numbers <= worth)
    }

    /// Whether hashed numbers are counted first.
    pub(super) fn is_sketched(&self, tuples: usize, most: u64) -> bool {
        tuples > FEW && !self.is_dense(tuples, most)
    }

    /// Visits every class once, with how many surely come, itself among them.
    pub(super) fn sum(
        &self,
        set: &FrequencySet,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, u32, usize),
    ) {
        if !self.is_dense(set.len(), scratch.most) {
            if set.is_held() {
                let pass = |visit: Pass<'_>| self.each_block(set, visit);
                self.sum_parted(set.len(), &pass, scratch, visit);
            } else {
                self.sum_passing(set, scratch, visit);
            }
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
    /// `pass` visits the numbers and rows of all tuples, of which there are so many.
    pub(super) fn sum_parted(
        &self,
        tuples: usize,
        pass: &dyn Fn(Pass<'_>),
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, u32, usize),
    ) {
        let parts = if tuples > FEW { PARTS } else { 1 };
        let last = self.numbers().unwrap_or(1) - 1;
        // All 64 bits where there is one part.
        let fits = |bits: &u32| last.checked_shr(*bits).unwrap_or(0) < parts;
        let shift = (0..64).find(fits).unwrap_or(64);
        let part_of = |number: &u64| number.checked_shr(shift).unwrap_or(0) as usize;
        let mut ends = vec![0usize; parts as usize];
        pass(&mut |numbers, _| {
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
        pass(&mut |numbers, rows| {
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
                table[at].1 = table[at].1.saturating_add(*rows);
            }
            for (met, at) in met[..classes].iter().enumerate() {
                let (number, rows) = std::mem::take(&mut table[*at as usize]);
                visit(number - 1, rows, classes - met);
            }
        }
    }

    /// Tuples that are not held pass by as often as their classes need it, those of one part of the hashed numbers each time.
    fn sum_passing(
        &self,
        set: &FrequencySet,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, u32, usize),
    ) {
        self.sketch(set, scratch);
        let passes = scratch.passes(set.len());
        let part_of = |number: u64| {
            let hashed = u128::from(number.wrapping_mul(ODD));
            ((hashed * u128::from(passes)) >> 64) as u64
        };
        for pass in 0..passes {
            let mut index = Index::<1>::with_room_for(FEW);
            let mut counts: Vec<u32> = Vec::new();
            let (mut own, mut own_rows, mut places) = (Vec::new(), Vec::new(), Vec::new());
            self.each_block(set, |numbers, rows| {
                own.clear();
                own_rows.clear();
                places.clear();
                for (number, rows) in numbers.iter().zip(rows) {
                    if passes == 1 || part_of(*number) == pass {
                        own.push([*number]);
                        own_rows.push(*rows as u32);
                    }
                }
                index.find_or_add_all(&own, &mut places);
                counts.resize(index.keys().len(), 0);
                for (place, rows) in places.iter().zip(&own_rows) {
                    counts[*place as usize] += rows;
                }
            });
            let classes = counts.len();
            for (at, ([number], rows)) in index.keys().iter().zip(counts).enumerate() {
                visit(*number, rows, classes - at);
            }
        }
    }

    /// So many rows at least are in classes of fewer rows than `least`.
    pub(super) fn at_least(&self, set: &FrequencySet, least: u32, scratch: &mut Scratch) -> u64 {
        self.sketch(set, scratch);
        let small = scratch.hashed.iter().filter(|rows| **rows < least);
        small.map(|rows| u64::from(*rows)).sum()
    }

    /// Counts rows by hashed numbers.
    pub(super) fn sketch(&self, set: &FrequencySet, scratch: &mut Scratch) {
        // What may be counted in arrays is also what this one may have.
        let most = scratch.most.ilog2().min(22);
        let bits = set
            .len()
            .next_power_of_two()
            .trailing_zeros()
            .clamp(8, most);
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
pub(super) fn spread(number: u64, bits: u32) -> usize {
    const NEAR: u64 = 1 << 6;
    let far = (number / NEAR).wrapping_mul(ODD) >> (64 - bits);
    (far ^ (number % NEAR)) as usize
}
