//! A release row by row, as it is published: its cells, its Prec cell by cell, and what the certifier says.

use scrim::algorithm::{Algorithm, Unwatched};
use scrim::hierarchy::{Hierarchy, Ladder};
use scrim::metric::{Marginals, measure_local};
use scrim::recoding::{Fate, Recoding, apply};
use scrim::release::audit::{Known, rare_combination};
use scrim::release::policy::Policy;
use scrim::table::{Role, Table};
use scrim::{Error, Share};

use super::bench::{Bench, internal, read_table};

/// The quasi-identifiers of each row.
pub(super) type Rows = Vec<Vec<String>>;

/// What a search releases for k-anonymity.
#[derive(Debug)]
pub(super) struct Released {
    pub(super) rows: Rows,
    /// As the library measures the plan.
    pub(super) prec: Share,
    pub(super) suppressed: usize,
    pub(super) proven: bool,
    pub(super) bound: Option<f64>,
}

impl Released {
    /// Nothing where the search leaves nothing.
    pub(super) fn by(
        bench: &Bench,
        algorithm: &dyn Algorithm,
        k: u64,
    ) -> Result<Option<Self>, Error> {
        let found = bench.search(algorithm, k, &mut Unwatched)?;
        let released = |found: scrim::algorithm::Found| {
            Ok(Self {
                rows: rows(bench, &found.recoding),
                prec: prec(bench, &found.recoding)?,
                suppressed: bench.suppressed(&found.recoding).len(),
                proven: found.proven,
                bound: found.bound,
            })
        };
        found.map(released).transpose()
    }
}

/// The rows of a plan; suppressed ones stand at the top.
pub(super) fn rows(bench: &Bench, recoding: &Recoding) -> Rows {
    let quasi = bench.ladders.len();
    let role = |at: usize| {
        if at < quasi {
            Role::Quasi
        } else {
            Role::Sensitive
        }
    };
    let roles: Vec<Role> = (0..bench.table.columns().len()).map(role).collect();
    let fate = Fate {
        drop: false,
        star_sensitive: false,
    };
    let made = apply(
        &bench.table,
        &roles,
        &bench.ladders,
        &recoding.suppressed_rows(&bench.ground),
        recoding,
        &[],
        fate,
    );
    let row = |row: usize| {
        let columns = made.columns[..quasi].iter();
        columns
            .map(|column| column.labels[column.codes.get(row) as usize].clone())
            .collect()
    };
    (0..made.rows.len()).map(row).collect()
}

/// The rows of a printed table.
pub(super) fn rows_of_table(table: &Table, columns: usize) -> Rows {
    let row = |row: usize| {
        let columns = table.columns()[..columns].iter();
        columns.map(|column| column.text(row).to_owned()).collect()
    };
    (0..table.rows()).map(row).collect()
}

/// The Prec of a plan.
pub(super) fn prec(bench: &Bench, recoding: &Recoding) -> Result<Share, Error> {
    let Recoding::Local(local) = recoding else {
        return bench.prec(recoding);
    };
    let marginals = Marginals::new(&bench.ladders, &bench.ground);
    let weights = vec![Share::ONE; bench.ladders.len()];
    measure_local(&marginals, &weights, local, &bench.ground)
        .prec_exact
        .ok_or_else(no_fraction)
}

/// Definition 5 on rows as printed: the level of each cell is looked up in the hierarchy of its value.
pub(super) fn prec_of_rows(bench: &Bench, rows: &[Vec<String>]) -> Result<Share, Error> {
    let mut lost = Share::ZERO;
    for (row, levels) in levels(bench, rows)?.iter().enumerate() {
        for (at, ladder) in bench.ladders.iter().enumerate() {
            let cell = Share::new(levels[at].into(), ladder.height().into());
            lost = cell
                .and_then(|cell| lost.checked_add(cell))
                .ok_or_else(|| internal(&format!("row {row} has no Prec")))?;
        }
    }
    let cells = (bench.table.rows() * bench.ladders.len()) as i128;
    let mean = Share::new(-1, cells).and_then(|part| lost.checked_mul(part));
    mean.and_then(|mean| Share::ONE.checked_add(mean))
        .ok_or_else(no_fraction)
}

/// The level of each printed cell.
pub(super) fn levels(bench: &Bench, rows: &[Vec<String>]) -> Result<Vec<Vec<u8>>, Error> {
    let of_row = |(row, cells): (usize, &Vec<String>)| {
        let cells = bench.ladders.iter().zip(bench.table.columns()).zip(cells);
        cells
            .map(|((ladder, column), label)| level(ladder.hierarchy(), column.text(row), label))
            .collect()
    };
    rows.iter().enumerate().map(of_row).collect()
}

/// How far up from a value a printed label stands.
pub(super) fn level(hierarchy: &Hierarchy, value: &str, label: &str) -> Result<u8, Error> {
    let leaf = hierarchy
        .leaf(value)
        .ok_or_else(|| internal("a value has no leaf"))?;
    let mut levels = 0..=hierarchy.height();
    let found = levels.find(|level| hierarchy.label(hierarchy.at_level(leaf, *level)) == label);
    found.ok_or_else(|| internal("a printed cell generalizes another value"))
}

/// How many rows look like a row.
pub(super) fn alike(rows: &[Vec<String>], row: usize) -> usize {
    rows.iter().filter(|other| **other == rows[row]).count()
}

pub(super) fn smallest_class(rows: &[Vec<String>]) -> usize {
    let sizes = (0..rows.len()).map(|row| alike(rows, row));
    sizes.min().unwrap_or(0)
}

pub(super) fn classes(rows: &[Vec<String>]) -> usize {
    let mut different: Vec<&Vec<String>> = rows.iter().collect();
    different.sort();
    different.dedup();
    different.len()
}

/// The smallest combination by which the certifier finds rows not to be k-anonymous.
pub(super) fn refused(
    bench: &Bench,
    rows: &[Vec<String>],
    k: u64,
) -> Result<Option<String>, Error> {
    let names: Vec<&str> = bench.ladders.iter().map(Ladder::name).collect();
    let roles: Vec<String> = names
        .iter()
        .map(|name| format!("{name} = {{ role = \"quasi\" }}\n"))
        .collect();
    let policy = format!(
        "[data]\npath = \"-\"\n[columns]\n{}[[privacy]]\nmodel = \"k-anonymity\"\nk = {k}\n",
        roles.concat()
    );
    let policy = Policy::parse("policy", &policy)?;
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    let table = read_table(&format!("{}\n{}\n", names.join(","), rows.join("\n")))?;
    let found = rare_combination(&policy, &table, "release", &Known::default())?;
    Ok(found.map(|rare| {
        let values = rare.values.iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} {}", value.as_str().unwrap_or_default()))
            .collect();
        format!("{}: {} of {}", values.join(", "), rare.found, rare.k)
    }))
}

fn no_fraction() -> Error {
    internal("Prec is no fraction")
}
