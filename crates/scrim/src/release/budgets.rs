//! Brings the promise `serial` together with table and history: who is protected from what, who has how much left, and who
//! is retired.
//!
//! **Reading.** A name in `values` is a taxon of the column's tree, meaning all leaves below, or a value. A person is retired by
//! public history only: whatever they have now.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cohorts;
use super::history::History;
use super::policy::{HierarchyPolicy, ModelPolicy, ModelSpec, Policy, Protected, nearest};
use super::shield::Shield;
use super::trees::Rows;
use crate::error::{Error, Place};
use crate::hierarchy::Hierarchy;
use crate::model::{Budgets, Exact, Pace, Past, Serial, Unlinked};
use crate::table::{Code, Codes, Column, Table};

/// The pasts of persons, in terms of a sensitive column's codes.
pub(super) struct Pasts<'a> {
    history: &'a History,
    /// Protected values of each past class with their rows.
    linked: Vec<Vec<(Code, u64)>>,
    pub(super) unlinked: Unlinked,
}

impl<'a> Pasts<'a> {
    /// Values that the column does not have get codes after its last.
    pub(super) fn new(history: &'a History, column: &Column, shield: &Shield) -> Self {
        let mut codes = first_codes(column, shield);
        let (mut next, mut linked) = (column.dictionary().len() as Code, Vec::new());
        for class in &history.classes {
            let mut of_class: BTreeMap<Code, u64> = BTreeMap::new();
            for (text, rows) in class.counts.iter().filter(|(_, rows)| **rows > 0) {
                let Some(name) = shield.transient(text) else {
                    continue;
                };
                let code = *codes.entry(name).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
                *of_class.entry(code).or_default() += rows;
            }
            linked.push(of_class.into_iter().collect());
        }
        Self {
            history,
            linked,
            unlinked: Unlinked::default(),
        }
    }

    /// The past of a person.
    pub(super) fn of(&mut self, person: u32) -> Past {
        let mut used: BTreeMap<Code, u32> = BTreeMap::new();
        let history = self.history;
        for (class, rows) in history.drawn(person) {
            for (value, count) in &self.linked[class as usize] {
                let state = used.entry(*value).or_insert(Unlinked::NEVER);
                *state = self.unlinked.after(*state, *count, rows);
            }
        }
        Past {
            appearances: self.history.appearances(person).into(),
            used: used.into_iter().collect(),
        }
    }
}

/// The code that each protected value, or group of them, is counted under: the first of the column that it has.
pub(super) fn first_codes<'a>(column: &'a Column, shield: &'a Shield) -> FxHashMap<&'a str, Code> {
    let mut codes = FxHashMap::default();
    for (text, code) in column.dictionary().texts().zip(0..) {
        if let Some(name) = shield.transient(text).or(shield.lasting(text)) {
            codes.entry(name).or_insert(code);
        }
    }
    codes
}

/// The code that each of the column's codes is counted under; nothing where each stands for itself.
fn counted_as(column: &Column, shield: &Shield) -> Option<Vec<Code>> {
    let first = first_codes(column, shield);
    let texts = column.dictionary().texts().zip(0..);
    let counted: Vec<Code> = texts
        .map(|(text, code)| {
            let name = shield.transient(text).or(shield.lasting(text));
            name.map_or(code, |name| first[name])
        })
        .collect();
    let own = counted.iter().copied().eq(0..counted.len() as Code);
    (!own).then_some(counted)
}

/// The rows of a table that a release may contain.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The rows that stay, ascending.
    pub rows: Vec<u32>,
    /// The table of these rows. Codes of the person column are those of the whole table, so that a history fits both.
    pub table: Table,
    /// How many persons are left out by the rule of retirement.
    pub retired: u64,
    /// How many persons are left out because of who is missing beside them.
    pub incomplete: u64,
}

/// Leaves out the persons that the policy's `serial` retires, and cohorts of which too few are missing; nothing where there is
/// none to leave out.
pub fn retire(
    policy: &Policy,
    table: &Table,
    history: &History,
    tree: Option<&Hierarchy>,
) -> Result<Option<Remaining>, Error> {
    let Some((model, person)) = policy.serial().zip(policy.person()) else {
        return Ok(None);
    };
    let ModelSpec::Serial {
        of,
        l,
        values,
        lasting,
        group,
        schedule,
        horizon,
        retire,
    } = &model.spec
    else {
        return Ok(None);
    };
    let keeps_cohorts = cohorts::are_kept(policy);
    if retire.after.is_none() && retire.below.is_none() && !keeps_cohorts {
        return Ok(None);
    }
    let person = read(table, &person.name)?;
    let column = read(table, of)?;
    let pace = Pace::new(*l, *schedule, *horizon).map_err(Error::Internal)?;
    let shield = Shield::new(values, lasting, *group, tree);
    let mut pasts = Pasts::new(history, column, &shield);
    let below = retire
        .below
        .map(|below| Exact::new(below.numerator().into(), below.denominator().into()));
    let is_retired = |code: u32| {
        let past = pasts.of(code);
        let often = retire.after.is_some_and(|after| past.appearances >= after);
        let mut rooms = past
            .used
            .iter()
            .map(|(_, state)| pace.room(pasts.unlinked.exact(*state)));
        often
            || below
                .as_ref()
                .is_some_and(|below| rooms.any(|room| room < *below))
    };
    let retired: Vec<bool> = (0..person.dictionary().len() as u32)
        .map(is_retired)
        .collect();
    let code = |row: u32| person.codes().get(row as usize) as usize;
    let mut rows: Vec<u32> = (0..table.rows() as u32)
        .filter(|row| !retired[code(*row)])
        .collect();
    let present = rows.len();
    if keeps_cohorts {
        let out = cohorts::left_out(history, &shield, *l, rows.iter().map(|row| code(*row)))?;
        rows.retain(|row| !out.get(code(*row)).is_some_and(|out| *out));
    }
    if rows.len() == table.rows() {
        return Ok(None);
    }
    let counts = person.counts();
    let gone = retired.iter().zip(&counts);
    Ok(Some(Remaining {
        retired: gone
            .filter(|(retired, rows)| **retired && **rows > 0)
            .count() as u64,
        incomplete: (present - rows.len()) as u64,
        table: table.only(&rows, person.name()),
        rows,
    }))
}

fn read<'t>(table: &'t Table, name: &str) -> Result<&'t Column, Error> {
    table
        .column(name)
        .ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))
}

/// The model of a `serial` promise.
pub(super) fn serial(
    policy: &Policy,
    model: &ModelPolicy,
    table: &Table,
    tree: Option<&Arc<Hierarchy>>,
    rows: &Rows<'_>,
    history: &History,
    remarks: &mut Vec<String>,
) -> Result<Serial, Error> {
    let ModelSpec::Serial {
        of,
        l,
        values,
        lasting,
        group,
        schedule,
        horizon,
        retire,
    } = &model.spec
    else {
        return Err(Error::Internal("not a `serial` promise".to_owned()));
    };
    let person = policy
        .person()
        .ok_or_else(|| Error::Internal("`serial` without a person column".to_owned()))?;
    let person = read(table, &person.name)?;
    let column = read(table, of)?;
    one_row_each(person, rows)?;
    let names: &[String] = match values {
        Protected::All => &[],
        Protected::Named(names) => names,
    };
    must_be_known(policy, model, column, tree, ("values", names), history)?;
    must_be_known(policy, model, column, tree, ("lasting", lasting), history)?;
    let shield = Shield::new(values, lasting, *group, tree.map(Arc::as_ref));
    must_not_contradict(model, &shield)?;
    let pace = Pace::new(*l, *schedule, *horizon).map_err(|what| Error::Policy {
        place: model.place.clone(),
        what,
        hint: None,
    })?;
    let mut pasts = Pasts::new(history, column, &shield);
    let of_row: Vec<Past> = (0..table.rows())
        .map(|row| pasts.of(person.codes().get(row)))
        .collect();
    let known = of_row.iter().filter(|past| past.appearances > 0).count();
    let dictionary = column.dictionary();
    let lasts: Vec<bool> = dictionary
        .texts()
        .map(|text| shield.lasting(text).is_some())
        .collect();
    let budgets = Budgets::new(&pace, &pasts.unlinked, lasts, of_row.into_iter());
    let protected: Vec<bool> = dictionary.texts().map(|text| shield.covers(text)).collect();
    let counted = counted_as(column, &shield).map(|counted| {
        let codes = (0..table.rows()).map(|row| counted[column.codes().get(row) as usize]);
        Arc::new(Codes::collect(dictionary.len(), codes))
    });
    let kept = if lasting.is_empty() {
        None
    } else {
        let kept =
            cohorts::bind(history, &shield, (person, column)).map_err(|what| unjudged(&what))?;
        Some(Arc::new(kept))
    };
    remarks.push(format!(
        "release {}: {known} of {} {} in earlier ones; schedule {}{}",
        history.releases + 1,
        crate::counted(table.rows(), "person"),
        crate::verb(known, "was", "were"),
        schedule.name(),
        horizon.map_or_else(String::new, |horizon| format!(", horizon {horizon}"))
    ));
    let repeated = (0..table.rows()).filter(|row| history.is_repeated(person.codes().get(*row)));
    let repeated = repeated.count();
    if repeated > 0 {
        remarks.push(format!(
            "{repeated} of these persons had several rows in one earlier release: each row counts, and is taken to say nothing about the person's others"
        ));
    }
    remarks.extend(retire.words());
    let serial = Serial::new(
        of,
        (*l, pace),
        protected,
        budgets,
        counted.as_deref().unwrap_or(column.codes()),
        &|row| history.row_of(person.codes().get(row)),
    );
    Ok(serial.counted(counted).keeping(kept))
}

/// What cannot be told of lasting values is refused.
pub(super) fn unjudged(what: &str) -> Error {
    Error::Infeasible {
        what: format!("lasting values cannot be judged: {what}"),
        hint: Some("start a new ledger; earlier releases of the same persons are then not counted, which the report does not know".to_owned()),
    }
}

/// A value is transient or it lasts, also where both are said of taxa.
fn must_not_contradict(model: &ModelPolicy, shield: &Shield) -> Result<(), Error> {
    if shield.contradiction().is_none() {
        return Ok(());
    }
    Err(Error::Policy {
        place: model.place.clone(),
        what: "a value lies below a name in `values` and below one in `lasting`".to_owned(),
        hint: Some("a value is had anew in each release, or it stays: name it, or a taxon above it, in one of them".to_owned()),
    })
}

/// Refuses a table with a row that the policy's ledger could not record: each needs a person.
pub fn must_be_recordable(policy: &Policy, table: &Table, rows: &Rows<'_>) -> Result<(), Error> {
    let person = policy
        .person()
        .ok_or_else(|| Error::Internal("a ledger without a person column".to_owned()))?;
    let why = "the ledger records in which class each person is: give every row one, or leave [ledger] out of the policy";
    has_persons(read(table, &person.name)?, rows, why)
}

/// Each row has a person.
fn has_persons(person: &Column, rows: &Rows<'_>, why: &str) -> Result<(), Error> {
    let Some(missing) = person.dictionary().missing() else {
        return Ok(());
    };
    let mut all = 0..person.codes().len();
    all.find(|row| person.codes().get(*row) == missing)
        .map_or(Ok(()), |row| {
            let what = format!("the row has no person in `{}`", person.name());
            Err(at_row(rows, row, what, why))
        })
}

/// Each row is a person of its own.
fn one_row_each(person: &Column, rows: &Rows<'_>) -> Result<(), Error> {
    let why = "`serial` follows persons from release to release: every row needs one";
    has_persons(person, rows, why)?;
    let repeated = |all: &[usize]| {
        let mut seen = vec![false; person.dictionary().len()];
        let mut is_seen =
            |row: usize| std::mem::replace(&mut seen[person.codes().get(row) as usize], true);
        all.iter().copied().find(|row| is_seen(*row))
    };
    let mut all: Vec<usize> = (0..person.codes().len()).collect();
    if repeated(&all).is_some() {
        // Rows need not stand in the order of their file; the later of two lines is named.
        all.sort_by_key(|row| (rows.line)(*row));
    }
    repeated(&all).map_or(Ok(()), |row| {
        let what = format!("the person in `{}` has a row above already", person.name());
        let why =
            "`serial` counts one appearance a person and release: keep one row of each person";
        Err(at_row(rows, row, what, why))
    })
}

fn at_row(rows: &Rows<'_>, row: usize, what: String, hint: &str) -> Error {
    Error::Data {
        place: Place::line(rows.file, (rows.line)(row)),
        what,
        hint: Some(hint.to_owned()),
    }
}

/// A protected value that nothing knows is a slip of the pen, in later releases too: it would protect nobody. What was promised
/// before is known.
fn must_be_known(
    policy: &Policy,
    model: &ModelPolicy,
    column: &Column,
    tree: Option<&Arc<Hierarchy>>,
    (key, names): (&str, &[String]),
    history: &History,
) -> Result<(), Error> {
    let of = column.name();
    for name in names {
        let in_table = column.dictionary().texts().any(|text| text == name);
        let in_tree = tree.is_some_and(|tree| tree.labelled(name).next().is_some());
        let in_history = history.promised.contains(name)
            || history
                .classes
                .iter()
                .any(|class| class.counts.contains_key(name));
        let written = policy.column(of).and_then(|of| of.hierarchy.as_ref());
        // A tree that is made from the data knows no more than they do.
        let public = matches!(written, Some(HierarchyPolicy::File { .. }));
        if in_table || in_tree || in_history {
            continue;
        }
        let labels: Vec<&str> = tree
            .filter(|_| public)
            .map(|tree| tree.taxa().map(|taxon| tree.label(taxon)).collect())
            .unwrap_or_default();
        let near = nearest(name, &labels).map(|near| format!("did you mean `{near}`?"));
        let other = if tree.is_some() {
            "a protected value is a value of the column, or a taxon of its hierarchy"
        } else {
            "a value that no row has yet must stand in a hierarchy of the column"
        };
        return Err(Error::Policy {
            place: model.place.clone(),
            what: format!(
                "`{key}` has `{name}`, which is neither a value of `{of}` nor a taxon of its hierarchy"
            ),
            hint: Some(near.unwrap_or_else(|| other.to_owned())),
        });
    }
    Ok(())
}
