//! Persons whose rows lie in several classes.
//!
//! **Definition.** [XiaoTao06] gives every person one quasi-identifier vector, so one class. A person *o* with rows in the
//! classes C1, …, Cm is believed to have a value below a guard *g* with p(o, g) = 1 - Π (1 - P(Ci, g)), where P(C, g) is the
//! breach probability of g in the class C (`adversary::breach`).
//! **Reading.** A wish is the person's, not the row's: each guard of any of the person's rows is judged over all classes that
//! have a row of the person, also over those in which the person asks for nothing, or for something else. Of nested guards the
//! narrower one never has the larger probability; each is told by its own. Guards that lie apart are judged one by one, not as
//! their union. Only rows of the release count: a row that was left out has no class and states no wish.
//! **Cost.** O(rows · log rows), and a probability for each set of classes and guard that some person has.

use rustc_hash::{FxHashMap, FxHashSet};

use super::breach::Breach;
use super::personal::{Exposed, Judged};
use crate::hierarchy::TaxonId;

/// The wishes of persons whose rows lie in several classes.
#[derive(Debug, Default)]
pub(super) struct Spread {
    /// How many persons these are, with a wish at least.
    pub(super) persons: u64,
    /// Whether a row's owner is one of them.
    pub(super) is_owner: Vec<bool>,
    /// Each guard with the classes over which it is judged, once.
    wishes: Vec<(TaxonId, Vec<u32>)>,
    /// Which of them is a row's.
    of_row: Vec<(u32, u32)>,
    /// The guards that are asked of each class.
    asked: FxHashMap<u32, Vec<TaxonId>>,
    /// What each guard comes to in each class.
    found: FxHashMap<(u32, TaxonId), Breach>,
}

impl Spread {
    pub(super) fn new(exposed: &Exposed<'_>) -> Self {
        let rows = exposed.class_of_row.len();
        let mut spread = Self {
            is_owner: vec![false; rows],
            ..Self::default()
        };
        let Some(person_of_row) = exposed.person_of_row else {
            return spread;
        };
        let mut order: Vec<u32> = (0..rows as u32).collect();
        order.sort_unstable_by_key(|row| (person_of_row[*row as usize], *row));
        let same = |left: &u32, right: &u32| {
            person_of_row[*left as usize] == person_of_row[*right as usize]
        };
        let mut known: FxHashMap<(TaxonId, Vec<u32>), u32> = FxHashMap::default();
        for own in order.chunk_by(same) {
            spread.add(exposed, own, &mut known);
        }
        let pairs = spread.wishes.iter();
        let pairs = pairs.flat_map(|(guard, classes)| classes.iter().map(|class| (*class, *guard)));
        let pairs: FxHashSet<(u32, TaxonId)> = pairs.collect();
        let mut pairs: Vec<(u32, TaxonId)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        for (class, guard) in pairs {
            spread.asked.entry(class).or_default().push(guard);
        }
        spread
    }

    /// Takes note of a person's rows.
    fn add(
        &mut self,
        exposed: &Exposed<'_>,
        own: &[u32],
        known: &mut FxHashMap<(TaxonId, Vec<u32>), u32>,
    ) {
        let guarded = own
            .iter()
            .filter_map(|row| Some((*row, exposed.guards[*row as usize]?)));
        let mut classes: Vec<u32> = own
            .iter()
            .map(|row| exposed.class_of_row[*row as usize])
            .collect();
        classes.sort_unstable();
        classes.dedup();
        if classes.len() < 2 || guarded.clone().next().is_none() {
            return;
        }
        self.persons += 1;
        own.iter()
            .for_each(|row| self.is_owner[*row as usize] = true);
        for (row, guard) in guarded {
            let next = self.wishes.len() as u32;
            let at = *known.entry((guard, classes.clone())).or_insert(next);
            if at == next {
                self.wishes.push((guard, classes.clone()));
            }
            self.of_row.push((row, at));
        }
    }

    /// The guards that a class is asked about.
    pub(super) fn asked(&self, class: u32) -> &[TaxonId] {
        self.asked.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Takes note of what a guard comes to in a class.
    pub(super) fn tell(&mut self, class: u32, guard: TaxonId, breach: Breach) {
        self.found.insert((class, guard), breach);
    }

    /// Each wish over all its classes, and which of them is a row's.
    pub(super) fn judged(&self) -> (Vec<Judged>, &[(u32, u32)]) {
        let judge = |(guard, classes): &(TaxonId, Vec<u32>)| {
            let found = classes
                .iter()
                .filter_map(|class| Some((*class, self.found.get(&(*class, *guard))?)));
            let largest = found.clone().map(|(class, breach)| (class, breach.value()));
            let largest = largest.reduce(|best, next| if next.1 > best.1 { next } else { best });
            let breach = Breach::together(found.map(|(_, breach)| breach.clone()))?;
            Some(Judged {
                class: largest?.0,
                classes: classes.len() as u32,
                breach,
            })
        };
        (self.wishes.iter().filter_map(judge).collect(), &self.of_row)
    }
}
