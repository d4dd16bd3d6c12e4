//! What an experiment found.

use serde::Serialize;
use serde_json::Value;

use crate::Failure;

/// What an experiment found, as text for people and as JSON for programs: both say the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
    /// Whether the answer is yes: the paper's figures are ours, or the measured command succeeded.
    pub holds: bool,
}

impl Outcome {
    /// An outcome of a text and of what becomes JSON.
    pub(crate) fn new(text: String, json: &impl Serialize, holds: bool) -> Result<Self, Failure> {
        let json = serde_json::to_value(json)
            .map_err(|error| Failure::new(format!("the answer is no JSON: {error}"), None))?;
        Ok(Self { text, json, holds })
    }
}
