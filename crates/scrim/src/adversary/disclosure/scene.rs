//! The released classes, and the earlier steps that tell something.
//!
//! **Holds because** a step that fails whatever the table is tells nothing when it fails. Under a monotone property a step that
//! passes makes every coarser one pass, so that among earlier failures only the coarsest say something ([Zhang07], S1 of our
//! reading).

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::belief::Believed;
use super::chain::{Chain, Partition};
use super::deal::{Share, deal};
use super::numbers::{arrangements, fraction, product};
use super::property::Property;
use crate::model::Monotone;

/// Moves that a look at one group may take, and those at one step.
const GROUP_MOVES: usize = 4096;
const STEP_MOVES: usize = 1 << 20;

/// A class of the release.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// Its rows, ascending.
    pub(super) rows: Vec<u32>,
    /// (value, rows), by value.
    pub(super) counts: Vec<(u32, u32)>,
}

impl Class {
    pub(super) fn size(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The counts alone.
    pub(super) fn multiplicities(&self) -> Vec<u32> {
        self.counts.iter().map(|(_, count)| *count).collect()
    }
}

/// What the methods work on.
pub(super) struct Scene<'a> {
    pub(super) chain: &'a Chain,
    pub(super) property: &'a dyn Property,
    pub(super) released: &'a Partition,
    pub(super) classes: Vec<Class>,
    /// The earlier steps that tell something, in the order of the chain.
    pub(super) steps: Vec<&'a Partition>,
    /// Rows of a kind are exchangeable: the kind of each row, and the class and first row of each.
    pub(super) kind_of_row: Vec<u32>,
    pub(super) kinds: Vec<(u32, u32)>,
}

impl<'a> Scene<'a> {
    /// The scene where every step that failed for the secret is known to have failed.
    pub(super) fn exclusive(chain: &'a Chain, property: &'a dyn Property) -> Self {
        let steps = match property.monotone() {
            Monotone::No => distinct(chain.earlier()),
            _ => coarsest(chain.earlier()),
        };
        let mut scene = Self::of(chain, property, steps);
        let kept = scene.steps.iter().copied();
        let kept = kept.filter(|step| !scene.surely_fails(step));
        scene.steps = kept.collect();
        scene.tell_kinds();
        scene
    }

    /// The scene of some steps.
    pub(super) fn of(
        chain: &'a Chain,
        property: &'a dyn Property,
        steps: Vec<&'a Partition>,
    ) -> Self {
        let released = chain.released();
        let mut scene = Self {
            chain,
            property,
            released,
            classes: classes_of(released, chain.given()),
            steps,
            kind_of_row: Vec::new(),
            kinds: Vec::new(),
        };
        scene.tell_kinds();
        scene
    }

    /// The one step that is left, where its groups lie within classes.
    pub(super) fn nested(&self) -> Option<&'a Partition> {
        match self.steps.as_slice() {
            [one] if one.refines(self.released) => Some(one),
            _ => None,
        }
    }

    /// Under one nested step groups of one size are exchangeable; in general rows that no step tells apart.
    fn tell_kinds(&mut self) {
        let kinds = if let Some(fine) = self.nested() {
            let sizes = fine.sizes();
            let by_size = fine.of_row.iter().map(|group| sizes[*group as usize]);
            self.released.meet(&Partition::new(by_size.collect()))
        } else {
            let mut atoms = self.released.clone();
            self.steps.iter().for_each(|step| atoms = atoms.meet(step));
            atoms
        };
        self.kinds.clear();
        for (row, kind) in (0..).zip(&kinds.of_row) {
            if *kind as usize == self.kinds.len() {
                let class = self.released.of_row[row as usize];
                self.kinds.push((class, row));
            }
        }
        self.kind_of_row = kinds.of_row;
    }

    /// Whether some group of the step passes in no table that the release allows. A no may be ignorance.
    pub(super) fn surely_fails(&self, step: &Partition) -> bool {
        let mut pieces = step.pieces(self.released);
        pieces.sort_by_key(|group| group.iter().map(|(_, rows)| *rows).sum::<u32>());
        let mut moves = STEP_MOVES;
        pieces
            .iter()
            .any(|group| self.never_passes(group, &mut moves))
    }

    /// Whether a group of these pieces of classes never passes.
    fn never_passes(&self, group: &[(u32, u32)], moves: &mut usize) -> bool {
        let size: u32 = group.iter().map(|(_, rows)| *rows).sum();
        if let Some(failing) = self.property.least_failing(size) {
            return self.is_crowded(group, size, failing);
        }
        let shares = group.iter().map(|(class, rows)| Share {
            counts: &self.classes[*class as usize].counts,
            rows: *rows,
        });
        let shares: Vec<Share<'_>> = shares.collect();
        let mut counts = vec![0; self.chain.values()];
        if group
            .iter()
            .all(|(class, rows)| self.classes[*class as usize].size() == *rows)
        {
            let held = shares.iter().flat_map(|share| share.counts);
            held.for_each(|(value, rows)| counts[*value as usize] += rows);
            return !self.property.passes(&counts);
        }
        let mut passed = false;
        let ended = deal(&shares, GROUP_MOVES.min(*moves), &mut |taken| {
            taken
                .iter()
                .for_each(|(value, rows)| counts[*value as usize] += rows);
            passed = self.property.passes(&counts);
            taken
                .iter()
                .for_each(|(value, _)| counts[*value as usize] = 0);
            *moves = moves.saturating_sub(taken.len());
            !passed
        });
        ended && !passed
    }

    /// Whether there are too few other values to keep every value below the count that fails. For a group within one class this is
    /// exact; for others it is enough, not needed.
    fn is_crowded(&self, group: &[(u32, u32)], size: u32, failing: u32) -> bool {
        let most = failing.saturating_sub(1);
        let mut least: FxHashMap<u32, u32> = FxHashMap::default();
        let mut room: FxHashMap<u32, u32> = FxHashMap::default();
        for (class, rows) in group {
            let class = &self.classes[*class as usize];
            let mut within = 0_u64;
            for (value, count) in &class.counts {
                let others = class.size() - count;
                *least.entry(*value).or_default() += rows.saturating_sub(others);
                *room.entry(*value).or_default() += (*count).min(*rows);
                within += u64::from((*count).min(most));
            }
            if within < u64::from(*rows) {
                return true;
            }
        }
        // Hash maps are looked at as a whole: their order does not matter.
        let forced = least.values().any(|rows| *rows > most);
        let room: u64 = room.values().map(|rows| u64::from((*rows).min(most))).sum();
        forced || room < u64::from(size)
    }

    /// The belief of a kind where nothing but the class is known.
    pub(super) fn plain(&self, kind: usize) -> Believed {
        let (class, first_row) = self.kinds[kind];
        let class = &self.classes[class as usize];
        let bounds = class.counts.iter().map(|(value, count)| {
            let share = fraction(*count, class.size());
            (*value, share.clone(), share)
        });
        Believed {
            rows: u64::from(class.size()),
            first_row,
            bounds: bounds.collect(),
        }
    }

    /// How many tables the release allows.
    pub(super) fn tables(&self) -> BigUint {
        let classes = self.classes.iter();
        product(
            classes
                .map(|class| arrangements(&class.multiplicities()))
                .collect(),
        )
    }
}

/// The classes of a partition with their histograms.
pub(super) fn classes_of(partition: &Partition, values: &[u32]) -> Vec<Class> {
    let members = partition.members().into_iter();
    let class = |rows: Vec<u32>| {
        let mut held: Vec<u32> = rows.iter().map(|row| values[*row as usize]).collect();
        held.sort_unstable();
        let runs = held.chunk_by(|left, right| left == right);
        Class {
            counts: runs.map(|run| (run[0], run.len() as u32)).collect(),
            rows,
        }
    };
    members.map(class).collect()
}

/// The steps that refine no other, the first of equal ones.
fn coarsest(steps: &[Partition]) -> Vec<&Partition> {
    let mut kept: Vec<&Partition> = Vec::new();
    for step in steps {
        if !kept.iter().any(|coarse| step.refines(coarse)) {
            kept.retain(|fine| !fine.refines(step));
            kept.push(step);
        }
    }
    kept
}

/// The steps without repetitions.
fn distinct(steps: &[Partition]) -> Vec<&Partition> {
    let mut kept: Vec<&Partition> = Vec::new();
    for step in steps {
        if !kept.contains(&step) {
            kept.push(step);
        }
    }
    kept
}
