//! [Wong09]: publishing again and again, by the paper's examples and a study over ten releases.
//!
//! **Reading.** The experiments stand in the paper's full version only. The study is ours: the same patients published ten times,
//! by l-diversity in each release and by `serial` over all of them. Without the paper's key only the examples are
//! compared: the study takes its time and writes files.

mod bed;
mod encounters;
mod errata;
mod examples;
mod hospital;
mod report;
mod rules;
mod study;
mod worlds;

use std::path::Path;

use serde_json::Value;

use super::comparison::{Comparison, Line, Part, Verdict};
use super::{Request, findings};
use crate::Failure;
use crate::Monitor;
use study::Method;

/// Rows of a release.
const ROWS: usize = 2_000;
/// The seed of the made-up hospital.
const SEED: u64 = 2009;
/// Where pictures and tables go.
const OUT: &str = "reproduce-wong09";
/// What the answer lacks without the key.
const NO_STUDY: &str =
    "the study over ten releases runs with `scrim reproduce wong09`: it writes tables and pictures";
/// What it lacks without data.
const NO_DATA: &str = "the study ran on a made-up hospital; give `--data FILE` to run it on the diabetes encounters (UCI 296)";

/// The paper beside us.
pub(super) fn compare(
    request: &Request<'_>,
    progress: &mut dyn Monitor,
) -> Result<Comparison, Failure> {
    let mut comparison = Comparison {
        key: "wong09",
        title: "R. C.-W. Wong et al., Global privacy guarantee in serial data publishing, 2009",
        parts: examples::parts()?,
        seconds: Vec::new(),
        errata: &errata::ERRATA,
        remarks: &errata::REMARKS,
        not_yet: NO_STUDY,
        figures: Value::Null,
        written: Vec::new(),
    };
    if request.key.is_some() {
        ten_releases(request, progress, &mut comparison)?;
    }
    Ok(comparison)
}

fn ten_releases(
    request: &Request<'_>,
    progress: &mut dyn Monitor,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let out = request.out.unwrap_or(Path::new(OUT));
    findings::must_be_free(out, report::FILE, report::HEADING)?;
    let rows = request.rows.unwrap_or(ROWS);
    let hospital = match request.data {
        Some(data) => encounters::read(data, rows)?,
        None => hospital::made_up(rows, request.seed.unwrap_or(SEED)),
    };
    let mut runs = Vec::new();
    for method in Method::ALL {
        runs.push((method, study::run(&hospital, method, progress)?));
    }
    let findings = report::findings(&hospital, &runs);
    let lacks = if request.data.is_some() { "" } else { NO_DATA };
    findings.close(out, lacks, comparison)
}
