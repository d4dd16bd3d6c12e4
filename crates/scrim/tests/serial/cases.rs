//! Serial cases as the library sees them: tables, policies, histories.

use std::collections::BTreeMap;
use std::sync::Arc;

use scrim::Error;
use scrim::hierarchy::Hierarchy;
use scrim::release::audit::{Audit, Known, audit_with};
use scrim::release::{History, PastClass, Policy, Prepared, Rows};
use scrim::table::{Column, Table};
use testkit::SplitMix64;
use testkit::oracle::serial::{Group, Release};

pub const VALUES: [&str; 4] = ["flu", "hiv", "cold", "fever"];

/// A row: the person, two quasi-identifiers and the value.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub person: u32,
    pub age: u32,
    pub zip: u32,
    pub value: &'static str,
}

/// A table of rows.
pub fn table(rows: &[Row]) -> Table {
    let texts = |text: &dyn Fn(&Row) -> String| rows.iter().map(text).collect::<Vec<String>>();
    let column =
        |name: &str, texts: Vec<String>| Column::from_texts(name, texts.iter().map(String::as_str));
    Table::new(vec![
        column("person", texts(&|row| format!("o{}", row.person))),
        column("age", texts(&|row| row.age.to_string())),
        column("zip", texts(&|row| format!("{:03}", row.zip))),
        column("s", texts(&|row| row.value.to_owned())),
    ])
    .unwrap()
}

/// A policy with this `serial` and more promises.
pub fn policy(serial: &str, more: &str) -> Policy {
    let text = format!(
        "[data]\npath = \"t.csv\"\n[ledger]\npath = \"l.sqlite\"\n[columns]\nperson = {{ role = \"person\" }}\n\
         age = {{ role = \"quasi\", numeric = {{ from = 0, to = 99 }} }}\n\
         zip = {{ role = \"quasi\", hierarchy = {{ mask = \"right\" }} }}\n\
         s = {{ role = \"sensitive\" }}\n[search]\nalgorithm = \"auto\"\n\
         [[privacy]]\nmodel = \"serial\"\n{serial}\n{more}"
    );
    Policy::parse("p.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn prepare(policy: &Policy, table: &Table, history: &History) -> Result<Prepared, Error> {
    let line = |row: usize| row as u64 + 2;
    let rows = Rows {
        file: "t.csv",
        line: &line,
    };
    let mut load = |_: &str| Err(Error::Internal("no file here".to_owned()));
    Prepared::with_history(policy, table, &mut load, &rows, history)
}

/// What releases say about the persons of a table.
pub fn history(releases: &[Release], table: &Table) -> History {
    let person = table.column("person").unwrap();
    let texts = person.dictionary().texts().map(str::to_owned);
    let codes: BTreeMap<String, usize> = texts.zip(0..).collect();
    let mut history = History {
        of_person: vec![Vec::new(); person.dictionary().len()],
        ledger_row: (0..person.dictionary().len() as u64)
            .map(|row| Some(row + 1))
            .collect(),
        releases: releases.len() as u32,
        ..History::default()
    };
    for (number, release) in (1..).zip(releases) {
        for group in release {
            let at = history.classes.len() as u32;
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for value in &group.values {
                *counts.entry((*value).to_owned()).or_default() += 1;
            }
            history.classes.push(PastClass {
                release: number,
                rows: group.values.len() as u64,
                counts,
            });
            for individual in &group.individuals {
                if let Some(code) = codes.get(&format!("o{individual}")) {
                    history.of_person[*code].push(at);
                }
            }
        }
    }
    history
}

/// The release that these groups of a table's rows are.
pub fn released(rows: &[Row], groups: &[Vec<usize>]) -> Release {
    let of = |group: &Vec<usize>| Group {
        individuals: group.iter().map(|at| rows[*at].person).collect(),
        values: group.iter().map(|at| rows[*at].value).collect(),
    };
    groups.iter().map(of).collect()
}

/// The certifier's answer about groups of a table's rows.
pub fn certify(policy: &Policy, rows: &[Row], groups: &[Vec<usize>], history: &History) -> Audit {
    certify_with(policy, rows, groups, history, &[])
}

/// The same with hierarchies of sensitive columns.
pub fn certify_with(
    policy: &Policy,
    rows: &[Row],
    groups: &[Vec<usize>],
    history: &History,
    trees: &[(String, Arc<Hierarchy>)],
) -> Audit {
    let mut class = vec![0; rows.len()];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|at| class[*at] = number);
    }
    let shown: Vec<String> = class.iter().map(|class| format!("c{class}")).collect();
    let shown = || shown.iter().map(String::as_str);
    let published = Table::new(vec![
        Column::from_texts("age", shown()),
        Column::from_texts("zip", shown()),
        Column::from_texts("s", rows.iter().map(|row| row.value)),
    ])
    .unwrap();
    let table = table(rows);
    let person = table.column("person").unwrap();
    let persons: Vec<u32> = (0..rows.len()).map(|row| person.codes().get(row)).collect();
    let known = Known {
        persons: Some(&persons),
        trees,
        history: Some(history),
        ..Known::default()
    };
    audit_with(policy, &published, "release.csv", &known).unwrap()
}

/// A random table of so many rows at most; persons are numbered from 0 on, some are absent.
pub fn random_rows(random: &mut SplitMix64, most: usize, values: usize) -> Vec<Row> {
    let count = random.between(1, most);
    let mut persons: Vec<u32> = (0..most as u32 + 2).collect();
    (0..count)
        .map(|_| Row {
            person: persons.swap_remove(random.below(persons.len())),
            age: random.between(20, 60) as u32,
            zip: random.between(100, 130) as u32,
            value: VALUES[random.below(values)],
        })
        .collect()
}

/// Random groups of so many rows, of two to `most` rows mostly.
pub fn random_groups(random: &mut SplitMix64, count: usize, most: usize) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut groups = Vec::new();
    while !left.is_empty() {
        let size = random.between(1, most).min(left.len());
        let taken = (0..size).map(|_| left.swap_remove(random.below(left.len())));
        groups.push(taken.collect());
    }
    groups
}

/// Random releases of the past.
pub fn random_past(random: &mut SplitMix64, most_releases: usize, most: usize) -> Vec<Release> {
    let releases = random.below(most_releases + 1);
    (0..releases)
        .map(|_| {
            let rows = random_rows(random, most, VALUES.len());
            let groups = random_groups(random, rows.len(), 4);
            released(&rows, &groups)
        })
        .collect()
}
