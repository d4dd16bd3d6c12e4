//! Which of several equally good recodings is preferred.
//!
//! **Definition.** MinGen ends with all recodings of least distortion and returns a preferred one of them ([Sweeney02],
//! Figure 5, step 2.4, which leaves the rule to the data holder).
//! **Reading.** A policy may name columns in `preferred`: of equally good recodings the one comes first that generalizes
//! the first of these columns least, then the second, and so on. How much a column is generalized is the sum of the levels
//! of its cells, where a suppressed row counts at the top. What is then still equal, and everything where no column is
//! named, is decided by [`PREFERENCE`].

use super::task::Task;
use crate::recoding::Node;

/// The rule by which one of several equally good nodes is preferred.
pub const PREFERENCE: &str = "among equally good nodes: fewest suppressed rows, then smallest level sum, then lexicographically smallest levels in policy column order";

/// The columns that are to be generalized least, in the order in which they are asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Preferred {
    /// The number of each column, and the height of its hierarchy.
    columns: Vec<(usize, u128)>,
    rows: u128,
}

impl Preferred {
    pub(super) fn new(task: &Task<'_>, columns: &[usize]) -> Self {
        let height = |column: &usize| (*column, u128::from(task.ladders[*column].height()));
        Self {
            columns: columns.iter().map(height).collect(),
            rows: task.ground.rows().into(),
        }
    }

    /// The sum of the levels of each column's cells at a node that suppresses so many rows. It grows with the levels and
    /// with the suppressed rows, so what is computed from the least of both is a bound.
    pub(super) fn levels(&self, node: &Node, suppressed: u64) -> Box<[u128]> {
        let suppressed = u128::from(suppressed).min(self.rows);
        let sum = |(column, height): &(usize, u128)| {
            u128::from(node.levels()[*column]) * (self.rows - suppressed) + height * suppressed
        };
        self.columns.iter().map(sum).collect()
    }

    /// The rule in words, for the manifest.
    pub(super) fn rule(&self, task: &Task<'_>) -> String {
        if self.columns.is_empty() {
            return PREFERENCE.to_owned();
        }
        let then = PREFERENCE.trim_start_matches("among equally good nodes: ");
        format!(
            "among equally good nodes: least generalized in {}, then {then}",
            self.names(task)
        )
    }

    /// The columns by name.
    pub(super) fn names(&self, task: &Task<'_>) -> String {
        let name = |(column, _): &(usize, u128)| format!("`{}`", task.ladders[*column].name());
        let names: Vec<String> = self.columns.iter().map(name).collect();
        names.join(", then ")
    }
}
