//! Measure: what did a release cost, whoever made it?

use std::path::Path;

use scrim::release::audit::audit;
use scrim::release::measure_release;
use scrim::release::report::Measured;

use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::{IoError, Source};

/// Measures a published table against the original.
pub fn measure_file(
    original: &Path,
    release: &Path,
    policy: &Path,
    door: &mut dyn Door,
) -> Result<Measured, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    policy.policy.must_promise()?;
    door.stage(Stage::Read);
    let table = policy.read_original(&Source::new(original), door)?;
    let prepared = table.prepare(&policy)?;
    let published = policy.read_published(release, false, door)?;
    let audit = audit(
        &policy.policy,
        &published.read.table,
        &published.name,
        None,
        &policy.sensitive_trees(&published)?,
    )?;
    let metrics = measure_release(
        &policy.policy,
        &prepared,
        &published.read.table,
        &published.name,
        &audit,
    )?;
    Ok(Measured::new(metrics, prepared.ground.rows(), audit))
}
