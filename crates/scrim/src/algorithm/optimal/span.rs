//! All nodes between two: what the search takes up, narrows and parts.

use std::cmp::Ordering;
use std::sync::Arc;

use super::candidate::Candidate;
use super::check::{Source, Tuples};
use crate::metric::Tally;
use crate::recoding::Node;

/// The nodes from `low` to `high` that are not yet decided. `high` itself was counted.
#[derive(Clone, Debug)]
pub(super) struct Span<'a> {
    pub(super) low: Node,
    pub(super) high: Node,
    /// No node of the span comes before this.
    pub(super) bound: Candidate,
    /// The classes of `high`, with the rows that every node below suppresses too.
    pub(super) lasting: Arc<Tally>,
    /// By attribute the same of `high` with this attribute as low as the span goes, where that was counted.
    pub(super) probes: Vec<Option<Arc<Tally>>>,
    /// A counted node not above `low`.
    pub(super) source: Arc<Source<'a>>,
    /// Counted nodes below some of the probes, with fewer tuples.
    pub(super) joints: Vec<Arc<Source<'a>>>,
    /// The last `low` at which a smaller source was looked for.
    pub(super) tried: Node,
    /// When it came: the older of two equal ones goes first.
    pub(super) number: u64,
}

impl Span<'_> {
    /// How many nodes.
    pub(super) fn size(&self) -> u128 {
        let levels = self.low.levels().iter().zip(self.high.levels());
        levels.fold(1, |size: u128, (low, high)| {
            size.saturating_mul(u128::from(high - low) + 1)
        })
    }

    /// The attributes whose level is open.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        let levels = self.low.levels().iter().zip(self.high.levels());
        let open = levels.enumerate().filter(|(_, (low, high))| low < high);
        open.map(|(attribute, _)| attribute)
    }

    /// `high` with an attribute as low as the span goes.
    pub(super) fn probe(&self, attribute: usize) -> Node {
        self.high.with(attribute, self.low.levels()[attribute])
    }

    /// The counted node with the fewest tuples that is not above a node.
    pub(super) fn cheapest(&self, node: &Node) -> &Tuples<'_> {
        let joints = self.joints.iter().map(|joint| &joint.set);
        let below = joints.filter(|set| node.generalizes(set.node()));
        let least = below.min_by_key(|set| set.len());
        least.unwrap_or(&self.source.set)
    }

    /// Whether nothing is left beside `high`.
    pub(super) fn is_single(&self) -> bool {
        self.low == self.high
    }
}

impl PartialEq for Span<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Span<'_> {}

impl PartialOrd for Span<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Span<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.bound, self.number).cmp(&(&other.bound, other.number))
    }
}
