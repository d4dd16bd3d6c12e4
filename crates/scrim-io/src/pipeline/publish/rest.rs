//! What is left of a table without the rows that no release may have.
//!
//! **Reading.** A row whose owner guards the whole tree is breached by every release that has it. Where the policy leaves suppressed
//! rows out, and there are no more of them than may be suppressed, they are left out before the search; it may suppress what
//! remains of the limit. All rows that were read are still counted in what the release costs.

use scrim::Share;
use scrim::release::Prepared;

use super::super::load::{LoadedPolicy, LoadedTable};
use super::{Ready, Subject};
use crate::IoError;

/// The rows that are left, and the policy with what remains of its limit.
pub(super) struct Rest {
    pub(super) policy: LoadedPolicy,
    table: LoadedTable,
    prepared: Prepared,
}

impl Rest {
    /// What is searched in place of the whole.
    pub(super) fn subject<'a>(&'a self, whole: &'a Ready) -> Subject<'a> {
        Subject {
            table: &self.table,
            prepared: &self.prepared,
            before: Some((&whole.table.read.table, &whole.prepared)),
        }
    }
}

/// The table without its hopeless rows; nothing where the policy does not let them be left out, or something is impossible without
/// them too.
pub(super) fn without_hopeless(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    prepared: &Prepared,
) -> Result<Option<Rest>, IoError> {
    if !policy.policy.search.drops_rows() {
        return Ok(None);
    }
    let rows = table.read.table.rows();
    let mut is_hopeless = vec![false; rows];
    for personal in &prepared.personal {
        let guarding = personal.rows_guarding_all();
        guarding
            .iter()
            .for_each(|row| is_hopeless[*row as usize] = true);
    }
    let left: Vec<u32> = (0..rows as u32)
        .filter(|row| !is_hopeless[*row as usize])
        .collect();
    let gone = (rows - left.len()) as u64;
    let Some(limit) = prepared.limit(&policy.policy).checked_sub(gone) else {
        return Ok(None);
    };
    if gone == 0 || left.is_empty() {
        return Ok(None);
    }
    let mut policy = policy.clone();
    policy.policy.search.suppression = Share::new(i128::from(limit), (left.len() as i128).max(1));
    let mut table = LoadedTable {
        name: table.name.clone(),
        read: table.read.clone(),
        former: Vec::new(),
    };
    table.read.table = table.read.table.only(&left, "");
    let mut prepared = table.prepare(&policy)?;
    let plural = if gone == 1 { " has" } else { "s have" };
    prepared.remarks.push(format!(
        "{gone} row{plural} the top of the tree as guard, which every release with them breaches: left out as suppressed"
    ));
    Ok(prepared.must_be_feasible().is_ok().then_some(Rest {
        policy,
        table,
        prepared,
    }))
}
