//! Refusals that are very unlikely, bounded again in whole numbers.
//!
//! **Definition.** With E the event that every refused step has a group that breaks a promise, a row o has a value v in
//! Pr\[o = v and E\] / Pr\[E\] of the tables that remain possible. For one refused step, and `A_f` the event that its group f breaks a
//! promise, the numerator is at most `Σ_f` Pr\[o = v and `A_f`\], and Pr\[E\] is at least
//! `Σ_f` Pr\[`A_f`\] (1 - `Σ_j` `e_j`) - Σ_{f < h} Pr\[`A_f` and `A_h`\], `e_j` at least the chance that another refused step j keeps the
//! promises whatever the rows of f have (Bonferroni).
//! **Reading.** Only promises about the most frequent value of a group. Every refused step is tried.
//! **Holds because** tables are counted: that a group has `q` rows of a value is a sum of products of binomials over all tables. The
//! number of rows of the value in f within o's class is followed too; given it, the value's rows and the others are spread evenly within
//! f and within the rest of the class, which gives the share of v at o. Of a group of which rows elsewhere are known, each value has
//! between its count less the known rows and its count.
//! **Cost.** Groups of a step times values times their rows, and pairs of groups.

#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::odds::{Group, Odds, Taken, chance};
use super::set::{Belief, Found, Secret};

/// Bits of the largest chance.
const BITS: u64 = 128;
/// Products of whole numbers that may be made for one step.
const WORK: u64 = 10_000_000;

struct Seldom<'a> {
    secret: &'a Secret<'a>,
    classes: Vec<Vec<u32>>,
    sizes: Vec<u32>,
    work: u64,
    known: FxHashMap<(Vec<Taken>, u32), (BigInt, BigInt)>,
}

impl Secret<'_> {
    /// Bounds that keep the promises, from a refused step that is very unlikely; none where there is no such.
    pub(super) fn seldom(&self) -> Option<Found> {
        for target in 0..self.refused.len() {
            let beliefs = Seldom::new(self).beliefs(target).unwrap_or_default();
            if !beliefs.is_empty() && beliefs.iter().all(|belief| belief.keeps(self.judge)) {
                return Some(Found {
                    method: "rare refusals",
                    size: None,
                    beliefs,
                });
            }
        }
        None
    }
}

impl<'a> Seldom<'a> {
    fn new(secret: &'a Secret<'a>) -> Self {
        let classes = secret.histograms(secret.released);
        Self {
            secret,
            sizes: classes.iter().map(|counts| counts.iter().sum()).collect(),
            classes,
            work: WORK,
            known: FxHashMap::default(),
        }
    }

    fn beliefs(&mut self, target: usize) -> Option<Vec<Belief>> {
        let groups = self.groups(&self.secret.refused[target])?;
        let mut group_of_row = vec![usize::MAX; self.secret.released.len()];
        for (at, group) in groups.iter().enumerate() {
            group.rows.iter().for_each(|row| group_of_row[*row] = at);
        }
        let odds = groups.iter().flat_map(|group| &group.odds);
        let odds = odds.filter(|odds| odds.ways.is_positive());
        let unit = odds
            .map(|odds| odds.total.bits() - odds.ways.bits())
            .min()?
            + BITS;
        let possible = self.possible(target, &groups, unit)?;
        if !possible.is_positive() {
            return None;
        }
        let most = self.most(&groups, unit);
        let (_, first) = self.secret.atoms();
        let belief = |row: &usize| {
            let class = self.secret.released[*row];
            let counts = &self.classes[class as usize];
            let at = group_of_row[*row];
            let high = |value: usize| {
                if counts[value] == 0 {
                    return BigInt::zero();
                }
                let (own, out) = &most.of_group[&(at, class)];
                let all = &most.of_class[class as usize][value] - &out[value] + &own[value];
                all.min(possible.clone())
            };
            let high: Vec<BigInt> = (0..counts.len()).map(high).collect();
            let sum: BigInt = high.iter().sum();
            let low = high
                .iter()
                .map(|own| (&possible - (&sum - own)).max(BigInt::zero()));
            Belief {
                row: *row,
                rows: self.sizes[class as usize].into(),
                total: possible.clone(),
                low: low.collect(),
                high: high.clone(),
            }
        };
        Some(first.iter().map(belief).collect())
    }

    /// The groups of a step with the odds of each value.
    fn groups(&mut self, of_row: &[u32]) -> Option<Vec<Group>> {
        let mut groups = self.bare(of_row)?;
        let mut sum = BigInt::zero();
        for group in &mut groups {
            for value in 0..self.secret.width() {
                let taken = self.taken(&group.pieces, value, |_| 0);
                group.odds.push(self.odds(&taken, group.least)?);
            }
            sum += group.most(BITS);
            // A refusal that is this likely is none that a union bound helps with.
            if sum > BigInt::from(2) << BITS {
                return None;
            }
        }
        Some(groups)
    }

    /// The groups of a step without odds.
    fn bare(&self, of_row: &[u32]) -> Option<Vec<Group>> {
        let count = of_row.iter().max().map_or(0, |most| *most as usize + 1);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (row, group) in of_row.iter().enumerate() {
            rows[*group as usize].push(row);
        }
        let group = |rows: Vec<usize>| {
            let mut pieces: Vec<(u32, u32)> = Vec::new();
            let mut classes: Vec<u32> = rows.iter().map(|row| self.secret.released[*row]).collect();
            classes.sort_unstable();
            for run in classes.chunk_by(|one, other| one == other) {
                pieces.push((run[0], run.len() as u32));
            }
            let size = rows.len() as u32;
            let least = self.secret.judge.least_breaking(size)?;
            Some(Group {
                pieces,
                rows,
                least,
                alone: 2 * u64::from(least) > u64::from(size),
                odds: Vec::new(),
            })
        };
        rows.into_iter()
            .filter(|rows| !rows.is_empty())
            .map(group)
            .collect()
    }

    fn taken(&self, pieces: &[(u32, u32)], value: usize, known: impl Fn(u32) -> u32) -> Vec<Taken> {
        let taken = pieces.iter().map(|(class, rows)| {
            let size = self.sizes[*class as usize];
            let open = size - known(*class).min(size - rows);
            (open, self.classes[*class as usize][value].min(open), *rows)
        });
        taken.collect()
    }

    fn pay(&mut self, taken: &[Taken]) -> Option<()> {
        let rows: u64 = taken.iter().map(|(_, _, rows)| u64::from(*rows)).sum();
        let cost = if taken.len() > 1 {
            rows * rows * taken.len() as u64
        } else {
            rows
        };
        self.work = self.work.checked_sub(cost + 1)?;
        Some(())
    }

    /// The tables in which at least so many of the rows taken have the value.
    fn odds(&mut self, taken: &[Taken], least: u32) -> Option<Odds> {
        self.pay(taken)?;
        Some(Odds::new(taken, least))
    }

    /// The same without the rows held, remembered.
    fn chance(&mut self, taken: Vec<Taken>, least: u32) -> Option<(BigInt, BigInt)> {
        let key = (taken, least);
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        self.pay(&key.0)?;
        let chance = chance(&key.0, least);
        self.known.insert(key, chance.clone());
        Some(chance)
    }

    /// At most the chance that every refused step breaks a promise, in parts.
    fn possible(&mut self, target: usize, groups: &[Group], unit: u64) -> Option<BigInt> {
        let one = BigInt::one() << unit;
        let mut others = Vec::new();
        for (at, of_row) in self.secret.refused.iter().enumerate() {
            if at != target {
                others.push(self.bare(of_row)?);
            }
        }
        let mut sum = BigInt::zero();
        let mut counted: Vec<(usize, BigInt)> = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let low = group
                .odds
                .iter()
                .map(|odds| (&odds.ways << unit).div_floor(&odds.total));
            let low: BigInt = if group.alone {
                low.sum()
            } else {
                low.max().unwrap_or_default()
            };
            if low.is_zero() {
                continue;
            }
            let mut keeps = BigInt::zero();
            for other in &others {
                keeps += self.keeps_after(other, group, unit)?;
            }
            if keeps < one {
                sum += (low * (&one - keeps)) >> unit;
                counted.push((at, group.most(unit)));
            }
        }
        let rough = self.two_break_roughly(groups, &counted, unit)?;
        // A hundredth of a percent of the chances decides nothing.
        if &rough * 10_000 <= sum {
            return Some(sum - rough);
        }
        for (index, (first, chance)) in counted.iter().enumerate() {
            let mut after = BigInt::zero();
            for (second, own) in &counted[index + 1..] {
                let (group, other) = (&groups[*second], &groups[*first]);
                let apart = |(class, _): &(u32, u32)| other.rows_in(*class) == 0;
                after += if group.pieces.iter().all(apart) {
                    own.clone()
                } else {
                    self.breaks_after(group, |class| other.rows_in(class), unit)?
                };
            }
            sum -= ((chance * after) >> unit) + 1_u32;
        }
        Some(sum)
    }

    /// At least the sum of the chances that two of some groups break a promise: for each group as if the largest piece of every class
    /// were known. Each pair is counted from both sides, so half is enough.
    fn two_break_roughly(
        &mut self,
        groups: &[Group],
        counted: &[(usize, BigInt)],
        unit: u64,
    ) -> Option<BigInt> {
        let mut largest = vec![0; self.sizes.len()];
        let pieces = counted.iter().flat_map(|(at, _)| &groups[*at].pieces);
        for (class, rows) in pieces {
            let slot: &mut u32 = &mut largest[*class as usize];
            *slot = (*slot).max(*rows);
        }
        let chances: BigInt = counted.iter().map(|(_, chance)| chance).sum();
        let mut after = BigInt::zero();
        for (at, _) in counted {
            after += self.breaks_after(&groups[*at], |class| largest[class as usize], unit)?;
        }
        Some(((chances * after) >> (unit + 1)) + 1_u32)
    }

    /// At least the chance that a group breaks a promise, whatever so many rows of each class outside of it have.
    fn breaks_after(
        &mut self,
        group: &Group,
        known: impl Fn(u32) -> u32 + Copy,
        unit: u64,
    ) -> Option<BigInt> {
        let mut sum = BigInt::zero();
        for value in 0..self.secret.width() {
            let taken = self.taken(&group.pieces, value, known);
            let (ways, total) = self.chance(taken, group.least)?;
            sum += Integer::div_ceil(&(ways << unit), &total);
        }
        Some(sum)
    }

    /// At least the chance that a step keeps the promises, whatever the rows of a group of another step have, which break one there.
    fn keeps_after(&mut self, groups: &[Group], given: &Group, unit: u64) -> Option<BigInt> {
        if groups.iter().any(|group| group.rows == given.rows) {
            return Some(BigInt::zero());
        }
        let one = BigInt::one() << unit;
        let mut known: FxHashMap<u32, u32> = given.pieces.iter().copied().collect();
        let mut is_given = vec![false; self.secret.released.len()];
        given.rows.iter().for_each(|row| is_given[*row] = true);
        let mut keeps = one.clone();
        for group in groups {
            if group.rows.iter().any(|row| is_given[*row]) {
                continue;
            }
            let mut breaks = BigInt::zero();
            for value in 0..self.secret.width() {
                let taken = group.pieces.iter().map(|(class, rows)| {
                    let gone = known.get(class).copied().unwrap_or(0);
                    let count = self.classes[*class as usize][value];
                    (
                        self.sizes[*class as usize] - gone,
                        count.saturating_sub(gone),
                        *rows,
                    )
                });
                let taken: Vec<Taken> = taken.collect();
                if taken.iter().all(|(_, marked, _)| *marked == 0) {
                    continue;
                }
                let (ways, total) = self.chance(taken, group.least)?;
                let breaks_by = (ways << unit).div_floor(&total);
                breaks = if group.alone {
                    breaks + breaks_by
                } else {
                    breaks.max(breaks_by)
                };
            }
            keeps = ((keeps * (&one - breaks)) >> unit) + 1_u32;
            for (class, rows) in &group.pieces {
                *known.entry(*class).or_default() += rows;
            }
            if keeps.bits() + BITS < unit {
                break;
            }
        }
        Some(keeps)
    }

    /// At least how often a row has a value while a group breaks a promise, summed over all groups.
    fn most(&self, groups: &[Group], unit: u64) -> Most {
        let width = self.secret.width();
        let mut of_class = vec![vec![BigInt::zero(); width]; self.classes.len()];
        let mut of_group = FxHashMap::default();
        let all: BigInt = groups.iter().map(|group| group.most(unit)).sum();
        let mut touching = vec![BigInt::zero(); self.classes.len()];
        for (at, group) in groups.iter().enumerate() {
            for (piece, (class, rows)) in group.pieces.iter().enumerate() {
                touching[*class as usize] += group.most(unit);
                let counts = &self.classes[*class as usize];
                let shares =
                    (0..width).map(|value| group.shares((piece, *rows), counts, value, unit));
                let (own, out): (Vec<BigInt>, Vec<BigInt>) = shares.unzip();
                let sums = of_class[*class as usize].iter_mut().zip(&out);
                sums.for_each(|(sum, out)| *sum += out);
                of_group.insert((at, *class), (own, out));
            }
        }
        for ((sums, counts), (touching, size)) in of_class
            .iter_mut()
            .zip(&self.classes)
            .zip(touching.iter().zip(&self.sizes))
        {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += Integer::div_ceil(&((&all - touching) * *count), &(*size).into());
            }
        }
        Most { of_class, of_group }
    }
}

/// By class and value: the sum over all groups for rows that are in none of them; and by group and class what its own rows have
/// and what others have.
struct Most {
    of_class: Vec<Vec<BigInt>>,
    of_group: FxHashMap<(usize, u32), (Vec<BigInt>, Vec<BigInt>)>,
}
