//! Makes the released table from a plan: codes mapped through the recoding, column by column.

use super::Recoding;
use crate::frequency::Ground;
use crate::hierarchy::{Ladder, STAR};
use crate::table::{Code, Column, Role, Table};

/// What becomes of suppressed rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// They are left out; otherwise they stay, at the top of every quasi-identifier.
    pub drop: bool,
    /// Their sensitive values are starred as well.
    pub star_sensitive: bool,
}

/// A column of the released table.
#[derive(Clone, Debug)]
pub struct AppliedColumn {
    /// Its name.
    pub name: String,
    /// The texts by code; nothing stands for a missing value.
    pub labels: Vec<Option<String>>,
    /// The code of each released row.
    pub codes: Vec<Code>,
}

/// The released table, and which row of the source each of its rows is.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The published columns in the order of the source.
    pub columns: Vec<AppliedColumn>,
    /// The source row of each released row.
    pub rows: Vec<u32>,
    /// How many rows are suppressed.
    pub suppressed: u64,
}

/// Applies a plan. `roles` gives the role of each column of the table; `ladders` the quasi-identifiers in policy order.
pub fn apply(
    table: &Table,
    roles: &[Role],
    ladders: &[Ladder],
    ground: &Ground,
    recoding: &Recoding,
    fate: Fate,
) -> Applied {
    let marked = recoding.suppressed.mark(ground);
    let rows: Vec<u32> = (0..table.rows() as u32)
        .filter(|row| !(fate.drop && marked[*row as usize]))
        .collect();
    let published = table
        .columns()
        .iter()
        .zip(roles)
        .filter(|(_, role)| role.is_published());
    let columns = published
        .map(|(column, role)| match role {
            Role::Quasi => quasi(column, ladders, recoding, &rows, &marked),
            Role::Sensitive if fate.star_sensitive => starred(column, &rows, &marked),
            _ => plain(column, &rows),
        })
        .collect();
    let suppressed = marked.iter().filter(|marked| **marked).count() as u64;
    Applied {
        columns,
        rows,
        suppressed,
    }
}

fn quasi(
    column: &Column,
    ladders: &[Ladder],
    recoding: &Recoding,
    rows: &[u32],
    marked: &[bool],
) -> AppliedColumn {
    let Some(at) = ladders
        .iter()
        .position(|ladder| ladder.name() == column.name())
    else {
        return plain(column, rows);
    };
    let (ladder, level) = (&ladders[at], recoding.node.levels()[at]);
    let climb = ladder.climb(0, level);
    let missing = column
        .dictionary()
        .missing()
        .map(|code| ladder.taxa(0)[code as usize]);
    let hierarchy = ladder.hierarchy();
    let label = |taxon| (Some(taxon) != missing).then(|| hierarchy.label(taxon).to_owned());
    let mut labels: Vec<Option<String>> = ladder
        .taxa(level)
        .iter()
        .map(|taxon| label(*taxon))
        .collect();
    // Suppression is the hierarchy's own maximal element, so that a row generalized to it looks the same.
    let top = ladder
        .taxa(level)
        .iter()
        .position(|taxon| *taxon == hierarchy.root())
        .unwrap_or(labels.len());
    if top == labels.len() {
        labels.push(Some(hierarchy.label(hierarchy.root()).to_owned()));
    }
    let code = |row: &u32| {
        let row = *row as usize;
        if marked[row] {
            top as Code
        } else {
            climb[column.codes().get(row) as usize]
        }
    };
    AppliedColumn {
        name: column.name().to_owned(),
        labels,
        codes: rows.iter().map(code).collect(),
    }
}

fn starred(column: &Column, rows: &[u32], marked: &[bool]) -> AppliedColumn {
    let mut applied = plain(column, rows);
    let star = applied.labels.len() as Code;
    applied.labels.push(Some(STAR.to_owned()));
    for (code, row) in applied.codes.iter_mut().zip(rows) {
        if marked[*row as usize] {
            *code = star;
        }
    }
    applied
}

fn plain(column: &Column, rows: &[u32]) -> AppliedColumn {
    let dictionary = column.dictionary();
    let label =
        |(code, text): (Code, &str)| (dictionary.missing() != Some(code)).then(|| text.to_owned());
    AppliedColumn {
        name: column.name().to_owned(),
        labels: (0..).zip(dictionary.texts()).map(label).collect(),
        codes: rows
            .iter()
            .map(|row| column.codes().get(*row as usize))
            .collect(),
    }
}
