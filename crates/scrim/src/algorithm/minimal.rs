//! All minimal generalizations.
//!
//! **Definition.** A node is minimal when it keeps the models within the suppression limit and no other node below it
//! does ([Sweeney02], Definition 4).
//! **Holds because** where the models prune at this limit (`ModelSet::prunes`) a node above a valid one is valid: nodes
//! are visited by level sum, those above a valid one are tagged unchecked, and an untagged valid node is minimal. Without
//! that promise every node is checked. **Oracle.** `testkit::oracle::minimal_nodes`.

use rayon::prelude::*;

use super::explorer::{Checked, Explorer};
use super::task::Task;
use super::{Progress, Watch};
use crate::error::Error;
use crate::metric::Cost;
use crate::recoding::{Lattice, Node};

/// The largest lattice whose nodes are visited one by one.
pub(super) const MOST_NODES: u128 = 20_000_000;

/// A minimal node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// The node.
    pub node: Node,
    /// The rows it suppresses.
    pub suppressed: u64,
    /// Its cost by the task's metric.
    pub cost: Cost,
}

/// All minimal nodes by level sum, then levels, and how many nodes were checked.
pub fn minimal_nodes(task: &Task<'_>, watch: &mut dyn Watch) -> Result<(Vec<Minimal>, u64), Error> {
    let lattice = task.lattice();
    if lattice.size() > MOST_NODES {
        return Err(Error::Infeasible {
            what: format!(
                "the lattice has {} nodes; listing the minimal ones visits each, and {MOST_NODES} are the most",
                lattice.size()
            ),
            hint: Some(
                "lower the hierarchies, or use `algorithm = \"optimal\"`, which visits few"
                    .to_owned(),
            ),
        });
    }
    let mut walk = Walk {
        task,
        lattice: &lattice,
        above_valid: vec![false; lattice.size() as usize],
        found: Vec::new(),
    };
    let mut explorer = Explorer::new(task, None);
    for rank in by_level_sum(&lattice) {
        for block in rank.chunks(BLOCK) {
            walk.check_block(&mut explorer, block);
            watch.step(&Progress {
                doing: "listing minimal generalizations",
                checked: explorer.checked(),
                decided: None,
                best: walk.found.last().map(|minimal| minimal.node.clone()),
                cost: None,
            })?;
        }
    }
    Ok((walk.found, explorer.checked()))
}

/// Nodes that are checked between two looks at the watch; fixed, so that nothing depends on the number of threads.
const BLOCK: usize = 64;

struct Walk<'a> {
    task: &'a Task<'a>,
    lattice: &'a Lattice,
    /// Whether a node lies above a valid one.
    above_valid: Vec<bool>,
    found: Vec<Minimal>,
}

impl Walk<'_> {
    fn check_block(&mut self, explorer: &mut Explorer<'_>, block: &[usize]) {
        // Nodes of one rank do not lie above each other, so the tags of the ranks below are all that matters.
        let prunes = self.task.models.prunes(self.task.limit);
        let open: Vec<Node> = block
            .iter()
            .map(|index| self.lattice.node(*index))
            .filter(|node| !(prunes && self.above_valid[self.lattice.index(node)]))
            .collect();
        let mut checks: Vec<Checked> = open.par_iter().map(|node| explorer.check(node)).collect();
        explorer.remember(&mut checks);
        for check in checks {
            if let Some((suppressed, cost)) = check.valid
                && !self.above_valid[self.lattice.index(&check.node)]
            {
                self.above_valid[self.lattice.index(&check.node)] = true;
                self.found.push(Minimal {
                    node: check.node,
                    suppressed,
                    cost,
                });
            }
        }
        for index in block
            .iter()
            .filter(|index| self.above_valid[**index])
            .copied()
            .collect::<Vec<_>>()
        {
            for above in self.lattice.successors(&self.lattice.node(index)) {
                let above = self.lattice.index(&above);
                self.above_valid[above] = true;
            }
        }
    }
}

/// The nodes' numbers by level sum, ascending.
fn by_level_sum(lattice: &Lattice) -> Vec<Vec<usize>> {
    let mut ranks = vec![Vec::new(); lattice.top().height() as usize + 1];
    for index in 0..lattice.size() as usize {
        ranks[lattice.node(index).height() as usize].push(index);
    }
    ranks
}
