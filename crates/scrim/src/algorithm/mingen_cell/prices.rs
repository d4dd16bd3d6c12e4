//! Prices of rows: what covering a row may cost at most in any improvement, and so a bound on all partitions.
//!
//! **Definition.** With a price for each row, a site takes the rows that cost less than their price, at least k of them
//! or none; the prices, and what all sites lose by that, add up to a bound of every partition (the Lagrangian of "each
//! row stands at one site"). **Holds because** each site does what is best for it alone; prices are whole numbers, so
//! nothing is rounded. Prices go up for rows that no site takes and down for rows that many take.

use super::vectors::Site;

/// Prices are whole numbers of this part of a cost.
pub(super) const FINE: i64 = 1 << 10;

/// What is still open: the sites, the rows that each may have, and the rows that have one site left.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) sites: Vec<Site>,
    /// How many sites each row may stand at.
    pub(super) left: Vec<u32>,
    pub(super) k: usize,
}

/// Buffers of an evaluation.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    gains: Vec<(i64, u32)>,
    pub(super) taken: Vec<i64>,
}

impl Choice {
    pub(super) fn new(sites: Vec<Site>, rows: usize, k: usize) -> Option<Self> {
        let mut choice = Self {
            sites,
            left: vec![0; rows],
            k,
        };
        choice.settle().then_some(choice)
    }

    /// Drops sites with too few rows until none is left; false when a row has no site then.
    pub(super) fn settle(&mut self) -> bool {
        let k = self.k;
        self.sites.retain(|site| site.rows.len() >= k);
        self.left.fill(0);
        for row in self.sites.iter().flat_map(|site| &site.rows) {
            self.left[*row as usize] += 1;
        }
        !self.left.contains(&0)
    }

    /// Has a row stand at one site and at no other; the choice is then to be settled.
    pub(super) fn stand(&mut self, row: u32, site: usize) {
        for (at, other) in self.sites.iter_mut().enumerate() {
            if at != site {
                other.rows.retain(|other| *other != row);
            }
        }
    }

    pub(super) fn pairs(&self) -> usize {
        self.sites.iter().map(|site| site.rows.len()).sum()
    }

    /// The bound of these prices, in parts of a cost; `taken` says how many sites took each row.
    pub(super) fn bound(&self, prices: &[i64], scratch: &mut Scratch) -> i64 {
        let mut bound: i64 = prices.iter().sum();
        scratch.taken.clear();
        scratch.taken.resize(prices.len(), 0);
        for site in &self.sites {
            let cost = site.cost * FINE;
            let gains = &mut scratch.gains;
            gains.clear();
            let (mut forced, mut sum, mut any) = (0, 0, false);
            for row in &site.rows {
                let gain = cost - prices[*row as usize];
                if self.left[*row as usize] == 1 {
                    forced += 1;
                    sum += gain;
                } else {
                    any |= gain < 0;
                    gains.push((gain, *row));
                }
            }
            if forced == 0 && !any {
                continue;
            }
            let need = self.k.saturating_sub(forced);
            if need > 0 && need < gains.len() {
                gains.select_nth_unstable(need - 1);
            }
            let need = need.min(gains.len());
            let (first, rest) = gains.split_at(need);
            sum += first.iter().map(|(gain, _)| gain).sum::<i64>();
            sum += rest.iter().map(|(gain, _)| (*gain).min(0)).sum::<i64>();
            if forced == 0 && sum >= 0 {
                continue;
            }
            bound += sum;
            let more = rest.iter().filter(|(gain, _)| *gain < 0);
            for (_, row) in first.iter().chain(more) {
                scratch.taken[*row as usize] += 1;
            }
            if forced > 0 {
                let own = site
                    .rows
                    .iter()
                    .filter(|row| self.left[**row as usize] == 1);
                own.for_each(|row| scratch.taken[*row as usize] += 1);
            }
        }
        bound
    }

    /// Takes rows from sites at which they stand in no partition of at most `most` (in parts of a cost), which the
    /// prices show. False when nothing is left.
    pub(super) fn narrow(&mut self, prices: &[i64], bound: i64, most: i64) -> bool {
        let k = self.k;
        let mut gains: Vec<(i64, u32)> = Vec::new();
        for site in &mut self.sites {
            let cost = site.cost * FINE;
            gains.clear();
            let gain = |row: &u32| cost - prices[*row as usize];
            let fixed = site
                .rows
                .iter()
                .filter(|row| self.left[**row as usize] == 1);
            let (forced, own) =
                fixed.fold((0, 0), |(count, sum), row| (count + 1, sum + gain(row)));
            let free = site
                .rows
                .iter()
                .filter(|row| self.left[**row as usize] != 1);
            gains.extend(free.map(|row| (gain(row), *row)));
            gains.sort_unstable();
            // The best of all choices of at least so many rows; `least` is below the number of free rows.
            let best = |least: usize| {
                let taken = gains.iter().enumerate();
                let sums = taken.filter(|(at, (gain, _))| *at < least || *gain < 0);
                sums.map(|(_, (gain, _))| gain).sum::<i64>()
            };
            let need = k.saturating_sub(forced);
            let whole = own + best(need);
            let now = if forced == 0 { whole.min(0) } else { whole };
            let taken = gains
                .iter()
                .enumerate()
                .take_while(|(at, (gain, _))| *at < need || *gain < 0)
                .count();
            // A row that is not among those taken replaces the last that is taken only to make up the number.
            let last = match taken.checked_sub(1).map(|at| gains[at].0) {
                Some(last) if taken == need && last >= 0 => last,
                _ => 0,
            };
            let out = |at: usize| {
                let with = if at < taken {
                    whole
                } else {
                    whole - last + gains[at].0
                };
                bound - now + with > most
            };
            let mut gone: Vec<u32> = (0..gains.len())
                .filter(|at| out(*at))
                .map(|at| gains[at].1)
                .collect();
            if gone.is_empty() {
                continue;
            }
            gone.sort_unstable();
            site.rows.retain(|row| gone.binary_search(row).is_err());
        }
        self.settle()
    }
}

/// A climb towards the best prices.
#[derive(Clone, Debug)]
pub(super) struct Climb {
    pub(super) prices: Vec<i64>,
    /// The best bound so far and its prices.
    pub(super) best: i64,
    pub(super) best_prices: Vec<i64>,
    direction: Vec<f64>,
    pace: f64,
    stale: u32,
}

impl Climb {
    pub(super) fn new(prices: Vec<i64>) -> Self {
        Self {
            direction: vec![0.0; prices.len()],
            best: i64::MIN,
            best_prices: prices.clone(),
            prices,
            pace: 1.0,
            stale: 0,
        }
    }

    /// From the best prices of another choice.
    pub(super) fn from(other: &Self, pace: f64) -> Self {
        Self {
            pace,
            ..Self::new(other.best_prices.clone())
        }
    }

    /// Whether the steps became too small to matter.
    pub(super) fn is_done(&self) -> bool {
        self.pace < 0.004
    }

    /// One step; `goal` is the cost of the best partition, in parts.
    pub(super) fn step(
        &mut self,
        choice: &Choice,
        goal: i64,
        patience: u32,
        scratch: &mut Scratch,
    ) {
        let bound = choice.bound(&self.prices, scratch);
        if bound > self.best {
            self.best = bound;
            self.best_prices.clone_from(&self.prices);
            self.stale = 0;
        } else {
            self.stale += 1;
            if self.stale >= patience {
                self.stale = 0;
                self.pace *= 0.6;
                self.prices.clone_from(&self.best_prices);
                self.direction.fill(0.0);
                return;
            }
        }
        let mut square = 0.0;
        for (way, taken) in self.direction.iter_mut().zip(&scratch.taken) {
            *way = *way * 0.6 + (1 - taken) as f64;
            square += *way * *way;
        }
        if square <= 0.0 {
            self.pace = 0.0;
            return;
        }
        let length = self.pace * ((goal - bound).max(FINE) as f64) / square;
        for (price, way) in self.prices.iter_mut().zip(&self.direction) {
            *price += (way * length) as i64;
        }
    }
}
