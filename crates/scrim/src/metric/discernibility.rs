//! Discernibility.
//!
//! **Definition.** Each row costs the number of rows it cannot be told from: Σ |class|² over published classes, and the
//! number of all rows for each suppressed one.
//! **Reading.** Suppressed rows cost so whether they are kept with stars or dropped.
//! **Bound.** Squares of merged classes only grow, and a suppressed class costs more than its square, so the squares of
//! all classes at a node bound the cost there and above. Rows that a node suppresses as classes of size c lie, below it,
//! in classes of at most c: there they cost all rows instead of at most c each. **Oracle.** `testkit::oracle::discernibility`.

use super::{Cost, Metric, Sizes, Tally};
use crate::recoding::Node;

/// Sum of squared class sizes.
#[derive(Clone, Copy, Debug)]
pub struct Discernibility;

impl Metric for Discernibility {
    fn cost(&self, tally: &Tally) -> Cost {
        Cost(tally.kept_squares + u128::from(tally.suppressed) * u128::from(tally.rows))
    }

    fn asks_for_sizes(&self) -> bool {
        true
    }

    fn floor(&self, _: &Node) -> Cost {
        Cost(0)
    }

    fn floor_counted(&self, tally: &Tally) -> Cost {
        Cost(tally.squares)
    }

    fn floor_between(&self, _: &Node, below: Sizes, high: &Tally) -> Cost {
        let suppressed = u128::from(high.suppressed) * u128::from(high.rows);
        Cost((below.squares + suppressed).saturating_sub(high.squares - high.kept_squares))
    }

    fn value(&self, cost: Cost) -> f64 {
        cost.0 as f64
    }
}
