//! The ledger's answers as text.

use scrim_io::ledger::{Check, Overview, PersonReport, Persons, ReleaseView, Verification};
use scrim_text::Table;

use scrim::counted;

/// At most so many values of a column are printed; JSON has all.
const MOST: usize = 20;

/// `scrim ledger list`.
pub(crate) fn ledger_list(answer: &Overview) -> String {
    let mut text = format!(
        "{}: {}, {}\n",
        answer.ledger,
        counted(answer.releases.len() as u64, "release"),
        counted(answer.persons, "person"),
    );
    if answer.releases.is_empty() {
        return text;
    }
    let heading = [
        "release",
        "time",
        "rows",
        "classes",
        "new persons",
        "state",
        "file",
    ];
    let mut table = Table::new(&heading);
    for release in &answer.releases {
        table.row(vec![
            release.release.to_string(),
            release.time.clone(),
            release.rows.to_string(),
            release.classes.to_string(),
            release.newcomers.to_string(),
            release.state.to_owned(),
            release
                .files
                .first()
                .map_or_else(String::new, |file| file.path.clone()),
        ]);
    }
    text.push_str(&format!("\n{table}"));
    if let Some(head) = &answer.head {
        text.push_str(&format!("\nhash of the last release: {head}\n"));
    }
    text
}

/// `scrim ledger show`.
pub(crate) fn ledger_release(answer: &ReleaseView) -> String {
    let record = &answer.record;
    let [least, most] = answer.class_rows;
    let of_persons = if record.persons == record.rows {
        String::new()
    } else {
        format!(" of {}", counted(record.persons, "person"))
    };
    let mut text = format!(
        "release {} of {} ({}, scrim {})\n{}{of_persons} in {} of {least} to {most}; {} that no earlier release has\n",
        record.release,
        record.time,
        record.state,
        record.scrim,
        counted(record.rows, "row"),
        counted(record.classes, "class"),
        counted(record.newcomers, "person"),
    );
    for file in &record.files {
        text.push_str(&format!("{}  sha256 {}\n", file.path, file.sha256));
    }
    text.push_str(&format!("hash {}\n", record.hash));
    for column in &answer.columns {
        let promise = column.l.as_ref();
        let promise = promise.map_or_else(String::new, |l| format!(" (l = {l})"));
        text.push_str(&format!("\n{}{promise}\n", column.column));
        let mut table = Table::new(&["value", "rows", "classes", "largest share", ""]);
        for value in column.values.iter().take(MOST) {
            table.row(vec![
                value.value.clone(),
                value.rows.to_string(),
                value.classes.to_string(),
                value.max_share_exact.to_string(),
                if value.protected { "protected" } else { "" }.to_owned(),
            ]);
        }
        text.push_str(&table.to_string());
        if column.values.len() > MOST {
            text.push_str(&format!(
                "… {} more (--json has all)\n",
                column.values.len() - MOST
            ));
        }
    }
    text.push_str(&format!("\npolicy (sha256 {})\n", record.policy_sha256));
    for line in answer.policy.lines() {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

/// `scrim ledger persons`.
pub(crate) fn ledger_persons(answer: &Persons) -> String {
    let mut text = format!(
        "{} in {}; `{}`, l = {}\n",
        counted(answer.persons, "person"),
        counted(answer.releases as u64, "release"),
        answer.column,
        answer.l,
    );
    if let Some(exhausted) = answer.exhausted {
        text.push_str(&format!(
            "{} with nothing left for some protected value\n",
            counted(exhausted, "person")
        ));
    }
    if answer.shown.is_empty() {
        return text;
    }
    let mut table = Table::new(&["person", "releases", "value", "p", "left"]);
    for person in &answer.shown {
        for left in &person.left {
            table.row(vec![
                name(person),
                person.releases.to_string(),
                left.value.clone(),
                format!("{:.4}", left.p),
                match (&left.left_exact, left.left) {
                    (Some(exact), Some(float)) if exact.is_positive() => format!("{float:.4}"),
                    _ => "none".to_owned(),
                },
            ]);
        }
        for belief in &person.lasting {
            table.row(vec![
                name(person),
                person.releases.to_string(),
                belief.value.clone(),
                format!("{}{:.4}", if belief.exact { "" } else { "<= " }, belief.p),
                "lasting".to_owned(),
            ]);
        }
    }
    text.push_str(&format!("\n{table}"));
    text
}

fn name(person: &PersonReport) -> String {
    let row = person.person;
    let row = row.map_or_else(|| "not in the ledger".to_owned(), |row| row.to_string());
    match person.line {
        Some(line) => format!("line {line}: {row}"),
        None => row,
    }
}

/// `scrim ledger verify`.
pub(crate) fn ledger_verification(answer: &Verification) -> String {
    let verdict = if answer.holds { "sound" } else { "NOT sound" };
    let mut text = format!(
        "{verdict}: {}, {}\n",
        counted(answer.releases, "release"),
        counted(answer.persons, "person")
    );
    for fault in &answer.faults {
        let release = fault.release;
        let at = release.map_or_else(String::new, |release| format!("release {release}: "));
        text.push_str(&format!("fault: {at}{}\n", fault.what));
    }
    if let Some(head) = &answer.head {
        text.push_str(&format!("hash of the last release: {head}\n"));
    }
    text
}

/// `scrim ledger check`.
pub(crate) fn ledger_check(answer: &Check) -> String {
    let mut text = format!(
        "{}: {} never released, {} retired, {} with nothing left for some protected value\n`{}`, l = {}\n",
        counted(answer.persons, "person"),
        answer.fresh,
        answer.retired,
        answer.exhausted,
        answer.column,
        answer.l,
    );
    if let Some(lasting) = &answer.lasting {
        text.push_str(&format!(
            "lasting values: {} above the limit, {} not decided\n",
            counted(lasting.above, "person"),
            lasting.undecided
        ));
    }
    let mut table = Table::new(&["value", "fresh", "spent", "exhausted", "least left"]);
    for value in &answer.values {
        table.row(vec![
            value.value.clone(),
            value.fresh.to_string(),
            value.spent.to_string(),
            value.exhausted.to_string(),
            value
                .least_left
                .map_or_else(String::new, |left| format!("{left:.4}")),
        ]);
    }
    text.push_str(&format!("\n{table}"));
    text
}
