//! Draws from the disclosure set, with bounds that hold with the confidence that the policy asks for.

use num_bigint::BigInt;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::set::{Belief, Found, Secret};
use crate::random::Random;

/// How many tables are drawn at once on one thread.
const CHUNK: u64 = 250;

/// How many rows may be shuffled in all.
const WORK: u64 = 1_000_000_000;

/// The stages, each with so many more tables than the one before.
const STAGES: u32 = 6;

/// So many possible tables show roughly where the shares will be.
const ENOUGH: u64 = 2_000;

/// Bounds are rounded outward to parts of this.
const PARTS: u64 = 1 << 30;

/// What was drawn: accepted tables, and how often each atom had each value in them.
#[derive(Clone)]
struct Drawn {
    accepted: u64,
    counts: Vec<u64>,
}

impl Secret<'_> {
    /// Bounds of what is believed, as soon as they keep the promises; none where they never do.
    pub(super) fn draw(&self, seed: u64, doubt: f64) -> Option<Found> {
        let (atom_of_row, first) = self.atoms();
        let mut sizes = vec![0u64; first.len()];
        atom_of_row
            .iter()
            .for_each(|atom| sizes[*atom as usize] += 1);
        let members = members(self.released);
        let groups: Vec<Vec<Vec<usize>>> = self
            .refused
            .iter()
            .map(|groups| members_of(groups))
            .collect();
        let most = (WORK / self.released.len().max(1) as u64).max(CHUNK);
        let mut drawn = Drawn {
            accepted: 0,
            counts: vec![0; first.len() * self.width()],
        };
        let mut tables = 0;
        for stage in 0..STAGES {
            let chunks = (2 * 4u64.pow(stage)).min((most - tables).div_ceil(CHUNK));
            let start = tables / CHUNK;
            let parts: Vec<Drawn> = (start..start + chunks)
                .into_par_iter()
                .map(|chunk| {
                    let mixed = seed.wrapping_add(chunk.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                    self.chunk(
                        Random::new(mixed),
                        &members,
                        &groups,
                        &atom_of_row,
                        first.len(),
                    )
                })
                .collect();
            tables += chunks * CHUNK;
            for part in parts {
                drawn.accepted += part.accepted;
                let sums = drawn.counts.iter_mut().zip(&part.counts);
                sums.for_each(|(sum, count)| *sum += count);
            }
            if drawn.accepted > 0 {
                let doubt = doubt / f64::from(STAGES);
                let keeps = |accepted: u64| {
                    let margin = self.margin(accepted, first.len(), doubt);
                    let beliefs = self.bounds(&drawn, margin, &first, &sizes);
                    let all = beliefs.iter().all(|belief| belief.keeps(self.judge));
                    all.then_some(beliefs)
                };
                if let Some(beliefs) = keeps(drawn.accepted) {
                    return Some(Found {
                        method: "sampling",
                        size: None,
                        beliefs,
                    });
                }
                // What would not be enough if all tables were like these is not worth drawing.
                let in_all = (drawn.accepted as f64 * most as f64 / tables as f64) as u64;
                if drawn.accepted >= ENOUGH && keeps(in_all).is_none() {
                    break;
                }
            }
            if tables >= most {
                break;
            }
        }
        None
    }

    fn chunk(
        &self,
        mut random: Random,
        classes: &[Vec<usize>],
        groups: &[Vec<Vec<usize>>],
        atom_of_row: &[u32],
        atoms: usize,
    ) -> Drawn {
        let width = self.width();
        let mut values = self.values.to_vec();
        let mut drawn = Drawn {
            accepted: 0,
            counts: vec![0; atoms * width],
        };
        // Groups that failed before are looked at first.
        let mut orders: Vec<Vec<usize>> = groups
            .iter()
            .map(|groups| (0..groups.len()).collect())
            .collect();
        let mut known: FxHashMap<Vec<u32>, bool> = FxHashMap::default();
        for _ in 0..CHUNK {
            for class in classes {
                for at in (1..class.len()).rev() {
                    values.swap(class[at], class[random.index(at + 1)]);
                }
            }
            let mut fails = |groups: &Vec<Vec<usize>>, order: &mut Vec<usize>| {
                let failing = order.iter().position(|group| {
                    let mut counts = vec![0u32; width];
                    groups[*group]
                        .iter()
                        .for_each(|row| counts[values[*row] as usize] += 1);
                    if groups[*group].len() > 12 {
                        return !self.judge.passes(&counts);
                    }
                    !*known
                        .entry(counts)
                        .or_insert_with_key(|counts| self.judge.passes(counts))
                });
                if let Some(at) = failing {
                    order.swap(0, at);
                }
                failing.is_some()
            };
            if groups
                .iter()
                .zip(&mut orders)
                .all(|(groups, order)| fails(groups, order))
            {
                drawn.accepted += 1;
                for (atom, value) in atom_of_row.iter().zip(&values) {
                    drawn.counts[*atom as usize * width + *value as usize] += 1;
                }
            }
        }
        drawn
    }

    /// How far a share may be off, in parts, rounded up.
    fn margin(&self, accepted: u64, atoms: usize, doubt: f64) -> u64 {
        let pairs = (atoms * self.width()) as f64;
        let margin = ((2.0 * pairs / doubt).ln() / (2.0 * accepted as f64)).sqrt();
        (margin * PARTS as f64 * (1.0 + 1e-9)).ceil() as u64 + 1
    }

    fn bounds(&self, drawn: &Drawn, margin: u64, first: &[usize], sizes: &[u64]) -> Vec<Belief> {
        let width = self.width();
        let histograms = self.histograms(self.released);
        let belief = |(atom, row): (usize, &usize)| {
            let class = &histograms[self.released[*row] as usize];
            let whole = BigInt::from(sizes[atom]) * drawn.accepted;
            let total = &whole * PARTS;
            let counts = &drawn.counts[atom * width..(atom + 1) * width];
            let off = &whole * margin;
            let bound = |(count, there): (&u64, &u32)| {
                if *there == 0 {
                    return (BigInt::ZERO, BigInt::ZERO);
                }
                let share = BigInt::from(*count) * PARTS;
                (
                    (&share - &off).max(BigInt::ZERO),
                    (&share + &off).min(total.clone()),
                )
            };
            let (low, high) = counts.iter().zip(class).map(bound).unzip();
            Belief {
                row: *row,
                rows: class.iter().map(|count| u64::from(*count)).sum(),
                total,
                low,
                high,
            }
        };
        first.iter().enumerate().map(belief).collect()
    }
}

/// The rows of each group.
fn members_of(groups: &[u32]) -> Vec<Vec<usize>> {
    let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
    let mut all = vec![Vec::new(); count];
    for (row, group) in groups.iter().enumerate() {
        all[*group as usize].push(row);
    }
    all
}

/// The rows of each group that has more than one.
fn members(groups: &[u32]) -> Vec<Vec<usize>> {
    let mut all = members_of(groups);
    all.retain(|rows| rows.len() > 1);
    all
}
