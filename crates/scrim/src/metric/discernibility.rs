//! Discernibility.
//!
//! **Definition.** Each row costs the number of rows it cannot be told from: Σ |class|² over published classes, and the
//! number of all rows for each suppressed one.
//! **Reading.** Suppressed rows cost so whether they are kept with stars or dropped.
//! **Bound.** Squares of merged classes only grow, and a suppressed class costs more than its square, so the squares of
//! all classes at a node bound the cost there and above. **Oracle.** `testkit::oracle::discernibility`.

use super::{Cost, Metric, Tally};
use crate::recoding::Node;

/// Sum of squared class sizes.
#[derive(Clone, Copy, Debug)]
pub struct Discernibility;

impl Metric for Discernibility {
    fn cost(&self, tally: &Tally) -> Cost {
        Cost(tally.kept_squares + u128::from(tally.suppressed) * u128::from(tally.rows))
    }

    fn floor(&self, _: &Node) -> Cost {
        Cost(0)
    }

    fn floor_counted(&self, tally: &Tally) -> Cost {
        Cost(tally.squares)
    }
}
