//! Exposure of records, one by one.
//!
//! **Definition.** A class is the rows that are equal in some columns; its size counts its persons, or its rows where they are
//! not told. A person's risk is one over the size of the smallest class that they are in.

use std::collections::BTreeSet;

use crate::Fraction;

/// A row: its quasi-identifiers, where nothing is a missing value, and its person, if that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The quasi-identifiers.
    pub quasi: Vec<Option<String>>,
    /// The person.
    pub person: Option<u32>,
}

/// A cell as it is compared: stars are stars, however many.
fn shown(cell: Option<&String>) -> Option<String> {
    cell.map(|text| {
        if !text.is_empty() && text.chars().all(|character| character == '*') {
            "*".to_owned()
        } else {
            text.clone()
        }
    })
}

fn tuple(record: &Record, columns: &[usize]) -> Vec<Option<String>> {
    columns
        .iter()
        .map(|at| shown(record.quasi[*at].as_ref()))
        .collect()
}

/// Who a row is about: its person, or itself.
fn subject(records: &[Record], row: usize) -> usize {
    records[row].person.map_or(row, |person| person as usize)
}

/// Everybody.
#[must_use]
pub fn subjects(records: &[Record]) -> BTreeSet<usize> {
    (0..records.len())
        .map(|row| subject(records, row))
        .collect()
}

/// The classes by some columns, as the sets of who is in them.
#[must_use]
pub fn classes(records: &[Record], columns: &[usize]) -> Vec<BTreeSet<usize>> {
    let tuples: BTreeSet<Vec<Option<String>>> = records
        .iter()
        .map(|record| tuple(record, columns))
        .collect();
    let members = |wanted: &Vec<Option<String>>| {
        let rows = (0..records.len()).filter(|row| tuple(&records[*row], columns) == *wanted);
        rows.map(|row| subject(records, row)).collect()
    };
    tuples.iter().map(members).collect()
}

/// The size of the smallest class that each subject is in.
#[must_use]
pub fn smallest_classes(records: &[Record], columns: &[usize]) -> Vec<usize> {
    let classes = classes(records, columns);
    let smallest = |who: &usize| {
        let own = classes.iter().filter(|class| class.contains(who));
        own.map(BTreeSet::len).min().unwrap_or(0)
    };
    subjects(records).iter().map(smallest).collect()
}

/// How many are alone in a class.
#[must_use]
pub fn unique(records: &[Record], columns: &[usize]) -> usize {
    let sizes = smallest_classes(records, columns);
    sizes.iter().filter(|size| **size == 1).count()
}

/// How many have a risk above a threshold.
#[must_use]
pub fn above(records: &[Record], columns: &[usize], threshold: Fraction) -> usize {
    let sizes = smallest_classes(records, columns);
    let risk = |size: &usize| Fraction::ONE / Fraction::whole(*size as u64);
    sizes.iter().filter(|size| risk(size) > threshold).count()
}

/// The mean of all risks.
#[must_use]
pub fn mean(sizes: &[usize]) -> Fraction {
    let risks = sizes.iter().map(|size| Fraction::new(1, *size as i128));
    risks.sum::<Fraction>() / Fraction::whole(sizes.len() as u64)
}

/// The distinct pairs of a subject and a value.
fn appearances(records: &[Record], columns: &[usize]) -> Vec<(usize, Vec<Option<String>>)> {
    let pairs: BTreeSet<(usize, Vec<Option<String>>)> = (0..records.len())
        .map(|row| (subject(records, row), tuple(&records[row], columns)))
        .collect();
    pairs.into_iter().collect()
}

/// Distinct values over records.
#[must_use]
pub fn distinction(records: &[Record], columns: &[usize]) -> Fraction {
    let all = appearances(records, columns);
    let values: BTreeSet<&Vec<Option<String>>> = all.iter().map(|(_, value)| value).collect();
    Fraction::new(values.len() as i128, all.len() as i128)
}

/// The share of pairs of records that differ; nought where there is no pair.
#[must_use]
pub fn separation(records: &[Record], columns: &[usize]) -> Fraction {
    let all = appearances(records, columns);
    let (mut pairs, mut apart) = (0, 0);
    for left in 0..all.len() {
        for right in left + 1..all.len() {
            pairs += 1;
            apart += i128::from(all[left].1 != all[right].1);
        }
    }
    Fraction::new(apart, pairs.max(1))
}

/// By subject: the least number of a population's subjects who look like them in one of their classes, or of the class
/// itself, where that has more.
#[must_use]
pub fn smallest_in_population(records: &[Record], population: &[Record]) -> Vec<usize> {
    let columns: Vec<usize> = (0..records.first().map_or(0, |record| record.quasi.len())).collect();
    let size = |row: usize| {
        let wanted = tuple(&records[row], &columns);
        let covers = |other: &Record| {
            let cells = tuple(other, &columns).into_iter().zip(&wanted);
            cells
                .into_iter()
                .all(|(cell, wanted)| cell == *wanted || wanted.as_deref() == Some("*"))
        };
        let there = (0..population.len()).filter(|row| covers(&population[*row]));
        let there: BTreeSet<usize> = there.map(|row| subject(population, row)).collect();
        let here = (0..records.len()).filter(|row| tuple(&records[*row], &columns) == wanted);
        let here: BTreeSet<usize> = here.map(|row| subject(records, row)).collect();
        there.len().max(here.len())
    };
    let smallest = |who: &usize| {
        let own = (0..records.len()).filter(|row| subject(records, *row) == *who);
        own.map(size).min().unwrap_or(0)
    };
    subjects(records).iter().map(smallest).collect()
}

fn choose(from: i128, count: i128) -> i128 {
    if count < 0 || count > from {
        return 0;
    }
    (0..count).fold(1, |product, at| product * (from - at) / (at + 1))
}

/// Zayatz's estimate of population uniques, from the sizes of a sample's classes.
#[must_use]
pub fn zayatz(sizes: &[usize], population: usize) -> Fraction {
    let members: usize = sizes.iter().sum();
    let (all, drawn) = (population as i128, members as i128);
    let once = |size: usize| {
        let size = size as i128;
        let ways = choose(size, 1) * choose(all - size, drawn - 1);
        Fraction::new(ways, choose(all, drawn))
    };
    let total: Fraction = sizes.iter().map(|size| once(*size)).sum();
    let unique = Fraction::whole(sizes.iter().filter(|size| **size == 1).count() as u64);
    let probability = unique * once(1) / total;
    unique * probability * Fraction::new(all, drawn)
}
