//! Arrangements of classes and groups that cross each other, atom by atom.
//!
//! **Definition.** An atom is the rows that no partition tells apart. A component is the classes and groups that touch each other. Its
//! arrangements in which all groups pass are counted by dealing values to one atom after the other.
//! **Holds because** what matters of the atoms before is what is left of each open class and what each open group holds so far. A
//! forward and a backward pass give, for every atom and value, the arrangements in which a row of the atom has the value.
//! **Cost.** Exponential in the open groups times the values; the order of atoms keeps few groups open.
//! **Oracle.** `testkit::oracle::disclosure_set`.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::effort::{Budget, Found, give_up};
use super::numbers::{Binomials, arrangements};
use super::order::{Open, few_open, open};
use super::property::Property;

/// The most atoms of a component; choosing their order is quadratic.
const MOST_ATOMS: usize = 3000;
/// Sizes up to which binomials are tabled.
const TABLED: u32 = 512;

/// Rows that no partition tells apart.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) class: usize,
    pub(super) size: u32,
    pub(super) groups: Vec<usize>,
}

/// Classes and groups that touch each other, numbered within the component.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    /// The values of each class, (value, rows), by value.
    pub(super) classes: Vec<Vec<(u32, u32)>>,
    /// The rows of each group.
    pub(super) groups: Vec<u32>,
    pub(super) atoms: Vec<Atom>,
}

/// What was counted of a component.
#[derive(Clone, Debug)]
pub(super) struct Crossing {
    /// Arrangements in which all groups pass.
    pub(super) ways: BigUint,
    /// For each atom: those in which a given row of it has each value of its class, by the index of the value there.
    pub(super) marked: Vec<Vec<BigUint>>,
}

/// The states before an atom is dealt.
#[derive(Default)]
struct Layer {
    index: FxHashMap<Box<[u32]>, usize>,
    states: Vec<Box<[u32]>>,
    ways: Vec<BigUint>,
}

/// Counts a component.
pub(super) fn count(
    component: &Component,
    property: &dyn Property,
    values: usize,
    budget: &mut Budget<'_>,
) -> Found<Crossing> {
    if component.atoms.len() > MOST_ATOMS {
        return give_up("partitions cross in too many places to be counted");
    }
    let mut walk = Walk::new(component, property, values);
    let mut layers = vec![Layer::default()];
    layers[0].add(Box::default(), &BigUint::one(), budget)?;
    for at in 0..walk.order.len() {
        let mut next = Layer::default();
        let here = &layers[at];
        for (state, ways) in here.states.iter().zip(&here.ways) {
            walk.moves(at, state, budget, &mut |state, orders, _, budget| {
                next.add(state, &(ways * orders), budget)
            })?;
        }
        layers.push(next);
    }
    walk.backward(&layers, budget)
}

impl Layer {
    fn add(&mut self, state: Box<[u32]>, ways: &BigUint, budget: &mut Budget<'_>) -> Found<()> {
        if let Some(at) = self.index.get(&state) {
            self.ways[*at] += ways;
            return Ok(());
        }
        budget.state()?;
        self.index.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.ways.push(ways.clone());
        Ok(())
    }
}

/// What a move leads to: the state after, the orders of the atom's values, how many of each value it took.
type Visit<'v> = dyn FnMut(Box<[u32]>, &BigUint, &[u32], &mut Budget<'_>) -> Found<()> + 'v;

struct Walk<'a> {
    component: &'a Component,
    property: &'a dyn Property,
    order: Vec<usize>,
    /// Before each atom: the open classes and the open groups.
    open: Vec<Open>,
    /// All values of the component, and where those of each class stand among them.
    values: Vec<u32>,
    places: Vec<Vec<usize>>,
    counts: Vec<u32>,
    binomials: Binomials,
}

impl<'a> Walk<'a> {
    fn new(component: &'a Component, property: &'a dyn Property, values: usize) -> Self {
        let mut all: Vec<u32> = component
            .classes
            .iter()
            .flatten()
            .map(|(value, _)| *value)
            .collect();
        all.sort_unstable();
        all.dedup();
        let place = |(value, _): &(u32, u32)| all.partition_point(|one| one < value);
        let places = component
            .classes
            .iter()
            .map(|class| class.iter().map(place).collect())
            .collect();
        let order = few_open(component);
        Self {
            open: open(component, &order),
            component,
            property,
            order,
            values: all,
            places,
            counts: vec![0; values],
            binomials: Binomials::default(),
        }
    }

    /// All moves from a state: a way to deal values to the atom, so that no group that is then complete fails.
    fn moves(
        &mut self,
        at: usize,
        state: &[u32],
        budget: &mut Budget<'_>,
        visit: &mut Visit<'_>,
    ) -> Found<()> {
        let component = self.component;
        let atom = &component.atoms[self.order[at]];
        let (left, held) = self.decode(at, state);
        let mine = left[&atom.class].clone();
        // No value may reach a count that fails in a group that is not even complete.
        let room = mine
            .iter()
            .zip(&self.places[atom.class])
            .map(|(left, place)| {
                let groups = atom.groups.iter().map(|group| {
                    let failing = self.property.least_failing(component.groups[*group]);
                    failing.map_or(u32::MAX, |failing| {
                        failing
                            .saturating_sub(1)
                            .saturating_sub(held[group][*place])
                    })
                });
                (*left).min(groups.min().unwrap_or(u32::MAX))
            });
        let room: Vec<u32> = room.collect();
        let mut dealt = vec![0; mine.len()];
        let mut next = Next {
            at,
            left,
            held,
            visit,
        };
        self.deal(&mut next, &room, 0, atom.size, &mut dealt, budget)
    }

    fn deal(
        &mut self,
        next: &mut Next<'_, '_>,
        room: &[u32],
        index: usize,
        rows: u32,
        dealt: &mut Vec<u32>,
        budget: &mut Budget<'_>,
    ) -> Found<()> {
        budget.step()?;
        if index == room.len() {
            return if rows == 0 {
                self.arrive(next, dealt, budget)
            } else {
                Ok(())
            };
        }
        let after: u64 = room[index + 1..].iter().map(|room| u64::from(*room)).sum();
        let least = u64::from(rows).saturating_sub(after) as u32;
        for taken in least..=room[index].min(rows) {
            dealt[index] = taken;
            self.deal(next, room, index + 1, rows - taken, dealt, budget)?;
        }
        dealt[index] = 0;
        Ok(())
    }

    /// The state after a move, unless a group that is complete fails.
    fn arrive(
        &mut self,
        next: &mut Next<'_, '_>,
        dealt: &[u32],
        budget: &mut Budget<'_>,
    ) -> Found<()> {
        let component = self.component;
        let atom = &component.atoms[self.order[next.at]];
        let (classes, groups) = self.open[next.at + 1].clone();
        for group in &atom.groups {
            if groups.binary_search(group).is_err()
                && !self.passes(&next.held[group], atom.class, dealt)
            {
                return Ok(());
            }
        }
        let mut state = Vec::new();
        for class in &classes {
            let left = next.left.get(class);
            let own = if *class == atom.class { dealt } else { &[] };
            let taken = own.iter().copied().chain(std::iter::repeat(0));
            state.extend(
                left.into_iter()
                    .flatten()
                    .zip(taken)
                    .map(|(left, taken)| left - taken),
            );
        }
        for group in &groups {
            let from = state.len();
            state.extend(next.held.get(group).into_iter().flatten());
            if atom.groups.contains(group) {
                for (place, taken) in self.places[atom.class].iter().zip(dealt) {
                    state[from + place] += taken;
                }
            }
        }
        let orders = self.orders(dealt);
        (next.visit)(state.into(), &orders, dealt, budget)
    }

    fn passes(&mut self, held: &[u32], class: usize, dealt: &[u32]) -> bool {
        for (value, rows) in self.values.iter().zip(held) {
            self.counts[*value as usize] = *rows;
        }
        for (place, taken) in self.places[class].iter().zip(dealt) {
            self.counts[self.values[*place] as usize] += taken;
        }
        let passes = self.property.passes(&self.counts);
        self.values
            .iter()
            .for_each(|value| self.counts[*value as usize] = 0);
        passes
    }

    fn orders(&mut self, dealt: &[u32]) -> BigUint {
        let mut rows: u32 = dealt.iter().sum();
        if rows > TABLED {
            return arrangements(dealt);
        }
        let mut orders = BigUint::one();
        for taken in dealt {
            orders *= self.binomials.of(rows, *taken);
            rows -= taken;
        }
        orders
    }

    /// What a state says: of each open class and the atom's what is left, of each open group and the atom's what it holds.
    fn decode(&self, at: usize, state: &[u32]) -> (Parts, Parts) {
        let (classes, groups) = &self.open[at];
        let atom = &self.component.atoms[self.order[at]];
        let mut rest = state;
        let mut take = |length: usize| {
            let (here, after) = rest.split_at(length);
            rest = after;
            here.to_vec()
        };
        let mut left: Parts = classes
            .iter()
            .map(|class| (*class, take(self.places[*class].len())))
            .collect();
        let mut held: Parts = groups
            .iter()
            .map(|group| (*group, take(self.values.len())))
            .collect();
        let full = || {
            self.component.classes[atom.class]
                .iter()
                .map(|(_, count)| *count)
        };
        left.entry(atom.class).or_insert_with(|| full().collect());
        for group in &atom.groups {
            held.entry(*group)
                .or_insert_with(|| vec![0; self.values.len()]);
        }
        (left, held)
    }

    fn backward(&mut self, layers: &[Layer], budget: &mut Budget<'_>) -> Found<Crossing> {
        let component = self.component;
        let empty = component
            .atoms
            .iter()
            .map(|atom| vec![BigUint::zero(); component.classes[atom.class].len()]);
        let mut marked: Vec<Vec<BigUint>> = empty.collect();
        let last = &layers[layers.len() - 1];
        let ways = last.ways.first().cloned().unwrap_or_default();
        let mut after = vec![BigUint::one(); last.states.len()];
        for at in (0..self.order.len()).rev() {
            let (here, next) = (&layers[at], &layers[at + 1]);
            let mut sums = vec![BigUint::zero(); here.states.len()];
            let mine = &mut marked[self.order[at]];
            for ((state, ways), sum) in here.states.iter().zip(&here.ways).zip(&mut sums) {
                self.moves(at, state, budget, &mut |state, orders, dealt, _| {
                    if let Some(to) = next.index.get(&state) {
                        let on = orders * &after[*to];
                        for (mark, taken) in mine.iter_mut().zip(dealt) {
                            if *taken > 0 {
                                *mark += &on * ways * *taken;
                            }
                        }
                        *sum += on;
                    }
                    Ok(())
                })?;
            }
            let size = component.atoms[self.order[at]].size;
            mine.iter_mut().for_each(|mark| *mark /= size);
            after = sums;
        }
        Ok(Crossing { ways, marked })
    }
}

type Parts = std::collections::BTreeMap<usize, Vec<u32>>;

/// A move that is being made.
struct Next<'n, 'v> {
    at: usize,
    left: Parts,
    held: Parts,
    visit: &'n mut Visit<'v>,
}
