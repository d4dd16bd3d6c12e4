//! Releases as groups, and their possible worlds one by one ([Wong09], Definitions 1 and 2).

use std::collections::BTreeMap;

use scrim::adversary::Chance;
use scrim::release::{History, PastClass};

/// A published group: who is in it, and what it shows.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) persons: Vec<u32>,
    pub(super) values: Vec<&'static str>,
}

/// The groups of a release.
pub(super) type Release = Vec<Group>;

/// The different ways to give a group's values to its persons.
fn assignments(values: &[&'static str]) -> Vec<Vec<&'static str>> {
    if values.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, value) in values.iter().enumerate() {
        if values[..at].contains(value) {
            continue;
        }
        let mut left = values.to_vec();
        left.remove(at);
        for mut rest in assignments(&left) {
            rest.insert(0, value);
            all.push(rest);
        }
    }
    all
}

/// All worlds of all groups, and those in which a person has a value at least once.
pub(super) fn count(releases: &[Release], person: u32, value: &str) -> (u64, u64) {
    let groups: Vec<&Group> = releases.iter().flatten().collect();
    let choices: Vec<Vec<Vec<&str>>> = groups
        .iter()
        .map(|group| assignments(&group.values))
        .collect();
    let mut at = vec![0; groups.len()];
    let (mut all, mut linked) = (0, 0);
    loop {
        all += 1;
        let mut given = groups.iter().zip(&choices).zip(&at);
        linked += u64::from(given.any(|((group, choices), at)| {
            let mut pairs = group.persons.iter().zip(&choices[*at]);
            pairs.any(|(own, given)| *own == person && *given == value)
        }));
        // The next world, like the next number of a counter.
        let Some(wheel) = (0..at.len()).find(|wheel| at[*wheel] + 1 < choices[*wheel].len()) else {
            return (all, linked);
        };
        at[..wheel].fill(0);
        at[wheel] += 1;
    }
}

/// Lemma 2; a release without the person is no factor.
pub(super) fn closed_form(releases: &[Release], person: u32, value: &str) -> Chance {
    let mut chance = Chance::default();
    let groups = releases.iter().flatten();
    for group in groups.filter(|group| group.persons.contains(&person)) {
        let linked = group.values.iter().filter(|own| **own == value).count();
        chance.add(linked as u64, group.values.len() as u64);
    }
    chance
}

/// The releases as the library sees them; persons are their own codes.
pub(super) fn history(releases: &[Release], persons: u32) -> History {
    let mut history = History {
        of_person: vec![Vec::new(); persons as usize],
        ledger_row: (0..persons)
            .map(|person| Some(u64::from(person) + 1))
            .collect(),
        releases: releases.len() as u32,
        ..History::default()
    };
    for (release, groups) in (1..).zip(releases) {
        for group in groups {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for value in &group.values {
                *counts.entry((*value).to_owned()).or_default() += 1;
            }
            for person in &group.persons {
                if let Some(classes) = history.of_person.get_mut(*person as usize) {
                    classes.push(history.classes.len() as u32);
                }
            }
            history.classes.push(PastClass {
                release,
                rows: group.values.len() as u64,
                counts,
            });
        }
    }
    history
}

/// All ways to part so many rows.
pub(super) fn partitions(rows: usize) -> Vec<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for row in 0..rows {
        let mut next = Vec::new();
        for groups in all {
            for at in 0..groups.len() {
                let mut with = groups.clone();
                with[at].push(row);
                next.push(with);
            }
            let mut alone = groups;
            alone.push(vec![row]);
            next.push(alone);
        }
        all = next;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_are_assignments_and_not_permutations() {
        let group = Group {
            persons: vec![0, 1, 2],
            values: vec!["a", "b", "a"],
        };
        assert_eq!(count(&[vec![group.clone()]], 0, "b"), (3, 1));
        assert_eq!(count(&[vec![group.clone()], vec![group]], 0, "b"), (9, 5));
        assert_eq!(count(&[], 0, "b"), (1, 0));
        assert_eq!(partitions(4).len(), 15);
    }
}
