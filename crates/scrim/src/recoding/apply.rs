//! Makes the released table from a plan: codes mapped through the recoding, column by column.

use rayon::prelude::*;

use super::{Cell, Cut, GeneralizedSensitive, Local, Recoding};
use crate::hierarchy::{Ladder, Level, STAR};
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

/// Applies a plan. `roles` gives the role of each column of the table, `ladders` the quasi-identifiers in policy order, and `marked`
/// which rows are suppressed ([`Recoding::suppressed_rows`]).
pub fn apply(
    table: &Table,
    roles: &[Role],
    ladders: &[Ladder],
    marked: &[bool],
    recoding: &Recoding,
    sensitive: &[GeneralizedSensitive],
    fate: Fate,
) -> Applied {
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
            Role::Quasi => quasi(column, ladders, recoding, &rows, marked),
            role => {
                let starred = (role == told && fate.star_sensitive).then_some(marked);
                let of_column =
                    |generalized: &&GeneralizedSensitive| generalized.column == column.name();
                match sensitive.iter().find(of_column) {
                    Some(generalized) => raised(column, generalized, &rows, starred),
                    None => plain(column, &rows, starred),
                }
            }
        })
        .collect();
    let gone = (0..table.rows()).filter(|row| marked[*row]);
    let suppressed = gone.map(|row| table.times(row)).sum();
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
        return plain(column, rows, None);
    };
    let ladder = &ladders[at];
    match recoding {
        Recoding::FullDomain { node, .. } => {
            at_level(column, ladder, node.levels()[at], rows, marked)
        }
        Recoding::Local(local) => in_classes(column, local, ladder, at, rows),
        Recoding::Subtree(cuts) => in_parts(column, &cuts[at], rows),
    }
}

fn in_parts(column: &Column, cut: &Cut, rows: &[u32]) -> AppliedColumn {
    let part = |row: &u32| cut.part_of_code[column.codes().get(*row as usize) as usize];
    AppliedColumn {
        name: column.name().to_owned(),
        labels: cut.parts.iter().map(|part| part.label.clone()).collect(),
        missing: cut.missing(column.dictionary().missing()),
        codes: Codes::collect(cut.parts.len(), rows.iter().map(part)),
    }
}

fn at_level(
    column: &Column,
    ladder: &Ladder,
    level: Level,
    rows: &[u32],
    marked: &[bool],
) -> AppliedColumn {
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
    let hierarchy = ladder.hierarchy();
    let missing = column.dictionary().missing();
    let missing = missing.map(|code| ladder.taxa(0)[code as usize]);
    let missing = missing.and_then(|leaf| taxa.iter().position(|taxon| *taxon == leaf));
    AppliedColumn {
        name: column.name().to_owned(),
        labels: taxa
            .iter()
            .map(|taxon| hierarchy.label(*taxon).to_owned())
            .collect(),
        missing: missing.map(|code| code as Code),
        codes,
    }
}

fn in_classes(
    column: &Column,
    local: &Local,
    ladder: &Ladder,
    attribute: usize,
    rows: &[u32],
) -> AppliedColumn {
    let mut cells: Vec<Cell> = local.classes.iter().map(|class| class[attribute]).collect();
    cells.sort_unstable();
    cells.dedup();
    let code = |class: &[Cell]| cells.binary_search(&class[attribute]).unwrap_or(0) as Code;
    let code_of_class: Vec<Code> = local.classes.iter().map(|class| code(class)).collect();
    let codes = rows
        .iter()
        .map(|row| code_of_class[local.class_of_row[*row as usize] as usize]);
    let codes = Codes::collect(cells.len(), codes);
    let missing = column.dictionary().missing();
    let missing = missing.map(|code| Cell::Taxon(ladder.taxa(0)[code as usize]));
    let missing = missing.and_then(|leaf| cells.binary_search(&leaf).ok());
    AppliedColumn {
        name: column.name().to_owned(),
        labels: cells
            .iter()
            .map(|cell| local.label(ladder, attribute, *cell))
            .collect(),
        missing: missing.map(|code| code as Code),
        codes,
    }
}

/// A column as it is, but for the marked rows, which are starred.
fn plain(column: &Column, rows: &[u32], marked: Option<&[bool]>) -> AppliedColumn {
    let mut labels: Vec<String> = column.dictionary().texts().map(str::to_owned).collect();
    let star = labels.len() as Code;
    labels.extend(marked.map(|_| STAR.to_owned()));
    let code = |row: &u32| {
        if marked.is_some_and(|marked| marked[*row as usize]) {
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

/// A sensitive column at the taxa of a plan; the marked rows are starred.
fn raised(
    column: &Column,
    generalized: &GeneralizedSensitive,
    rows: &[u32],
    marked: Option<&[bool]>,
) -> AppliedColumn {
    let tree = &generalized.tree;
    let mut code_of_taxon: Vec<Option<Code>> = vec![None; tree.len()];
    let mut labels: Vec<String> = Vec::new();
    let missing = column.dictionary().missing();
    let missing = missing.and_then(|code| tree.leaf(column.dictionary().text(code)));
    let mut star: Option<Code> = None;
    let mut codes = Vec::with_capacity(rows.len());
    for row in rows.iter().map(|row| *row as usize) {
        let (place, label) = if marked.is_some_and(|marked| marked[row]) {
            (&mut star, STAR)
        } else {
            let taxon = generalized.taxon_of_row[row];
            (&mut code_of_taxon[taxon.0 as usize], tree.label(taxon))
        };
        codes.push(*place.get_or_insert_with(|| {
            labels.push(label.to_owned());
            labels.len() as Code - 1
        }));
    }
    AppliedColumn {
        name: column.name().to_owned(),
        missing: missing.and_then(|leaf| code_of_taxon[leaf.0 as usize]),
        codes: Codes::collect(labels.len(), codes.into_iter()),
        labels,
    }
}
