//! Class sizes of a node above, where nobody asks which tuple became which: counts by number, and nothing else.
//!
//! **Holds because** a number stands for one class ([`Recoder`]), so that rows added up by number ([`Scratch`]) are class sizes, in
//! whatever order the numbers are met. Where the rows that are surely in too small classes are too many, a node is hopeless.
//! **Cost.** A few look-ups and one addition a tuple.
//! **Oracle.** [`FrequencySet::roll_up`], in the tests.

use std::sync::Arc;

use rayon::prelude::*;

use super::digits::Digits;
use super::regroup::Recoder;
use super::scratch::Sum;
use super::{FrequencySet, Scratch};
use crate::hierarchy::Ladder;
use crate::metric::Sizes;
use crate::recoding::Node;

/// Small classes wait until so many are taken apart at once.
const AT_ONCE: usize = 1 << 16;

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
        if self.node == *node && self.is_held() {
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
            too_small += is_small * u64::from(rows);
            // Beyond the limit nobody wants them.
            met += is_small as usize & usize::from(too_small <= limit);
            if met == AT_ONCE {
                found.suppress(&small[..met], recoder.digits());
                met = 0;
            }
        });
        found.all = Sizes {
            classes,
            squares: u128::from(squares),
        };
        let fits = too_small <= limit;
        if fits {
            found.suppress(&small[..met], recoder.digits());
            found.rows = too_small;
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

    /// The set of a node above this one, which has `all` rows and about so many classes. Its tuples stand in no order that means
    /// anything, and it tracks nothing.
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
            elsewhere: None,
        }
    }

    /// Whether classes of nodes above it have numbers that fit, and so have the rows of any of them.
    pub(crate) fn has_numbers(&self, ladders: &[Ladder], all: u64) -> bool {
        self.recoder(ladders, &self.node).can_sum(all)
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
            elsewhere: None,
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
        let known = !recoder.is_sketched(self.len(), scratch.most) && self.is_held();
        if !recoder.can_sum(all) || known {
            return None;
        }
        recoder.sketch(self, scratch);
        Some(scratch.sketched_classes(self.len()))
    }

    pub(super) fn recoder(&self, ladders: &[Ladder], node: &Node) -> Recoder<'_> {
        let (from, to) = (self.node.levels(), node.levels());
        Recoder::new(&self.layout, ladders, from, to, self.len())
    }
}

impl SmallClasses {
    /// Notes that classes are too small, given by their numbers.
    fn suppress(&mut self, small: &[Sum], digits: &Digits<'_>) {
        for (_, rows) in small {
            self.small.add(u64::from(*rows));
        }
        digits.add_rows(small, &mut self.by);
    }

    pub(super) fn none(ladders: &[Ladder], node: &Node) -> Self {
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
}

#[cfg(test)]
mod tests;
