//! The onlooker who keeps all releases.
//!
//! **Definition.** Somebody knows who is in which class of every release. The probability that a person was linked to a value at
//! least once is [`Chance`]; within one release alone it is `n_s/n`, the *localized* guarantee, which says nothing about all
//! releases together ([Wong09], section 2). Several rows of a person in one release are several draws: [`History::drawn`].
//! **Reading.** A history is asked for all that was published, the release that is attacked included. Persons are told by their
//! rows in the ledger. [`worlds`] counts possible worlds one by one; it shows on small cases that the formula is the
//! definition.
//! **Cost.** O(persons · protected values of their classes).
//! **Oracle.** `testkit::oracle::serial`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::chance::Chance;
use crate::release::history::{History, PastClass};
use crate::share::Share;

/// How a person is linked to a value over all releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The person's code.
    pub person: u32,
    /// The person's row in the ledger, where it has one.
    pub ledger_row: Option<u64>,
    /// The value.
    pub value: String,
    /// The probability.
    pub chance: Chance,
}

/// What one release let an onlooker believe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseLinks {
    /// The release, from 1.
    pub release: u32,
    /// The persons in it.
    pub persons: u64,
    /// The largest probability within this release alone.
    pub localized: Chance,
    /// The largest probability over this and all earlier releases.
    pub global: Chance,
    /// Persons of this release who are then above the limit for some value.
    pub above: u64,
}

/// What all releases together let an onlooker believe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SerialAttack {
    /// The largest probability.
    pub max: Chance,
    /// Persons and values, the largest probability first, then by person and value; as many as were asked for.
    pub nearest: Vec<Link>,
    /// Release by release.
    pub releases: Vec<ReleaseLinks>,
    /// Persons who are above the limit for some value.
    pub above: u64,
    /// Persons at all.
    pub persons: u64,
}

/// Attacks all releases of a history, about the values that are protected. At most `most` persons and values are told.
pub fn serial(
    history: &History,
    protected: &dyn Fn(&str) -> bool,
    limit: Share,
    most: usize,
) -> SerialAttack {
    let linked: Vec<Vec<(&str, u64)>> = history
        .classes
        .iter()
        .map(|class| {
            let values = class.counts.iter();
            let values = values.filter(|(value, rows)| **rows > 0 && protected(value));
            values
                .map(|(value, rows)| (value.as_str(), *rows))
                .collect()
        })
        .collect();
    let mut found = SerialAttack::default();
    let mut releases: BTreeMap<u32, ReleaseLinks> = BTreeMap::new();
    for (person, classes) in (0..).zip(&history.of_person) {
        let mut chances: BTreeMap<&str, Chance> = BTreeMap::new();
        let release = |at: u32| history.classes[at as usize].release;
        let mut drawn = history.drawn(person).peekable();
        while let Some(now) = drawn.peek().map(|(at, _)| release(*at)) {
            let mut alone: BTreeMap<&str, Chance> = BTreeMap::new();
            while let Some((at, among)) = drawn.next_if(|(at, _)| release(*at) == now) {
                for (value, rows) in &linked[at as usize] {
                    chances.entry(value).or_default().add(*rows, among);
                    alone.entry(value).or_default().add(*rows, among);
                }
            }
            let links = releases.entry(now).or_default();
            links.release = now;
            links.take(&alone, &chances, limit);
        }
        found.persons += u64::from(!classes.is_empty());
        found.above += u64::from(chances.values().any(|chance| chance.is_above(limit)));
        for (value, chance) in chances {
            raise(&mut found.max, &chance);
            found.nearest.push(Link {
                person,
                ledger_row: history.row_of(person),
                value: value.to_owned(),
                chance,
            });
        }
        if found.nearest.len() > most.saturating_mul(2).saturating_add(1024) {
            keep(&mut found.nearest, most);
        }
    }
    keep(&mut found.nearest, most);
    found.releases = releases.into_values().collect();
    found
}

impl ReleaseLinks {
    /// One person of the release, with the probabilities by it alone and up to it.
    fn take(
        &mut self,
        alone: &BTreeMap<&str, Chance>,
        chances: &BTreeMap<&str, Chance>,
        limit: Share,
    ) {
        self.persons += 1;
        alone
            .values()
            .for_each(|chance| raise(&mut self.localized, chance));
        chances
            .values()
            .for_each(|chance| raise(&mut self.global, chance));
        self.above += u64::from(chances.values().any(|chance| chance.is_above(limit)));
    }
}

fn raise(most: &mut Chance, chance: &Chance) {
    if most.compare(chance) == Ordering::Less {
        *most = chance.clone();
    }
}

/// The nearest to the limit.
fn keep(links: &mut Vec<Link>, most: usize) {
    links.sort_by(|left, right| {
        let by_chance = right.chance.compare(&left.chance);
        by_chance.then_with(|| (left.person, &left.value).cmp(&(right.person, &right.value)))
    });
    links.truncate(most);
}

/// The possible worlds of the classes that a person was in, and those in which the person has the value at least once, counted
/// one by one; nothing where there are more than so many.
pub fn worlds(history: &History, person: u32, value: &str, most: u64) -> Option<(u64, u64)> {
    let mut all: u64 = 1;
    let mut without: u64 = 1;
    // Each world of several releases is one world of each. A release without the column says nothing.
    let told = |(_, class, _): &(u32, &PastClass, u64)| !class.counts.is_empty();
    for (_, class, own) in history.in_classes(person).filter(told) {
        let mut left: Vec<(&str, u64)> = class
            .counts
            .iter()
            .map(|(value, rows)| (value.as_str(), *rows))
            .collect();
        let mut count = Count {
            all: 0,
            without: 0,
            most,
        };
        count.deal(&mut left, value, (own, false))?;
        all = all.checked_mul(count.all).filter(|all| *all <= most)?;
        without = without.checked_mul(count.without)?;
    }
    Some((all, all - without))
}

struct Count {
    all: u64,
    without: u64,
    most: u64,
}

impl Count {
    /// Gives the values that are left to the rows, those of the person first: so many are still to be given one, and whether one
    /// has the value.
    fn deal(
        &mut self,
        left: &mut [(&str, u64)],
        value: &str,
        (own, has): (u64, bool),
    ) -> Option<()> {
        if left.iter().all(|(_, rows)| *rows == 0) {
            self.all += 1;
            self.without += u64::from(!has);
            return (self.all <= self.most).then_some(());
        }
        for at in 0..left.len() {
            if left[at].1 > 0 {
                left[at].1 -= 1;
                let has = has || own > 0 && left[at].0 == value;
                self.deal(left, value, (own.saturating_sub(1), has))?;
                left[at].1 += 1;
            }
        }
        Some(())
    }
}
