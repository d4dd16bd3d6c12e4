//! Measure: what did a release cost, whoever made it?

use std::path::Path;

use scrim::release::audit::survey;
use scrim::release::measure_release;
use scrim::release::report::Measured;

use super::load::LoadedPolicy;
use super::workload::{WorkloadRequest, measure_workload};
use super::{Door, Stage};
use crate::{IoError, Source};

/// Measures a published table against the original, with the errors of queries where some are asked for.
pub fn measure_file(
    original: &Path,
    release: &Path,
    policy: &Path,
    workload: Option<&WorkloadRequest>,
    door: &mut dyn Door,
) -> Result<Measured, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    policy.policy.must_promise()?;
    door.stage(Stage::Read);
    let table = policy.read_original(&Source::new(original), door)?;
    let prepared = table.prepare(&policy)?;
    let published = policy.read_published(release, door)?;
    let audit = survey(&policy.policy, &published.read.table, &published.name)?;
    let metrics = measure_release(
        &policy.policy,
        &table.read.table,
        &prepared,
        &published.read.table,
        &published.name,
        &audit,
    )?;
    let mut measured = Measured::new(metrics, prepared.ground.rows(), audit);
    measured.workload = workload
        .map(|request| measure_workload(request, &policy, &table, &prepared, &published))
        .transpose()?;
    Ok(measured)
}
