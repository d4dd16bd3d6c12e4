//! What is learnt of a node by counting its classes.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::candidate::Candidate;
use super::room::Room;
use crate::algorithm::task::Task;
use crate::frequency::{FrequencySet, Scratch};
use crate::hierarchy::Ladder;
use crate::metric::{Sizes, Tally};
use crate::model::Quantity;
use crate::recoding::Node;

/// A counted node.
#[derive(Debug)]
pub(super) struct Seen {
    /// The node in the order of preference, where it is valid.
    pub(super) valid: Option<Candidate>,
    /// Its classes, with the rows that every node below suppresses too; nothing where all nodes below are invalid, as it is.
    pub(super) lasting: Option<Tally>,
}

/// A set from which nodes above it are counted.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) set: Cow<'a, FrequencySet>,
    pub(super) sizes: Sizes,
    /// Tuples of all sources that there are.
    held: Arc<AtomicUsize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(set: Cow<'a, FrequencySet>, held: &Arc<AtomicUsize>) -> Arc<Self> {
        held.fetch_add(set.len(), Ordering::Relaxed);
        Arc::new(Self {
            sizes: Sizes::of(set.rows()),
            set,
            held: Arc::clone(held),
        })
    }
}

impl Drop for Source<'_> {
    fn drop(&mut self) {
        self.held.fetch_sub(self.set.len(), Ordering::Relaxed);
    }
}

/// Counts and judges nodes.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) task: &'a Task<'a>,
    /// Where the models ask for so many rows a class and nothing else.
    least_rows: Option<u64>,
    /// Whether an invalid node shows that all nodes below are invalid.
    pub(super) prunes: bool,
    room: Room,
    /// Those that are not in use; there are never more than threads.
    scratches: Mutex<Vec<Scratch>>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(task: &'a Task<'a>, room: Room) -> Self {
        let mut rows = task.models.models().map(|model| match model.least_size() {
            Some(Quantity::Rows(rows)) => Some(rows),
            _ => None,
        });
        let least_rows = rows.try_fold(0, |most: u64, rows| Some(most.max(rows?)));
        Self {
            task,
            least_rows: least_rows.filter(|_| task.metric.sensitive_domains().is_empty()),
            prunes: task.models.prunes(task.limit),
            room,
            scratches: Mutex::default(),
        }
    }

    fn with_scratch<T>(&self, run: impl FnOnce(&mut Scratch) -> T) -> T {
        let all = || {
            self.scratches
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let free = all().pop();
        let mut scratch = free.unwrap_or_else(|| Scratch::new(self.room.array));
        let done = run(&mut scratch);
        all().push(scratch);
        done
    }

    /// The set that all others are counted from. Where only rows count its order is free, and many tuples are worth one that keeps
    /// what is counted together at hand.
    pub(super) fn ground(&self) -> Cow<'a, FrequencySet> {
        const MANY: usize = 1 << 17;
        let set = self.task.ground.set();
        if self.least_rows.is_some() && set.len() > MANY && self.room.sorts {
            Cow::Owned(set.sorted())
        } else {
            Cow::Borrowed(set)
        }
    }

    /// Counts a node.
    pub(super) fn see(&self, source: &FrequencySet, node: &Node) -> Seen {
        match self.least_rows {
            Some(least) => self.judge_sizes(source, node, least),
            None => self.judge(&source.roll_up(self.task.ladders, node)),
        }
    }

    /// Counts a node, and gives its set where that is much smaller than the source.
    pub(super) fn see_set(
        &self,
        source: &FrequencySet,
        node: &Node,
    ) -> (Seen, Option<FrequencySet>) {
        let smaller = |tuples: usize| tuples * 4 <= source.len() * 3;
        if let Some(least) = self.least_rows {
            let (ladders, all) = (self.task.ladders, self.task.ground.rows());
            let set = self.with_scratch(|scratch| {
                let seems = source.seems(ladders, node, all, scratch);
                let sum = || source.summed(ladders, node, (all, seems), scratch);
                seems.is_none_or(smaller).then(sum)
            });
            let seen = self.judge_sizes(set.as_ref().unwrap_or(source), node, least);
            (seen, set.filter(|set| smaller(set.len())))
        } else {
            let set = source.roll_up(self.task.ladders, node);
            (self.judge(&set), Some(set).filter(|set| smaller(set.len())))
        }
    }

    fn judge_sizes(&self, source: &FrequencySet, node: &Node, least: u64) -> Seen {
        let (ladders, all) = (self.task.ladders, self.task.ground.rows());
        let limits = (least, self.task.limit);
        let found =
            self.with_scratch(|scratch| source.small_classes(ladders, node, limits, all, scratch));
        let tally = found.map(|found| Tally::suppressing(ladders, node, found, all));
        Seen {
            valid: tally.as_ref().map(|tally| self.candidate(tally)),
            lasting: tally,
        }
    }

    /// The lowest node whose attributes each, with all others at the top, are not hopeless: known from the margins where
    /// only rows count.
    pub(super) fn lowest(&self, bottom: Node) -> Node {
        let Some(least) = self.least_rows else {
            return bottom;
        };
        let level = |(attribute, ladder): (usize, &Ladder)| {
            let mut counts = self.task.ground.marginal(attribute).to_vec();
            let mut level = 0;
            while level < ladder.height() && self.too_small(&counts, least) {
                let climb = ladder.climb(level, level + 1);
                level += 1;
                let mut above = vec![0; ladder.width(level)];
                let codes = climb.iter().zip(&counts);
                codes.for_each(|(code, rows)| above[*code as usize] += rows);
                counts = above;
            }
            level
        };
        let ladders = self.task.ladders.iter().enumerate();
        Node::new(ladders.map(level).collect::<Vec<_>>())
    }

    /// Judges a counted node.
    fn judge(&self, set: &FrequencySet) -> Seen {
        let judged = self.task.judge_within(set, self.task.limit);
        let tally = judged.map(|judged| self.task.tally(set, &judged));
        let valid = tally.as_ref().map(|tally| self.candidate(tally));
        let lasting = if self.prunes {
            // Either the suppressed rows last, or none are allowed, and there are none.
            tally
        } else {
            self.lasting(set)
        };
        Seen { valid, lasting }
    }

    fn candidate(&self, tally: &Tally) -> Candidate {
        let cost = self.task.metric.cost(tally);
        Candidate::new(&tally.node, tally.suppressed, cost)
    }

    /// Whether the classes of fewer rows than these have more rows than the limit.
    fn too_small(&self, sizes: &[u64], least: u64) -> bool {
        let small = sizes.iter().filter(|rows| **rows < least);
        small.sum::<u64>() > self.task.limit
    }

    /// The classes that break a model for good, unless they have more rows than the limit.
    fn lasting(&self, set: &FrequencySet) -> Option<Tally> {
        let mut failing = Vec::new();
        let mut rows = 0;
        for (number, class) in (0..).zip(set.classes()) {
            if self.task.models.breaks_for_good(class) {
                rows += class.rows();
                if rows > self.task.limit {
                    return None;
                }
                failing.push(number);
            }
        }
        let all = self.task.ground.rows();
        Some(Tally::new(self.task.ladders, set, &failing, all))
    }
}
