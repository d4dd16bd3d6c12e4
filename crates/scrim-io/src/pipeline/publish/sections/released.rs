//! A release as it was read back, section by section.

use std::borrow::Cow;

use scrim::table::Table;

use crate::pipeline::load::LoadedTable;
use crate::{IoError, OrderReader};

/// A release that is read section by section, or as the one that it is.
pub(super) struct Released<'a> {
    read: &'a LoadedTable,
    section: usize,
    pub(super) table: Cow<'a, Table>,
    order: OrderReader<'a>,
    /// The row after the last of the section.
    end: u64,
    /// Rows that were walked over.
    pub(super) rows: u64,
    pub(super) all: u64,
}

impl<'a> Released<'a> {
    pub(super) fn new(read: &'a LoadedTable) -> Result<Self, IoError> {
        let order = read.read.order.as_deref();
        let order = order.ok_or_else(|| IoError::internal("a release without an order"))?;
        Ok(Self {
            section: 0,
            table: table_of(read, 0)?,
            order: order.reader(),
            end: end_of(read, 0),
            rows: 0,
            all: order.rows(),
            read,
        })
    }

    /// The rows of the section's table that some of its next rows are, at most so many.
    pub(super) fn next(&mut self, most: usize) -> Result<&[u32], IoError> {
        let left = usize::try_from(self.end - self.rows).unwrap_or(usize::MAX);
        let rows = self.order.next(left.min(most))?;
        self.rows += rows.len() as u64;
        Ok(rows)
    }

    /// Whether all rows of the section were walked over.
    pub(super) fn is_at_an_end(&self) -> bool {
        self.rows == self.end
    }

    /// Goes on to the next section, if there is one.
    pub(super) fn next_section(&mut self) -> Result<bool, IoError> {
        if self.section + 1 >= count(self.read) {
            return Ok(false);
        }
        self.section += 1;
        self.table = table_of(self.read, self.section)?;
        self.end = end_of(self.read, self.section);
        Ok(true)
    }
}

/// How many sections it has.
pub(super) fn count(read: &LoadedTable) -> usize {
    let sections = read.read.sections.as_ref();
    sections.map_or(1, |sections| sections.len())
}

/// One of them.
pub(super) fn table_of(read: &LoadedTable, section: usize) -> Result<Cow<'_, Table>, IoError> {
    match &read.read.sections {
        Some(sections) => sections.table(section).map(Cow::Owned),
        None => Ok(Cow::Borrowed(&read.read.table)),
    }
}

fn end_of(read: &LoadedTable, section: usize) -> u64 {
    let sections = read.read.sections.as_ref();
    sections.map_or(read.read.rows, |sections| sections.of_file(section).end)
}
