//! Serial publishing by possible worlds.
//!
//! **Definition.** A possible world gives every individual of every published group one of the group's values, so that each value is
//! given as often as the group shows it, in every release ([Wong09], Definition 1). The probability that an individual is linked
//! to a value is the share of worlds in which it has the value in at least one release. The global guarantee asks that it be at
//! most 1/l for every individual and protected value.
//! **Reading.** Worlds are different assignments of values, not permutations of records: twice the same value in a group is no
//! difference (E11). Who is in no group of a release has no value there.

use crate::Fraction;

/// A published group: who is in it, and the values that it shows, in no particular order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The individuals.
    pub individuals: Vec<u32>,
    /// Their values, shuffled.
    pub values: Vec<&'static str>,
}

/// The groups of one release.
pub type Release = Vec<Group>;

/// The different ways to give a group's values to its individuals.
#[must_use]
pub fn assignments(group: &Group) -> Vec<Vec<&'static str>> {
    fn go(
        left: &mut Vec<&'static str>,
        given: &mut Vec<&'static str>,
        all: &mut Vec<Vec<&'static str>>,
    ) {
        if left.is_empty() {
            all.push(given.clone());
            return;
        }
        for at in 0..left.len() {
            if left[..at].contains(&left[at]) {
                continue;
            }
            let value = left.remove(at);
            given.push(value);
            go(left, given, all);
            given.pop();
            left.insert(at, value);
        }
    }
    let mut all = Vec::new();
    go(&mut group.values.clone(), &mut Vec::new(), &mut all);
    all
}

/// All worlds, and those in which an individual has a value at least once.
#[must_use]
pub fn worlds(releases: &[Release], individual: u32, value: &str) -> (u128, u128) {
    worlds_of_any(releases, individual, &[value])
}

/// All worlds, and those in which an individual has any of some values at least once.
#[must_use]
pub fn worlds_of_any(releases: &[Release], individual: u32, values: &[&str]) -> (u128, u128) {
    let groups: Vec<&Group> = releases.iter().flatten().collect();
    let choices: Vec<Vec<Vec<&str>>> = groups.iter().map(|group| assignments(group)).collect();
    let mut at = vec![0; groups.len()];
    let (mut all, mut linked) = (0, 0);
    loop {
        all += 1;
        let mut places = groups.iter().zip(&choices).zip(&at);
        let has = places.any(|((group, choices), at)| {
            let mut given = group.individuals.iter().zip(&choices[*at]);
            given.any(|(own, given)| *own == individual && values.contains(given))
        });
        linked += u128::from(has);
        // The next world: an odometer.
        let Some(wheel) = (0..at.len()).find(|wheel| at[*wheel] + 1 < choices[*wheel].len()) else {
            return (all, linked);
        };
        at[..wheel].fill(0);
        at[wheel] += 1;
    }
}

/// The probability that an individual was linked to a value.
#[must_use]
pub fn probability(releases: &[Release], individual: u32, value: &str) -> Fraction {
    let (all, linked) = worlds(releases, individual, value);
    Fraction::whole(linked) / Fraction::whole(all)
}

/// Whether nobody of the last release is linked to a protected value with more than 1/l.
#[must_use]
pub fn is_guaranteed(releases: &[Release], protected: &[&str], l: Fraction) -> bool {
    let Some(last) = releases.last() else {
        return true;
    };
    let individuals = last.iter().flat_map(|group| &group.individuals);
    individuals.copied().all(|individual| {
        let mut values = protected.iter();
        values.all(|value| probability(releases, individual, value) * l <= Fraction::ONE)
    })
}

/// All ways to part so many things into groups.
#[must_use]
pub fn partitions(count: usize) -> Vec<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for thing in 0..count {
        let mut next = Vec::new();
        for groups in all {
            for at in 0..groups.len() {
                let mut with = groups.clone();
                with[at].push(thing);
                next.push(with);
            }
            let mut alone = groups;
            alone.push(vec![thing]);
            next.push(alone);
        }
        all = next;
    }
    all
}
