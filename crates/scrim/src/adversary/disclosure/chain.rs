//! A chain of partitions up to the released one.

use rustc_hash::FxHashMap;

use super::property::Property;

/// Rows in groups: the group number of each row, numbered by their first rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) of_row: Vec<u32>,
    pub(super) groups: u32,
}

impl Partition {
    /// The partition of these labels; what the labels are does not matter.
    pub(super) fn new(mut labels: Vec<u32>) -> Self {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for label in &mut labels {
            let next = numbers.len() as u32;
            *label = *numbers.entry(*label).or_insert(next);
        }
        Self {
            of_row: labels,
            groups: numbers.len() as u32,
        }
    }

    /// Whether no group of this one is cut by the other. Ends at the first row that shows it is.
    pub(super) fn refines(&self, other: &Self) -> bool {
        if self.groups < other.groups {
            return false;
        }
        let mut within: Vec<u32> = vec![u32::MAX; self.groups as usize];
        self.of_row.iter().zip(&other.of_row).all(|(own, others)| {
            let seen = &mut within[*own as usize];
            let same = *seen == u32::MAX || seen == others;
            *seen = *others;
            same
        })
    }

    /// The intersection: rows are together where they are in both.
    pub(super) fn meet(&self, other: &Self) -> Self {
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let pairs = self.of_row.iter().zip(&other.of_row);
        let of_row = pairs.map(|(own, others)| {
            let next = numbers.len() as u32;
            *numbers.entry((*own, *others)).or_insert(next)
        });
        let of_row: Vec<u32> = of_row.collect();
        Self {
            groups: numbers.len() as u32,
            of_row,
        }
    }

    /// The rows of each group, ascending.
    pub(super) fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.groups as usize];
        for (row, group) in (0..).zip(&self.of_row) {
            members[*group as usize].push(row);
        }
        members
    }

    /// How many rows each group has.
    pub(super) fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.groups as usize];
        for group in &self.of_row {
            sizes[*group as usize] += 1;
        }
        sizes
    }

    /// For each group the groups of another partition that it takes rows from, ascending, and how many.
    pub(super) fn pieces(&self, other: &Self) -> Vec<Vec<(u32, u32)>> {
        let mut pairs: Vec<(u32, u32)> = self
            .of_row
            .iter()
            .copied()
            .zip(other.of_row.iter().copied())
            .collect();
        pairs.sort_unstable();
        let mut pieces: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.groups as usize];
        for (own, others) in pairs {
            match pieces[own as usize].last_mut() {
                Some((last, rows)) if *last == others => *rows += 1,
                _ => pieces[own as usize].push((others, 1)),
            }
        }
        pieces
    }
}

/// A chain of partitions up to the released one, as an onlooker sees it who knows everybody's quasi-identifiers and the algorithm.
#[derive(Clone, Debug)]
pub struct Chain {
    values: Vec<u32>,
    count: usize,
    steps: Vec<Partition>,
}

impl Chain {
    /// The value number of each row, of which only the histogram of each released class is used, and the group of each row, step by
    /// step, the last one released. Nothing where there are no rows, no steps, or lengths differ.
    pub fn new(values: Vec<u32>, steps: Vec<Vec<u32>>) -> Option<Self> {
        let fits = steps.iter().all(|step| step.len() == values.len());
        let largest = *values.iter().max()?;
        // Tables of counts are indexed by value: numbers far beyond the rows are no numbering.
        let numbered = largest as usize <= values.len().saturating_mul(64) + 4096;
        if steps.is_empty() || !fits || !numbered {
            return None;
        }
        Some(Self {
            values,
            count: largest as usize + 1,
            steps: steps.into_iter().map(Partition::new).collect(),
        })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len()
    }

    /// How many value numbers there are.
    pub fn values(&self) -> usize {
        self.count
    }

    /// How many steps there are, the released one among them.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The value number of each row as it was given: one arrangement of those that the classes allow.
    pub(super) fn given(&self) -> &[u32] {
        &self.values
    }

    pub(super) fn earlier(&self) -> &[Partition] {
        self.steps.split_last().map_or(&[], |(_, earlier)| earlier)
    }

    /// The released partition; constructors see to it that there is one.
    pub(super) fn released(&self) -> &Partition {
        &self.steps[self.steps.len() - 1]
    }
}

/// Whether each group of a step passes for the given secret; groups by their numbers, empty ones pass.
///
/// `values` is how many value numbers there are.
pub fn passing(
    groups: &[u32],
    secret: &[u32],
    values: usize,
    property: &dyn Property,
) -> Vec<bool> {
    let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (group, value) in groups.iter().zip(secret) {
        members[*group as usize].push(*value);
    }
    let mut counts = vec![0; values];
    members
        .iter()
        .map(|held| held.is_empty() || held_passes(held, &mut counts, property))
        .collect()
}

/// Whether a group with these values passes; the counts are zero before and after.
pub(super) fn held_passes(held: &[u32], counts: &mut [u32], property: &dyn Property) -> bool {
    held.iter().for_each(|value| counts[*value as usize] += 1);
    let passes = property.passes(counts);
    held.iter().for_each(|value| counts[*value as usize] = 0);
    passes
}
