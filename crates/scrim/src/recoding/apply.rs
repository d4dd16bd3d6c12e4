//! Makes the released table from a plan: codes mapped through the recoding, column by column.

use rayon::prelude::*;

use super::Recoding;
use crate::frequency::Ground;
use crate::hierarchy::{Ladder, STAR};
use crate::table::{Code, Codes, Column, Role, Table};

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
    /// The texts by code.
    pub labels: Vec<String>,
    /// The code that stands for a missing value.
    pub missing: Option<Code>,
    /// The code of each released row.
    pub codes: Codes,
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
    let published: Vec<(&Column, Role)> = table
        .columns()
        .iter()
        .zip(roles.iter().copied())
        .filter(|(_, role)| role.is_published())
        .collect();
    let columns = published
        .into_par_iter()
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
    let hierarchy = ladder.hierarchy();
    let taxa = ladder.taxa(level);
    let missing_leaf = column
        .dictionary()
        .missing()
        .map(|code| ladder.taxa(0)[code as usize]);
    let missing = missing_leaf
        .and_then(|leaf| taxa.iter().position(|taxon| *taxon == leaf))
        .map(|code| code as Code);
    let mut labels: Vec<String> = ladder.labels(level).map(str::to_owned).collect();
    // Suppression is the hierarchy's own maximal element, so that a row generalized to it looks the same.
    let top = taxa
        .iter()
        .position(|taxon| *taxon == hierarchy.root())
        .unwrap_or(labels.len());
    if top == labels.len() {
        labels.push(hierarchy.label(hierarchy.root()).to_owned());
    }
    let code = |row: &u32| {
        let row = *row as usize;
        if marked[row] {
            top as Code
        } else {
            climb[column.codes().get(row) as usize]
        }
    };
    let codes = Codes::collect(labels.len(), rows.iter().map(code));
    AppliedColumn {
        name: column.name().to_owned(),
        labels,
        missing,
        codes,
    }
}

fn starred(column: &Column, rows: &[u32], marked: &[bool]) -> AppliedColumn {
    let mut labels: Vec<String> = column.dictionary().texts().map(str::to_owned).collect();
    let star = labels.len() as Code;
    labels.push(STAR.to_owned());
    let code = |row: &u32| {
        if marked[*row as usize] {
            star
        } else {
            column.codes().get(*row as usize)
        }
    };
    let codes = Codes::collect(labels.len(), rows.iter().map(code));
    AppliedColumn {
        name: column.name().to_owned(),
        labels,
        missing: column.dictionary().missing(),
        codes,
    }
}

fn plain(column: &Column, rows: &[u32]) -> AppliedColumn {
    let labels: Vec<String> = column.dictionary().texts().map(str::to_owned).collect();
    let codes = Codes::collect(
        labels.len(),
        rows.iter().map(|row| column.codes().get(*row as usize)),
    );
    AppliedColumn {
        name: column.name().to_owned(),
        labels,
        missing: column.dictionary().missing(),
        codes,
    }
}
