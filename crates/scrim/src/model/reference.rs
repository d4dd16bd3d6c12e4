//! The distribution that classes are compared with: that of the rows whose sensitive values are published.

use crate::frequency::Slice;
use crate::table::Code;

/// More rows than any table in memory; below it no distance overflows.
const MOST_ROWS: u64 = 1 << 48;

/// How often each value occurs in the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    counts: Vec<u64>,
    rows: u64,
}

impl Reference {
    /// Counts by code.
    pub(super) fn new(counts: Vec<u64>) -> Result<Self, String> {
        let rows = counts
            .iter()
            .try_fold(0u64, |sum, count| sum.checked_add(*count));
        match rows {
            Some(0) => Err("the reference distribution has no rows".to_owned()),
            Some(rows) if rows <= MOST_ROWS => Ok(Self { counts, rows }),
            _ => Err(format!(
                "the reference distribution has more than {MOST_ROWS} rows"
            )),
        }
    }

    /// Takes the rows of a class out, by their values.
    pub(super) fn remove(&mut self, class: Slice<'_>) {
        for (code, count) in class.iter() {
            let rows = u64::from(count);
            self.counts[code as usize] -= rows;
            self.rows -= rows;
        }
    }

    /// How many rows have a value; none have one that the reference does not know.
    pub(super) fn count(&self, code: Code) -> u64 {
        self.counts.get(code as usize).copied().unwrap_or(0)
    }

    /// All counts by code.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// All rows.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// How many different values occur in it.
    pub(super) fn distinct(&self) -> u64 {
        self.counts.iter().filter(|count| **count > 0).count() as u64
    }
}
