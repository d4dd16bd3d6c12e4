//! Who stood out before, and who does now.

use super::Section;
use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{count, percent, whole};
use crate::page::plots::{Bars, Caption, Group};
use crate::page::table::Table;
use crate::page::told::{BandTold, ExposureTold};

/// The figures, as a table and as pictures.
pub(super) fn exposure(view: &View<'_>) -> Section {
    let report = &view.told.report;
    let mut html = Html::line("p", &[], &opening(view));
    html.push(&figures(view));
    match view.told.rows.withheld {
        0 => &mut html,
        1 => html.say(
            "p",
            "1 row shows nothing but stars, also where it is sensitive: it is in no group.",
        ),
        rows => {
            let rows = whole(rows);
            html.say("p", &format!("{rows} rows show nothing but stars, also where they are sensitive: they are in no group."))
        }
    };
    let mut plots = Html::new();
    if let Some(before) = &report.before {
        plots.push(&risks(view, before).html());
    }
    plots.push(&sizes(view).html());
    plots.push(&classes(view).html());
    html.push(&Html::tag("div", &[("class", "plots")], &plots));
    Section::new("exposure", "Who can be told apart", html)
}

fn opening(view: &View<'_>) -> String {
    let report = &view.told.report;
    let (many, one) = view.counted();
    let columns: Vec<&str> = report
        .columns
        .iter()
        .map(|column| column.column.as_str())
        .collect();
    let known = format!(
        "Somebody outside may know of a person: {}. {} that look alike in these are in one group.",
        columns.join(", "),
        capital(many)
    );
    let after = &report.after;
    let now = match after.unique {
        0 => "nobody does".to_owned(),
        1 => "one does".to_owned(),
        unique => format!("{} do", whole(unique)),
    };
    if let Some(before) = &report.before {
        return format!(
            "{known} Before, {} of {} ({}) stood alone in theirs; in the release {now}.",
            whole(before.unique),
            count(before.subjects, one, many),
            percent(before.unique_share)
        );
    }
    let alone = match after.unique {
        0 => "nobody stands".to_owned(),
        1 => "one stands".to_owned(),
        unique => format!("{} stand", whole(unique)),
    };
    let subjects = count(after.subjects, one, many);
    format!("{known} Of the {subjects} of the release, {alone} alone in theirs.")
}

fn figures(view: &View<'_>) -> Html {
    let report = &view.told.report;
    let (many, one) = view.counted();
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut row = |name: String, figure: &dyn Fn(&ExposureTold) -> String| {
        let before = report.before.as_ref().map(figure).unwrap_or_default();
        rows.push([name, before, figure(&report.after)]);
    };
    row("Rows".to_owned(), &|told| whole(told.rows));
    if many == "persons" {
        row("Persons".to_owned(), &|told| whole(told.subjects));
    }
    row("Groups that look alike".to_owned(), &|told| {
        whole(told.classes)
    });
    row("Smallest group".to_owned(), &|told| whole(told.smallest));
    row(
        "Alone in their group (sample uniques)".to_owned(),
        &|told| format!("{} ({})", whole(told.unique), percent(told.unique_share)),
    );
    row(
        format!("Largest risk that a {one} known to be in the table is found (prosecutor risk)"),
        &|told| {
            format!(
                "{} ({})",
                percent(told.prosecutor.max),
                told.prosecutor.max_exact
            )
        },
    );
    row("Mean of that risk".to_owned(), &|told| {
        percent(told.prosecutor.mean)
    });
    row(
        format!("{} whose risk is above {}", capital(many), report.threshold),
        &|told| {
            let risk = &told.prosecutor;
            format!("{} ({})", whole(risk.above), percent(risk.above_share))
        },
    );
    if report.before.is_some() {
        let caption = format!("Exposure before and after, counted in {many}");
        let mut table = Table::new(caption, ["Figure", "Before", "After"]).numbers_from(1);
        for [name, before, after] in &rows {
            table.row([name, before, after]);
        }
        return table.html();
    }
    let caption = format!("Exposure of the release, counted in {many}");
    let mut table = Table::new(caption, ["Figure", "Release"]).numbers_from(1);
    for [name, _, after] in &rows {
        table.row([name, after]);
    }
    table.html()
}

fn capital(many: &str) -> &'static str {
    if many == "persons" { "Persons" } else { "Rows" }
}

/// The three shares that matter, before and after.
fn risks(view: &View<'_>, before: &ExposureTold) -> Bars {
    let report = &view.told.report;
    let (many, _) = view.counted();
    let group = |label: String, share: &dyn Fn(&ExposureTold) -> f64| {
        let bar = |told: &ExposureTold| Some((share(told) * 100.0, percent(share(told))));
        Group {
            label,
            bars: vec![bar(before), bar(&report.after)],
        }
    };
    let groups = vec![
        group("alone".to_owned(), &|told| told.unique_share),
        group(format!("above {}", report.threshold), &|told| {
            told.prosecutor.above_share
        }),
        group("mean risk".to_owned(), &|told| told.prosecutor.mean),
        group("largest risk".to_owned(), &|told| told.prosecutor.max),
    ];
    Bars {
        caption: Caption {
            id: "plot-risks".to_owned(),
            title: "Risk before and after".to_owned(),
            told: said(&groups),
            source: view.both_source(),
        },
        axis: format!("share of {many}, or risk (%)"),
        of: "figure",
        series: vec!["before", "after"],
        groups,
        most: Some(100.0),
    }
}

/// Who is in groups of which size.
fn sizes(view: &View<'_>) -> Bars {
    let report = &view.told.report;
    let (many, _) = view.counted();
    let mut bands: Vec<(u64, u64)> = Vec::new();
    let tables = report.before.iter().chain([&report.after]);
    for band in tables.clone().flat_map(|told| &told.sizes) {
        bands.push((band.from, band.to));
    }
    bands.sort_unstable();
    bands.dedup();
    let share = |told: &ExposureTold, (from, _): (u64, u64)| {
        let band = told.sizes.iter().find(|band| band.from == from);
        let share = band.map_or(0.0, |band| band.share);
        Some((share * 100.0, percent(share)))
    };
    let group = |band: &(u64, u64)| Group {
        label: label(band.0, band.1),
        bars: tables.clone().map(|told| share(told, *band)).collect(),
    };
    let groups: Vec<Group> = bands.iter().map(group).collect();
    let series = if report.before.is_some() {
        vec!["before", "after"]
    } else {
        vec!["release"]
    };
    Bars {
        caption: Caption {
            id: "plot-sizes".to_owned(),
            title: format!("How many others look like each of the {many}"),
            told: said(&groups),
            source: view.both_source(),
        },
        axis: format!("share of all {many} (%)"),
        of: "group size",
        series,
        groups,
        most: None,
    }
}

/// How many groups have which size.
fn classes(view: &View<'_>) -> Bars {
    let after = &view.told.report.after;
    let (many, one) = view.counted();
    let group = |band: &BandTold| {
        let classes = band.classes.unwrap_or(0);
        Group {
            label: label(band.from, band.to),
            bars: vec![Some((classes as f64, whole(classes)))],
        }
    };
    let groups: Vec<Group> = after.sizes.iter().map(group).collect();
    let members: u64 = after.sizes.iter().map(|band| band.records).sum();
    Bars {
        caption: Caption {
            id: "plot-classes".to_owned(),
            title: format!(
                "Sizes of the {} of the release ({})",
                count(after.classes, "group", "groups"),
                count(members, one, many)
            ),
            told: said(&groups),
            source: view.release_source(),
        },
        axis: "groups (count)".to_owned(),
        of: "group size",
        series: vec!["release"],
        groups,
        most: None,
    }
}

fn label(from: u64, to: u64) -> String {
    if from == to {
        whole(from)
    } else {
        format!("{}–{}", whole(from), whole(to))
    }
}

/// The bars in words.
pub(super) fn said(groups: &[Group]) -> String {
    let group = |group: &Group| {
        let bars: Vec<&str> = group
            .bars
            .iter()
            .flatten()
            .map(|(_, words)| words.as_str())
            .collect();
        format!("{}: {}", group.label, bars.join(", then "))
    };
    let told: Vec<String> = groups.iter().map(group).collect();
    format!("{}.", told.join("; "))
}
