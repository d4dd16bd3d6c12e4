//! What was lost.

use serde_json::Value;

use super::Section;
use super::exposure::said;
use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{decimal, percent};
use crate::page::plots::{Bars, Caption, Group};
use crate::page::table::Table;
use crate::page::words::MEASURES;

/// What each column lost and what all measures say; nothing where nothing may be told.
pub(super) fn cost(view: &View<'_>) -> Option<Section> {
    let table = measures(view);
    if table.is_empty() {
        return None;
    }
    let mut html = Html::line("p", &[], &opening(view));
    let mut plots = Html::new();
    for plot in [columns(view), shares(view)].into_iter().flatten() {
        plots.push(&plot.html());
    }
    if !plots.is_empty() {
        html.push(&Html::tag("div", &[("class", "plots")], &plots));
    }
    html.push(&table.html());
    if let Some(bound) = bound(view) {
        html.say("p", &bound);
    }
    if view.is_external() {
        html.say("p", "Measures that depend on the values of the original table are left out of the external version.");
    }
    Some(Section::new("cost", "What it cost", html))
}

fn opening(view: &View<'_>) -> String {
    let columns = view.told.report.columns.iter();
    let lost =
        columns.filter_map(|column| Some((column.lost.domain.or(column.lost.levels)?, column)));
    let most = lost.max_by(|left, right| left.0.total_cmp(&right.0));
    let begin =
        "Detail is the price of protection: values are made coarser until nobody stands out.";
    match most {
        Some((share, column)) if share > 0.0 => format!(
            "{begin} The column {} paid most: {} of its detail is gone.",
            column.column,
            percent(share)
        ),
        _ => begin.to_owned(),
    }
}

/// What each column lost, by three measures.
fn columns(view: &View<'_>) -> Option<Bars> {
    let columns = &view.told.report.columns;
    let bar = |share: Option<f64>| share.map(|share| (share * 100.0, percent(share)));
    let is_whole = columns.iter().any(|column| column.lost.domain.is_some());
    let group = |column: &crate::page::told::ColumnTold| Group {
        label: column.column.clone(),
        bars: if is_whole {
            vec![
                bar(column.lost.levels),
                bar(column.lost.domain),
                bar(column.lost.entropy),
            ]
        } else {
            vec![bar(column.lost.levels)]
        },
    };
    let any = columns.iter().any(|column| column.lost.levels.is_some());
    let groups: Vec<Group> = columns.iter().map(group).collect();
    any.then(|| Bars {
        caption: Caption {
            id: "plot-columns".to_owned(),
            title: "What each column lost".to_owned(),
            told: said(&groups),
            source: view.both_source(),
        },
        axis: "lost; a column of stars is 100 (%)".to_owned(),
        of: "column",
        series: if is_whole {
            vec![
                "levels climbed (what Prec counts)",
                "range of values (what Loss counts)",
                "information in bits (entropy)",
            ]
        } else {
            vec!["levels climbed"]
        },
        groups,
        most: Some(100.0),
    })
}

/// All measures that are shares, side by side, as what is lost.
fn shares(view: &View<'_>) -> Option<Bars> {
    let metrics = &view.told.metrics;
    let lost = |key: &str, label: &str, flip: bool| {
        let value = metrics.get(key)?.as_f64()?;
        let share = if flip { 1.0 - value } else { value };
        Some(Group {
            label: label.to_owned(),
            bars: vec![Some((share * 100.0, percent(share)))],
        })
    };
    let groups: Vec<Group> = [
        lost("prec", "1 − Prec", true),
        lost("distortion_ratio", "distortion ratio", false),
        lost("loss", "Loss", false),
        lost("loss_mean", "Loss, mean", false),
        lost("entropy_share", "entropy", false),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!groups.is_empty()).then(|| Bars {
        caption: Caption {
            id: "plot-metrics".to_owned(),
            title: "What the table lost, by each measure".to_owned(),
            told: said(&groups),
            source: view.both_source(),
        },
        axis: "lost; a table of stars is 100 (%)".to_owned(),
        of: "measure",
        series: vec!["lost"],
        groups,
        most: Some(100.0),
    })
}

fn measures(view: &View<'_>) -> Table<4> {
    let heads = ["Measure", "Unit", "Value", "Exact"];
    let mut table = Table::new("All measures of what was lost", heads).numbers_from(2);
    let mut row = |name: &str, words: &str, unit: &str, value: f64, exact: &str| {
        let head = [Html::text(name), Html::line("p", &[], words)];
        let [unit, value, exact] = [unit, &decimal(value), exact].map(Html::text);
        table.cells([head.into_iter().collect(), unit, value, exact]);
    };
    for (key, name, unit, words) in MEASURES {
        let Some(value) = view.told.metrics.get(key).and_then(Value::as_f64) else {
            continue;
        };
        let exact = view.told.metrics.get(&format!("{key}_exact"));
        let exact = exact.and_then(Value::as_str).unwrap_or("");
        row(name, words, unit, value, exact);
    }
    if let Some(value) = view
        .told
        .metrics
        .get("sensitive_loss")
        .and_then(Value::as_f64)
    {
        let words = "the part of the information loss that sensitive values bear";
        row("Sensitive loss", words, "cells", value, "");
    }
    table
}

/// How far from the best.
fn bound(view: &View<'_>) -> Option<String> {
    let metric = view.told.metric.as_ref()?;
    if view.told.optimal {
        return Some(format!(
            "By {metric}, no other release of this kind that keeps the promises is better: this is proven."
        ));
    }
    let number = |key: &str| view.told.metrics.get(key).and_then(Value::as_f64);
    let (bound, gap) = (number("bound")?, number("gap")?);
    Some(format!(
        "By {metric}, no release that keeps the promises is better than {}; this one is {} away from that.",
        decimal(bound),
        decimal(gap)
    ))
}
