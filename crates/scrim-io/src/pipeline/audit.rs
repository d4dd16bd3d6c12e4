//! Audit: does a table keep the policy's promise? No raw data is needed, unless the promise is about wishes.

use std::path::Path;

use scrim::release::audit::{Audit, Known, audit_with};

use super::aligned::{Aligned, wishes_source};
use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::IoError;

/// Checks a published table. `raw` is the table that it was made from, row by row: for wishes, and for who is who.
pub fn audit_file(
    file: &Path,
    policy: &Path,
    raw: Option<&Path>,
    door: &mut dyn Door,
) -> Result<Audit, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let mut remarks = Vec::new();
    let raw = wishes_source(&policy, raw, file, &mut remarks)?;
    let table = policy.read_published(file, false, door)?;
    let aligned = match raw {
        Some(raw) => Some(Aligned::read(&policy, &table, &raw, door)?),
        None => None,
    };
    door.stage(Stage::Certify);
    let known = Known {
        persons: aligned
            .as_ref()
            .and_then(|aligned| aligned.persons.as_deref()),
        trees: &policy.sensitive_trees(&table)?,
        wishes: aligned.as_ref().map_or(&[], |aligned| &aligned.wishes),
    };
    let mut answer = audit_with(&policy.policy, &table.read.table, &table.name, &known)?;
    answer.remarks.extend(remarks);
    for wishes in known.wishes {
        let guarded = wishes.guards.iter().flatten().count();
        let all = wishes.guards.len();
        answer.remarks.push(format!(
            "wishes about `{}`: {guarded} of {all} rows have one",
            wishes.of
        ));
    }
    let published = |name: &String| {
        policy
            .policy
            .column(name)
            .is_some_and(|column| column.role.is_published())
    };
    answer.forbidden = table
        .read
        .header
        .iter()
        .filter(|name| !published(name))
        .cloned()
        .collect();
    answer.holds &= answer.forbidden.is_empty();
    Ok(answer)
}
