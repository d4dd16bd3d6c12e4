//! SA-generalization: the least general sensitive values of a class that keep everybody's wish.
//!
//! **Definition.** A class may use a generalization function of its own on the sensitive attribute; among those under
//! which no row's breach probability is above the limit, one is pointwise least general ([XiaoTao06], 4.2, Theorem 3).
//! **Reading.** Figure 5 as printed is unsafe (docs/papers.md, E1 to E4). Here: of all guards the widest count, because a
//! wider guard is breached at least as easily. While one of them is breached, what shows it is raised: to the guard's
//! parent, or, where it stands above the guard already, to its own parent; with it all values below.
//! **Holds because** the safe functions are closed under pointwise meet, and no step passes the meet of all of them: it is
//! the least fixed point, whatever the order of steps. At the root nothing is left to raise: then there is none. The same is
//! true of a [`Demand`], which asks for a lower probability of its guard than the limit.
//! **Cost.** O(values + guards · height) a class. **Oracle.** `testkit::oracle::personal`, by all general domains.

use super::limit::{Exposure, Limit};
use super::shape::Shape;
use crate::hierarchy::{Hierarchy, LeafOrder, TaxonId};

/// No taxon.
pub(super) const NONE: u32 = u32::MAX;

/// A tree with its leaves on a line.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) order: LeafOrder,
    pub(super) parent: Vec<u32>,
    pub(super) leaves: Vec<u64>,
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

    pub(super) fn contains(&self, upper: u32, lower: u32) -> bool {
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

/// A guard of a person who has rows in other classes too: it may be shown with such a probability only that so many classes
/// with it keep the limit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Demand {
    /// The guard, as a number of the tree.
    pub guard: u32,
    /// In how many classes the person may be.
    pub classes: u32,
}

impl Demand {
    /// Of each guard what is demanded most.
    pub fn strictest(mut demands: Vec<Self>) -> Vec<Self> {
        demands.sort_unstable_by(|left, right| right.cmp(left));
        demands.dedup_by_key(|demand| demand.guard);
        demands
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
    shape: Shape,
    guards: Vec<u32>,
    done: Vec<Block>,
}

impl Tailor {
    /// Finds the function of a class: its wishes with their rows, by ascending position, and what persons with rows elsewhere
    /// demand. False where there is none; otherwise [`shape`](Self::shape) tells it.
    pub(super) fn fit(
        &mut self,
        frame: &Frame,
        limit: &Limit,
        persons: u64,
        wishes: impl Iterator<Item = (Wish, u64)>,
        demands: &[Demand],
    ) -> bool {
        self.take(frame, wishes);
        self.shape.persons = persons;
        let mut next = 0;
        while next < self.guards.len() {
            let guard = self.guards[next];
            next += 1;
            let mut block = Block {
                taxon: guard,
                raised: false,
                guard: frame.leaves[guard as usize],
                rows: self.shape.rows_below(frame, guard),
            };
            while Self::is_breached(frame, limit, persons, block) {
                let target = frame.parent[block.taxon as usize];
                if target == NONE {
                    return false;
                }
                block.taxon = target;
                block.raised = true;
                block.rows = self.shape.rows_below(frame, target);
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
        let raised = self.done.iter().filter(|block| block.raised);
        self.shape.raised.extend(raised.map(|block| block.taxon));
        demands.is_empty() || meet(&mut self.shape, frame, limit, &self.guards, demands)
    }

    /// What the class shows.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The guards of the class that lie below no other.
    pub(super) fn guards(&self) -> &[u32] {
        &self.guards
    }

    /// Takes note of the values, and of the guards that lie below no other.
    fn take(&mut self, frame: &Frame, wishes: impl Iterator<Item = (Wish, u64)>) {
        let shape = &mut self.shape;
        shape.positions.clear();
        shape.before.clear();
        shape.raised.clear();
        self.guards.clear();
        self.done.clear();
        let mut rows = 0;
        for (wish, count) in wishes {
            if shape.positions.last() != Some(&wish.position) {
                shape.positions.push(wish.position);
                shape.before.push(rows);
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
        shape.before.push(rows);
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

/// Raises what shows a guard while its probability is above the limit, or what is demanded of it. False where nothing is left to raise.
pub(super) fn meet(
    shape: &mut Shape,
    frame: &Frame,
    limit: &Limit,
    guards: &[u32],
    demands: &[Demand],
) -> bool {
    let own = guards.iter().map(|guard| Demand {
        guard: *guard,
        classes: 1,
    });
    let all: Vec<Demand> = own.chain(demands.iter().copied()).collect();
    let mut raised = true;
    while raised {
        raised = false;
        for demand in &all {
            while limit.exceeded_in(shape.exposure(frame, demand.guard), demand.classes) {
                let Some(target) = shape.above(frame, demand.guard) else {
                    return false;
                };
                shape.raise(frame, target);
                raised = true;
            }
        }
    }
    true
}
