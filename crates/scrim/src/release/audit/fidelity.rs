//! Truthfulness: every published cell is what the source says, or more general, and nothing else was published.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{categories, is_suppressed};
use crate::error::Error;
use crate::hierarchy::{Decimal, Hierarchy, Interval};
use crate::release::policy::Policy;
use crate::table::{Column, Role, Table};
use crate::{counted, verb};

/// What a release was made from.
#[derive(Debug)]
pub struct Source<'a> {
    /// The source table.
    pub table: &'a Table,
    /// The source row of each released row.
    pub rows: &'a [u32],
    /// The hierarchies of quasi-identifiers and sensitive columns, by name.
    pub hierarchies: &'a [(String, Arc<Hierarchy>)],
}

/// Checks a published table against its source; says in words what does not agree.
pub fn certify_source(
    policy: &Policy,
    published: &Table,
    source: &Source<'_>,
) -> Result<Result<(), String>, Error> {
    if published.rows() != source.rows.len() {
        return Ok(Err(format!(
            "{} {} written, but {} {} planned",
            counted(published.rows(), "row"),
            verb(published.rows(), "was", "were"),
            source.rows.len(),
            verb(source.rows.len(), "was", "were")
        )));
    }
    let mut columns = published.columns().iter().map(Column::name);
    if let Some(name) = columns.find(|name| !policy.publishes(name)) {
        return Ok(Err(format!("the column `{name}` must not be published")));
    }
    if let Some((row, column)) = first_mismatch(policy, published, source)? {
        return Ok(Err(format!(
            "row {} of the release does not say in `{column}` what its source says",
            published.first(row) + 1
        )));
    }
    let wanted = policy
        .columns
        .iter()
        .filter(|column| column.role.is_published());
    let absent = wanted
        .map(|column| &column.name)
        .find(|name| published.column(name).is_none());
    if let Some(name) = absent {
        return Ok(Err(format!("the column `{name}` was not written")));
    }
    Ok(certify_categories(policy, published))
}

/// Values are what their source says or stars, so a category that agrees with its value agrees with the source.
fn certify_categories(policy: &Policy, published: &Table) -> Result<(), String> {
    for (of, category) in categories::published(policy) {
        let row = categories::first_mismatch(policy, published, of, category)
            .map_err(|name| format!("the column `{name}` was not written"))?;
        if let Some(row) = row {
            return Err(format!(
                "row {} of the release does not give in `{}` the category of its value",
                published.first(row) + 1,
                category.name
            ));
        }
    }
    Ok(())
}

/// The first row, of the first column, whose cell is not what its source says or more general. Columns that must not be
/// published are passed over; there must be as many published rows as source rows.
pub fn first_mismatch<'a>(
    policy: &Policy,
    published: &'a Table,
    source: &Source<'_>,
) -> Result<Option<(usize, &'a str)>, Error> {
    // Suppressed rows may have their sensitive values starred; where nothing is sensitive, their insensitive ones.
    let any_sensitive = policy.with_role(Role::Sensitive).next().is_some();
    let told = if any_sensitive {
        Role::Sensitive
    } else {
        Role::Insensitive
    };
    for column in published.columns() {
        let asked = policy.column(column.name());
        let Some(asked) = asked.filter(|asked| asked.role.is_published()) else {
            continue;
        };
        let name = column.name();
        let original = source
            .table
            .column(name)
            .ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))?;
        let trees = &mut source.hierarchies.iter();
        let tree = trees.find(|(of, _)| of == name);
        let generalizes = match asked.role {
            Role::Sensitive => policy.generalizes_sensitive(name),
            role => role == Role::Quasi,
        };
        let may_show = MayShow {
            tree: tree.map(|(_, tree)| tree.as_ref()).filter(|_| generalizes),
            intervals: asked.role == Role::Quasi && asked.numeric.is_some(),
            // However many stars: all of them are the top of a quasi-identifier.
            stars: asked.role == told || asked.role == Role::Quasi,
        };
        if let Some(row) = may_show.first_mismatch(original, column, source.rows) {
            return Ok(Some((row, name)));
        }
    }
    Ok(None)
}

/// What a cell may show in place of its value.
struct MayShow<'a> {
    /// A label above it in this tree.
    tree: Option<&'a Hierarchy>,
    /// An interval that holds it, of the tree or not.
    intervals: bool,
    /// Stars.
    stars: bool,
}

impl MayShow<'_> {
    fn first_mismatch(&self, original: &Column, published: &Column, rows: &[u32]) -> Option<usize> {
        let (before, after) = (original.dictionary(), published.dictionary());
        let mut judged: FxHashMap<(u32, u32), bool> = FxHashMap::default();
        // Most rows show what the last one with the same value showed.
        let mut last = vec![u32::MAX; before.len()];
        let mut is_true = |raw: u32, shown: u32| {
            if std::mem::replace(&mut last[raw as usize], shown) == shown {
                return true;
            }
            *judged.entry((raw, shown)).or_insert_with(|| {
                let was_missing = before.missing() == Some(raw);
                let is_missing = after.missing() == Some(shown);
                let (raw, shown) = (before.text(raw), after.text(shown));
                was_missing && is_missing
                    || raw == shown
                    || self.stars && is_suppressed(shown)
                    || self.tree.is_some_and(|tree| is_above(tree, raw, shown))
                    || self.intervals && !was_missing && !is_missing && is_within(raw, shown)
            })
        };
        (0..published.codes().len()).find(|row| {
            !is_true(
                original.codes().get(rows[*row] as usize),
                published.codes().get(*row),
            )
        })
    }
}

/// Whether a label is an interval that holds the number.
fn is_within(number: &str, label: &str) -> bool {
    let number = Decimal::parse(number);
    let interval = Interval::parse(label);
    number
        .zip(interval)
        .is_some_and(|(number, interval)| interval.holds(number))
}

/// Whether a label stands on the way from a value to the top.
fn is_above(tree: &Hierarchy, value: &str, label: &str) -> bool {
    let mut at = tree.leaf(value);
    while let Some(taxon) = at {
        if tree.label(taxon) == label {
            return true;
        }
        at = tree.parent(taxon);
    }
    false
}
