//! What stands in the way of a serial promise, and what each way out would cost.
//!
//! **Reading.** Persons are told by their rows in the ledger, never by name; values not at all. Three things show that no release
//! exists, whatever the classes: somebody's own value has no room left; a row needs a class larger than the table; more rows have
//! a value than the caps of all persons add up to, since a class of n rows has at most n times the smallest cap of its persons.
//! What would lift them is computed for the best case: less is not enough, and more may be needed. What makes the table as one
//! class valid is enough for certain.
//! **Cost.** What decides is one look a row and one a profile and value. The ways out are computed when they are asked for.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::{One, Signed};

use super::budgets::Budgets;
use super::cap::Cap;
use super::pace::{Exact, Pace, Schedule, linked};
use super::persons::Persons;
use crate::table::{Code, Codes};
use crate::{counted, verb};

/// What stands in the way, and what would help.
#[derive(Clone, Debug)]
pub struct WaysOut {
    pub(super) of: String,
    pub(super) pace: Pace,
    pub(super) rows: u64,
    /// Persons who are above the limit by earlier releases alone.
    pub overdrawn: Persons,
    /// Persons whose own value has no room left.
    pub exhausted: Persons,
    /// Different values that they have.
    pub exhausted_values: u64,
    /// Persons with no room left for some protected value, whatever they have: a public rule retires them all.
    pub spent: u64,
    /// The largest class that some row needs.
    pub largest_class: u64,
    /// Persons whose own value needs a class larger than the table.
    pub crowded: Persons,
    /// The value that most exceeds what all persons together have room for.
    pub scarce: Option<Scarce>,
    /// Protected values that exceed it.
    pub scarce_values: u64,
    /// Rows with protected values.
    pub linked: u64,
    /// Made-up rows that would make the table as one class valid; none where no number does.
    pub counterfeits: Option<u64>,
    /// Rows by profile, and by profile and own protected value.
    pub(super) of_profile: Vec<u64>,
    pub(super) holders: BTreeMap<(u32, Code), u64>,
}

/// A value that more rows have than the caps of all persons add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scarce {
    /// Rows that have it.
    pub rows: u64,
    /// Rows that all persons together have room for.
    pub room: u64,
    /// Persons without a past and without the value who would have to join, at least.
    pub newcomers: u64,
}

impl WaysOut {
    pub(super) fn new(
        of: &str,
        pace: Pace,
        protected: &[bool],
        budgets: &Budgets,
        values: &Codes,
        ledger_row: &dyn Fn(usize) -> Option<u64>,
    ) -> Self {
        let rows = values.len() as u64;
        let mut found = Self {
            of: of.to_owned(),
            pace,
            rows,
            overdrawn: Persons::default(),
            exhausted: Persons::default(),
            exhausted_values: 0,
            spent: 0,
            largest_class: 0,
            crowded: Persons::default(),
            scarce: None,
            scarce_values: 0,
            linked: 0,
            counterfeits: None,
            of_profile: Vec::new(),
            holders: BTreeMap::new(),
        };
        let mut of_profile = vec![0; budgets.profiles()];
        let mut exhausted_values: BTreeSet<Code> = BTreeSet::new();
        for row in 0..values.len() {
            let (value, code) = (values.get(row), budgets.codes().get(row));
            let profile = &budgets.profiles[code as usize];
            of_profile[code as usize] += 1;
            found.spent += u64::from(profile.spent);
            if profile.overdrawn {
                found.overdrawn.add(ledger_row(row));
            }
            if !protected[value as usize] {
                continue;
            }
            found.linked += 1;
            *found.holders.entry((code, value)).or_default() += 1;
            let cap = &budgets.caps[budgets.rank(code, value) as usize];
            if let Some(least) = cap.least_size(1) {
                found.largest_class = found.largest_class.max(least);
                if least > rows {
                    found.crowded.add(ledger_row(row));
                }
                continue;
            }
            exhausted_values.insert(value);
            if !profile.overdrawn {
                found.exhausted.add(ledger_row(row));
            }
        }
        found.exhausted_values = exhausted_values.len() as u64;
        found.of_profile = of_profile;
        found.weigh(budgets);
        found.overdrawn.finish();
        found.exhausted.finish();
        found.crowded.finish();
        found
    }

    /// What all rows of a value ask for together.
    fn weigh(&mut self, budgets: &Budgets) {
        let cap = |rank: u32| &budgets.caps[rank as usize];
        let fresh = self.pace.cap(&Exact::one(), 1).units();
        let mut units: Vec<Option<u64>> = vec![None; budgets.caps.len()];
        let mut lacking = Some(0);
        for (value, count) in self.counts() {
            let profiles = (0..).zip(&self.of_profile);
            let ranks = profiles.map(|(profile, persons)| (budgets.rank(profile, value), *persons));
            let least = ranks.clone().map(|(rank, _)| rank).min();
            let asked = least.and_then(|rank| cap(rank).counterfeits(count, self.rows));
            lacking = lacking.zip(asked).map(|(most, asked)| most.max(asked));
            let units = |rank: u32| *units[rank as usize].get_or_insert_with(|| cap(rank).units());
            if let Some(scarce) = scarce(count, ranks, units, fresh) {
                self.scarce_values += 1;
                let worst = self.scarce.into_iter().chain([scarce]);
                self.scarce = worst.max_by_key(|scarce| scarce.newcomers);
            }
        }
        self.counterfeits = lacking;
    }

    /// Rows by protected value.
    pub(super) fn counts(&self) -> BTreeMap<Code, u64> {
        let mut counts = BTreeMap::new();
        for ((_, value), rows) in &self.holders {
            *counts.entry(*value).or_default() += rows;
        }
        counts
    }

    /// Why no release at all keeps the promise; nothing where one may.
    pub fn hopeless(&self) -> Option<String> {
        let of = &self.of;
        let limit = self.pace.limit();
        let mut why = Vec::new();
        if self.overdrawn.count > 0 {
            why.push(format!(
                "earlier releases link {} to a protected value of `{of}` with more than {limit}",
                self.overdrawn.told()
            ));
        }
        if self.exhausted.count > 0 {
            why.push(format!(
                "{} nothing left for the own value of `{of}`: every class with that row passes {limit}, whatever its size",
                self.exhausted.with("has", "have")
            ));
        }
        if self.crowded.count > 0 {
            why.push(format!(
                "{} a class of up to {} for the own value of `{of}`, but the table has {}",
                self.crowded.with("needs", "need"),
                counted(self.largest_class, "row"),
                self.rows
            ));
        }
        // Where nobody's own row is the trouble, but all of them together.
        if let Some(scarce) = self.scarce.filter(|_| why.is_empty()) {
            why.push(format!(
                "{} {} the same protected value of `{of}`, but what the {} may be linked to it with adds up to room for {}{}",
                counted(scarce.rows, "row"),
                verb(scarce.rows, "has", "have"),
                counted(self.rows, "person"),
                scarce.room,
                match self.scarce_values {
                    0 | 1 => String::new(),
                    2 => "; it is likewise with 1 other value".to_owned(),
                    many => format!("; it is likewise with {} other values", many - 1),
                }
            ));
        }
        (!why.is_empty()).then(|| why.join("; "))
    }

    /// Why a search may have found nothing although a release may exist.
    pub fn tight(&self) -> String {
        format!(
            "the search found no classes in which everybody stays within the limit: {} of {} {} a protected value of `{}`, and some of them need a class of {}",
            self.linked,
            counted(self.rows, "row"),
            verb(self.linked, "has", "have"),
            self.of,
            counted(self.largest_class, "row")
        )
    }

    /// The largest l under which everybody could be in some class, and the largest under which the table as one class is valid.
    pub(super) fn largest_l(&self, budgets: &Budgets) -> [Option<Exact>; 2] {
        let counts = self.counts();
        let alone = Exact::new(1.into(), self.rows.max(1).into());
        let mut possible = Least::default();
        let mut enough = Least::default();
        for (code, value) in self.holders.keys() {
            let profile = &budgets.profiles[*code as usize];
            let unlinked = budgets.unlinked(profile.state(*value));
            let pace = self.pace_of(budgets, *value);
            let l = pace.largest_l(unlinked, profile.appearances + 1, &alone);
            possible.take(l);
        }
        for profile in &budgets.profiles {
            let states = profile.states().map(|(_, state)| budgets.unlinked(state));
            for unlinked in states.filter(|unlinked| !unlinked.is_one()) {
                let l = linked(unlinked).recip();
                possible.take((l > Exact::one()).then(|| l.clone()));
                enough.take((l > Exact::one()).then_some(l));
            }
            for (value, count) in &counts {
                let unlinked = budgets.unlinked(profile.state(*value));
                let share = Exact::new((*count).into(), self.rows.max(1).into());
                let pace = self.pace_of(budgets, *value);
                let l = pace.largest_l(unlinked, profile.appearances + 1, &share);
                enough.take(l);
            }
        }
        [possible.least(), enough.least()]
    }

    /// The pace for a value: one that lasts is not spent, so its room is not spread either.
    fn pace_of(&self, budgets: &Budgets, value: Code) -> Pace {
        let greedy = self.pace.under(Schedule::Greedy);
        let greedy = greedy.filter(|_| budgets.lasts(value));
        greedy.unwrap_or_else(|| self.pace.clone())
    }

    /// The rows that the table needs a class of, and that their persons need one of the next time, under another schedule that
    /// does away with what stands in the way.
    pub(super) fn under(&self, other: &Pace, budgets: &Budgets) -> Option<(u64, Option<u64>)> {
        let mut most: Option<(u64, Option<u64>)> = None;
        for (code, value) in self.holders.keys() {
            let profile = &budgets.profiles[*code as usize];
            let unlinked = budgets.unlinked(profile.state(*value));
            let appearance = profile.appearances + 1;
            let size = other.cap(unlinked, appearance).least_size(1)?;
            if size > self.rows {
                return None;
            }
            if most.is_none_or(|(most, _)| size > most) {
                let share = Exact::new(1.into(), size.max(1).into());
                let after = unlinked * (Exact::one() - share);
                most = Some((size, other.cap(&after, appearance + 1).least_size(1)));
            }
        }
        let cap = |code: usize, value: Code| {
            let profile = &budgets.profiles[code];
            other.cap(
                budgets.unlinked(profile.state(value)),
                profile.appearances + 1,
            )
        };
        let fits = self.counts().iter().all(|(value, count)| {
            let caps = (0..).zip(&self.of_profile);
            let caps = caps.map(|(code, persons)| (code, *persons));
            let units = |code: u32| cap(code as usize, *value).units();
            scarce(*count, caps, units, 1).is_none()
        });
        most.filter(|_| fits && self.overdrawn.count == 0)
    }

    /// Persons with less room for some protected value than a class of the whole table takes.
    pub(super) fn short_of_room(&self, budgets: &Budgets) -> u64 {
        let alone = Exact::new(1.into(), self.rows.max(1).into());
        let profiles = budgets.profiles.iter().zip(&self.of_profile);
        let short = profiles.filter(|(profile, _)| {
            let mut rooms = profile
                .states()
                .map(|(_, state)| self.pace.room(budgets.unlinked(state)));
            rooms.any(|room| room < alone)
        });
        short.map(|(_, persons)| persons).sum()
    }
}

/// Whether more rows have a value than caps, by rank and number of persons, add up to.
fn scarce(
    rows: u64,
    caps: impl Iterator<Item = (u32, u64)>,
    mut units: impl FnMut(u32) -> u64,
    fresh: u64,
) -> Option<Scarce> {
    let room: u128 = caps
        .map(|(rank, persons)| u128::from(persons) * u128::from(units(rank)))
        .sum();
    let asked = u128::from(rows) << Cap::UNIT_BITS;
    (asked > room).then(|| Scarce {
        rows,
        room: u64::try_from(room >> Cap::UNIT_BITS).unwrap_or(u64::MAX),
        newcomers: u64::try_from((asked - room).div_ceil(u128::from(fresh.max(1))))
            .unwrap_or(u64::MAX),
    })
}

/// The least of some numbers; nothing where one of them does not exist.
#[derive(Default)]
struct Least {
    least: Option<Exact>,
    lacking: bool,
}

impl Least {
    fn take(&mut self, number: Option<Exact>) {
        match number {
            None => self.lacking = true,
            Some(number) if self.least.as_ref().is_none_or(|least| number < *least) => {
                self.least = Some(number);
            }
            Some(_) => {}
        }
    }

    fn least(self) -> Option<Exact> {
        self.least
            .filter(|least| !self.lacking && least.is_positive())
    }
}
