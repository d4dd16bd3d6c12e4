//! Frequency sets: the distinct quasi-identifier tuples of a node with their counts, and histograms of what a model
//! asks for. This is all that a full-domain search sees of a table.
//!
//! **Layout.** A tuple is packed into one to eight words, every attribute in a field of its own that is wide enough
//! for its ground domain, so that all nodes of a lattice share one layout. Counts lie beside the keys. A node's set is
//! rolled up from any set of a node below it: the work is a few look-ups a tuple of that set, not a row of the table.

mod capped;
mod counting;
mod digits;
mod distinct;
mod ground;
mod group;
mod histogram;
mod keys;
#[cfg(test)]
mod made;
mod passing;
mod pile;
mod regroup;
mod scratch;
mod store;
mod sums;

pub(crate) use capped::{Asked, Capped};
pub use counting::{Counting, Packed, RowIds};
pub use distinct::{Distinct, distinct};
pub use ground::{Ground, Tracked};
pub use histogram::{Histogram, Slice};
pub(crate) use keys::{Index, Layout};
pub use passing::Chosen;
pub use pile::{Pile, Piles};
pub(crate) use scratch::Scratch;
pub use store::{Block, Store, Stored};
pub(crate) use sums::SmallClasses;

use std::sync::Arc;

use self::regroup::Recoder;
use self::store::Elsewhere;
use crate::hierarchy::Ladder;
use crate::metric::Sizes;
use crate::recoding::Node;

/// The tuples of a node with their counts.
#[derive(Clone, Debug)]
pub struct FrequencySet {
    layout: Arc<Layout>,
    node: Node,
    /// `layout.words` words a tuple.
    keys: Vec<u64>,
    rows: Vec<u64>,
    histograms: Vec<Histogram>,
    /// The tuples, where they are not held.
    elsewhere: Option<Elsewhere>,
}

/// A class as a model sees it: its size and the histogram of each tracked column.
#[derive(Clone, Copy, Debug)]
pub struct Class<'a> {
    rows: u64,
    set: &'a FrequencySet,
    number: usize,
}

impl<'a> Class<'a> {
    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of different persons, by the histogram of the person column: it holds persons with several rows
    /// only, all other rows are a person each.
    pub fn persons(&self, tracked: usize) -> u64 {
        let repeating = self.histogram(tracked);
        let rows: u64 = repeating
            .counts()
            .iter()
            .map(|count| u64::from(*count))
            .sum();
        self.rows - rows + repeating.distinct() as u64
    }

    /// The histogram of the tracked column of this number.
    pub fn histogram(&self, tracked: usize) -> Slice<'a> {
        self.set.histograms[tracked].slice(self.number)
    }
}

impl FrequencySet {
    /// The node that the tuples are generalized to.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.map_or(self.rows.len(), |elsewhere| {
            elsewhere.stored.sizes.classes as usize
        })
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its tuples are held: of others only sums can be had.
    pub(crate) fn is_held(&self) -> bool {
        self.elsewhere.is_none()
    }

    /// What the sizes of its tuples come to.
    pub(crate) fn sizes(&self) -> Sizes {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.map_or_else(|| Sizes::of(&self.rows), |elsewhere| elsewhere.stored.sizes)
    }

    /// The bytes of a tuple and its counts, about.
    pub(crate) fn bytes_a_tuple(&self) -> u64 {
        let histograms = match &self.elsewhere {
            None => self.histograms.iter().map(Histogram::bytes).sum(),
            Some(elsewhere) => 8 * elsewhere.stored.cells * elsewhere.stored.tracked as u64,
        };
        (self.layout.words() as u64 + 1) * 8 + histograms / self.len().max(1) as u64
    }

    /// The number of rows of each tuple.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The class of a tuple.
    pub fn class(&self, number: usize) -> Class<'_> {
        Class {
            rows: self.rows[number],
            set: self,
            number,
        }
    }

    /// All classes.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Class<'_>> {
        (0..self.len()).map(|number| self.class(number))
    }

    /// The code of an attribute in a tuple, at this node's level.
    pub fn code(&self, tuple: usize, attribute: usize) -> u32 {
        self.layout
            .read(&self.keys[tuple * self.layout.words()..], attribute)
    }

    /// The same tuples with these histograms only: all others are empty, and cost nothing to roll up.
    pub(crate) fn tracking_only(&self, kept: &[usize]) -> Self {
        let histogram = |(at, histogram): (usize, &Histogram)| {
            if kept.contains(&at) {
                histogram.clone()
            } else {
                Histogram::count(self.len(), std::iter::empty())
            }
        };
        Self {
            layout: Arc::clone(&self.layout),
            node: self.node.clone(),
            keys: self.keys.clone(),
            rows: self.rows.clone(),
            histograms: self.histograms.iter().enumerate().map(histogram).collect(),
            elsewhere: None,
        }
    }

    /// The set of a node above this one.
    #[must_use]
    pub fn roll_up(&self, ladders: &[Ladder], node: &Node) -> Self {
        // Histograms are merged by the map.
        if self.histograms.is_empty() {
            self.rolled::<false>(ladders, node).0
        } else {
            self.rolled::<true>(ladders, node).0
        }
    }

    /// The set of a node above this one, and the tuple there of each tuple here.
    pub fn roll_up_with_map(&self, ladders: &[Ladder], node: &Node) -> (Self, Vec<u32>) {
        self.rolled::<true>(ladders, node)
    }

    fn rolled<const MAPPED: bool>(&self, ladders: &[Ladder], node: &Node) -> (Self, Vec<u32>) {
        debug_assert!(node.generalizes(&self.node), "a roll-up goes up");
        debug_assert!(self.is_held(), "tuples that pass by leave no map");
        let (from, to) = (self.node.levels(), node.levels());
        let recoder = Recoder::new(&self.layout, ladders, from, to, self.len());
        let made = recoder.regroup::<MAPPED>(&self.keys, &self.rows);
        let keys = recoder.recode(&self.keys, &made.firsts);
        let tuples = made.rows.len();
        let histograms = self.histograms.iter();
        let histograms = histograms.map(|histogram| histogram.merge(&made.targets, tuples));
        let set = Self {
            layout: Arc::clone(&self.layout),
            node: node.clone(),
            keys,
            rows: made.rows,
            histograms: histograms.collect(),
            elsewhere: None,
        };
        (set, made.targets)
    }
}
