//! Checks nodes by rolling up from the smallest frequency set at hand.
//!
//! Sets of checked nodes are kept while they fit a budget, smallest first in demand: a set is worth keeping when it is
//! much smaller than the one it came from.

use crate::frequency::FrequencySet;
use crate::metric::{Cost, Tally};
use crate::recoding::Node;

use super::task::Task;

/// What checking a node told.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The node.
    pub node: Node,
    /// Suppressed rows and cost, when the node keeps the models within the limit.
    pub valid: Option<(u64, Cost)>,
    /// Whether it is invalid and so are all nodes below it.
    pub hopeless: bool,
    /// No release at this node or above costs less.
    pub floor: Cost,
    /// The set, when it is worth keeping.
    pub snapshot: Option<FrequencySet>,
}

/// Keeps snapshots and checks nodes from them.
#[derive(Debug)]
pub struct Explorer<'a> {
    task: &'a Task<'a>,
    /// Ascending by number of tuples.
    snapshots: Vec<FrequencySet>,
    /// Tuples kept so far.
    kept: usize,
    checked: u64,
}

/// How many tuples all snapshots together may have: with keys and counts some hundred megabytes at the most.
const BUDGET: usize = 8_000_000;

impl<'a> Explorer<'a> {
    /// An explorer that knows the ground domain only.
    pub fn new(task: &'a Task<'a>) -> Self {
        Self {
            task,
            snapshots: Vec::new(),
            kept: 0,
            checked: 0,
        }
    }

    /// How many nodes were checked.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// The smallest known set from which a node can be rolled up.
    pub fn nearest(&self, node: &Node) -> &FrequencySet {
        self.snapshots
            .iter()
            .find(|set| node.generalizes(set.node()))
            .unwrap_or_else(|| self.task.ground.set())
    }

    /// Checks a node without remembering it: any number of threads may do so at once.
    pub fn check(&self, node: &Node) -> Checked {
        self.check_from(self.nearest(node), node)
    }

    /// Checks a node from a given set below it.
    pub fn check_from(&self, source: &FrequencySet, node: &Node) -> Checked {
        let set = source.roll_up(self.task.ladders, node);
        let judged = self.task.judge_within(&set, self.task.limit);
        let (valid, floor) = match &judged {
            Some(judged) => {
                let tally = self.task.tally(&set, judged);
                let metric = self.task.metric;
                (
                    Some((judged.suppressed, metric.cost(&tally))),
                    metric.floor_counted(&tally),
                )
            }
            None => (
                None,
                self.task.metric.floor_counted(&Tally::of_sizes(
                    self.task.ladders,
                    &set,
                    self.task.ground.rows(),
                )),
            ),
        };
        let hopeless = judged.is_none() && self.task.is_hopeless(&set);
        let snapshot = (set.len() * 2 <= source.len()).then_some(set);
        Checked {
            node: node.clone(),
            valid,
            hopeless,
            floor,
            snapshot,
        }
    }

    /// Takes note of checks, in a fixed order, so that the next ones start from them.
    pub fn remember(&mut self, checks: &mut [Checked]) {
        for check in checks {
            self.checked += 1;
            let Some(set) = check.snapshot.take() else {
                continue;
            };
            if self.kept + set.len() <= BUDGET {
                self.kept += set.len();
                let at = self
                    .snapshots
                    .partition_point(|known| known.len() <= set.len());
                self.snapshots.insert(at, set);
            }
        }
    }
}
