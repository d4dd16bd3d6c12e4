//! Brings the promise `serial` together with table and history: who is protected from what, who has how much left, and who
//! is retired.
//!
//! **Reading.** A name in `values` is a taxon of the column's tree, meaning all leaves below, or a value. A person is retired by
//! public history only: whatever they have now.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::history::History;
use super::policy::{HierarchyPolicy, ModelPolicy, ModelSpec, Policy, Protected, nearest};
use super::trees::Rows;
use crate::error::{Error, Place};
use crate::hierarchy::Hierarchy;
use crate::model::{Budgets, Exact, Pace, Past, Serial, Unlinked};
use crate::table::{Code, Column, Table};

/// Which texts of a sensitive column are protected.
#[derive(Clone, Debug)]
pub enum Shield {
    /// Every one.
    All,
    /// These.
    Texts(FxHashSet<String>),
}

impl Shield {
    /// The values and taxa of a policy, over the column's tree where it has one. Names that are no taxa are values.
    pub fn new(values: &Protected, tree: Option<&Hierarchy>) -> Self {
        let Protected::Named(names) = values else {
            return Self::All;
        };
        let mut texts: FxHashSet<String> = names.iter().cloned().collect();
        if let Some(tree) = tree {
            for name in names {
                let taxa: Vec<_> = tree.labelled(name).collect();
                let leaves = tree.taxa().filter(|leaf| {
                    tree.leaves_below(*leaf) == 1
                        && taxa.iter().any(|taxon| tree.covers(*taxon, *leaf))
                });
                texts.extend(leaves.map(|leaf| tree.label(leaf).to_owned()));
            }
        }
        Self::Texts(texts)
    }

    /// Whether a text is protected.
    pub fn covers(&self, text: &str) -> bool {
        match self {
            Self::All => true,
            Self::Texts(texts) => texts.contains(text),
        }
    }
}

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
        let mut codes: FxHashMap<&str, Code> = column.dictionary().texts().zip(0..).collect();
        let mut linked = Vec::with_capacity(history.classes.len());
        for class in &history.classes {
            let protected = class.counts.iter();
            let protected = protected.filter(|(text, rows)| **rows > 0 && shield.covers(text));
            let mut of_class: Vec<(Code, u64)> = Vec::new();
            for (text, rows) in protected {
                let next = codes.len() as Code;
                of_class.push((*codes.entry(text.as_str()).or_insert(next), *rows));
            }
            linked.push(of_class);
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
        let classes = self.history.of_person.get(person as usize);
        for class in classes.into_iter().flatten() {
            let Some(linked) = self.linked.get(*class as usize) else {
                continue;
            };
            let rows = self.history.classes[*class as usize].rows;
            for (value, count) in linked {
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

/// The rows of a table that a release may contain.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The rows that stay, ascending.
    pub rows: Vec<u32>,
    /// The table of these rows. Codes of the person column are those of the whole table, so that a history fits both.
    pub table: Table,
    /// How many persons are left out.
    pub retired: u64,
}

/// Leaves out the persons that the policy's `serial` retires; nothing where there is none to leave out.
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
        schedule,
        horizon,
        retire,
    } = &model.spec
    else {
        return Ok(None);
    };
    if retire.after.is_none() && retire.below.is_none() {
        return Ok(None);
    }
    let person = read(table, &person.name)?;
    let column = read(table, of)?;
    let pace = Pace::new(*l, *schedule, *horizon).map_err(Error::Internal)?;
    let mut pasts = Pasts::new(history, column, &Shield::new(values, tree));
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
    let rows: Vec<u32> = (0..table.rows() as u32)
        .filter(|row| !retired[person.codes().get(*row as usize) as usize])
        .collect();
    if rows.len() == table.rows() {
        return Ok(None);
    }
    let counts = person.counts();
    let gone = retired.iter().zip(&counts);
    Ok(Some(Remaining {
        retired: gone
            .filter(|(retired, rows)| **retired && **rows > 0)
            .count() as u64,
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
    one_row_each(person, rows, &SERIAL_ROWS)?;
    must_be_known(policy, model, column, tree, values, history)?;
    let shield = Shield::new(values, tree.map(Arc::as_ref));
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
    let budgets = Budgets::new(&pace, &pasts.unlinked, dictionary.len(), of_row.into_iter());
    let protected: Vec<bool> = dictionary.texts().map(|text| shield.covers(text)).collect();
    remarks.push(format!(
        "release {}: {known} of {} persons were in earlier ones; schedule {}{}",
        history.releases + 1,
        table.rows(),
        schedule.name(),
        horizon.map_or_else(String::new, |horizon| format!(", horizon {horizon}"))
    ));
    remarks.extend(retire.words());
    Ok(Serial::new(
        of,
        (*l, pace),
        protected,
        budgets,
        column.codes(),
        &|row| history.row_of(person.codes().get(row)),
    ))
}

/// Why every row needs a person of its own.
struct WhyOne {
    /// Where a row has none.
    missing: &'static str,
    /// Where a person has two.
    repeated: &'static str,
}

const SERIAL_ROWS: WhyOne = WhyOne {
    missing: "`serial` follows persons from release to release: every row needs one",
    repeated: "`serial` counts one appearance a person and release: keep one row of each person",
};

const LEDGER_ROWS: WhyOne = WhyOne {
    missing: "the ledger records in which class each person is: give every row one, or leave [ledger] out of the policy",
    repeated: "the ledger records one class a person and release: keep one row of each person, or leave [ledger] out of the policy",
};

/// Refuses a table whose persons the policy's ledger could not record: each row must be a person of its own.
pub fn must_be_recordable(policy: &Policy, table: &Table, rows: &Rows<'_>) -> Result<(), Error> {
    let person = policy
        .person()
        .ok_or_else(|| Error::Internal("a ledger without a person column".to_owned()))?;
    one_row_each(read(table, &person.name)?, rows, &LEDGER_ROWS)
}

/// Each row is a person of its own.
fn one_row_each(person: &Column, rows: &Rows<'_>, why: &WhyOne) -> Result<(), Error> {
    let mut seen = vec![false; person.dictionary().len()];
    for row in 0..person.codes().len() {
        let code = person.codes().get(row);
        let fault = |what: String, hint: &str| Error::Data {
            place: Place::line(rows.file, (rows.line)(row)),
            what,
            hint: Some(hint.to_owned()),
        };
        if person.dictionary().missing() == Some(code) {
            return Err(fault(
                format!("the row has no person in `{}`", person.name()),
                why.missing,
            ));
        }
        if std::mem::replace(&mut seen[code as usize], true) {
            return Err(fault(
                format!("the person in `{}` has a row above already", person.name()),
                why.repeated,
            ));
        }
    }
    Ok(())
}

/// A protected value that nothing knows is a slip of the pen, in later releases too: it would protect nobody. What was promised
/// before is known.
fn must_be_known(
    policy: &Policy,
    model: &ModelPolicy,
    column: &Column,
    tree: Option<&Arc<Hierarchy>>,
    values: &Protected,
    history: &History,
) -> Result<(), Error> {
    let Protected::Named(names) = values else {
        return Ok(());
    };
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
                "`values` has `{name}`, which is neither a value of `{of}` nor a taxon of its hierarchy"
            ),
            hint: Some(near.unwrap_or_else(|| other.to_owned())),
        });
    }
    Ok(())
}
