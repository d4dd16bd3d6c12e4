//! Which line of the file a row begins on.

/// From a row's number to the line on which it begins in the file.
///
/// For Parquet, which has no lines, it is the 1-based number of the row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLines {
    first: u64,
    /// Rows that hold line breaks, and how many all rows up to and with this one hold.
    breaks: Vec<(u64, u64)>,
}

impl RowLines {
    /// Rows of one line each, the first of them here.
    pub(crate) fn starting_at(first: u64) -> Self {
        Self {
            first,
            breaks: Vec::new(),
        }
    }

    /// Notes line breaks within a row; rows come in order.
    pub(crate) fn add_breaks(&mut self, row: u64, count: u64) {
        let former = self.breaks.last().map_or(0, |(_, total)| *total);
        self.breaks.push((row, former + count));
    }

    /// The 1-based line on which a row (0-based) begins.
    #[must_use]
    pub fn line(&self, row: usize) -> u64 {
        let row = row as u64;
        let before = self.breaks.partition_point(|(broken, _)| *broken < row);
        let breaks = before.checked_sub(1).map_or(0, |last| self.breaks[last].1);
        self.first + row + breaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_within_a_row_move_the_rows_after_it() {
        let mut lines = RowLines::starting_at(2);
        lines.add_breaks(1, 2);
        lines.add_breaks(3, 1);
        let found: Vec<u64> = (0..5).map(|row| lines.line(row)).collect();
        assert_eq!(found, [2, 3, 6, 7, 9]);
    }
}
