//! A release of a counted table beside its source: which different row of the one became which of the other.

use rustc_hash::FxHashMap;
use scrim::table::Table;

use super::super::load::LoadedTable;
use crate::Order;

/// The release with a row for every different pair of a source row and what became of it.
pub(super) struct Pairs {
    /// The published half, as often as the pair occurs.
    pub(super) published: Table,
    /// The row of the source table.
    pub(super) rows: Vec<u32>,
}

impl Pairs {
    /// Walks over both files row by row. Answers what is wrong where they are not equally long.
    pub(super) fn new(source: Order<'_>, published: LoadedTable) -> Result<Self, String> {
        let read = published.read;
        let order = read.order.unwrap_or_default();
        let planned = source.places().count();
        if planned != order.len() {
            return Err(format!(
                "{} rows were written, but {planned} were planned",
                order.len()
            ));
        }
        let mut pairs = Counter::new(source.places.len());
        if planned == source.rows.len() {
            pairs.count_all(source.rows.iter().copied().zip(order));
        } else {
            let kept = source.rows.iter().copied();
            let kept = kept.filter(|row| source.places[*row as usize] != Order::GONE);
            pairs.count_all(kept.zip(order));
        }
        let pairs = pairs.finish();
        let published = read.table.only(&pairs.to, "");
        let published = published.recounted(pairs.times, pairs.first);
        let unequal = || "the release cannot be laid beside its source".to_owned();
        Ok(Self {
            published: published.ok_or_else(unequal)?,
            rows: pairs.from,
        })
    }
}

/// Pairs as they are met. Nearly every source row has one partner, so that a row costs one look-up.
struct Counter {
    /// By source row: its first partner, how often they were met, and where first.
    own: Vec<Met>,
    /// Pairs with another partner, of which a sound release of a counted table has none.
    more: FxHashMap<(u32, u32), Met>,
}

#[derive(Clone, Copy, Debug)]
struct Met {
    to: u32,
    times: u32,
    first: u64,
}

/// Different pairs by first occurrence.
#[derive(Debug, Default)]
struct Counts {
    from: Vec<u32>,
    to: Vec<u32>,
    times: Vec<u32>,
    first: Vec<u64>,
}

impl Counter {
    fn new(rows: usize) -> Self {
        let nobody = Met {
            to: 0,
            times: 0,
            first: 0,
        };
        Self {
            own: vec![nobody; rows],
            more: FxHashMap::default(),
        }
    }

    fn count_all(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        for (at, (from, to)) in (0..).zip(pairs) {
            let own = &mut self.own[from as usize];
            let new = Met {
                to,
                times: 0,
                first: at,
            };
            let met = if own.times == 0 {
                *own = new;
                own
            } else if own.to == to {
                own
            } else {
                self.more.entry((from, to)).or_insert(new)
            };
            met.times += 1;
        }
    }

    fn finish(self) -> Counts {
        let own = (0u32..).zip(self.own).filter(|(_, met)| met.times > 0);
        let more = self.more.into_iter().map(|((from, _), met)| (from, met));
        let mut all: Vec<(u32, Met)> = own.chain(more).collect();
        all.sort_unstable_by_key(|(_, met)| met.first);
        let mut counts = Counts::default();
        for (from, met) in all {
            counts.from.push(from);
            counts.to.push(met.to);
            counts.times.push(met.times);
            counts.first.push(met.first);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_became_two_things_is_two_pairs() {
        let mut pairs = Counter::new(3);
        pairs.count_all([(0, 5), (2, 6), (0, 5), (0, 6), (2, 6), (0, 6)].into_iter());
        let counts = pairs.finish();
        assert_eq!((counts.from, counts.to), (vec![0, 2, 0], vec![5, 6, 6]));
        assert_eq!((counts.times, counts.first), (vec![2, 2, 2], vec![0, 1, 3]));
    }
}
