//! The search itself: prices for a bound, blocks made by prices, and branching on where a row stands.

use super::blocks::{Maker, Partition};
use super::prices::{Choice, Climb, FINE, Scratch};
use crate::algorithm::ending::Cut;
use crate::algorithm::{Progress, Stop, Watch};
use crate::error::Error;

/// Steps of the first climb, and of one after a branch.
const FIRST_STEPS: u32 = 6000;
pub(super) const LATER_STEPS: u32 = 120;
/// Every so many steps, sites are narrowed.
const NARROW_EVERY: u32 = 20;
/// Branching holds a choice for each row on the way down: this many pairs of a row and a site, all in all, at most.
pub(super) const MOST_HELD: usize = 50_000_000;

/// What came out.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) best: Partition,
    /// No partition costs less than this.
    pub(super) bound: i64,
    /// The prices that bound all partitions best.
    pub(super) prices: Vec<i64>,
    /// How many choices were bounded.
    pub(super) checked: u64,
    /// Why it ended before all was decided, where it did.
    pub(super) cut: Option<Cut>,
    /// Whether there was too much to branch on.
    pub(super) too_large: bool,
}

pub(super) struct Search<'a> {
    pub(super) maker: Maker<'a>,
    stop: Stop,
    pub(super) watch: &'a mut dyn Watch,
    best: Partition,
    least: i64,
    checked: u64,
    cut: Option<Cut>,
    asked: u64,
    stopped: Option<Error>,
    scratch: Scratch,
    /// Rows of one tuple, by their first: the one before each row, if it has the same tuple.
    twin: Vec<Option<u32>>,
    random: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(maker: Maker<'a>, watch: &'a mut dyn Watch) -> Self {
        let rows = maker.tuple_of_row.len() as u32;
        let best = Partition {
            blocks: vec![maker.block((0..rows).collect())],
        };
        let mut last: Vec<Option<u32>> = vec![None; rows as usize];
        let twin = (0..rows)
            .map(|row| last[maker.tuple_of_row[row as usize] as usize].replace(row))
            .collect();
        Self {
            least: best.cost(),
            best,
            maker,
            stop: watch.stop(),
            watch,
            checked: 0,
            cut: None,
            asked: 0,
            stopped: None,
            scratch: Scratch::default(),
            twin,
            random: 0x9E37_79B9_7F4A_7C15,
        }
    }

    /// Searches until all is decided or the time is up.
    pub(super) fn run(mut self, choice: Choice) -> Result<Outcome, Error> {
        let mut prices: Vec<i64> = vec![i64::MAX; choice.left.len()];
        for site in &choice.sites {
            for row in &site.rows {
                let price = &mut prices[*row as usize];
                *price = (*price).min(site.cost * FINE);
            }
        }
        self.try_prices(&choice, &prices);
        let mut climb = Climb::new(prices);
        let mut choice = choice;
        let mut too_large = false;
        let low = if self.climb_first(&mut choice, &mut climb)? {
            let held = choice.pairs().saturating_mul(choice.left.len());
            too_large = held > MOST_HELD;
            if too_large || self.is_late() {
                climb.best
            } else {
                self.branch(choice, &climb)?
            }
        } else {
            self.goal()
        };
        if let Some(stopped) = self.stopped {
            return Err(stopped);
        }
        Ok(Outcome {
            // Costs are whole.
            bound: (low.clamp(0, self.goal()) + FINE - 1) / FINE,
            best: self.best,
            prices: climb.best_prices,
            checked: self.checked,
            cut: self.cut,
            too_large,
        })
    }

    /// The cost of the best partition, in parts.
    fn goal(&self) -> i64 {
        self.least * FINE
    }

    /// Whatever improves costs at most this, in parts.
    fn most(&self) -> i64 {
        (self.least - 1) * FINE
    }

    /// Whether the time is up, or the user stopped the work; the latter ends the search at its next word.
    fn is_late(&mut self) -> bool {
        self.asked += 1;
        let is_over = self.cut.is_some() || self.stopped.is_some();
        if !is_over && (self.asked.is_multiple_of(64) || self.stop.is_set()) {
            self.stopped = self.tell("moving rows").err();
        }
        self.cut.is_some() || self.stopped.is_some()
    }

    fn tell(&mut self, doing: &'static str) -> Result<(), Error> {
        let told = self.watch.step(&Progress {
            doing,
            checked: self.checked,
            decided: None,
            best: None,
            cost: None,
        });
        if let Err(error) = told {
            self.cut = Some(Cut::from(error, self.watch)?);
        }
        Ok(())
    }

    /// Looks whether blocks by prices, made better, are the best so far.
    fn try_prices(&mut self, choice: &Choice, prices: &[i64]) {
        let mut partition = self.maker.by_prices(choice, prices);
        self.improve(&mut partition);
        self.offer(partition);
    }

    fn improve(&mut self, partition: &mut Partition) {
        let maker = self.maker;
        maker.improve(partition, &mut || self.is_late());
    }

    fn offer(&mut self, partition: Partition) {
        let cost = partition.cost();
        if cost < self.least {
            self.least = cost;
            self.best = partition;
        }
    }

    /// Shakes the best partition so many times.
    fn shake(&mut self, times: u32) {
        let rows = self.twin.len() as u64;
        for turn in 0..times {
            if self.least == 0 || self.is_late() {
                return;
            }
            self.random = self
                .random
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            let row = (self.random >> 33) % rows;
            let mut partition = self.best.clone();
            self.maker
                .shake(&mut partition, row as u32, 2 + turn as usize % 3);
            self.improve(&mut partition);
            if partition.cost() == self.least {
                self.best = partition;
            } else {
                self.offer(partition);
            }
        }
    }

    /// The first climb; false when it shows that the best partition is the best of all.
    fn climb_first(&mut self, choice: &mut Choice, climb: &mut Climb) -> Result<bool, Error> {
        for step in 0..FIRST_STEPS {
            if climb.best > self.most() {
                return Ok(false);
            }
            if climb.is_done() || self.is_late() {
                break;
            }
            let goal = self.goal();
            climb.step(choice, goal, 30, &mut self.scratch);
            self.checked += 1;
            if step % NARROW_EVERY == 0 {
                self.tell("pricing rows")?;
                let prices = climb.best_prices.clone();
                self.try_prices(choice, &prices);
                let prices = climb.prices.clone();
                self.try_prices(choice, &prices);
                self.shake(10);
            }
            if step % 100 == 99 && !self.narrow(choice, climb) {
                return Ok(false);
            }
        }
        self.shake(200);
        Ok(climb.best <= self.most() && self.narrow(choice, climb))
    }

    /// Narrows a choice by the best prices until nothing changes; false when nothing is left that improves.
    fn narrow(&mut self, choice: &mut Choice, climb: &mut Climb) -> bool {
        loop {
            let before = choice.pairs();
            let bound = choice.bound(&climb.best_prices, &mut self.scratch);
            climb.best = climb.best.max(bound);
            if bound > self.most() || !choice.narrow(&climb.best_prices, bound, self.most()) {
                return false;
            }
            if !self.order_twins(choice) {
                return false;
            }
            if choice.pairs() == before {
                return true;
            }
        }
    }

    /// Rows of one tuple may be exchanged: each stands at no earlier site than the one before it.
    fn order_twins(&self, choice: &mut Choice) -> bool {
        let rows = self.twin.len();
        let (mut first, mut last) = (vec![usize::MAX; rows], vec![0; rows]);
        for (at, site) in choice.sites.iter().enumerate() {
            for row in &site.rows {
                let row = *row as usize;
                first[row] = first[row].min(at);
                last[row] = at;
            }
        }
        let (own_first, own_last) = (first.clone(), last.clone());
        for row in 0..rows {
            if let Some(twin) = self.twin[row] {
                first[row] = first[row].max(first[twin as usize]);
            }
        }
        for row in (0..rows).rev() {
            if let Some(twin) = self.twin[row] {
                let twin = twin as usize;
                last[twin] = last[twin].min(last[row]);
            }
        }
        if first == own_first && last == own_last {
            return true;
        }
        for (at, site) in choice.sites.iter_mut().enumerate() {
            site.rows
                .retain(|row| (first[*row as usize]..=last[*row as usize]).contains(&at));
        }
        choice.settle()
    }

    /// Decides a choice; gives the bound of what remains undecided in it, or of what cannot improve.
    fn branch(&mut self, choice: Choice, above: &Climb) -> Result<i64, Error> {
        self.tell("branching")?;
        let Some(row) = pick(&choice) else {
            // Every row has one site: the bound is the cost.
            self.take(&choice);
            return Ok(self.goal());
        };
        let mut ways: Vec<(i64, Choice, Climb)> = Vec::new();
        let sites = (0..choice.sites.len()).filter(|at| choice.sites[*at].rows.contains(&row));
        for at in sites {
            if let Some((child, climb)) = self.child(&choice, above, row, at)? {
                ways.push((climb.best, child, climb));
            }
            if self.is_late() {
                return Ok(above.best);
            }
        }
        drop(choice);
        ways.sort_by_key(|(bound, ..)| *bound);
        let mut low = i64::MAX;
        for (bound, child, climb) in ways {
            if bound > self.most() {
                low = low.min(self.goal());
            } else if self.is_late() {
                low = low.min(bound);
            } else {
                let inner = self.branch(child, &climb)?;
                low = low.min(inner.max(bound));
            }
        }
        Ok(low.min(self.goal()))
    }

    /// The choice in which a row stands at a site, with prices, unless it cannot improve.
    fn child(
        &mut self,
        choice: &Choice,
        above: &Climb,
        row: u32,
        site: usize,
    ) -> Result<Option<(Choice, Climb)>, Error> {
        let mut child = choice.clone();
        child.stand(row, site);
        if !child.settle() || !self.order_twins(&mut child) {
            return Ok(None);
        }
        let mut climb = Climb::from(above, 0.5);
        for step in 0..LATER_STEPS {
            let goal = self.goal();
            climb.step(&child, goal, 8, &mut self.scratch);
            self.checked += 1;
            if climb.best > self.most() {
                return Ok(None);
            }
            if climb.is_done() || self.is_late() {
                break;
            }
            if step % NARROW_EVERY == NARROW_EVERY - 1 && !self.narrow(&mut child, &mut climb) {
                return Ok(None);
            }
        }
        self.tell("branching")?;
        let prices = climb.best_prices.clone();
        self.try_prices(&child, &prices);
        if !self.narrow(&mut child, &mut climb) {
            return Ok(None);
        }
        Ok(Some((child, climb)))
    }

    /// The partition of a choice in which every row has one site.
    fn take(&mut self, choice: &Choice) {
        let blocks = choice
            .sites
            .iter()
            .map(|site| self.maker.block(site.rows.clone()));
        let mut partition = Partition {
            blocks: blocks.collect(),
        };
        self.improve(&mut partition);
        self.offer(partition);
    }
}

/// The open row with fewest sites; the first of them.
pub(super) fn pick(choice: &Choice) -> Option<u32> {
    let open = (0..).zip(&choice.left).filter(|(_, left)| **left > 1);
    open.min_by_key(|(row, left)| (**left, *row))
        .map(|(row, _)| row)
}
