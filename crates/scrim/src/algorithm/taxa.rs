//! The taxa that lie above the values of a table, numbered, with what a cell at each costs.

use rustc_hash::FxHashMap;

use crate::hierarchy::{Hierarchy, Ladder, TaxonId};

/// The taxa of one quasi-identifier that lie above a value of the table. Number 0 is the top.
#[derive(Clone, Debug, Default)]
pub(super) struct Taxa {
    known: Vec<TaxonId>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    costs: Vec<i64>,
}

impl Taxa {
    /// The taxa above some codes of a column, and the number of each code's own.
    pub(super) fn above(
        ladder: &Ladder,
        codes: &[u32],
        cost: impl Fn(&Hierarchy, TaxonId) -> i64,
    ) -> (Self, Vec<u32>) {
        let tree = ladder.hierarchy().as_ref();
        let mut taxa = Self::default();
        let mut numbers: FxHashMap<TaxonId, u32> = FxHashMap::default();
        let mut of_code: FxHashMap<u32, u32> = FxHashMap::default();
        let mut number = |code: u32| {
            let mut path = vec![ladder.taxa(0)[code as usize]];
            while let Some(parent) = path.last().and_then(|taxon| tree.parent(*taxon)) {
                path.push(parent);
            }
            let mut above = 0;
            for (depth, taxon) in (0..).zip(path.into_iter().rev()) {
                above = *numbers.entry(taxon).or_insert_with(|| {
                    taxa.known.push(taxon);
                    taxa.parents.push(above);
                    taxa.depths.push(depth);
                    taxa.costs.push(cost(tree, taxon));
                    taxa.known.len() as u32 - 1
                });
            }
            above
        };
        let own = codes
            .iter()
            .map(|code| *of_code.entry(*code).or_insert_with(|| number(*code)))
            .collect();
        (taxa, own)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The taxon of the hierarchy.
    pub(super) fn taxon(&self, number: u32) -> TaxonId {
        self.known[number as usize]
    }

    /// The taxon above; the top's is the top.
    pub(super) fn parent(&self, number: u32) -> u32 {
        self.parents[number as usize]
    }

    /// How many taxa lie above.
    pub(super) fn depth(&self, number: u32) -> u32 {
        self.depths[number as usize]
    }

    /// How many lie above the lowest.
    pub(super) fn height(&self) -> u32 {
        self.depths.iter().copied().max().unwrap_or(0)
    }

    /// What a cell at a taxon costs.
    pub(super) fn cost(&self, number: u32) -> i64 {
        self.costs[number as usize]
    }

    /// The least common ancestor.
    pub(super) fn join(&self, mut left: u32, mut right: u32) -> u32 {
        while left != right {
            if self.depth(left) >= self.depth(right) {
                left = self.parent(left);
            } else {
                right = self.parent(right);
            }
        }
        left
    }
}
