//! The rows of a file, a row group at a time.

use std::ops::Range;

use crate::error::IoError;
use crate::order::OrderReader;
use crate::out::{Order, OutColumn};
use crate::out_lines::DistinctLines;

const UNSEEN: u32 = u32::MAX;

/// Rows of the order that are looked at together.
const ROWS: usize = 1 << 16;

/// The rows of one row group.
#[derive(Clone, Debug)]
pub(super) enum Group<'a> {
    /// These rows of the columns.
    Rows(Range<usize>),
    /// Rows that repeat: the line of each, numbered by first occurrence within the group, and a row of the columns
    /// that has it, by line.
    Lines {
        of_row: &'a [u32],
        first_rows: &'a [u32],
    },
}

impl Group<'_> {
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Lines { of_row, .. } => of_row.len(),
        }
    }
}

/// Cuts the rows of a file into groups of equal size.
pub(super) struct Groups<'a> {
    size: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Rows(Range<usize>),
    Lines(Lines<'a>),
}

impl<'a> Groups<'a> {
    pub(super) fn new(
        columns: &[OutColumn],
        rows: usize,
        order: Option<Order<'a>>,
        size: usize,
    ) -> Self {
        let kind = match order {
            None => Kind::Rows(0..rows),
            Some(order) => Kind::Lines(Lines::new(&DistinctLines::new(columns, rows), order)),
        };
        Self { size, kind }
    }

    /// The next group, as long as there are rows.
    pub(super) fn next(&mut self) -> Result<Option<Group<'_>>, IoError> {
        let group = match &mut self.kind {
            Kind::Rows(rows) => {
                let end = rows.end.min(rows.start + self.size);
                Group::Rows(std::mem::replace(&mut rows.start, end)..end)
            }
            Kind::Lines(lines) => lines.next(self.size)?,
        };
        Ok((group.rows() > 0).then_some(group))
    }
}

struct Lines<'a> {
    /// The different row of each row of the file.
    rows: OrderReader<'a>,
    /// The line of each different row.
    line_of: Vec<u32>,
    /// A row of the columns that has it, by line.
    first_rows: Vec<u32>,
    /// The number of each line within the group.
    numbers: Vec<u32>,
    /// The lines of the group, by number.
    met: Vec<u32>,
    of_row: Vec<u32>,
    group_first_rows: Vec<u32>,
}

impl<'a> Lines<'a> {
    fn new(distinct: &DistinctLines, order: Order<'a>) -> Self {
        Self {
            rows: order.reader(),
            line_of: distinct.at(order.places),
            first_rows: distinct.first_rows().to_vec(),
            numbers: vec![UNSEEN; distinct.first_rows().len()],
            met: Vec::new(),
            of_row: Vec::new(),
            group_first_rows: Vec::new(),
        }
    }

    fn next(&mut self, size: usize) -> Result<Group<'_>, IoError> {
        for line in self.met.drain(..) {
            self.numbers[line as usize] = UNSEEN;
        }
        self.of_row.clear();
        loop {
            let rows = self.rows.next((size - self.of_row.len()).min(ROWS))?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let line = self.line_of[*row as usize];
                if line == Order::GONE {
                    continue;
                }
                let number = &mut self.numbers[line as usize];
                if *number == UNSEEN {
                    *number = self.met.len() as u32;
                    self.met.push(line);
                }
                self.of_row.push(*number);
            }
        }
        self.group_first_rows.clear();
        let first_row = |line: &u32| self.first_rows[*line as usize];
        self.group_first_rows.extend(self.met.iter().map(first_row));
        Ok(Group::Lines {
            of_row: &self.of_row,
            first_rows: &self.group_first_rows,
        })
    }
}
