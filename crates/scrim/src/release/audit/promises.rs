//! Each promise, checked from its definition.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::{ModelReport, Published};
use crate::error::Error;
use crate::release::policy::{ModelSpec, Unit};

pub(super) fn check(published: &Published<'_>, spec: &ModelSpec) -> Result<ModelReport, Error> {
    match spec {
        ModelSpec::KAnonymity { k, unit } => Ok(k_anonymity(published, spec, *k, *unit)),
        other => Err(Error::Internal(format!(
            "`{}` cannot be certified yet",
            other.name()
        ))),
    }
}

/// Each sequence of quasi-identifier values appears with at least k occurrences ([Sweeney02], Definition 2), counted
/// by distinct persons where those are known.
fn k_anonymity(published: &Published<'_>, spec: &ModelSpec, k: u64, unit: Unit) -> ModelReport {
    let sizes = sizes(published, unit);
    let smallest = published.classes.judged().min_by_key(|class| sizes[*class]);
    let observed = smallest.map(|class| sizes[class]);
    let holds = observed.is_none_or(|size| size >= k);
    let of = if unit == Unit::Person && published.persons.is_some() {
        "persons"
    } else {
        "rows"
    };
    let witness = smallest
        .filter(|_| !holds)
        .map(|class| published.witness(class, format!("{} {of}, but k is {k}", sizes[class])));
    ModelReport {
        model: spec.name().to_owned(),
        parameters: spec.parameters(),
        holds,
        observed: observed.map_or(Value::Null, Value::from),
        details: Map::new(),
        witness,
    }
}

fn sizes(published: &Published<'_>, unit: Unit) -> Vec<u64> {
    let classes = &published.classes;
    match published.persons.filter(|_| unit == Unit::Person) {
        None => (0..classes.count())
            .map(|class| classes.size(class))
            .collect(),
        Some(persons) => {
            let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
            let mut sizes = vec![0; classes.count()];
            for (class, person) in classes.class_of_row().iter().zip(persons) {
                sizes[*class as usize] += u64::from(seen.insert((*class, *person)));
            }
            sizes
        }
    }
}
