//! All tables of least distortion, where there are few.
//!
//! **Definition.** A table says at which vector each row stands; two tables differ where some row stands at different vectors.
//! **Holds because** the same bound that proves the optimum bars a row from a vector only where every partition with it costs
//! *more* than the optimum, and branching tries every vector that is left for a row. With weights above 0 a row at a higher
//! vector than its block needs costs more, so each table of least distortion is found, and once.
//! **Reading.** Where a taxon costs as little as one below it (a weight of 0, or `loss-mean` where a taxon has one child),
//! cells could be raised for nothing: then only tables whose blocks stand at their least common ancestors are listed, and
//! their number is a lower bound. It is one too where there are more than [`MOST_COUNTED`] tables or where looking for
//! them takes more than a fixed amount of work, so that the answer does not depend on the machine unless time is up.

use std::collections::BTreeSet;

use super::axis::Axes;
use super::blocks::{Block, Maker, Partition};
use super::branch::{LATER_STEPS, MOST_HELD, pick};
use super::prices::{Choice, Climb, FINE, Scratch};
use crate::algorithm::Stop;
use crate::recoding::Local;

/// At most so many tables are listed, and so many counted.
pub(super) const MOST_LISTED: usize = 100;
pub(super) const MOST_COUNTED: u64 = 10_000;
/// How many pairs of a row and a site are looked at.
const MOST_WORK: usize = 60_000_000;

/// The tables that cost as little as the one that was found, which is one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct TiedTables {
    /// At most 100 of them; the one that was chosen is the first.
    pub listed: Vec<Local>,
    /// How many there are.
    pub count: u64,
    /// Whether there are no more than that.
    pub complete: bool,
}

/// What was found.
pub(super) struct Ties {
    /// The first of them, at most [`MOST_LISTED`].
    pub(super) listed: Vec<Partition>,
    pub(super) count: u64,
    pub(super) complete: bool,
    /// The first of least rank, and its rank, where tables are ranked.
    pub(super) best: Option<(Vec<u128>, Partition)>,
}

/// Looks for all partitions of a cost, beginning with prices that bound it well.
pub(super) struct Enumeration<'a, R> {
    maker: Maker<'a>,
    goal: i64,
    /// By what the partitions of least cost are ranked; an empty rank where they are not.
    rank: R,
    stop: Stop,
    work: usize,
    scratch: Scratch,
    /// The tables so far, where one could be found twice.
    seen: Option<BTreeSet<Vec<Vec<u32>>>>,
    ties: Ties,
}

impl<'a, R: Fn(&Partition) -> Vec<u128>> Enumeration<'a, R> {
    pub(super) fn new(maker: Maker<'a>, cost: i64, stop: Stop, rank: R) -> Self {
        let strict = raising_costs(maker.axes);
        Self {
            maker,
            goal: cost * FINE,
            rank,
            stop,
            work: 0,
            scratch: Scratch::default(),
            seen: (!strict).then(BTreeSet::new),
            ties: Ties {
                listed: Vec::new(),
                count: 0,
                complete: strict,
                best: None,
            },
        }
    }

    /// All partitions of the cost among those of a choice.
    pub(super) fn run(mut self, choice: Choice, prices: Vec<i64>) -> Ties {
        if choice.pairs().saturating_mul(choice.left.len()) > MOST_HELD {
            self.ties.complete = false;
        } else {
            self.visit(choice, Climb::new(prices));
        }
        self.ties
    }

    fn visit(&mut self, mut choice: Choice, mut climb: Climb) {
        if !self.narrow(&mut choice, &mut climb) {
            return;
        }
        let Some(row) = pick(&choice) else {
            self.take(&choice);
            return;
        };
        for at in 0..choice.sites.len() {
            if !choice.sites[at].rows.contains(&row) {
                continue;
            }
            if self.is_over() {
                self.ties.complete = false;
                return;
            }
            let mut child = choice.clone();
            child.stand(row, at);
            if child.settle()
                && let Some(climb) = self.climb(&child, &climb)
            {
                self.visit(child, climb);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.work > MOST_WORK || self.ties.count >= MOST_COUNTED || self.stop.is_set()
    }

    /// Better prices for a choice; none where no partition of it costs so little.
    fn climb(&mut self, choice: &Choice, above: &Climb) -> Option<Climb> {
        let mut climb = Climb::from(above, 0.5);
        for _ in 0..LATER_STEPS {
            climb.step(choice, self.goal, 8, &mut self.scratch);
            self.work += choice.pairs();
            if climb.best > self.goal {
                return None;
            }
            if climb.is_done() {
                break;
            }
        }
        Some(climb)
    }

    /// Takes rows from sites at which they stand in no partition of the cost; false where there is none.
    fn narrow(&mut self, choice: &mut Choice, climb: &mut Climb) -> bool {
        loop {
            let before = choice.pairs();
            self.work += before;
            let bound = choice.bound(&climb.best_prices, &mut self.scratch);
            climb.best = climb.best.max(bound);
            if bound > self.goal || !choice.narrow(&climb.best_prices, bound, self.goal) {
                return false;
            }
            if choice.pairs() == before {
                return true;
            }
        }
    }

    /// A choice in which every row has one site.
    fn take(&mut self, choice: &Choice) {
        let rows = choice.sites.iter().map(|site| site.rows.clone());
        let blocks: Vec<Block> = rows.map(|rows| self.maker.block(rows)).collect();
        let partition = Partition { blocks };
        if partition.cost() * FINE != self.goal {
            return;
        }
        if let Some(seen) = &mut self.seen
            && !seen.insert(partition.vectors(choice.left.len()))
        {
            return;
        }
        self.ties.count += 1;
        let rank = (self.rank)(&partition);
        let first = self.ties.best.as_ref().is_none_or(|(best, _)| rank < *best);
        if first {
            self.ties.best = Some((rank, partition.clone()));
        }
        if self.ties.listed.len() < MOST_LISTED {
            self.ties.listed.push(partition);
        }
    }
}

/// Whether every taxon costs more than those below it.
fn raising_costs(axes: &Axes) -> bool {
    axes.axes.iter().all(super::axis::Axis::raising_costs)
}
