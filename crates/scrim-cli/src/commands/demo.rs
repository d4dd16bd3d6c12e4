//! `scrim demo`: a sample hospital, published.

use std::path::Path;

use scrim_io::pipeline::publish;
use scrim_io::{Readers, files};

use super::to_json;
use crate::demo::generate;
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

pub(super) fn run(
    dir: &Path,
    rows: usize,
    seed: u64,
    json: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    if !files::is_empty_or_absent(dir)? && !is_a_former_demo(dir) {
        let hint = "name another folder: only a former demo is written over";
        return Err(Failure::new(
            format!("{} is not empty", dir.display()),
            Some(hint),
        ));
    }
    files::create_dir(dir)?;
    let hospital = generate(rows, seed);
    for (name, text) in &hospital.files {
        files::write_bytes(&dir.join(name), text.as_bytes())?;
    }
    let published = publish(&dir.join("policy.toml"), Readers::Internal, None, terminal);
    if published.is_err() {
        // Nothing is left behind by a tour that did not take place.
        for (name, _) in &hospital.files {
            files::remove(&dir.join(name))?;
        }
        files::remove_empty_dir(dir);
    }
    let publication = published?;
    let holds = publication.status == "published";
    let answer = if json {
        to_json(&publication)?
    } else {
        tour(dir, &hospital.files, &render::publication(&publication))
    };
    Ok(Outcome {
        answer,
        talk: String::new(),
        holds,
        for_people: !json,
        done: None,
    })
}

/// Whether a folder holds a sample hospital already: its policy begins as ours does.
fn is_a_former_demo(dir: &Path) -> bool {
    let policy = files::read_text(&dir.join("policy.toml"));
    policy.is_ok_and(|text| text.lines().next() == crate::demo::POLICY.lines().next())
}

/// What to try, and the command for it after the name of the program.
const NEXT: [(&str, &str); 9] = [
    (
        "does it keep its promise?",
        "audit DIR/release/release.csv --policy DIR/policy.toml",
    ),
    (
        "and the raw table?",
        "audit DIR/patients.csv --policy DIR/policy.toml",
    ),
    (
        "what did it cost?",
        "measure DIR/patients.csv DIR/release/release.csv --policy DIR/policy.toml",
    ),
    (
        "be the adversary",
        "attack DIR/release/release.csv --policy DIR/policy.toml --similarity --depth 1",
    ),
    (
        "and against everybody's own wish",
        "attack DIR/release/release.csv --policy DIR/personal.toml --personal --raw DIR/patients.csv",
    ),
    (
        "a release under everybody's own wish",
        "publish DIR/personal.toml",
    ),
    (
        "the report that may go out with the release",
        "report DIR/release --external",
    ),
    ("all minimal generalizations", "lattice DIR/policy.toml"),
    (
        "a hierarchy as a tree",
        "hierarchy show DIR/policy.toml --column job",
    ),
];

fn tour(dir: &Path, made: &[(&'static str, String)], published: &str) -> String {
    let (program, quoted) = (program(), shell(&dir.display().to_string()));
    let dir = dir.display();
    let names: Vec<&str> = made.iter().map(|(name, _)| *name).collect();
    let mut text = format!(
        "A sample hospital stands in {dir}: {}.\n\n{published}\nLook at it:\n  \
         {dir}/policy.toml                the rules, with a comment on each line\n  \
         {dir}/release/release.csv        the table that may leave the house\n  \
         {dir}/release/report.html        the report for the board: open it in a browser\n  \
         {dir}/release/manifest.json      what was done, with hashes\n\n\
         Try next:\n",
        names.join(", ")
    );
    for (why, command) in NEXT {
        let command = command.replace("DIR", &quoted);
        text.push_str(&format!("  {why}\n    {program} {command}\n"));
    }
    text
}

/// How this program is called: by its name where the shell would find it, else by its path (as after `cargo run`).
fn program() -> String {
    let Ok(own) = std::env::current_exe() else {
        return "scrim".to_owned();
    };
    let name = own.file_name().unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).map(|dir| dir.join(name));
    let first = found.find(|candidate| candidate.is_file());
    if first.and_then(|first| files::canonical(&first)) == files::canonical(&own) {
        return shell(&name.to_string_lossy());
    }
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| own.strip_prefix(here).ok().map(Path::to_owned));
    shell(&below.unwrap_or(own).to_string_lossy())
}

/// A word as a shell reads it.
fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@%=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
