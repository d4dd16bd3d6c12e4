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
            scrim::Error::Infeasible { what, .. } => {
                Ok(LatticeReport::new(size, 0, Vec::new(), vec![what]))
            }
            scrim::Error::TooSmall { what, hint } => Err(scrim::Error::Data {
                place: scrim::Place::file(&table.name),
                what,
                hint,
            }
            .into()),
            other => Err(other.into()),
        };
    }
    door.stage(Stage::Search);
    let (nodes, checked) = minimal(&policy.policy, &prepared, door)?;
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
