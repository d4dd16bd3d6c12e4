//! The cheapest vector of each tuple, and the plain bound.
//!
//! **Definition.** A released row stands at a vector that covers the rows of its class. Where every superset of a valid class is
//! valid, all that the vector covers is valid too. So no release costs less than the sum over rows of the cheapest such vector.

use std::sync::atomic::{AtomicI64, Ordering};

use rayon::prelude::*;

use super::frame::Frame;
use super::vectors::{Visit, Walk};
use crate::algorithm::Stop;

/// What the cheapest valid vector above each tuple costs; nothing where there was no time to see all vectors.
pub(super) fn cheapest(frame: &Frame<'_>, stop: &Stop) -> Option<Vec<i64>> {
    let best: Vec<AtomicI64> = (0..frame.tuples())
        .map(|_| AtomicI64::new(i64::MAX))
        .collect();
    let visit = || Cheapest { frame, best: &best };
    let branches = Walk::new(frame, stop).branches(&mut visit());
    // The least of all is the same in whatever order they come; only how much is left out differs.
    branches.par_iter().for_each_init(
        || Walk::new(frame, stop),
        |walk, branch| walk.branch(branch, &mut visit()),
    );
    let best = best.into_iter().map(AtomicI64::into_inner);
    (!stop.is_set()).then(|| best.collect())
}

struct Cheapest<'v> {
    frame: &'v Frame<'v>,
    best: &'v [AtomicI64],
}

impl Visit for Cheapest<'_> {
    fn limit(&mut self, tuples: &[u32]) -> i64 {
        let best = tuples.iter().map(|tuple| &self.best[*tuple as usize]);
        let most = best.map(|best| best.load(Ordering::Relaxed)).max();
        most.unwrap_or(i64::MIN)
    }

    fn visit(&mut self, tuples: &[u32], floor: i64, _: u64) {
        if self.frame.covers(tuples) {
            for tuple in tuples {
                self.best[*tuple as usize].fetch_min(floor, Ordering::Relaxed);
            }
        }
    }
}
