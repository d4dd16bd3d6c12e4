//! What init saw and wrote, for people.

use std::fmt::Write as _;

use scrim::{counted, printable};
use scrim_io::pipeline::{ColumnAnswer, Cost, InitAnswer};
use scrim_text::Table;

/// The columns, the promises, the files, and what to do next.
pub(crate) fn init(answer: &InitAnswer) -> String {
    let parted = answer.delimiter.as_ref();
    let parted = parted.map_or_else(String::new, |text| format!(", fields parted by `{text}`"));
    let mut text = format!(
        "{}: {}, {}{parted}\n",
        answer.data,
        counted(answer.rows, "row"),
        counted(answer.columns.len(), "column")
    );
    if answer.null.len() > 1 {
        let nulls: Vec<String> = answer
            .null
            .iter()
            .skip(1)
            .map(|null| format!("`{null}`"))
            .collect();
        let _ = writeln!(text, "missing: empty, {}", nulls.join(", "));
    }
    let mut table = Table::new(&["column", "kind", "distinct", "missing", "role", "why"]);
    for column in &answer.columns {
        table.row(vec![
            column.column.clone(),
            column.kind.to_owned(),
            column.distinct.to_string(),
            column.missing.to_string(),
            role(column),
            column.reason.clone(),
        ]);
    }
    let _ = write!(text, "\n{table}");
    if answer.columns.iter().any(|column| column.unsure) {
        text.push_str("\n? only guessed: please check its role in the policy\n");
    }
    text.push_str(&safe_harbor(answer));
    let _ = write!(text, "\npromised: {}\n", answer.promises.join("; "));
    text.push_str("\nwhat a release would cost:\n");
    for cost in &answer.costs {
        text.push_str(&price(cost, answer));
    }
    text.push_str("\nwritten:\n");
    for file in &answer.files {
        let _ = writeln!(text, "  {file}");
    }
    let policy = &answer.policy;
    let _ = write!(
        text,
        "\nNext:\n  read {policy}: a wrong role protects nobody\n  \
         scrim risk {} --policy {policy}      how exposed are its {} now?\n  \
         scrim publish {policy}      make the release\n",
        answer.data, answer.counted
    );
    text
}

/// What one search would cost, on two lines.
fn price(cost: &Cost, answer: &InitAnswer) -> String {
    let share = cost.suppressed_rows as f64 / (answer.rows.max(1)) as f64;
    let free = if cost.free_k > answer.k {
        format!(
            "any k up to {} {} costs nothing more",
            cost.free_k, cost.unit
        )
    } else {
        format!(
            "its smallest class has {} {}: a larger k costs more",
            cost.free_k, cost.unit
        )
    };
    let columns = if cost.suppressed_columns.is_empty() {
        "no column wholly suppressed".to_owned()
    } else {
        let names: Vec<String> = cost
            .suppressed_columns
            .iter()
            .map(|name| printable(name).into_owned())
            .collect();
        format!("wholly suppressed: {}", names.join(", "))
    };
    format!(
        "  {:<8}  {:.1}% of the detail lost, {:.1}% of the rows suppressed; {columns}\n  {:<8}  {free}\n",
        cost.algorithm,
        cost.loss * 100.0,
        share * 100.0,
        "",
    )
}

/// The identifiers of HIPAA's Safe Harbor that were recognised, each with its columns.
fn safe_harbor(answer: &InitAnswer) -> String {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for column in &answer.columns {
        let Some(hipaa) = column.hipaa.as_deref() else {
            continue;
        };
        match found.iter_mut().find(|(own, _)| *own == hipaa) {
            Some((_, columns)) => columns.push(printable(&column.column).into_owned()),
            None => found.push((hipaa, vec![printable(&column.column).into_owned()])),
        }
    }
    found.sort_unstable();
    let mut text = String::new();
    for (at, (hipaa, columns)) in found.iter().enumerate() {
        if at == 0 {
            text.push_str("\nHIPAA Safe Harbor, 45 CFR 164.514(b)(2), names these identifiers:\n");
        }
        let _ = writeln!(text, "  {hipaa}: {}", columns.join(", "));
    }
    text
}

fn role(column: &ColumnAnswer) -> String {
    let name = column.role.name();
    let unsure = if column.unsure { " ?" } else { "" };
    format!("{name}{unsure}")
}
