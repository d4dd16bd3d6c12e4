//! The primary relation of section 5: a row a person, five quasi-identifiers and an income.

use super::income::{Incomes, largest_parent};

/// How the generators are seeded.
pub(super) const SEED: u64 = 2006;

/// A person. Names are indices into the relation's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) age: u32,
    pub(super) education: u32,
    pub(super) gender: u32,
    pub(super) marital: u32,
    pub(super) occupation: u32,
    /// A leaf of the income tree.
    pub(super) income: u8,
}

/// A relation with all that a policy needs.
#[derive(Debug)]
pub(super) struct Primary {
    pub(super) people: Vec<Person>,
    pub(super) genders: Vec<String>,
    pub(super) maritals: Vec<String>,
    pub(super) occupations: Vec<String>,
    /// The leaves of the sensitive column.
    pub(super) incomes: Incomes,
    /// A level file for the marital status, where it has inner taxa.
    pub(super) marital_levels: Option<String>,
    /// A level file for the occupation.
    pub(super) occupation_levels: String,
    /// What it is, for titles.
    pub(super) name: String,
    /// What was done to get it.
    pub(super) about: String,
}

impl Primary {
    /// The least and greatest of a number.
    pub(super) fn range(&self, number: impl Fn(&Person) -> u32) -> (u32, u32) {
        let all = self.people.iter().map(number);
        let ends = |(low, high): (u32, u32), next: u32| (low.min(next), high.max(next));
        let (low, high) = all.fold((u32::MAX, 0), ends);
        (low.min(high), high)
    }

    /// The share of the rows, in percent, that the most frequent taxon right above the leaves has. With wishes for that
    /// taxon and two rows a person, the table as one class is safe at a quarter up to some 14.
    pub(super) fn largest_parent(&self) -> f64 {
        largest_parent(self.people.iter().map(|person| person.income))
    }
}
