//! Audit: does a table keep the policy's promise? No raw data is needed.

use std::path::Path;

use scrim::release::audit::{Audit, audit};
use scrim::table::Role;

use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::IoError;

/// Checks a published table.
pub fn audit_file(file: &Path, policy: &Path, door: &mut dyn Door) -> Result<Audit, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let table = policy.read_published(file, false, door)?;
    door.stage(Stage::Certify);
    let mut answer = audit(&policy.policy, &table.read.table, &table.name, None)?;
    let role = |name: &String| policy.policy.column(name).map(|column| column.role);
    for name in &table.read.header {
        match role(name) {
            Some(Role::Identifier) | Some(Role::Guard) | None => {
                answer.holds = false;
                answer
                    .remarks
                    .push(format!("the column `{name}` must not be published"));
            }
            Some(Role::Person) => answer.remarks.push(format!(
                "the column `{name}` links rows of one person and must not be published"
            )),
            Some(_) => {}
        }
    }
    Ok(answer)
}
