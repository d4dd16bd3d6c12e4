//! `scrim catalog`: what a policy may name.

use scrim::release::catalog::{CATALOG, Kind, markdown};

use super::to_json;
use crate::outcome::{Failure, Outcome};
use crate::render::Table;

pub(super) fn run(as_markdown: bool, json: bool) -> Result<Outcome, Failure> {
    if json {
        return Ok(Outcome::yes(to_json(&CATALOG)?));
    }
    if as_markdown {
        return Ok(Outcome::yes(markdown()));
    }
    let mut answer = String::new();
    for kind in Kind::ALL {
        let mut table = Table::new(&[kind.title(), "parameters", "what it is"]);
        for entry in CATALOG.iter().filter(|entry| entry.kind == kind) {
            let parameters: Vec<&str> = entry
                .parameters
                .iter()
                .map(|parameter| parameter.name)
                .collect();
            table.row(vec![
                entry.name.to_owned(),
                parameters.join(", "),
                entry.summary.to_owned(),
            ]);
        }
        answer.push_str(&table.to_string());
        answer.push('\n');
    }
    Ok(Outcome::yes(answer))
}
