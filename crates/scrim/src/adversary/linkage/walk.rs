//! From each distinct external tuple to the classes that cover it.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Links;
use super::hidden::{Certainty, Scratch, Told};
use crate::adversary::covering::Covering;
use crate::adversary::tuples::Tuples;
use crate::error::Error;

/// Tuples that one thread takes at a time.
const BATCH: usize = 4_096;
/// Tuples after which is told how far it is.
const STRETCH: usize = 64 * BATCH;

/// Hears how much of all is done; an error stops the work.
pub type Tell<'a> = dyn FnMut(u64, u64) -> Result<(), Error> + 'a;

/// What is found about somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    /// Matching rows.
    pub(super) rows: u64,
    /// What they tell about the sensitive value for sure.
    pub(super) certainty: Certainty,
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
pub fn covered(
    covering: &Covering<'_>,
    external: &Tuples,
    classes: usize,
    tell: &mut Tell<'_>,
) -> Result<Vec<u64>, Error> {
    let all = external.first_rows().len() as u64;
    let stretches = external.first_rows().chunks(STRETCH);
    let mut counts = vec![0; classes];
    let mut done = 0;
    for (rows, persons) in stretches.zip(external.settled().chunks(STRETCH)) {
        let more = covered_by(covering, rows, persons, classes);
        counts = added(counts, more);
        done += rows.len() as u64;
        tell(done, all)?;
    }
    for tuples in external.movers() {
        let own = union(&apart(covering, external, tuples));
        own.iter().for_each(|class| counts[*class as usize] += 1);
    }
    Ok(counts)
}

fn added(mut left: Vec<u64>, right: Vec<u64>) -> Vec<u64> {
    left.iter_mut()
        .zip(right)
        .for_each(|(left, right)| *left += right);
    left
}

/// The same of some of them.
fn covered_by(
    covering: &Covering<'_>,
    rows: &[usize],
    persons: &[u64],
    classes: usize,
) -> Vec<u64> {
    let batches = rows.par_chunks(BATCH).zip(persons.par_chunks(BATCH));
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
    // A list of counts for each of a few parts, not for each batch.
    batches
        .with_min_len(rows.len().div_ceil(BATCH * 8).max(1))
        .fold(|| vec![0; classes], count)
        .reduce(|| vec![0; classes], added)
}

/// The classes that cover each of somebody's tuples.
fn apart(covering: &Covering<'_>, external: &Tuples, tuples: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let of = |(_, tuple): &(u32, u32)| {
        let mut own = Vec::new();
        let row = external.first_rows()[*tuple as usize];
        covering.of(row, &mut |class| own.push(class));
        own
    };
    tuples.iter().map(of).collect()
}

/// The classes that cover any of them, ascending.
fn union(apart: &[Vec<u32>]) -> Vec<u32> {
    let mut own = apart.concat();
    own.sort_unstable();
    own.dedup();
    own
}

/// Looks at everybody.
pub(super) fn judge(
    links: &Links<'_>,
    told: Option<&Told<'_>>,
    tell: &mut Tell<'_>,
) -> Result<Found, Error> {
    let sizes = links.release.sizes();
    let rows_of = |classes: &[u32]| classes.iter().map(|class| sizes[*class as usize]).sum();
    let certainty =
        |classes: &[u32]| told.map_or(Certainty::Nothing, |told| told.certainty(classes));
    let rows = links.external.first_rows();
    let batch = |rows: &[usize]| {
        let (mut classes, mut scratch) = (Vec::new(), Scratch::default());
        let found = rows.iter().map(|row| {
            classes.clear();
            links.covering.of(*row, &mut |class| classes.push(class));
            let rows = rows_of(&classes);
            Match {
                rows,
                certainty: certainty(&classes),
                above: told.is_some_and(|told| told.is_above(&classes, rows, &mut scratch)),
            }
        });
        found.collect::<Vec<Match>>()
    };
    let mut settled: Vec<Match> = Vec::with_capacity(rows.len());
    for stretch in rows.chunks(STRETCH) {
        settled.par_extend(stretch.par_chunks(BATCH).flat_map_iter(batch));
        tell(settled.len() as u64, rows.len() as u64)?;
    }
    let mut scratch = Scratch::default();
    let mut movers = FxHashMap::default();
    for tuples in links.external.movers() {
        let apart = apart(links.covering, links.external, tuples);
        let own = union(&apart);
        let rows = rows_of(&own);
        let above = |told: &Told<'_>| told.is_above_over(&apart, &own, rows, &mut scratch);
        if let Some((person, _)) = tuples.first() {
            let found = Match {
                rows,
                certainty: certainty(&own),
                above: told.is_some_and(above),
            };
            movers.insert(*person, found);
        }
    }
    Ok(Found { settled, movers })
}
