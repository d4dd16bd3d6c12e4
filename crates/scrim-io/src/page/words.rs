//! Promises and measures in words that need no paper.

use scrim::release::catalog::{CATALOG, Kind};
use serde_json::{Map, Value};

/// A value of a manifest as a text.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Number(number) => number.as_u64().map_or_else(
            || super::numbers::decimal(number.as_f64().unwrap_or(f64::NAN)),
            super::numbers::whole,
        ),
        Value::Object(values) => {
            let values = values.iter();
            let told: Vec<String> = values
                .map(|(key, value)| format!("{key} {}", plain(value)))
                .collect();
            told.join(", ")
        }
    }
}

/// What a promise means to somebody in the table.
pub(super) fn promise(model: &Map<String, Value>) -> String {
    let text = |key: &str| model.get(key).map(plain).unwrap_or_default();
    let of = text("of");
    match text("model").as_str() {
        "k-anonymity" => {
            let who = if text("unit") == "person" {
                "people"
            } else {
                "records"
            };
            let alike = match model.get("columns") {
                Some(columns) => format!("look alike in {}", plain(columns)),
                None => "look alike".to_owned(),
            };
            format!(
                "Everybody in the table looks like others: each group of {who} that {alike} has at least {} of them.",
                text("k")
            )
        }
        "p-sensitive" => format!(
            "No group of look-alikes shares one secret: each has at least {} different values of {of}.",
            text("p")
        ),
        "p-alpha" => format!(
            "No group of look-alikes shares one secret: each has at least {} different values of {of}, and they are not all of the gravest kinds.",
            text("p")
        ),
        "p-plus-alpha" => format!(
            "No group of look-alikes shares one kind of secret: each has values of {of} from at least {} different categories.",
            text("p")
        ),
        "l-diversity" if text("kind") == "distinct" => format!(
            "No group of look-alikes shares one secret: each has at least {} different values of {of}.",
            text("l")
        ),
        "l-diversity" => format!(
            "No group of look-alikes gives its secret away: in each, the values of {of} are at least {}-fold spread.",
            text("l")
        ),
        "t-closeness" => format!(
            "Knowing somebody's group tells little: in each, the values of {of} are spread nearly as in the whole table (at most {} apart).",
            text("t")
        ),
        "alpha-k" => format!(
            "No group of look-alikes leans on one value: none of {of} has more than {} of a group.",
            text("alpha")
        ),
        "delta-disclosure" => format!(
            "Knowing somebody's group tells little: the share of each value of {of} stays within a factor of that in the whole table."
        ),
        "beta-likeness" => format!(
            "Knowing somebody's group makes no value of {of} much likelier than it is in the whole table."
        ),
        "personal" => format!(
            "Everybody's own wish about {of} is kept: nobody can be believed to have what they asked to hide with more than {}.",
            text("breach")
        ),
        "serial" => format!(
            "Over all releases together, nobody can be linked to a protected value of {of} with more than 1/{}.",
            text("l")
        ),
        _ => definition(&text("model")).map_or_else(String::new, capital),
    }
}

/// The definition of a model in a sentence, from the catalog.
pub(super) fn definition(model: &str) -> Option<&'static str> {
    let mut entries = CATALOG.iter();
    let entry = entries.find(|entry| entry.kind == Kind::Model && entry.name == model)?;
    Some(entry.summary)
}

/// What an algorithm does, from the catalog.
pub(super) fn algorithm(name: &str) -> Option<&'static str> {
    let mut entries = CATALOG.iter();
    let entry = entries.find(|entry| entry.kind == Kind::Algorithm && entry.name == name)?;
    Some(entry.summary)
}

/// The parameters of a promise, as the policy asked for them.
pub(super) fn asked(model: &Map<String, Value>) -> String {
    let own = model
        .iter()
        .skip_while(|(key, _)| *key == "model")
        .take_while(|(key, _)| *key != "holds");
    let told: Vec<String> = own
        .map(|(key, value)| format!("{key} = {}", plain(value)))
        .collect();
    told.join(", ")
}

/// A measure of loss in words: its name, its unit, and how to read it.
pub(super) const MEASURES: [(&str, &str, &str, &str); 8] = [
    (
        "prec",
        "Precision",
        "share kept",
        "1 is the raw table, 0 a table of stars",
    ),
    (
        "distortion_ratio",
        "Distortion ratio",
        "share lost",
        "0 is the raw table, 1 a table of stars",
    ),
    (
        "loss",
        "Loss",
        "share lost",
        "geometric mean over columns of the part of the domain that a cell may stand for",
    ),
    (
        "loss_mean",
        "Loss, mean",
        "share lost",
        "the same, arithmetic mean",
    ),
    (
        "entropy_share",
        "Entropy",
        "share of bits lost",
        "0 is the raw table, 1 a table of stars",
    ),
    (
        "information_loss",
        "Information loss",
        "cells",
        "what all cells lost, added up: 0 is the raw table, 1 a cell that is a star",
    ),
    (
        "discernibility",
        "Discernibility",
        "pairs of rows",
        "each row counts those it cannot be told from; fewer is finer",
    ),
    (
        "average_class_size",
        "Average class size",
        "rows",
        "rows that look alike; smaller is finer",
    ),
];

/// A text with a capital first letter and a full stop.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    let mut sentence: String = first.into_iter().flatten().chain(characters).collect();
    if !sentence.ends_with('.') {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_a_sentence_of_its_own() {
        let models = CATALOG.iter().filter(|entry| entry.kind == Kind::Model);
        for name in models.map(|entry| entry.name) {
            let mut model = Map::new();
            model.insert("model".to_owned(), name.into());
            model.insert("of".to_owned(), "diagnosis".into());
            let said = promise(&model);
            let from_catalog = definition(name).map(capital);
            assert!(said.len() > 30 && Some(said) != from_catalog, "{name}");
        }
    }

    #[test]
    fn what_was_asked_ends_before_what_was_found() {
        let model = r#"{"model":"k-anonymity","k":5,"unit":"person","holds":true,"observed":7}"#;
        let model = serde_json::from_str(model).unwrap();
        assert_eq!(asked(&model), "k = 5, unit = person");
    }
}
