//! Tables: columns of small codes with a dictionary each, immutable once built.
//!
//! **Reading.** A missing value is a value of its own: it equals only other missing ones, whatever their spelling in
//! the file, and it counts like any other value.

mod column;
mod role;

pub use column::{Codes, Column, ColumnBuilder, Dictionary};
pub use role::Role;

/// A value of a column, as its number in the column's dictionary.
pub type Code = u32;

/// Columns of codes, all equally long.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// A table of these columns, or nothing when they are not equally long.
    pub fn new(columns: Vec<Column>) -> Option<Self> {
        let rows = columns.first().map_or(0, |column| column.codes().len());
        columns
            .iter()
            .all(|column| column.codes().len() == rows)
            .then_some(Self { columns, rows })
    }

    /// The table of these rows only. Values that no row has left go from the dictionaries, but not from that of the column
    /// `whole`, whose codes stay what they are.
    #[must_use]
    pub fn only(&self, rows: &[u32], whole: &str) -> Self {
        let columns = self.columns.iter();
        Self {
            columns: columns
                .map(|column| column.only(rows, column.name() == whole))
                .collect(),
            rows: rows.len(),
        }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Its columns, in the order of the file.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }
}
