//! Columns of categories: does each cell give the category of the value beside it?
//!
//! **Definition.** Of a value the policy's list of categories says which it is in; the cell beside it shows the label of
//! that category ([Sun08], Table 6). A suppressed value has a suppressed category, and only such a value has one: a category
//! beside stars would tell what the stars hide.

use serde::Serialize;

use super::is_suppressed;
use crate::error::{Error, Place};
use crate::release::policy::{CategoryColumn, ColumnPolicy, Policy};
use crate::table::{Column, Table};

/// What was found about a column of categories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CategoryReport {
    /// The column.
    pub column: String,
    /// The sensitive column whose categories it gives.
    pub of: String,
    /// Whether it gives the category of every value.
    pub holds: bool,
    /// The first row that does not, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
}

/// What a cell says of a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Category(usize),
    Suppressed,
    /// Nothing that the policy knows.
    Stray,
}

/// Looks at every column of categories that the policy publishes.
pub(super) fn check(
    policy: &Policy,
    table: &Table,
    file: &str,
) -> Result<Vec<CategoryReport>, Error> {
    let mut reports = Vec::new();
    for (of, category) in published(policy) {
        let row = first_mismatch(policy, table, of, category).map_err(|name| Error::Data {
            place: Place::file(file),
            what: format!("the table has no column `{name}`, which the policy publishes"),
            hint: Some("is this the policy that the table was made with?".to_owned()),
        })?;
        reports.push(CategoryReport {
            column: category.name.clone(),
            of: of.name.clone(),
            holds: row.is_none(),
            row: row.map(|row| table.first(row) + 1),
        });
    }
    Ok(reports)
}

/// The sensitive columns whose categories are published.
pub(super) fn published(policy: &Policy) -> impl Iterator<Item = (&ColumnPolicy, &CategoryColumn)> {
    let columns = policy.columns.iter();
    columns.filter_map(|column| Some((column, column.category_column.as_ref()?)))
}

/// The first row whose category is not that of its value; the name of a column that is not there is an error.
pub(super) fn first_mismatch<'a>(
    policy: &Policy,
    table: &Table,
    of: &'a ColumnPolicy,
    category: &'a CategoryColumn,
) -> Result<Option<usize>, &'a str> {
    let values = table.column(&of.name).ok_or(of.name.as_str())?;
    let shown = table.column(&category.name).ok_or(category.name.as_str())?;
    let listed = of.categories.as_deref().unwrap_or_default();
    let meant = meant_by_values(policy, values, listed);
    let said = |text: &str| {
        let label = category.labels.iter().position(|label| label == text);
        match label {
            _ if is_suppressed(text) => Said::Suppressed,
            Some(at) => Said::Category(at),
            None => Said::Stray,
        }
    };
    let said: Vec<Said> = shown.dictionary().texts().map(said).collect();
    let agrees = |row: &usize| {
        let meant = meant[values.codes().get(*row) as usize];
        meant != Said::Stray && meant == said[shown.codes().get(*row) as usize]
    };
    Ok((0..table.rows()).find(|row| !agrees(row)))
}

/// The category of each value of a column, by code. A missing value is in the category that lists any of its spellings.
fn meant_by_values(policy: &Policy, values: &Column, listed: &[Vec<String>]) -> Vec<Said> {
    let of_text = |text: &str| {
        let holds = |values: &Vec<String>| values.iter().any(|value| value == text);
        listed.iter().position(holds)
    };
    let dictionary = values.dictionary();
    let meaning = |(code, text): (u32, &str)| {
        if is_suppressed(text) {
            return Said::Suppressed;
        }
        let spelled = || {
            let is_missing = dictionary.missing() == Some(code);
            let mut spellings = policy.data.null.iter().filter(|_| is_missing);
            spellings.find_map(|text| of_text(text))
        };
        of_text(text)
            .or_else(spelled)
            .map_or(Said::Stray, Said::Category)
    };
    (0..).zip(dictionary.texts()).map(meaning).collect()
}
