//! Ten releases by one method, each with what was published before in mind, certified and attacked.

use std::collections::BTreeMap;

use scrim::adversary::{Chance, SerialAttack, serial};
use scrim::recoding::apply;
use scrim::release::audit::{Audit, Known, audit_with};
use scrim::release::{History, PastClass, Policy, Prepared, Rows, plan, retire};
use scrim::table::{Column, Table};
use scrim::{Error, Share};

use super::super::bench::internal;
use super::hospital::{Hospital, RELEASES, Visit};
use crate::Monitor;

/// Nobody shall be linked with more than 1/L.
pub(super) const L: i128 = 2;
/// Who has less room than this is left out, whatever they have.
pub(super) const RETIRE: &str = "1/50";

/// How releases are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// l-diversity in each release by itself.
    Plain(&'static str),
    /// `serial` under a schedule, beside frequency l-diversity in each release: so it promises more.
    Serial(&'static str),
}

impl Method {
    pub(super) const ALL: [Self; 5] = [
        Self::Plain("distinct"),
        Self::Plain("frequency"),
        Self::Serial("greedy"),
        Self::Serial("geometric"),
        Self::Serial("linear"),
    ];

    /// For tables and legends.
    pub(super) fn name(self) -> String {
        match self {
            Self::Plain(kind) => format!("{kind} {L}-diversity"),
            Self::Serial(schedule) => format!("serial, {schedule}"),
        }
    }

    pub(super) fn is_serial(self) -> bool {
        matches!(self, Self::Serial(_))
    }

    fn policy(self, hospital: &Hospital) -> Result<Policy, Error> {
        let columns: String = hospital
            .columns
            .iter()
            .map(|(name, how)| format!("{name} = {{ role = \"quasi\", {how} }}\n"))
            .collect();
        let (ledger, search, privacy) = match self {
            Self::Plain(kind) => ("", "mondrian", diversity(kind)),
            Self::Serial(schedule) => {
                let names: Vec<String> = hospital
                    .protected
                    .iter()
                    .map(|name| format!("\"{name}\""))
                    .collect();
                let horizon = if schedule == "linear" {
                    format!("\nhorizon = {RELEASES}")
                } else {
                    String::new()
                };
                let values = names.join(", ");
                let plain = diversity("frequency");
                let text = format!(
                    "{plain}\n[[privacy]]\nmodel = \"serial\"\nl = {L}\nvalues = [{values}]\nschedule = \"{schedule}\"{horizon}\nretire = {{ below = \"{RETIRE}\" }}"
                );
                ("[ledger]\npath = \"l.sqlite\"\n", "rotating", text)
            }
        };
        let text = format!(
            "[data]\npath = \"t.csv\"\n{ledger}[columns]\nperson = {{ role = \"person\" }}\n{columns}value = {{ role = \"sensitive\" }}\n\
             [search]\nalgorithm = \"{search}\"\n[[privacy]]\n{privacy}\n"
        );
        Policy::parse("wong09.toml", &text)
    }
}

/// What each release promises by itself.
fn diversity(kind: &str) -> String {
    format!("model = \"l-diversity\"\nkind = \"{kind}\"\nl = {L}")
}

/// One release, and what all releases up to it let an onlooker believe.
#[derive(Debug)]
pub(super) struct Step {
    /// Rows of the table.
    pub(super) rows: usize,
    /// Rows that were published.
    pub(super) released: usize,
    /// Persons of the table who are left out.
    pub(super) retired: u64,
    /// The cost; nothing where the release was refused.
    pub(super) cost: Option<Cost>,
    /// Whether the certifier found the promise kept and, for `serial`, the same largest probability as the onlooker.
    pub(super) certified: bool,
    /// Within this release alone.
    pub(super) localized: Chance,
    /// Over all releases so far.
    pub(super) attack: SerialAttack,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pub(super) loss: f64,
    /// Equation 6 of [XiaoTao06], a row.
    pub(super) information_loss: f64,
    pub(super) classes: u64,
    pub(super) mean: f64,
    pub(super) largest: u64,
}

/// All releases by a method.
pub(super) fn run(
    hospital: &Hospital,
    method: Method,
    progress: &mut dyn Monitor,
) -> Result<Vec<Step>, Error> {
    let policy = method.policy(hospital)?;
    let mut past = Past {
        classes: Vec::new(),
        of_person: vec![Vec::new(); hospital.persons as usize],
    };
    let mut steps = Vec::new();
    for (release, visits) in (1..).zip(&hospital.releases) {
        let table = table(hospital, visits)?;
        let history = past.history(&table, release - 1);
        steps.push(step(
            hospital, &policy, &table, &history, &mut past, progress,
        )?);
    }
    Ok(steps)
}

/// The persons are numbers in their column.
fn table(hospital: &Hospital, visits: &[Visit]) -> Result<Table, Error> {
    let persons: Vec<String> = visits
        .iter()
        .map(|visit| visit.person.to_string())
        .collect();
    let mut columns = vec![Column::from_texts(
        "person",
        persons.iter().map(String::as_str),
    )];
    for (at, (name, _)) in hospital.columns.iter().enumerate() {
        columns.push(Column::from_texts(
            name,
            visits.iter().map(|visit| visit.cells[at].as_str()),
        ));
    }
    columns.push(Column::from_texts(
        "value",
        visits.iter().map(|visit| visit.value.as_str()),
    ));
    Table::new(columns).ok_or_else(|| internal("a ragged table"))
}

fn step(
    hospital: &Hospital,
    policy: &Policy,
    table: &Table,
    history: &History,
    past: &mut Past,
    progress: &mut dyn Monitor,
) -> Result<Step, Error> {
    let remaining = retire(policy, table, history, None)?;
    let retired = remaining.as_ref().map_or(0, |remaining| remaining.retired);
    let present = remaining
        .as_ref()
        .map_or(table, |remaining| &remaining.table);
    let made = make(policy, present, history, progress)?;
    let release = history.releases + 1;
    let mut audit = None;
    if let Some(made) = &made {
        let known = Known {
            persons: Some(&made.persons),
            history: Some(history),
            ..Known::default()
        };
        audit = Some(audit_with(policy, &made.table, "release.csv", &known)?);
        past.add(release, present, made)?;
    }
    let limit = Share::new(1, L).unwrap_or(Share::ONE);
    let protected = |value: &str| hospital.protected.iter().any(|name| name == value);
    let attack = serial(&past.whole(release), &protected, limit, 1);
    let last = attack
        .releases
        .iter()
        .find(|found| found.release == release);
    let same = |audit: &Audit| match (&audit.serial, last) {
        (Some(report), Some(last)) => {
            (report.max - last.global.value()).abs() < 1e-12 && last.above == 0
        }
        _ => policy.serial().is_none(),
    };
    Ok(Step {
        rows: table.rows(),
        released: made.as_ref().map_or(0, |made| made.table.rows()),
        retired,
        certified: audit
            .as_ref()
            .is_some_and(|audit| audit.holds && same(audit)),
        cost: made.zip(audit).map(|(made, audit)| Cost {
            loss: made.loss,
            information_loss: made.information_loss,
            classes: audit.classes.count,
            mean: audit.classes.mean,
            largest: audit.classes.max,
        }),
        localized: last.map(|last| last.localized.clone()).unwrap_or_default(),
        attack,
    })
}

/// A release as published.
struct Made {
    table: Table,
    /// The code of each row's person.
    persons: Vec<u32>,
    loss: f64,
    information_loss: f64,
}

/// Searches and applies; nothing where the release is refused.
fn make(
    policy: &Policy,
    table: &Table,
    history: &History,
    progress: &mut dyn Monitor,
) -> Result<Option<Made>, Error> {
    let line = |row: usize| row as u64 + 2;
    let place = Rows {
        file: "t.csv",
        line: &line,
    };
    let mut load = |_: &str| Err(internal("no file is read here"));
    let prepared = Prepared::with_history(policy, table, &mut load, &place, history)?;
    match prepared.must_be_feasible() {
        Ok(()) => {}
        Err(Error::Infeasible { .. }) => return Ok(None),
        Err(other) => return Err(other),
    }
    let Some(plan) = plan(policy, table, &prepared, progress)? else {
        return Ok(None);
    };
    let applied = apply(
        table,
        &prepared.roles,
        &prepared.ladders,
        &plan.found.recoding.suppressed_rows(&prepared.ground),
        &plan.found.recoding,
        &plan.sensitive,
        plan.fate,
    );
    let person = table
        .column("person")
        .ok_or_else(|| internal("no person"))?;
    let persons: Vec<u32> = applied
        .rows
        .iter()
        .map(|row| person.codes().get(*row as usize))
        .collect();
    let columns: Option<Vec<Column>> = applied
        .columns
        .into_iter()
        .map(|column| {
            let labels = column
                .labels
                .into_iter()
                .map(String::into_boxed_str)
                .collect();
            let codes = (0..column.codes.len()).map(|row| column.codes.get(row));
            Column::from_codes(&column.name, labels, column.missing, codes)
        })
        .collect();
    let published = columns
        .and_then(Table::new)
        .ok_or_else(|| internal("a ragged release"))?;
    let rows = published.rows().max(1) as f64;
    Ok(Some(Made {
        table: published,
        persons,
        loss: plan.metrics.loss_mean,
        information_loss: plan.metrics.information_loss / rows,
    }))
}

/// What was published so far: a ledger in memory.
struct Past {
    classes: Vec<PastClass>,
    /// By the person's own number.
    of_person: Vec<Vec<u32>>,
}

impl Past {
    /// What a ledger would tell about the persons of a table.
    fn history(&self, table: &Table, releases: u32) -> History {
        let texts = table
            .column("person")
            .map(|column| column.dictionary().texts());
        let persons: Vec<usize> = texts
            .into_iter()
            .flatten()
            .filter_map(|text| text.parse().ok())
            .collect();
        History {
            classes: self.classes.clone(),
            of_person: persons
                .iter()
                .map(|person| self.of_person[*person].clone())
                .collect(),
            ledger_row: persons
                .iter()
                .map(|person| Some(*person as u64 + 1))
                .collect(),
            releases,
            ..History::default()
        }
    }

    /// Everybody, for the onlooker.
    fn whole(&self, releases: u32) -> History {
        History {
            classes: self.classes.clone(),
            of_person: self.of_person.clone(),
            ledger_row: Vec::new(),
            releases,
            ..History::default()
        }
    }

    /// Classes are the rows that look alike.
    fn add(&mut self, release: u32, source: &Table, made: &Made) -> Result<(), Error> {
        let value = made
            .table
            .column("value")
            .ok_or_else(|| internal("no value"))?;
        let person = source
            .column("person")
            .ok_or_else(|| internal("no person"))?;
        let quasi: Vec<&Column> = made
            .table
            .columns()
            .iter()
            .filter(|column| column.name() != "value")
            .collect();
        let mut classes: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for row in 0..made.table.rows() {
            let look = quasi.iter().map(|column| column.text(row)).collect();
            classes.entry(look).or_default().push(row);
        }
        for rows in classes.into_values() {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            let at = self.classes.len() as u32;
            for row in &rows {
                *counts.entry(value.text(*row).to_owned()).or_default() += 1;
                let name = person.dictionary().text(made.persons[*row]);
                let own = name
                    .parse::<usize>()
                    .ok()
                    .and_then(|own| self.of_person.get_mut(own));
                own.ok_or_else(|| internal("a person without a number"))?
                    .push(at);
            }
            self.classes.push(PastClass {
                release,
                rows: rows.len() as u64,
                counts,
            });
        }
        Ok(())
    }
}
