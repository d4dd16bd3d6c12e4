//! [Zhang07]: somebody who knows the algorithm, by the paper's examples and a study.
//!
//! **Reading.** The paper has no experiments. The study is ours: samples of a table released naively, what that tells, and what
//! the sound strategies publish instead. Without the paper's key only the examples are compared: the study takes its time
//! and writes files.

mod case;
mod errata;
mod examples;
mod instances;
mod kinds;
mod made_up;
mod people;
mod report;
mod strategies;
mod study;
mod summary;
mod tables;

use std::path::Path;

use serde_json::Value;

use super::comparison::{Comparison, Line, Part, Verdict};
use super::{Request, findings};
use crate::Failure;
use crate::Monitor;
use people::People;

/// Rows of the made-up table.
const ROWS: usize = 5_000;
/// The seed of samples and of the made-up table.
const SEED: u64 = 2007;
/// Where pictures and tables go.
const OUT: &str = "reproduce-zhang07";
/// What the answer lacks without the key.
const NO_STUDY: &str = "the study of naive releases runs with `scrim reproduce zhang07`: it writes tables and pictures";
/// What it lacks without data.
const NO_DATA: &str =
    "the study ran on a made-up table; give `--data FILE` to run it on Adult (`;`-separated)";

/// The paper beside us.
pub(super) fn compare(
    request: &Request<'_>,
    progress: &mut dyn Monitor,
) -> Result<Comparison, Failure> {
    let mut comparison = Comparison {
        key: "zhang07",
        title: "L. Zhang et al., Exclusive strategy for generalization algorithms in micro-data disclosure, 2007 or 2008",
        parts: examples::parts()?,
        seconds: Vec::new(),
        errata: &errata::ERRATA,
        remarks: &[],
        not_yet: NO_STUDY,
        figures: Value::Null,
        written: Vec::new(),
    };
    if request.key.is_some() {
        study(request, progress, &mut comparison)?;
    }
    Ok(comparison)
}

fn study(
    request: &Request<'_>,
    progress: &mut dyn Monitor,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let out = request.out.unwrap_or(Path::new(OUT));
    findings::must_be_free(out, report::FILE, report::HEADING)?;
    let seed = request.seed.unwrap_or(SEED);
    let most = match request.data {
        Some(_) => request.rows.unwrap_or(usize::MAX),
        None => request.rows.unwrap_or(ROWS),
    };
    let people = People::new(request.data, most, seed)?;
    let runs = study::runs(&people, seed, progress)?;
    let findings = report::findings(&people, &runs, seed);
    let lacks = if request.data.is_some() { "" } else { NO_DATA };
    findings.close(out, lacks, comparison)
}
