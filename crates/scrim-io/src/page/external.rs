//! The version for outsiders: what would help an adversary is taken out of the data before a page is made of it.
//!
//! **Reading.** What a reader of the release can count, stays. Gone are: the input and its hash, the policy and its paths, all
//! figures of the raw table, persons (the release does not tell them), how many rows were dropped, values of the raw
//! table that no published row shows, how many raw values a published one stands for, classes that break a promise, concerns that follow
//! from the raw table, what to do about the others, remarks,
//! and how the release was found; that one is told where the release keeps its promise also against somebody who knows.

use serde_json::{Map, Value};

use super::told::{ColumnTold, OutlineTold, TaxonTold, Told};

/// Models whose finding cannot be made from the release alone.
const PRIVATE: [&str; 2] = ["personal", "serial"];

/// Measures that follow from the published levels, and from classes.
const PUBLIC: [&str; 4] = [
    "prec",
    "distortion_ratio",
    "discernibility",
    "average_class_size",
];

/// Concerns that follow from the release and its promises.
const OPEN: [&str; 2] = ["column-suppressed", "sensitive-unprotected"];

/// Concerns that follow from the release where every row that was read is in it.
const OPEN_WITH_EVERY_ROW: [&str; 2] = ["cells-lost", "rows-suppressed"];

/// What an outsider may read.
pub(super) fn external(mut told: Told) -> Told {
    let every_row = told.has_every_row();
    told.policy = None;
    told.input = None;
    told.hierarchies.clear();
    told.sensitive.clear();
    told.remarks.clear();
    told.searched = None;
    told.ties.clear();
    told.tie_rules.clear();
    told.seed = None;
    told.breach = None;
    told.serial = None;
    told.optimal = false;
    told.metric = None;
    match &mut told.disclosure {
        None => told.algorithm = None,
        Some(disclosure) => {
            disclosure.chain = None;
            disclosure.step = None;
            disclosure.size = None;
            disclosure.max_ratio = None;
            disclosure.max_ratio_exact = None;
            disclosure.confidence = None;
            disclosure.otherwise.clear();
        }
    }
    let counts_rows = told.report.counted == "rows";
    told.concerns.retain(|concern| match concern.code.as_str() {
        "small-k" => counts_rows,
        code => OPEN.contains(&code) || every_row && OPEN_WITH_EVERY_ROW.contains(&code),
    });
    // What to do is the publisher's business: it speaks of the policy and of the search.
    for concern in &mut told.concerns {
        concern.suggestion.clear();
    }
    told.rows.read = None;
    if !every_row {
        told.rows.suppressed = None;
    }
    for model in &mut told.models {
        *model = public_model(model, every_row);
    }
    told.metrics.retain(|key, _| {
        key == "average_class_size" || every_row && PUBLIC.contains(&key.as_str())
    });
    for attribute in &mut told.recoding.attributes {
        attribute.words = None;
    }
    told.report.before = None;
    told.report.after = told.report.release.clone();
    "rows".clone_into(&mut told.report.counted);
    for column in &mut told.report.columns {
        public_column(column, every_row);
    }
    told
}

/// The promise, whether it holds, and what was found where a reader of the release finds it too.
fn public_model(model: &Map<String, Value>, every_row: bool) -> Map<String, Value> {
    let name = model.get("model").and_then(Value::as_str).unwrap_or("");
    let of_persons = model.get("counted").and_then(Value::as_str) == Some("persons");
    let is_counted =
        !of_persons && !PRIVATE.contains(&name) && (every_row || name == "k-anonymity");
    let mut public = Map::new();
    for (key, value) in model {
        match key.as_str() {
            "observed" if is_counted => drop(public.insert(key.clone(), value.clone())),
            "observed" => {}
            _ => drop(public.insert(key.clone(), value.clone())),
        }
        // What stands behind is details and witnesses.
        if key == "observed" {
            break;
        }
    }
    public
}

fn public_column(column: &mut ColumnTold, every_row: bool) {
    column.values_before = None;
    column.lost.domain = None;
    column.lost.entropy = None;
    if !every_row {
        column.lost.levels = None;
    }
    public_outline(&mut column.outline);
    let outline = &column.outline;
    let drawn = outline.taxa.iter().filter(|taxon| taxon.published).count() + outline.spans.len();
    column.outline.left_out = column.values_after.saturating_sub(drawn as u64);
}

/// Only what some published row shows, and what is above it.
fn public_outline(outline: &mut OutlineTold) {
    outline.spans.retain(|span| span.rows > 0);
    // The ends of the domain may be those of the raw table: what is drawn begins and ends with what is published.
    let low = outline
        .spans
        .iter()
        .map(|span| span.from)
        .fold(1.0, f64::min);
    let high = outline.spans.iter().map(|span| span.to).fold(0.0, f64::max);
    for span in &mut outline.spans {
        let width = (high - low).max(f64::MIN_POSITIVE);
        span.from = (span.from - low) / width;
        span.to = (span.to - low) / width;
    }
    let mut kept: Vec<TaxonTold> = Vec::new();
    // From the last to the first, a taxon above one that is kept is met when all below it have been.
    let mut above: Option<u16> = None;
    for mut taxon in std::mem::take(&mut outline.taxa).into_iter().rev() {
        let is_shown = taxon.published && taxon.rows > 0;
        let leads = above.is_some_and(|depth| taxon.depth < depth);
        if is_shown || leads {
            taxon.published = is_shown;
            taxon.values = None;
            above = Some(taxon.depth);
            kept.push(taxon);
        }
    }
    kept.reverse();
    outline.taxa = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taxon(label: &str, depth: u16, rows: u64) -> TaxonTold {
        TaxonTold {
            label: label.to_owned(),
            depth,
            published: true,
            rows,
            values: Some(3),
        }
    }

    #[test]
    fn what_no_published_row_shows_is_not_named() {
        let mut outline = OutlineTold {
            taxa: vec![
                taxon("*", 0, 0),
                taxon("a", 1, 0),
                taxon("a1", 2, 5),
                taxon("a2", 2, 0),
                taxon("b", 1, 0),
                taxon("b1", 2, 0),
                taxon("c", 1, 4),
            ],
            spans: Vec::new(),
            left_out: 9,
            left_out_rows: 0,
        };
        public_outline(&mut outline);
        let told: Vec<(&str, bool)> = outline
            .taxa
            .iter()
            .map(|taxon| (taxon.label.as_str(), taxon.published))
            .collect();
        let expected = [("*", false), ("a", false), ("a1", true), ("c", true)];
        assert_eq!(told, expected);
        assert!(outline.taxa.iter().all(|taxon| taxon.values.is_none()));
    }

    #[test]
    fn a_finding_about_persons_stays_inside() {
        let model = |text: &str| -> Map<String, Value> { serde_json::from_str(text).unwrap() };
        let persons =
            model(r#"{"model":"k-anonymity","k":5,"holds":true,"observed":6,"counted":"persons"}"#);
        let keys = |model: &Map<String, Value>| model.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&public_model(&persons, true)), ["model", "k", "holds"]);
        let rows = model(
            r#"{"model":"k-anonymity","k":5,"holds":true,"observed":6,"witness":{"class":1}}"#,
        );
        assert_eq!(
            keys(&public_model(&rows, false)),
            ["model", "k", "holds", "observed"]
        );
        let close = model(r#"{"model":"t-closeness","t":"1/5","holds":true,"observed":0.1}"#);
        assert_eq!(keys(&public_model(&close, false)), ["model", "t", "holds"]);
    }
}
