//! How many records of a minimal generalization the similarity attack finds, before anything is published.
//!
//! **Definition.** The table of the node is taken as it would be published: rows of classes that break a model are
//! suppressed, which makes one class of them where they stay and their sensitive values are not starred. A record is found
//! where all rows of its class have values of one category ([Sun08], sections 2 and 6); with several columns that have
//! categories, where this is so in one of them.
//! **Reading.** Columns whose values a wish may generalize are passed over: what they show is known only after the search.
//! **Cost.** O(rows). **Oracle.** `attack --similarity` on the release of the node.

use serde::Serialize;

use super::plan::with_task;
use super::policy::{ColumnPolicy, Policy};
use super::prepare::Prepared;
use crate::adversary::{Grouping, is_similar};
use crate::error::Error;
use crate::frequency::Piles;
use crate::recoding::Node;
use crate::table::{Column, Role, Table};

/// What the attack finds in the table of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SimilarRecords {
    /// The columns with categories.
    pub of: Vec<String>,
    /// Records in classes of one category.
    pub records: u64,
    /// Such classes.
    pub classes: u64,
}

/// Attacks the table of a node; nothing where no column has categories.
pub(super) fn similar_records(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    node: &Node,
) -> Result<Option<SimilarRecords>, Error> {
    let columns = attacked(policy, table);
    if columns.is_empty() {
        return Ok(None);
    }
    let mut found = SimilarRecords {
        of: columns
            .iter()
            .map(|(column, _)| column.name().to_owned())
            .collect(),
        records: 0,
        classes: 0,
    };
    for rows in shown_classes(policy, table, prepared, node)? {
        let mut columns = columns.iter();
        if columns.any(|(column, grouping)| is_similar(column, grouping, &rows)) {
            found.classes += 1;
            found.records += rows
                .iter()
                .map(|row| table.times(*row as usize))
                .sum::<u64>();
        }
    }
    Ok(Some(found))
}

/// The sensitive columns with categories, and these.
fn attacked<'a>(policy: &Policy, table: &'a Table) -> Vec<(&'a Column, Grouping)> {
    let of_column = |column: &ColumnPolicy| {
        let listed = column.categories.as_ref()?;
        let values = table.column(&column.name)?;
        Some((values, Grouping::categories(listed, values)))
    };
    policy
        .with_role(Role::Sensitive)
        .filter(|column| !policy.generalizes_sensitive(&column.name))
        .filter_map(of_column)
        .collect()
}

/// The rows of each class of the table of a node whose sensitive values are shown.
fn shown_classes(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    node: &Node,
) -> Result<Vec<Vec<u32>>, Error> {
    let (mut classes, failing) = with_task(policy, prepared, |task, _| {
        let (set, targets) = task.ground.set().roll_up_with_map(task.ladders, node);
        let mut classes = vec![Vec::new(); set.len()];
        for (row, tuple) in (0u32..).zip(task.ground.tuple_of_row()) {
            classes[targets[*tuple as usize] as usize].push(row);
        }
        (classes, task.judge(&set).failing)
    });
    let mut suppressed: Vec<u32> = Vec::new();
    for class in failing {
        suppressed.append(&mut classes[class as usize]);
    }
    classes.retain(|rows| !rows.is_empty());
    if Prepared::keeps_rows(policy) && !suppressed.is_empty() {
        let piles = Piles::new(table, prepared.models.tracked())?;
        if prepared.models.holds(piles.one(&suppressed).only()) {
            classes.push(suppressed);
        }
    }
    Ok(classes)
}
