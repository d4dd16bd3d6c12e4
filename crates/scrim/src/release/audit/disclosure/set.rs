//! What remains possible, as the certifier counts it: row by row, by definition, or by drawing.
//!
//! **Definition.** The disclosure set: all assignments of values to rows with the released histogram in every class under
//! which each refused step has a group that breaks a promise ([Zhang07], Table 5).
//! **Reading.** Rows that are together in every class and every group are alike, and one of them stands for all.
//! **Holds because** counts are by inclusion and exclusion over the refused steps: from all assignments those under which a step
//! passes are taken away. A draw within the classes that is thrown away unless every step fails is a draw from the set;
//! Hoeffding's inequality bounds each share, and the union of all that could be wrong has the chance that the policy allows.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::judge::{Judge, Shares};

/// What is known of classes and groups that are not ended: the step, the group, and what its rows have so far.
type State = Vec<(usize, u32, Vec<u32>)>;

/// So many steps of a count may be taken.
const STEPS: u64 = 6_000_000;

/// What is believed of the rows of one atom, in whole numbers over a total.
pub(super) struct Belief {
    /// A row of it.
    pub(super) row: usize,
    /// The rows of its class.
    pub(super) rows: u64,
    pub(super) total: BigInt,
    pub(super) low: Vec<BigInt>,
    pub(super) high: Vec<BigInt>,
}

impl Belief {
    /// Whether every promise is kept.
    pub(super) fn keeps(&self, judge: &Judge<'_>) -> bool {
        judge.keeps(&Shares {
            rows: self.rows,
            total: &self.total,
            low: &self.low,
            high: &self.high,
        })
    }
}

/// What was found.
pub(super) struct Found {
    pub(super) method: &'static str,
    pub(super) size: Option<BigInt>,
    pub(super) beliefs: Vec<Belief>,
}

/// A released step and those refused before it.
pub(super) struct Secret<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) values: &'a [u32],
    pub(super) released: &'a [u32],
    pub(super) refused: Vec<Vec<u32>>,
}

impl Secret<'_> {
    /// How many values there are.
    pub(super) fn width(&self) -> usize {
        self.judge.codes.len()
    }

    /// The histogram of each group.
    pub(super) fn histograms(&self, groups: &[u32]) -> Vec<Vec<u32>> {
        let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
        let mut all = vec![vec![0; self.width()]; count];
        for (group, value) in groups.iter().zip(self.values) {
            all[*group as usize][*value as usize] += 1;
        }
        all
    }

    /// Leaves out the refusals that were certain.
    pub(super) fn forget_certain(&mut self) {
        let classes = self.histograms(self.released);
        let refused = std::mem::take(&mut self.refused);
        self.refused = refused
            .into_iter()
            .filter(|groups| !self.is_certain(groups, &classes))
            .collect();
    }

    /// Leaves out the refusals that every table has: of steps with a group so large that some value must break a promise in it.
    pub(super) fn forget_impossible(&mut self) {
        let (judge, width) = (self.judge, self.width() as u64);
        self.refused.retain(|groups| {
            let mut sizes = vec![0_u32; groups.len()];
            groups.iter().for_each(|group| sizes[*group as usize] += 1);
            !sizes.iter().filter(|size| **size > 0).any(|size| {
                let least = judge.least_breaking(*size);
                least.is_some_and(|least| u64::from(*size) > u64::from(least - 1) * width)
            })
        });
    }

    /// Whether some group breaks a promise whatever its rows have: because even the most even histogram that its classes allow
    /// does. That is so where no name of a value matters.
    fn is_certain(&self, groups: &[u32], classes: &[Vec<u32>]) -> bool {
        if !self.judge.is_even_best() {
            return false;
        }
        let mut touched: FxHashMap<u32, (u32, Vec<u32>)> = FxHashMap::default();
        for (group, class) in groups.iter().zip(self.released) {
            let (rows, classes) = touched.entry(*group).or_default();
            *rows += 1;
            if classes.last() != Some(class) {
                classes.push(*class);
            }
        }
        touched.into_values().any(|(rows, mut touched)| {
            touched.sort_unstable();
            touched.dedup();
            let mut caps = vec![0u32; self.width()];
            for class in touched {
                let counts = caps.iter_mut().zip(&classes[class as usize]);
                counts.for_each(|(cap, count)| *cap += count);
            }
            !self.judge.passes(&most_even(&caps, rows))
        })
    }

    /// Where the one refused step splits every class into groups of one size, all rows of a class are alike.
    pub(super) fn is_even_split(&self) -> bool {
        let [groups] = &self.refused[..] else {
            return self.refused.is_empty();
        };
        let mut sizes: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        let mut class_of_group: FxHashMap<u32, u32> = FxHashMap::default();
        for (group, class) in groups.iter().zip(self.released) {
            *sizes.entry((*class, *group)).or_default() += 1;
            if *class_of_group.entry(*group).or_insert(*class) != *class {
                return false;
            }
        }
        let mut of_class: FxHashMap<u32, u64> = FxHashMap::default();
        sizes
            .into_iter()
            .all(|((class, _), size)| *of_class.entry(class).or_insert(size) == size)
    }

    /// The beliefs of somebody who knows the classes only.
    pub(super) fn plain(&self, method: &'static str) -> Found {
        let classes = self.histograms(self.released);
        let mut seen = vec![false; classes.len()];
        let mut beliefs = Vec::new();
        for (row, class) in self.released.iter().enumerate() {
            if std::mem::replace(&mut seen[*class as usize], true) {
                continue;
            }
            let counts: Vec<BigInt> = classes[*class as usize]
                .iter()
                .map(|n| (*n).into())
                .collect();
            let rows: u64 = classes[*class as usize].iter().map(|n| u64::from(*n)).sum();
            beliefs.push(Belief {
                row,
                rows,
                total: rows.into(),
                low: counts.clone(),
                high: counts,
            });
        }
        Found {
            method,
            size: None,
            beliefs,
        }
    }

    /// One row of each atom.
    pub(super) fn atoms(&self) -> (Vec<u32>, Vec<usize>) {
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut first = Vec::new();
        let mut of_row = Vec::with_capacity(self.released.len());
        for row in 0..self.released.len() {
            let mut key = vec![self.released[row]];
            key.extend(self.refused.iter().map(|groups| groups[row]));
            let next = numbers.len() as u32;
            let atom = *numbers.entry(key).or_insert(next);
            if atom == next {
                first.push(row);
            }
            of_row.push(atom);
        }
        (of_row, first)
    }

    /// Counts exactly, where that is not too much.
    pub(super) fn count(&self) -> Option<Found> {
        if self.refused.len() > 4 || self.released.len() > 200 {
            return None;
        }
        let mut left = STEPS;
        let subsets = 1u32 << self.refused.len();
        let mut signed = |fixed: Option<(usize, u32)>| {
            let mut sum = BigInt::zero();
            for subset in 0..subsets {
                let chosen = (0..self.refused.len()).filter(|at| subset & (1 << at) != 0);
                let chosen: Vec<&Vec<u32>> = chosen.map(|at| &self.refused[at]).collect();
                let passing = self.passing(&chosen, fixed, &mut left)?;
                if chosen.len().is_multiple_of(2) {
                    sum += passing;
                } else {
                    sum -= passing;
                }
            }
            Some(sum)
        };
        let size = signed(None)?;
        let classes = self.histograms(self.released);
        let (_, first) = self.atoms();
        let mut beliefs = Vec::new();
        for row in first {
            let class = &classes[self.released[row] as usize];
            let mut shares = Vec::new();
            for (value, count) in (0..).zip(class) {
                shares.push(if *count == 0 {
                    BigInt::zero()
                } else {
                    signed(Some((row, value)))?
                });
            }
            beliefs.push(Belief {
                row,
                rows: class.iter().map(|count| u64::from(*count)).sum(),
                total: size.clone(),
                low: shares.clone(),
                high: shares,
            });
        }
        Some(Found {
            method: "row by row",
            size: Some(size),
            beliefs,
        })
    }

    /// How many assignments have the released classes and pass at all these steps, with one row's value fixed.
    fn passing(
        &self,
        steps: &[&Vec<u32>],
        fixed: Option<(usize, u32)>,
        left: &mut u64,
    ) -> Option<BigInt> {
        let width = self.width();
        let classes = self.histograms(self.released);
        let mut order: Vec<usize> = (0..self.released.len()).collect();
        order.sort_by_key(|row| {
            let groups: Vec<u32> = steps.iter().map(|groups| groups[*row]).collect();
            (groups, self.released[*row])
        });
        // Where each class and group begins in a state, and its last row.
        let mut last: FxHashMap<(usize, u32), usize> = FxHashMap::default();
        for row in &order {
            last.insert((0, self.released[*row]), *row);
            for (at, groups) in (1..).zip(steps) {
                last.insert((at, groups[*row]), *row);
            }
        }
        let mut states: BTreeMap<State, BigInt> = BTreeMap::new();
        states.insert(Vec::new(), BigInt::one());
        for row in order {
            let mut next: BTreeMap<State, BigInt> = BTreeMap::new();
            let class = self.released[row];
            for (state, ways) in states {
                for value in 0..width {
                    *left = left.checked_sub(1)?;
                    if fixed.is_some_and(|(fixed, wanted)| fixed == row && wanted as usize != value)
                    {
                        continue;
                    }
                    let mut state = state.clone();
                    let whole = &classes[class as usize];
                    let used = open(&mut state, 0, class, width);
                    used[value] += 1;
                    if used[value] > whole[value] {
                        continue;
                    }
                    let mut fine = true;
                    for (at, groups) in (1..).zip(steps) {
                        let counts = open(&mut state, at, groups[row], width);
                        counts[value] += 1;
                        let ended = last[&(at, groups[row])] == row;
                        fine &= !ended || self.judge.passes(counts);
                    }
                    if fine {
                        state.retain(|(at, group, _)| last[&(*at, *group)] != row);
                        state.sort_unstable();
                        *next.entry(state).or_default() += &ways;
                    }
                }
            }
            states = next;
        }
        Some(states.into_values().sum())
    }
}

/// The counts of a class or group that is not ended.
fn open(state: &mut State, step: usize, group: u32, width: usize) -> &mut Vec<u32> {
    let known = state
        .iter()
        .position(|(at, of, _)| (*at, *of) == (step, group));
    let at = known.unwrap_or_else(|| {
        state.push((step, group, vec![0; width]));
        state.len() - 1
    });
    &mut state[at].2
}

/// So many rows over the values, as evenly as the caps allow.
fn most_even(caps: &[u32], rows: u32) -> Vec<u32> {
    let mut counts = vec![0; caps.len()];
    let mut left = rows;
    while left > 0 {
        let mut open: Vec<usize> = (0..caps.len())
            .filter(|at| counts[*at] < caps[*at])
            .collect();
        if open.is_empty() {
            break;
        }
        // All that are open have the same count: raise them together as far as rows and caps go.
        let room = open
            .iter()
            .map(|at| caps[*at] - counts[*at])
            .min()
            .unwrap_or(1);
        let step = (left / open.len() as u32).min(room);
        if step == 0 {
            open.truncate(left as usize);
            open.iter().for_each(|at| counts[*at] += 1);
            break;
        }
        open.iter().for_each(|at| counts[*at] += step);
        left -= step * open.len() as u32;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::most_even;

    #[test]
    fn rows_are_spread_as_evenly_as_caps_allow() {
        assert_eq!(most_even(&[5, 1, 5], 7), [3, 1, 3]);
        assert_eq!(most_even(&[5, 0, 5], 3), [2, 0, 1]);
        assert_eq!(most_even(&[2, 2], 9), [2, 2]);
    }
}
