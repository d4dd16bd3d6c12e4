//! `scrim reproduce`: the papers' examples, ours beside theirs.
//!
//! Our answers are computed when the command runs, and held against what the papers print or, where a paper errs, what
//! its definitions give. So the command is a check: it says no when an answer is another.

mod bench;
mod chance;
mod comparison;
mod findings;
mod seconds;
mod sun08;
mod sweeney02;
mod wong09;
mod words;
mod xiaotao06;
mod zhang07;

use std::path::Path;

use serde_json::{Value, json};

use crate::{Failure, Monitor, Outcome};
use comparison::Comparison;

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// One paper; all when there is none.
    pub key: Option<&'a str>,
    /// The data of the experiments.
    pub data: Option<&'a Path>,
    /// Where pictures and tables go.
    pub out: Option<&'a Path>,
    /// How many rows the experiments take.
    pub rows: Option<usize>,
    /// The seed of a made-up table, or of samples.
    pub seed: Option<u64>,
}

/// A paper's key, and how it is compared.
type Paper = (
    &'static str,
    fn(&Request<'_>, &mut dyn Monitor) -> Result<Comparison, Failure>,
);

/// The papers that are there.
const PAPERS: [Paper; 5] = [
    ("sweeney02", |_, _| sweeney02::compare()),
    ("sun08", |request, _| sun08::compare(request)),
    ("xiaotao06", xiaotao06::compare),
    ("wong09", wong09::compare),
    ("zhang07", zhang07::compare),
];

/// With a key one paper, without one all: as JSON then under `papers`.
pub fn run(request: &Request<'_>, progress: &mut dyn Monitor) -> Result<Outcome, Failure> {
    let key = request.key;
    refuse_strays(request)?;
    let wanted = PAPERS
        .iter()
        .filter(|(name, _)| key.is_none_or(|key| key == *name));
    let papers: Vec<Comparison> = wanted
        .map(|(_, compare)| compare(request, progress))
        .collect::<Result<_, _>>()?;
    if papers.is_empty() {
        let known = PAPERS.map(|(name, _)| name).join(", ");
        return Err(Failure::new(
            "there is no such paper",
            Some(&format!("there are: {known}")),
        ));
    }
    let objects: Vec<Value> = papers.iter().map(Comparison::as_json).collect();
    let object = match (key, &objects[..]) {
        (Some(_), [one]) => one.clone(),
        _ => json!({ "papers": objects }),
    };
    let texts: Vec<String> = papers.iter().map(ToString::to_string).collect();
    let holds = papers.iter().all(Comparison::holds);
    Outcome::new(texts.join("\n"), &object, holds)
}

/// Options that the papers asked for do not have.
fn refuse_strays(request: &Request<'_>) -> Result<(), Failure> {
    if request.data.is_some() && request.key == Some("sweeney02") {
        return Err(Failure::new(
            "this paper has no experiment on data",
            Some("`--data` is for sun08, xiaotao06, wong09 and zhang07"),
        ));
    }
    let samples = matches!(request.key, Some("xiaotao06" | "wong09" | "zhang07"));
    if request.rows.is_some() && !samples {
        return Err(Failure::new(
            "`--rows` is for the experiments of xiaotao06, wong09 and zhang07",
            Some("scrim reproduce xiaotao06 --out DIR --rows N"),
        ));
    }
    if request.out.is_some() && !samples && request.key != Some("sun08") {
        return Err(Failure::new(
            "`--out` is for the experiments of sun08, xiaotao06, wong09 and zhang07",
            Some("scrim reproduce xiaotao06 --out DIR"),
        ));
    }
    let made_up = request.key == Some("wong09") && request.data.is_none();
    let drawn = matches!(request.key, Some("sun08" | "zhang07"));
    if request.seed.is_some() && !made_up && !drawn {
        return Err(Failure::new(
            "`--seed` is for the sensitive values of sun08, the made-up hospital of wong09 and the samples of zhang07",
            Some("scrim reproduce wong09 --seed N"),
        ));
    }
    Ok(())
}
