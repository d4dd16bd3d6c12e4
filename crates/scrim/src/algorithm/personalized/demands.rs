//! What persons demand of a class who have tuples outside of it.
//!
//! **Definition.** A person with t tuples, s of them in the class, may be in 1 + t − s classes. Each guard of the person is to be
//! shown with such a probability at most that so many classes with it keep the limit together.
//! **Cost.** A look-up a guard when a tuple of the person moves from one half of a class to the other.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::model::{Demand, Personal};

/// The persons who have several tuples, and their guards.
#[derive(Debug)]
pub(super) struct Demanding<'a> {
    personal: &'a [Arc<Personal>],
    /// Whether there is any such guard that counts.
    any: bool,
    /// How many tuples each person with several rows has.
    tuples_of: FxHashMap<u32, u32>,
}

impl<'a> Demanding<'a> {
    /// Nobody demands anything where classes are judged together afterwards.
    pub(super) fn new(
        personal: &'a [Arc<Personal>],
        tuples_of: FxHashMap<u32, u32>,
        looks_across: bool,
    ) -> Self {
        Self {
            personal,
            any: looks_across,
            tuples_of,
        }
    }

    /// What these persons demand of two halves of a class, in which they have so many tuples, by sensitive column.
    pub(super) fn count(
        &self,
        persons: &FxHashMap<u32, [u32; 2]>,
        demands: &mut Vec<[Demands; 2]>,
    ) {
        demands.clear();
        if self.any {
            demands.resize_with(self.personal.len(), Default::default);
        }
        let mut persons: Vec<(&u32, &[u32; 2])> = persons.iter().collect();
        persons.sort_unstable();
        for (person, tuples) in persons {
            self.shift(demands, *person, [0, 0], *tuples);
        }
    }

    /// Moves what a person demands along with the person's tuples in each half.
    pub(super) fn shift(
        &self,
        demands: &mut [[Demands; 2]],
        person: u32,
        before: [u32; 2],
        after: [u32; 2],
    ) {
        if !self.any {
            return;
        }
        let all = self.tuples_of.get(&person).copied().unwrap_or(0);
        for (personal, halves) in self.personal.iter().zip(demands) {
            for guard in personal.guards_across(person) {
                for (half, at) in halves.iter_mut().zip(0..) {
                    half.take(*guard, before[at], all);
                    half.add(*guard, after[at], all);
                }
            }
        }
    }
}

/// Demands, and how many persons have each.
#[derive(Debug, Default)]
pub(super) struct Demands(FxHashMap<Demand, u32>);

impl Demands {
    fn of(guard: u32, here: u32, all: u32) -> Option<Demand> {
        let demand = Demand {
            guard,
            classes: 1 + all.saturating_sub(here),
        };
        (here > 0 && demand.classes > 1).then_some(demand)
    }

    /// A person who has so many of all tuples here asks for a guard.
    pub(super) fn add(&mut self, guard: u32, here: u32, all: u32) {
        if let Some(demand) = Self::of(guard, here, all) {
            *self.0.entry(demand).or_default() += 1;
        }
    }

    /// The person does so no longer.
    pub(super) fn take(&mut self, guard: u32, here: u32, all: u32) {
        let Some(demand) = Self::of(guard, here, all) else {
            return;
        };
        if let Some(persons) = self.0.get_mut(&demand) {
            *persons -= 1;
            if *persons == 0 {
                self.0.remove(&demand);
            }
        }
    }

    /// Of each guard what is demanded most.
    pub(super) fn strictest(&self) -> Vec<Demand> {
        Demand::strictest(self.0.keys().copied().collect())
    }
}
