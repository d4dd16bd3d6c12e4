//! The leaves of a tree on a line, in the order of a walk, so that what lies below a taxon is a run of places.

use super::{Hierarchy, TaxonId};

/// The places of leaves.
#[derive(Clone, Debug)]
pub struct LeafOrder {
    leaves: Vec<TaxonId>,
    runs: Vec<(u32, u32)>,
}

impl LeafOrder {
    /// Numbers the leaves; children come in the order in which they were built.
    pub fn new(tree: &Hierarchy) -> Self {
        let children = tree.child_lists();
        let mut order = Self {
            leaves: Vec::new(),
            runs: vec![(0, 0); tree.len()],
        };
        let mut open = vec![(tree.root(), false)];
        while let Some((taxon, leaving)) = open.pop() {
            let at = taxon.0 as usize;
            if leaving {
                order.runs[at].1 = order.leaves.len() as u32;
                continue;
            }
            order.runs[at].0 = order.leaves.len() as u32;
            if children[at].is_empty() {
                order.leaves.push(taxon);
            }
            open.push((taxon, true));
            open.extend(children[at].iter().rev().map(|child| (*child, false)));
        }
        order
    }

    /// The leaf of each place.
    pub fn leaves(&self) -> &[TaxonId] {
        &self.leaves
    }

    /// The places below a taxon: the first, and the one after the last.
    pub fn run(&self, taxon: TaxonId) -> (u32, u32) {
        self.runs[taxon.0 as usize]
    }

    /// The place of a leaf.
    pub fn place(&self, leaf: TaxonId) -> u32 {
        self.run(leaf).0
    }

    /// Whether `upper` is `lower` or above it, or has the same leaves.
    pub fn contains(&self, upper: TaxonId, lower: TaxonId) -> bool {
        let (upper, lower) = (self.run(upper), self.run(lower));
        upper.0 <= lower.0 && lower.1 <= upper.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::from_outline;

    #[test]
    fn what_lies_below_a_taxon_is_a_run() {
        let text = "any\n  left\n    a\n    b\n  c\n  right\n    d\n";
        let tree = from_outline("x", "x.txt", text, false).unwrap();
        let order = LeafOrder::new(&tree);
        let labels: Vec<&str> = order
            .leaves()
            .iter()
            .map(|leaf| tree.label(*leaf))
            .collect();
        assert_eq!(labels, ["a", "b", "c", "d"]);
        let run = |label| order.run(tree.labelled(label).next().unwrap());
        assert_eq!(
            [run("left"), run("c"), run("right"), run("any")],
            [(0, 2), (2, 3), (3, 4), (0, 4)]
        );
        for upper in tree.taxa() {
            for lower in tree.taxa().filter(|lower| tree.covers(upper, *lower)) {
                assert!(order.contains(upper, lower));
            }
        }
    }
}
