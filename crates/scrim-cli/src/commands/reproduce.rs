//! `scrim reproduce`: the papers' examples, ours beside theirs.
//!
//! Our answers are computed when the command runs, and held against what the papers print or, where a paper errs, what
//! its definitions give. So the command is a check: it says no when an answer is another.

mod bench;
mod comparison;
mod seconds;
mod sun08;
mod sweeney02;
mod words;

use std::path::Path;

use serde_json::{Value, json};

use super::to_json;
use crate::outcome::{Failure, Outcome};
use comparison::Comparison;

/// A paper's key, and how it is compared.
type Paper = (
    &'static str,
    fn(Option<&Path>) -> Result<Comparison, Failure>,
);

/// The papers that are there.
const PAPERS: [Paper; 2] = [
    ("sweeney02", |_| sweeney02::compare()),
    ("sun08", sun08::compare),
];
/// The paper whose experiments take data.
const WITH_DATA: &str = "sun08";

/// With a key one paper, without one all: as JSON then under `papers`. `data` is the folder of the experiments' data.
pub(super) fn run(key: Option<&str>, data: Option<&Path>, json: bool) -> Result<Outcome, Failure> {
    if data.is_some() && key.is_some_and(|key| key != WITH_DATA) {
        return Err(Failure::new(
            "this paper has no experiment on data",
            Some(&format!("`--data` is for {WITH_DATA}")),
        ));
    }
    let wanted = PAPERS
        .iter()
        .filter(|(name, _)| key.is_none_or(|key| key == *name));
    let papers: Vec<Comparison> = wanted
        .map(|(_, compare)| compare(data))
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
