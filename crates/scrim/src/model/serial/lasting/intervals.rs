//! How many members of an atom can have the value at each of its releases, by sums alone.

use std::collections::BTreeMap;

use super::Atom;

/// Narrowing ends after so many passes; intervals are right after any number.
const PASSES: usize = 64;

/// The least and the most carriers of each atom at each of its releases.
#[derive(Debug)]
pub(super) struct Intervals<'a> {
    atoms: &'a [Atom],
    pub(super) linked: &'a [u64],
    bounds: Vec<Vec<(u64, u64)>>,
    /// By class: its atoms and the place of the class among theirs.
    pub(super) members: Vec<Vec<(usize, usize)>>,
}

impl<'a> Intervals<'a> {
    /// Nothing where some interval is empty: then no world is possible.
    pub(super) fn new(atoms: &'a [Atom], linked: &'a [u64]) -> Option<Self> {
        let mut members = vec![Vec::new(); linked.len()];
        let mut bounds = Vec::with_capacity(atoms.len());
        for (at, atom) in atoms.iter().enumerate() {
            let of_atom = atom.classes.iter().enumerate().map(|(step, class)| {
                members[*class as usize].push((at, step));
                (0, atom.persons.min(linked[*class as usize]))
            });
            bounds.push(of_atom.collect());
        }
        let mut found = Self {
            atoms,
            linked,
            bounds,
            members,
        };
        for _ in 0..PASSES {
            if !found.narrow()? {
                break;
            }
        }
        Some(found)
    }

    /// One pass; whether something changed, or nothing where an interval became empty.
    fn narrow(&mut self) -> Option<bool> {
        let mut changed = false;
        for bounds in &mut self.bounds {
            for step in 1..bounds.len() {
                let least = bounds[step].0.max(bounds[step - 1].0);
                changed |= std::mem::replace(&mut bounds[step].0, least) != least;
            }
            for step in (1..bounds.len()).rev() {
                let most = bounds[step - 1].1.min(bounds[step].1);
                changed |= std::mem::replace(&mut bounds[step - 1].1, most) != most;
            }
            if bounds.iter().any(|(least, most)| least > most) {
                return None;
            }
        }
        for (members, linked) in self.members.iter().zip(self.linked) {
            let bounds = &mut self.bounds;
            let sum = |of: &dyn Fn((u64, u64)) -> u64| -> u64 {
                let cells = members.iter().map(|(atom, step)| bounds[*atom][*step]);
                cells.map(of).sum()
            };
            let (least, most) = (sum(&|cell| cell.0), sum(&|cell| cell.1));
            if least > *linked || most < *linked {
                return None;
            }
            for (atom, step) in members {
                let cell = &mut bounds[*atom][*step];
                let narrowed = (
                    cell.0.max((linked + cell.1).saturating_sub(most)),
                    cell.1.min(linked + cell.0 - least),
                );
                changed |= std::mem::replace(cell, narrowed) != narrowed;
            }
        }
        Some(changed)
    }

    /// The interval of an atom at one of its releases.
    pub(super) fn of(&self, atom: usize, step: usize) -> (u64, u64) {
        self.bounds[atom][step]
    }

    /// The interval of an atom at its last release.
    pub(super) fn last(&self, atom: usize) -> (u64, u64) {
        self.bounds[atom].last().copied().unwrap_or((0, 0))
    }

    /// Atoms that are linked by classes in which their numbers are open. Atoms of which all is known are in none.
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        let is_open = |(atom, step): &(usize, usize)| {
            let (least, most) = self.of(*atom, *step);
            least < most
        };
        let mut root: Vec<usize> = (0..self.atoms.len()).collect();
        for members in &self.members {
            let mut open = members.iter().filter(|cell| is_open(cell));
            let Some((first, _)) = open.next() else {
                continue;
            };
            for (atom, _) in open {
                let (one, other) = (find(&mut root, *first), find(&mut root, *atom));
                root[one.max(other)] = one.min(other);
            }
        }
        let mut components: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (atom, own) in self.atoms.iter().enumerate() {
            if (0..own.classes.len()).any(|step| is_open(&(atom, step))) {
                let root = find(&mut root, atom);
                components.entry(root).or_default().push(atom);
            }
        }
        components.into_values().collect()
    }
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}
