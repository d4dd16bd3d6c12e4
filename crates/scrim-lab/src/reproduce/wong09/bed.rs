//! A small table of persons put before search and certifier.

use std::collections::BTreeMap;

use scrim::Error;
use scrim::algorithm::Unwatched;
use scrim::release::audit::{Audit, Known, audit_with};
use scrim::release::{History, Policy, Prepared, Rows, plan};
use scrim::table::{Column, Table};

use super::super::bench::{internal, records};
use super::worlds::{Group, Release};

const FIGURE_1: &str = include_str!("../../../../../fixtures/papers/wong09/figure1.csv");

/// A row: person, sex, zip code, value.
pub(super) type Row = (u32, &'static str, &'static str, &'static str);

/// Both tables of Figure 1.
pub(super) fn figure_1() -> [Vec<Row>; 2] {
    ["1", "2"].map(|release| {
        let rows = records(FIGURE_1).filter(|cells| cells[0] == release);
        rows.map(|cells| (person(cells[1]), cells[2], cells[3], cells[4]))
            .collect()
    })
}

fn person(name: &str) -> u32 {
    name.trim_start_matches('o').parse().unwrap_or(0)
}

/// Both releases of Figure 2 (column 5) or 4 (column 6).
pub(super) fn figure(column: usize) -> Vec<Release> {
    let mut releases: BTreeMap<&str, BTreeMap<&str, Group>> = BTreeMap::new();
    for cells in records(FIGURE_1).skip(1) {
        let groups = releases.entry(cells[0]).or_default();
        let group = groups.entry(cells[column]).or_insert_with(|| Group {
            persons: Vec::new(),
            values: Vec::new(),
        });
        group.persons.push(person(cells[1]));
        group.values.push(cells[4]);
    }
    releases
        .into_values()
        .map(|groups| groups.into_values().collect())
        .collect()
}

/// Rows of which only persons and values matter.
pub(super) fn rows(cells: &[(u32, &'static str)]) -> Vec<Row> {
    cells
        .iter()
        .map(|(person, value)| (*person, "M", "65001", *value))
        .collect()
}

/// Groups of a table's rows.
pub(super) fn released(rows: &[Row], groups: &[Vec<usize>]) -> Release {
    let of = |group: &Vec<usize>| Group {
        persons: group.iter().map(|at| rows[*at].0).collect(),
        values: group.iter().map(|at| rows[*at].3).collect(),
    };
    groups.iter().map(of).collect()
}

/// A policy that promises `serial` with l = 2 about these values, a TOML list or `"all"`.
pub(super) fn policy(values: &str) -> Result<Policy, Error> {
    Policy::parse(
        "wong09.toml",
        &format!(
            "[data]\npath = \"t.csv\"\n[ledger]\npath = \"l.sqlite\"\n[columns]\nperson = {{ role = \"person\" }}\n\
             sex = {{ role = \"quasi\", hierarchy = {{ flat = true }} }}\n\
             zip = {{ role = \"quasi\", hierarchy = {{ mask = \"right\" }} }}\n\
             disease = {{ role = \"sensitive\" }}\n[search]\nalgorithm = \"rotating\"\n\
             [[privacy]]\nmodel = \"serial\"\nl = 2\nvalues = {values}\n"
        ),
    )
}

/// The certifier's answer about groups of a table's rows. Persons are their own codes.
pub(super) fn certify(
    policy: &Policy,
    rows: &[Row],
    groups: &[Vec<usize>],
    history: &History,
) -> Result<Audit, Error> {
    let mut shown = vec![String::new(); rows.len()];
    for (number, group) in groups.iter().enumerate() {
        group
            .iter()
            .for_each(|at| shown[*at] = format!("class {number}"));
    }
    let shown = || shown.iter().map(String::as_str);
    let published = Table::new(vec![
        Column::from_texts("sex", shown()),
        Column::from_texts("zip", shown()),
        Column::from_texts("disease", rows.iter().map(|row| row.3)),
    ])
    .ok_or_else(|| internal("a ragged table"))?;
    let persons: Vec<u32> = rows.iter().map(|row| row.0).collect();
    let known = Known {
        persons: Some(&persons),
        history: Some(history),
        ..Known::default()
    };
    audit_with(policy, &published, "release.csv", &known)
}

/// The groups that `rotating` finds, by persons; a refusal in words.
pub(super) fn search(
    policy: &Policy,
    rows: &[Row],
    history: &History,
) -> Result<Result<Release, String>, Error> {
    // The dictionary has all persons, so that they are their own codes.
    let names: Vec<Box<str>> = (0..history.of_person.len())
        .map(|person| format!("o{person}").into())
        .collect();
    let codes = rows.iter().map(|row| row.0);
    let person = Column::from_codes("person", names, None, codes)
        .ok_or_else(|| internal("a person without a code"))?;
    let text = |text: fn(&Row) -> &'static str| rows.iter().map(text);
    let table = Table::new(vec![
        person,
        Column::from_texts("sex", text(|row| row.1)),
        Column::from_texts("zip", text(|row| row.2)),
        Column::from_texts("disease", text(|row| row.3)),
    ])
    .ok_or_else(|| internal("a ragged table"))?;
    let line = |row: usize| row as u64 + 2;
    let place = Rows {
        file: "t.csv",
        line: &line,
    };
    let mut load = |_: &str| Err(internal("no file is read here"));
    let prepared = Prepared::with_history(policy, &table, &mut load, &place, history)?;
    match prepared.must_be_feasible() {
        Ok(()) => {}
        Err(Error::Infeasible { what, .. }) => return Ok(Err(what)),
        Err(other) => return Err(other),
    }
    let Some(plan) = plan(policy, &table, &prepared, &mut Unwatched)? else {
        return Ok(Err("no valid partition".to_owned()));
    };
    let (class_of_row, classes) = plan
        .found
        .recoding
        .class_of_row(&prepared.ladders, &prepared.ground);
    let mut groups = vec![Vec::new(); classes];
    for (row, class) in class_of_row.iter().enumerate() {
        groups[*class as usize].push(row);
    }
    groups.retain(|group| !group.is_empty());
    Ok(Ok(released(rows, &groups)))
}

/// Groups as `{o1, o5}, {o2, o3}`.
pub(super) fn told(release: &Release) -> String {
    let mut groups: Vec<Vec<u32>> = release.iter().map(|group| group.persons.clone()).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort();
    let groups: Vec<String> = groups
        .iter()
        .map(|group| {
            let names: Vec<String> = group.iter().map(|person| format!("o{person}")).collect();
            format!("{{{}}}", names.join(", "))
        })
        .collect();
    groups.join(", ")
}
