//! A table as published beside one of other origin, quasi-identifier by quasi-identifier.

use std::sync::Arc;

use scrim::Error;
use scrim::adversary::{Linked, Tuples};
use scrim::hierarchy::{Decimal, Generated, Hierarchy};
use scrim::release::policy::{ColumnPolicy, HierarchyPolicy};
use scrim::table::{Column, Role, Table};

use super::load::LoadedPolicy;
use crate::IoError;

/// The quasi-identifiers that both tables have, with what lies above the other table's values.
pub(super) struct Linking<'a> {
    quasi: Vec<(&'a ColumnPolicy, Option<Arc<Hierarchy>>)>,
}

impl<'a> Linking<'a> {
    /// Reads the hierarchies.
    pub(super) fn new(
        policy: &'a LoadedPolicy,
        published: &Table,
        external: &Table,
    ) -> Result<Self, IoError> {
        let both = |column: &&ColumnPolicy| {
            let name = &column.name;
            published.column(name).is_some() && external.column(name).is_some()
        };
        let columns = policy.policy.with_role(Role::Quasi).filter(both);
        let tree = |column: &'a ColumnPolicy| {
            // Intervals cover numbers whatever tree they come from.
            let tree = if is_made_of_numbers(column) {
                None
            } else {
                Some(policy.tree_over(column, external)?)
            };
            Ok((column, tree))
        };
        Ok(Self {
            quasi: columns.map(tree).collect::<Result<_, IoError>>()?,
        })
    }

    /// The names of the columns.
    pub(super) fn names(&self) -> Vec<&'a str> {
        self.quasi
            .iter()
            .map(|(column, _)| column.name.as_str())
            .collect()
    }

    /// The columns side by side.
    pub(super) fn columns<'b>(
        &'b self,
        published: &'b Table,
        external: &'b Table,
    ) -> Result<Vec<Linked<'b>>, IoError> {
        let linked = |(column, tree): &'b (&ColumnPolicy, Option<Arc<Hierarchy>>)| {
            Ok(Linked {
                published: find(published, &column.name)?,
                external: find(external, &column.name)?,
                tree: tree.as_deref(),
                numeric: column.numeric.is_some() || is_made_of_numbers(column),
            })
        };
        self.quasi.iter().map(linked).collect()
    }
}

/// A column that must be there.
pub(super) fn find<'a>(table: &'a Table, name: &str) -> Result<&'a Column, IoError> {
    let absent = || Error::Internal(format!("column `{name}` was not read")).into();
    table.column(name).ok_or_else(absent)
}

/// Persons of the other table with a value that has no place in its hierarchy.
pub(super) fn unknown_to(linked: &[Linked<'_>], external: &Tuples) -> u64 {
    let unknown: Vec<Vec<bool>> = linked.iter().map(without_place).collect();
    let is_unknown = |row: usize| {
        let mut columns = linked.iter().zip(&unknown);
        columns.any(|(column, unknown)| unknown[column.external.codes().get(row) as usize])
    };
    let first = |tuple: usize| external.first_rows()[tuple];
    let settled = external.settled().iter().enumerate();
    let settled = settled.filter(|(tuple, persons)| **persons > 0 && is_unknown(first(*tuple)));
    let movers = external.movers().filter(|own| {
        own.iter()
            .any(|(_, tuple)| is_unknown(first(*tuple as usize)))
    });
    settled.map(|(_, persons)| persons).sum::<u64>() + movers.count() as u64
}

/// By external value: whether it has no place.
fn without_place(column: &Linked<'_>) -> Vec<bool> {
    let dictionary = column.external.dictionary();
    let is_placed = |text: &str| {
        column.tree.is_some_and(|tree| tree.leaf(text).is_some())
            || column.numeric && Decimal::parse(text).is_some()
    };
    (0..)
        .zip(dictionary.texts())
        .map(|(code, text)| Some(code) != dictionary.missing() && !is_placed(text))
        .collect()
}

/// Whether the hierarchy of a column has numbers and intervals only.
fn is_made_of_numbers(column: &ColumnPolicy) -> bool {
    let made = |spec: &Generated| matches!(spec, Generated::Numeric(_) | Generated::Intervals(_));
    matches!(column.hierarchy(), HierarchyPolicy::Generated(spec) if made(&spec))
}
