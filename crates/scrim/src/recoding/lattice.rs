//! The generalization lattice: all nodes between the ground domain and full suppression.

use super::Node;
use crate::hierarchy::{Ladder, Level};

/// All nodes up to the tops of the hierarchies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    tops: Box<[Level]>,
}

impl Lattice {
    /// The lattice of these quasi-identifiers.
    pub fn new(ladders: &[Ladder]) -> Self {
        Self::up_to(ladders.iter().map(Ladder::height).collect::<Vec<_>>())
    }

    /// The lattice below these tops.
    pub fn up_to(tops: impl Into<Box<[Level]>>) -> Self {
        Self { tops: tops.into() }
    }

    /// The number of nodes ([Sweeney02], Equation 1); the largest number there is where it does not fit.
    pub fn size(&self) -> u128 {
        self.tops.iter().fold(1, |size: u128, top| {
            size.saturating_mul(u128::from(*top) + 1)
        })
    }

    /// How many quasi-identifiers.
    pub fn attributes(&self) -> usize {
        self.tops.len()
    }

    /// The least general node.
    pub fn bottom(&self) -> Node {
        Node::bottom(self.tops.len())
    }

    /// The most general node.
    pub fn top(&self) -> Node {
        Node::new(self.tops.clone())
    }

    /// The nodes one level above.
    pub fn successors(&self, node: &Node) -> impl Iterator<Item = Node> {
        self.successors_from(node, 0)
    }

    /// The nodes one level above that differ at this attribute or a later one.
    pub fn successors_from(&self, node: &Node, first: usize) -> impl Iterator<Item = Node> {
        (first..self.tops.len())
            .filter(|at| node.levels()[*at] < self.tops[*at])
            .map(|at| node.with(at, node.levels()[at] + 1))
    }

    /// The nodes one level below.
    pub fn predecessors(&self, node: &Node) -> impl Iterator<Item = Node> {
        (0..self.tops.len())
            .filter(|at| node.levels()[*at] > 0)
            .map(|at| node.with(at, node.levels()[at] - 1))
    }

    /// The number of a node, by which all nodes can be stored in an array.
    pub fn index(&self, node: &Node) -> usize {
        node.levels()
            .iter()
            .zip(&self.tops)
            .fold(0, |index, (level, top)| {
                index * (usize::from(*top) + 1) + usize::from(*level)
            })
    }

    /// The node of a number; the inverse of [`Lattice::index`].
    pub fn node(&self, mut index: usize) -> Node {
        let mut levels = vec![0; self.tops.len()];
        for (level, top) in levels.iter_mut().zip(&self.tops).rev() {
            let radix = usize::from(*top) + 1;
            *level = (index % radix) as Level;
            index /= radix;
        }
        Node::new(levels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_4_has_twelve_nodes() {
        let lattice = Lattice::up_to([2, 3]);
        assert_eq!(lattice.size(), 12);
        for index in 0..12 {
            assert_eq!(lattice.index(&lattice.node(index)), index);
        }
        assert_eq!(lattice.successors(&lattice.bottom()).count(), 2);
        assert_eq!(lattice.successors(&lattice.top()).count(), 0);
        assert_eq!(
            lattice.predecessors(&Node::new([1, 0])).collect::<Vec<_>>(),
            [Node::new([0, 0])]
        );
    }

    #[test]
    fn a_lattice_too_large_to_count_says_so_without_overflow() {
        assert_eq!(Lattice::up_to(vec![250; 40]).size(), u128::MAX);
    }
}
