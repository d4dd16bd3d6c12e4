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

fn tour(dir: &Path, made: &[(&'static str, String)], published: &str) -> String {
    let dir = dir.display();
    let names: Vec<&str> = made.iter().map(|(name, _)| *name).collect();
    format!(
        "A sample hospital stands in {dir}: {}.\n\n{published}\nLook at it:\n  \
         {dir}/policy.toml                the rules, with a comment on each line\n  \
         {dir}/release/release.csv        the table that may leave the house\n  \
         {dir}/release/report.html        the report for the board: open it in a browser\n  \
         {dir}/release/manifest.json      what was done, with hashes\n\n\
         Try next:\n  \
         scrim audit {dir}/release/release.csv --policy {dir}/policy.toml      does it keep its promise?\n  \
         scrim audit {dir}/patients.csv --policy {dir}/policy.toml             and the raw table?\n  \
         scrim measure {dir}/patients.csv {dir}/release/release.csv --policy {dir}/policy.toml\n  \
         scrim attack {dir}/release/release.csv --policy {dir}/policy.toml --similarity --depth 1\n  \
         scrim attack {dir}/release/release.csv --policy {dir}/personal.toml --personal --raw {dir}/patients.csv\n  \
         scrim publish {dir}/personal.toml                                     a release under everybody's own wish\n  \
         scrim report {dir}/release --external                                 the report that may go out with the release\n  \
         scrim lattice {dir}/policy.toml                                       all minimal generalizations\n  \
         scrim hierarchy show {dir}/policy.toml --column job                   a hierarchy as a tree\n",
        names.join(", ")
    )
}
