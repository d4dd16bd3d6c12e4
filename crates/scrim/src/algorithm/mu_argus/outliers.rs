//! Step 3: the combinations of values that occur too rarely.
//!
//! The counts of a combination are those of the node at which all other attributes are at their tops, rolled up from the
//! tuples at hand: a hash probe a tuple.

use rayon::prelude::*;

use super::is_large;
use crate::algorithm::{Progress, Task, Watch};
use crate::error::Error;
use crate::frequency::FrequencySet;
use crate::hierarchy::{Ladder, Level};
use crate::recoding::Node;

/// How many combinations are counted between two looks at the watch.
const BATCH: usize = 64;

/// The most bits that outliers may take: 8 GiB.
const MOST_BITS: usize = 1 << 36;

/// The outlying tuples of each tested combination.
#[derive(Clone, Debug)]
pub struct Outliers {
    combinations: Vec<Combination>,
}

#[derive(Clone, Debug)]
struct Combination {
    attributes: Vec<usize>,
    /// A bit for each tuple; none where no tuple is outlying.
    tuples: Vec<u64>,
    rows: u64,
}

/// What a test found, for the data holder: numbers and names of columns, no values.
#[derive(Clone, Debug)]
pub struct Tested<'a> {
    /// The quasi-identifiers with their levels and tops.
    pub columns: Vec<(&'a str, Level, Level)>,
    /// Each tested combination, by the numbers of its columns, and how many rows are outliers by it.
    pub combinations: Vec<(&'a [usize], u64)>,
}

impl Outliers {
    pub(super) fn find(
        task: &Task<'_>,
        set: &FrequencySet,
        tested: &[Vec<usize>],
        checked: &mut u64,
        watch: &mut dyn Watch,
    ) -> Result<Self, Error> {
        if tested.len().saturating_mul(set.len()) > MOST_BITS {
            return Err(Error::Infeasible {
                what: format!(
                    "mu-argus remembers each outlier of {} combinations among {} tuples, which is too much",
                    tested.len(),
                    set.len()
                ),
                hint: Some("give fewer columns the role `quasi`".to_owned()),
            });
        }
        let stop = watch.stop();
        let mut tell = |checked: u64| {
            watch.step(&Progress {
                doing: "testing combinations",
                checked,
                decided: None,
                best: Some(set.node().clone()),
                cost: None,
            })
        };
        let mut combinations = Vec::with_capacity(tested.len());
        for batch in tested.chunks(BATCH) {
            tell(*checked)?;
            // Where the search must stop, combinations are missing, and the next step ends it.
            let counted = batch
                .par_iter()
                .filter(|_| !stop.is_set())
                .map(|attributes| count(task, set, attributes));
            combinations.extend(counted.collect::<Vec<_>>());
            *checked += batch.len() as u64;
        }
        tell(*checked)?;
        Ok(Self { combinations })
    }

    /// The combinations by which a tuple is an outlier.
    pub fn of_tuple(&self, tuple: usize) -> impl Iterator<Item = &[usize]> {
        self.combinations
            .iter()
            .filter(move |combination| combination.has(tuple))
            .map(|combination| &combination.attributes[..])
    }

    /// For the data holder.
    pub(super) fn told<'a>(&'a self, task: &Task<'a>, node: &Node) -> Tested<'a> {
        let column =
            |(ladder, level): (&'a Ladder, &Level)| (ladder.name(), *level, ladder.height());
        let combinations = self.combinations.iter();
        Tested {
            columns: task.ladders.iter().zip(node.levels()).map(column).collect(),
            combinations: combinations
                .map(|combination| (&combination.attributes[..], combination.rows))
                .collect(),
        }
    }
}

impl Combination {
    fn has(&self, tuple: usize) -> bool {
        let word = self.tuples.get(tuple / 64);
        word.is_some_and(|word| word >> (tuple % 64) & 1 == 1)
    }
}

fn count(task: &Task<'_>, set: &FrequencySet, attributes: &[usize]) -> Combination {
    let mut node = task.lattice().top();
    for at in attributes {
        node = node.with(*at, set.node().levels()[*at]);
    }
    let (counted, targets) = set.roll_up_with_map(task.ladders, &node);
    let rare: Vec<bool> = counted
        .classes()
        .map(|class| !is_large(task, class))
        .collect();
    let sizes = rare.iter().zip(counted.rows());
    let rows = sizes.filter(|(rare, _)| **rare).map(|(_, rows)| rows).sum();
    let mut tuples = Vec::new();
    if rows > 0 {
        tuples = vec![0u64; set.len().div_ceil(64)];
        for (tuple, target) in targets.iter().enumerate() {
            tuples[tuple / 64] |= u64::from(rare[*target as usize]) << (tuple % 64);
        }
    }
    Combination {
        attributes: attributes.to_vec(),
        tuples,
        rows,
    }
}
