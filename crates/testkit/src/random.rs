//! Small random problems from a seed.
//!
//! **Definition.** `SplitMix64`: the state grows by a constant, the output is the mixed state. A problem has up to so many rows,
//! columns and levels; each hierarchy is balanced and nested (an equal label at one level has an equal label at the next) and ends
//! in a single top.
//! **Reading.** A label names its column, level and number ("c0l1v2"), so that no label occurs at two levels. About a third of the
//! rows repeat an earlier row. Values beyond the data, weights (nought among them, never all), persons with several rows and a
//! sensitive column each come only sometimes.

use std::collections::BTreeMap;

use crate::Problem;

/// A tiny seeded generator.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of that seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; the slight bias is of no matter here.
    ///
    /// # Panics
    /// When the bound is nought.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below nought");
        (self.next_u64() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both among them.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A random problem: 1 to `max_rows` rows, 1 to `max_columns` columns, heights of 1 to `max_levels`.
///
/// # Panics
/// When a maximum is zero.
#[must_use]
pub fn random_problem(
    seed: u64,
    max_rows: usize,
    max_columns: usize,
    max_levels: usize,
) -> Problem {
    let mut random = SplitMix64::new(seed);
    let columns = random.between(1, max_columns);
    let chains: Vec<_> = (0..columns)
        .map(|column| random_chains(&mut random, column, max_levels))
        .collect();
    let count = random.between(1, max_rows);
    let rows = random_rows(&mut random, &chains, count);
    Problem {
        columns: (0..columns).map(|column| format!("c{column}")).collect(),
        weights: random_weights(&mut random, columns),
        persons: random
            .once_in(3)
            .then(|| random_persons(&mut random, count)),
        sensitive: random_sensitive(&mut random, count),
        rows,
        chains,
    }
}

/// One hierarchy, from the leaves up: each vertex of a level gets a parent among fewer or equally many above.
fn random_chains(
    random: &mut SplitMix64,
    column: usize,
    max_levels: usize,
) -> BTreeMap<String, Vec<String>> {
    let height = random.between(1, max_levels);
    let leaves = random.between(1, 8);
    let mut paths: Vec<Vec<usize>> = (0..leaves).map(|leaf| vec![leaf]).collect();
    let mut width = leaves;
    for level in 1..=height {
        let above = if level == height {
            1
        } else {
            random.between(1, width)
        };
        let parents: Vec<usize> = (0..width).map(|_| random.below(above)).collect();
        for path in &mut paths {
            path.push(parents[path[level - 1]]);
        }
        width = above;
    }
    let label = |(level, vertex): (usize, &usize)| format!("c{column}l{level}v{vertex}");
    paths
        .iter()
        .map(|path| path.iter().enumerate().map(label).collect::<Vec<_>>())
        .map(|chain| (chain[0].clone(), chain))
        .collect()
}

fn random_rows(
    random: &mut SplitMix64,
    chains: &[BTreeMap<String, Vec<String>>],
    count: usize,
) -> Vec<Vec<String>> {
    // Half of the columns keep some values of the domain out of the data.
    let used: Vec<Vec<&String>> = chains
        .iter()
        .map(|chains| {
            let seen = if random.once_in(2) {
                random.between(1, chains.len())
            } else {
                chains.len()
            };
            chains.keys().take(seen).collect()
        })
        .collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for _ in 0..count {
        let row = if !rows.is_empty() && random.once_in(3) {
            rows[random.below(rows.len())].clone()
        } else {
            used.iter()
                .map(|values| values[random.below(values.len())].clone())
                .collect()
        };
        rows.push(row);
    }
    rows
}

fn random_weights(random: &mut SplitMix64, columns: usize) -> Vec<(u64, u64)> {
    if !random.once_in(3) {
        return vec![(1, 1); columns];
    }
    let mut weights: Vec<(u64, u64)> = (0..columns)
        .map(|_| {
            let part = if random.once_in(8) {
                0
            } else {
                random.between(1, 5)
            };
            (part as u64, random.between(1, 4) as u64)
        })
        .collect();
    if weights.iter().all(|&(part, _)| part == 0) {
        weights[0].0 = 1;
    }
    weights
}

fn random_persons(random: &mut SplitMix64, count: usize) -> Vec<u32> {
    let persons = random.between(1, count);
    (0..count).map(|_| random.below(persons) as u32).collect()
}

fn random_sensitive(random: &mut SplitMix64, count: usize) -> Vec<Vec<String>> {
    if random.once_in(2) {
        return Vec::new();
    }
    let values = random.between(1, 4);
    vec![
        (0..count)
            .map(|_| format!("s0v{}", random.below(values)))
            .collect(),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{SplitMix64, random_problem};

    #[test]
    fn the_generator_is_the_published_splitmix64() {
        // The first numbers of seed 1234567, as printed with the reference implementation.
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn one_seed_gives_one_problem() {
        let [once, again] = [7, 7].map(|seed| format!("{:?}", random_problem(seed, 9, 3, 3)));
        assert_eq!(once, again);
    }

    #[test]
    fn hierarchies_are_balanced_nested_and_end_in_one_top() {
        for seed in 0..300 {
            let problem = random_problem(seed, 12, 4, 4);
            for chains in &problem.chains {
                let length = chains.values().next().unwrap().len();
                let mut parents = BTreeMap::new();
                for (value, chain) in chains {
                    assert_eq!((value, length), (&chain[0], chain.len()));
                    for step in chain.windows(2) {
                        let parent = parents.entry(&step[0]).or_insert(&step[1]);
                        assert_eq!(*parent, &step[1]);
                    }
                    assert!(chain[length - 1].ends_with("v0"));
                }
            }
        }
    }

    #[test]
    fn problems_keep_to_their_bounds_and_every_kind_occurs() {
        let problems: Vec<_> = (0..300)
            .map(|seed| random_problem(seed, 12, 4, 3))
            .collect();
        for problem in &problems {
            let count = problem.rows.len();
            assert!((1..=12).contains(&count) && (1..=4).contains(&problem.columns.len()));
            assert!(
                problem
                    .heights()
                    .iter()
                    .all(|height| (1..=3).contains(height))
            );
            assert!(problem.weights.iter().any(|&(part, _)| part > 0));
            assert!(
                problem
                    .persons
                    .as_ref()
                    .is_none_or(|persons| persons.len() == count)
            );
            assert!(problem.sensitive.iter().all(|values| values.len() == count));
        }
        assert!(problems.iter().any(|problem| problem.persons.is_some()));
        assert!(problems.iter().any(|problem| problem.sensitive.is_empty()));
        assert!(problems.iter().any(|problem| problem.weights[0] != (1, 1)));
    }
}
