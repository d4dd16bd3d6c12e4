//! Worlds of a component, counted exactly: atom by atom, release by release of each, with what is left of the counts of the
//! classes that are not finished. A second pass from the end gives the mean of every atom at once.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::Atom;
use super::intervals::Intervals;

/// Components of more atoms are not counted.
const MOST_ATOMS: usize = 512;

/// How much counting is allowed, in steps from one partial world to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// In one component.
    pub of_one: u64,
    /// In all of them together.
    pub in_all: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            of_one: 400_000,
            in_all: 20_000_000,
        }
    }
}

/// An atom at one of its releases.
struct Layer {
    /// The atom's place in the component.
    atom: usize,
    persons: u64,
    bounds: (u64, u64),
    /// The class's place in the state, where the number is open.
    class: Option<usize>,
    /// What the class's later layers can take at least and at most.
    later: (u64, u64),
    /// Whether this is the atom's last release.
    is_last: bool,
}

/// First how many of the present atom have the value already, then what is left of each class's count.
type State = Vec<u64>;
type States = BTreeMap<State, BigUint>;

/// The worlds of a component, and for each of its atoms the carriers at its last release, summed over all worlds; nothing where
/// that takes more than so many steps. Says how many it took.
pub(super) fn count(
    atoms: &[Atom],
    intervals: &Intervals<'_>,
    component: &[usize],
    budget: u64,
) -> (u64, Option<(BigUint, Vec<BigUint>)>) {
    if component.len() > MOST_ATOMS {
        return (0, None);
    }
    let (layers, start) = layers(atoms, intervals, component);
    let mut ways = Ways::default();
    let mut spent = 0;
    let mut forward: Vec<States> = vec![States::from([(start.clone(), BigUint::one())])];
    for layer in &layers {
        let mut next = States::new();
        for (state, worlds) in forward.last().into_iter().flatten() {
            for (carriers, after) in layer.steps(state) {
                spent += 1;
                let more = worlds * ways.raise(layer.persons, state[0], carriers);
                *next.entry(after).or_default() += more;
            }
            if spent > budget {
                return (spent, None);
            }
        }
        forward.push(next);
    }
    let mut carriers_of = vec![BigUint::zero(); component.len()];
    let mut backward: States = forward.pop().unwrap_or_default();
    backward
        .values_mut()
        .for_each(|worlds| *worlds = BigUint::one());
    for layer in layers.iter().rev() {
        let states = forward.pop().unwrap_or_default();
        let mut before = States::new();
        for (state, worlds) in states {
            let mut rest = BigUint::zero();
            for (carriers, after) in layer.steps(&state) {
                let Some(later) = backward.get(&after) else {
                    continue;
                };
                let more = later * ways.raise(layer.persons, state[0], carriers);
                if layer.is_last {
                    carriers_of[layer.atom] += &worlds * &more * carriers;
                }
                rest += more;
            }
            if !rest.is_zero() {
                before.insert(state, rest);
            }
        }
        backward = before;
    }
    let worlds = backward.remove(&start).unwrap_or_default();
    (spent, Some((worlds, carriers_of)))
}

impl Layer {
    /// How many can have the value now, and the state after it.
    fn steps(&self, state: &State) -> Vec<(u64, State)> {
        let (mut least, mut most) = (self.bounds.0.max(state[0]), self.bounds.1);
        if let Some(class) = self.class {
            let left = state[class];
            least = least.max(left.saturating_sub(self.later.1));
            let Some(room) = left.checked_sub(self.later.0) else {
                return Vec::new();
            };
            most = most.min(room);
        }
        let step = |carriers: u64| {
            let mut after = state.clone();
            if let Some(class) = self.class {
                after[class] -= carriers;
            }
            after[0] = if self.is_last { 0 } else { carriers };
            (carriers, after)
        };
        (least..=most).map(step).collect()
    }
}

/// The layers of a component, and the state before them.
fn layers(atoms: &[Atom], intervals: &Intervals<'_>, component: &[usize]) -> (Vec<Layer>, State) {
    let mut slots: BTreeMap<u32, usize> = BTreeMap::new();
    let mut start = vec![0];
    let mut layers = Vec::new();
    for place in order(atoms, component) {
        let atom = &atoms[component[place]];
        for (step, class) in atom.classes.iter().enumerate() {
            let bounds = intervals.of(component[place], step);
            let slot = (bounds.0 < bounds.1).then(|| {
                *slots.entry(*class).or_insert_with(|| {
                    start.push(open_count(intervals, *class));
                    start.len() - 1
                })
            });
            layers.push(Layer {
                atom: place,
                persons: atom.persons,
                bounds,
                class: slot,
                later: (0, 0),
                is_last: step + 1 == atom.classes.len(),
            });
        }
    }
    let mut later = vec![(0, 0); start.len()];
    for layer in layers.iter_mut().rev() {
        if let Some(class) = layer.class {
            layer.later = later[class];
            later[class].0 += layer.bounds.0;
            later[class].1 += layer.bounds.1;
        }
    }
    (layers, start)
}

/// What the atoms of a class whose numbers are open have together.
fn open_count(intervals: &Intervals<'_>, class: u32) -> u64 {
    let members = intervals.members[class as usize].iter();
    let bounds = members.map(|(atom, step)| intervals.of(*atom, *step));
    let known: u64 = bounds
        .filter(|(least, most)| least == most)
        .map(|(least, _)| least)
        .sum();
    intervals.linked[class as usize] - known
}

/// The atoms in an order that keeps few classes unfinished: always the one that opens fewest, then the one that closes most.
fn order(atoms: &[Atom], component: &[usize]) -> Vec<usize> {
    let mut waiting: BTreeMap<u32, usize> = BTreeMap::new();
    for atom in component {
        for class in &atoms[*atom].classes {
            *waiting.entry(*class).or_default() += 1;
        }
    }
    let all = waiting.clone();
    let mut left: Vec<usize> = (0..component.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let score = |place: usize| {
            let classes = &atoms[component[place]].classes;
            let opened = classes.iter().filter(|class| waiting[class] == all[class]);
            let closed = classes.iter().filter(|class| waiting[class] == 1);
            (
                // More opened than closed is worse; neither is more than there are classes.
                all.len() + opened.count() - closed.count(),
                Reverse(classes.len()),
                place,
            )
        };
        let best = left.iter().copied().min_by_key(|place| score(*place));
        let Some(best) = best else { break };
        left.retain(|place| *place != best);
        for class in &atoms[component[best]].classes {
            if let Some(waiting) = waiting.get_mut(class) {
                *waiting -= 1;
            }
        }
        order.push(best);
    }
    order
}

/// In how many ways some of those who do not have the value yet get it.
#[derive(Default)]
struct Ways {
    known: rustc_hash::FxHashMap<(u64, u64), BigUint>,
}

impl Ways {
    fn raise(&mut self, persons: u64, before: u64, after: u64) -> &BigUint {
        let (open, chosen) = (persons - before, after - before);
        self.known.entry((open, chosen)).or_insert_with(|| {
            let mut ways = BigUint::one();
            for one in 1..=chosen {
                ways = ways * (open - chosen + one) / one;
            }
            ways
        })
    }
}
