//! Each command's answer as text.

use scrim::metric::Metrics;
use scrim::release::audit::{Audit, ModelReport, Witness};
use scrim::release::report::{LatticeReport, Measured, Publication};
use scrim::{counted, printable};
use scrim_text::Table;
use serde_json::{Map, Value};

use super::concerns::{concerns, with_concerns};
use super::disclosure::{audited, decision};
use super::lines::{effort, sizes, written};
use super::refusal::explained;
use super::ties;
use super::workload::workload;

/// The answer of `publish`.
pub(crate) fn publication(answer: &Publication) -> String {
    if answer.status != "published" {
        return refusal(answer);
    }
    let mut text = if answer.broken {
        format!(
            "BROKEN, but written: {}\n",
            answer.reason.as_deref().unwrap_or_default()
        )
    } else {
        format!(
            "{}: published and certified{}\n",
            answer.verdict.word(),
            with_concerns(&answer.concerns)
        )
    };
    text.push_str(&written(&answer.files));
    text.push_str(&concerns(&answer.concerns));
    let rows = &answer.rows;
    text.push_str(&format!(
        "\nrows      {} read, {} released, {} suppressed",
        rows.read, rows.released, rows.suppressed
    ));
    if rows.withheld > 0 {
        text.push_str(&format!(
            ", {} of them with sensitive values starred too",
            rows.withheld
        ));
    }
    let classes = &answer.classes;
    text.push_str(&format!(
        "\nclasses   {}, of {}, {:.1} on average\n",
        classes.count,
        sizes(classes),
        classes.mean
    ));
    let effort = effort(answer);
    let best = if answer.optimal { ", proven best" } else { "" };
    text.push_str(&format!(
        "search    {}{best}: {effort}\n\n",
        answer.algorithm
    ));
    text.push_str(&models(&answer.models));
    if let Some(disclosure) = &answer.disclosure {
        text.push_str(&decision(disclosure));
    }
    if let Some(recoding) = &answer.recoding {
        let mut table = Table::new(&["column", "level", "published as"]);
        for attribute in &recoding.attributes {
            table.row(vec![
                attribute.column.clone(),
                attribute.level.map_or_else(String::new, |level| {
                    format!("{level} of {}", attribute.height)
                }),
                attribute.words.clone(),
            ]);
        }
        text.push_str(&format!("\n{table}"));
    }
    if let Some(count) = answer.ties_count {
        text.push_str(&ties::tables(answer, count));
    } else if answer.ties.len() > 1 {
        text.push_str(&format!(
            "\n{} nodes are equally good; this one is preferred\n",
            answer.ties.len()
        ));
    }
    if let Some(metrics) = &answer.metrics {
        text.push_str(&format!("\n{}", metrics_table(metrics)));
        if let (Some(bound), Some(gap), false) = (metrics.bound, metrics.gap, answer.optimal) {
            text.push_str(&format!(
                "\nno release is better than {} by the optimized metric; this one is {} away from it\n",
                number(bound),
                number(gap)
            ));
        }
    }
    text
}

/// What is said of a release that was written although it breaks its promise.
pub(crate) fn warning(answer: &Publication) -> String {
    format!(
        "\nWARNING: {} BREAKS THE POLICY'S PROMISE. Do not give it away.\nwarning: {}\n",
        answer.files.release.as_deref().unwrap_or("the release"),
        answer.reason.as_deref().unwrap_or_default()
    )
}

fn refusal(answer: &Publication) -> String {
    let mut text = format!(
        "refused: {}\nnothing was written\n",
        answer.reason.as_deref().unwrap_or("no reason was given")
    );
    if !answer.models.is_empty() {
        text.push_str(&format!("\n{}", models(&answer.models)));
    }
    if let Some(disclosure) = &answer.disclosure {
        text.push_str(&decision(disclosure));
    }
    text.push_str(&explained(
        answer.refusal.as_ref(),
        answer.suggestions.as_deref(),
    ));
    if let Some(hint) = &answer.hint {
        text.push_str(&format!("\nhint: {hint}\n"));
    }
    text
}

/// The answer of `audit`, with the values of a class that breaks a promise where they are asked for.
pub(crate) fn audit(answer: &Audit, show_values: bool) -> String {
    let does = if answer.holds {
        "keeps"
    } else {
        "does not keep"
    };
    let verdict = format!(
        "{}: the table {does} the policy's promise{}",
        answer.verdict.word(),
        with_concerns(&answer.concerns)
    );
    let classes = &answer.classes;
    let mut text = format!(
        "{verdict}\n{}\nrows      {}, {} of them suppressed\nclasses   {}, of {}\n\n{}",
        concerns(&answer.concerns),
        answer.rows.released,
        answer.rows.suppressed,
        classes.count,
        sizes(classes),
        models(&answer.models)
    );
    if let Some(found) = &answer.disclosure {
        text.push_str(&audited(found));
    }
    for column in &answer.forbidden {
        text.push_str(&format!("\nthe column `{column}` must not be published\n"));
    }
    for column in answer.categories.iter().filter(|column| !column.holds) {
        text.push_str(&format!(
            "\nthe column `{}` does not give the category of the value in `{}` (row {})\n",
            column.column,
            column.of,
            column.row.unwrap_or_default()
        ));
    }
    for witness in answer
        .models
        .iter()
        .filter_map(|model| model.witness.as_ref())
    {
        text.push_str(&format!(
            "\nclass {} of {}: {}{}\n",
            witness.class,
            witness.of,
            witness.found,
            which(witness, show_values)
        ));
    }
    for remark in &answer.remarks {
        text.push_str(&format!("\nnote: {remark}\n"));
    }
    text
}

/// Where a class is found, or what its rows show.
fn which(witness: &Witness, show_values: bool) -> String {
    if show_values {
        let values = witness.values.iter();
        let value = |(name, value): (&String, &Value)| format!("{name} {}", plain(value));
        let values: Vec<String> = values.map(value).collect();
        return format!(" ({})", printable(&values.join(", ")));
    }
    witness.line.map_or_else(String::new, |line| {
        format!(" (first on line {line}; --show-values prints what it shows)")
    })
}

/// The answer of `measure`.
pub(crate) fn measured(answer: &Measured) -> String {
    let rows = &answer.rows;
    let workload = answer.workload.as_ref().map_or_else(String::new, workload);
    format!(
        "rows      {} in the original, {} released, {} suppressed\nclasses   {}\n\n{}{workload}",
        rows.read,
        rows.released,
        rows.suppressed,
        answer.classes.count,
        metrics_table(&answer.metrics)
    )
}

/// The answer of `lattice`.
pub(crate) fn lattice(answer: &LatticeReport, most: usize) -> String {
    if let Some(reason) = &answer.reason {
        let hint = answer.hint.as_ref();
        let hint = hint.map_or_else(String::new, |hint| format!("\nhint: {hint}\n"));
        let why = explained(answer.refusal.as_ref(), answer.suggestions.as_deref());
        return format!("refused: {reason}\n{why}{hint}");
    }
    let mut text = format!(
        "{}, {} tested, {} minimal\n\n",
        counted(answer.size, "node"),
        counted(answer.checked, "table"),
        answer.minimal.len()
    );
    let columns: Vec<&str> = answer
        .minimal
        .first()
        .map(|node| node.levels.keys().map(String::as_str).collect())
        .unwrap_or_default();
    // Where a column has categories the similarity attack was tried on every table.
    let attacked = answer.minimal.iter().any(|node| node.similarity.is_some());
    let mut heading = vec!["#"];
    heading.extend(&columns);
    heading.extend(["prec", "distortion ratio", "loss", "suppressed", "classes"]);
    heading.extend(attacked.then_some("similar records"));
    heading.push("best by");
    let mut table = Table::new(&heading);
    for (at, node) in answer.minimal.iter().enumerate().take(most) {
        let mut row = vec![(at + 1).to_string()];
        row.extend(node.levels.values().map(plain));
        row.extend([
            number(node.metrics.prec),
            number(node.metrics.distortion_ratio),
            number(node.metrics.loss),
        ]);
        row.extend([node.suppressed.to_string(), node.classes.to_string()]);
        let similar = node.similarity.as_ref();
        row.extend(similar.map(|found| found.records.to_string()));
        row.push(best_by(&answer.best, at + 1));
        table.row(row);
    }
    text.push_str(&table.to_string());
    if answer.minimal.len() > most {
        text.push_str(&format!(
            "… {} more (--most, or --json for all)\n",
            answer.minimal.len() - most
        ));
    }
    text
}

fn best_by(best: &Map<String, Value>, number: usize) -> String {
    let names: Vec<&str> = best
        .iter()
        .filter(|(_, at)| at.as_u64() == Some(number as u64))
        .map(|(name, _)| name.as_str())
        .collect();
    names.join(", ").replace('_', " ")
}

fn models(models: &[ModelReport]) -> String {
    let mut table = Table::new(&["model", "asked", "found", "verdict"]);
    for model in models {
        let asked: Vec<String> = model
            .parameters
            .iter()
            .map(|(name, value)| format!("{name} = {}", plain(value)))
            .collect();
        let by_rows = asked_persons(model)
            && model
                .details
                .get("counted")
                .is_some_and(|counted| counted == "rows");
        let verdict = match (model.holds, by_rows) {
            (true, false) => "holds",
            (true, true) => "holds by rows; persons are not told",
            (false, _) => "BROKEN",
        };
        table.row(vec![
            model.model.clone(),
            asked.join(", "),
            found(model),
            verdict.to_owned(),
        ]);
    }
    table.to_string()
}

/// What was found. Probabilities over several releases are products: told as fractions while these are short.
fn found(model: &ModelReport) -> String {
    if model.model != "serial" {
        return plain(&model.observed);
    }
    let exact = model.details.get("observed_exact").and_then(Value::as_str);
    match (
        exact.filter(|exact| exact.len() <= 21),
        model.observed.as_f64(),
    ) {
        (Some(exact), _) => exact.to_owned(),
        (None, Some(number)) => format!("{number:.6}"),
        (None, None) => plain(&model.observed),
    }
}

/// Whether a promise is about persons.
fn asked_persons(model: &ModelReport) -> bool {
    model
        .parameters
        .get("unit")
        .is_some_and(|unit| unit == "person")
}

fn metrics_table(metrics: &Metrics) -> String {
    let mut table = Table::new(&["metric", "value", "exact", "best"]);
    let exact =
        |share: &Option<scrim::Share>| share.map_or_else(String::new, |share| share.to_string());
    let mut row = |name: &str, value: String, exact: String, best: &str| {
        table.row(vec![name.to_owned(), value, exact, best.to_owned()]);
    };
    row(
        "prec",
        number(metrics.prec),
        exact(&metrics.prec_exact),
        "1",
    );
    row(
        "distortion ratio",
        number(metrics.distortion_ratio),
        exact(&metrics.distortion_ratio_exact),
        "0",
    );
    row(
        "information loss",
        number(metrics.information_loss),
        exact(&metrics.information_loss_exact),
        "0",
    );
    row("loss", number(metrics.loss), String::new(), "0");
    row("loss, mean", number(metrics.loss_mean), String::new(), "0");
    row(
        "discernibility",
        metrics.discernibility.to_string(),
        String::new(),
        "rows",
    );
    row(
        "average class size",
        number(metrics.average_class_size),
        String::new(),
        "1",
    );
    row("entropy, bits", number(metrics.entropy), String::new(), "0");
    table.to_string()
}

/// Six digits are enough to read; JSON has all.
pub(super) fn number(value: f64) -> String {
    if value.abs() >= 10_000.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.6}")
    }
}

/// A JSON value as people write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
