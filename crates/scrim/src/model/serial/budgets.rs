//! What each row's person has left, row by row: rows with the same caps for all protected values share a *profile*.
//!
//! **Cost.** A look-up a person, release and value: products of equal factors are made once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cap::Cap;
use super::pace::{Exact, Pace, never};
use crate::table::{Code, Codes};
use num_traits::{One, Signed};

/// The probabilities of never having been linked, each made once.
#[derive(Debug)]
pub struct Unlinked {
    exact: Vec<Exact>,
    index: FxHashMap<Exact, u32>,
    after: FxHashMap<(u32, u64, u64), u32>,
}

impl Default for Unlinked {
    fn default() -> Self {
        Self {
            exact: vec![never()],
            index: FxHashMap::from_iter([(never(), 0)]),
            after: FxHashMap::default(),
        }
    }
}

impl Unlinked {
    /// Who was in no class with the value.
    pub const NEVER: u32 = 0;

    /// The state after one more class, of `rows` rows with `linked` of the value.
    pub fn after(&mut self, state: u32, linked: u64, rows: u64) -> u32 {
        if linked == 0 || rows == 0 {
            return state;
        }
        if let Some(next) = self.after.get(&(state, linked, rows)) {
            return *next;
        }
        let factor = Exact::one() - Exact::new(linked.min(rows).into(), rows.into());
        let exact = self.exact[state as usize].clone() * factor;
        let next = *self.index.entry(exact).or_insert_with_key(|exact| {
            self.exact.push(exact.clone());
            self.exact.len() as u32 - 1
        });
        self.after.insert((state, linked, rows), next);
        next
    }

    /// The probability of a state.
    pub fn exact(&self, state: u32) -> &Exact {
        &self.exact[state as usize]
    }
}

/// The past of a person: how often it appeared, and the state of each protected value that it could be linked to, ascending.
/// Values are codes of the present column; those that it does not have come after its last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Past {
    /// The number of earlier appearances.
    pub appearances: u64,
    /// Values with their states.
    pub used: Vec<(Code, u32)>,
}

/// What the persons of one profile have left. Caps are ranks: the smallest cap is 0.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// The cap for values without a past.
    fresh: u32,
    used: Box<[(Code, u32)]>,
    /// In how many releases the persons were, where caps depend on it.
    pub(super) appearances: u64,
    /// The states behind them, also of values that the present column does not have.
    states: Box<[(Code, u32)]>,
    /// Whether some probability is above the limit already.
    pub(super) overdrawn: bool,
    /// Whether some value has no room left.
    pub(super) spent: bool,
}

impl Profile {
    pub(super) fn cap(&self, value: Code) -> u32 {
        match self.used.binary_search_by_key(&value, |(value, _)| *value) {
            Ok(at) => self.used[at].1,
            Err(_) => self.fresh,
        }
    }

    /// The state for a value.
    pub(super) fn state(&self, value: Code) -> u32 {
        let state = self.states.binary_search_by_key(&value, |(of, _)| *of);
        state.map_or(Unlinked::NEVER, |at| self.states[at].1)
    }

    /// Values with a past, and their states.
    pub(super) fn states(&self) -> impl Iterator<Item = (Code, u32)> {
        self.states.iter().copied()
    }
}

/// The profiles of a table's rows.
#[derive(Clone, Debug)]
pub struct Budgets {
    codes: Arc<Codes>,
    pub(super) profiles: Vec<Profile>,
    /// Ascending.
    pub(super) caps: Vec<Cap>,
    unlinked: Arc<[Exact]>,
    /// By code of the present column: whether the value lasts.
    lasts: Vec<bool>,
    /// The rank of 1/l, which is the cap for values that last, whatever the past.
    whole: u32,
}

impl Budgets {
    /// The budgets of rows whose persons have these pasts; `lasts` says of each code of the present column whether it lasts.
    pub fn new(
        pace: &Pace,
        unlinked: &Unlinked,
        lasts: Vec<bool>,
        rows: impl Iterator<Item = Past>,
    ) -> Self {
        let mut known: FxHashMap<Past, u32> = FxHashMap::default();
        let mut pasts: Vec<Past> = Vec::new();
        let mut codes = Vec::new();
        for mut past in rows {
            if !pace.counts_appearances() {
                past.appearances = 0;
            }
            let code = *known.entry(past).or_insert_with_key(|past| {
                pasts.push(past.clone());
                pasts.len() as u32 - 1
            });
            codes.push(code);
        }
        let mut caps = Caps::new(pace, unlinked);
        let mut profiles: Vec<Profile> = pasts
            .iter()
            .map(|past| caps.profile(past, lasts.len()))
            .collect();
        let whole = caps.made.len();
        caps.made.push(Cap::ratio(pace.limit()));
        let (ranks, caps) = caps.ranked();
        for profile in &mut profiles {
            profile.fresh = ranks[profile.fresh as usize];
            for (_, cap) in &mut profile.used {
                *cap = ranks[*cap as usize];
            }
        }
        Self {
            codes: Arc::new(Codes::collect(pasts.len(), codes.into_iter())),
            profiles,
            caps,
            unlinked: unlinked.exact.as_slice().into(),
            lasts,
            whole: ranks[whole],
        }
    }

    /// The rank of the cap of a profile for a value.
    pub(super) fn rank(&self, profile: u32, value: Code) -> u32 {
        if self.lasts(value) {
            return self.whole;
        }
        self.profiles[profile as usize].cap(value)
    }

    /// Whether a value lasts.
    pub(super) fn lasts(&self, value: Code) -> bool {
        self.lasts.get(value as usize).is_some_and(|lasts| *lasts)
    }

    /// The probability of never having been linked, by state.
    pub(super) fn unlinked(&self, state: u32) -> &Exact {
        &self.unlinked[state as usize]
    }

    /// The profile of each row.
    pub fn codes(&self) -> &Arc<Codes> {
        &self.codes
    }

    /// How many different profiles there are.
    pub fn profiles(&self) -> usize {
        self.profiles.len()
    }
}

struct Caps<'a> {
    pace: &'a Pace,
    unlinked: &'a Unlinked,
    made: Vec<Cap>,
    known: FxHashMap<(u32, u64), u32>,
}

impl<'a> Caps<'a> {
    fn new(pace: &'a Pace, unlinked: &'a Unlinked) -> Self {
        Self {
            pace,
            unlinked,
            made: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    fn cap(&mut self, state: u32, appearance: u64) -> u32 {
        let (pace, unlinked, made) = (self.pace, self.unlinked, &mut self.made);
        *self.known.entry((state, appearance)).or_insert_with(|| {
            made.push(pace.cap(unlinked.exact(state), appearance));
            made.len() as u32 - 1
        })
    }

    fn profile(&mut self, past: &Past, values: usize) -> Profile {
        let appearance = past.appearances + 1;
        let rooms = past.used.iter();
        let rooms = rooms.map(|(_, state)| self.pace.room(self.unlinked.exact(*state)));
        let (mut overdrawn, mut spent) = (false, false);
        for room in rooms {
            overdrawn |= room.is_negative();
            spent |= !room.is_positive();
        }
        let present = past
            .used
            .iter()
            .filter(|(value, _)| (*value as usize) < values);
        Profile {
            fresh: self.cap(Unlinked::NEVER, appearance),
            used: present
                .map(|(value, state)| (*value, self.cap(*state, appearance)))
                .collect(),
            appearances: past.appearances,
            states: past.used.as_slice().into(),
            overdrawn,
            spent,
        }
    }

    /// The rank of each cap made, and the caps by rank.
    fn ranked(self) -> (Vec<u32>, Vec<Cap>) {
        let mut order: Vec<usize> = (0..self.made.len()).collect();
        order.sort_by(|left, right| self.made[*left].cmp(&self.made[*right]));
        let mut ranks = vec![0; order.len()];
        let mut caps: Vec<Cap> = Vec::new();
        for at in order {
            if caps.last() != Some(&self.made[at]) {
                caps.push(self.made[at].clone());
            }
            ranks[at] = caps.len() as u32 - 1;
        }
        (ranks, caps)
    }
}
