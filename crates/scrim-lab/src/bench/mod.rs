//! `scrim bench`: made-up tables, every search on them, and what a process used.

mod floor;
mod generate;
mod given;
mod grid;
mod machine;
mod measure;
mod peers;
mod report;
mod request;
mod run;
mod shape;

use scrim::release::catalog::{CATALOG, Kind as CatalogKind};

use crate::Failure;

pub use generate::generate;
pub use measure::measure;
pub use request::{GenerateRequest, Kind, Looks, RunRequest, Shape};
pub use run::run;

/// Whether there are searches of these names.
fn known(algorithms: &[String]) -> Result<(), Failure> {
    let is_known = |name: &String| {
        CATALOG
            .iter()
            .any(|entry| entry.kind == CatalogKind::Algorithm && entry.name == name)
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
