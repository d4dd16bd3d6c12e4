//! A release of a counted table beside its source: which different row of the one became which of the other.

use rustc_hash::FxHashMap;
use scrim::table::Table;

use super::super::load::LoadedTable;
use crate::{IoError, Order};

/// The release with a row for every different pair of a source row and what became of it.
pub(super) struct Pairs {
    /// The published half, as often as the pair occurs.
    pub(super) published: Table,
    /// The row of the source table.
    pub(super) rows: Vec<u32>,
}

impl Pairs {
    /// Walks over both files row by row. Answers what is wrong where they are not equally long.
    pub(super) fn new(
        source: Order<'_>,
        published: LoadedTable,
    ) -> Result<Result<Self, String>, IoError> {
        let read = published.read;
        let order = read.order.unwrap_or_default();
        let mut pairs = Counter::starting_at(source.places.len(), 0);
        let (mut planned, mut written) = (0, order.reader());
        source.each_block(|mut rows| {
            planned += rows.len() as u64;
            while !rows.is_empty() {
                let partners = written.next(rows.len())?;
                if partners.is_empty() {
                    // That the release is shorter is told below.
                    break;
                }
                let (now, later) = rows.split_at(partners.len());
                pairs.count_all(now, partners);
                rows = later;
            }
            Ok(())
        })?;
        if planned != order.rows() {
            return Ok(Err(format!(
                "{} rows were written, but {planned} were planned",
                order.rows()
            )));
        }
        let pairs = pairs.finish();
        let published = read.table.recounted(&pairs.to, pairs.times, pairs.first);
        let unequal = || "the release cannot be laid beside its source".to_owned();
        Ok(published.ok_or_else(unequal).map(|published| Self {
            published,
            rows: pairs.from,
        }))
    }
}

/// Pairs as they are met. Nearly every source row has one partner, so that a row costs one look-up.
pub(super) struct Counter {
    /// By source row: its first partner, and how often they were met.
    own: Vec<(u32, u32)>,
    /// And where first: apart, because it is asked for once.
    first: Vec<u64>,
    /// Pairs with another partner, of which a sound release of a counted table has none.
    more: FxHashMap<(u32, u32), Met>,
    /// Rows so far.
    rows: u64,
}

#[derive(Clone, Copy, Debug)]
struct Met {
    to: u32,
    times: u32,
    first: u64,
}

/// Different pairs by first occurrence.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) from: Vec<u32>,
    pub(super) to: Vec<u32>,
    pub(super) times: Vec<u32>,
    pub(super) first: Vec<u64>,
}

impl Counter {
    /// No pair yet, of so many source rows, and so many rows of the release walked over.
    pub(super) fn starting_at(source: usize, rows: u64) -> Self {
        Self {
            own: vec![(0, 0); source],
            first: vec![0; source],
            more: FxHashMap::default(),
            rows,
        }
    }

    pub(super) fn count_all(&mut self, from: &[u32], to: &[u32]) {
        for (from, to) in from.iter().copied().zip(to.iter().copied()) {
            let (partner, times) = &mut self.own[from as usize];
            if *times == 0 {
                *partner = to;
                self.first[from as usize] = self.rows;
            }
            if *partner == to {
                *times += 1;
            } else {
                let new = Met {
                    to,
                    times: 0,
                    first: self.rows,
                };
                self.more.entry((from, to)).or_insert(new).times += 1;
            }
            self.rows += 1;
        }
    }

    pub(super) fn finish(self) -> Counts {
        let mut counts = Counts::default();
        let met = |((to, times), first)| Met { to, times, first };
        let own = self.own.into_iter().zip(self.first).map(met);
        let own = (0u32..).zip(own).filter(|(_, met)| met.times > 0);
        if self.more.is_empty() {
            // Source rows are numbered by first occurrence.
            counts.reserve(own.size_hint().1.unwrap_or(0));
            own.for_each(|(from, met)| counts.push(from, met));
            return counts;
        }
        let more = self.more.into_iter().map(|((from, _), met)| (from, met));
        let mut all: Vec<(u32, Met)> = own.chain(more).collect();
        all.sort_unstable_by_key(|(_, met)| met.first);
        all.into_iter()
            .for_each(|(from, met)| counts.push(from, met));
        counts
    }
}

impl Counts {
    fn reserve(&mut self, pairs: usize) {
        self.from.reserve_exact(pairs);
        self.to.reserve_exact(pairs);
        self.times.reserve_exact(pairs);
        self.first.reserve_exact(pairs);
    }

    fn push(&mut self, from: u32, met: Met) {
        self.from.push(from);
        self.to.push(met.to);
        self.times.push(met.times);
        self.first.push(met.first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_became_two_things_is_two_pairs() {
        let mut pairs = Counter::starting_at(3, 0);
        pairs.count_all(&[0, 2, 0], &[5, 6, 5]);
        pairs.count_all(&[0, 2, 0], &[6, 6, 6]);
        let counts = pairs.finish();
        assert_eq!((counts.from, counts.to), (vec![0, 2, 0], vec![5, 6, 6]));
        assert_eq!((counts.times, counts.first), (vec![2, 2, 2], vec![0, 1, 3]));
    }
}
