//! Risk: reads a table, raw or released, and the population where there is one.

use std::path::{Path, PathBuf};

use scrim::adversary::{Covering, Population, QuasiIdentifierRisk, Risk, Tuples, covered, risk};
use scrim::hierarchy::is_star;
use scrim::release::policy::ModelSpec;
use scrim::table::{Column, Role};
use scrim::{Error, Place, Share, counted, verb};

use super::linked::{Linking, find};
use super::load::{LoadedPolicy, LoadedTable, Needed};
use super::{Door, Stage};
use crate::IoError;

/// What is known of the population.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PopulationSource {
    /// Nothing.
    Unknown,
    /// The share of it that is in the table.
    Fraction(Share),
    /// A table of all its persons.
    File(PathBuf),
}

/// How exposed the persons of a table are.
pub fn measure_risk(
    file: &Path,
    policy: &Path,
    population: &PopulationSource,
    threshold: Share,
    door: &mut dyn Door,
) -> Result<Risk, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    let names: Vec<&str> = policy
        .policy
        .with_role(Role::Quasi)
        .map(|column| column.name.as_str())
        .collect();
    if names.is_empty() {
        return Err(Error::Policy {
            place: Place::file(&policy.policy.file),
            what: "no column has the role `quasi`".to_owned(),
            hint: Some("name the columns by which an outsider could recognise a person".to_owned()),
        }
        .into());
    }
    door.stage(Stage::Read);
    let table = policy.read_external(file, Needed::All, door)?;
    let rows = table.read.table.rows();
    if rows == 0 {
        let what = "there is no row to look at";
        return Err(Error::data(Place::file(&table.name), what).into());
    }
    let columns: Vec<&Column> = names
        .iter()
        .map(|name| find(&table.read.table, name))
        .collect::<Result<_, _>>()?;
    let persons = table.persons(&policy.policy);
    let unit = if persons.is_some() { "persons" } else { "rows" };
    let mut remarks = person_remarks(&policy, &table);
    let tuples = Tuples::new(&columns, rows, persons.as_deref());
    remarks.extend(suppressed_remark(&columns, &tuples));
    let counts = match population {
        PopulationSource::File(path) => {
            let other = policy.read_external(path, Needed::All, door)?;
            door.stage(Stage::Link);
            let counted = count(&policy, &table, &tuples, &other, door)?;
            remarks.extend(population_remarks(&tuples, &counted, unit, &other.name));
            Some(counted)
        }
        _ => None,
    };
    door.stage(Stage::Count);
    let known = match (&counts, population) {
        (Some((covered, persons)), _) => Population::Counted {
            covered,
            persons: *persons,
        },
        (None, PopulationSource::Fraction(fraction)) => Population::Fraction(*fraction),
        (None, _) => Population::Unknown,
    };
    let mut answer = risk(&names, &tuples, persons.is_some(), known, threshold);
    answer.remarks.splice(0..0, remarks);
    for (names, k) in column_promises(&policy) {
        let columns = names.iter().map(|name| find(&table.read.table, name));
        let columns: Vec<&Column> = columns.collect::<Result<_, _>>()?;
        let tuples = Tuples::new(&columns, rows, persons.as_deref());
        let own = QuasiIdentifierRisk::new(names, k, &tuples, threshold);
        answer.quasi_identifiers.push(own);
    }
    Ok(answer)
}

/// The quasi-identifiers that promises name, with their k.
fn column_promises(policy: &LoadedPolicy) -> impl Iterator<Item = (&[String], u64)> {
    let promises = policy.policy.column_promises();
    promises.filter_map(|model| match &model.spec {
        ModelSpec::KAnonymity {
            k,
            columns: Some(columns),
            ..
        } => Some((columns.as_slice(), *k)),
        _ => None,
    })
}

/// By class: the persons of the population whom it covers; and all of them.
fn count(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    tuples: &Tuples,
    population: &LoadedTable,
    door: &mut dyn Door,
) -> Result<(Vec<u64>, u64), IoError> {
    let (own, other) = (&table.read.table, &population.read.table);
    let linking = Linking::new(policy, own, other)?;
    let linked = linking.columns(own, other)?;
    let columns: Vec<&Column> = linked.iter().map(|column| column.external).collect();
    let persons = population.persons(&policy.policy);
    let external = Tuples::new(&columns, other.rows(), persons.as_deref());
    let covering = Covering::new(&linked, tuples.first_rows());
    let covered = covered(&covering, &external, tuples.len(), &mut |done, all| {
        door.counted(done, all, "look-ups")
    })?;
    Ok((covered, external.subjects()))
}

/// Rows whose quasi-identifiers are all stars.
fn suppressed_remark(columns: &[&Column], tuples: &Tuples) -> Option<String> {
    let is_suppressed = |row: &usize| columns.iter().all(|column| is_star(column.text(*row)));
    let class = tuples.first_rows().iter().position(is_suppressed)?;
    let own = tuples.of_row().iter();
    let rows = own.filter(|tuple| **tuple as usize == class).count();
    Some(format!(
        "{} suppressed: quasi-identifiers that are all stars are a class like any other",
        counted(rows, "row")
    ))
}

fn person_remarks(policy: &LoadedPolicy, table: &LoadedTable) -> Vec<String> {
    let Some(person) = policy.policy.person() else {
        return Vec::new();
    };
    match table.read.table.column(&person.name) {
        None => vec![format!(
            "the table does not tell persons (`{}`): rows are counted",
            person.name
        )],
        Some(column) if column.missing_rows() > 0 => vec![format!(
            "{} {} no value in `{}`: {} as one person",
            counted(column.missing_rows(), "row"),
            verb(column.missing_rows(), "has", "have"),
            person.name,
            verb(column.missing_rows(), "it counts", "they count")
        )],
        Some(_) => Vec::new(),
    }
}

fn population_remarks(
    tuples: &Tuples,
    (covered, _): &(Vec<u64>, u64),
    counted: &str,
    name: &str,
) -> Option<String> {
    let pairs = tuples.sizes().iter().zip(covered);
    let lacking = pairs.filter(|(own, covered)| covered < own).count();
    (lacking > 0).then(|| {
        format!(
            "in {lacking} of {} {name} has fewer persons than the table has {counted}: it lacks somebody, or persons have several rows; there the {counted} of the class count",
            scrim::counted(tuples.len(), "class")
        )
    })
}
