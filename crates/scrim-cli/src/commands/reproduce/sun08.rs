//! [Sun08]: the enhanced p-sensitive models, by the paper's tables, Algorithm 1 and the experiments of section 6.
//!
//! **Reading.** The paper's hierarchies and random values are not printed, so its counts on Adult cannot be had again;
//! the experiments are made anew, on Adult with ARX's hierarchies or on a made-up table of that shape. Figures 2 and 3
//! are not in the paper's text: what it says of them stands beside ours.

mod admitted;
mod ask;
mod attack;
mod claims;
mod data;
mod errata;
mod figures;
mod fixtures;
mod nodes;
mod released;
mod runs;
mod subject;
mod synthetic;
mod table1;
mod tables;

use std::path::Path;

use super::comparison::{Comparison, Line, Part, Verdict};
use super::{bench, seconds, words};
use crate::outcome::Failure;

/// The paper beside us; `folder` has the data of the experiments.
pub(super) fn compare(folder: Option<&Path>) -> Result<Comparison, Failure> {
    let data = data::Data::new(folder)?;
    let mut parts = tables::parts()?;
    parts.extend(table1::parts()?);
    let mut runs = runs::Runs::new(&data)?;
    parts.extend(attack::parts(&mut runs)?);
    let (figures, seconds) = figures::parts(&mut runs)?;
    parts.extend(figures);
    Ok(Comparison {
        key: "sun08",
        title: "X. Sun, H. Wang, J. Li, T. M. Truta, Enhanced p-sensitive k-anonymity models for privacy preserving data publishing, 2008",
        parts,
        seconds,
        errata: &errata::ERRATA,
        not_yet: if folder.is_some() { "" } else { NO_DATA },
        figures: serde_json::Value::Null,
        written: Vec::new(),
    })
}

/// What the answer lacks without data.
const NO_DATA: &str =
    "the experiments ran on a made-up table; give `--data DIR` to run them on Adult";
