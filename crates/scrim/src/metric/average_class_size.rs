//! Average class size.
//!
//! **Definition.** Released rows divided by the number of published classes.
//! **Reading.** Suppressed rows that are kept with stars are one class, together with a kept class that is at the top
//! of every attribute. Dropped rows count neither as rows nor as a class.
//! **Bound.** Going up only merges classes. With stars, the published classes are never more than those before
//! suppression, so rows / classes bounds the cost there and above. A class that a node suppresses holds at least one
//! suppressed class of any node below it, and all of these are published as one. With dropping there is no such bound,
//! and none is used. **Oracle.** `testkit::oracle::average_class_size`.

use super::{Cost, Metric, Sizes, Tally};
use crate::recoding::Node;

/// Rows a class.
#[derive(Clone, Copy, Debug)]
pub struct AverageClassSize {
    /// Whether suppressed rows are kept with stars.
    pub keeps_rows: bool,
}

impl AverageClassSize {
    /// In steps of 2^-32 of a row: finer than two averages of one table can differ.
    fn quantize(rows: u64, classes: u64) -> Cost {
        Cost((u128::from(rows) << 32) / u128::from(classes.max(1)))
    }
}

impl Metric for AverageClassSize {
    fn cost(&self, tally: &Tally) -> Cost {
        let rows = if self.keeps_rows {
            tally.rows
        } else {
            tally.rows - tally.suppressed
        };
        Self::quantize(rows, tally.published_classes(self.keeps_rows))
    }

    fn floor(&self, _: &Node) -> Cost {
        Cost(0)
    }

    fn floor_counted(&self, tally: &Tally) -> Cost {
        if self.keeps_rows {
            Self::quantize(tally.rows, tally.classes)
        } else {
            Cost(0)
        }
    }

    fn floor_between(&self, _: &Node, below: Sizes, high: &Tally) -> Cost {
        if !self.keeps_rows {
            return Cost(0);
        }
        let suppressed = high.classes - high.kept_classes;
        let published = below.classes.saturating_sub(suppressed) + u64::from(suppressed > 0);
        Self::quantize(high.rows, published)
    }

    fn value(&self, cost: Cost) -> f64 {
        cost.0 as f64 / 2f64.powi(32)
    }
}
