//! Numbers the tuples of a node by those of a node above it.
//!
//! The number of a target tuple is a sum of one look-up a group of neighbouring fields: codes in mixed radix, in which an
//! attribute with one code only counts nothing. Where these numbers are few, a plain array tells the tuple of each;
//! else a hash index does. A key is recoded at most once a target, not once a source. Targets are numbered by first occurrence
//! either way.

use std::cell::RefCell;

use super::FrequencySet;
use super::digits::Digits;
use super::group::{EVEN, Group, Key, MOST_BITS, each_narrow, each_tuple};
use super::keys::{Index, Layout};
use crate::hierarchy::{Ladder, Level};

/// The look-ups of a roll-up.
#[derive(Debug)]
pub(super) struct Recoder<'a> {
    layout: &'a Layout,
    climbs: Vec<Option<Vec<u32>>>,
    groups: Vec<Group>,
    /// How many numbers there are; nothing where 64 bits do not hold them.
    numbers: Option<u64>,
    digits: Digits<'a>,
}

/// The tuples of the node above: their rows, and the first tuple that becomes each.
#[derive(Debug, Default)]
pub(super) struct Regrouped {
    pub(super) rows: Vec<u64>,
    pub(super) firsts: Vec<u32>,
    /// The target of each source, where it is wanted.
    pub(super) targets: Vec<u32>,
}

/// Keys that are numbered at once.
const BLOCK: usize = 512;

thread_local! {
    /// The tuple of each number plus one; all nought between two roll-ups.
    static KNOWN: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

impl<'a> Recoder<'a> {
    /// From the levels of a set of so many tuples to those above.
    pub(super) fn new(
        layout: &'a Layout,
        ladders: &[Ladder],
        from: &[Level],
        to: &[Level],
        tuples: usize,
    ) -> Self {
        let climbs: Vec<Option<Vec<u32>>> = ladders
            .iter()
            .zip(from.iter().zip(to))
            .map(|(ladder, (from, to))| (from != to).then(|| ladder.climb(*from, *to)))
            .collect();
        let mut recoder = Self {
            layout,
            climbs,
            groups: Vec::new(),
            numbers: Some(1),
            digits: Digits::none(layout),
        };
        // A table costs an entry each: it must be small beside the tuples that look into it.
        let bits = (tuples / 8).checked_ilog2().unwrap_or(0).min(MOST_BITS);
        for (attribute, (ladder, level)) in ladders.iter().zip(to).enumerate() {
            let width = ladder.width(*level) as u64;
            if width <= 1 {
                continue;
            }
            let Some(stride) = recoder.numbers else { break };
            recoder.digits.add(attribute, width);
            recoder.numbers = stride.checked_mul(width);
            let codes = ladder.width(from[attribute]);
            let value = |code: usize| {
                let climb = recoder.climbs[attribute].as_ref();
                stride.wrapping_mul(climb.map_or(code as u64, |climb| climb[code].into()))
            };
            let values: Vec<u64> = (0..codes).map(value).collect();
            let field = layout.field(attribute);
            let joined = recoder
                .groups
                .last_mut()
                .is_some_and(|group| group.join(field, &values, bits));
            if !joined {
                recoder.groups.push(Group::new(field, &values));
            }
        }
        recoder
    }

    /// How many numbers there are; nothing where 64 bits do not hold them.
    pub(super) fn numbers(&self) -> Option<u64> {
        self.numbers
    }

    /// What the numbers are made of.
    pub(super) fn digits(&self) -> &Digits<'_> {
        &self.digits
    }

    /// The numbers of the tuples of a set, with their rows, a block after the other.
    pub(super) fn each_block(&self, set: &FrequencySet, mut visit: impl FnMut(&[u64], &[u64])) {
        match &set.elsewhere {
            None => self.each_block_in(&set.keys, &set.rows, visit),
            Some(elsewhere) => elsewhere.each_block(|block| {
                self.each_block_in(block.keys, block.rows, &mut visit);
            }),
        }
    }

    pub(super) fn each_block_in(
        &self,
        keys: &[u64],
        rows: &[u64],
        visit: impl FnMut(&[u64], &[u64]),
    ) {
        match self.layout.words() {
            1 => self.each_block_of::<1>(keys, rows, visit),
            2 => self.each_block_of::<2>(keys, rows, visit),
            4 => self.each_block_of::<4>(keys, rows, visit),
            _ => self.each_block_of::<8>(keys, rows, visit),
        }
    }

    fn each_block_of<const W: usize>(
        &self,
        keys: &[u64],
        rows: &[u64],
        mut visit: impl FnMut(&[u64], &[u64]),
    ) {
        let (keys, _) = keys.as_chunks::<W>();
        let mut numbers = [0; BLOCK];
        for (keys, rows) in keys.chunks(BLOCK).zip(rows.chunks(BLOCK)) {
            let numbers = &mut numbers[..keys.len()];
            // Group by group: each pass has one table at hand.
            match self.groups.split_first() {
                None => numbers.fill(0),
                Some((first, others)) => {
                    first.add::<W, true>(keys, numbers);
                    for group in others {
                        group.add::<W, false>(keys, numbers);
                    }
                }
            }
            visit(numbers, rows);
        }
    }

    /// Visits the number and the rows of each tuple of a word of 32 bits. Tables of one length, which many tuples are worth, need no
    /// question whether a place is in them.
    pub(super) fn each_narrow(&self, keys: &[u32], rows: &[u8], visit: impl FnMut(u64, u8)) {
        const MANY: usize = 1 << 15;
        let fits = self
            .numbers
            .is_some_and(|numbers| u32::try_from(numbers).is_ok());
        let fits = fits && self.groups.iter().all(|group| group.table.len() <= EVEN);
        if !fits || keys.len() < MANY {
            return self.each_tuple(keys, rows, visit);
        }
        match &self.groups[..] {
            [a] => each_narrow([a].map(Group::even), keys, rows, visit),
            [a, b] => each_narrow([a, b].map(Group::even), keys, rows, visit),
            [a, b, c] => each_narrow([a, b, c].map(Group::even), keys, rows, visit),
            [a, b, c, d] => each_narrow([a, b, c, d].map(Group::even), keys, rows, visit),
            _ => self.each_tuple(keys, rows, visit),
        }
    }

    /// Visits the number and the rows of each tuple.
    pub(super) fn each_tuple<K: Key>(&self, keys: &[K], rows: &[u8], visit: impl FnMut(u64, u8)) {
        // So many groups are looked up without a store between them; more are rare.
        match &self.groups[..] {
            [] => each_tuple(&[], keys, rows, visit),
            [a] => each_tuple(&[a], keys, rows, visit),
            [a, b] => each_tuple(&[a, b], keys, rows, visit),
            [a, b, c] => each_tuple(&[a, b, c], keys, rows, visit),
            [a, b, c, d] => each_tuple(&[a, b, c, d], keys, rows, visit),
            groups => {
                let mut visit = visit;
                for (key, rows) in keys.iter().zip(rows) {
                    visit(groups.iter().map(|group| group.of(key)).sum(), *rows);
                }
            }
        }
    }

    /// The keys of some tuples at the node above.
    pub(super) fn recode(&self, keys: &[u64], tuples: &[u32]) -> Vec<u64> {
        match self.layout.words() {
            1 => self.keys::<1>(keys, tuples),
            2 => self.keys::<2>(keys, tuples),
            4 => self.keys::<4>(keys, tuples),
            _ => self.keys::<8>(keys, tuples),
        }
    }

    fn keys<const W: usize>(&self, keys: &[u64], tuples: &[u32]) -> Vec<u64> {
        let (keys, _) = keys.as_chunks::<W>();
        let recoded = tuples
            .iter()
            .map(|tuple| self.layout.recode(&keys[*tuple as usize], &self.climbs));
        recoded.collect::<Vec<[u64; W]>>().into_flattened()
    }

    /// Adds up the rows of tuples that become one.
    pub(super) fn regroup<const MAPPED: bool>(&self, keys: &[u64], rows: &[u64]) -> Regrouped {
        match self.layout.words() {
            1 => self.run::<1, MAPPED>(keys, rows),
            2 => self.run::<2, MAPPED>(keys, rows),
            4 => self.run::<4, MAPPED>(keys, rows),
            _ => self.run::<8, MAPPED>(keys, rows),
        }
    }

    fn run<const W: usize, const MAPPED: bool>(&self, keys: &[u64], rows: &[u64]) -> Regrouped {
        match self.numbers {
            Some(numbers) if numbers <= most_dense(rows.len()) => KNOWN.with_borrow_mut(|known| {
                if known.len() < numbers as usize {
                    known.resize(numbers as usize, 0);
                }
                let mut next = 1;
                let made = self.numbered::<W, MAPPED>(keys, rows, |numbers, targets| {
                    targets.extend(numbers.iter().map(|number| {
                        let slot = &mut known[*number as usize];
                        if *slot == 0 {
                            *slot = next;
                            next += 1;
                        }
                        *slot - 1
                    }));
                });
                // The next one finds it empty.
                let (keys, _) = keys.as_chunks::<W>();
                for first in &made.firsts {
                    known[self.number(&keys[*first as usize]) as usize] = 0;
                }
                made
            }),
            Some(_) => {
                let mut index = Index::<1>::with_room_for((rows.len() / 4).max(16));
                self.numbered::<W, MAPPED>(keys, rows, |numbers, targets| {
                    index.find_or_add_all(numbers.as_chunks().0, targets);
                })
            }
            None => {
                let (keys, _) = keys.as_chunks::<W>();
                let mut index = Index::<W>::with_room_for((keys.len() / 4).max(16));
                let mut made = Regrouped::default();
                for (at, (key, count)) in (0..).zip(keys.iter().zip(rows)) {
                    let target = index.find_or_add(self.layout.recode(key, &self.climbs));
                    made.add::<MAPPED>(target, at, *count);
                }
                made
            }
        }
    }

    /// `place` puts the targets of numbers, by first occurrence, behind others.
    fn numbered<const W: usize, const MAPPED: bool>(
        &self,
        keys: &[u64],
        rows: &[u64],
        mut place: impl FnMut(&[u64], &mut Vec<u32>),
    ) -> Regrouped {
        let mut made = Regrouped::default();
        let mut targets = Vec::with_capacity(BLOCK);
        let mut at = 0;
        self.each_block_of::<W>(keys, rows, |numbers, rows| {
            targets.clear();
            place(numbers, &mut targets);
            for (target, count) in targets.iter().zip(rows) {
                made.add::<MAPPED>(*target, at, *count);
                at += 1;
            }
        });
        made
    }

    fn number<const W: usize>(&self, key: &[u64; W]) -> u64 {
        let mut number = [0];
        for group in &self.groups {
            group.add::<W, false>(std::slice::from_ref(key), &mut number);
        }
        number[0]
    }
}

impl Regrouped {
    #[inline]
    fn add<const MAPPED: bool>(&mut self, target: u32, source: u32, count: u64) {
        if let Some(rows) = self.rows.get_mut(target as usize) {
            *rows += count;
        } else {
            self.rows.push(count);
            self.firsts.push(source);
        }
        if MAPPED {
            self.targets.push(target);
        }
    }
}

/// An array of so many entries is cheaper than a hash index over so many tuples.
fn most_dense(tuples: usize) -> u64 {
    (tuples as u64 * 8).max(1 << 18)
}
