//! Truthfulness: every published cell is what the source says, or more general, and nothing else was published.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::is_suppressed;
use crate::error::Error;
use crate::hierarchy::Hierarchy;
use crate::release::policy::Policy;
use crate::table::{Column, Role, Table};

/// What a release was made from.
pub struct Source<'a> {
    /// The source table.
    pub table: &'a Table,
    /// The source row of each released row.
    pub rows: &'a [u32],
    /// The hierarchy of each quasi-identifier, by name.
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
            "{} rows were written, but {} were planned",
            published.rows(),
            source.rows.len()
        )));
    }
    // Suppressed rows may have their sensitive values starred; where nothing is sensitive, their insensitive ones.
    let any_sensitive = policy.with_role(Role::Sensitive).next().is_some();
    let told = if any_sensitive {
        Role::Sensitive
    } else {
        Role::Insensitive
    };
    for column in published.columns() {
        let Some(role) = policy
            .column(column.name())
            .map(|column| column.role)
            .filter(|role| role.is_published())
        else {
            return Ok(Err(format!(
                "the column `{}` must not be published",
                column.name()
            )));
        };
        let original = source
            .table
            .column(column.name())
            .ok_or_else(|| Error::Internal(format!("column `{}` was not read", column.name())))?;
        let tree = source
            .hierarchies
            .iter()
            .find(|(name, _)| name == column.name())
            .map(|(_, tree)| tree.as_ref());
        if let Some(row) = first_lie(role, told, original, column, tree, source.rows) {
            return Ok(Err(format!(
                "row {} of the release does not say in `{}` what its source says",
                row + 1,
                column.name()
            )));
        }
    }
    let wanted = policy
        .columns
        .iter()
        .filter(|column| column.role.is_published());
    let absent = wanted
        .map(|column| &column.name)
        .find(|name| published.column(name).is_none());
    Ok(absent.map_or(Ok(()), |name| {
        Err(format!("the column `{name}` was not written"))
    }))
}

fn first_lie(
    role: Role,
    told: Role,
    original: &Column,
    published: &Column,
    tree: Option<&Hierarchy>,
    rows: &[u32],
) -> Option<usize> {
    let mut judged: FxHashMap<(u32, u32), bool> = FxHashMap::default();
    let mut is_true = |before: u32, after: u32| {
        *judged.entry((before, after)).or_insert_with(|| {
            let missing = original.dictionary().missing() == Some(before)
                && published.dictionary().missing() == Some(after);
            let (raw, shown) = (
                original.dictionary().text(before),
                published.dictionary().text(after),
            );
            missing
                || raw == shown
                || match role {
                    Role::Quasi => tree.is_some_and(|tree| is_above(tree, raw, shown)),
                    role if role == told => is_suppressed(shown),
                    _ => false,
                }
        })
    };
    (0..published.codes().len()).find(|row| {
        !is_true(
            original.codes().get(rows[*row] as usize),
            published.codes().get(*row),
        )
    })
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
