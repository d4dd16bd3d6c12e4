//! What is learnt of a node by counting its classes.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::candidate::Candidate;
use super::pool::Pool;
use super::room::Room;
use crate::algorithm::preference::Preferred;
use crate::algorithm::task::{Judged, Task};
use crate::frequency::{Asked, Capped, FrequencySet, Scratch, SmallClasses};
use crate::hierarchy::Ladder;
use crate::metric::{Sizes, Tally};
use crate::recoding::Node;

/// A counted node.
#[derive(Debug)]
pub(super) struct Seen {
    /// The node in the order of preference, where it is valid.
    pub(super) valid: Option<Candidate>,
    /// Its classes, with the rows that every node below suppresses too; nothing where all nodes below are invalid, as it is.
    pub(super) lasting: Option<Tally>,
}

/// The tuples of a node, with their rows as far as the models ask for them.
#[derive(Debug)]
pub(super) enum Tuples<'a> {
    Exact(Cow<'a, FrequencySet>),
    Capped(Capped),
}

impl Tuples<'_> {
    pub(super) fn node(&self) -> &Node {
        match self {
            Self::Exact(set) => set.node(),
            Self::Capped(set) => set.node(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Exact(set) => set.len(),
            Self::Capped(set) => set.len(),
        }
    }

    /// Whether they are held, so that counting them costs no reading.
    fn is_held(&self) -> bool {
        match self {
            Self::Exact(set) => set.is_held(),
            Self::Capped(_) => true,
        }
    }

    /// Squares are known of exact counts only; nobody asks for those of others.
    fn sizes(&self) -> Sizes {
        match self {
            Self::Exact(set) => set.sizes(),
            Self::Capped(set) => Sizes {
                classes: set.len() as u64,
                squares: 0,
            },
        }
    }
}

/// Tuples from which nodes above them are counted.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) set: Tuples<'a>,
    pub(super) sizes: Sizes,
    /// Tuples of all sources that there are.
    all: Arc<AtomicUsize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(set: Tuples<'a>, all: &Arc<AtomicUsize>) -> Arc<Self> {
        let source = Self {
            sizes: set.sizes(),
            set,
            all: Arc::clone(all),
        };
        all.fetch_add(source.held(), Ordering::Relaxed);
        Arc::new(source)
    }

    /// How many tuples are held.
    fn held(&self) -> usize {
        if self.set.is_held() {
            self.set.len()
        } else {
            0
        }
    }
}

impl Drop for Source<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(self.held(), Ordering::Relaxed);
    }
}

/// Counts and judges nodes.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) task: &'a Task<'a>,
    /// Where the models ask for so many rows a class and nothing else.
    least_rows: Option<u64>,
    /// The same where a byte holds it, and the metric does not ask how large other classes are.
    least_capped: Option<u8>,
    /// Whether an invalid node shows that all nodes below are invalid.
    pub(super) prunes: bool,
    pub(super) preferred: Preferred,
    room: Room,
    /// Those that are not in use; there are never more than threads.
    scratches: Mutex<Vec<Scratch>>,
    pool: Pool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(task: &'a Task<'a>, room: Room, preferred: Preferred) -> Self {
        // Tuples that pass by are counted by number, where numbers fit.
        let set = task.ground.set();
        let counts = set.is_held() || set.has_numbers(task.ladders, task.ground.rows());
        let least_rows = task.least_rows().filter(|_| counts);
        let capped = least_rows.and_then(|rows| u8::try_from(rows).ok());
        let capped = capped.filter(|_| !task.metric.asks_for_sizes());
        Self {
            task,
            least_rows,
            least_capped: capped,
            prunes: task.models.prunes(task.limit),
            preferred,
            room,
            scratches: Mutex::default(),
            pool: Pool::new(room.most_tuples / 4),
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

    /// The tuples that all others are counted from. Where only rows count their order is free, and many are worth one that keeps
    /// what is counted together at hand.
    pub(super) fn ground(&self) -> Tuples<'a> {
        const MANY: usize = 1 << 17;
        let set = self.task.ground.set();
        let sorts = self.least_rows.is_some() && set.len() > MANY && set.is_held();
        // What has no room for sorted tuples has none for others either.
        let capped = self.least_capped.filter(|_| self.room.sorts);
        if let Some(capped) = capped.and_then(|_| Capped::of(set, self.task.ladders, sorts)) {
            Tuples::Capped(capped)
        } else if sorts && self.room.sorts {
            Tuples::Exact(Cow::Owned(set.sorted()))
        } else {
            Tuples::Exact(Cow::Borrowed(set))
        }
    }

    /// Counts a node.
    pub(super) fn see(&self, source: &Tuples<'_>, node: &Node) -> Seen {
        match (source, self.least_rows) {
            (Tuples::Exact(set), None) => self.judge_parts(set, node).0,
            (Tuples::Exact(set), Some(least)) => self.judge_sizes(set, node, least),
            (Tuples::Capped(set), _) => {
                let pooled = self.pool.below(node, set.len());
                let source = pooled.as_deref().unwrap_or(set);
                let wanted = |tuples: usize| self.pool.wants(tuples, source.len());
                self.judged(node, |scratch| {
                    let (found, set) = source.small_classes(self.asked(node), wanted, scratch);
                    if let Some(set) = set {
                        self.pool.add(set);
                    }
                    found
                })
            }
        }
    }

    /// Counts a node, and gives its tuples where they are much fewer than those of the source.
    pub(super) fn see_set(
        &self,
        source: &Tuples<'_>,
        node: &Node,
    ) -> (Seen, Option<Tuples<'static>>) {
        let most = if source.is_held() {
            usize::MAX
        } else {
            self.room.most_tuples
        };
        let smaller = |tuples: usize| tuples * 4 <= source.len() * 3 && tuples <= most;
        let (ladders, all) = (self.task.ladders, self.task.ground.rows());
        let exact = |set: FrequencySet| Tuples::Exact(Cow::Owned(set));
        match (source, self.least_rows) {
            (Tuples::Exact(set), None) => {
                let (seen, set) = self.judge_parts(set, node);
                (seen, set.filter(|set| smaller(set.len())).map(exact))
            }
            (Tuples::Exact(source), Some(least)) => {
                let set = self.with_scratch(|scratch| {
                    let seems = source.seems(ladders, node, all, scratch);
                    let sum = || source.summed(ladders, node, (all, seems), scratch);
                    seems.is_none_or(smaller).then(sum)
                });
                let seen = self.judge_sizes(set.as_ref().unwrap_or(source), node, least);
                (seen, set.filter(|set| smaller(set.len())).map(exact))
            }
            (Tuples::Capped(set), _) => {
                let mut made = None;
                let seen = self.judged(node, |scratch| {
                    let (found, set) =
                        set.small_classes_and_set(self.asked(node), smaller, scratch);
                    made = set;
                    found
                });
                (seen, made.map(Tuples::Capped))
            }
        }
    }

    fn judge_sizes(&self, source: &FrequencySet, node: &Node, least: u64) -> Seen {
        let (ladders, all) = (self.task.ladders, self.task.ground.rows());
        let limits = (least, self.task.limit);
        self.judged(node, |scratch| {
            source.small_classes(ladders, node, limits, all, scratch)
        })
    }

    /// What is asked of a node whose rows are capped.
    fn asked<'n>(&'n self, node: &'n Node) -> Asked<'n> {
        Asked {
            ladders: self.task.ladders,
            node,
            least: self.least_capped.unwrap_or(0),
            limit: self.task.limit,
        }
    }

    /// What small classes tell of a node, as `count` finds them.
    fn judged(
        &self,
        node: &Node,
        count: impl FnOnce(&mut Scratch) -> Option<SmallClasses>,
    ) -> Seen {
        let found = self.with_scratch(count);
        let (ladders, all) = (self.task.ladders, self.task.ground.rows());
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

    /// Counts a node and judges it, part by part; gives its set where that is one.
    fn judge_parts(&self, source: &FrequencySet, node: &Node) -> (Seen, Option<FrequencySet>) {
        let task = self.task;
        let mut lasting = Some(Tally::none(task.ladders, node, task.ground.rows()));
        let (valid, set) = task.release_of(source, node, |set, first| {
            // Either the suppressed rows last, or none are allowed, and there are none.
            let own = if self.prunes {
                first.cloned()
            } else {
                self.lasting(set)
            };
            lasting = task.join_within(lasting.take(), own.as_ref());
        });
        let seen = Seen {
            valid: valid.map(|tally| self.candidate(&tally)),
            lasting,
        };
        (seen, set)
    }

    fn candidate(&self, tally: &Tally) -> Candidate {
        let cost = self.task.metric.cost(tally);
        Candidate::new(&self.preferred, &tally.node, tally.suppressed, cost)
    }

    /// Whether the classes of fewer rows than these have more rows than the limit.
    fn too_small(&self, sizes: &[u64], least: u64) -> bool {
        let small = sizes.iter().filter(|rows| **rows < least);
        small.sum::<u64>() > self.task.limit
    }

    /// The classes that break a model for good, unless they have more rows than the limit.
    fn lasting(&self, set: &FrequencySet) -> Option<Tally> {
        let mut judged = Judged::default();
        for (number, class) in (0..).zip(set.classes()) {
            if self.task.models.breaks_for_good(class) {
                judged.suppressed += class.rows();
                if judged.suppressed > self.task.limit {
                    return None;
                }
                judged.failing.push(number);
            }
        }
        let judged = self.task.close(set, judged, self.task.limit)?;
        let all = self.task.ground.rows();
        Some(Tally::new(self.task.ladders, set, &judged.failing, all))
    }
}
