//! The order in which atoms are dealt with.

use super::frontier::{Atom, Component};

/// The classes and the groups that are open, ascending.
pub(super) type Open = (Vec<usize>, Vec<usize>);

/// An order of the atoms in which few classes and groups are open: always the atom that closes most and opens fewest, the first of
/// equal ones.
pub(super) fn few_open(component: &Component) -> Vec<usize> {
    let classes = component.classes.len();
    let parts = |atom: &Atom| {
        let groups = atom.groups.iter().map(move |group| classes + group);
        groups.chain([atom.class]).collect::<Vec<usize>>()
    };
    let parts: Vec<Vec<usize>> = component.atoms.iter().map(parts).collect();
    let mut waiting = vec![0_usize; classes + component.groups.len()];
    parts.iter().flatten().for_each(|part| waiting[*part] += 1);
    let all = waiting.clone();
    let mut left: Vec<usize> = (0..parts.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let opens = |atom: &usize| {
            let change = parts[*atom].iter().map(|part| {
                let opened = i64::from(waiting[*part] == all[*part]);
                opened - i64::from(waiting[*part] == 1)
            });
            change.sum::<i64>()
        };
        let best = (0..left.len())
            .min_by_key(|at| opens(&left[*at]))
            .unwrap_or(0);
        let atom = left.remove(best);
        parts[atom].iter().for_each(|part| waiting[*part] -= 1);
        order.push(atom);
    }
    order
}

/// The classes and groups that are open before each atom, and after the last.
pub(super) fn open(component: &Component, order: &[usize]) -> Vec<Open> {
    let mut classes = vec![(usize::MAX, 0); component.classes.len()];
    let mut groups = vec![(usize::MAX, 0); component.groups.len()];
    for (at, atom) in order.iter().enumerate() {
        let atom = &component.atoms[*atom];
        see(&mut classes[atom.class], at);
        for group in &atom.groups {
            see(&mut groups[*group], at);
        }
    }
    let at = |at: usize| (within(&classes, at), within(&groups, at));
    (0..=order.len()).map(at).collect()
}

/// First and last place grow to hold one more.
fn see((first, last): &mut (usize, usize), at: usize) {
    (*first, *last) = ((*first).min(at), at);
}

/// Those that begin before a place and do not end before it.
fn within(spans: &[(usize, usize)], at: usize) -> Vec<usize> {
    let parts = spans.iter().enumerate();
    let parts = parts.filter(|(_, (first, last))| *first < at && at <= *last);
    parts.map(|(part, _)| part).collect()
}
