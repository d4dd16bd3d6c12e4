//! SA-generalization: the least general sensitive values of a class that keep everybody's wish.
//!
//! **Definition.** A class may use a generalization function of its own on the sensitive attribute; among those under
//! which no row's breach probability is above the limit, one is pointwise least general ([XiaoTao06], 4.2, Theorem 3).
//! **Reading.** Figure 5 as printed is unsafe (docs/papers.md, E1 to E4). Here: of all guards the widest count, because a
//! wider guard is breached at least as easily. While one of them is breached, what shows it is raised: to the guard's
//! parent, or, where it stands above the guard already, to its own parent; with it all values below.
//! **Holds because** the safe functions are closed under pointwise meet, and no step passes the meet of all of them: it is
//! the least fixed point, whatever the order of steps. At the root nothing is left to raise: then there is none.
//! **Cost.** O(values + guards · height) a class. **Oracle.** `testkit::oracle::personal`, by all general domains.

use super::limit::{Exposure, Limit};
use crate::hierarchy::{Hierarchy, LeafOrder, TaxonId};

/// No taxon.
const NONE: u32 = u32::MAX;

/// A tree with its leaves on a line.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    order: LeafOrder,
    parent: Vec<u32>,
    leaves: Vec<u64>,
}

impl Frame {
    pub(super) fn new(tree: &Hierarchy) -> Self {
        Self {
            order: LeafOrder::new(tree),
            parent: tree
                .taxa()
                .map(|taxon| tree.parent(taxon).map_or(NONE, |parent| parent.0))
                .collect(),
            leaves: tree
                .taxa()
                .map(|taxon| tree.leaves_below(taxon).max(1))
                .collect(),
        }
    }

    /// The position of a leaf.
    pub(super) fn position(&self, leaf: TaxonId) -> u32 {
        self.order.place(leaf)
    }

    fn contains(&self, upper: u32, lower: u32) -> bool {
        self.order.contains(TaxonId(upper), TaxonId(lower))
    }
}

/// A value and the guard of those who have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// The leaf's position.
    pub(super) position: u32,
    /// The guard, or [`NONE`].
    guard: u32,
}

impl Wish {
    pub(super) fn new(frame: &Frame, leaf: TaxonId, guard: Option<TaxonId>) -> Self {
        Self {
            position: frame.position(leaf),
            guard: guard.map_or(NONE, |guard| guard.0),
        }
    }
}

/// What shows one or several guards: the values below a guard, or a taxon to which values were raised.
#[derive(Clone, Copy, Debug)]
struct Block {
    taxon: u32,
    raised: bool,
    /// The leaves of the widest guard below it.
    guard: u64,
    /// The rows below it.
    rows: u64,
}

/// Makes generalization functions, class by class, in memory of its own.
#[derive(Debug, Default)]
pub(super) struct Tailor {
    positions: Vec<u32>,
    /// Rows before each position.
    before: Vec<u64>,
    guards: Vec<u32>,
    done: Vec<Block>,
}

impl Tailor {
    /// Finds the function of a class: its wishes with their rows, by ascending position. False where there is none;
    /// otherwise [`raised`](Self::raised) and [`lost`](Self::lost) tell it.
    pub(super) fn fit(
        &mut self,
        frame: &Frame,
        limit: &Limit,
        persons: u64,
        wishes: impl Iterator<Item = (Wish, u64)>,
    ) -> bool {
        self.take(frame, wishes);
        let mut next = 0;
        while next < self.guards.len() {
            let guard = self.guards[next];
            next += 1;
            let mut block = Block {
                taxon: guard,
                raised: false,
                guard: frame.leaves[guard as usize],
                rows: self.rows_below(frame, guard),
            };
            while Self::is_breached(frame, limit, persons, block) {
                let target = frame.parent[block.taxon as usize];
                if target == NONE {
                    return false;
                }
                block.taxon = target;
                block.raised = true;
                block.rows = self.rows_below(frame, target);
                while let Some(inner) = self.done.pop_if(|done| frame.contains(target, done.taxon))
                {
                    block.guard = block.guard.max(inner.guard);
                }
                while next < self.guards.len() && frame.contains(target, self.guards[next]) {
                    let leaves = frame.leaves[self.guards[next] as usize];
                    block.guard = block.guard.max(leaves);
                    next += 1;
                }
            }
            self.done.push(block);
        }
        true
    }

    /// The taxa to which values were raised; all other values stay as they are.
    pub(super) fn raised(&self) -> impl Iterator<Item = TaxonId> {
        let raised = self.done.iter().filter(|block| block.raised);
        raised.map(|block| TaxonId(block.taxon))
    }

    /// The leaves that the class's rows may have beside their own, added up.
    pub(super) fn lost(&self, frame: &Frame) -> u64 {
        let raised = self.done.iter().filter(|block| block.raised);
        raised
            .map(|block| block.rows * (frame.leaves[block.taxon as usize] - 1))
            .sum()
    }

    /// Takes note of the values, and of the guards that lie below no other.
    fn take(&mut self, frame: &Frame, wishes: impl Iterator<Item = (Wish, u64)>) {
        self.positions.clear();
        self.before.clear();
        self.guards.clear();
        self.done.clear();
        let mut rows = 0;
        for (wish, count) in wishes {
            if self.positions.last() != Some(&wish.position) {
                self.positions.push(wish.position);
                self.before.push(rows);
            }
            rows += count;
            if wish.guard == NONE {
                continue;
            }
            let covered = |guard: &u32| frame.contains(*guard, wish.guard);
            if !self.guards.last().is_some_and(covered) {
                while self
                    .guards
                    .pop_if(|guard| frame.contains(wish.guard, *guard))
                    .is_some()
                {}
                self.guards.push(wish.guard);
            }
        }
        self.before.push(rows);
    }

    fn rows_below(&self, frame: &Frame, taxon: u32) -> u64 {
        let (low, high) = frame.order.run(TaxonId(taxon));
        let first = self.positions.partition_point(|position| *position < low);
        let last = self.positions.partition_point(|position| *position < high);
        self.before[last] - self.before[first]
    }

    fn is_breached(frame: &Frame, limit: &Limit, persons: u64, block: Block) -> bool {
        let wide = if block.raised {
            frame.leaves[block.taxon as usize]
        } else {
            block.guard
        };
        limit.exceeded(Exposure {
            rows: block.rows,
            persons,
            guard: block.guard,
            wide,
        })
    }
}
