//! Whether the rows of a release stand in canonical order.

use std::cmp::Ordering;

use crate::table::{Code, Column, Table};

/// Checks that the rows of a file stand in canonical order: by its columns from left to right, each by text. A missing value is compared
/// by its spelling; where the format has none, it comes first.
#[derive(Debug)]
pub struct SortedRows {
    spells_missing: bool,
    /// The last row so far.
    last: Option<Vec<Option<String>>>,
    /// How many rows so far.
    rows: u64,
}

impl SortedRows {
    /// Nothing was read yet.
    pub fn new(spells_missing: bool) -> Self {
        Self {
            spells_missing,
            last: None,
            rows: 0,
        }
    }

    /// Checks the next part of the file: a table that has each distinct row once, and says how often and where first it stands in the
    /// file. Answers what is wrong.
    pub fn add(&mut self, part: &Table) -> Result<(), String> {
        let mut rows: Vec<usize> = (0..part.rows()).collect();
        rows.sort_unstable_by_key(|row| part.first(*row));
        let wrong = |row: usize| {
            let row = part.first(row) + 1;
            Err(format!(
                "row {row} of the release is not in canonical order"
            ))
        };
        let mut before: Option<usize> = None;
        for row in rows {
            let follows = match (before, &self.last) {
                (Some(before), _) => self.compare(part, before, row).is_le(),
                (None, Some(last)) => *last <= self.texts(part, row),
                (None, None) => true,
            };
            if !follows || part.first(row) != self.rows {
                return wrong(row);
            }
            self.rows += part.times(row);
            before = Some(row);
        }
        if let Some(row) = before {
            self.last = Some(self.texts(part, row));
        }
        Ok(())
    }

    fn compare(&self, part: &Table, one: usize, other: usize) -> Ordering {
        for column in part.columns() {
            let codes = (column.codes().get(one), column.codes().get(other));
            if codes.0 != codes.1 {
                return self.text(column, codes.0).cmp(&self.text(column, codes.1));
            }
        }
        Ordering::Equal
    }

    fn texts(&self, part: &Table, row: usize) -> Vec<Option<String>> {
        let columns = part.columns().iter();
        let text = |column: &Column| {
            self.text(column, column.codes().get(row))
                .map(str::to_owned)
        };
        columns.map(text).collect()
    }

    fn text<'c>(&self, column: &'c Column, code: Code) -> Option<&'c str> {
        let has_text = self.spells_missing || column.dictionary().missing() != Some(code);
        has_text.then(|| column.dictionary().text(code))
    }
}

/// Checks that the rows of a whole file stand in canonical order ([`SortedRows`]).
pub fn must_be_sorted(release: &Table, spells_missing: bool) -> Result<(), String> {
    SortedRows::new(spells_missing).add(release)
}
