//! The search under a metric that adds up over cells: bound, first partition, improvement.

use std::time::Instant;

use super::cheapest::cheapest;
use super::frame::Frame;
use super::greedy::greedy;
use super::partition::Partition;
use super::prices::Prices;
use super::rebuild::rebuild;
use super::settle::settle;
use crate::algorithm::{Progress, Watch};
use crate::error::Error;
use crate::random::Random;

/// Rounds of prices, and steps along the subgradient in each.
const ROUNDS: usize = 9;
const STEPS: usize = 12;
/// Rows join a class where their price lies no further below its cost, in mean costs.
const SLACKS: [f64; 3] = [0.25, 0.45, 0.7];

/// What is known when a search ends.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) partition: Partition,
    /// No release costs less.
    pub(super) bound: i64,
    pub(super) checked: u64,
}

/// When to stop.
pub(super) struct Clock<'w> {
    start: Instant,
    deadline: Option<Instant>,
    /// Whether to go on until then, as long as it helps.
    uses_time: bool,
    watch: &'w mut dyn Watch,
    /// The time is up, or the user wants the best so far.
    pub(super) out_of_time: bool,
    pub(super) interrupted: bool,
    /// What a cost and a bound are in the metric.
    metric: fn(&Frame<'_>, i64) -> f64,
}

impl<'w> Clock<'w> {
    pub(super) fn new(
        deadline: Option<Instant>,
        uses_time: bool,
        watch: &'w mut dyn Watch,
        metric: fn(&Frame<'_>, i64) -> f64,
    ) -> Self {
        Self {
            start: Instant::now(),
            deadline,
            uses_time,
            watch,
            out_of_time: false,
            interrupted: false,
            metric,
        }
    }

    /// Whether to stop with what there is.
    pub(super) fn is_over(&self) -> bool {
        self.out_of_time || self.interrupted
    }

    /// Tells how far it is, and whether there is time for more.
    fn goes_on(
        &mut self,
        frame: &Frame<'_>,
        doing: &'static str,
        checked: u64,
        state: Option<(i64, i64)>,
    ) -> Result<bool, Error> {
        let told = self.watch.step(&Progress {
            doing,
            checked,
            decided: None,
            best: None,
            cost: state
                .map(|(cost, bound)| ((self.metric)(frame, cost), (self.metric)(frame, bound))),
        });
        match told {
            Err(Error::Interrupted) if state.is_some() && self.watch.keeps_best() => {
                self.interrupted = true;
            }
            told => told?,
        }
        self.out_of_time |= self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        Ok(!self.is_over())
    }

    /// Whether so much of the time is gone.
    fn has_used(&self, share: f64) -> bool {
        self.deadline.is_some_and(|deadline| {
            let whole = deadline.saturating_duration_since(self.start);
            self.start.elapsed() > whole.mul_f64(share)
        })
    }
}

/// Searches; nothing where no partition is valid.
pub(super) fn search(frame: &Frame<'_>, clock: &mut Clock<'_>) -> Result<Option<Outcome>, Error> {
    clock.goes_on(frame, "bounding", 0, None)?;
    let cheapest = cheapest(frame);
    if cheapest.contains(&i64::MAX) {
        return Ok(None);
    }
    let mut prices = Prices::new(frame, &cheapest);
    let rows = frame.count().max(1) as f64;
    let first = |prices: &Prices<'_>, slack: f64| {
        let slack = slack * prices.bound as f64 / rows;
        greedy(frame, &prices.columns, &prices.of_tuple, slack)
    };
    let Some(mut partition) = first(&prices, SLACKS[1]) else {
        return Ok(None);
    };
    raise(frame, &mut prices, &partition, clock)?;
    if !clock.is_over() {
        prices.widen();
    }
    for slack in SLACKS {
        if clock.is_over() {
            break;
        }
        if let Some(other) = first(&prices, slack)
            && other.cost() < partition.cost()
        {
            partition = other;
        }
        let state = (partition.cost(), prices.bound);
        clock.goes_on(frame, "forming classes", prices.checked(), Some(state))?;
    }
    let (bound, checked) = (prices.bound, prices.checked());
    drop(prices);
    let known = Known {
        floors: &cheapest,
        bound,
        checked,
    };
    improve(frame, &mut partition, &known, clock)?;
    // However it ended: no class is empty.
    partition.tidy();
    Ok(Some(Outcome {
        partition,
        bound,
        checked,
    }))
}

/// Raises the bound by prices, as long as it rises and there is time.
pub(super) fn raise(
    frame: &Frame<'_>,
    prices: &mut Prices<'_>,
    partition: &Partition,
    clock: &mut Clock<'_>,
) -> Result<(), Error> {
    let cost = partition.cost();
    let plain = prices.bound;
    for round in 0..ROUNDS {
        // What a good release costs is not known yet.
        let goal = cost.min((plain + plain / 2).max(prices.bound + prices.bound / 12));
        let state = (cost, prices.bound);
        let goes_on = clock.goes_on(frame, "raising the bound", prices.checked(), Some(state))?;
        if !goes_on || prices.bound >= goal || clock.has_used(0.4) {
            break;
        }
        prices.climb(STEPS, goal);
        let before = prices.bound;
        let new = prices.price();
        let risen = prices.bound - before;
        if round > 3 && new == 0 && risen * 2000 < prices.bound {
            break;
        }
    }
    Ok(())
}

/// What is known of a problem before its partition is improved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'k> {
    /// What a row of each tuple costs at least.
    pub(super) floors: &'k [i64],
    pub(super) bound: i64,
    pub(super) checked: u64,
}

/// Closes, moves and makes anew, until it no longer helps or the time is up.
pub(super) fn improve(
    frame: &Frame<'_>,
    partition: &mut Partition,
    known: &Known<'_>,
    clock: &mut Clock<'_>,
) -> Result<(), Error> {
    let (bound, checked) = (known.bound, known.checked);
    let mut fell = i64::MAX;
    partition.tidy();
    while fell > partition.cost() / 1000 {
        let state = (partition.cost(), bound);
        if !clock.goes_on(
            frame,
            "closing classes and moving rows",
            checked,
            Some(state),
        )? {
            return Ok(());
        }
        fell = settle(frame, known.floors, partition);
        partition.tidy();
    }
    let mut random = Random::new(0x5C81);
    let classes = partition.blocks.len();
    // Sets to be tried: for each class some, fewer where there are many.
    let wanted = (6 * classes).min(40_000 + 2 * classes).max(1000);
    let mut tried = 0;
    let mut idle = 0;
    let patience = if clock.uses_time { 600 } else { 60 };
    while clock.uses_time || tried < wanted {
        let state = (partition.cost(), bound);
        if partition.cost() <= bound
            || idle == patience
            || !clock.goes_on(frame, "making classes anew", checked, Some(state))?
        {
            break;
        }
        let (sets, fell) = rebuild(frame, partition, &mut random);
        tried += sets.max(1);
        idle = if fell > 0 { 0 } else { idle + 1 };
    }
    if !clock.is_over() {
        settle(frame, known.floors, partition);
    }
    partition.tidy();
    Ok(())
}
