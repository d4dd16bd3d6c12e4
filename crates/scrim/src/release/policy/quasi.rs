//! Lists of quasi-identifiers, by name.

use super::ColumnPolicy;
use super::section::Section;
use crate::error::Error;
use crate::table::Role;

/// The quasi-identifiers that a key lists, by their numbers in policy order, in the order of the list.
pub(super) fn read_quasi(
    section: &Section<'_>,
    key: &'static str,
    columns: &[ColumnPolicy],
) -> Result<Option<Vec<usize>>, Error> {
    let Some(items) = section.list(key)? else {
        return Ok(None);
    };
    let quasi = columns.iter().filter(|column| column.role == Role::Quasi);
    let known: Vec<&str> = quasi.map(|column| column.name.as_str()).collect();
    let mut listed = Vec::with_capacity(items.len());
    for item in items {
        let (name, offset) = (section.text_of(key, item)?, item.span().start);
        let number = known.iter().position(|known| *known == name);
        let number =
            number.ok_or_else(|| no_quasi(section, offset, key, &name, columns, &known))?;
        if listed.contains(&number) {
            let what = format!("`{key}` in {} names `{name}` twice", section.title);
            return Err(section.file.fault(offset, what, None));
        }
        listed.push(number);
    }
    Ok(Some(listed))
}

fn no_quasi(
    section: &Section<'_>,
    offset: usize,
    key: &str,
    name: &str,
    columns: &[ColumnPolicy],
    known: &[&str],
) -> Error {
    if columns.iter().any(|column| column.name == name) {
        let what = format!(
            "`{key}` in {} names `{name}`, which is no quasi-identifier",
            section.title
        );
        let hint = format!("the quasi-identifiers are {}", known.join(", "));
        return section.file.fault(offset, what, Some(&hint));
    }
    section.unknown(offset, &format!("`{key}`"), name, known)
}
