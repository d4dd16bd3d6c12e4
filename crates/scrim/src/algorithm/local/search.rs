//! The search under a metric that adds up over cells: bound, first partition, improvement.

use super::cheapest::cheapest;
use super::frame::Frame;
use super::greedy::greedy;
use super::partition::Partition;
use super::prices::Prices;
use super::rebuild::rebuild;
use super::settle::settle;
use crate::algorithm::ending::Cut;
use crate::algorithm::{Progress, Stop, Watch};
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
    pub(super) stop: Stop,
    /// Whether to go on until the time is up, as long as it helps.
    uses_time: bool,
    watch: &'w mut dyn Watch,
    /// Why it must end with what there is, where it must.
    pub(super) cut: Option<Cut>,
    /// What a cost and a bound are in the metric.
    metric: fn(&Frame<'_>, i64) -> f64,
}

impl<'w> Clock<'w> {
    pub(super) fn new(
        uses_time: bool,
        watch: &'w mut dyn Watch,
        cut: Option<Cut>,
        metric: fn(&Frame<'_>, i64) -> f64,
    ) -> Self {
        Self {
            stop: watch.stop(),
            uses_time,
            watch,
            cut,
            metric,
        }
    }

    /// Whether to stop with what there is.
    pub(super) fn is_over(&self) -> bool {
        self.cut.is_some()
    }

    /// Tells how far it is, and whether there is time for more.
    fn goes_on(
        &mut self,
        frame: &Frame<'_>,
        doing: &'static str,
        checked: u64,
        (cost, bound): (i64, i64),
    ) -> Result<bool, Error> {
        if self.is_over() {
            return Ok(false);
        }
        let told = self.watch.step(&Progress {
            doing,
            checked,
            decided: None,
            best: None,
            cost: Some(((self.metric)(frame, cost), (self.metric)(frame, bound))),
        });
        if let Err(error) = told {
            self.cut = Some(Cut::from(error, self.watch)?);
        }
        Ok(!self.is_over())
    }
}

/// Searches from a partition; what is found is no worse.
pub(super) fn search(
    frame: &Frame<'_>,
    start: Partition,
    clock: &mut Clock<'_>,
) -> Result<Outcome, Error> {
    let mut partition = start;
    let state = (partition.cost(), 0);
    let mut known = Known {
        floors: Vec::new(),
        bound: 0,
        checked: 0,
    };
    if clock.goes_on(frame, "bounding", 0, state)?
        && let Some(floors) = cheapest(frame, &clock.stop)
    {
        known.floors = floors;
        form(frame, &mut partition, &mut known, clock)?;
    }
    improve(frame, &mut partition, &known, clock)?;
    // However it ended: no class is empty.
    partition.tidy();
    Ok(Outcome {
        partition,
        bound: known.bound,
        checked: known.checked,
    })
}

/// Bounds the cost by prices, and forms classes by them where these cost less.
fn form(
    frame: &Frame<'_>,
    partition: &mut Partition,
    known: &mut Known,
    clock: &mut Clock<'_>,
) -> Result<(), Error> {
    let stop = clock.stop.clone();
    let mut prices = Prices::new(frame, &known.floors, &stop);
    let rows = frame.count().max(1) as f64;
    let offer = |prices: &Prices<'_>, slack: f64, partition: &mut Partition| {
        let slack = slack * prices.bound as f64 / rows;
        let formed = greedy(frame, &prices.columns, &prices.of_tuple, slack, &stop);
        if let Some(formed) = formed.filter(|formed| formed.cost() < partition.cost()) {
            *partition = formed;
        }
    };
    offer(&prices, SLACKS[1], partition);
    raise(frame, &mut prices, partition, clock)?;
    if !clock.is_over() {
        prices.widen();
    }
    for slack in SLACKS {
        if clock.is_over() {
            break;
        }
        offer(&prices, slack, partition);
        let state = (partition.cost(), prices.bound);
        clock.goes_on(frame, "forming classes", prices.checked(), state)?;
    }
    (known.bound, known.checked) = (prices.bound, prices.checked());
    Ok(())
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
        let goes_on = clock.goes_on(frame, "raising the bound", prices.checked(), state)?;
        if !goes_on || prices.bound >= goal || clock.stop.has_used(0.4) {
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
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// What a row of each tuple costs at least; nothing where that is not known.
    pub(super) floors: Vec<i64>,
    pub(super) bound: i64,
    pub(super) checked: u64,
}

/// Closes, moves and makes anew, until it no longer helps or the time is up.
pub(super) fn improve(
    frame: &Frame<'_>,
    partition: &mut Partition,
    known: &Known,
    clock: &mut Clock<'_>,
) -> Result<(), Error> {
    let (bound, checked) = (known.bound, known.checked);
    let mut fell = i64::MAX;
    partition.tidy();
    while fell > partition.cost() / 1000 {
        let state = (partition.cost(), bound);
        if !clock.goes_on(frame, "closing classes and moving rows", checked, state)? {
            return Ok(());
        }
        fell = settle(frame, &known.floors, partition, &clock.stop);
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
            || !clock.goes_on(frame, "making classes anew", checked, state)?
        {
            break;
        }
        let (sets, fell) = rebuild(frame, partition, &mut random, &clock.stop);
        tried += sets.max(1);
        idle = if fell > 0 { 0 } else { idle + 1 };
    }
    if !clock.is_over() {
        settle(frame, &known.floors, partition, &clock.stop);
    }
    partition.tidy();
    Ok(())
}
