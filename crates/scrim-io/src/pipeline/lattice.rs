//! Lattice: all minimal generalizations with their measures.

use std::path::Path;

use scrim::recoding::Lattice;
use scrim::release::minimal;
use scrim::release::report::{LatticeReport, minimal_report};

use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::IoError;

/// Lists the minimal generalizations of a policy's table.
pub fn list_lattice(path: &Path, door: &mut dyn Door) -> Result<LatticeReport, IoError> {
    let policy = LoadedPolicy::read(path)?;
    policy.policy.must_promise()?;
    door.stage(Stage::Read);
    let table = policy.read_original(&policy.source(), door)?;
    let prepared = table.prepare(&policy)?;
    let size = Lattice::new(&prepared.ladders).size();
    if let Err(error) = prepared.must_be_feasible() {
        return match error {
            scrim::Error::Infeasible { what, hint } | scrim::Error::TooSmall { what, hint } => Ok(
                LatticeReport::refused(size, 0, what, hint, prepared.remarks),
            ),
            other => Err(other.into()),
        };
    }
    door.stage(Stage::Search);
    let (nodes, checked) = minimal(&policy.policy, &prepared, door)?;
    if nodes.is_empty() {
        let what = format!(
            "no node of the lattice keeps the models with at most {} of {} rows suppressed",
            prepared.limit(&policy.policy),
            prepared.ground.rows()
        );
        let hint = "allow more suppression, or ask for less".to_owned();
        return Ok(LatticeReport::refused(
            size,
            checked,
            what,
            Some(hint),
            prepared.remarks,
        ));
    }
    let reports = nodes
        .iter()
        .map(|node| minimal_report(&policy.policy, &table.read.table, &prepared, node))
        .collect::<Result<_, _>>()?;
    Ok(LatticeReport::new(
        size,
        checked,
        reports,
        prepared.remarks.clone(),
    ))
}
