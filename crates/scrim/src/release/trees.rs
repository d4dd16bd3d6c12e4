//! Brings each column together with its hierarchy, or says what is missing.

use std::sync::Arc;

use super::policy::{ColumnPolicy, FileKind, HierarchyPolicy};
use rustc_hash::FxHashMap;

use crate::error::{Error, Place, Repair};
use crate::hierarchy::{Hierarchy, from_level_csv, from_outline, from_parents_csv, is_parents_csv};
use crate::printable;
use crate::table::{Code, Column, Role};

/// A hierarchy file's text, with the name to show in messages.
#[derive(Clone, Debug)]
pub struct HierarchyText {
    /// The file as the user named it.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// Loads the files that a policy names.
pub type Load<'a> = dyn FnMut(&str) -> Result<HierarchyText, Error> + 'a;

/// Where the rows of the data stand, for messages.
pub struct Rows<'a> {
    /// The data file.
    pub file: &'a str,
    /// The line of a row.
    pub line: &'a dyn Fn(usize) -> u64,
}

/// The hierarchy of a column over its values: every value has a leaf, a missing one too.
pub fn hierarchy_of(
    policy: &ColumnPolicy,
    column: &Column,
    load: &mut Load<'_>,
    rows: &Rows<'_>,
) -> Result<Arc<Hierarchy>, Error> {
    let suppressible = policy.role == Role::Quasi;
    let missing = column.dictionary().missing();
    let source = policy.hierarchy();
    let mut mend: Box<dyn Fn(&str) -> String> = Box::new(str::to_owned);
    let tree = match &source {
        HierarchyPolicy::File { path, kind } => {
            let file = load(path)?;
            let tree = read_file(&policy.name, &file, *kind, suppressible)?;
            mend = mending(&file, *kind, &tree);
            tree
        }
        HierarchyPolicy::Generated(spec) => {
            let values = (0..)
                .zip(column.dictionary().texts())
                .filter(|(code, _)| Some(*code) != missing)
                .map(|(_, text)| text);
            spec.over(values, suppressible)
                .ok_or_else(|| Error::Hierarchy {
                    attribute: policy.name.clone(),
                    place: policy.place.clone(),
                    what: "no hierarchy can be made of the column's values".to_owned(),
                    hint: Some(format!("it expects {}", spec.expects())),
                })?
        }
    };
    let tree = match missing {
        Some(code) => tree.with_missing(column.dictionary().text(code)),
        None => tree,
    };
    let strays: Vec<Code> = (0..)
        .zip(column.dictionary().texts())
        .filter(|(_, text)| tree.leaf(text).is_none())
        .map(|(code, _)| code)
        .collect();
    if strays.is_empty() {
        return Ok(Arc::new(tree));
    }
    Err(stray_values(policy, column, &strays, &source, &*mend, rows))
}

/// Reads a hierarchy file by its kind, told from name and header where the policy is silent.
pub fn read_file(
    attribute: &str,
    file: &HierarchyText,
    kind: Option<FileKind>,
    suppressible: bool,
) -> Result<Hierarchy, Error> {
    match kind.unwrap_or_else(|| kind_of(file)) {
        FileKind::Levels => from_level_csv(attribute, &file.name, &file.text, suppressible),
        FileKind::Parents => from_parents_csv(attribute, &file.name, &file.text, suppressible),
        FileKind::Outline => from_outline(attribute, &file.name, &file.text, suppressible),
    }
}

fn kind_of(file: &HierarchyText) -> FileKind {
    let name = file.name.trim_end_matches(".gz").trim_end_matches(".zst");
    if name.to_lowercase().ends_with(".txt") {
        FileKind::Outline
    } else if is_parents_csv(&file.text) {
        FileKind::Parents
    } else {
        FileKind::Levels
    }
}

/// How a line would look that gives a value its leaf.
fn mending(
    file: &HierarchyText,
    kind: Option<FileKind>,
    tree: &Hierarchy,
) -> Box<dyn Fn(&str) -> String> {
    match kind.unwrap_or_else(|| kind_of(file)) {
        FileKind::Levels => {
            let first = file.text.lines().next().unwrap_or("");
            let delimiter = if first.contains(';') { ";" } else { "," };
            let width = first.split(delimiter).count();
            let top = tree.label(tree.root()).to_owned();
            let blanks = vec!["…"; width.saturating_sub(2)].join(delimiter);
            let rest = if blanks.is_empty() {
                top
            } else {
                format!("{blanks}{delimiter}{top}")
            };
            Box::new(move |value| format!("{value}{delimiter}{rest}"))
        }
        FileKind::Parents => Box::new(|value| format!("{value},…")),
        FileKind::Outline => Box::new(|value| format!("  {value}")),
    }
}

fn stray_values(
    policy: &ColumnPolicy,
    column: &Column,
    strays: &[Code],
    source: &HierarchyPolicy,
    mend: &dyn Fn(&str) -> String,
    rows: &Rows<'_>,
) -> Error {
    let place = match source {
        HierarchyPolicy::File { path, .. } => Place::file(path),
        HierarchyPolicy::Generated(_) => policy.place.clone(),
    };
    let strays = &by_first_line(column, strays, rows);
    let count = strays.len();
    let values = if count == 1 {
        "value of the data has"
    } else {
        "values of the data have"
    };
    let what = |which: &str| format!("{count} {values} no leaf: {which}");
    let hint = match source {
        HierarchyPolicy::Generated(spec) => format!(
            "a value must be {}; what means \"missing\" goes into `null` in [data]",
            spec.expects()
        ),
        HierarchyPolicy::File { path, .. } => {
            let these = if count == 1 {
                "value of this line"
            } else {
                "values of these lines"
            };
            format!("add the {these} to {path}")
        }
    };
    let attribute = &policy.name;
    let repair = (policy.role == Role::Quasi).then(|| {
        let named = what(&by_name(column, strays, rows));
        Box::new(Repair {
            message: format!("{place}: {named} (hierarchy of `{attribute}`)"),
            hint: Some(match source {
                HierarchyPolicy::File { path, .. } => lines_to_add(path, column, strays, mend),
                HierarchyPolicy::Generated(_) => hint.clone(),
            }),
        })
    });
    Error::NoLeaf {
        attribute: attribute.clone(),
        place,
        what: what(&by_line(strays, rows)),
        hint: Some(hint),
        repair,
    }
}

/// The lines that a hierarchy's file lacks, as far as they are known.
fn lines_to_add(
    path: &str,
    column: &Column,
    strays: &[(Option<u64>, Code)],
    mend: &dyn Fn(&str) -> String,
) -> String {
    let first = strays.iter().take(10);
    let line = |code| format!("  {}", mend(&printable(column.dictionary().text(code))));
    let lines: Vec<String> = first.map(|(_, code)| line(*code)).collect();
    format!(
        "add to {path} (with the groups in place of …):\n{}",
        lines.join("\n")
    )
}

/// The first ten by name.
fn by_name(column: &Column, strays: &[(Option<u64>, Code)], rows: &Rows<'_>) -> String {
    let more = if strays.len() > 10 { ", …" } else { "" };
    let text = |code| printable(column.dictionary().text(code));
    let first = strays.iter().take(10);
    let named: Vec<String> = first
        .map(|(_, code)| format!("`{}`", text(*code)))
        .collect();
    let first = strays.first().and_then(|(line, _)| *line);
    let line = first.map_or_else(String::new, |line| {
        format!(" (first on line {line} of {})", rows.file)
    });
    format!("{}{more}{line}", named.join(", "))
}

/// The first ten by their lines.
fn by_line(strays: &[(Option<u64>, Code)], rows: &Rows<'_>) -> String {
    let more = if strays.len() > 10 { ", …" } else { "" };
    let lines = strays.iter().take(10).filter_map(|(line, _)| *line);
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    format!(
        "first seen on {} {}{more} of {}",
        if lines.len() == 1 { "line" } else { "lines" },
        lines.join(", "),
        rows.file
    )
}

/// Values with the first line that each is on, in the order of these lines.
fn by_first_line(column: &Column, codes: &[Code], rows: &Rows<'_>) -> Vec<(Option<u64>, Code)> {
    let mut first: FxHashMap<Code, Option<u64>> = codes.iter().map(|code| (*code, None)).collect();
    for row in 0..column.codes().len() {
        if let Some(first) = first.get_mut(&column.codes().get(row)) {
            let line = (rows.line)(row);
            *first = Some(first.map_or(line, |first| first.min(line)));
        }
    }
    let lines = codes.iter().map(|code| (first[code], *code));
    let mut lines: Vec<(Option<u64>, Code)> = lines.collect();
    lines.sort_by_key(|(line, _)| line.unwrap_or(u64::MAX));
    lines
}
