//! What the rows and classes of a published table come to.

use serde::Serialize;

use super::classes::Classes;
use crate::table::Table;

/// The sizes of the classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClassSizes {
    /// How many classes.
    pub count: u64,
    /// Rows of the smallest.
    pub min: u64,
    /// Rows a class.
    pub mean: f64,
    /// Rows of the largest.
    pub max: u64,
}

/// Counts of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowCounts {
    /// Rows read.
    pub read: u64,
    /// Rows released.
    pub released: u64,
    /// Rows whose quasi-identifiers are suppressed, kept or not.
    pub suppressed: u64,
    /// Those of them whose sensitive values are starred too.
    pub withheld: u64,
}

/// What the classes of a table come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) rows: RowCounts,
    pub(super) sizes: ClassSizes,
    pub(super) squares: u128,
}

impl Totals {
    pub(super) fn of(table: &Table, classes: &Classes) -> Self {
        let rows = table.all_rows();
        Self {
            rows: RowCounts {
                read: rows,
                released: rows,
                suppressed: classes.suppressed(),
                withheld: classes.withheld(),
            },
            sizes: classes.sizes(),
            squares: classes.squares(),
        }
    }

    /// Adds those of another part.
    pub(super) fn add(&mut self, other: &Self) {
        self.rows.read += other.rows.read;
        self.rows.released += other.rows.released;
        self.rows.suppressed += other.rows.suppressed;
        self.rows.withheld += other.rows.withheld;
        let (own, new) = (&self.sizes, &other.sizes);
        let count = own.count + new.count;
        self.sizes = ClassSizes {
            count,
            min: match own.count {
                0 => new.min,
                _ => own.min.min(new.min),
            },
            mean: self.rows.released as f64 / count.max(1) as f64,
            max: own.max.max(new.max),
        };
        self.squares += other.squares;
    }
}
