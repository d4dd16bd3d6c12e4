//! Worlds counted release by release, forward in time: after each class the number of carriers of every atom that is still to
//! come, and for atoms that have had their last release the carriers summed over all worlds so far.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::One;

use super::Largest;
use super::sums::Sums;

/// A group of linked persons whose worlds take more steps is judged by sums alone.
pub(super) const MOST_STEPS: usize = 400_000;
/// After so many steps in all, every other group is.
const ALL_STEPS: usize = 20_000_000;
/// Groups of more atoms are.
const MOST_ATOMS: usize = 512;

type Atoms<'a> = [(&'a [u32], u64)];

/// Worlds so far, and carriers of finished atoms summed over them.
#[derive(Clone, Default)]
struct Tally {
    worlds: BigUint,
    carriers: BTreeMap<usize, BigUint>,
}

/// The probability of every atom, or a bound; nothing where there is no world.
pub(super) fn judge(
    atoms: &Atoms<'_>,
    sums: &Sums<'_>,
    classes: &[(u32, u64)],
) -> Option<Vec<Largest>> {
    let mut found: Vec<Largest> = atoms
        .iter()
        .enumerate()
        .map(|(atom, (own, persons))| {
            let last = own.len() - 1;
            Largest {
                part: sums.most[atom][last].into(),
                whole: (*persons).into(),
                exact: !sums.is_open(atom, last),
                class: own[last],
            }
        })
        .collect();
    let left = left_open(atoms, sums);
    let mut taken = 0;
    for linked in linked_atoms(atoms, sums) {
        let until = ALL_STEPS.min(taken + MOST_STEPS);
        let Some(tally) = walk(atoms, sums, (classes, &left), &linked, (&mut taken, until)) else {
            continue;
        };
        if tally.worlds == BigUint::default() {
            return None;
        }
        for atom in linked {
            let carriers = tally.carriers.get(&atom).cloned();
            found[atom].part = carriers.unwrap_or_default();
            found[atom].whole = &tally.worlds * atoms[atom].1;
            found[atom].exact = true;
        }
    }
    Some(found)
}

/// Atoms that are linked by classes in which something is open.
fn linked_atoms(atoms: &Atoms<'_>, sums: &Sums<'_>) -> Vec<Vec<usize>> {
    let mut open: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (atom, (own, _)) in atoms.iter().enumerate() {
        for (place, class) in own.iter().enumerate() {
            if sums.is_open(atom, place) {
                open.entry(*class).or_default().push(atom);
            }
        }
    }
    let mut seen = vec![false; atoms.len()];
    let mut groups = Vec::new();
    for start in open.values().flatten() {
        let mut group = Vec::new();
        let mut next = vec![*start];
        while let Some(atom) = next.pop() {
            if std::mem::replace(&mut seen[atom], true) {
                continue;
            }
            group.push(atom);
            for (place, class) in atoms[atom].0.iter().enumerate() {
                if sums.is_open(atom, place) {
                    next.extend(open.get(class).into_iter().flatten());
                }
            }
        }
        if !group.is_empty() {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}

/// Walks through the classes of a group in the order of their releases; nothing where it takes too many steps.
fn walk(
    atoms: &Atoms<'_>,
    sums: &Sums<'_>,
    (classes, left_open): (&[(u32, u64)], &[u64]),
    group: &[usize],
    (steps, until): (&mut usize, usize),
) -> Option<Tally> {
    if group.len() > MOST_ATOMS {
        return None;
    }
    let mut visits: BTreeMap<(u32, u32), Vec<(usize, usize)>> = BTreeMap::new();
    for (slot, atom) in group.iter().enumerate() {
        for (place, class) in atoms[*atom].0.iter().enumerate() {
            let release = classes[*class as usize].0;
            visits
                .entry((release, *class))
                .or_default()
                .push((slot, place));
        }
    }
    // By slot the carriers now; last what the present class still has to give.
    let mut states: BTreeMap<Vec<u64>, Tally> = BTreeMap::new();
    let start = Tally {
        worlds: BigUint::one(),
        carriers: BTreeMap::new(),
    };
    states.insert(vec![0; group.len() + 1], start);
    for ((_, class), members) in &visits {
        let is_open = |(slot, place): &(usize, usize)| sums.is_open(group[*slot], *place);
        let any_open = members.iter().any(is_open);
        let given = if any_open {
            left_open[*class as usize]
        } else {
            0
        };
        let begun = std::mem::take(&mut states).into_iter();
        states = begun
            .map(|(mut state, tally)| {
                state[group.len()] = given;
                (state, tally)
            })
            .collect();
        for (at, (slot, place)) in members.iter().enumerate() {
            let atom = group[*slot];
            let open = is_open(&(*slot, *place));
            let later: u64 = members[at + 1..]
                .iter()
                .filter(|member| is_open(member))
                .map(|(slot, place)| sums.most[group[*slot]][*place])
                .sum();
            let is_last = place + 1 == atoms[atom].0.len();
            let mut after: BTreeMap<Vec<u64>, Tally> = BTreeMap::new();
            for (state, tally) in std::mem::take(&mut states) {
                let (before, left) = (state[*slot], state[group.len()]);
                let mut least = sums.fewest[atom][*place].max(before);
                let mut most = sums.most[atom][*place];
                if open {
                    least = least.max(left.saturating_sub(later));
                    most = most.min(left);
                }
                for now in least..=most {
                    *steps += 1 + tally.carriers.len() / 4;
                    let mut next = state.clone();
                    next[group.len()] = if open { left - now } else { left };
                    next[*slot] = if is_last { 0 } else { now };
                    let ways = choose(atoms[atom].1 - before, now - before);
                    let into = after.entry(next).or_default();
                    let worlds = &tally.worlds * &ways;
                    for (done, carriers) in &tally.carriers {
                        *into.carriers.entry(*done).or_default() += carriers * &ways;
                    }
                    if is_last {
                        *into.carriers.entry(atom).or_default() += &worlds * now;
                    }
                    into.worlds += worlds;
                }
                if *steps > until {
                    return None;
                }
            }
            states = after;
        }
        states.retain(|state, _| state[group.len()] == 0);
    }
    Some(states.into_values().next().unwrap_or_default())
}

/// By class, what its count leaves to those of whom it is open.
fn left_open(atoms: &Atoms<'_>, sums: &Sums<'_>) -> Vec<u64> {
    let mut left = sums.linked.to_vec();
    for (atom, (own, _)) in atoms.iter().enumerate() {
        for (place, class) in own.iter().enumerate() {
            if !sums.is_open(atom, place) {
                left[*class as usize] -= sums.fewest[atom][place];
            }
        }
    }
    left
}

fn choose(from: u64, some: u64) -> BigUint {
    let mut ways = BigUint::one();
    for one in 1..=some {
        ways = ways * (from - some + one) / one;
    }
    ways
}
