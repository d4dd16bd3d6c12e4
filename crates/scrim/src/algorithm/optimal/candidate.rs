//! Nodes in the order of preference, and bounds in the same order.

use crate::algorithm::preference::Preferred;
use crate::hierarchy::Level;
use crate::metric::Cost;
use crate::recoding::Node;

/// A valid node, in the order of [`preference`](crate::algorithm::preference), or what no node of a span comes before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) cost: Cost,
    /// How much the columns that the policy prefers to keep are generalized.
    preferred: Box<[u128]>,
    pub(super) suppressed: u64,
    height: u32,
    levels: Box<[Level]>,
}

impl Candidate {
    pub(super) fn new(preferred: &Preferred, node: &Node, suppressed: u64, cost: Cost) -> Self {
        Self {
            cost,
            preferred: preferred.levels(node, suppressed),
            suppressed,
            height: node.height(),
            levels: node.levels().into(),
        }
    }

    pub(super) fn node(&self) -> Node {
        Node::new(self.levels.clone())
    }
}

/// The best node so far, and those that cost as much where they are wanted.
#[derive(Clone, Debug)]
pub(super) struct Best {
    all_ties: bool,
    first: Option<Candidate>,
    ties: Vec<Candidate>,
}

impl Best {
    pub(super) fn new(all_ties: bool) -> Self {
        Self {
            all_ties,
            first: None,
            ties: Vec::new(),
        }
    }

    /// The same without the ties.
    pub(super) fn alone(&self) -> Self {
        Self {
            all_ties: self.all_ties,
            first: self.first.clone(),
            ties: Vec::new(),
        }
    }

    pub(super) fn wants_ties(&self) -> bool {
        self.all_ties
    }

    pub(super) fn get(&self) -> Option<&Candidate> {
        self.first.as_ref()
    }

    /// Whether something not before this bound can still be wanted.
    pub(super) fn can_win(&self, bound: &Candidate) -> bool {
        match &self.first {
            None => true,
            Some(best) if self.all_ties => bound.cost <= best.cost,
            Some(best) => bound < best,
        }
    }

    /// Takes a valid node.
    pub(super) fn offer(&mut self, candidate: Candidate) {
        if self.all_ties {
            match &self.first {
                Some(best) if candidate.cost > best.cost => return,
                Some(best) if candidate.cost == best.cost => {}
                _ => self.ties.clear(),
            }
            self.ties.push(candidate.clone());
        }
        if self.first.as_ref().is_none_or(|best| candidate < *best) {
            self.first = Some(candidate);
        }
    }

    /// All nodes of least cost in order, where they are wanted.
    pub(super) fn ties(mut self) -> Vec<Node> {
        self.ties.sort();
        self.ties.dedup();
        self.ties.iter().map(Candidate::node).collect()
    }
}
