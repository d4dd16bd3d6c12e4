//! The certifier: does a published table keep the policy's promise?
//!
//! It sees the written table as it was read back, and nothing of how it was made. It shares no code with the searches,
//! the frequency sets, the models that steer them, or the making of rows: classes are formed here from the published
//! texts, and each promise is checked here from its definition. That a release is what its plan makes of its source it
//! checks by recoding the source itself and comparing the two as multisets of rows.
//!
//! **Reading.** A label of stars only is suppression, however many stars. Rows whose quasi-identifiers are all
//! suppressed are a class like any other, unless their sensitive values are starred too: such rows tell nothing of what is
//! protected but that they exist, are counted as *withheld*, and no promise speaks of them but `personal`, to which stars mean any
//! value. Where no column is sensitive, no row is withheld. Suppressed rows whose insensitive values are starred too, or that have
//! none, then show nothing at all: no promise speaks of them beside other classes, but where they are the whole table they are its
//! one class. A table without quasi-identifiers has no suppressed rows.

mod breach;
mod categories;
mod classes;
mod combination;
mod disclosure;
mod expected;
mod fidelity;
mod parts;
mod promises;
mod serial;
mod totals;
mod wishes;

pub use breach::BreachReport;
pub use categories::CategoryReport;
pub use combination::{RareCombination, rare_combination};
pub use disclosure::DisclosureAudit;
pub use expected::{Expected, Paired, Recipe, RowSum, SortedRows, must_be_sorted};
pub use fidelity::{Source, certify_source, first_mismatch};
pub use parts::AuditInParts;
pub use serial::{LastingReport, SerialReport};
pub use totals::{ClassSizes, RowCounts};
pub use wishes::Wishes;

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::history::History;
use super::policy::{ModelPolicy, Policy};
use super::verdict::{ConcernReport, Verdict};
use crate::counted;
use crate::error::{Error, Place};
use crate::hierarchy::{Hierarchy, is_star};
use crate::table::{Column, Role, Table};
use classes::Classes;
use totals::Totals;

/// What was found about one promise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelReport {
    /// The model.
    pub model: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
    /// Whether all classes keep it.
    pub holds: bool,
    /// The worst that was found.
    pub observed: Value,
    /// More numbers, where the model has them.
    #[serde(flatten)]
    pub details: Map<String, Value>,
    /// A class that breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// The probabilities behind it, where it is about those.
    #[serde(skip)]
    pub breach: Option<BreachReport>,
    /// The probabilities over all releases, where it is about those.
    #[serde(skip)]
    pub serial: Option<SerialReport>,
}

impl ModelReport {
    /// Takes the values of the witness out.
    pub fn hide_values(&mut self) {
        let witnesses = self.witness.iter_mut();
        for value in witnesses.flat_map(|witness| witness.values.values_mut()) {
            *value = Value::Null;
        }
    }
}

/// A class, as published.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// Its number, by first row, from 1.
    pub class: u64,
    /// Of how many.
    pub of: u64,
    /// Its rows.
    pub rows: u64,
    /// The line of its first row in the file, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Its quasi-identifier values as published; null where nothing shows that the table was published.
    pub values: Map<String, Value>,
    /// What it has and should have.
    pub found: String,
    /// Where its first row stands in the file, from 0.
    #[serde(skip)]
    pub first: u64,
}

/// The answer of the certifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Whether every promise holds.
    pub holds: bool,
    /// What that means: also whether a table that keeps its promises gives cause for concern.
    pub verdict: Verdict,
    /// The concerns, as far as they were asked for and the table tells them.
    pub concerns: Vec<ConcernReport>,
    /// Rows.
    pub rows: RowCounts,
    /// Classes.
    pub classes: ClassSizes,
    /// Each promise.
    pub models: Vec<ModelReport>,
    /// The breach probabilities, where a promise is about them: of several promises those with the largest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breach: Option<BreachReport>,
    /// The probabilities over all releases, where a promise is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<SerialReport>,
    /// What somebody who knows the algorithm believes, where the policy has a chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<DisclosureAudit>,
    /// Columns of categories, where the policy publishes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategoryReport>,
    /// Columns of the table that the policy does not publish.
    pub forbidden: Vec<String>,
    /// What a reader should know.
    pub remarks: Vec<String>,
    /// Whether the table is a raw one: the policy's own, or one with a column that must not be published.
    #[serde(skip)]
    pub raw: bool,
    /// The squared class sizes, added up.
    #[serde(skip)]
    pub squares: u128,
}

impl Audit {
    /// The same with these concerns, and the verdict that follows from them.
    #[must_use]
    pub fn judged(mut self, concerns: Vec<ConcernReport>) -> Self {
        self.verdict = Verdict::of(self.holds, &concerns);
        self.concerns = concerns;
        self
    }

    /// Takes the values of witnesses out: those of a table that was not published may be a person's own.
    pub fn hide_values(&mut self) {
        self.models.iter_mut().for_each(ModelReport::hide_values);
    }

    /// Whether a promise is broken by a class that is named.
    #[must_use]
    pub fn has_witness(&self) -> bool {
        self.models.iter().any(|model| model.witness.is_some())
    }
}

/// A published table with all that the promises ask for.
pub(super) struct Published<'a> {
    pub(super) policy: &'a Policy,
    pub(super) table: &'a Table,
    pub(super) classes: Classes,
    /// The person of each row, where they are known.
    pub(super) persons: Option<&'a [u32]>,
    /// The hierarchies of sensitive columns, by name.
    pub(super) trees: &'a [(String, Arc<Hierarchy>)],
    /// What the rows were before, and their owners' wishes.
    pub(super) wishes: &'a [Wishes],
    /// What was published before about its persons, where it is known.
    pub(super) history: Option<&'a History>,
    /// The table's file, for messages.
    pub(super) file: &'a str,
}

/// What a table does not tell of itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The person of each row, where it is known.
    pub persons: Option<&'a [u32]>,
    /// The hierarchies of sensitive columns, by name, as far as a promise needs them.
    pub trees: &'a [(String, Arc<Hierarchy>)],
    /// The wishes of the rows, where a promise is about them.
    pub wishes: &'a [Wishes],
    /// What was published before about its persons, where a promise is about it; an empty one before the first release.
    pub history: Option<&'a History>,
    /// What it was made from, where the policy speaks of somebody who knows the algorithm and every quasi-identifier.
    pub source: Option<&'a Source<'a>>,
}

/// Checks a published table. `persons` gives the person of each row, where it is known: a release does not tell.
/// `trees` are the hierarchies of sensitive columns, by name, as far as a promise needs them.
pub fn audit(
    policy: &Policy,
    table: &Table,
    file: &str,
    persons: Option<&[u32]>,
    trees: &[(String, Arc<Hierarchy>)],
) -> Result<Audit, Error> {
    let known = Known {
        persons,
        trees,
        ..Known::default()
    };
    audit_with(policy, table, file, &known)
}

/// Checks a published table with all that is known beside it.
pub fn audit_with(
    policy: &Policy,
    table: &Table,
    file: &str,
    known: &Known<'_>,
) -> Result<Audit, Error> {
    policy.must_promise()?;
    let mut audit = check(policy, table, file, known, &policy.privacy, None)?;
    audit.categories = categories::check(policy, table, file)?;
    audit.holds &= audit.categories.iter().all(|column| column.holds);
    Ok(audit)
}

/// Counts rows and classes as an audit does, and judges no promise.
pub fn survey(policy: &Policy, table: &Table, file: &str) -> Result<Audit, Error> {
    check(policy, table, file, &Known::default(), &[], None)
}

fn check(
    policy: &Policy,
    table: &Table,
    file: &str,
    known: &Known<'_>,
    promises: &[ModelPolicy],
    whole: Option<Totals>,
) -> Result<Audit, Error> {
    if table.rows() == 0 {
        return Err(Error::data(Place::file(file), "there is no row to check"));
    }
    let classes = classes(policy, table, file)?;
    // Where the table is not all of it.
    let whole = whole.unwrap_or_else(|| Totals::of(table, &classes));
    let mut remarks = Vec::new();
    let own = policy
        .person()
        .and_then(|person| table.column(&person.name));
    let own: Option<Vec<u32>> = own.map(|column| {
        (0..table.rows())
            .map(|row| column.codes().get(row))
            .collect()
    });
    let persons = known.persons.or(own.as_deref());
    if persons.is_none() && policy.person().is_some() {
        remarks.push(
            "the table does not tell persons apart: every row is counted as a person".to_owned(),
        );
    }
    let published = Published {
        policy,
        table,
        classes,
        persons,
        trees: known.trees,
        wishes: known.wishes,
        history: known.history,
        file,
    };
    let models: Vec<ModelReport> = promises
        .iter()
        .map(|model| promises::check(&published, &model.spec))
        .collect::<Result<_, _>>()?;
    let breaches = models.iter().filter_map(|model| model.breach.as_ref());
    remarks.extend(breaches.filter_map(|breach| breach.spread_note.clone()));
    let counts = whole.rows;
    if counts.released > 0 && counts.suppressed == counts.released {
        remarks.push("no quasi-identifier of any row shows anything but stars".to_owned());
    }
    if counts.withheld > 0 {
        let spoken_of = if models.iter().any(|model| model.breach.is_some()) {
            "only `personal` speaks"
        } else {
            "no promise speaks"
        };
        let is = if counts.withheld == 1 { "is" } else { "are" };
        remarks.push(format!("{} {is} withheld: their quasi-identifiers and sensitive values are stars, and {spoken_of} of them", counted(counts.withheld, "row")));
    }
    let disclosure = match &policy.disclosure {
        Some(section) if !promises.is_empty() => {
            let source = known.source.ok_or_else(|| Error::Data {
                place: Place::file(file),
                what: "[disclosure] cannot be checked: a release does not tell everybody's quasi-identifiers".to_owned(),
                hint: Some("give the table that it was made from with --raw".to_owned()),
            })?;
            Some(disclosure::check(&published, section, source)?)
        }
        _ => None,
    };
    let holds = models.iter().all(|model| model.holds)
        && disclosure.as_ref().is_none_or(|found| found.holds);
    let breaches = models.iter().filter_map(|model| model.breach.as_ref());
    let breach = breaches.max_by(|left, right| left.max.total_cmp(&right.max));
    let breach = breach.cloned();
    let serial = models.iter().find_map(|model| model.serial.clone());
    Ok(Audit {
        holds,
        verdict: Verdict::of(holds, &[]),
        concerns: Vec::new(),
        rows: counts,
        classes: whole.sizes,
        models,
        breach,
        serial,
        disclosure,
        categories: Vec::new(),
        forbidden: Vec::new(),
        raw: false,
        remarks,
        squares: whole.squares,
    })
}

/// The classes of a published table.
fn classes(policy: &Policy, table: &Table, file: &str) -> Result<Classes, Error> {
    let quasi = find(policy, table, file, Role::Quasi)?;
    let sensitive = find(policy, table, file, Role::Sensitive)?;
    let told = told(policy, table, &sensitive);
    Ok(Classes::of(&quasi, &told, !sensitive.is_empty(), table))
}

/// The rows of each class of a published table, by first row; withheld rows are in none.
pub fn class_rows(policy: &Policy, table: &Table, file: &str) -> Result<Vec<Vec<u32>>, Error> {
    let classes = classes(policy, table, file)?;
    let mut rows = vec![Vec::new(); classes.count()];
    for (row, class) in (0..).zip(classes.class_of_row()) {
        rows[*class as usize].push(row);
    }
    let judged: Vec<usize> = classes.judged().collect();
    Ok(judged
        .into_iter()
        .map(|class| std::mem::take(&mut rows[class]))
        .collect())
}

/// The class of each row by its quasi-identifiers alone, also of withheld rows, and the first row of each class.
pub fn quasi_classes(
    policy: &Policy,
    table: &Table,
    file: &str,
) -> Result<(Vec<u32>, Vec<usize>), Error> {
    let quasi = find(policy, table, file, Role::Quasi)?;
    let of_row = Classes::of(&quasi, &[], false, table).by_quasi();
    let mut first_rows = Vec::new();
    for (row, class) in of_row.iter().enumerate() {
        if *class as usize == first_rows.len() {
            first_rows.push(row);
        }
    }
    Ok((of_row, first_rows))
}

/// The columns that tell something about a row whose quasi-identifiers are suppressed: the sensitive ones, or the
/// insensitive ones where none is sensitive.
fn told<'a>(policy: &Policy, table: &'a Table, sensitive: &[&'a Column]) -> Vec<&'a Column> {
    if !sensitive.is_empty() {
        return sensitive.to_vec();
    }
    let insensitive = policy.with_role(Role::Insensitive);
    insensitive
        .filter_map(|column| table.column(&column.name))
        .collect()
}

fn find<'a>(
    policy: &Policy,
    table: &'a Table,
    file: &str,
    role: Role,
) -> Result<Vec<&'a Column>, Error> {
    let find = |name: &str| {
        table.column(name).ok_or_else(|| Error::Data {
            place: Place::file(file),
            what: format!(
                "the table has no column `{name}`, which the policy calls {}",
                if role == Role::Quasi {
                    "a quasi-identifier"
                } else {
                    "sensitive"
                }
            ),
            hint: Some("is this the policy that the table was made with?".to_owned()),
        })
    };
    policy
        .with_role(role)
        .map(|column| find(&column.name))
        .collect()
}

impl Published<'_> {
    /// A class to show.
    pub(super) fn witness(&self, class: usize, found: String) -> Witness {
        let row = self.classes.first_row(class);
        let value = |name: &str| {
            self.table
                .column(name)
                .map_or(Value::Null, |column| json!(column.text(row)))
        };
        let values = self
            .policy
            .with_role(Role::Quasi)
            .map(|column| (column.name.clone(), value(&column.name)))
            .collect();
        Witness {
            class: class as u64 + 1,
            of: self.classes.count() as u64,
            rows: self.classes.size(class),
            line: None,
            values,
            found,
            first: self.table.first(row),
        }
    }
}

/// Whether a published text is suppressed.
fn is_suppressed(text: &str) -> bool {
    is_star(text)
}
