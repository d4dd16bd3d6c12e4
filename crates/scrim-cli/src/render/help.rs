//! An entry of the catalog, explained.

use scrim::release::catalog::{Entry, Parameter, Status};
use scrim_text::wrapped;

/// One entry in lines of at most a width.
pub(crate) fn entry(entry: &Entry, width: usize) -> String {
    let mut text = wrapped(
        &format!("{}, {}: {}", entry.name, article(entry), entry.summary),
        width,
        "",
        "  ",
    );
    section(&mut text, "Definition");
    text.push_str(&wrapped(entry.definition, width, "  ", "  "));
    if !entry.parameters.is_empty() {
        let title = if entry.policy().is_some() {
            "Keys"
        } else {
            "Options"
        };
        section(&mut text, title);
        for parameter in entry.parameters {
            text.push_str(&key(parameter, width));
        }
    }
    section(&mut text, "Example");
    for line in entry.example.lines() {
        let line = format!("  {line}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    section(&mut text, entry.kind.limits());
    for limit in entry.limits {
        text.push_str(&wrapped(limit, width, "  - ", "    "));
    }
    let carried = entry.carried();
    if !carried.is_empty() {
        section(&mut text, entry.kind.carried());
        text.push_str(&wrapped(&carried.join(", "), width, "  ", "  "));
    }
    section(&mut text, "Cost");
    text.push_str(&wrapped(entry.cost, width, "  ", "  "));
    section(&mut text, "More");
    for line in more(entry) {
        text.push_str(&wrapped(&line, width, "  ", "    "));
    }
    text
}

fn section(text: &mut String, title: &str) {
    text.push_str(&format!("\n{title}:\n"));
}

fn article(entry: &Entry) -> String {
    let kind = entry.kind.title();
    let kind = if kind == "risk" {
        "measure of risk"
    } else {
        kind
    };
    let article = if kind.starts_with('a') { "an" } else { "a" };
    format!("{article} {kind}")
}

fn key(parameter: &Parameter, width: usize) -> String {
    let value = if parameter.value.is_empty() {
        String::new()
    } else {
        format!(": {}", parameter.value)
    };
    let default = parameter
        .default
        .map_or("must be given".to_owned(), |value| {
            format!("default {value}")
        });
    let head = wrapped(
        &format!("{}{value} ({default})", parameter.name),
        width,
        "  ",
        "    ",
    );
    head + &wrapped(parameter.summary, width, "      ", "      ")
}

/// Where it comes from and where to read on.
fn more(entry: &Entry) -> Vec<String> {
    let mut lines = Vec::new();
    match (entry.source, entry.place) {
        ("", "") => {}
        ("", place) => lines.push(format!("after {place}; not among the papers in hand")),
        (source, "") => lines.push(format!("[{source}] in `scrim help page papers`")),
        (source, place) => lines.push(format!(
            "[{source}], {place}; how it is read, and its errata: `scrim help page papers`"
        )),
    }
    let page = entry.page.strip_prefix("docs/").unwrap_or(entry.page);
    let page = page.strip_suffix(".md").unwrap_or(page);
    lines.push(format!(
        "`scrim help page {page}`, `scrim help page reference`"
    ));
    if entry.policy().is_some() {
        lines.push(format!(
            "the example as a whole policy for the table of `scrim demo`: scrim help {} {} --example",
            entry.kind.title(),
            entry.name
        ));
    }
    if entry.status == Status::Proposed {
        lines.push("proposed: not yet checked against fixtures and an oracle".to_owned());
    }
    lines
}
