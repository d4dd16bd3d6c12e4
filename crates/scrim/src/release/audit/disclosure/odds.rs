//! Tables in which a group has at least some number of rows of a value, counted.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// What a group takes of one class: the class's open rows, those with a value, and the rows taken.
pub(super) type Taken = (u32, u32, u32);

/// Of all tables those in which a group has at least some number of rows of a value.
pub(super) struct Odds {
    pub(super) ways: BigInt,
    pub(super) total: BigInt,
    /// By class: the rows of the value that the group has there, summed over these tables.
    pub(super) held: Vec<BigInt>,
}

impl Odds {
    pub(super) fn new(taken: &[Taken], least: u32) -> Self {
        let (ways, total) = chance(taken, least);
        let spreads: Vec<Vec<BigInt>> = taken.iter().map(spread).collect();
        // What the classes before each have together, and those after it.
        let mut before = vec![vec![BigInt::one()]];
        let mut after = vec![vec![BigInt::one()]];
        for at in 1..spreads.len() {
            before.push(together(&before[at - 1], &spreads[at - 1]));
            after.push(together(&after[at - 1], &spreads[spreads.len() - at]));
        }
        after.reverse();
        let held = before.iter().zip(&after).zip(&spreads).map(|sides| {
            let ((before, after), spread) = sides;
            let weighted: Vec<BigInt> = (0_u32..)
                .zip(spread)
                .map(|(hit, ways)| ways * hit)
                .collect();
            let all = together(&together(before, after), &weighted);
            all.iter().skip(least as usize).sum()
        });
        Self {
            held: held.collect(),
            ways,
            total,
        }
    }
}

/// A group: the classes it takes rows from and how many, and the count that breaks a promise.
pub(super) struct Group {
    pub(super) pieces: Vec<(u32, u32)>,
    pub(super) rows: Vec<usize>,
    pub(super) least: u32,
    /// No two values can break a promise at once.
    pub(super) alone: bool,
    /// By value.
    pub(super) odds: Vec<Odds>,
}

impl Group {
    pub(super) fn rows_in(&self, class: u32) -> u32 {
        let piece = self.pieces.iter().find(|(own, _)| *own == class);
        piece.map_or(0, |(_, rows)| *rows)
    }

    /// At least the chance that it breaks a promise, in parts.
    pub(super) fn most(&self, unit: u64) -> BigInt {
        let odds = self.odds.iter();
        odds.map(|odds| Integer::div_ceil(&(&odds.ways << unit), &odds.total))
            .sum()
    }

    /// How often a row of a class has a value while the group breaks a promise: a row of the group, and one that is not. Given the piece of the
    /// group that the class has, its rows, and the counts of the class.
    pub(super) fn shares(
        &self,
        (piece, rows): (usize, u32),
        counts: &[u32],
        value: usize,
        unit: u64,
    ) -> (BigInt, BigInt) {
        let size: u32 = counts.iter().sum();
        let (mut own, mut out) = (BigInt::zero(), BigInt::zero());
        if counts[value] == 0 {
            return (own, out);
        }
        for (breaking, odds) in self.odds.iter().enumerate() {
            if odds.ways.is_zero() {
                continue;
            }
            let (held, marked) = (&odds.held[piece], counts[breaking]);
            let up = |above: BigInt, below: BigInt| {
                Integer::div_ceil(&(above << unit), &(below * &odds.total))
            };
            let rest = BigInt::from(size - rows);
            // Rows of the breaking value in the group and outside, or the other rows times the share of this value among them.
            let (inside, outside, of, among) = if breaking == value {
                (held.clone(), &odds.ways * marked - held, 1, 1)
            } else {
                let inside = &odds.ways * rows - held;
                let outside = &odds.ways * (&rest - marked) + held;
                (inside, outside, counts[value], size - marked)
            };
            own += up(inside * of, BigInt::from(rows) * among);
            if rest.is_positive() {
                out += up(outside * of, rest * among);
            }
        }
        (own, out)
    }
}

/// Those tables, and all.
pub(super) fn chance(taken: &[Taken], least: u32) -> (BigInt, BigInt) {
    let spreads: Vec<Vec<BigInt>> = taken.iter().map(spread).collect();
    let sums = spreads.iter().map(|spread| spread.iter().sum::<BigInt>());
    let total = sums.product();
    let one = vec![BigInt::one()];
    let all = spreads
        .iter()
        .fold(one, |all, spread| together(&all, spread));
    (all.iter().skip(least as usize).sum(), total)
}

/// In how many ways the rows taken can have 0, 1, 2 .. rows of the value.
fn spread((open, marked, taken): &Taken) -> Vec<BigInt> {
    let plain = open - marked;
    let first = taken.saturating_sub(plain);
    let mut ways = binomial(*marked, first) * binomial(plain, taken - first);
    let mut all = vec![BigInt::zero(); first as usize];
    for hit in first..*marked.min(taken) {
        let next = &ways * (marked - hit) * (taken - hit) / (hit + 1) / (plain + hit + 1 - taken);
        all.push(std::mem::replace(&mut ways, next));
    }
    all.push(ways);
    all
}

fn binomial(of: u32, chosen: u32) -> BigInt {
    let chosen = chosen.min(of - chosen);
    (0..chosen).fold(BigInt::one(), |ways, at| ways * (of - at) / (at + 1))
}

/// The ways by the sum of two.
fn together(one: &[BigInt], other: &[BigInt]) -> Vec<BigInt> {
    let mut all = vec![BigInt::zero(); one.len() + other.len() - 1];
    for (at, before) in one.iter().enumerate() {
        for (hit, ways) in other.iter().enumerate() {
            all[at + hit] += before * ways;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_counted_over_one_class_and_over_two() {
        // Three of five rows, two of them marked: 1, 6 and 3 ways to have 0, 1 and 2.
        assert_eq!(spread(&(5, 2, 3)), [1, 6, 3].map(BigInt::from));
        // Of four rows three are marked: two taken have at least one.
        assert_eq!(spread(&(4, 3, 2)), [0, 3, 3].map(BigInt::from));
        let odds = Odds::new(&[(5, 2, 3), (4, 3, 2)], 3);
        // 1 + 2 and 2 + 1 and 2 + 2: 6 * 3 + 3 * 3 + 3 * 3 of 10 * 6.
        assert_eq!((odds.ways, odds.total), (36.into(), 60.into()));
        assert_eq!(odds.held, [18 + 18 + 18, 36 + 9 + 18].map(BigInt::from));
    }
}
