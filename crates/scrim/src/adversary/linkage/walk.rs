//! From each distinct external tuple to the classes that cover it.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Links;
use super::hidden::{Scratch, Told};
use crate::adversary::covering::Covering;
use crate::adversary::tuples::Tuples;

/// Tuples that one thread takes at a time.
const BATCH: usize = 4_096;

/// What is found about somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    /// Matching rows.
    pub(super) rows: u64,
    /// Whether they show one sensitive value.
    pub(super) certain: bool,
    /// Whether the probability of some value is above the limit.
    pub(super) above: bool,
}

/// What is found about everybody.
pub(super) struct Found {
    /// By external tuple: of persons who have no other.
    settled: Vec<Match>,
    /// Of persons with several.
    movers: FxHashMap<u32, Match>,
}

impl Found {
    /// What is found about a person with a tuple.
    pub(super) fn of(&self, tuple: u32, person: Option<u32>) -> &Match {
        let mover = person.and_then(|person| self.movers.get(&person));
        mover.unwrap_or(&self.settled[tuple as usize])
    }

    /// All matches, with how many persons have them.
    pub(super) fn persons<'a>(
        &'a self,
        external: &'a Tuples,
    ) -> impl Iterator<Item = (&'a Match, u64)> {
        let settled = self.settled.iter().zip(external.settled());
        let settled = settled.map(|(found, persons)| (found, *persons));
        let movers = external
            .movers()
            .filter_map(|own| self.movers.get(&own.first()?.0));
        settled
            .filter(|(_, persons)| *persons > 0)
            .chain(movers.map(|found| (found, 1)))
    }
}

/// How many external persons each class covers.
pub fn covered(covering: &Covering<'_>, external: &Tuples, classes: usize) -> Vec<u64> {
    let rows = external.first_rows();
    let batches = rows
        .par_chunks(BATCH)
        .zip(external.settled().par_chunks(BATCH));
    let count = |mut counts: Vec<u64>, (rows, persons): (&[usize], &[u64])| {
        for (row, persons) in rows
            .iter()
            .zip(persons)
            .filter(|(_, persons)| **persons > 0)
        {
            covering.of(*row, &mut |class| counts[class as usize] += persons);
        }
        counts
    };
    let add = |mut left: Vec<u64>, right: Vec<u64>| {
        left.iter_mut()
            .zip(right)
            .for_each(|(left, right)| *left += right);
        left
    };
    // A list of counts for each of a few parts, not for each batch.
    let mut counts = batches
        .with_min_len(rows.len().div_ceil(BATCH * 8).max(1))
        .fold(|| vec![0; classes], count)
        .reduce(|| vec![0; classes], add);
    let mut own = Vec::new();
    for tuples in external.movers() {
        union(covering, external, tuples, &mut own);
        own.iter().for_each(|class| counts[*class as usize] += 1);
    }
    counts
}

/// The classes that cover any of somebody's tuples, ascending.
fn union(covering: &Covering<'_>, external: &Tuples, tuples: &[(u32, u32)], own: &mut Vec<u32>) {
    own.clear();
    for (_, tuple) in tuples {
        let row = external.first_rows()[*tuple as usize];
        covering.of(row, &mut |class| own.push(class));
    }
    own.sort_unstable();
    own.dedup();
}

/// Looks at everybody.
pub(super) fn judge(links: &Links<'_>, told: Option<&Told<'_>>) -> Found {
    let sizes = links.release.sizes();
    let decide = |classes: &[u32], scratch: &mut Scratch| {
        let rows = classes.iter().map(|class| sizes[*class as usize]).sum();
        Match {
            rows,
            certain: told.is_some_and(|told| told.is_certain(classes)),
            above: told.is_some_and(|told| told.is_above(classes, rows, scratch)),
        }
    };
    let rows = links.external.first_rows();
    let batch = |rows: &[usize]| {
        let (mut classes, mut scratch) = (Vec::new(), Scratch::default());
        let found = rows.iter().map(|row| {
            classes.clear();
            links.covering.of(*row, &mut |class| classes.push(class));
            decide(&classes, &mut scratch)
        });
        found.collect::<Vec<Match>>()
    };
    let settled = rows.par_chunks(BATCH).flat_map_iter(batch).collect();
    let (mut own, mut scratch) = (Vec::new(), Scratch::default());
    let mut movers = FxHashMap::default();
    for tuples in links.external.movers() {
        union(links.covering, links.external, tuples, &mut own);
        if let Some((person, _)) = tuples.first() {
            movers.insert(*person, decide(&own, &mut scratch));
        }
    }
    Found { settled, movers }
}
