//! Numbers the tuples of a node by those of a node above it.
//!
//! The number of a target tuple is a sum of one look-up a group of neighbouring fields: codes in mixed radix, in which an
//! attribute with one code only counts nothing. Where these numbers are few, a plain array tells the tuple of each;
//! else a hash index does. A key is recoded at most once a target, not once a source. Targets are numbered by first occurrence
//! either way.

use std::cell::RefCell;

use super::FrequencySet;
use super::digits::Digits;
use super::keys::{Field, Index, Layout};
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

/// Neighbouring fields that are looked up at once.
#[derive(Debug)]
struct Group {
    word: usize,
    shift: u32,
    bits: u32,
    table: Vec<u64>,
}

/// The tuples of the node above: their rows, and the first tuple that becomes each.
#[derive(Debug, Default)]
pub(super) struct Regrouped {
    pub(super) rows: Vec<u64>,
    pub(super) firsts: Vec<u32>,
    /// The target of each source, where it is wanted.
    pub(super) targets: Vec<u32>,
}

/// A group of fields has at most so many bits: the tables of all groups together stay in the first cache.
const MOST_BITS: u32 = 10;

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
            Some(elsewhere) => elsewhere.each_block(|keys, rows| {
                self.each_block_in(keys, rows, &mut visit);
            }),
        }
    }

    fn each_block_in(&self, keys: &[u64], rows: &[u64], visit: impl FnMut(&[u64], &[u64])) {
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
    pub(super) fn keys<const W: usize>(&self, keys: &[u64], tuples: &[u32]) -> Vec<u64> {
        let (keys, _) = keys.as_chunks::<W>();
        let recoded = tuples
            .iter()
            .map(|tuple| self.layout.recode(&keys[*tuple as usize], &self.climbs));
        recoded.collect::<Vec<[u64; W]>>().into_flattened()
    }

    /// Adds up the rows of tuples that become one.
    pub(super) fn run<const W: usize, const MAPPED: bool>(
        &self,
        keys: &[u64],
        rows: &[u64],
    ) -> Regrouped {
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

/// A packed tuple.
pub(super) trait Key: Copy {
    /// One of its words.
    fn word(&self, word: usize) -> u64;
}

impl Key for u32 {
    #[inline]
    fn word(&self, _: usize) -> u64 {
        (*self).into()
    }
}

impl<const W: usize> Key for [u64; W] {
    #[inline]
    fn word(&self, word: usize) -> u64 {
        self[word]
    }
}

/// The length of tables that are all equally long.
const EVEN: usize = 1 << MOST_BITS;

/// A group of fields: their shift, and a table that repeats itself to its end, so that higher bits do no harm.
type EvenGroup = (u32, [u32; EVEN]);

#[inline]
fn each_narrow<const G: usize>(
    groups: [EvenGroup; G],
    keys: &[u32],
    rows: &[u8],
    mut visit: impl FnMut(u64, u8),
) {
    for (key, rows) in keys.iter().zip(rows) {
        let mut number = 0;
        for (shift, table) in &groups {
            number += table[(key >> shift) as usize % EVEN];
        }
        visit(number.into(), *rows);
    }
}

#[inline]
fn each_tuple<const G: usize, K: Key>(
    groups: &[&Group; G],
    keys: &[K],
    rows: &[u8],
    mut visit: impl FnMut(u64, u8),
) {
    for (key, rows) in keys.iter().zip(rows) {
        let mut number = 0;
        for group in groups {
            number += group.of(key);
        }
        visit(number, *rows);
    }
}

/// The bits of the codes that have a value: above the ground domain fewer than their field has.
fn bits_of(values: &[u64]) -> u32 {
    usize::BITS - values.len().saturating_sub(1).leading_zeros()
}

/// An array of so many entries is cheaper than a hash index over so many tuples.
fn most_dense(tuples: usize) -> u64 {
    (tuples as u64 * 8).max(1 << 18)
}

impl Group {
    fn new(field: Field, values: &[u64]) -> Self {
        let mut group = Self {
            word: field.word,
            shift: field.shift,
            bits: 0,
            table: vec![0],
        };
        group.append(bits_of(values), values);
        group
    }

    /// The same group with a table of even length, which has room for it.
    fn even(&self) -> EvenGroup {
        let places = self.table.len() - 1;
        let table = std::array::from_fn(|at| self.table[at & places] as u32);
        (self.shift, table)
    }

    /// What the codes of these fields count.
    #[inline]
    fn of(&self, key: &impl Key) -> u64 {
        let at = (key.word(self.word) >> self.shift) as usize;
        self.table[at & (self.table.len() - 1)]
    }

    /// Adds what the codes of these fields count; the first group finds nothing to add to.
    #[inline]
    fn add<const W: usize, const FIRST: bool>(&self, keys: &[[u64; W]], numbers: &mut [u64]) {
        let (table, mask) = (&self.table[..], self.table.len() - 1);
        for (key, number) in keys.iter().zip(numbers) {
            let before = if FIRST { 0 } else { *number };
            *number = before + table[(key[self.word] >> self.shift) as usize & mask];
        }
    }

    /// Takes a further field in, unless the table would have more bits than this.
    fn join(&mut self, field: Field, values: &[u64], bits: u32) -> bool {
        let width = bits_of(values);
        if field.word != self.word || field.shift + width - self.shift > bits {
            return false;
        }
        // Fields between that count nothing.
        self.append(field.shift - self.shift - self.bits, &[]);
        self.append(width, values);
        true
    }

    /// The next bits, and what their codes count; codes beyond them do not occur.
    fn append(&mut self, bits: u32, values: &[u64]) {
        let below = self.table.len();
        self.table.reserve_exact((below << bits) - below);
        for code in 1..1usize << bits {
            let value = values.get(code).copied().unwrap_or(0);
            for at in 0..below {
                self.table.push(self.table[at].wrapping_add(value));
            }
        }
        let first = values.first().copied().unwrap_or(0);
        self.table[..below]
            .iter_mut()
            .for_each(|number| *number = number.wrapping_add(first));
        self.bits += bits;
    }
}
