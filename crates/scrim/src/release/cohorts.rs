//! Cohorts of lasting values: bound to the present table, and left out of it where somebody is missing.
//!
//! **Reading.** A member who is missing tells what the others' count then shows: of {a, b, c} with one carrier, {b, c} with none
//! gives a away. So `rotating` keeps a cohort together, and leaves out what is left of it unless nobody is missing, or
//! at least l times as many as had the value: where these were together so far, each of them then has it with at most 1/l,
//! whatever the others have now. The rule looks at public history and at who is in the table, never at present values; it only
//! says who is left out. Whether the release keeps the promise is counted.

use std::collections::{BTreeMap, BTreeSet};

use super::budgets::{first_codes, unjudged};
use super::history::History;
use super::policy::{AlgorithmId, ModelSpec, Policy, Protected};
use super::series::Series;
use super::shield::Shield;
use crate::error::Error;
use crate::model::Cohorts;
use crate::share::Share;
use crate::table::{Code, Column};

/// The rule, as manifest and report have it.
pub const COHORT_RULE: &str = "what is left of a cohort is left out while some of those who were in its last class are missing, but fewer than l times as many as had a lasting value there; by public history and presence only";

/// What the promise rests on, in words.
pub fn assumptions(
    values: &Protected,
    lasting: &[String],
    group: bool,
) -> impl Iterator<Item = &'static str> {
    let transient = *values != Protected::Named(Vec::new());
    let transient = transient.then_some("`values` are taken as transient: whether a person has one in a release says nothing about the next; a value that stays belongs into `lasting`");
    let lasting = !lasting.is_empty();
    let stays = lasting.then_some("`lasting` values are taken to stay once a person has them, and all histories that fit the published counts as equally likely");
    let grouped = (lasting && group).then_some("a person who has one value of a `lasting` group is taken to have one of the group ever after, not necessarily the same");
    transient.into_iter().chain(stays).chain(grouped)
}

/// Whether the policy's search keeps cohorts together.
pub fn are_kept(policy: &Policy) -> bool {
    let lasts = policy.serial().is_some_and(
        |model| matches!(&model.spec, ModelSpec::Serial { lasting, .. } if !lasting.is_empty()),
    );
    lasts && policy.search.algorithm == AlgorithmId::Rotating
}

/// By code, who is left out of a table that has these persons.
pub(super) fn left_out(
    history: &History,
    shield: &Shield,
    l: Share,
    present: impl Iterator<Item = usize>,
) -> Result<Vec<bool>, Error> {
    let series = Series::new(history, shield).map_err(|what| unjudged(&what))?;
    let (cohort_of, cohorts) = series.cohorts();
    let mut is_present = vec![false; series.of_person.len()];
    for code in present {
        if let Some(present) = is_present.get_mut(code) {
            *present = true;
        }
    }
    // The last release of each cohort, and the classes that it then had.
    let mut last = vec![0; cohorts];
    for (classes, cohort) in series.of_person.iter().zip(&cohort_of) {
        if let (Some(class), Some(cohort)) = (classes.last(), cohort) {
            let last = &mut last[*cohort as usize];
            *last = series.release[*class as usize].max(*last);
        }
    }
    let mut missing = vec![0u64; cohorts];
    let mut classes_then: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); cohorts];
    for (code, (classes, cohort)) in series.of_person.iter().zip(&cohort_of).enumerate() {
        let (Some(class), Some(cohort)) = (classes.last(), cohort) else {
            continue;
        };
        let cohort = *cohort as usize;
        if series.release[*class as usize] == last[cohort] {
            classes_then[cohort].insert(*class);
            missing[cohort] += u64::from(!is_present[code]);
        }
    }
    let tells = |cohort: usize| {
        let mut carriers = series.linked.values().map(|linked| {
            let then = classes_then[cohort].iter();
            then.map(|class| linked[*class as usize]).sum::<u64>()
        });
        missing[cohort] > 0 && carriers.any(|carriers| is_fewer(missing[cohort], l, carriers))
    };
    let tells: Vec<bool> = (0..cohorts).map(tells).collect();
    Ok(cohort_of
        .iter()
        .map(|cohort| cohort.is_some_and(|cohort| tells[cohort as usize]))
        .collect())
}

/// Whether there are fewer missing than l times the carriers.
fn is_fewer(missing: u64, l: Share, carriers: u64) -> bool {
    let product = |left: u64, right: i128| num_bigint::BigInt::from(left) * right;
    product(missing, l.denominator()) < product(carriers, l.numerator())
}

/// The cohorts of a table's rows, by person and sensitive column.
pub(super) fn bind(
    history: &History,
    shield: &Shield,
    (person, column): (&Column, &Column),
) -> Result<Cohorts, String> {
    let mut series = Series::new(history, shield)?;
    let (cohort_of, cohorts) = series.cohorts();
    let codes = first_codes(column, shield);
    let mut has_row = vec![false; series.of_person.len()];
    let of_row = (0..person.codes().len()).map(|row| {
        let code = person.codes().get(row) as usize;
        let Some(has_row) = has_row.get_mut(code) else {
            return (Vec::new(), None);
        };
        *has_row = true;
        (series.of_person[code].clone(), cohort_of[code])
    });
    let of_row: Vec<(Vec<u32>, Option<u32>)> = of_row.collect();
    let mut absent = vec![Vec::new(); cohorts];
    for (code, cohort) in cohort_of.iter().enumerate() {
        if let Some(cohort) = cohort.filter(|_| !has_row[code]) {
            absent[cohort as usize].push(std::mem::take(&mut series.of_person[code]));
        }
    }
    let none = column.dictionary().len() as Code;
    let linked: BTreeMap<String, Vec<u64>> = series.linked;
    let linked = linked.into_iter().map(|(name, linked)| {
        let code = codes.get(name.as_str()).copied();
        (code.unwrap_or(none), linked)
    });
    Ok(Cohorts::new(of_row, absent, linked.collect()))
}
