//! Least transport between the distribution of a class and that of the table, in whole units.
//!
//! **Definition.** A class of n rows and a table of N are both weighed in units of 1 / (n N). *Equal*: what is moved is
//! moved by 1. *Ordered*: places i and j of m are |i - j| / (m - 1) apart; on a line, carrying the first of the one to
//! the first of the other is least. *Hierarchical*: two values are height(lowest common taxon) / H apart. Half the
//! difference of heights as the length of an edge makes that the way through the tree, and the least transport over a
//! tree carries over each edge what lies below it too much or too little.
//! **Reading.** The height of a taxon is the longest way down. A value at an inner taxon hangs below it like a leaf.

use std::sync::Arc;

use super::{Cell, Fraction, Reference};
use crate::hierarchy::{Hierarchy, TaxonId};

/// What a class and the table have of each value, in equal units.
pub(super) struct Mass {
    class: Vec<u128>,
    table: Vec<u128>,
    units: u128,
}

impl Mass {
    pub(super) fn new(cells: &[Cell], rows: u64, reference: &Reference) -> Self {
        let mut class = vec![0; reference.counts.len()];
        for cell in cells {
            class[cell.value as usize] = u128::from(cell.rows) * u128::from(reference.rows);
        }
        let wanted = |count: &u64| u128::from(*count) * u128::from(rows);
        Self {
            class,
            table: reference.counts.iter().map(wanted).collect(),
            units: u128::from(rows) * u128::from(reference.rows),
        }
    }

    /// The share that has to move at all.
    pub(super) fn moved(&self) -> Fraction {
        let surplus = |(class, table): (&u128, &u128)| class.saturating_sub(*table);
        let moved: u128 = self.class.iter().zip(&self.table).map(surplus).sum();
        Fraction::new(moved, self.units)
    }
}

/// Values in a row.
pub(super) struct Places {
    of_value: Vec<Option<usize>>,
    count: usize,
}

impl Places {
    pub(super) fn new(of_value: Vec<Option<usize>>, count: usize) -> Self {
        Self { of_value, count }
    }

    fn spread(&self, mass: &[u128]) -> Vec<u128> {
        let mut places = vec![0; self.count];
        for (place, mass) in self.of_value.iter().zip(mass) {
            if let Some(place) = place {
                places[*place] += mass;
            }
        }
        places
    }

    /// Carries from left to right until nothing is left.
    pub(super) fn work(&self, mass: &Mass) -> Fraction {
        let (mut from, mut to) = (self.spread(&mass.class), self.spread(&mass.table));
        let (mut source, mut target, mut work) = (0, 0, 0u128);
        while source < self.count && target < self.count {
            let carried = from[source].min(to[target]);
            work += carried * source.abs_diff(target) as u128;
            from[source] -= carried;
            to[target] -= carried;
            source += usize::from(from[source] == 0);
            target += usize::from(to[target] == 0);
        }
        let steps = self.count.saturating_sub(1).max(1) as u128;
        Fraction::new(work, mass.units * steps)
    }
}

/// Values in a tree.
pub(super) struct Tree {
    taxa: Arc<Hierarchy>,
    leaves: Vec<Option<TaxonId>>,
    heights: Vec<u16>,
}

impl Tree {
    pub(super) fn new(tree: Arc<Hierarchy>, leaves: Vec<Option<TaxonId>>) -> Self {
        let mut heights = vec![0; tree.len()];
        for bottom in tree.taxa() {
            let (mut at, mut steps) = (bottom, 0);
            while let Some(above) = tree.parent(at) {
                steps += 1;
                let height: &mut u16 = &mut heights[above.0 as usize];
                *height = steps.max(*height);
                at = above;
            }
        }
        Self {
            taxa: tree,
            leaves,
            heights,
        }
    }

    fn height(&self, taxon: TaxonId) -> u16 {
        self.heights[taxon.0 as usize]
    }

    /// What lies at each taxon itself, and what lies at it or below it: class and table.
    fn pile(&self, mass: &Mass) -> (Vec<[u128; 2]>, Vec<[u128; 2]>) {
        let mut own = vec![[0; 2]; self.taxa.len()];
        let mut below = own.clone();
        let masses = mass.class.iter().zip(&mass.table);
        for (leaf, (class, table)) in self.leaves.iter().zip(masses) {
            let mut at = *leaf;
            if let Some(leaf) = leaf {
                own[leaf.0 as usize][0] += class;
                own[leaf.0 as usize][1] += table;
            }
            while let Some(taxon) = at {
                below[taxon.0 as usize][0] += class;
                below[taxon.0 as usize][1] += table;
                at = self.taxa.parent(taxon);
            }
        }
        (own, below)
    }

    pub(super) fn work(&self, mass: &Mass) -> Fraction {
        let (own, below) = self.pile(mass);
        let mut twice = 0u128;
        for taxon in self.taxa.taxa() {
            let apart = |pile: &[[u128; 2]]| {
                let [class, table] = pile[taxon.0 as usize];
                class.abs_diff(table)
            };
            let height = self.height(taxon);
            twice += u128::from(height) * apart(&own);
            if let Some(parent) = self.taxa.parent(taxon) {
                twice += u128::from(self.height(parent) - height) * apart(&below);
            }
        }
        let height = u128::from(self.height(self.taxa.root()).max(1));
        Fraction::new(twice, 2 * height * mass.units)
    }
}
