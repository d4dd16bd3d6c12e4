//! `scrim bench`: made-up tables, every search on them, and what a process used.

mod floor;
mod generate;
mod given;
mod grid;
mod machine;
mod measure;
mod peers;
mod report;
mod run;
mod shape;

use scrim::release::catalog::{CATALOG, Kind};

use crate::bench::{BenchAction, BenchArguments, Looks, Shape};
use crate::outcome::{Failure, Outcome};
use crate::terminal::Terminal;

/// Does what was asked.
pub(super) fn run(
    asked: &BenchArguments,
    threads: Option<usize>,
    json: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    match &asked.action {
        BenchAction::Generate(asked) => generate::run(asked, json, terminal),
        BenchAction::Run(asked) => run::run(asked, threads, json, terminal),
        BenchAction::Measure { limit, command } => measure::run(command, *limit, json),
    }
}

/// Whether there are searches of these names.
fn known(algorithms: &[String]) -> Result<(), Failure> {
    let is_known = |name: &String| {
        CATALOG
            .iter()
            .any(|entry| entry.kind == Kind::Algorithm && entry.name == name)
    };
    match algorithms.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(Failure::new(
            format!("there is no search `{name}`"),
            Some("`scrim help algorithm` lists them"),
        )),
    }
}

/// Whether numbers of values and levels were given only where they mean something.
fn usable(looks: &Looks) -> Result<(), Failure> {
    if looks.shape == Shape::Adult && (looks.values.is_some() || looks.levels.is_some()) {
        let hint = "add `--shape even`";
        return Err(Failure::new(
            "`--values` and `--levels` are those of Adult in this shape",
            Some(hint),
        ));
    }
    Ok(())
}
