//! What proves it: files and hashes; the words; the policy.

use super::Section;
use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{bytes, whole};
use crate::page::table::Table;
use crate::page::words::plain;

/// Files, hashes and parameters.
pub(super) fn record(view: &View<'_>) -> Section {
    let told = view.told;
    let mut html = Html::line(
        "p",
        &[],
        "Whoever has a file can compute its SHA-256 and compare: a file with this hash is this file, to the letter.",
    );
    let mut table = Table::new("Files", ["File", "What it is", "SHA-256"]);
    let mut row = |file: &str, what: &str, hash: &str| {
        let hash = Html::line("code", &[], hash);
        table.cells([Html::text(file), Html::text(what), hash]);
    };
    let output = &told.output;
    let what = format!("the release, {}", bytes(output.bytes));
    row(&output.hashed.file, &what, &output.hashed.sha256);
    if let Some(input) = &told.input {
        row(
            &input.hashed.file,
            "the table it was made from",
            &input.hashed.sha256,
        );
    }
    if let Some(policy) = &told.policy {
        row(&policy.hashed.file, "the policy", &policy.hashed.sha256);
    }
    for hierarchy in &told.hierarchies {
        if let Some(file) = &hierarchy.file {
            let what = format!("the hierarchy of {}", hierarchy.column);
            row(&file.file, &what, &file.sha256);
        }
    }
    html.push(&table.html());
    if !told.hierarchies.is_empty() {
        let heads = [
            "Column",
            "Levels above the values",
            "Values",
            "All values equally deep",
        ];
        let mut table = Table::new("Hierarchies", heads).numbers_from(1);
        for hierarchy in &told.hierarchies {
            table.row([
                &hierarchy.column,
                &whole(hierarchy.height),
                &whole(hierarchy.values),
                if hierarchy.even { "yes" } else { "no" },
            ]);
        }
        html.push(&table.html());
    }
    let missing = told.input.as_ref().map(|input| &input.missing);
    if let Some(missing) = missing.filter(|missing| !missing.is_empty()) {
        let mut table =
            Table::new("Missing values in the original", ["Column", "Rows"]).numbers_from(1);
        for (column, rows) in missing {
            table.row([column, &plain(rows)]);
        }
        html.push(&table.html());
    }
    Section::new("record", "The record", html)
}

/// The words of this page.
pub(super) fn glossary(view: &View<'_>) -> Section {
    let (_, one) = view.counted();
    let mut list = Html::new();
    let mut word = |word: &str, meaning: &str| {
        list.push(&Html::line("dt", &[], word));
        list.push(&Html::line("dd", &[], meaning));
    };
    word(
        "Group",
        "All rows that look alike in the columns that outsiders may know. Experts say class, or equivalence class.",
    );
    word(
        "Alone in a group (sample unique)",
        &format!(
            "No other {one} of the table looks the same, so whoever knows these values finds it."
        ),
    );
    word(
        "Prosecutor risk",
        &format!(
            "The chance to pick the right {one} for somebody who is known to be in the table: one over the size of the group."
        ),
    );
    word(
        "Suppressed",
        "The columns that outsiders may know are replaced by stars, or the row is left out.",
    );
    word(
        "Hierarchy, level",
        "How values become coarser: a town is in a county, a county in a country. Level 0 is the value itself, the top is a star.",
    );
    word(
        "Certified",
        "The written file was read back and every promise was checked on it from its definition, before it appeared.",
    );
    if view.told.metrics.contains_key("prec") {
        word(
            "Precision (Prec)",
            "One less the mean, over all cells, of the levels climbed over the levels there are.",
        );
    }
    Section::new(
        "words",
        "The words of this page",
        Html::tag("dl", &[("class", "words")], &list),
    )
}

/// The policy as it was.
pub(super) fn policy(view: &View<'_>) -> Option<Section> {
    let policy = view.told.policy.as_ref()?;
    let mut html = Html::line("p", &[], "The rules as they were given, to the letter.");
    let text = Html::line("code", &[], &policy.text);
    let attributes = [("tabindex", "0"), ("aria-label", "The policy file")];
    html.push(&Html::tag("pre", &attributes, &text));
    Some(Section::new("policy", "The policy", html))
}
