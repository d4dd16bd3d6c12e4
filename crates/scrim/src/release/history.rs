//! What earlier releases let an onlooker believe: the bridge between a ledger and the promise `serial`.
//!
//! Plain data. A ledger fills it for the persons of the present table; models, certifier and adversary read it.

use std::collections::{BTreeMap, BTreeSet};

/// What earlier releases let an onlooker believe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Classes of earlier releases that somebody of the present table was in; all classes where values last.
    pub classes: Vec<PastClass>,
    /// By code of the person column's dictionary: the classes that this person was in, the earliest release first; a class with
    /// several rows of the person stands once for each of them, one after another. Where values last, persons whom the dictionary
    /// does not have come after its last code.
    pub of_person: Vec<Vec<u32>>,
    /// By code: the person's row number in the ledger, where it has one (for messages: persons are never named).
    pub ledger_row: Vec<Option<u64>>,
    /// How many releases there were.
    pub releases: u32,
    /// Values of the sensitive column that earlier releases promised to protect, whether a class had them or not.
    pub promised: BTreeSet<String>,
    /// Releases that did not have the sensitive column: their classes say nothing about it.
    pub silent: BTreeSet<u32>,
}

/// A class of an earlier release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastClass {
    /// The release, from 1.
    pub release: u32,
    /// Its rows.
    pub rows: u64,
    /// Rows by value of the sensitive column.
    pub counts: BTreeMap<String, u64>,
}

impl History {
    /// The classes that a person was in, the earliest release first, once for each row; none where the history does not know the
    /// person.
    pub fn of(&self, person: u32) -> impl Iterator<Item = &PastClass> {
        let classes = self.of_person.get(person as usize);
        let classes = classes.map_or(&[][..], Vec::as_slice);
        classes
            .iter()
            .filter_map(|class| self.classes.get(*class as usize))
    }

    /// The classes that a person was in, the earliest release first, each with how many of its rows are the person's.
    pub fn in_classes(&self, person: u32) -> impl Iterator<Item = (u32, &PastClass, u64)> {
        let classes = self.of_person.get(person as usize);
        let classes = classes.map_or(&[][..], Vec::as_slice);
        let runs = classes.chunk_by(|one, next| one == next);
        runs.filter_map(|run| {
            let class = *run.first()?;
            let past = self.classes.get(class as usize)?;
            Some((class, past, run.len() as u64))
        })
    }

    /// The rows that a person had, the earliest release first: the class of each, and how many rows of the class it can be when
    /// the person's rows before it are put aside. In a class of n rows, `n_s` of them with a value, the chance that none of r rows
    /// has it is the product of 1 - `n_s/(n - i)` over i from 0 to r - 1.
    pub fn drawn(&self, person: u32) -> impl Iterator<Item = (u32, u64)> {
        self.in_classes(person).flat_map(|(class, past, own)| {
            // A row is one of at least one, whatever a damaged ledger says.
            (0..own).map(move |before| (class, past.rows.saturating_sub(before).max(1)))
        })
    }

    /// In how many earlier releases a person was.
    pub fn appearances(&self, person: u32) -> u32 {
        let mut last = None;
        let releases = self.in_classes(person).map(|(_, past, _)| past.release);
        releases
            .filter(|release| last.replace(*release) != Some(*release))
            .count() as u32
    }

    /// Whether a person had several rows in one earlier release.
    pub fn is_repeated(&self, person: u32) -> bool {
        let rows = self.of_person.get(person as usize).map_or(0, Vec::len);
        rows > self.appearances(person) as usize
    }

    /// The person's row number in the ledger.
    pub fn row_of(&self, person: u32) -> Option<u64> {
        self.ledger_row.get(person as usize).copied().flatten()
    }

    /// The same with rows counted under other names; values without one are left out.
    #[must_use]
    pub fn counted(&self, name: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut counted = self.clone();
        for class in &mut counted.classes {
            for (text, rows) in std::mem::take(&mut class.counts) {
                if let Some(name) = name(&text) {
                    *class.counts.entry(name).or_default() += rows;
                }
            }
        }
        counted
    }

    /// The history as it was before a release: without it and all later ones.
    #[must_use]
    pub fn before(&self, release: u32) -> Self {
        let mut classes = Vec::new();
        // Where each class that stays is now.
        let mut moved: Vec<Option<u32>> = Vec::with_capacity(self.classes.len());
        for class in &self.classes {
            let stays = class.release < release;
            moved.push(stays.then_some(classes.len() as u32));
            if stays {
                classes.push(class.clone());
            }
        }
        let earlier = |old: &Vec<u32>| -> Vec<u32> {
            let moved = old.iter().filter_map(|class| moved.get(*class as usize));
            moved.copied().flatten().collect()
        };
        Self {
            classes,
            of_person: self.of_person.iter().map(earlier).collect(),
            ledger_row: self.ledger_row.clone(),
            releases: self.releases.min(release.saturating_sub(1)),
            promised: self.promised.clone(),
            silent: self.silent.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(release: u32, rows: u64) -> PastClass {
        PastClass {
            release,
            rows,
            counts: BTreeMap::from([("flu".to_owned(), rows)]),
        }
    }

    #[test]
    fn rows_of_one_person_in_a_class_are_drawn_without_putting_back() {
        let history = History {
            classes: vec![class(1, 4), class(1, 2), class(2, 3)],
            of_person: vec![vec![0, 0, 0, 1, 2], vec![2]],
            releases: 2,
            ..History::default()
        };
        let drawn: Vec<_> = history.drawn(0).collect();
        assert_eq!(drawn, [(0, 4), (0, 3), (0, 2), (1, 2), (2, 3)]);
        assert_eq!((history.appearances(0), history.appearances(1)), (2, 1));
        assert!(history.is_repeated(0) && !history.is_repeated(1) && !history.is_repeated(9));
        let own: Vec<u64> = history.in_classes(0).map(|(.., own)| own).collect();
        assert_eq!(own, [3, 1, 1]);
    }

    #[test]
    fn what_was_before_a_release_knows_nothing_of_it() {
        // Not in the order of releases, so that classes move.
        let history = History {
            classes: vec![class(2, 20), class(1, 10), class(3, 30), class(1, 11)],
            of_person: vec![vec![1, 0, 2], vec![3, 2], vec![2], Vec::new()],
            ledger_row: vec![Some(4), Some(2), Some(9), None],
            releases: 3,
            ..History::default()
        };
        let before = history.before(3);
        assert_eq!(
            before.classes,
            [class(2, 20), class(1, 10), class(1, 11)].to_vec()
        );
        assert_eq!(
            before.of_person,
            vec![vec![1, 0], vec![2], Vec::new(), Vec::new()]
        );
        assert_eq!((before.releases, before.row_of(2)), (2, Some(9)));
        assert_eq!(history.before(4), history);
        let first = history.before(1);
        assert_eq!((first.classes.len(), first.releases), (0, 0));
        assert!(first.of_person.iter().all(Vec::is_empty));
    }
}
