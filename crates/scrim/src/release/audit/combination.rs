//! Why a table is not k-anonymous: few columns whose published values, together, are too rare.
//!
//! **Definition.** Columns and a value of each, as published, that fewer than k rows, or persons, show together.
//! **Reading.** Of all sets of quasi-identifiers one with the fewest columns, then the first in policy order, then that of the
//! first class. All spellings of suppression are one value, and a rare one tells rows apart as any other. Where there are too
//! many sets to try, columns are left out one by one as long as the rest is too rare, and `smallest` is false.
//! **Cost.** O(classes) a set, up to a limit.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::classes::{Classes, normal};
use super::promises::sizes_of;
use super::{Known, find, told};
use crate::error::Error;
use crate::release::policy::{ModelSpec, Policy, Unit};
use crate::table::{Column, Role, Table};

/// The most hash probes that the search for the smallest set may take.
const MOST_PROBES: u128 = 1 << 28;
/// The most sets of one size.
const MOST_SETS: u128 = 1 << 20;

/// Columns whose published values, together, are too rare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RareCombination {
    /// The values, by column.
    pub values: Map<String, Value>,
    /// How many show them.
    pub found: u64,
    /// How many should.
    pub k: u64,
    /// What is counted: rows or persons.
    pub counted: &'static str,
    /// Whether no set of fewer columns has values that are too rare.
    pub smallest: bool,
    /// The classes that are too small.
    pub classes_below: u64,
    /// Their rows.
    pub rows_below: u64,
}

/// A smallest combination that breaks the first broken k-anonymity promise of a policy; nothing where none is broken.
pub fn rare_combination(
    policy: &Policy,
    table: &Table,
    file: &str,
    known: &Known<'_>,
) -> Result<Option<RareCombination>, Error> {
    let quasi = find(policy, table, file, Role::Quasi)?;
    let sensitive = find(policy, table, file, Role::Sensitive)?;
    let told = told(policy, table, &sensitive);
    let classes = Classes::of(&quasi, &told, !sensitive.is_empty(), table);
    for model in &policy.privacy {
        // Where a promise about some columns is broken, its own witness names a class of them.
        let ModelSpec::KAnonymity {
            k,
            unit,
            columns: None,
        } = model.spec
        else {
            continue;
        };
        let persons = known.persons.filter(|_| unit == Unit::Person);
        let sizes = sizes_of(&classes, persons);
        let below: Vec<usize> = classes.judged().filter(|at| sizes[*at] < k).collect();
        let Some(first) = below.first() else {
            continue;
        };
        let shown = Shown::new(&quasi, &classes, persons);
        let least = shown.smallest(k, &below);
        let smallest = least.is_some();
        let (columns, class, found) = least.unwrap_or_else(|| {
            let (columns, found) = shown.shrunk(k, *first);
            (columns, *first, found)
        });
        let row = classes.first_row(class);
        let value = |at: &usize| (quasi[*at].name().to_owned(), json!(quasi[*at].text(row)));
        return Ok(Some(RareCombination {
            values: columns.iter().map(value).collect(),
            found,
            k,
            counted: if persons.is_some() { "persons" } else { "rows" },
            smallest,
            classes_below: below.len() as u64,
            rows_below: below.iter().map(|at| classes.size(*at)).sum(),
        }));
    }
    Ok(None)
}

/// What the classes show, and who is in them.
struct Shown {
    /// The value of each class, by column.
    values: Vec<Vec<u32>>,
    sizes: Vec<u64>,
    /// The persons of the classes, each once a class, where persons are counted.
    persons: Option<Vec<(u32, u32)>>,
}

impl Shown {
    fn new(quasi: &[&Column], classes: &Classes, persons: Option<&[u32]>) -> Self {
        let value = |column: &&Column| {
            let normal = normal(column);
            let code = |class: usize| column.codes().get(classes.first_row(class));
            (0..classes.count())
                .map(|class| normal[code(class) as usize])
                .collect()
        };
        let pairs = |persons: &[u32]| {
            let pairs = classes.class_of_row().iter().copied();
            let mut pairs: Vec<(u32, u32)> = pairs.zip(persons.iter().copied()).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        Self {
            values: quasi.iter().map(value).collect(),
            sizes: (0..classes.count()).map(|at| classes.size(at)).collect(),
            persons: persons.map(pairs),
        }
    }

    /// How many show each class's values of some columns.
    fn counts(&self, columns: &[usize]) -> Vec<u64> {
        let mut group = vec![0u32; self.sizes.len()];
        for column in columns {
            let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (group, value) in group.iter_mut().zip(&self.values[*column]) {
                let next = numbers.len() as u32;
                *group = *numbers.entry((*group, *value)).or_insert(next);
            }
        }
        let mut counts = vec![0u64; self.sizes.len()];
        if let Some(persons) = &self.persons {
            let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
            for (class, person) in persons {
                let group = group[*class as usize];
                counts[group as usize] += u64::from(seen.insert((group, *person)));
            }
        } else {
            let classes = group.iter().zip(&self.sizes);
            classes.for_each(|(group, size)| counts[*group as usize] += size);
        }
        group.iter().map(|group| counts[*group as usize]).collect()
    }

    /// A smallest rare set, the class that shows it, and how many do; nothing where there are too many sets. Whoever shows
    /// rare values is in a class that is too small, so only those are looked at.
    fn smallest(&self, k: u64, below: &[usize]) -> Option<(Vec<usize>, usize, u64)> {
        let columns = self.values.len();
        let units = self.persons.as_ref().map_or(self.sizes.len(), Vec::len) as u128;
        let mut probes = 0;
        for size in 1..=columns {
            let sets = binomial(columns as u128, size as u128);
            probes += sets.saturating_mul(size as u128 * units);
            if sets > MOST_SETS || probes > MOST_PROBES {
                return None;
            }
            let rare = |set: Vec<usize>| {
                let counts = self.counts(&set);
                let class = below.iter().copied().find(|class| counts[*class] < k)?;
                Some((set, class, counts[class]))
            };
            let sets = subsets(columns, size);
            if let Some(found) = sets.into_par_iter().find_map_first(rare) {
                return Some(found);
            }
        }
        None
    }

    /// The columns of a class without those that are not needed to make it rare.
    fn shrunk(&self, k: u64, class: usize) -> (Vec<usize>, u64) {
        let mut columns: Vec<usize> = (0..self.values.len()).collect();
        let mut found = self.counts(&columns)[class];
        for column in (0..self.values.len()).rev() {
            let fewer: Vec<usize> = columns.iter().copied().filter(|at| *at != column).collect();
            let count = self.counts(&fewer)[class];
            if count < k {
                (columns, found) = (fewer, count);
            }
        }
        (columns, found)
    }
}

/// All sets of so many of the first numbers, in order.
fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = |set: Vec<usize>| {
            let from = set.last().map_or(0, |last| last + 1);
            (from..of).map(move |next| [&set[..], &[next]].concat())
        };
        sets = sets.into_iter().flat_map(longer).collect();
    }
    sets
}

fn binomial(of: u128, size: u128) -> u128 {
    (0..size).fold(1u128, |sets, at| {
        sets.saturating_mul(of.saturating_sub(at)) / (at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rows: &[[u32; 4]]) -> Shown {
        Shown {
            values: (0..4)
                .map(|at| rows.iter().map(|row| row[at]).collect())
                .collect(),
            sizes: vec![1; rows.len()],
            persons: None,
        }
    }

    #[test]
    fn all_zeros_and_ones_are_rare_in_four_columns_and_in_no_fewer() {
        let rows: Vec<[u32; 4]> = (0..16)
            .map(|row| [row >> 3 & 1, row >> 2 & 1, row >> 1 & 1, row & 1])
            .collect();
        let below: Vec<usize> = (0..16).collect();
        let found = shown(&rows).smallest(2, &below);
        assert_eq!(found, Some((vec![0, 1, 2, 3], 0, 1)));
        // Four rows share each pair of values, two each triple.
        assert_eq!(
            shown(&rows).smallest(3, &below),
            Some((vec![0, 1, 2], 0, 2))
        );
    }

    #[test]
    fn columns_that_are_not_needed_are_left_out() {
        let rows = [[0, 0, 0, 7], [0, 0, 0, 8], [1, 0, 0, 7], [1, 0, 0, 8]];
        assert_eq!(shown(&rows).shrunk(2, 3), (vec![0, 3], 1));
        assert_eq!(
            shown(&rows).smallest(2, &[0, 1, 2, 3]),
            Some((vec![0, 3], 0, 1))
        );
    }

    #[test]
    fn a_person_with_several_rows_counts_once() {
        let mut shown = shown(&[[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]]);
        assert_eq!(shown.counts(&[0]), [2, 2, 2, 2]);
        shown.persons = Some(vec![(0, 5), (1, 5), (2, 6), (3, 7)]);
        assert_eq!(shown.counts(&[0]), [1, 1, 2, 2]);
    }

    #[test]
    fn sets_are_counted_as_they_are_listed() {
        for (of, size) in [(4, 1), (4, 2), (7, 3), (5, 5), (3, 4)] {
            let sets = subsets(of, size);
            assert_eq!(sets.len() as u128, binomial(of as u128, size as u128));
            assert!(sets.is_sorted());
        }
        assert_eq!(binomial(60, 30), 118_264_581_564_861_424);
    }
}
