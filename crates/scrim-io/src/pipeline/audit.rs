//! Audit: does a table keep the policy's promise? No raw data is needed.

use std::path::Path;

use scrim::release::audit::{Audit, audit};

use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::IoError;

/// Checks a published table.
pub fn audit_file(file: &Path, policy: &Path, door: &mut dyn Door) -> Result<Audit, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let table = policy.read_published(file, false, door)?;
    door.stage(Stage::Certify);
    let mut answer = audit(
        &policy.policy,
        &table.read.table,
        &table.name,
        None,
        &policy.sensitive_trees(&table)?,
    )?;
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
