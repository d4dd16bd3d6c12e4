//! Recodings: the plan of a release, as data. A search returns one; only [`apply`] makes rows of it.

mod apply;
mod lattice;
mod node;

pub use apply::{Applied, AppliedColumn, Fate, apply};
pub use lattice::Lattice;
pub use node::Node;

use crate::frequency::Ground;

/// The plan: how far each quasi-identifier is generalized, and which rows are suppressed instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoding {
    /// The level of each quasi-identifier.
    pub node: Node,
    /// The rows whose quasi-identifiers are suppressed.
    pub suppressed: Suppressed,
}

/// Which rows are suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressed {
    /// By tuple of the ground domain: all of its rows.
    pub tuples: Vec<u32>,
    /// Single rows beside those, ascending.
    pub rows: Vec<u32>,
}

impl Suppressed {
    /// Whether each row is suppressed.
    pub fn mark(&self, ground: &Ground) -> Vec<bool> {
        let mut tuples = vec![false; ground.set().len()];
        self.tuples
            .iter()
            .for_each(|tuple| tuples[*tuple as usize] = true);
        let mut rows: Vec<bool> = ground
            .tuple_of_row()
            .iter()
            .map(|tuple| tuples[*tuple as usize])
            .collect();
        self.rows.iter().for_each(|row| rows[*row as usize] = true);
        rows
    }
}
