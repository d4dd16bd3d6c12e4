//! `scrim publish`: one release, or with `--compare` every algorithm under the policy, side by side.

use std::path::Path;

use scrim::release::comparison::Verdict;
use scrim_io::{Readers, pipeline};

use super::{outcome, remarks, to_json};
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

/// Publishes.
pub(super) fn run(
    policy: &Path,
    (readers, memory): (Readers, Option<u64>),
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let answer = pipeline::publish(policy, readers, memory, terminal)?;
    let holds = answer.status == "published" && !answer.broken;
    let talk = remarks(&answer.remarks, quiet);
    let mut outcome = outcome(json, holds, &answer, || render::publication(&answer), &talk)?;
    // Neither a wish for quiet nor one for JSON keeps this back.
    if answer.broken {
        outcome.talk.push_str(&render::warning(&answer));
    }
    Ok(outcome)
}

/// Compares. What the policy's own algorithm would have answered alone decides the exit code.
pub(super) fn compare(
    policy: &Path,
    time_limit: Option<u64>,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let answer = pipeline::compare(policy, time_limit, terminal)?;
    let chosen = answer.chosen();
    if let Some(own) = chosen.filter(|own| own.verdict == Verdict::NotApplicable) {
        let reason = own.reason.as_deref().unwrap_or_default();
        let message = format!("algorithm `{}`: {reason}", own.algorithm);
        let printed = if json {
            to_json(&answer)?
        } else {
            render::comparison(&answer)
        };
        return Err(Failure::new(message, own.hint.as_deref()).with_answer(printed));
    }
    let holds = chosen.is_some_and(|own| own.verdict == Verdict::Certified);
    let talk = remarks(&answer.remarks, quiet);
    outcome(json, holds, &answer, || render::comparison(&answer), &talk)
}
