//! Generalization hierarchies: one rooted tree over a column's domain, whatever built it.
//!
//! **Definition.** A value generalization hierarchy orders values by *is generalized to*; suppression is its maximal
//! element, on top of all others ([Sweeney02], 3.1). A vertex of the tree is a *taxon*.
//! **Reading.** A top that is all stars is suppression already; above any other top of a quasi-identifier, also a
//! single named one, `*` is added. A sensitive column's tree is taken as it is. In an uneven tree a level keeps the
//! taxa of one depth, and a leaf that lies less deep stands for itself until its turn comes: so each level is a
//! function of the one below it. A missing value hangs right below the top, unless the hierarchy has it as a leaf.

mod builder;
mod dates;
mod flat;
mod interval;
mod intervals;
mod ladder;
mod leaf_order;
mod level_csv;
mod mask;
mod numbers;
mod outline;
mod parents;
mod spec;

pub use builder::TreeBuilder;
pub use dates::{DateFormat, DateStep};
pub use interval::{Decimal, Interval};
pub use intervals::Intervals;
pub use ladder::Ladder;
pub use leaf_order::LeafOrder;
pub use level_csv::from_level_csv;
pub use mask::Side;
pub use numbers::Numbers;
pub use outline::from_outline;
pub use parents::{from_parents_csv, is_parents_csv};
pub use spec::{Generated, NumericDomain};

use rustc_hash::FxHashMap;

/// A vertex of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "guarding node")]
pub struct TaxonId(pub u32);

/// How far up a full-domain recoding goes: 0 is the ground domain.
pub type Level = u8;

/// The tallest hierarchy that is taken.
pub const MAX_HEIGHT: usize = 250;

/// The label of the suppression element where a hierarchy brings none of its own.
pub const STAR: &str = "*";

/// Whether a label is a suppression element: one or more stars and nothing else.
pub fn is_star(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte == b'*')
}

/// One rooted tree over a column's domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    labels: Vec<Box<str>>,
    parents: Vec<Option<TaxonId>>,
    depths: Vec<u16>,
    /// How many values of the domain lie below each taxon; 1 for a leaf.
    leaves: Vec<u64>,
    root: TaxonId,
    height: Level,
    even: bool,
    values: FxHashMap<Box<str>, TaxonId>,
    warnings: Vec<String>,
}

impl Hierarchy {
    /// The taxon at the top.
    pub fn root(&self) -> TaxonId {
        self.root
    }

    /// The number of edges on the longest way from a leaf to the top.
    pub fn height(&self) -> Level {
        self.height
    }

    /// Whether all leaves lie equally deep.
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// How many taxa there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Never: a hierarchy has a top.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// All taxa.
    pub fn taxa(&self) -> impl ExactSizeIterator<Item = TaxonId> {
        (0..self.labels.len() as u32).map(TaxonId)
    }

    /// The label of a taxon.
    pub fn label(&self, taxon: TaxonId) -> &str {
        &self.labels[taxon.0 as usize]
    }

    /// The taxon above, unless it is the top.
    pub fn parent(&self, taxon: TaxonId) -> Option<TaxonId> {
        self.parents[taxon.0 as usize]
    }

    /// The number of edges up to the top.
    pub fn depth(&self, taxon: TaxonId) -> u16 {
        self.depths[taxon.0 as usize]
    }

    /// How many values of the domain lie below it.
    pub fn leaves_below(&self, taxon: TaxonId) -> u64 {
        self.leaves[taxon.0 as usize]
    }

    /// How many values the domain has, also those that the data do not have.
    pub fn domain_size(&self) -> u64 {
        self.leaves_below(self.root)
    }

    /// The leaf of a value of the data.
    pub fn leaf(&self, value: &str) -> Option<TaxonId> {
        self.values.get(value).copied()
    }

    /// The taxa that carry a label, leaves and others.
    pub fn labelled<'a>(&'a self, label: &'a str) -> impl Iterator<Item = TaxonId> + 'a {
        self.taxa().filter(move |taxon| self.label(*taxon) == label)
    }

    /// Whether `upper` is `lower` or above it.
    pub fn covers(&self, upper: TaxonId, lower: TaxonId) -> bool {
        let mut at = Some(lower);
        while let Some(taxon) = at {
            if taxon == upper {
                return true;
            }
            at = self.parent(taxon);
        }
        false
    }

    /// The taxon right below `above` on the way to `lower`; none where `lower` is not below it.
    pub fn child_towards(&self, above: TaxonId, lower: TaxonId) -> Option<TaxonId> {
        let mut at = lower;
        while at != above {
            match self.parent(at) {
                Some(parent) if parent == above => return Some(at),
                Some(parent) => at = parent,
                None => return None,
            }
        }
        None
    }

    /// The lowest taxon that covers both.
    pub fn common_ancestor(&self, mut left: TaxonId, mut right: TaxonId) -> TaxonId {
        while left != right {
            let lower = if self.depth(left) >= self.depth(right) {
                &mut left
            } else {
                &mut right
            };
            match self.parent(*lower) {
                Some(parent) => *lower = parent,
                None => return self.root(),
            }
        }
        left
    }

    /// What a leaf becomes at a level: its ancestor at that level's depth, or itself where it lies less deep.
    pub fn at_level(&self, leaf: TaxonId, level: Level) -> TaxonId {
        let target = u16::from(self.height.saturating_sub(level));
        let mut taxon = leaf;
        while self.depth(taxon) > target {
            match self.parent(taxon) {
                Some(parent) => taxon = parent,
                None => break,
            }
        }
        taxon
    }

    /// The level of a taxon: the lowest at which it can stand in a full-domain recoding.
    pub fn level(&self, taxon: TaxonId) -> Level {
        if self.values.get(self.label(taxon)) == Some(&taxon) {
            return 0;
        }
        self.height.saturating_sub(self.depth(taxon) as Level)
    }

    /// The taxa right below each, in the order in which they were built.
    pub fn child_lists(&self) -> Vec<Vec<TaxonId>> {
        let mut lists = vec![Vec::new(); self.len()];
        for taxon in self.taxa() {
            if let Some(parent) = self.parent(taxon) {
                lists[parent.0 as usize].push(taxon);
            }
        }
        lists
    }

    /// What a reader of the file should know, without being a fault.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The same tree with a leaf for the missing value right below the top, unless it has that leaf.
    #[must_use]
    pub fn with_missing(mut self, text: &str) -> Self {
        if self.values.contains_key(text) {
            return self;
        }
        let taxon = TaxonId(self.labels.len() as u32);
        self.labels.push(text.into());
        self.parents.push(Some(self.root));
        self.depths.push(1);
        self.leaves.push(1);
        self.leaves[self.root.0 as usize] += 1;
        self.values.insert(text.into(), taxon);
        self.even &= self.height == 1;
        self.height = self.height.max(1);
        self
    }
}
