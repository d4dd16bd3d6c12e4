//! The steps of a chain, one after the other. They depend on the quasi-identifiers only.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::algorithm::datafly::most_distinct;
use crate::algorithm::task::Task;
use crate::frequency::FrequencySet;
use crate::hierarchy::Level;
use crate::recoding::{Lattice, Node};
use crate::share::Share;

/// Which steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// From the ground domain up, each step generalizing the attribute with most distinct values; ties by policy order.
    Datafly,
    /// All nodes of the lattice by falling Prec, weighted where the policy gives weights; ties by levels.
    Prec(Vec<Share>),
    /// The same nodes as `optimal` prefers them: by falling Prec, then by smallest level sum, then by levels.
    Best(Vec<Share>),
    /// These.
    Given(Vec<Node>),
}

/// A walk along a sequence.
pub(super) enum Steps<'a> {
    Datafly {
        task: &'a Task<'a>,
        next: Option<FrequencySet>,
    },
    Prec(ByPrec),
    Given(std::vec::IntoIter<Node>),
}

impl Sequence {
    pub(super) fn steps<'a>(&self, task: &'a Task<'a>) -> Steps<'a> {
        match self {
            Self::Datafly => Steps::Datafly {
                task,
                next: Some(task.ground.set().clone()),
            },
            Self::Prec(weights) => Steps::Prec(ByPrec::new(task, weights, false)),
            Self::Best(weights) => Steps::Prec(ByPrec::new(task, weights, true)),
            Self::Given(nodes) => Steps::Given(nodes.clone().into_iter()),
        }
    }
}

impl Iterator for Steps<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        match self {
            Self::Datafly { task, next } => {
                let set = next.take()?;
                let node = set.node().clone();
                *next = most_distinct(task, &set, &[]).map(|at| {
                    let above = node.with(at, node.levels()[at] + 1);
                    set.roll_up(task.ladders, &above)
                });
                Some(node)
            }
            Self::Prec(steps) => steps.next(),
            Self::Given(nodes) => nodes.next(),
        }
    }
}

/// All nodes, the most precise first: each is put on the heap by one node below it.
pub(super) struct ByPrec {
    lattice: Lattice,
    /// What a level of each attribute costs, in common units.
    costs: Vec<i128>,
    /// Whether of equals the one with the smallest level sum goes first.
    by_sum: bool,
    heap: BinaryHeap<Reverse<(i128, u32, Vec<Level>)>>,
}

impl ByPrec {
    fn new(task: &Task<'_>, weights: &[Share], by_sum: bool) -> Self {
        let cost = |(at, height): (usize, i128)| {
            let weight = weights.get(at).copied().unwrap_or(Share::ONE);
            let per_level = Share::new(1, height.max(1)).unwrap_or(Share::ONE);
            weight.checked_mul(per_level)
        };
        let heights = task.ladders.iter().map(|ladder| ladder.height().into());
        let costs: Option<Vec<Share>> = heights.enumerate().map(cost).collect();
        let costs = costs.and_then(|costs| Share::over_common(&costs));
        let lattice = task.lattice();
        let bottom = lattice.bottom().levels().to_vec();
        Self {
            // Weights too odd for common units count as equal.
            costs: costs.map_or_else(|| vec![1; task.ladders.len()], |(costs, _)| costs),
            lattice,
            by_sum,
            heap: [Reverse((0, 0, bottom))].into(),
        }
    }

    fn next(&mut self) -> Option<Node> {
        let Reverse((_, _, levels)) = self.heap.pop()?;
        let node = Node::new(levels);
        // A node is put there by the one that lies a level lower in its last raised attribute.
        let last = node.levels().iter().rposition(|level| *level > 0);
        for above in self.lattice.successors_from(&node, last.unwrap_or(0)) {
            let levels = above.levels().to_vec();
            let costs = levels.iter().zip(&self.costs);
            let cost = costs.map(|(level, cost)| i128::from(*level) * cost).sum();
            let sum = if self.by_sum { above.height() } else { 0 };
            self.heap.push(Reverse((cost, sum, levels)));
        }
        Some(node)
    }
}
