//! k-anonymity.
//!
//! **Definition.** Each sequence of quasi-identifier values appears with at least k occurrences ([Sweeney02],
//! Definition 2), counted by distinct persons where those are known.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::super::Published;
use super::super::classes::Classes;
use super::Finding;
use crate::release::policy::Unit;

pub(super) fn check(published: &Published<'_>, k: u64, unit: Unit) -> Finding {
    let persons = published.persons.filter(|_| unit == Unit::Person);
    let sizes = sizes_of(&published.classes, persons);
    let smallest = published.classes.judged().min_by_key(|class| sizes[*class]);
    let of = if persons.is_some() { "person" } else { "row" };
    let counted = |size: u64| format!("{size} {of}{}", if size == 1 { "" } else { "s" });
    Finding {
        observed: smallest.map_or(Value::Null, |class| sizes[class].into()),
        broken: smallest
            .filter(|class| sizes[*class] < k)
            .map(|class| (class, format!("{}, but k is {k}", counted(sizes[class])))),
        details: std::iter::once(("counted".to_owned(), Value::from(format!("{of}s")))).collect(),
        worst: smallest.into_iter().collect(),
        ..Finding::default()
    }
}

/// The rows of each class, or its persons where they are given by row.
pub(in crate::release::audit) fn sizes_of(classes: &Classes, persons: Option<&[u32]>) -> Vec<u64> {
    match persons {
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
