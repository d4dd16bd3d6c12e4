//! Recodings: the plan of a release, as data. A search returns one; only [`apply`] makes rows of it.

mod apply;
mod category;
mod lattice;
mod local;
mod node;
mod sensitive;
mod subtree;

pub use apply::{Applied, AppliedColumn, Fate, apply};
pub use category::PublishedCategories;
pub use lattice::Lattice;
pub use local::{Cell, Local};
pub use node::Node;
pub use sensitive::GeneralizedSensitive;
pub use subtree::{Cut, Part};

use rustc_hash::FxHashMap;

use crate::frequency::Ground;
use crate::hierarchy::Ladder;

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
    /// Every quasi-identifier's domain is cut into parts, the same for all rows.
    Subtree(Vec<Cut>),
    /// Every row belongs to a class that has cells of its own.
    Local(Local),
}

impl Recoding {
    /// The node of a full-domain recoding.
    pub fn node(&self) -> Option<&Node> {
        match self {
            Self::FullDomain { node, .. } => Some(node),
            Self::Subtree(_) | Self::Local(_) => None,
        }
    }

    /// The class of each row, as published: rows that look alike are in one. Also how many classes there are.
    pub fn class_of_row(&self, ladders: &[Ladder], ground: &Ground) -> (Vec<u32>, usize) {
        let of_tuples = |class_of_tuple: &[u32], classes: usize| {
            let rows = ground.tuple_of_row().iter();
            let of_rows: Vec<u32> = rows.map(|tuple| class_of_tuple[*tuple as usize]).collect();
            (of_rows, classes)
        };
        match self {
            Self::FullDomain { node, .. } => {
                let (set, targets) = ground.set().roll_up_with_map(ladders, node);
                let (mut class_of_row, mut classes) = of_tuples(&targets, set.len());
                // Suppressed rows look like rows at the top, where all rows are when the node is the top.
                let at_top = *node == Lattice::new(ladders).top();
                let marked = self.suppressed_rows(ground);
                if !at_top && marked.contains(&true) {
                    let stars = class_of_row.iter_mut().zip(marked);
                    stars
                        .filter(|(_, marked)| *marked)
                        .for_each(|(class, _)| *class = classes as u32);
                    classes += 1;
                }
                (class_of_row, classes)
            }
            Self::Subtree(cuts) => {
                let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
                let set = ground.set();
                let class = |tuple: usize| {
                    let part =
                        |(at, cut): (usize, &Cut)| cut.part_of_code[set.code(tuple, at) as usize];
                    let parts: Vec<u32> = cuts.iter().enumerate().map(part).collect();
                    let next = numbers.len() as u32;
                    *numbers.entry(parts).or_insert(next)
                };
                let class_of_tuple: Vec<u32> = (0..set.len()).map(class).collect();
                of_tuples(&class_of_tuple, numbers.len())
            }
            Self::Local(local) => local.published(),
        }
    }

    /// Whether each row is suppressed.
    pub fn suppressed_rows(&self, ground: &Ground) -> Vec<bool> {
        match self {
            Self::FullDomain { suppressed, .. } => suppressed.mark(ground),
            Self::Subtree(_) | Self::Local(_) => vec![false; ground.tuple_of_row().len()],
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
