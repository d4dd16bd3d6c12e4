//! Persons whose rows lie in several classes.
//!
//! **Definition.** A person is breached when some reconstruction of any class with a row of the person gives them a row whose leaf lies
//! below the guard. The classes are reconstructed independently, so all combinations of their reconstructions are equally likely. The
//! table is safe when no person has a guard that is breached with more than p.
//! **Reading.** Each guard of any row of a person is judged over all classes that have a row of the person. n is the number of distinct
//! persons of a class.

use std::collections::BTreeSet;

use super::{Taxonomy, breach};
use crate::Fraction;

/// A published row, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The class.
    pub class: usize,
    /// The published taxon.
    pub shown: usize,
    /// What the owner asks for in this row.
    pub guard: Option<usize>,
    /// The owner.
    pub person: u32,
}

/// The breach probability of a guard of a person over all classes with a row of the person.
#[must_use]
pub fn breach_across(tree: &Taxonomy, rows: &[Encounter], person: u32, guard: usize) -> Fraction {
    let own = rows.iter().filter(|row| row.person == person);
    let classes: BTreeSet<usize> = own.map(|row| row.class).collect();
    let missed = classes.into_iter().fold(Fraction::ONE, |missed, class| {
        let (shown, persons) = class_of(rows, class);
        missed * (Fraction::ONE - breach(tree, &shown, persons, Some(guard), false))
    });
    Fraction::ONE - missed
}

/// What the rows of a class show, and how many persons it has.
#[must_use]
pub fn class_of(rows: &[Encounter], class: usize) -> (Vec<usize>, usize) {
    let rows = || rows.iter().filter(|row| row.class == class);
    let persons: BTreeSet<u32> = rows().map(|row| row.person).collect();
    (rows().map(|row| row.shown).collect(), persons.len())
}

/// The probability of each row's guard over all classes of its owner; zero without a guard.
#[must_use]
pub fn breaches_across(tree: &Taxonomy, rows: &[Encounter]) -> Vec<Fraction> {
    let of_row = |row: &Encounter| {
        row.guard.map_or(Fraction::ZERO, |guard| {
            breach_across(tree, rows, row.person, guard)
        })
    };
    rows.iter().map(of_row).collect()
}
