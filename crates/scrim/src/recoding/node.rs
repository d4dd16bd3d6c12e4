//! A point of the generalization lattice.

use std::fmt;

use serde::Serialize;

use crate::hierarchy::Level;

/// A level for each quasi-identifier, in the policy's column order.
///
/// It has no `PartialOrd`: the derived one would be lexicographic. The lattice's order is [`Node::generalizes`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Node(Box<[Level]>);

impl Node {
    /// The node of these levels.
    pub fn new(levels: impl Into<Box<[Level]>>) -> Self {
        Self(levels.into())
    }

    /// The node at which nothing is generalized.
    pub fn bottom(attributes: usize) -> Self {
        Self(vec![0; attributes].into())
    }

    /// The levels.
    pub fn levels(&self) -> &[Level] {
        &self.0
    }

    /// The sum of the levels.
    pub fn height(&self) -> u32 {
        self.0.iter().map(|level| u32::from(*level)).sum()
    }

    /// Whether every attribute is generalized at least as far here as in `other`.
    pub fn generalizes(&self, other: &Self) -> bool {
        debug_assert_eq!(self.0.len(), other.0.len(), "nodes of different lattices");
        self.0
            .iter()
            .zip(&other.0)
            .all(|(here, there)| here >= there)
    }

    /// The same node with one attribute at another level.
    #[must_use]
    pub fn with(&self, attribute: usize, level: Level) -> Self {
        let mut levels = self.0.clone();
        levels[attribute] = level;
        Self(levels)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "[{}]", levels.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_lattices_not_the_dictionarys() {
        let (left, right) = (Node::new([0, 3]), Node::new([1, 0]));
        assert!(!left.generalizes(&right) && !right.generalizes(&left));
        assert!(Node::new([1, 3]).generalizes(&left));
        assert!(left.generalizes(&left));
    }
}
