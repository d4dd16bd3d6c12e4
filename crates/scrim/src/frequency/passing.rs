//! Classes of tuples that pass by: with all that models ask for, in as many parts as memory needs.
//!
//! **Holds because** a class is in the part that the hash of its number or key says, with all of its tuples, so that what holds of the classes of
//! each part holds of all.
//! **Cost.** All tuples pass by once a part. Blocks are rolled up one by one; what they give is put together whenever it has
//! doubled.
//! **Oracle.** [`FrequencySet::roll_up`] of the same tuples held, in the tests.

use std::sync::Arc;

use super::keys::{Index, hash};
use super::regroup::Recoder;
use super::scratch::ODD;
use super::store::Block;
use super::{FrequencySet, Ground, Histogram};
use crate::hierarchy::Ladder;
use crate::recoding::Node;

/// So few classes are not parted further: what is large then is one of them.
const LEAST: usize = 64;
/// So few bytes are not worth putting together.
const FEW: u64 = 1 << 20;
/// A set is made with so many times its bytes.
const MAKING: u64 = 4;

impl FrequencySet {
    /// Visits the classes of a node above this one: all at once where the tuples are held or the classes have room, else a part of
    /// them after the other. Answers the set where there was one only.
    pub(crate) fn each_part(
        &self,
        ladders: &[Ladder],
        node: &Node,
        mut visit: impl FnMut(&Self),
    ) -> Option<Self> {
        let Some(elsewhere) = &self.elsewhere else {
            let set = self.roll_up(ladders, node);
            visit(&set);
            return Some(set);
        };
        let room = elsewhere.stored.room / MAKING;
        let mut parts = 1;
        let first = loop {
            match self.passing(ladders, node, (0, parts), room) {
                Some(set) => break set,
                None => parts *= 2,
            }
        };
        visit(&first);
        if parts == 1 {
            return Some(first);
        }
        drop(first);
        for part in 1..parts {
            if let Some(set) = self.passing(ladders, node, (part, parts), u64::MAX) {
                visit(&set);
            }
        }
        None
    }

    /// One part of the classes of a node above; nothing where they have more bytes than `most` and can be parted.
    fn passing(
        &self,
        ladders: &[Ladder],
        node: &Node,
        (part, parts): (u64, u64),
        most: u64,
    ) -> Option<Self> {
        let elsewhere = self.elsewhere.as_ref()?;
        let recoder = self.recoder(ladders, node);
        let tracked = elsewhere.stored.tracked;
        let mut set = Self {
            layout: Arc::clone(&self.layout),
            node: node.clone(),
            keys: Vec::new(),
            rows: Vec::new(),
            histograms: vec![Histogram::none(); tracked],
            elsewhere: None,
        };
        let (mut own, mut squeezed, mut fits) = (Own::default(), 0, true);
        elsewhere.each_block(|block| {
            if !fits {
                return;
            }
            if parts == 1 {
                set.take(block, &recoder);
            } else {
                let words = self.layout.words();
                set.take(&own.of(block, &recoder, words, (part, parts)), &recoder);
            }
            if set.bytes() > squeezed * 2 + FEW {
                set = set.roll_up(ladders, node);
                squeezed = set.bytes();
                fits = squeezed <= most || set.len() <= LEAST;
            }
        });
        let set = set.roll_up(ladders, node);
        let fits = fits && (set.bytes() <= most || set.len() <= LEAST);
        fits.then_some(set)
    }

    /// Puts the classes of a block behind the others.
    fn take(&mut self, block: &Block<'_>, recoder: &Recoder<'_>) {
        let made = recoder.regroup::<true>(block.keys, block.rows);
        self.keys.extend(recoder.recode(block.keys, &made.firsts));
        self.rows.extend_from_slice(&made.rows);
        let tracked = self.histograms.len();
        for (at, histogram) in self.histograms.iter_mut().enumerate() {
            let tuples = made.targets.iter().zip(block.rows).enumerate();
            let cells = tuples.map(|(tuple, (target, rows))| {
                (*target, block.tracked[tuple * tracked + at], *rows)
            });
            histogram.append(&Histogram::count(made.rows.len(), cells));
        }
    }

    /// The bytes of its tuples and their counts.
    pub(crate) fn bytes(&self) -> u64 {
        let histograms = self.histograms.iter().map(Histogram::bytes).sum::<u64>();
        8 * (self.keys.len() + self.rows.len()) as u64 + histograms
    }

    /// These classes only.
    pub(crate) fn only_classes(&self, classes: &[u32]) -> Self {
        let words = self.layout.words();
        let key = |class: &u32| &self.keys[*class as usize * words..][..words];
        let histograms = self.histograms.iter();
        Self {
            layout: Arc::clone(&self.layout),
            node: self.node.clone(),
            keys: classes.iter().flat_map(key).copied().collect(),
            rows: classes
                .iter()
                .map(|class| self.rows[*class as usize])
                .collect(),
            histograms: histograms.map(|all| all.only(classes)).collect(),
            elsewhere: None,
        }
    }

    /// The classes of two sets of one node, which may have the same.
    pub(crate) fn and(mut self, other: &Self, ladders: &[Ladder]) -> Self {
        self.keys.extend_from_slice(&other.keys);
        self.rows.extend_from_slice(&other.rows);
        let histograms = self.histograms.iter_mut().zip(&other.histograms);
        histograms.for_each(|(all, own)| all.append(own));
        self.roll_up(ladders, &self.node)
    }
}

/// The tuples of a block that are in a part.
#[derive(Debug, Default)]
struct Own {
    places: Vec<u32>,
    keys: Vec<u64>,
    tracked: Vec<u32>,
    rows: Vec<u64>,
}

impl Own {
    /// Those of one of so many parts, by the class that they become.
    fn of(
        &mut self,
        block: &Block<'_>,
        recoder: &Recoder<'_>,
        words: usize,
        (part, parts): (u64, u64),
    ) -> Block<'_> {
        let is_own = |hash: u64| (u128::from(hash) * u128::from(parts)) >> 64 == u128::from(part);
        self.places.clear();
        let mut at = 0;
        if recoder.numbers().is_some() {
            recoder.each_block_in(block.keys, block.rows, |numbers, _| {
                for number in numbers {
                    if is_own(number.wrapping_mul(ODD)) {
                        self.places.push(at);
                    }
                    at += 1;
                }
            });
        } else {
            let all: Vec<u32> = (0..block.rows.len() as u32).collect();
            let keys = recoder.recode(block.keys, &all);
            let own = all.iter().zip(keys.chunks_exact(words));
            let own = own.filter(|(_, key)| is_own(hash(key).wrapping_mul(ODD)));
            self.places.extend(own.map(|(place, _)| *place));
        }
        let tracked = block.tracked.len() / block.rows.len().max(1);
        self.keys.clear();
        self.tracked.clear();
        self.rows.clear();
        for place in self.places.iter().map(|place| *place as usize) {
            self.keys
                .extend_from_slice(&block.keys[place * words..][..words]);
            self.tracked
                .extend_from_slice(&block.tracked[place * tracked..][..tracked]);
            self.rows.push(block.rows[place]);
        }
        Block {
            keys: &self.keys,
            tracked: &self.tracked,
            rows: &self.rows,
        }
    }
}

/// Whether a key is one of some.
type Has = Box<dyn Fn(&[u64]) -> bool>;

/// Some classes of a node, by their keys.
pub struct Chosen {
    node: Node,
    has: Has,
}

impl std::fmt::Debug for Chosen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Chosen").field(&self.node).finish()
    }
}

impl Chosen {
    /// All classes of a set.
    pub(crate) fn new(set: &FrequencySet) -> Self {
        let has = match set.layout.words() {
            1 => finder::<1>(&set.keys),
            2 => finder::<2>(&set.keys),
            4 => finder::<4>(&set.keys),
            _ => finder::<8>(&set.keys),
        };
        Self {
            node: set.node.clone(),
            has,
        }
    }

    /// Visits the rows of a section that are in one of them.
    pub fn each_row(&self, ladders: &[Ladder], section: &Ground, mut visit: impl FnMut(usize)) {
        let (set, targets) = section.set().roll_up_with_map(ladders, &self.node);
        let keys = set.keys.chunks_exact(set.layout.words());
        let is_in: Vec<bool> = keys.map(|key| (self.has)(key)).collect();
        for (row, tuple) in section.tuple_of_row().iter().enumerate() {
            if is_in[targets[*tuple as usize] as usize] {
                visit(row);
            }
        }
    }
}

fn finder<const W: usize>(keys: &[u64]) -> Has {
    let (keys, _) = keys.as_chunks::<W>();
    let mut index = Index::<W>::with_room_for(keys.len());
    for key in keys {
        index.find_or_add(*key);
    }
    Box::new(move |key| key.try_into().is_ok_and(|key| index.has_key(&key)))
}

#[cfg(test)]
mod tests;
