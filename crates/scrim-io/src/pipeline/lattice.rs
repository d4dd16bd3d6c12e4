//! Lattice: all minimal generalizations with their measures.

use std::path::Path;

use scrim::counted;
use scrim::recoding::Lattice;
use scrim::release::policy::AlgorithmId;
use scrim::release::refusal::explain;
use scrim::release::report::{LatticeReport, minimal_report};
use scrim::release::{Prepared, minimal};

use super::load::{LoadedPolicy, LoadedTable};
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
            scrim::Error::Infeasible { what, hint } | scrim::Error::TooSmall { what, hint } => {
                let remarks = prepared.remarks.clone();
                let refused = LatticeReport::refused(size, 0, what, hint, remarks);
                explained(refused, &policy, &table, &prepared)
            }
            other => Err(other.into()),
        };
    }
    door.stage(Stage::Search);
    let (nodes, checked) = minimal(&policy.policy, &prepared, door)?;
    if nodes.is_empty() {
        let what = format!(
            "no node of the lattice keeps the models with at most {} of {} suppressed",
            prepared.limit(&policy.policy),
            counted(prepared.ground.rows(), "row")
        );
        let hint = "allow more suppression, or ask for less".to_owned();
        let remarks = prepared.remarks.clone();
        let refused = LatticeReport::refused(size, checked, what, Some(hint), remarks);
        return explained(refused, &policy, &table, &prepared);
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

/// Adds which promises stand in the way, and which changes of them, or of the suppression, give the lattice a node that keeps them.
fn explained(
    mut refused: LatticeReport,
    policy: &LoadedPolicy,
    table: &LoadedTable,
    prepared: &Prepared,
) -> Result<LatticeReport, IoError> {
    // The lattice is the same whatever searches it.
    let mut searched = policy.policy.clone();
    searched.search.algorithm = AlgorithmId::Optimal;
    searched.search.time_limit = None;
    let found = table.with_hierarchies(policy, |_, rows| {
        Ok(explain(&searched, &table.read.table, prepared, rows))
    })?;
    let (mut refusal, suggestions) = found.unzip();
    let (proven, open): (Vec<_>, Vec<_>) = suggestions
        .unwrap_or_default()
        .into_iter()
        .partition(|suggestion| suggestion.proven);
    if let Some(refusal) = refusal.as_mut().filter(|_| !open.is_empty()) {
        let why = "weaker promises: only a search tells whether they help, and `publish` runs it";
        refusal.not_tried.push(why.to_owned());
    }
    refused.refusal = refusal;
    refused.suggestions = Some(proven);
    Ok(refused)
}
