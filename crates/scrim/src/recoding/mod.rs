//! Recodings: the plan of a release, as data. A search returns one; only [`apply`] makes rows of it.

mod apply;
mod lattice;
mod node;

pub use apply::{Applied, AppliedColumn, Fate, apply};
pub use lattice::Lattice;
pub use node::Node;

use crate::frequency::Ground;
use crate::hierarchy::TaxonId;

/// The plan of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recoding {
    /// Every value of a quasi-identifier goes to one level; some rows are suppressed instead.
    FullDomain {
        /// The level of each quasi-identifier.
        node: Node,
        /// The rows whose quasi-identifiers are suppressed.
        suppressed: Suppressed,
    },
    /// Every row belongs to a class that has taxa of its own.
    Local(Local),
}

/// Rows in classes, each with its own taxa.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The class of each row.
    pub class_of_row: Vec<u32>,
    /// The taxon of each quasi-identifier, by class.
    pub classes: Vec<Box<[TaxonId]>>,
}

impl Recoding {
    /// The node of a full-domain recoding.
    pub fn node(&self) -> Option<&Node> {
        match self {
            Self::FullDomain { node, .. } => Some(node),
            Self::Local(_) => None,
        }
    }

    /// Whether each row is suppressed.
    pub fn suppressed_rows(&self, ground: &Ground) -> Vec<bool> {
        match self {
            Self::FullDomain { suppressed, .. } => suppressed.mark(ground),
            Self::Local(local) => vec![false; local.class_of_row.len()],
        }
    }
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
