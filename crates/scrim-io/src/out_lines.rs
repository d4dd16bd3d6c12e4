//! The different lines of a table that is written by its order: rows that are equal in all columns look the same in the
//! file, so each is made ready once, and a row of the file costs one look-up.
//!
//! **Cost.** Four bytes for each row that the columns hold, and a key for each different line.

use scrim::frequency::{Distinct, distinct};
use scrim::table::Codes;

use crate::out::{Order, OutColumn};

/// Which rows of some columns are equal in all of them.
pub(crate) struct DistinctLines {
    /// The line of each row that the columns hold.
    of_row: Vec<u32>,
    /// A row that has it, by line.
    first_rows: Vec<u32>,
}

impl DistinctLines {
    /// Numbers the lines by first occurrence.
    pub(crate) fn new(columns: &[OutColumn], rows: usize) -> Self {
        let widths: Vec<usize> = columns.iter().map(|column| column.labels.len()).collect();
        let codes: Vec<&Codes> = columns.iter().map(|column| &column.codes).collect();
        let Distinct { of_row, first_rows } = distinct(&widths, &codes, rows);
        Self { of_row, first_rows }
    }

    /// A row that has it, by line.
    pub(crate) fn first_rows(&self) -> &[u32] {
        &self.first_rows
    }

    /// The line of each different row, as [`Order::places`] tells where it stands.
    pub(crate) fn at(&self, places: &[u32]) -> Vec<u32> {
        let line = |place: &u32| match *place {
            Order::GONE => Order::GONE,
            place => self.of_row[place as usize],
        };
        places.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_have_one_line_also_far_apart_and_rows_that_are_gone_have_none() {
        let rows = 40_000;
        let column = |name: &str, every: usize| OutColumn {
            name: name.to_owned(),
            labels: vec![None; every],
            codes: Codes::collect(every, (0..rows).map(|row| (row % every) as u32)),
        };
        let columns = [column("a", 3), column("b", 500), column("c", 1500)];
        let lines = DistinctLines::new(&columns, rows);
        // The third column tells the others.
        assert_eq!(lines.first_rows(), (0..1500).collect::<Vec<u32>>());
        let places = [0, Order::GONE, 39_999, 1500];
        assert_eq!(lines.at(&places), [0, Order::GONE, 39_999 % 1500, 0]);
    }
}
