//! `categories` of a sensitive column, and the released column that gives the category of each value.
//!
//! **Reading.** The categories of [Sun08] are ordered, the most sensitive first, and Table 6 publishes them beside the
//! values. The column is named after the sensitive one; a category is labelled by its number, from 1, or by a name that the
//! policy gives it. The category is a function of the published value, so the column tells nothing that the value does not:
//! no promise changes. Where values are generalized (`personal`) this is not so, and the column is refused.

use toml::Spanned;
use toml::de::DeValue;

use super::columns::ColumnPolicy;
use super::section::Section;
use crate::error::{Error, Place};
use crate::hierarchy::is_star;

/// What the name of a column of categories ends with.
const SUFFIX: &str = "_category";

/// A released column that gives the category of each value of a sensitive column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryColumn {
    /// Its name in the release.
    pub name: String,
    /// The label of each category, the most sensitive first.
    pub labels: Vec<String>,
}

/// The values of each category.
pub(super) fn read(
    section: &Section<'_>,
    lists: &[Spanned<DeValue<'_>>],
) -> Result<Vec<Vec<String>>, Error> {
    let mut categories = Vec::new();
    for list in lists {
        let Some(items) = list.get_ref().as_array() else {
            return Err(section.file.fault(
                list.span().start,
                format!(
                    "`categories` in {} must be a list of lists of texts",
                    section.title
                ),
                None,
            ));
        };
        categories.push(
            items
                .iter()
                .map(|item| section.text_of("categories", item))
                .collect::<Result<Vec<_>, _>>()?,
        );
    }
    Ok(categories)
}

/// `publish-category` and `category-names` of a column.
pub(super) fn read_column(
    section: &Section<'_>,
    name: &str,
    categories: Option<&[Vec<String>]>,
) -> Result<Option<CategoryColumn>, Error> {
    let wanted = section.flag_or("publish-category", false)?;
    let names = section.strings("category-names")?;
    let fault = |what: &str, hint: &str| {
        let what = format!("{} {what}", section.title);
        Err(section.file.fault(section.offset, what, Some(hint)))
    };
    match (wanted, categories, names) {
        (false, _, Some(_)) => fault(
            "has `category-names`, but its categories are not published",
            "add `publish-category = true`",
        ),
        (false, _, None) => Ok(None),
        (true, None, _) => fault(
            "has `publish-category`, but no `categories`",
            "list them, the most sensitive first: categories = [[\"HIV\"], [\"Flu\", \"Cold\"]]",
        ),
        (true, Some(listed), Some(names)) if names.len() != listed.len() => {
            let what = format!(
                "has {} `category-names` for {} `categories`",
                names.len(),
                listed.len()
            );
            fault(&what, "give each category one name, in the same order")
        }
        (true, Some(_), Some(names)) if !are_labels(&names) => fault(
            "has `category-names` of which two are equal, or one is empty or made of stars",
            "stars mean suppressed; the names must tell the categories apart",
        ),
        (true, Some(listed), names) => Ok(Some(CategoryColumn {
            name: format!("{name}{SUFFIX}"),
            labels: names.unwrap_or_else(|| numbers(listed.len())),
        })),
    }
}

fn numbers(count: usize) -> Vec<String> {
    (1..=count).map(|number| number.to_string()).collect()
}

fn are_labels(names: &[String]) -> bool {
    let is_label = |(at, name): (usize, &String)| {
        !name.is_empty() && !is_star(name) && !names[..at].contains(name)
    };
    names.iter().enumerate().all(is_label)
}

/// Refuses a column of categories that would have the name of another column.
pub(super) fn check_name(column: &ColumnPolicy, columns: &[ColumnPolicy]) -> Result<(), Error> {
    let Some(category) = &column.category_column else {
        return Ok(());
    };
    let taken = columns.iter().find(|other| other.name == category.name);
    taken.map_or(Ok(()), |other| {
        Err(Error::Policy {
            place: other.place.clone(),
            what: format!(
                "`{}` is the name of the column that gives the categories of `{}`",
                other.name, column.name
            ),
            hint: Some("rename the column of the data, or leave `publish-category` out".to_owned()),
        })
    })
}

/// Refuses to publish the categories of values that are themselves generalized: the category could tell more.
pub(super) fn check_together(
    columns: &[ColumnPolicy],
    generalizes: impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let mut published = columns
        .iter()
        .filter(|column| column.category_column.is_some());
    published.find(|column| generalizes(&column.name)).map_or(Ok(()), |column| {
        Err(Error::Policy {
            place: column.place.clone(),
            what: format!(
                "`publish-category` of `{}` stands beside a `personal` promise, which generalizes its values: the category of a value could tell more than what is published of it",
                column.name
            ),
            hint: Some(format!(
                "leave `publish-category` out, or forbid generalized values: weights = {{ {} = \"forbid\" }} in [search]",
                column.name
            )),
        })
    })
}

/// Refuses labels that mean a missing value.
pub(super) fn check_nulls(
    columns: &[ColumnPolicy],
    null: &[String],
    file: &str,
) -> Result<(), Error> {
    let labels = columns
        .iter()
        .filter_map(|column| column.category_column.as_ref())
        .flat_map(|category| &category.labels);
    let mut clashes = labels.filter(|label| null.contains(label));
    clashes.next().map_or(Ok(()), |label| {
        Err(Error::Policy {
            place: Place::file(file),
            what: format!("the category `{label}` is a text that means missing (`null` in [data])"),
            hint: Some("name the categories otherwise: category-names = [ … ]".to_owned()),
        })
    })
}
