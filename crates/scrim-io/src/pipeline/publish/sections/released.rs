//! A release as it was read back, section by section.

use std::borrow::Cow;

use scrim::table::Table;

use crate::IoError;
use crate::pipeline::load::LoadedTable;

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
