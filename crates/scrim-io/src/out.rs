//! What is written: columns of codes with a label for each code.

use std::path::Path;
use std::sync::Arc;

use scrim::Error;
use scrim::release::formula::guarded;
use scrim::table::{Code, Codes};

use crate::error::IoError;
use crate::order::{FileOrder, OrderReader};

/// A column to be written.
#[derive(Clone, Debug)]
pub struct OutColumn {
    /// Its name.
    pub name: String,
    /// The text of each code; nothing is a missing value, which CSV writes as an empty field.
    pub labels: Vec<Option<String>>,
    /// The codes of all rows.
    pub codes: Codes,
}

impl OutColumn {
    /// Puts an apostrophe before its name and its texts where a spreadsheet would run them.
    pub(crate) fn guard(&mut self) {
        let texts = self.labels.iter_mut().flatten();
        for text in texts.chain([&mut self.name]) {
            if let Some(guarded) = guarded(text) {
                *text = guarded;
            }
        }
    }
}

/// The rows of a file, where the columns hold each different row once.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Which different row each row of the file is.
    pub rows: &'a FileOrder,
    /// The first row of the file that is meant, and the one after the last.
    pub part: (u64, u64),
    /// Where a different row stands in the columns; [`Order::GONE`] where it does not.
    pub places: &'a [u32],
}

impl<'a> Order<'a> {
    /// All rows of a file.
    pub fn whole(rows: &'a FileOrder, places: &'a [u32]) -> Self {
        Self {
            rows,
            part: (0, rows.rows()),
            places,
        }
    }

    /// Reads the different row of each row, written or not.
    pub(crate) fn reader(self) -> OrderReader<'a> {
        self.rows.reader_in(self.part.0..self.part.1)
    }

    /// All rows in the order in which they are written, and how often each, where the order was made of such runs.
    pub(crate) fn runs(self) -> Option<&'a [(u32, u32)]> {
        let is_whole = self.part == (0, self.rows.rows());
        self.rows.runs().filter(|_| is_whole)
    }

    /// The place of a row that is not written.
    pub const GONE: u32 = u32::MAX;

    /// Visits the different row of each row that is written, a block after the other.
    pub(crate) fn each_block(
        self,
        mut visit: impl FnMut(&[u32]) -> Result<(), IoError>,
    ) -> Result<(), IoError> {
        const ROWS: usize = 1 << 16;
        let all = !self.places.contains(&Self::GONE);
        let mut reader = self.reader();
        let mut kept = Vec::new();
        loop {
            let rows = reader.next(ROWS)?;
            if rows.is_empty() {
                return Ok(());
            }
            if all {
                visit(rows)?;
                continue;
            }
            kept.clear();
            let stays = |row: &&u32| self.places[**row as usize] != Self::GONE;
            kept.extend(rows.iter().filter(stays));
            visit(&kept)?;
        }
    }
}

/// Rows that are written one part after the other, each with columns of its own that have the same names.
#[derive(Clone, Debug)]
pub struct OutPart {
    /// The columns, each different row once where there is an order.
    pub columns: Vec<OutColumn>,
    /// How many rows they have.
    pub rows: usize,
    /// Which rows of a file they are.
    pub order: Option<PartOrder>,
}

/// The order of a part: that of a file, from which of its rows to which, and the places in the part.
pub type PartOrder = (Arc<FileOrder>, (u64, u64), Vec<u32>);

impl OutPart {
    /// The order of its rows.
    pub(crate) fn order(&self) -> Option<Order<'_>> {
        let (rows, part, places) = self.order.as_ref()?;
        Some(Order {
            rows,
            part: *part,
            places,
        })
    }
}

/// Gives one part after the other.
pub type OutParts<'a> = &'a mut dyn FnMut() -> Result<Option<OutPart>, IoError>;

/// Hears how many rows have been written; its error stops the writing.
pub type RowProgress<'a> = &'a mut dyn FnMut(u64) -> Result<(), Error>;

/// Whether there is something to write, and a label for every code.
pub(crate) fn check(columns: &[OutColumn], rows: usize) -> Result<(), IoError> {
    if columns.is_empty() {
        return Err(IoError::internal(
            "a table without columns cannot be written",
        ));
    }
    for column in columns {
        if column.codes.len() != rows {
            return Err(IoError::internal(
                "a column to be written has not as many codes as there are rows",
            ));
        }
        let mut largest: Option<Code> = None;
        column
            .codes
            .for_each(|_, code| largest = largest.max(Some(code)));
        if largest.is_some_and(|largest| largest as usize >= column.labels.len()) {
            return Err(IoError::internal("a code to be written has no label"));
        }
    }
    Ok(())
}

/// What a failed write says about a path.
pub(crate) fn failed(path: &Path) -> impl Fn(std::io::Error) -> IoError + '_ {
    move |source| IoError::file(path, source)
}
