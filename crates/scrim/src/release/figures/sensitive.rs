//! How many values of each sensitive column a release still shows. Values are counted, never named.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::column;
use crate::error::Error;
use crate::release::prepare::Prepared;
use crate::table::{Column, Role, Table};

/// The values of a sensitive column, counted without missing ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SensitiveFigures {
    /// The column.
    pub column: String,
    /// Different values in the table that was read.
    pub values_before: u64,
    /// Those of them that the release shows in some row.
    pub values_after: u64,
}

/// How many values of each sensitive column are left in the release; `values` gives those of a column.
pub(super) fn left(
    prepared: &Prepared,
    source: &Table,
    published: &Table,
    values: fn(&Column) -> Vec<&str>,
) -> Result<Vec<SensitiveFigures>, Error> {
    let columns = source.columns().iter().zip(&prepared.roles);
    let columns = columns.filter(|(_, role)| **role == Role::Sensitive);
    let figures = columns.map(|(source, _)| {
        let before: FxHashSet<&str> = values(source).into_iter().collect();
        let after = values(column(published, source.name())?);
        let after = after.iter().filter(|text| before.contains(**text));
        Ok(SensitiveFigures {
            column: source.name().to_owned(),
            values_before: before.len() as u64,
            values_after: after.count() as u64,
        })
    });
    figures.collect()
}

/// The values that some row of a column has, without the missing one.
pub(super) fn in_rows(column: &Column) -> Vec<&str> {
    let used = by_code(column).zip(column.counts());
    let used = used.filter(|(_, rows)| *rows > 0);
    used.filter_map(|(text, _)| text).collect()
}

/// The values of a column's dictionary, without the missing one.
pub(super) fn known(column: &Column) -> Vec<&str> {
    by_code(column).flatten().collect()
}

/// The value of each code; none for the missing one.
fn by_code(column: &Column) -> impl Iterator<Item = Option<&str>> {
    let dictionary = column.dictionary();
    let texts = (0..).zip(dictionary.texts());
    texts.map(|(code, text)| (Some(code) != dictionary.missing()).then_some(text))
}
