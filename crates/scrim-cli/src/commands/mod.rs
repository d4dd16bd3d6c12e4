//! One file a command.

mod attack;
mod bench;
mod catalog;
mod completions;
mod demo;
mod help;
mod hierarchy;
mod init;
mod ledger;
mod man;
mod publish;
mod report;
mod reproduce;
mod risk;

use std::path::Path;

use scrim::{printable, printable_json};
use scrim_io::Readers;
use scrim_io::pipeline::{audit_file, is_file_of, is_published, list_lattice, measure_file};

use crate::arguments::{Arguments, Command, Format};
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

/// More threads than this are not started.
const MOST_THREADS: usize = 256;

/// Runs what was typed.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let json = arguments.format() == Format::Json;
    start_threads(arguments.threads)?;
    dispatch(arguments, json).map_err(|failure| {
        let failure = failure.in_json(json);
        if repairs_hierarchies(&arguments.command) {
            failure
        } else {
            failure.without_values()
        }
    })
}

/// Starts the threads before any work, so that a system that gives none is an error and no panic in the middle of it.
fn start_threads(asked: Option<usize>) -> Result<(), Failure> {
    // Zero leaves the number to the machine.
    let threads = asked.map_or(0, |threads| threads.clamp(1, MOST_THREADS));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|error| {
        let threads = match threads {
            0 => "threads".to_owned(),
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let hint = "ask for fewer with `--threads`, or allow more processes or memory (`ulimit -u`, `ulimit -v`)";
        Failure::new(format!("cannot start {threads}: {error}"), Some(hint))
    })
}

/// Whether who runs a command has the table before them and may have to repair a hierarchy: only they are told a value.
fn repairs_hierarchies(command: &Command) -> bool {
    matches!(
        command,
        Command::Publish { .. }
            | Command::Hierarchy { .. }
            | Command::Init(_)
            | Command::Demo { .. }
    )
}

fn dispatch(arguments: &Arguments, json: bool) -> Result<Outcome, Failure> {
    let mut terminal = Terminal::new(arguments.quiet);
    let terminal = &mut terminal;
    match &arguments.command {
        Command::Demo { dir, rows, seed } => demo::run(dir, *rows as usize, *seed, json, terminal),
        Command::Init(asked) => init::run(asked, json, arguments.quiet, terminal),
        Command::Publish {
            policy,
            compare: true,
            limit,
            ..
        } => publish::compare(policy, *limit, json, arguments.quiet, terminal),
        Command::Publish {
            policy,
            keep_best,
            external,
            memory,
            ..
        } => {
            if *keep_best {
                terminal.keep_best();
            }
            let how = (readers(*external), *memory);
            publish::run(policy, how, json, arguments.quiet, terminal)
        }
        Command::Audit {
            file,
            policy,
            raw,
            plan,
            manifest,
            show_values,
        } => {
            if let Some(manifest) = manifest
                && let Err(hashes) = is_file_of(file, manifest)?
            {
                return other_file(file, manifest, &hashes, json);
            }
            let raw = raw.as_deref();
            let mut answer = audit_file(file, policy, raw, plan.as_deref(), terminal)?;
            let is_shown = *show_values
                || answer.has_witness()
                    && !answer.raw
                    && (manifest.is_some() || is_published(file));
            if !is_shown {
                answer.hide_values();
            }
            let text = || render::audit(&answer, *show_values);
            outcome(json, answer.holds, &answer, text, "")
        }
        Command::Measure {
            raw,
            release,
            policy,
            workload,
        } => {
            let workload = workload.request()?;
            let answer = measure_file(raw, release, policy, workload.as_ref(), terminal)?;
            outcome(
                json,
                true,
                &answer,
                || render::measured(&answer),
                &remarks(&answer.remarks, arguments.quiet),
            )
        }
        Command::Lattice { policy, most } => {
            let answer = list_lattice(policy, terminal)?;
            let any = !answer.minimal.is_empty();
            outcome(
                json,
                any,
                &answer,
                || render::lattice(&answer, *most),
                &remarks(&answer.remarks, arguments.quiet),
            )
        }
        Command::Report { dir, external, out } => {
            report::run(dir, readers(*external), out.as_deref(), json)
        }
        Command::Risk { .. } => risk::run(&arguments.command, json, arguments.quiet, terminal),
        Command::Attack { .. } => attack::run(&arguments.command, json, arguments.quiet, terminal),
        Command::Hierarchy { action } => hierarchy::run(action, json, terminal),
        Command::Ledger(asked) => ledger::run(asked, json, arguments.quiet, terminal),
        Command::Reproduce(wanted) => reproduce::run(wanted, json, terminal),
        Command::Bench(asked) => bench::run(asked, arguments.threads, json, terminal),
        Command::Catalog { markdown } => catalog::run(*markdown, json),
        Command::Help(asked) => help::run(asked, json, arguments.color),
        Command::Completions(asked) => Ok(completions::run(asked.shell)),
        Command::Man(asked) => man::run(asked.out.as_deref(), json),
    }
}

/// The answer of `audit` about a file that its manifest does not speak of.
fn other_file(
    file: &Path,
    manifest: &Path,
    (found, told): &(String, String),
    json: bool,
) -> Result<Outcome, Failure> {
    let reason = format!(
        "{} is not the file that {} speaks of: its SHA-256 is {found}, the manifest says {told}",
        printable(&file.display().to_string()),
        printable(&manifest.display().to_string())
    );
    let answer = serde_json::json!({ "holds": false, "verdict": "broken", "reason": reason });
    let text = || {
        format!(
            "broken: {reason}\nwhat to do: ask the publisher for both files again; nothing else was checked\n"
        )
    };
    outcome(json, false, &answer, text, "")
}

fn outcome<T: serde::Serialize>(
    json: bool,
    holds: bool,
    answer: &T,
    text: impl FnOnce() -> String,
    talk: &str,
) -> Result<Outcome, Failure> {
    let answer = if json { to_json(answer)? } else { text() };
    let talk = if json { String::new() } else { talk.to_owned() };
    Ok(Outcome {
        answer,
        talk,
        holds,
        for_people: !json,
        done: None,
    })
}

/// What an experiment found.
fn found(answer: &scrim_lab::Outcome, json: bool) -> Result<Outcome, Failure> {
    outcome(json, answer.holds, &answer.json, || answer.text.clone(), "")
}

/// One JSON object on lines of its own.
pub(crate) fn to_json<T: serde::Serialize>(answer: &T) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(answer);
    text.map(|text| printable_json(&text).into_owned() + "\n")
        .map_err(|error| Failure::new(format!("the answer is no JSON: {error}"), None))
}

fn remarks(remarks: &[String], quiet: bool) -> String {
    if quiet {
        String::new()
    } else {
        remarks
            .iter()
            .map(|remark| format!("note: {remark}\n"))
            .collect()
    }
}

/// For whom a report is.
fn readers(external: bool) -> Readers {
    if external {
        Readers::External
    } else {
        Readers::Internal
    }
}
