//! A history as the counts of lasting values need it: who was in which class, and how many rows of each class have a value.
//!
//! **Reading.** Releases without the sensitive column say nothing and are left out. What the ledger does not say in full is never
//! guessed: a class with a row whose person is not known, or whose value may or may not be lasting, is an error. So is a person with
//! several rows in a release: which of them a value stays on is not said.

use std::collections::BTreeMap;

use super::history::History;
use super::shield::Shield;

/// Who was in which class, over all releases that had the column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// By code: the classes that this person was in, the earliest release first.
    pub of_person: Vec<Vec<u32>>,
    /// By class: its release.
    pub release: Vec<u32>,
    /// By lasting value, or group of them: the rows of each class that have it.
    pub linked: BTreeMap<String, Vec<u64>>,
}

impl Series {
    /// The series of a history that knows everybody; else why it cannot be told.
    pub fn new(history: &History, shield: &Shield) -> Result<Self, String> {
        let mut place: Vec<Option<u32>> = Vec::with_capacity(history.classes.len());
        let mut series = Self::default();
        let names = shield.lasting_names();
        series.linked = names
            .iter()
            .map(|name| ((*name).to_owned(), Vec::new()))
            .collect();
        let mut lacking: Vec<u64> = Vec::new();
        for class in &history.classes {
            let told = !history.silent.contains(&class.release);
            place.push(told.then_some(series.release.len() as u32));
            if !told {
                continue;
            }
            if class.counts.keys().any(|text| shield.may_be_lasting(text)) {
                return Err(format!(
                    "release {} has a class with a value that may or may not be a lasting one",
                    class.release
                ));
            }
            series.release.push(class.release);
            lacking.push(class.rows);
            for (name, linked) in &mut series.linked {
                let of_name = class.counts.iter();
                let of_name = of_name.filter(|(text, _)| shield.lasting(text) == Some(name));
                linked.push(of_name.map(|(_, rows)| rows).sum());
            }
        }
        for classes in &history.of_person {
            let told: Vec<u32> = classes
                .iter()
                .filter_map(|class| place.get(*class as usize).copied().flatten())
                .collect();
            let release = |class: &u32| series.release[*class as usize];
            let mut pairs = told.iter().zip(told.iter().skip(1));
            if let Some((class, _)) = pairs.find(|(one, next)| release(one) == release(next)) {
                return Err(format!(
                    "release {} has a person with several rows",
                    release(class)
                ));
            }
            for class in &told {
                let lacking = &mut lacking[*class as usize];
                *lacking = lacking
                    .checked_sub(1)
                    .ok_or_else(|| unknown(&series, *class))?;
            }
            series.of_person.push(told);
        }
        match lacking.iter().position(|rows| *rows > 0) {
            Some(class) => Err(unknown(&series, class as u32)),
            None => Ok(series),
        }
    }

    /// The cohort of each person who was in some class: persons who are linked by classes, through others too, are one. Numbered
    /// by their first person; and how many there are.
    pub fn cohorts(&self) -> (Vec<Option<u32>>, usize) {
        let mut root: Vec<u32> = (0..self.release.len() as u32).collect();
        for classes in &self.of_person {
            for pair in classes.windows(2) {
                let (one, other) = (find(&mut root, pair[0]), find(&mut root, pair[1]));
                root[one.max(other) as usize] = one.min(other);
            }
        }
        let mut number: BTreeMap<u32, u32> = BTreeMap::new();
        let of_person = self.of_person.iter().map(|classes| {
            let root = find(&mut root, *classes.first()?);
            let next = number.len() as u32;
            Some(*number.entry(root).or_insert(next))
        });
        let of_person: Vec<Option<u32>> = of_person.collect();
        (of_person, number.len())
    }
}

fn unknown(series: &Series, class: u32) -> String {
    format!(
        "the ledger does not say who was in every row of release {}",
        series.release[class as usize]
    )
}

fn find(root: &mut [u32], mut at: u32) -> u32 {
    while root[at as usize] != at {
        root[at as usize] = root[root[at as usize] as usize];
        at = root[at as usize];
    }
    at
}
