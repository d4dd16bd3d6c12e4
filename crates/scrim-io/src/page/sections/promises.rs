//! What was asked, and what was found.

use serde_json::{Map, Value};

use super::Section;
use crate::page::View;
use crate::page::html::Html;
use crate::page::table::Table;
use crate::page::words::{asked, capital, definition, plain, promise};

/// Each promise with its finding.
pub(super) fn promises(view: &View<'_>) -> Section {
    let models = &view.told.models;
    let mut html = Html::line(
        "p",
        &[],
        "These are the promises of the policy. Each was checked on the finished file, group by group, by code that the search does not use.",
    );
    let mut table = Table::new(
        "Promises: what was asked and what was found",
        ["Promise", "Asked", "Worst found", "Verdict"],
    );
    for model in models {
        let name = model.get("model").map(plain).unwrap_or_default();
        let holds = model.get("holds") == Some(&Value::Bool(true));
        table.cells([
            [
                Html::line("strong", &[], &name),
                Html::line("p", &[], &promise(model)),
            ]
            .into_iter()
            .collect(),
            Html::text(&asked(model)),
            Html::text(&found(model)),
            sign(holds),
        ]);
    }
    html.push(&table.html());
    html.push(&broken_classes(models));
    html.push(&definitions(models));
    if view.is_external() {
        html.say(
            "p",
            "The worst that was found is told where a reader of the release can count it too.",
        );
    }
    Section::new("promises", "What was promised, and what was found", html)
}

fn found(model: &Map<String, Value>) -> String {
    let Some(observed) = model.get("observed") else {
        return "not told".to_owned();
    };
    let unit = match model.get("counted").and_then(Value::as_str) {
        Some(unit) => unit,
        None if model.get("model").is_some_and(|name| name == "k-anonymity") => "rows",
        None => return plain(observed),
    };
    match observed.as_u64() {
        Some(1) => format!("1 {}", unit.trim_end_matches('s')),
        _ => format!("{} {unit}", plain(observed)),
    }
}

/// Whether it holds: by word and sign, not by colour alone.
fn sign(holds: bool) -> Html {
    let (class, words) = if holds {
        ("good", "✓ holds")
    } else {
        ("bad", "✗ broken")
    };
    Html::line("strong", &[("class", class)], words)
}

/// The classes that break a promise, as published.
fn broken_classes(models: &[Map<String, Value>]) -> Html {
    let mut table = Table::new(
        "A group that breaks a promise, as published",
        ["Promise", "Group", "Values", "Found"],
    );
    for model in models {
        let Some(witness) = model.get("witness").filter(|witness| witness.is_object()) else {
            continue;
        };
        table.row([
            &model.get("model").map(plain).unwrap_or_default(),
            &format!("{} of {}", plain(&witness["class"]), plain(&witness["of"])),
            &plain(&witness["values"]),
            &plain(&witness["found"]).replace('`', "\""),
        ]);
    }
    if table.is_empty() {
        Html::new()
    } else {
        table.html()
    }
}

fn definitions(models: &[Map<String, Value>]) -> Html {
    let mut list = Html::new();
    let mut told: Vec<String> = Vec::new();
    for model in models {
        let name = model.get("model").map(plain).unwrap_or_default();
        let Some(words) = definition(&name).filter(|_| !told.contains(&name)) else {
            continue;
        };
        list.push(&Html::line("dt", &[], &name));
        list.push(&Html::line("dd", &[], &capital(words)));
        told.push(name);
    }
    let mut html = Html::line("h3", &[], "The definitions, in a sentence each");
    html.push(&Html::tag("dl", &[("class", "words")], &list));
    html
}
