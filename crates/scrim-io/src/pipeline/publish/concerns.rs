//! What gives cause for concern in a release that keeps its promises.

use scrim::release::Policy;
use scrim::release::figures::Figures;
use scrim::release::report::Publication;
use scrim::release::verdict::{ConcernReport, Facts, RepeatingKey, better_algorithm};
use scrim::table::Role;

use super::Work;
use crate::pipeline::Door;
use crate::pipeline::load::{LoadedPolicy, LoadedTable};
use crate::{IoError, Keep, ReadOptions, read_table};

/// Larger files are not read a second time for the columns that are left out.
const MOST_BYTES: u64 = 32 << 20;

impl Work<'_> {
    /// The concerns about a release with these figures.
    pub(super) fn concerns(
        &self,
        publication: &Publication,
        figures: &Figures,
    ) -> Vec<ConcernReport> {
        let policy = &self.policy.policy;
        let mut facts = Facts::of_publication(policy, publication, figures);
        facts.key = self.key.cloned();
        facts.better = better_algorithm(policy, self.prepared, |algorithm| {
            Policy::parse_with(&policy.file, &self.policy.text, algorithm).is_ok()
        });
        facts.concerns()
    }
}

/// A column that is left out and looks like a person's key, where the policy knows no persons and the file is not too large to be read
/// again for it.
pub(super) fn repeating_key(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    door: &mut dyn Door,
) -> Result<Option<RepeatingKey>, IoError> {
    let known = &policy.policy;
    let source = policy.source();
    let has_identifiers = known.with_role(Role::Identifier).next().is_some();
    let is_small = table.read.bytes <= MOST_BYTES;
    if known.person().is_some() || !has_identifiers || !is_small || !source.is_lasting() {
        return Ok(None);
    }
    let keep = |name: &String| match known.column(name) {
        Some(column) if column.role == Role::Identifier => Keep::Value,
        _ => Keep::Drop,
    };
    let mut plan = |header: &[String]| Ok(header.iter().map(keep).collect());
    let options = ReadOptions {
        delimiter: known.data.delimiter,
        nulls: known.data.null.clone(),
        ..ReadOptions::default()
    };
    let mut progress = |done, total| door.bytes(done, total);
    let identifiers = read_table(&source, &options, &mut plan, &mut progress)?;
    table.read.must_equal(&identifiers, &source)?;
    let mut columns = identifiers.table.columns().iter();
    Ok(columns.find_map(RepeatingKey::of))
}
