//! [Sun08]: the enhanced p-sensitive models, by the paper's tables, Algorithm 1 and the experiments of section 6.
//!
//! **Reading.** The paper's hierarchies and random values are not printed, so its counts on Adult cannot be had again;
//! the experiments are made anew, on Adult with ARX's hierarchies or on a made-up table of that shape. Figures 2 and 3
//! are not in the paper's text: what it says of them stands beside ours.

mod admitted;
mod adult;
mod algorithm1;
mod ask;
mod attack;
mod claims;
mod data;
mod distance;
mod errata;
mod experiments;
mod figures;
mod fixtures;
mod nodes;
mod released;
mod runs;
mod subject;
mod synthetic;
mod table1;
mod tables;

use super::comparison::{Comparison, Line, Part, Verdict};
use super::{Request, bench, findings, seconds, words};
use crate::Failure;

/// What the answer lacks without data.
const NO_DATA: &str =
    "the experiments ran on a made-up table; give `--data FILE_OR_DIR` to run them on Adult";
/// What it lacks without the key.
const NO_EXPERIMENTS: &str =
    "the experiments with Algorithm 1 run with `scrim reproduce sun08`: they take their time";

/// The paper beside us.
pub(super) fn compare(request: &Request<'_>) -> Result<Comparison, Failure> {
    if let Some(out) = request.out {
        findings::must_be_free(out, experiments::FILE, experiments::HEADING)?;
    }
    let data = data::Data::new(request.data, seed(request)?)?;
    let mut parts = tables::parts()?;
    parts.push(distance::part()?);
    parts.extend(table1::parts()?);
    let mut runs = runs::Runs::new(&data)?;
    parts.extend(attack::parts(&mut runs)?);
    let incognito = figures::Figures::search(&mut runs)?;
    parts.extend(incognito.parts(&runs));
    let mut comparison = Comparison {
        key: "sun08",
        title: "X. Sun, H. Wang, J. Li, T. M. Truta, Enhanced p-sensitive k-anonymity models for privacy preserving data publishing, 2008",
        parts,
        seconds: incognito.seconds(&data.name()),
        errata: &errata::ERRATA,
        remarks: &errata::REMARKS,
        not_yet: NO_EXPERIMENTS,
        figures: serde_json::Value::Null,
        written: Vec::new(),
    };
    if request.key.is_some() {
        local_recoding(request, &runs, &incognito, &mut comparison)?;
    }
    Ok(comparison)
}

/// Section 6 with Algorithm 1; files are written where a folder is named.
fn local_recoding(
    request: &Request<'_>,
    runs: &runs::Runs<'_>,
    incognito: &figures::Figures,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let top_down = algorithm1::TopDown::search(runs.data)?;
    let mut findings = experiments::findings(runs, incognito, &top_down);
    findings.parts = top_down.parts(runs, incognito);
    comparison
        .seconds
        .extend(top_down.seconds(&runs.data.name()));
    let lacks = if request.data.is_some() { "" } else { NO_DATA };
    if let Some(out) = request.out {
        return findings.close(out, lacks, comparison);
    }
    findings.show(lacks, comparison);
    Ok(())
}

/// The seed of the sensitive columns.
fn seed(request: &Request<'_>) -> Result<u32, Failure> {
    let given = request.seed.unwrap_or(data::SEED.into());
    u32::try_from(given).map_err(|_| {
        let what = format!("`--seed` is {given}, but the values are drawn with 32 bits");
        Failure::new(what, Some("give a number up to 4294967295"))
    })
}
