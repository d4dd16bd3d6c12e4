//! What earlier releases let an onlooker believe: the bridge between a ledger and the promise `serial`.
//!
//! Plain data. A ledger fills it for the persons of the present table; models, certifier and adversary read it.

use std::collections::{BTreeMap, BTreeSet};

/// What earlier releases let an onlooker believe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Classes of earlier releases that somebody of the present table was in; all classes where values last.
    pub classes: Vec<PastClass>,
    /// By code of the person column's dictionary: the classes that this person was in, one a release, ascending. Where values
    /// last, persons whom the dictionary does not have come after its last code.
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
    /// The classes that a person was in, the earliest release first; none where the history does not know the person.
    pub fn of(&self, person: u32) -> impl Iterator<Item = &PastClass> {
        let classes = self.of_person.get(person as usize);
        let classes = classes.map_or(&[][..], Vec::as_slice);
        classes
            .iter()
            .filter_map(|class| self.classes.get(*class as usize))
    }

    /// In how many earlier releases a person was.
    pub fn appearances(&self, person: u32) -> u32 {
        self.of_person
            .get(person as usize)
            .map_or(0, |classes| classes.len() as u32)
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
