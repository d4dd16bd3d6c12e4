//! How often a group gets too many rows of one value.

use super::low::{Rounded, at_least, exactly};
use super::scene::Scene;

/// What a group takes of one class: the rows of the class that are open, those of them that have the value, and the rows taken.
pub(super) type Draw = (u32, u32, u32);

/// The chance that at least so many of all rows taken have the value.
pub(super) fn tail<const UP: bool>(draws: &[Draw], hits: u32) -> Rounded<UP> {
    if let [(rows, marked, drawn)] = draws {
        return at_least(*rows, *marked, *drawn, hits);
    }
    let mut spread = vec![Rounded::UNIT];
    for (rows, marked, drawn) in draws {
        let most = (*marked).min(*drawn) as usize;
        let mut next = vec![Rounded::ZERO; spread.len() + most];
        for hit in 0..=most {
            let chance = exactly::<UP>(*rows, *marked, *drawn, hit as u32);
            if chance.is_zero() {
                continue;
            }
            for (at, before) in spread.iter().enumerate() {
                next[at + hit] = next[at + hit].plus(before.by(chance));
            }
        }
        spread = next;
    }
    let tail = spread.iter().skip(hits as usize);
    tail.fold(Rounded::ZERO, |sum, chance| sum.plus(*chance))
}

/// A group that may fail: it does where a value has at least `failing` of its rows.
pub(super) struct Group {
    /// Its number in its step.
    pub(super) number: u32,
    pub(super) size: u32,
    pub(super) failing: u32,
    /// The classes it takes rows from, and how many.
    pub(super) pieces: Vec<(u32, u32)>,
    /// The values that these classes have.
    pub(super) values: Vec<u32>,
}

impl Group {
    pub(super) fn new(
        scene: &Scene<'_>,
        number: u32,
        pieces: Vec<(u32, u32)>,
        failing: u32,
    ) -> Self {
        let classes = pieces
            .iter()
            .map(|(class, _)| &scene.classes[*class as usize]);
        let mut values: Vec<u32> = classes
            .flat_map(|class| class.counts.iter().map(|(value, _)| *value))
            .collect();
        values.sort_unstable();
        values.dedup();
        Self {
            number,
            size: pieces.iter().map(|(_, rows)| *rows).sum(),
            failing,
            pieces,
            values,
        }
    }

    /// What it costs to look at its tails with each row of it given.
    pub(super) fn cost(&self) -> u64 {
        let rows = u64::from(self.size);
        let one = if self.pieces.len() > 1 {
            rows * rows
        } else {
            rows
        };
        one * self.values.len() as u64 * (2 + 2 * self.pieces.len() as u64)
    }

    /// The rows of a value in a class of the release.
    fn marked(scene: &Scene<'_>, class: u32, value: u32) -> u32 {
        let counts = &scene.classes[class as usize].counts;
        let at = counts.binary_search_by_key(&value, |(one, _)| *one);
        at.map_or(0, |at| counts[at].1)
    }

    /// How often a value alone makes the group fail.
    pub(super) fn by_value<const UP: bool>(&self, scene: &Scene<'_>, value: u32) -> Rounded<UP> {
        let draws: Vec<Draw> = self.draws(scene, value, |_| 0).collect();
        tail(&draws, self.failing)
    }

    fn draws(
        &self,
        scene: &Scene<'_>,
        value: u32,
        known: impl Fn(u32) -> u32,
    ) -> impl Iterator<Item = Draw> {
        self.pieces.iter().map(move |(class, drawn)| {
            let rows = scene.classes[*class as usize].size();
            let open = rows - known(*class).min(rows - drawn);
            (open, Self::marked(scene, *class, value).min(open), *drawn)
        })
    }

    /// How often the group fails.
    pub(super) fn fails<const UP: bool>(&self, scene: &Scene<'_>) -> Rounded<UP> {
        let values = self.values.iter();
        let tails = values.map(|value| self.by_value::<UP>(scene, *value));
        self.any(tails)
    }

    /// At most this often the group fails, whatever is known of so many rows of each class outside the group.
    ///
    /// Of each value no more rows are left than the class has, and the chance to get too many grows with what is left.
    pub(super) fn fails_after(
        &self,
        scene: &Scene<'_>,
        known: impl Fn(u32) -> u32 + Copy,
    ) -> Rounded<true> {
        let tails = self.values.iter().map(|value| {
            let draws: Vec<Draw> = self.draws(scene, *value, known).collect();
            tail(&draws, self.failing)
        });
        self.any::<true>(tails)
    }

    /// For each value of a piece's class: how often the group fails among the tables in which a row of the piece has the value.
    pub(super) fn fails_with<const UP: bool>(
        &self,
        scene: &Scene<'_>,
        piece: usize,
    ) -> Vec<Rounded<UP>> {
        let given = |value: u32, has: bool| {
            let mut draws: Vec<Draw> = self.draws(scene, value, |_| 0).collect();
            let (rows, marked, taken) = draws[piece];
            draws[piece] = (rows - 1, marked - u32::from(has), taken - 1);
            tail::<UP>(&draws, self.failing - u32::from(has))
        };
        let (class, _) = self.pieces[piece];
        let counts = &scene.classes[class as usize].counts;
        let is_there = |value: u32| Self::marked(scene, class, value) > 0;
        let alone = counts.len() == 1;
        let other: Vec<Rounded<UP>> = self
            .values
            .iter()
            .map(|value| {
                // A class of one value leaves no row of another.
                if alone && is_there(*value) {
                    Rounded::ZERO
                } else {
                    given(*value, false)
                }
            })
            .collect();
        let all = counts.iter().map(|(own, _)| {
            let tails = self.values.iter().zip(&other).map(|(value, other)| {
                if value == own {
                    given(*value, true)
                } else {
                    *other
                }
            });
            self.any(tails)
        });
        all.collect()
    }

    /// How often one of some values makes the group fail: the sum where no two can, else a bound to the asked side.
    fn any<const UP: bool>(&self, tails: impl Iterator<Item = Rounded<UP>>) -> Rounded<UP> {
        let mut sum = Rounded::ZERO;
        let mut most = Rounded::<UP>::ZERO;
        for tail in tails {
            sum = sum.plus(tail);
            if most.is_less(tail) {
                most = tail;
            }
        }
        let at_once = self.size / self.failing.max(1);
        if UP || at_once <= 1 {
            return sum;
        }
        let shared = sum.over(at_once.into());
        if most.is_less(shared) { shared } else { most }
    }
}
