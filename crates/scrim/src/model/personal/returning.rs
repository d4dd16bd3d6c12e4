//! Persons with several rows of whom one has a guard: what they ask for counts in every class that has a row of theirs.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::tailor::{Demand, Frame, NONE};
use super::{Evidence, Wishes};
use crate::frequency::{Slice, Tracked};
use crate::table::Codes;

/// The code of all rows of other persons.
const OTHERS: u32 = 0;

/// The rows of persons with several rows and a guard.
#[derive(Clone, Debug)]
pub(super) struct Returning {
    /// By row, which of the pairs of person and guard it is.
    codes: Arc<Codes>,
    /// The pairs, by person; the first one stands for all rows of other persons.
    pairs: Vec<(u32, u32)>,
    /// The rows of each person.
    rows: Vec<u64>,
    /// The guards of each person that lie below no other of the same person.
    guards: Vec<Box<[u32]>>,
}

impl Returning {
    /// The persons of these rows; nothing where nobody with a guard has several.
    pub(super) fn new(wishes: &Wishes, person_of_row: &Codes) -> Option<Self> {
        let guard = |row: usize| {
            let guard = wishes.guards[wishes.codes.get(row) as usize];
            guard.map_or(NONE, |guard| guard.0)
        };
        let all = 0..person_of_row.len();
        let persons = all.clone().map(|row| person_of_row.get(row) as usize + 1);
        let persons = persons.max().unwrap_or(0);
        let mut rows = vec![0u64; persons];
        let mut asks = vec![false; persons];
        for row in all.clone() {
            let person = person_of_row.get(row) as usize;
            rows[person] += 1;
            asks[person] |= guard(row) != NONE;
        }
        let returns = |person: u32| rows[person as usize] > 1 && asks[person as usize];
        let mut pairs: Vec<(u32, u32)> = all
            .clone()
            .map(|row| (person_of_row.get(row), guard(row)))
            .filter(|(person, _)| returns(*person))
            .collect();
        if pairs.is_empty() {
            return None;
        }
        pairs.push((NONE, NONE));
        pairs.sort_unstable();
        pairs.dedup();
        // The pair of all others comes first.
        pairs.rotate_right(1);
        let code: FxHashMap<(u32, u32), u32> = pairs.iter().copied().zip(0..).collect();
        let codes = all.map(|row| {
            let pair = (person_of_row.get(row), guard(row));
            code.get(&pair).copied().unwrap_or(OTHERS)
        });
        let codes = Arc::new(Codes::collect(pairs.len(), codes));
        let mut guards: Vec<Box<[u32]>> = vec![Box::default(); persons];
        for own in pairs[1..].chunk_by(|left, right| left.0 == right.0) {
            let own_guards = own.iter().map(|(_, guard)| *guard);
            guards[own[0].0 as usize] = widest(&wishes.frame, own_guards).into();
        }
        Some(Self {
            codes,
            pairs,
            rows,
            guards,
        })
    }

    pub(super) fn tracked(&self, of: &str) -> Tracked {
        let name = format!("persons with several rows and wishes about {of}");
        Tracked::Made(name, Arc::clone(&self.codes))
    }

    /// The person and guard of each pair of a class, by person; and how many rows of the class have it.
    pub(super) fn pairs(&self, slice: Slice<'_>) -> impl Iterator<Item = (u32, u32, u64)> {
        slice
            .iter()
            .filter(|(code, _)| *code != OTHERS)
            .map(|(code, rows)| {
                let (person, guard) = self.pairs[code as usize];
                (person, guard, u64::from(rows))
            })
    }

    /// The guards of a person that count in every class with a row of the person; none of a person who does not return.
    pub(super) fn guards(&self, person: u32) -> &[u32] {
        &self.guards[person as usize]
    }

    /// How many of the persons have rows of different tuples.
    pub(super) fn spread(&self, tuple_of_row: &[u32]) -> u64 {
        let mut first: FxHashMap<u32, Option<u32>> = FxHashMap::default();
        for (row, tuple) in tuple_of_row.iter().enumerate() {
            let code = self.codes.get(row);
            if code != OTHERS {
                let person = self.pairs[code as usize].0;
                let known = first.entry(person).or_insert(Some(*tuple));
                *known = known.filter(|known| known == tuple);
            }
        }
        first.values().filter(|tuple| tuple.is_none()).count() as u64
    }

    /// What the persons of a class demand who have rows elsewhere: each of these may be in a class of its own.
    pub(super) fn demands(&self, evidence: &Evidence<'_>, need: usize) -> Vec<Demand> {
        let pairs: Vec<(u32, u32, u64)> = self.pairs(evidence.histogram(need)).collect();
        let mut demands = Vec::new();
        for own in pairs.chunk_by(|left, right| left.0 == right.0) {
            let person = own[0].0;
            let here: u64 = own.iter().map(|(_, _, rows)| rows).sum();
            let elsewhere = self.rows[person as usize] - here;
            let classes = u32::try_from(elsewhere).unwrap_or(u32::MAX - 1) + 1;
            if classes > 1 {
                let guards = self.guards(person).iter();
                demands.extend(guards.map(|guard| Demand {
                    guard: *guard,
                    classes,
                }));
            }
        }
        Demand::strictest(demands)
    }
}

/// The guards that lie below no other of them.
pub(super) fn widest(frame: &Frame, guards: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = guards.filter(|guard| *guard != NONE).collect();
    // The widest come first, so that each guard meets those that may cover it.
    all.sort_unstable_by_key(|guard| (std::cmp::Reverse(frame.leaves[*guard as usize]), *guard));
    let mut widest: Vec<u32> = Vec::new();
    for guard in all {
        if !widest.iter().any(|wider| frame.contains(*wider, guard)) {
            widest.push(guard);
        }
    }
    widest
}
