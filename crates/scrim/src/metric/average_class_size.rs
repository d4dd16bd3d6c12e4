//! Average class size.
//!
//! **Definition.** Released rows divided by the number of published classes.
//! **Reading.** Suppressed rows that are kept with stars are one class, together with a kept class that is at the top
//! of every attribute. Dropped rows count neither as rows nor as a class.
//! **Bound.** Going up only merges classes. With stars, the published classes are never more than those before
//! suppression, so rows / classes bounds the cost there and above; with dropping there is no such bound, and none is
//! used. **Oracle.** `testkit::oracle::average_class_size`.

use super::{Cost, Metric, Tally};
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
}
