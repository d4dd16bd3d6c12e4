//! `scrim reproduce`: the papers' examples, ours beside theirs.
//!
//! Our answers are computed when the command runs, and held against what the papers print or, where a paper errs, what
//! its definitions give. So the command is a check: it says no when an answer is another.

mod bench;
mod comparison;
mod sweeney02;

use serde_json::{Value, json};

use super::to_json;
use crate::outcome::{Failure, Outcome};
use comparison::Comparison;

/// A paper's key, and how it is compared.
type Paper = (&'static str, fn() -> Result<Comparison, Failure>);

/// The papers that are there.
const PAPERS: [Paper; 1] = [("sweeney02", sweeney02::compare)];

/// With a key one paper, without one all: as JSON then under `papers`.
pub(super) fn run(key: Option<&str>, json: bool) -> Result<Outcome, Failure> {
    let wanted = PAPERS
        .iter()
        .filter(|(name, _)| key.is_none_or(|key| key == *name));
    let papers: Vec<Comparison> = wanted
        .map(|(_, compare)| compare())
        .collect::<Result<_, _>>()?;
    if papers.is_empty() {
        let known = PAPERS.map(|(name, _)| name).join(", ");
        return Err(Failure::new(
            "there is no such paper",
            Some(&format!("there are: {known}")),
        ));
    }
    let answer = if json {
        let objects: Vec<Value> = papers.iter().map(Comparison::as_json).collect();
        match (key, &objects[..]) {
            (Some(_), [one]) => to_json(one)?,
            _ => to_json(&json!({ "papers": objects }))?,
        }
    } else {
        let texts: Vec<String> = papers.iter().map(ToString::to_string).collect();
        texts.join("\n")
    };
    Ok(Outcome {
        answer,
        talk: String::new(),
        holds: papers.iter().all(Comparison::holds),
    })
}
