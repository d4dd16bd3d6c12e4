//! Makes the released table from a plan: codes mapped through the recoding, column by column.

use rayon::prelude::*;

use super::{Local, Recoding};
use crate::frequency::Ground;
use crate::hierarchy::{Ladder, Level, STAR, TaxonId};
use crate::table::{Code, Codes, Column, Role, Table};

/// What becomes of suppressed rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// They are left out; otherwise they stay, at the top of every quasi-identifier.
    pub drop: bool,
    /// Their sensitive values are starred as well; where no column is sensitive, their insensitive ones.
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
    let marked = recoding.suppressed_rows(ground);
    let rows: Vec<u32> = (0..table.rows() as u32)
        .filter(|row| !(fate.drop && marked[*row as usize]))
        .collect();
    let published: Vec<(&Column, Role)> = table
        .columns()
        .iter()
        .zip(roles.iter().copied())
        .filter(|(_, role)| role.is_published())
        .collect();
    let any_sensitive = published.iter().any(|(_, role)| *role == Role::Sensitive);
    let told = if any_sensitive {
        Role::Sensitive
    } else {
        Role::Insensitive
    };
    let columns = published
        .into_par_iter()
        .map(|(column, role)| match role {
            Role::Quasi => quasi(column, ladders, recoding, &rows, &marked),
            role if role == told && fate.star_sensitive => starred(column, &rows, &marked),
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
    let missing = column
        .dictionary()
        .missing()
        .map(|code| ladders[at].taxa(0)[code as usize]);
    let made = match recoding {
        Recoding::FullDomain { node, .. } => {
            at_level(column, &ladders[at], node.levels()[at], rows, marked)
        }
        Recoding::Local(local) => in_classes(local, at, rows),
    };
    let hierarchy = ladders[at].hierarchy();
    let missing = missing.and_then(|leaf| made.taxa.iter().position(|taxon| *taxon == leaf));
    AppliedColumn {
        name: column.name().to_owned(),
        labels: made
            .taxa
            .iter()
            .map(|taxon| hierarchy.label(*taxon).to_owned())
            .collect(),
        missing: missing.map(|code| code as Code),
        codes: made.codes,
    }
}

/// A generalized column: taxa by code.
struct Made {
    taxa: Vec<TaxonId>,
    codes: Codes,
}

fn at_level(column: &Column, ladder: &Ladder, level: Level, rows: &[u32], marked: &[bool]) -> Made {
    let climb = ladder.climb(0, level);
    let mut taxa = ladder.taxa(level).to_vec();
    // Suppression is the hierarchy's own maximal element, so that a row generalized to it looks the same.
    let root = ladder.hierarchy().root();
    let top = taxa
        .iter()
        .position(|taxon| *taxon == root)
        .unwrap_or_else(|| {
            taxa.push(root);
            taxa.len() - 1
        });
    let code = |row: &u32| {
        let row = *row as usize;
        if marked[row] {
            top as Code
        } else {
            climb[column.codes().get(row) as usize]
        }
    };
    let codes = Codes::collect(taxa.len(), rows.iter().map(code));
    Made { taxa, codes }
}

fn in_classes(local: &Local, attribute: usize, rows: &[u32]) -> Made {
    let mut taxa: Vec<TaxonId> = local.classes.iter().map(|class| class[attribute]).collect();
    taxa.sort_unstable();
    taxa.dedup();
    let code = |class: &[TaxonId]| taxa.binary_search(&class[attribute]).unwrap_or(0) as Code;
    let code_of_class: Vec<Code> = local.classes.iter().map(|class| code(class)).collect();
    let codes = rows
        .iter()
        .map(|row| code_of_class[local.class_of_row[*row as usize] as usize]);
    let codes = Codes::collect(taxa.len(), codes);
    Made { taxa, codes }
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
