//! [XiaoTao06]: personalized anonymity, by the paper's examples and the experiments of section 5.
//!
//! **Reading.** The paper's table (100,000 Americans of ipums.org) is not to be had, and Figures 6 to 9 are not in its
//! text. The experiments are made anew on a census of the same shape or on a made-up table; what the paper says of its
//! figures stands beside ours. Without the paper's key only the examples are compared: the experiments take their time
//! and write files.

mod accuracy;
mod alone;
mod breach;
mod cases;
mod census;
mod datasets;
mod errata;
mod examples;
mod fixtures;
mod greedy;
mod income;
mod loss;
mod penalty;
mod policy;
mod primary;
mod reconstructions;
mod study;
mod synthetic;
mod time;

use std::path::Path;

use serde_json::{Value, json};

use super::comparison::{Comparison, Line, Part, Verdict};
use super::{Request, bench, chance, findings, seconds};
use crate::Failure;
use crate::Monitor;
use census::Leaves;
use findings::Findings;
use study::Study;

/// As many rows as the paper has.
const ROWS: usize = 100_000;
/// Where pictures and tables go.
const OUT: &str = "reproduce-xiaotao06";
/// What the answer lacks without the key.
const NO_EXPERIMENTS: &str = "the experiments of section 5 run with `scrim reproduce xiaotao06`: they write tables and pictures";
/// What it lacks without data.
const NO_DATA: &str =
    "the experiments ran on a made-up table; give `--data DIR` to run them on the census";

/// The paper beside us.
pub(super) fn compare(
    request: &Request<'_>,
    progress: &mut dyn Monitor,
) -> Result<Comparison, Failure> {
    let mut comparison = Comparison {
        key: "xiaotao06",
        title: "X. Xiao, Y. Tao, Personalized privacy preservation, 2006",
        parts: examples::parts()?,
        seconds: Vec::new(),
        errata: &errata::ERRATA,
        remarks: &errata::REMARKS,
        not_yet: NO_EXPERIMENTS,
        figures: Value::Null,
        written: Vec::new(),
    };
    if request.key.is_some() {
        section_5(request, progress, &mut comparison)?;
    }
    Ok(comparison)
}

fn section_5(
    request: &Request<'_>,
    progress: &mut dyn Monitor,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let out = request.out.unwrap_or(Path::new(OUT));
    findings::must_be_free(out, breach::FILE, breach::HEADING)?;
    let rows = request.rows.unwrap_or(ROWS);
    let primary = match request.data {
        Some(data) => census::primary(data, rows, Leaves::OfEqualDepth)?,
        None => synthetic::primary(rows),
    };
    // The paper's own taxonomy, where ours is another.
    let of_thousands = request
        .data
        .map(|data| census::primary(data, rows, Leaves::OfThousands))
        .transpose()?;
    let mut study = Study::new(&primary, out, progress)?;
    let mut findings = Findings::default();
    findings.parts.push(greedy::part(&mut study)?);
    breach::find(&mut study, &mut findings)?;
    loss::find(&mut study, &mut findings)?;
    findings.parts.push(alone::part()?);
    accuracy::find(&mut study, &mut findings)?;
    comparison.seconds = time::find(&mut study, &mut findings)?;
    let mut relations = vec![cases::of(&mut study)?];
    drop(study);
    if let Some(primary) = &of_thousands {
        relations.push(cases::of(&mut Study::new(primary, out, progress)?)?);
    }
    cases::find(relations, &mut findings);
    findings.numbers.insert(
        "data".to_owned(),
        json!({
            "name": primary.name,
            "about": primary.about,
            "rows": primary.people.len(),
            "seed": primary::SEED,
            "largest_parent_percent": primary.largest_parent(),
        }),
    );
    let lacks = if request.data.is_some() { "" } else { NO_DATA };
    findings.close(out, lacks, comparison)
}
