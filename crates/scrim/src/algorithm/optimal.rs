//! The best full-domain recoding, proven.
//!
//! **Definition.** Of all nodes that keep the models within the suppression limit, the one of least cost by the metric;
//! ties by [`super::PREFERENCE`].
//! **Holds because** nodes are taken by a lower bound of their cost that never falls on the way up (the metric's
//! floor), each reached from one node below it. A node whose bound cannot beat the best found so far ends the search.
//! Where the models prune at this limit (`ModelSet::prunes`), a node below an invalid one is invalid; where only some of
//! them do, it is when more rows than the limit break those (`Task::is_hopeless`). From an undecided node a chain to the
//! top is bisected, which yields a high such node, whose whole down-set is settled, and candidates. A node that is
//! invalid for other reasons proves nothing: then all nodes within the bound are checked.
//! **Reading.** Nodes are checked in batches of fixed size, so the answer and the count of checks are the same for any
//! number of threads. **Cost.** A roll-up a checked node. **Oracle.** `testkit::oracle::optimum`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::explorer::{Checked, Explorer};
use super::task::Task;
use super::{Algorithm, Found, PREFERENCE, Progress, Watch};
use crate::error::Error;
use crate::metric::Cost;
use crate::recoding::{Lattice, Node, Recoding};

/// Undecided nodes that are searched at once.
const BATCH: usize = 4;

/// So many nodes may wait: beyond that the search ends with the best so far.
const MOST_WAITING: usize = 1_000_000;

/// The exact search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optimal {
    /// Whether all nodes of least cost are wanted, not only the preferred one.
    pub all_ties: bool,
}

impl Algorithm for Optimal {
    fn id(&self) -> &'static str {
        "optimal"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let lattice = task.lattice();
        let mut search = Search {
            task,
            lattice: &lattice,
            explorer: Explorer::new(task),
            queue: BinaryHeap::new(),
            all_ties: self.all_ties,
            best: None,
            ties: Vec::new(),
            invalid: Vec::new(),
            taken: 0,
            gave_up: false,
        };
        search.run(watch)?;
        let Some(best) = search.best else {
            return if search.gave_up {
                Err(too_large(&lattice))
            } else {
                Ok(None)
            };
        };
        let mut ties: Vec<Candidate> = search
            .ties
            .into_iter()
            .filter(|tie| tie.cost == best.cost)
            .collect();
        ties.sort();
        ties.dedup();
        let suppressed = task.suppressed_at(&best.node());
        let mut notes = vec![PREFERENCE.to_owned()];
        if search.gave_up {
            notes.push(format!("the search ended with {MOST_WAITING} nodes waiting: the best so far, not proven best"));
        }
        Ok(Some(Found {
            recoding: Recoding::FullDomain {
                node: best.node(),
                suppressed,
            },
            ties: ties.iter().map(Candidate::node).collect(),
            checked: search.explorer.checked(),
            proven: !search.gave_up,
            bound: None,
            notes,
            remarks: Vec::new(),
        }))
    }
}

fn too_large(lattice: &Lattice) -> Error {
    Error::Infeasible {
        what: format!(
            "the search met {MOST_WAITING} waiting nodes of {} without a valid one",
            lattice.size()
        ),
        hint: Some(
            "use fewer quasi-identifiers, or `algorithm = \"datafly\"` or `\"top-down\"`"
                .to_owned(),
        ),
    }
}

/// A valid node, in the order of preference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: Cost,
    suppressed: u64,
    height: u32,
    levels: Vec<u8>,
}

impl Candidate {
    fn new(node: &Node, suppressed: u64, cost: Cost) -> Self {
        Self {
            cost,
            suppressed,
            height: node.height(),
            levels: node.levels().to_vec(),
        }
    }

    fn node(&self) -> Node {
        Node::new(self.levels.clone())
    }
}

/// A node in the queue: its bound in the order of preference, and the first attribute it may raise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    bound: Candidate,
    first: usize,
}

struct Search<'a> {
    task: &'a Task<'a>,
    lattice: &'a Lattice,
    explorer: Explorer<'a>,
    queue: BinaryHeap<Reverse<Waiting>>,
    all_ties: bool,
    best: Option<Candidate>,
    ties: Vec<Candidate>,
    /// Invalid nodes of which none lies below another.
    invalid: Vec<Node>,
    taken: u64,
    gave_up: bool,
}

impl Search<'_> {
    fn run(&mut self, watch: &mut dyn Watch) -> Result<(), Error> {
        let bottom = self.lattice.bottom();
        let floor = self.task.metric.floor(&bottom);
        self.queue.push(Reverse(Waiting {
            bound: Candidate::new(&bottom, 0, floor),
            first: 0,
        }));
        loop {
            let batch = self.next_batch();
            if batch.is_empty() {
                return Ok(());
            }
            let results: Vec<Vec<Checked>> = batch
                .par_iter()
                .map(|waiting| self.settle(&waiting.bound.node()))
                .collect();
            for (waiting, mut checks) in batch.into_iter().zip(results) {
                self.explorer.remember(&mut checks);
                let floor = checks.first().map_or(waiting.bound.cost, |own| own.floor);
                self.learn(checks);
                self.push_successors(&waiting, floor);
            }
            watch.step(&Progress {
                doing: "searching the lattice",
                checked: self.explorer.checked(),
                decided: u64::try_from(self.lattice.size())
                    .ok()
                    .map(|size| (self.taken.min(size), size)),
                best: self.best.as_ref().map(Candidate::node),
                cost: None,
            })?;
        }
    }

    /// The next undecided nodes; those decided by a bound or by an invalid node above them are passed over.
    fn next_batch(&mut self) -> Vec<Waiting> {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            if self.queue.len() > MOST_WAITING {
                self.gave_up = true;
                self.queue.clear();
            }
            let Some(Reverse(waiting)) = self.queue.pop() else {
                break;
            };
            if !self.can_win(&waiting.bound) {
                // The queue is ordered by the same bound: nothing behind can win either.
                self.queue.clear();
                break;
            }
            self.taken += 1;
            if self.is_known_invalid(&waiting.bound.node()) {
                let floor = waiting.bound.cost;
                self.push_successors(&waiting, floor);
            } else {
                batch.push(waiting);
            }
        }
        batch
    }

    fn can_win(&self, bound: &Candidate) -> bool {
        match &self.best {
            None => true,
            Some(best) if self.all_ties => bound.cost <= best.cost,
            Some(best) => bound < best,
        }
    }

    fn is_known_invalid(&self, node: &Node) -> bool {
        self.invalid.iter().any(|above| above.generalizes(node))
    }

    /// Checks a node and, where it is invalid and that means something, bisects a chain from it to the top.
    fn settle(&self, node: &Node) -> Vec<Checked> {
        let own = self.explorer.check(node);
        // A node that is invalid for reasons that prove nothing about others is worth a dive only for a first candidate.
        if own.valid.is_some() || !(own.hopeless || self.best.is_none()) {
            return vec![own];
        }
        let for_proof = own.hopeless;
        let chain = self.chain(node);
        let mut checks = vec![own];
        let (mut low, mut high) = (0, chain.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let check = self.explorer.check(&chain[middle]);
            let go_up = if for_proof {
                check.hopeless
            } else {
                check.valid.is_none()
            };
            if go_up {
                low = middle + 1;
            } else {
                high = middle;
            }
            checks.push(check);
        }
        checks
    }

    /// The way up that raises the metric's floor least at each step.
    fn chain(&self, node: &Node) -> Vec<Node> {
        let mut chain: Vec<Node> = Vec::new();
        let mut at = node.clone();
        while let Some(next) = self
            .lattice
            .successors(&at)
            .min_by_key(|next| self.task.metric.floor(next))
        {
            chain.push(next.clone());
            at = next;
        }
        chain
    }

    fn learn(&mut self, checks: Vec<Checked>) {
        for check in checks {
            match check.valid {
                Some((suppressed, cost)) => {
                    self.offer(Candidate::new(&check.node, suppressed, cost));
                }
                None if check.hopeless && !self.is_known_invalid(&check.node) => {
                    self.invalid.retain(|known| !check.node.generalizes(known));
                    self.invalid.push(check.node);
                }
                None => {}
            }
        }
    }

    fn offer(&mut self, candidate: Candidate) {
        if self.all_ties {
            self.ties.push(candidate.clone());
        }
        if self.best.as_ref().is_none_or(|best| candidate < *best) {
            self.best = Some(candidate);
        }
    }

    /// Every node above is reached from one below: the one that lacks its last raised attribute's last step.
    fn push_successors(&mut self, waiting: &Waiting, floor: Cost) {
        let node = waiting.bound.node();
        for at in waiting.first..self.lattice.attributes() {
            let level = node.levels()[at];
            if level < self.lattice.top().levels()[at] {
                let above = node.with(at, level + 1);
                let cost = self.task.metric.floor(&above).max(floor);
                let bound = Candidate::new(&above, 0, cost);
                if self.can_win(&bound) {
                    self.queue.push(Reverse(Waiting { bound, first: at }));
                }
            }
        }
    }
}
