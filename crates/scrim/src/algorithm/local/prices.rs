//! Prices of rows: the sharper bound, and what guides the search.
//!
//! **Definition.** Let every row pay its price to the class that it stands in. The Lagrangian is the sum of all prices, less what
//! the best class of each vector, chosen for itself, gets beyond its cost. No release costs less.
//! **Reading.** At a vector a class takes all rows priced above its cost and, where these are too few, the dearest of the others. A
//! row of a crowd that can do without is worth little; one that must draw neighbours up with it is worth what they lose too.
//! **Holds because** a release is a choice of classes in which each row is taken once; the Lagrangian lets each vector choose alone.
//! For the bound prices are whole numbers, and the walk leaves out only vectors at which no class gets more than it costs.
//! **Does not find** the best prices: a subgradient, a number of rounds, each with the vectors that the last prices made pay.
//! **Cost.** A walk a round, and passes over the vectors kept. **Oracle.** The bound never exceeds `testkit::oracle::cell_optimum`.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::columns::{Columns, dearest, profit};
use super::frame::Frame;
use super::vectors::{Visit, Walk};
use crate::algorithm::Stop;

/// Vectors are kept as long as they cover no more than so many tuples together.
const ENTRIES: usize = 40_000_000;
/// Passes are made over so many pieces, whatever the number of threads.
const PIECES: usize = 32;

/// Prices, and what they prove.
#[derive(Debug)]
pub(super) struct Prices<'f> {
    frame: &'f Frame<'f>,
    stop: &'f Stop,
    /// The price of a row of each tuple, in units of cost.
    pub(super) of_tuple: Vec<f64>,
    pub(super) columns: Columns,
    /// No release costs less.
    pub(super) bound: i64,
    /// The prices that prove it.
    center: Vec<f64>,
    /// A price has so many whole parts a unit.
    fine: f64,
    step: f64,
}

/// A Lagrangian over the vectors kept.
struct Lagrangian {
    value: f64,
    /// By tuple: its rows, less those taken.
    gradient: Vec<i64>,
}

impl<'f> Prices<'f> {
    /// The plain prices: what the cheapest vector of each tuple costs. It is the bound to begin with.
    pub(super) fn new(frame: &'f Frame<'f>, cheapest: &[i64], stop: &'f Stop) -> Self {
        let bound = (0..)
            .zip(cheapest)
            .map(|(tuple, cost)| cost * i64::from(frame.weight(tuple)));
        let prices: Vec<f64> = cheapest.iter().map(|cost| *cost as f64).collect();
        let mut found = Self {
            frame,
            stop,
            center: prices.clone(),
            of_tuple: prices,
            columns: Columns::default(),
            bound: bound.sum(),
            fine: 1024.0,
            step: 0.3,
        };
        let limits: Vec<i64> = cheapest.iter().map(|cost| cost + 1).collect();
        let near = || Near {
            frame,
            limits: &limits,
            found: Vec::new(),
        };
        found.gather(near, |near| near.found);
        found
    }

    /// How many vectors were found worth keeping.
    pub(super) fn checked(&self) -> u64 {
        self.columns.len() as u64
    }

    /// Takes in what walks over all vectors find, in their order; says whether all vectors were seen.
    fn gather<V: Visit + Send>(
        &mut self,
        visit: impl Fn() -> V + Sync,
        take: impl Fn(V) -> Vec<(u64, i64, Vec<u32>)> + Sync,
    ) -> bool {
        let (frame, stop) = (self.frame, self.stop);
        let branches = Walk::new(frame, stop).branches(&mut visit());
        let found: Vec<Vec<(u64, i64, Vec<u32>)>> = branches
            .par_iter()
            .map_init(
                || Walk::new(frame, stop),
                |walk, branch| {
                    let mut visit = visit();
                    walk.branch(branch, &mut visit);
                    take(visit)
                },
            )
            .collect();
        let seen_all = !stop.is_set();
        for (key, floor, tuples) in found.into_iter().flatten() {
            if self.columns.entries() + tuples.len() > ENTRIES {
                break;
            }
            self.columns.add(key, floor, &tuples);
        }
        seen_all
    }

    /// So many steps along the subgradient over the vectors kept; `goal` is what a good release costs.
    pub(super) fn climb(&mut self, steps: usize, goal: i64) {
        let mut best = f64::MIN;
        let mut best_prices = self.of_tuple.clone();
        let mut stalled = 0;
        for _ in 0..steps {
            if self.stop.is_set() {
                break;
            }
            let found = self.lagrangian();
            if found.value > best {
                best = found.value;
                best_prices.clone_from(&self.of_tuple);
                stalled = 0;
            } else {
                stalled += 1;
                if stalled == 4 {
                    stalled = 0;
                    self.step *= 0.7;
                    self.of_tuple.clone_from(&best_prices);
                    continue;
                }
            }
            let square = |(tuple, by): (u32, &i64)| {
                let by = *by as f64;
                by * by / f64::from(self.frame.weight(tuple))
            };
            let norm: f64 = (0..).zip(&found.gradient).map(square).sum();
            let short = (goal as f64 - found.value).max(0.005 * goal as f64);
            if norm <= 0.0 || short <= 0.0 {
                break;
            }
            let step = self.step * short / norm;
            for (tuple, by) in (0..).zip(&found.gradient) {
                let price = &mut self.of_tuple[tuple as usize];
                *price =
                    (*price + step * *by as f64 / f64::from(self.frame.weight(tuple))).max(0.0);
            }
        }
        self.of_tuple = best_prices;
    }

    /// The Lagrangian over the vectors kept. The gradient is whole and the pieces are added in order, so that it is the
    /// same for any number of threads.
    fn lagrangian(&self) -> Lagrangian {
        let frame = self.frame;
        let columns = &self.columns;
        let piece = columns.len().div_ceil(PIECES).max(1);
        let pieces: Vec<(f64, Vec<(u32, i64)>)> = (0..PIECES)
            .into_par_iter()
            .map(|number| {
                let mut value = 0.0;
                let mut taken = Vec::new();
                let mut scratch = Vec::new();
                let range = number * piece..((number + 1) * piece).min(columns.len());
                for column in range {
                    let tuples = columns.tuples(column);
                    let cost = columns.floor(column) as f64;
                    let Some(found) = profit(frame, tuples, cost, &self.of_tuple, &mut scratch)
                    else {
                        continue;
                    };
                    value -= found.sum;
                    let mut left = found.margin.map_or(0, |(_, copies)| copies);
                    for tuple in tuples {
                        let over = self.of_tuple[*tuple as usize] - cost;
                        let rows = i64::from(frame.weight(*tuple));
                        match found.margin {
                            Some((margin, _)) if over < margin => {}
                            Some((margin, _)) if over.total_cmp(&margin).is_eq() => {
                                let copies = left.min(rows.cast_unsigned());
                                left -= copies;
                                taken.push((*tuple, copies.cast_signed()));
                            }
                            None if over <= 0.0 => {}
                            _ => taken.push((*tuple, rows)),
                        }
                    }
                }
                (value, taken)
            })
            .collect();
        let weights = (0..frame.tuples() as u32).map(|tuple| frame.weight(tuple));
        let mut gradient: Vec<i64> = weights.map(i64::from).collect();
        let mut value: f64 = (0..)
            .zip(&self.of_tuple)
            .map(|(tuple, price)| price * f64::from(frame.weight(tuple)))
            .sum();
        for (part, taken) in pieces {
            value += part;
            for (tuple, copies) in taken {
                gradient[tuple as usize] -= copies;
            }
        }
        Lagrangian { value, gradient }
    }

    /// Takes in vectors that would pay if prices were a little higher: classes that come close to the best.
    pub(super) fn widen(&mut self) {
        const HIGHER: f64 = 1.12;
        let whole: Vec<i64> = self
            .of_tuple
            .iter()
            .map(|price| (price * HIGHER * self.fine) as i64)
            .collect();
        let (frame, fine) = (self.frame, self.fine as i64);
        let visit = || Paying::new(frame, &whole, fine);
        self.gather(visit, |paying| paying.found);
    }

    /// Evaluates the Lagrangian over all vectors, takes in those that pay and are not kept, and says how many were new.
    /// Prices are pulled towards those of the best bound, so that it rises steadily.
    pub(super) fn price(&mut self) -> usize {
        const PULL: f64 = 0.3;
        let pulled = |(price, center): (&f64, &f64)| {
            ((price * (1.0 - PULL) + center * PULL) * self.fine) as i64
        };
        let whole: Vec<i64> = self.of_tuple.iter().zip(&self.center).map(pulled).collect();
        let before = self.columns.len();
        let frame = self.frame;
        let lost = Mutex::new(0i128);
        let fine = self.fine as i64;
        let visit = || Paying::new(frame, &whole, fine);
        let seen_all = self.gather(visit, |paying| {
            *lost.lock().unwrap_or_else(PoisonError::into_inner) += paying.lost;
            paying.found
        });
        // What vectors that were not seen get is not known, so nothing is proven.
        if !seen_all {
            return self.columns.len() - before;
        }
        let sum = (0..)
            .zip(&whole)
            .map(|(tuple, price)| i128::from(*price) * i128::from(frame.weight(tuple)));
        let value = sum.sum::<i128>() - lost.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Costs are whole, so a bound may be rounded up.
        let bound = value.div_euclid(fine.into()) + i128::from(value.rem_euclid(fine.into()) > 0);
        let bound = i64::try_from(bound).unwrap_or(i64::MIN);
        if bound > self.bound {
            self.bound = bound;
            self.center = whole
                .iter()
                .map(|price| *price as f64 / self.fine)
                .collect();
        }
        self.columns.len() - before
    }
}

/// Vectors that are cheaper than a limit of some tuple.
struct Near<'v> {
    frame: &'v Frame<'v>,
    limits: &'v [i64],
    found: Vec<(u64, i64, Vec<u32>)>,
}

impl Visit for Near<'_> {
    fn limit(&mut self, tuples: &[u32]) -> i64 {
        let limits = tuples.iter().map(|tuple| self.limits[*tuple as usize]);
        limits.max().unwrap_or(i64::MIN)
    }

    fn visit(&mut self, tuples: &[u32], floor: i64, key: u64) {
        if self.frame.covers(tuples) {
            self.found.push((key, floor, tuples.to_vec()));
        }
    }
}

/// Vectors at which a class gets more than it costs.
struct Paying<'v> {
    frame: &'v Frame<'v>,
    /// In parts of a unit.
    prices: &'v [i64],
    fine: i64,
    /// What all of them get beyond their cost.
    lost: i128,
    found: Vec<(u64, i64, Vec<u32>)>,
    scratch: Vec<(i64, u32)>,
}

impl<'v> Paying<'v> {
    fn new(frame: &'v Frame<'v>, prices: &'v [i64], fine: i64) -> Self {
        Self {
            frame,
            prices,
            fine,
            lost: 0,
            found: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// What a class of these tuples gets beyond its cost at the most, if anything.
    fn gets(&mut self, tuples: &[u32], floor: i64) -> Option<i64> {
        let cost = floor * self.fine;
        let least = self.frame.least as u64;
        let mut sum = 0;
        let mut count = 0u64;
        for tuple in tuples {
            let over = self.prices[*tuple as usize] - cost;
            if over > 0 {
                let rows = self.frame.weight(*tuple);
                sum += over * i64::from(rows);
                count += u64::from(rows);
            }
        }
        if count == 0 {
            return None;
        }
        if count < least {
            let (frame, prices) = (self.frame, self.prices);
            let others = tuples.iter().filter_map(|tuple| {
                let over = prices[*tuple as usize] - cost;
                (over <= 0).then(|| (over, frame.weight(*tuple)))
            });
            let mut need = least - count;
            dearest(&mut self.scratch, need, others);
            for (over, rows) in &self.scratch {
                let taken = need.min((*rows).into());
                sum += over * taken.cast_signed();
                need -= taken;
            }
            if need > 0 {
                return None;
            }
        }
        (sum > 0).then_some(sum)
    }
}

impl Visit for Paying<'_> {
    /// The mean price of as many of the dearest rows as a class needs: at that cost or above it none pays.
    fn limit(&mut self, tuples: &[u32]) -> i64 {
        let least = self.frame.least as u64;
        let (frame, prices) = (self.frame, self.prices);
        let worth = |tuple: &u32| (prices[*tuple as usize], frame.weight(*tuple));
        dearest(&mut self.scratch, least, tuples.iter().map(worth));
        let mut need = least;
        let mut sum = 0i128;
        for (price, rows) in &self.scratch {
            let taken = need.min((*rows).into());
            sum += i128::from(*price) * i128::from(taken);
            need -= taken;
        }
        let of = i128::from(self.fine) * i128::from(least);
        let limit = sum.div_euclid(of) + i128::from(sum.rem_euclid(of) > 0);
        i64::try_from(limit).unwrap_or(i64::MAX)
    }

    fn visit(&mut self, tuples: &[u32], floor: i64, key: u64) {
        if let Some(sum) = self.gets(tuples, floor)
            && self.frame.covers(tuples)
        {
            self.lost += i128::from(sum);
            self.found.push((key, floor, tuples.to_vec()));
        }
    }
}
