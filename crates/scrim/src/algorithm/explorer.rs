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
    /// How many bytes all of them together may have.
    budget: u64,
    /// Bytes kept so far.
    kept: u64,
    checked: u64,
}

/// So many tuples of the ground domain may all snapshots together be as large as, where nobody says otherwise: with keys and counts
/// some hundred megabytes at the most.
const BUDGET: u64 = 8_000_000;

impl<'a> Explorer<'a> {
    /// An explorer that knows the ground domain only, and may use about so many bytes.
    pub fn new(task: &'a Task<'a>, memory: Option<u64>) -> Self {
        let set = task.ground.set();
        let most = BUDGET * set.bytes_a_tuple();
        Self {
            task,
            snapshots: Vec::new(),
            budget: memory.map_or(most, |bytes| most.min(bytes / 4)),
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
        let (task, metric) = (self.task, self.task.metric);
        let mut sizes = Tally::none(task.ladders, node, task.ground.rows());
        let prunes = task.models.prunes(task.limit);
        // The rows that break a model for good, where the models together do not say that of all.
        let mut broken = 0;
        let (tally, set) = task.release_of(source, node, |set, _| {
            let rows = task.ground.rows();
            sizes.join(&Tally::of_sizes(task.ladders, set, rows));
            if !prunes {
                let classes = set.classes();
                let lost = classes.filter(|class| task.models.breaks_for_good(*class));
                broken += lost.map(|class| class.rows()).sum::<u64>();
            }
        });
        let hopeless = tally.is_none() && (prunes || broken > task.limit);
        let floor = metric.floor_counted(tally.as_ref().unwrap_or(&sizes));
        let valid = tally.map(|tally| (tally.suppressed, metric.cost(&tally)));
        let snapshot = set.filter(|set| set.len() * 2 <= source.len());
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
            if self.kept + set.bytes() <= self.budget {
                self.kept += set.bytes();
                let at = self
                    .snapshots
                    .partition_point(|known| known.len() <= set.len());
                self.snapshots.insert(at, set);
            }
        }
    }
}
