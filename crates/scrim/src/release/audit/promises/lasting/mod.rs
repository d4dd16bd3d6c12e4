//! Lasting values over all releases, judged from the definition.
//!
//! **Definition.** A world says who has the value in which of the releases that they are in; nobody loses it; in every class of
//! every release as many have it as were published. Worlds are equally likely. Nobody may have the value in more than the share
//! 1/l of all worlds.
//! **Reading.** Judged are the persons of this release and all who are linked to them by classes, also through others: what is
//! believed of everybody else does not change. Persons with the same classes are counted together. Where counting takes
//! too long, the largest number of carriers that sums allow is taken instead: the promise then holds for certain, or it is not
//! shown to hold, and the release is refused.
//! **Cost.** Limited: [`worlds::MOST_STEPS`] a group of linked persons.

mod sums;
mod worlds;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use num_traits::Zero;

use sums::Sums;

/// All releases as they are judged: the present one is the last.
#[derive(Debug, Default)]
pub(super) struct Case {
    /// By class: its release, and its rows.
    pub(super) classes: Vec<(u32, u64)>,
    /// By person: the classes, one a release, ascending.
    pub(super) persons: Vec<Vec<u32>>,
    /// By lasting value: the rows of each class that have it.
    pub(super) linked: BTreeMap<String, Vec<u64>>,
}

/// The largest probability of anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Largest {
    /// Above and below the line.
    pub(super) part: BigUint,
    pub(super) whole: BigUint,
    /// Whether it is the probability itself, or a bound that it does not pass.
    pub(super) exact: bool,
    /// A class of that person.
    pub(super) class: u32,
}

impl Largest {
    fn is_below(&self, other: &Self) -> bool {
        &self.part * &other.whole < &other.part * &self.whole
    }

    /// Whether it is at most the reciprocal of a number.
    pub(super) fn is_within(&self, numerator: &BigUint, denominator: &BigUint) -> bool {
        &self.part * numerator <= &self.whole * denominator
    }

    pub(super) fn value(&self) -> f64 {
        let bits = self.whole.bits().max(self.part.bits()).saturating_sub(900);
        let float =
            |number: &BigUint| num_traits::ToPrimitive::to_f64(&(number >> bits)).unwrap_or(0.0);
        float(&self.part) / float(&self.whole).max(f64::MIN_POSITIVE)
    }

    pub(super) fn fraction(&self, digits: usize) -> Option<String> {
        let divisor = num_integer::Integer::gcd(&self.part, &self.whole);
        if divisor.is_zero() {
            return None;
        }
        let (part, whole) = (&self.part / &divisor, &self.whole / &divisor);
        let text = if whole == BigUint::from(1u8) {
            part.to_string()
        } else {
            format!("{part}/{whole}")
        };
        (text.len() <= digits).then_some(text)
    }
}

impl Case {
    /// The largest probability of anybody who is linked to a person of the last release, for any value; else why none can be
    /// told.
    pub(super) fn largest(&self, last: u32) -> Result<Largest, String> {
        let persons = self.reached(last)?;
        let mut together: BTreeMap<&[u32], u64> = BTreeMap::new();
        for person in persons {
            *together.entry(&self.persons[person]).or_default() += 1;
        }
        let atoms: Vec<(&[u32], u64)> = together.into_iter().collect();
        let mut largest = Largest {
            whole: BigUint::from(1u8),
            exact: true,
            ..Largest::default()
        };
        for linked in self.linked.values() {
            let contradiction = || {
                "no history in which the value lasts fits the published counts: somebody lost it"
                    .to_owned()
            };
            let sums = Sums::of(&atoms, linked).ok_or_else(contradiction)?;
            for found in worlds::judge(&atoms, &sums, &self.classes).ok_or_else(contradiction)? {
                // Of equal ones the first, unless only a later one is exact.
                if largest.is_below(&found) {
                    largest = found;
                }
            }
        }
        Ok(largest)
    }

    /// The persons who are linked to the last release. Every row of their classes must be known.
    fn reached(&self, last: u32) -> Result<BTreeSet<usize>, String> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
        for (person, classes) in self.persons.iter().enumerate() {
            for class in classes {
                members[*class as usize].push(person);
            }
        }
        let mut reached = BTreeSet::new();
        let mut open: Vec<u32> = (0..self.classes.len() as u32)
            .filter(|class| self.classes[*class as usize].0 == last)
            .collect();
        let mut seen: BTreeSet<u32> = open.iter().copied().collect();
        while let Some(class) = open.pop() {
            let (release, rows) = self.classes[class as usize];
            let members = &members[class as usize];
            if members.len() as u64 != rows {
                return Err(format!(
                    "the ledger does not say who was in every row of release {release}"
                ));
            }
            for person in members {
                if reached.insert(*person) {
                    let own = self.persons[*person].iter().copied();
                    open.extend(own.filter(|class| seen.insert(*class)));
                }
            }
        }
        Ok(reached)
    }
}
