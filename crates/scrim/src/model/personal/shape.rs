//! What a class shows of its sensitive values: the values with their rows, and the taxa to which they were raised.

use super::limit::Exposure;
use super::tailor::{Frame, NONE};
use crate::hierarchy::TaxonId;

/// The values of a class, and what becomes of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// The positions of the leaves that occur, ascending.
    pub(super) positions: Vec<u32>,
    /// Rows before each of them, and all rows.
    pub(super) before: Vec<u64>,
    /// The taxa to which values are raised, by position; none lies above another.
    pub(super) raised: Vec<u32>,
    /// The persons of the class.
    pub(super) persons: u64,
}

impl Shape {
    /// The rows whose values lie below a taxon.
    pub(super) fn rows_below(&self, frame: &Frame, taxon: u32) -> u64 {
        let (low, high) = frame.order.run(TaxonId(taxon));
        let first = self.positions.partition_point(|position| *position < low);
        let last = self.positions.partition_point(|position| *position < high);
        self.before[last] - self.before[first]
    }

    /// The taxon to which the values below a guard were raised, at the guard or above it.
    fn over(&self, frame: &Frame, guard: u32) -> Option<u32> {
        let (low, _) = frame.order.run(TaxonId(guard));
        let starts = |taxon: &u32| frame.order.run(TaxonId(*taxon)).0 <= low;
        let at = self.raised.partition_point(starts).checked_sub(1)?;
        let taxon = self.raised[at];
        frame.contains(taxon, guard).then_some(taxon)
    }

    /// What shows a guard.
    pub(super) fn exposure(&self, frame: &Frame, guard: u32) -> Exposure {
        let shown = self.over(frame, guard).unwrap_or(guard);
        self.exposure_at(frame, guard, shown)
    }

    /// What would show a guard if the values below this taxon were raised to it.
    fn exposure_at(&self, frame: &Frame, guard: u32, shown: u32) -> Exposure {
        Exposure {
            rows: self.rows_below(frame, shown),
            persons: self.persons,
            guard: frame.leaves[guard as usize],
            wide: frame.leaves[shown as usize],
        }
    }

    /// The next taxon above all that shows a guard.
    pub(super) fn above(&self, frame: &Frame, guard: u32) -> Option<u32> {
        let shown = self.over(frame, guard).unwrap_or(guard);
        Some(frame.parent[shown as usize]).filter(|parent| *parent != NONE)
    }

    /// The lowest taxon that shows a guard with a lower probability than now, once values are raised to it.
    pub(super) fn lower(&self, frame: &Frame, guard: u32) -> Option<u32> {
        let now = self.exposure(frame, guard).log_of_missing();
        let better = |taxon: &u32| {
            let then = self.exposure_at(frame, guard, *taxon).log_of_missing();
            then > now && then - now > 1e-12 * now.abs().min(1.0)
        };
        let up = |taxon: &u32| {
            let parent = frame.parent[*taxon as usize];
            (parent != NONE).then_some(parent)
        };
        std::iter::successors(self.above(frame, guard), up).find(better)
    }

    /// Raises all values below a taxon to it, unless they are there or above already.
    pub(super) fn raise(&mut self, frame: &Frame, taxon: u32) {
        let leaves = |taxon: u32| frame.leaves[taxon as usize];
        // A single child has the leaves of its parent, and is not above it.
        let over = self.over(frame, taxon);
        if over.is_some_and(|over| over == taxon || leaves(over) > leaves(taxon)) {
            return;
        }
        self.raised.retain(|other| !frame.contains(taxon, *other));
        let (low, _) = frame.order.run(TaxonId(taxon));
        let starts = |other: &u32| frame.order.run(TaxonId(*other)).0 < low;
        let at = self.raised.partition_point(starts);
        self.raised.insert(at, taxon);
    }

    /// The leaves that the class's rows may have beside their own, added up.
    pub(super) fn lost(&self, frame: &Frame) -> u64 {
        let lost =
            |taxon: &u32| self.rows_below(frame, *taxon) * (frame.leaves[*taxon as usize] - 1);
        self.raised.iter().map(lost).sum()
    }
}
