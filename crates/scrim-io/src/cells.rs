//! Which text each row of a part has, in the form in which the file gave it.

use arrow_array::{Array, StringArray, UInt32Array};

use crate::intern::Interner;

/// Texts that were met, numbered in the order in which they came: each is some row's.
pub(crate) struct Met {
    pub(crate) texts: Interner,
    /// The text of each row.
    pub(crate) ids: Vec<u32>,
}

/// Codes of a dictionary of the file's own. It may have texts that no row has; no row is null.
pub(crate) struct Coded {
    pub(crate) texts: StringArray,
    /// The text of each row.
    pub(crate) ids: UInt32Array,
}

/// The cells of a column, as they were read.
pub(crate) enum ColumnCells {
    Met(Met),
    Coded(Coded),
}

/// The cells of a column.
#[derive(Clone, Copy)]
pub(crate) enum Cells<'a> {
    Met(&'a Met),
    Coded(&'a Coded),
}

impl<'a> From<&'a ColumnCells> for Cells<'a> {
    fn from(cells: &'a ColumnCells) -> Self {
        match cells {
            ColumnCells::Met(met) => Self::Met(met),
            ColumnCells::Coded(coded) => Self::Coded(coded),
        }
    }
}

impl<'a> Cells<'a> {
    /// The text of each row.
    pub(crate) fn ids(self) -> &'a [u32] {
        match self {
            Self::Met(met) => &met.ids,
            Self::Coded(coded) => coded.ids.values(),
        }
    }
}

/// Whether two dictionaries are the same one, in the same place.
pub(crate) fn are_one(one: &StringArray, other: &StringArray) -> bool {
    one.len() == other.len()
        && one.value_data().as_ptr() == other.value_data().as_ptr()
        && one.value_offsets().as_ptr() == other.value_offsets().as_ptr()
}
