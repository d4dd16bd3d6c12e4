//! `scrim publish`: one release, or with `--compare` every algorithm under the policy, side by side.

use std::path::Path;

use scrim::release::comparison::{Compared, Verdict};
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
    if let Some(release) = &answer.files.release {
        outcome.done = Some(format!("the release is published as {release}"));
    }
    // Neither a wish for quiet nor one for JSON keeps this back.
    if answer.broken {
        outcome.talk.push_str(&render::warning(&answer));
    }
    Ok(outcome)
}

/// Compares. What the policy's own algorithm would have answered alone decides the exit code; a comparison that was interrupted
/// is no answer, whatever is finished.
pub(super) fn compare(
    policy: &Path,
    limit: Option<u64>,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let print = terminal.printer();
    let mut lines = 0;
    let mut ended = |one: &Compared| {
        if lines == 0 {
            print(&render::ending_heading());
        }
        lines += 1;
        print(&render::ending(one));
    };
    let mut unheard = |_: &Compared| {};
    let ended: &mut dyn FnMut(&Compared) = if json { &mut unheard } else { &mut ended };
    let answer = pipeline::compare(policy, limit, terminal, ended)?;
    let printed = if json {
        to_json(&answer)?
    } else {
        render::comparison(&answer)
    };
    let all = answer.compared.len() + answer.interrupted.len();
    if !answer.interrupted.is_empty() {
        let message = format!(
            "interrupted: {} of {all} algorithms were compared; nothing was published",
            answer.compared.len()
        );
        return Err(Failure::new(message, None).with_answer(printed));
    }
    let chosen = answer.chosen();
    if let Some(own) = chosen.filter(|own| own.verdict == Verdict::NotApplicable) {
        let reason = own.reason.as_deref().unwrap_or_default();
        let message = format!("algorithm `{}`: {reason}", own.algorithm);
        return Err(Failure::new(message, own.hint.as_deref()).with_answer(printed));
    }
    let holds = chosen.is_some_and(|own| own.verdict == Verdict::Certified);
    let talk = remarks(&answer.remarks, quiet);
    Ok(Outcome {
        answer: printed,
        talk: if json { String::new() } else { talk },
        holds,
        for_people: !json,
        done: None,
    })
}
