//! A run of mu-Argus in the paper's words.

use scrim::Error;
use scrim::algorithm::MuArgusRun;
use scrim::table::Table;

use super::super::bench::{Bench, internal};
use super::super::released::{Rows, alike};
use super::words;

/// The outliers of a row, by the initials of their columns.
pub(super) fn outliers(bench: &Bench, run: &MuArgusRun, row: usize) -> Vec<String> {
    let tuple = run.tuple_of_row[row] as usize;
    run.outliers
        .of_tuple(tuple)
        .map(|set| {
            let names = set.iter().map(|at| bench.ladders[*at].name());
            names.map(|name| &name[..1]).collect()
        })
        .collect()
}

pub(super) fn columns(bench: &Bench, set: &[usize]) -> String {
    let names: Vec<&str> = set.iter().map(|at| bench.ladders[*at].name()).collect();
    format!("{{{}}}", names.join(","))
}

pub(super) fn blank(bench: &Bench, run: &MuArgusRun, row: usize) -> String {
    columns(bench, &run.suppressed[run.tuple_of_row[row] as usize])
}

/// The cells of each row, with or without those of step 6 suppressed.
pub(super) fn cells(bench: &Bench, run: &MuArgusRun, suppress: bool) -> Result<Rows, Error> {
    let cell = |tuple: usize, at: usize| -> Result<String, Error> {
        let ladder = &bench.ladders[at];
        let taxon = if suppress && run.suppressed[tuple].contains(&at) {
            ladder.hierarchy().root()
        } else {
            let taxa = ladder.taxa(run.node.levels()[at]);
            *taxa
                .get(run.set.code(tuple, at) as usize)
                .ok_or_else(|| internal("a code without a taxon"))?
        };
        Ok(ladder.hierarchy().label(taxon).to_owned())
    };
    let row = |tuple: &u32| {
        let columns = 0..bench.ladders.len();
        columns.map(|at| cell(*tuple as usize, at)).collect()
    };
    run.tuple_of_row.iter().map(row).collect()
}

/// How many rows are as printed, where a blank cell is a suppressed one.
pub(super) fn equal_rows(released: &[Vec<String>], printed: &Table) -> String {
    let shown = |row: usize, at: usize| match printed.columns()[at].text(row) {
        "" => "******",
        text => text,
    };
    let equal = released.iter().enumerate().filter(|(row, cells)| {
        cells
            .iter()
            .enumerate()
            .all(|(at, cell)| cell == shown(*row, at))
    });
    equal.count().to_string()
}

pub(super) fn unique(released: &[Vec<String>]) -> String {
    let unique = (0..released.len()).filter(|row| alike(released, *row) == 1);
    words::rows(&unique.collect::<Vec<_>>())
}

/// The suppressed cells as the fixtures write them, a word a row.
pub(super) fn suppressed(run: &MuArgusRun) -> String {
    let rows = run.tuple_of_row.iter().enumerate();
    let rows = rows.filter_map(|(row, tuple)| {
        let cells = &run.suppressed[*tuple as usize];
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        (!cells.is_empty()).then(|| format!("{row}:{}", cells.join("-")))
    });
    rows.collect::<Vec<_>>().join(" ")
}
