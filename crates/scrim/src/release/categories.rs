//! The categories of sensitive columns that a policy publishes, over the values of a table.

use super::policy::{CategoryColumn, ColumnPolicy, Policy};
use crate::error::Error;
use crate::model::Categories;
use crate::recoding::PublishedCategories;
use crate::table::Table;

/// Every column of categories that the policy asks for. A value that no category lists is an error.
pub(super) fn published(policy: &Policy, table: &Table) -> Result<Vec<PublishedCategories>, Error> {
    let asked = |column: &ColumnPolicy| {
        let category = column.category_column.as_ref()?;
        Some(of_column(column, category, table))
    };
    policy.columns.iter().filter_map(asked).collect()
}

fn of_column(
    column: &ColumnPolicy,
    category: &CategoryColumn,
    table: &Table,
) -> Result<PublishedCategories, Error> {
    let values = table
        .column(&column.name)
        .ok_or_else(|| Error::Internal(format!("column `{}` was not read", column.name)))?;
    let dictionary = values.dictionary();
    let listed = column.categories.as_deref().unwrap_or_default();
    let categories = Categories::new(listed, dictionary).map_err(|what| Error::Policy {
        place: column.place.clone(),
        what: format!("column `{}`: {what}", column.name),
        hint: None,
    })?;
    let category_of = |(code, text): (u32, &str)| (text.to_owned(), categories.of(code));
    Ok(PublishedCategories {
        of: column.name.clone(),
        name: category.name.clone(),
        labels: category.labels.clone(),
        category_of: (0..).zip(dictionary.texts()).map(category_of).collect(),
    })
}
