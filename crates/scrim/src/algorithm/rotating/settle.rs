//! Puts the rows of a block into classes, those with the least choice first.

use std::cmp::Reverse;

use super::super::axis::Span;
use super::crowd::{Crowd, Group};
use super::exact;

/// How many partners are looked at, unless a class needs more.
const NEAR: usize = 128;
/// So many rows of classes are looked at for all rows without one together.
const TRIES: usize = 4_000_000;
/// Classes up to this many rows together are parted anew in every way.
const REPARTED: usize = 6;

/// Classes, and rows that found none.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) classes: Vec<Vec<u32>>,
    pub(super) left: Vec<u32>,
}

/// Rows by the size of the class that they need, the largest first.
pub(super) fn settle(crowd: &Crowd<'_>, rows: &[u32]) -> Settled {
    let mut order: Vec<(Reverse<u64>, u32)> = rows
        .iter()
        .map(|row| (Reverse(crowd.needs(*row).unwrap_or(u64::MAX)), *row))
        .collect();
    order.sort_unstable();
    let mut settled = Settled::default();
    let mut free: Vec<u32> = order.iter().map(|(_, row)| *row).collect();
    while let Some(seed) = free.first().copied() {
        free.remove(0);
        if crowd.is_valid(&[seed]) {
            settled.classes.push(vec![seed]);
            continue;
        }
        match grow(crowd, seed, &free) {
            Some(class) => {
                free.retain(|row| !class.contains(row));
                settled.classes.push(class);
            }
            None => settled.left.push(seed),
        }
    }
    settled
}

/// Partners for a row, among the nearest first.
fn grow(crowd: &Crowd<'_>, seed: u32, free: &[u32]) -> Option<Vec<u32>> {
    let needs = crowd.needs(seed)?;
    let spans = crowd.spans(&[seed]);
    let mut near: Vec<(u64, u32)> = free
        .iter()
        .map(|row| (crowd.price_with(&spans, *row), *row))
        .collect();
    let few = NEAR.max(2 * usize::try_from(needs).unwrap_or(usize::MAX / 2));
    if few < near.len() {
        near.select_nth_unstable(few);
    }
    let pool: Vec<u32> = near.into_iter().map(|(_, row)| row).collect();
    let small = (few < pool.len()).then(|| complete(crowd, seed, &pool[..few]));
    let group = small.flatten().or_else(|| complete(crowd, seed, &pool));
    group.map(|group| group.rows)
}

/// Adds the row for which the class as it will be costs least, until the class is valid.
fn complete(crowd: &Crowd<'_>, seed: u32, pool: &[u32]) -> Option<Group> {
    let mut group = Group::of(crowd, &[seed]);
    let mut pool = pool.to_vec();
    while !crowd.completes(&group) {
        let (_, at) = best(crowd, &group, pool.iter().copied(), pool.len() as u64)?;
        let row = pool.swap_remove(at);
        group.add(crowd, &[row]);
    }
    Some(group)
}

/// What a class will cost, then how little is left of its persons' rooms, then the row.
type Score = (u64, Reverse<u32>, u32);

/// The best next row, and its place in the pool.
fn best(
    crowd: &Crowd<'_>,
    group: &Group,
    pool: impl Iterator<Item = u32>,
    there_are: u64,
) -> Option<(Score, usize)> {
    let size = group.rows.len() as u64 + 1;
    let score = |(at, row): (usize, u32)| {
        let needs = group.needs_with(crowd, row)?;
        if needs > size + there_are {
            return None;
        }
        let price = crowd.price_with(&group.spans, row);
        // Also where nothing is lost yet, smaller classes are better.
        let cost = (price + 1).saturating_mul(needs.max(size));
        Some(((cost, Reverse(group.freshness(crowd, row)), row), at))
    };
    pool.enumerate().filter_map(score).min()
}

/// Finds a class for rows that have none: partners from classes that can spare them, or whole classes.
pub(super) fn rescue(crowd: &Crowd<'_>, settled: &mut Settled) {
    if settled.left.is_empty() {
        return;
    }
    let again = settle(crowd, &settled.left);
    settled.classes.extend(again.classes);
    settled.left = again.left;
    let size = settled.classes.iter().map(Vec::len).sum::<usize>();
    let tries = TRIES / size.max(1) + 16;
    let mut lost = Vec::new();
    for (number, row) in std::mem::take(&mut settled.left).into_iter().enumerate() {
        let classes = &mut settled.classes;
        let helped = number < tries
            && crowd.needs(row).is_some()
            && (spare(crowd, row, classes)
                || unite(crowd, row, classes)
                || repart(crowd, row, classes));
        if !helped {
            lost.push(row);
        }
    }
    settled.left = lost;
}

/// The classes by what it costs to have a row with them.
fn nearest(crowd: &Crowd<'_>, row: u32, classes: &[Vec<u32>]) -> Vec<usize> {
    let price = |class: &Vec<u32>| crowd.price_with(&crowd.spans(class), row);
    let mut order: Vec<(u64, usize)> = classes.iter().map(price).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// A class for the row, of rows that their classes can do without.
fn spare(crowd: &Crowd<'_>, row: u32, classes: &mut Vec<Vec<u32>>) -> bool {
    let few = NEAR.max(2 * crowd.needs(row).unwrap_or(0) as usize);
    let order = nearest(crowd, row, classes);
    let mut pool: Vec<(u32, usize)> = Vec::new();
    for class in order {
        if pool.len() > 2 * few {
            break;
        }
        pool.extend(classes[class].iter().map(|row| (*row, class)));
    }
    let mut remaining: Vec<Option<Vec<u32>>> = vec![None; classes.len()];
    let mut group = Group::of(crowd, &[row]);
    while !crowd.completes(&group) {
        let rows = pool.iter().map(|(row, _)| *row);
        let Some((_, at)) = best(crowd, &group, rows, pool.len() as u64) else {
            return false;
        };
        let (partner, class) = pool.swap_remove(at);
        let now = remaining[class].as_ref().unwrap_or(&classes[class]);
        let without: Vec<u32> = now.iter().copied().filter(|row| *row != partner).collect();
        if without.is_empty() || crowd.is_valid(&without) {
            group.add(crowd, &[partner]);
            remaining[class] = Some(without);
        }
    }
    for (class, remaining) in classes.iter_mut().zip(remaining) {
        if let Some(remaining) = remaining {
            *class = remaining;
        }
    }
    classes.retain(|class| !class.is_empty());
    classes.push(group.rows);
    true
}

/// The row with whole classes, the nearest first.
fn unite(crowd: &Crowd<'_>, row: u32, classes: &mut Vec<Vec<u32>>) -> bool {
    let mut order = nearest(crowd, row, classes);
    order.truncate(4 * NEAR);
    let mut group = Group::of(crowd, &[row]);
    let mut used: Vec<usize> = Vec::new();
    while !crowd.completes(&group) {
        let score = |class: &usize| {
            let mut united = group.clone();
            united.add(crowd, &classes[*class]);
            let needs = united.needs?;
            let size = (united.rows.len() as u64).max(needs);
            Some((size.saturating_mul(crowd.price(&united.spans) + 1), *class))
        };
        let open = order.iter().filter(|class| !used.contains(class));
        let Some((_, class)) = open.filter_map(score).min() else {
            return false;
        };
        group.add(crowd, &classes[class]);
        used.push(class);
    }
    used.iter().for_each(|class| classes[*class].clear());
    classes.retain(|class| !class.is_empty());
    classes.push(group.rows);
    true
}

/// The row with the rows of a few classes, parted in every way.
fn repart(crowd: &Crowd<'_>, row: u32, classes: &mut Vec<Vec<u32>>) -> bool {
    let mut order = nearest(crowd, row, classes);
    order.truncate(16);
    let mut tried = Vec::new();
    for (at, first) in order.iter().enumerate() {
        tried.push(vec![*first]);
        tried.extend(order[at + 1..].iter().map(|second| vec![*first, *second]));
    }
    let sizes = |chosen: &Vec<usize>| {
        chosen
            .iter()
            .map(|class| classes[*class].len())
            .sum::<usize>()
    };
    tried.retain(|chosen| sizes(chosen) < exact::FEW);
    for chosen in tried {
        let mut rows = vec![row];
        chosen
            .iter()
            .for_each(|class| rows.extend(&classes[*class]));
        if let Some((_, parts)) = exact::cheapest(crowd, &rows) {
            chosen.iter().for_each(|class| classes[*class].clear());
            classes.retain(|class| !class.is_empty());
            classes.extend(parts);
            return true;
        }
    }
    false
}

/// Parts neighbouring small classes anew where that costs less, and swaps rows between larger ones.
pub(super) fn improve(crowd: &Crowd<'_>, classes: &mut Vec<Vec<u32>>) {
    let mut spans: Vec<Vec<Span>> = classes.iter().map(|class| crowd.spans(class)).collect();
    let mut at = 0;
    while at < classes.len() {
        if !classes[at].is_empty() && crowd.price(&spans[at]) > 0 {
            for other in neighbours(crowd, classes, &spans, at) {
                if classes[at].len() + classes[other].len() <= REPARTED {
                    reparted(crowd, classes, at, other);
                } else {
                    swapped(crowd, classes, at, other);
                }
                spans[at] = crowd.spans(&classes[at]);
                spans[other] = crowd.spans(&classes[other]);
                spans.extend(
                    classes[spans.len()..]
                        .iter()
                        .map(|class| crowd.spans(class)),
                );
                if classes[at].is_empty() {
                    break;
                }
            }
        }
        at += 1;
    }
    classes.retain(|class| !class.is_empty());
}

/// The classes with which a class would cost least, the nearest first.
fn neighbours(
    crowd: &Crowd<'_>,
    classes: &[Vec<u32>],
    spans: &[Vec<Span>],
    at: usize,
) -> Vec<usize> {
    let mut hull = spans[at].clone();
    let mut near: Vec<(u64, usize)> = Vec::with_capacity(spans.len());
    let others = spans.iter().enumerate();
    let others = others.filter(|(other, _)| *other != at && !classes[*other].is_empty());
    for (other, theirs) in others {
        let both = hull.iter_mut().zip(&spans[at]).zip(theirs);
        both.for_each(|((hull, own), theirs)| *hull = own.with(*theirs));
        near.push((crowd.price(&hull), other));
    }
    let few = 4.min(near.len());
    if few < near.len() {
        near.select_nth_unstable(few);
    }
    near.truncate(few);
    near.sort_unstable();
    near.into_iter().map(|(_, other)| other).collect()
}

/// Two classes as the best partition of their rows; one of them may end up empty, and more may come.
fn reparted(crowd: &Crowd<'_>, classes: &mut Vec<Vec<u32>>, left: usize, right: usize) {
    let rows = [classes[left].as_slice(), &classes[right]].concat();
    let now = crowd.cost(&classes[left]) + crowd.cost(&classes[right]);
    let Some((cost, mut parts)) = exact::cheapest(crowd, &rows) else {
        return;
    };
    if cost < now {
        classes[left] = parts.pop().unwrap_or_default();
        classes[right] = parts.pop().unwrap_or_default();
        classes.extend(parts);
    }
}

/// Exchanges one row of each class where both stay valid and cost less.
fn swapped(crowd: &Crowd<'_>, classes: &mut [Vec<u32>], left: usize, right: usize) {
    if classes[left].len() > 16 || classes[right].len() > 16 {
        return;
    }
    let now = crowd.cost(&classes[left]) + crowd.cost(&classes[right]);
    for own in 0..classes[left].len() {
        for other in 0..classes[right].len() {
            let mut pair = (classes[left].clone(), classes[right].clone());
            std::mem::swap(&mut pair.0[own], &mut pair.1[other]);
            let cost = crowd.cost(&pair.0) + crowd.cost(&pair.1);
            if cost < now && crowd.is_valid(&pair.0) && crowd.is_valid(&pair.1) {
                (classes[left], classes[right]) = pair;
                return;
            }
        }
    }
}
