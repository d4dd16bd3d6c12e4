//! What the order of rows gives away: releases that stand in the order of their input.
//!
//! **Definition.** Whoever knows the order of a table (by name, by admission) knows which row of a release in that order is whose. Of
//! each row with a protected value that onlooker is certain.
//! **Reading.** The ledger has the policy of every release, which says whether its rows were sorted. Of a file that is given and is not
//! sorted it is remarked that its order may give something away.

use std::path::Path;

use scrim::counted;
use scrim::release::audit::must_be_sorted;
use scrim::release::policy::{Policy, RowOrder};
use serde::Serialize;

use super::Door;
use super::attack_serial::SerialAnswer;
use super::load::LoadedPolicy;
use super::serial::release_of;
use crate::IoError;
use crate::ledger::Ledger;

/// What the order of rows gives away.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OrderAnswer {
    /// The releases whose rows stand in the order of their input.
    pub releases: Vec<u64>,
    /// The rows of one of them that have a protected value, at most.
    pub certain: u64,
}

/// The releases of a ledger whose policies ask for the order of the input.
pub(super) fn ordered_releases(ledger: &Ledger) -> Result<Vec<u64>, IoError> {
    let mut ordered = Vec::new();
    for record in ledger.overview()?.releases {
        let text = ledger.release(record.release)?.policy;
        let policy = Policy::parse("policy", &text);
        if policy.is_ok_and(|policy| policy.release.order == RowOrder::Input) {
            ordered.push(record.release);
        }
    }
    Ok(ordered)
}

/// What is remarked of a file whose rows are not sorted, although its policy does not ask for another order.
pub(super) fn unsorted(
    policy: &LoadedPolicy,
    ledger: &Ledger,
    file: &Path,
    ordered: &[u64],
    door: &mut dyn Door,
) -> Result<Option<String>, IoError> {
    let release = release_of(ledger, file)?;
    let Some(release) = release.filter(|release| !ordered.contains(release)) else {
        return Ok(None);
    };
    let table = policy.read_published(file, door)?;
    let spells_missing = file.extension().is_none_or(|end| end != "parquet");
    let sorted = must_be_sorted(&table.read.table, spells_missing);
    let remark = || {
        format!(
            "the rows of release {release} are not sorted: if they stand in the order of its input, whoever knows that order knows which row is whose"
        )
    };
    Ok(sorted.is_err().then(remark))
}

/// Adds what the order of these releases gives away.
pub(super) fn add_order(
    answer: &mut SerialAnswer,
    ledger: &Ledger,
    protects: &dyn Fn(&str) -> bool,
    releases: Vec<u64>,
) -> Result<(), IoError> {
    let mut certain = 0;
    for release in &releases {
        let classes = ledger.classes(*release, &answer.column)?;
        let counts = classes.iter().flat_map(|class| &class.counts);
        let protected = counts.filter(|(text, _)| protects(text));
        certain = protected.map(|(_, rows)| *rows).sum::<u64>().max(certain);
    }
    if certain > 0 {
        answer.holds = false;
        answer.max = 1.0;
        answer.max_exact = Some("1".to_owned());
        answer.above = answer.above.max(certain);
    }
    if !releases.is_empty() {
        answer.order = Some(OrderAnswer { releases, certain });
    }
    Ok(())
}

/// What is remarked about them.
pub(super) fn remark(order: &OrderAnswer) -> String {
    let numbers: Vec<String> = order.releases.iter().map(u64::to_string).collect();
    let (releases, stand, their) = match numbers.len() {
        1 => ("release", "stands", "its"),
        _ => ("releases", "stand", "their"),
    };
    format!(
        "{releases} {} {stand} in the order of {their} input: whoever knows that order knows which row is whose, and is certain of {} with a protected value",
        numbers.join(", "),
        counted(order.certain, "row")
    )
}
