//! The spans that wait, and what is known so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::candidate::{Best, Candidate};
use super::check::{Checker, Source};
use super::hopeless::Hopeless;
use super::room::Room;
use super::settle::{Settled, Settling};
use super::span::Span;
use crate::algorithm::ending::Cut;
use crate::algorithm::preference::Preferred;
use crate::algorithm::task::Task;
use crate::algorithm::{Progress, Stop, Watch};
use crate::error::Error;
use crate::metric::Cost;
use crate::recoding::Lattice;

/// Spans that are settled at once; fixed, so that nothing depends on the number of threads.
const BATCH: usize = 4;

/// Tuples to be looked at from which on a batch is worth a second thread.
const WORTH_A_THREAD: usize = 1 << 20;

/// How many attributes all waiting spans together may have before the search goes deep instead of wide.
const MOST_WAITING: usize = 200_000;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Proven,
    Cut(Cut),
}

/// The search.
#[derive(Debug)]
pub(super) struct Search<'a> {
    checker: Checker<'a>,
    room: Room,
    lattice: &'a Lattice,
    /// By bound.
    queue: BinaryHeap<Reverse<Span<'a>>>,
    most_waiting: usize,
    /// What is taken up before the queue, last first: one way down to a first good node, and all where the queue is full.
    stack: Vec<Span<'a>>,
    /// Whether the way down has not ended.
    dives: bool,
    pub(super) best: Best,
    hopeless: Hopeless,
    held: Arc<AtomicUsize>,
    pub(super) checked: u64,
    numbered: u64,
    /// Nodes not yet decided.
    open: u128,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        task: &'a Task<'a>,
        lattice: &'a Lattice,
        all_ties: bool,
        preferred: Preferred,
        most_waiting: Option<usize>,
        memory: Option<u64>,
    ) -> Self {
        let attributes = lattice.attributes().max(1);
        let room = Room::new(memory, task.ground.set());
        Self {
            checker: Checker::new(task, room, preferred),
            room,
            lattice,
            queue: BinaryHeap::new(),
            most_waiting: most_waiting.unwrap_or(MOST_WAITING / attributes),
            stack: Vec::new(),
            dives: true,
            best: Best::new(all_ties),
            hopeless: Hopeless::new(&lattice.top()),
            held: Arc::default(),
            checked: 0,
            numbered: 0,
            open: 0,
        }
    }

    /// Searches until all is decided, the time is up or the user has enough.
    pub(super) fn run(&mut self, watch: &mut dyn Watch) -> Result<End, Error> {
        let stop = watch.stop();
        self.start();
        loop {
            if stop.is_set()
                && let Some(cut) = self.tell(watch)?
            {
                return Ok(End::Cut(cut));
            }
            let batch = self.next_batch();
            if batch.is_empty() {
                return Ok(End::Proven);
            }
            for (at, settled) in self.settle(batch, &stop).into_iter().enumerate() {
                self.take(settled, at == 0);
            }
            if let Some(cut) = self.tell(watch)? {
                return Ok(End::Cut(cut));
            }
        }
    }

    /// Tells how far it is, and whether to end with what there is. Where all is decided the search just ends.
    fn tell(&self, watch: &mut dyn Watch) -> Result<Option<Cut>, Error> {
        match watch.step(&self.progress()) {
            Ok(()) => Ok(None),
            Err(Error::OutOfTime { .. }) if self.bound().is_none() => Ok(None),
            Err(Error::Interrupted) if self.best.get().is_none() => Err(Error::Interrupted),
            Err(error) => Cut::from(error, watch).map(Some),
        }
    }

    /// No node costs less that is not yet decided; nothing where all are.
    pub(super) fn bound(&self) -> Option<Cost> {
        let waiting = self.queue.peek().map(|Reverse(span)| &span.bound);
        let waiting = waiting
            .into_iter()
            .chain(self.stack.iter().map(|span| &span.bound));
        let open = waiting.filter(|bound| self.best.can_win(bound));
        open.map(|bound| bound.cost).min()
    }

    fn start(&mut self) {
        let task = self.checker.task;
        let (low, high) = (self.lattice.bottom(), self.lattice.top());
        let source = Source::new(self.checker.ground(), &self.held);
        let seen = self.checker.see(&source.set, &high);
        self.checked += 1;
        if let Some(valid) = seen.valid {
            self.best.offer(valid);
        }
        let Some(lasting) = seen.lasting else { return };
        let low = self.checker.lowest(low);
        let cost = task.metric.floor_between(&low, source.sizes, &lasting);
        let root = Span {
            bound: Candidate::new(&self.checker.preferred, &low, lasting.suppressed, cost),
            lasting: Arc::new(lasting),
            probes: vec![None; self.lattice.attributes()],
            source,
            joints: Vec::new(),
            tried: self.lattice.bottom(),
            low,
            high,
            number: 0,
        };
        if !root.is_single() {
            self.push(root, true);
        }
    }

    fn push(&mut self, mut span: Span<'a>, next: bool) {
        self.numbered += 1;
        span.number = self.numbered;
        self.open = self.open.saturating_add(span.size());
        if !next && self.queue.len() < self.most_waiting {
            self.queue.push(Reverse(span));
        } else {
            self.stack.push(span);
        }
    }

    fn next_batch(&mut self) -> Vec<Span<'a>> {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            let stacked = self.stack.pop();
            let from_queue = stacked.is_none();
            let next = stacked.or_else(|| self.queue.pop().map(|Reverse(span)| span));
            let Some(span) = next else { break };
            self.open = self.open.saturating_sub(span.size());
            if self.best.can_win(&span.bound) {
                batch.push(span);
            } else if from_queue {
                // It is ordered by the same bound: nothing behind can win either.
                self.queue.clear();
                self.open = 0;
            }
        }
        batch
    }

    fn settle(&self, batch: Vec<Span<'a>>, stop: &Stop) -> Vec<Settled<'a>> {
        let work = |span: &Span<'_>| span.source.set.len() * span.open().count();
        let settle = |span: Span<'a>| {
            let settling = Settling {
                checker: &self.checker,
                hopeless: &self.hopeless,
                stop,
                held: &self.held,
                best: self.best.alone(),
                settled: Settled::default(),
            };
            settling.run(span)
        };
        let worth = batch.iter().map(work).sum::<usize>() >= WORTH_A_THREAD;
        if !worth || !self.room.side_by_side {
            batch.into_iter().map(settle).collect()
        } else {
            batch.into_par_iter().map(settle).collect()
        }
    }

    fn take(&mut self, settled: Settled<'a>, first: bool) {
        self.checked += settled.checked;
        for offer in settled.offers {
            self.best.offer(offer);
        }
        for node in settled.hopeless {
            self.hopeless.add(&node);
        }
        let too_many = self.held.load(Ordering::Relaxed) > self.room.most_tuples;
        let mut parts = settled.parts;
        parts.sort_by(|left, right| right.bound.cmp(&left.bound));
        // The first of a batch is the way down, as long as there is one.
        let dives = first && self.dives;
        self.dives &= !first || !parts.is_empty();
        let better = parts.len().saturating_sub(1);
        for (at, mut part) in parts.into_iter().enumerate() {
            if too_many {
                part.joints.clear();
                if let Some(former) = &settled.former {
                    part.source = Arc::clone(former);
                }
            }
            if self.best.can_win(&part.bound) {
                self.push(part, dives && at == better);
            }
        }
    }

    fn progress(&self) -> Progress {
        let metric = self.checker.task.metric;
        let value = |cost: Cost| metric.value(cost);
        let best = self.best.get();
        let bound = self.bound().or(best.map(|best| best.cost));
        let size = u64::try_from(self.lattice.size()).ok();
        let open = u64::try_from(self.open).unwrap_or(u64::MAX);
        Progress {
            doing: "searching the lattice",
            checked: self.checked,
            decided: size.map(|size| (size - open.min(size), size)),
            best: best.map(Candidate::node),
            cost: best
                .zip(bound)
                .map(|(best, bound)| (value(best.cost), value(bound))),
        }
    }
}
