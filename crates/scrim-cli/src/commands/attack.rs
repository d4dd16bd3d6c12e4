//! `scrim attack`.

use std::path::{Path, PathBuf};

use scrim_io::pipeline::{
    attack_knowing, attack_linkage, attack_personal, attack_serial, attack_similarity,
    attack_totals,
};

use super::{outcome, remarks};
use crate::arguments::Command;
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

pub(super) fn run(
    command: &Command,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let Command::Attack {
        files,
        policy,
        of,
        personal,
        serial,
        knows_algorithm,
        all,
        raw,
        external,
        plan,
        depth,
        linkage,
        totals,
        limit,
        ..
    } = command
    else {
        return Err(Failure::new("this is no attack", None));
    };
    let of = of.as_deref();
    if *serial {
        let answer = attack_serial(files, policy, of, *all, terminal)?;
        let talk = remarks(&answer.remarks, quiet);
        let text = || render::serial(&answer);
        return outcome(json, answer.holds, &answer, text, &talk);
    }
    let file = only(files)?;
    if *knows_algorithm {
        let answer = attack_knowing(file, policy, raw.as_deref(), *all, terminal)?;
        let talk = remarks(&answer.remarks, quiet);
        let text = || render::knowing(&answer);
        return outcome(json, answer.holds == Some(true), &answer, text, &talk);
    }
    if let (true, Some(raw)) = (*personal, raw) {
        let answer = attack_personal(
            file,
            policy,
            of,
            (raw, plan.as_deref()),
            external.as_deref(),
            terminal,
        )?;
        let talk = remarks(&answer.remarks, quiet);
        let text = || render::personal(&answer);
        return outcome(json, answer.above == 0, &answer, text, &talk);
    }
    if let Some(external) = linkage {
        let answer = attack_linkage(file, policy, of, external, *limit, terminal)?;
        let talk = remarks(&answer.remarks, quiet);
        let text = || render::linkage(&answer);
        return outcome(json, !answer.succeeds(), &answer, text, &talk);
    }
    if let Some(totals) = totals {
        let answer = attack_totals(file, policy, totals, *all, terminal)?;
        let talk = remarks(&answer.remarks, quiet);
        let text = || render::totals(&answer);
        return outcome(json, !answer.succeeds(), &answer, text, &talk);
    }
    let answer = attack_similarity(file, policy, of, *depth, terminal)?;
    let text = || render::similarity(&answer);
    outcome(json, answer.records == 0, &answer, text, "")
}

fn only(files: &[PathBuf]) -> Result<&Path, Failure> {
    match files {
        [file] => Ok(file),
        _ => Err(Failure::new(
            format!(
                "{} tables were named, but this attack takes one",
                files.len()
            ),
            Some("only `--serial` is about several releases"),
        )),
    }
}
