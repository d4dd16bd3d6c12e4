//! `scrim catalog`: what a policy may name.

use scrim::release::catalog::{CATALOG, Entry, Kind, markdown};
use scrim_text::Table;

use super::to_json;
use crate::outcome::{Failure, Outcome};
use crate::render::width;

pub(super) fn run(as_markdown: bool, json: bool) -> Result<Outcome, Failure> {
    if as_markdown && !json {
        return Ok(Outcome::yes(markdown()));
    }
    of_kinds(&Kind::ALL, json)
}

/// The entries of some kinds.
pub(super) fn of_kinds(kinds: &[Kind], json: bool) -> Result<Outcome, Failure> {
    if json {
        let wanted = CATALOG.iter().filter(|entry| kinds.contains(&entry.kind));
        let wanted: Vec<&Entry> = wanted.collect();
        return Ok(Outcome::yes(to_json(&wanted)?));
    }
    let mut answer = String::new();
    for kind in kinds {
        let mut table = Table::new(&[kind.title(), "what it is"]);
        for entry in CATALOG.iter().filter(|entry| entry.kind == *kind) {
            let parameters: Vec<&str> = entry
                .parameters
                .iter()
                .map(|parameter| parameter.name)
                .collect();
            let keys = if parameters.is_empty() {
                String::new()
            } else {
                format!(" ({})", parameters.join(", "))
            };
            table.row(vec![
                entry.name.to_owned(),
                format!("{}{keys}", entry.summary),
            ]);
        }
        answer.push_str(&table.fitted(width()).to_string());
        answer.push('\n');
    }
    answer.push_str("`scrim help NAME` explains an entry, with an example and its limits.\n");
    Ok(Outcome::yes(answer).for_people())
}
