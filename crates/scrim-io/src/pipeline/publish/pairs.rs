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
        let kept = source.rows.iter().copied();
        let kept = kept.filter(|row| source.places[*row as usize] != Order::GONE);
        for (at, (from, to)) in (0..).zip(kept.zip(order)) {
            pairs.count(from, to, at);
        }
        let published = read.table.only(&pairs.to, "");
        let published = published.recounted(pairs.times, pairs.first);
        let unequal = || "the release cannot be laid beside its source".to_owned();
        Ok(Self {
            published: published.ok_or_else(unequal)?,
            rows: pairs.from,
        })
    }
}

/// Different pairs by first occurrence.
struct Counter {
    /// By source row: its first pair.
    own: Vec<u32>,
    /// The others, of which a sound release of a counted table has none.
    more: FxHashMap<(u32, u32), u32>,
    from: Vec<u32>,
    to: Vec<u32>,
    times: Vec<u32>,
    first: Vec<u64>,
}

impl Counter {
    fn new(rows: usize) -> Self {
        Self {
            own: vec![u32::MAX; rows],
            more: FxHashMap::default(),
            from: Vec::new(),
            to: Vec::new(),
            times: Vec::new(),
            first: Vec::new(),
        }
    }

    fn count(&mut self, from: u32, to: u32, at: u64) {
        let own = &mut self.own[from as usize];
        let next = self.from.len() as u32;
        let pair = if *own == u32::MAX {
            *own = next;
            next
        } else if self.to[*own as usize] == to {
            *own
        } else {
            *self.more.entry((from, to)).or_insert(next)
        };
        if pair == next {
            self.from.push(from);
            self.to.push(to);
            self.times.push(0);
            self.first.push(at);
        }
        self.times[pair as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_became_two_things_is_two_pairs() {
        let mut pairs = Counter::new(3);
        for (at, (from, to)) in (0..).zip([(0, 5), (2, 6), (0, 5), (0, 6), (2, 6), (0, 6)]) {
            pairs.count(from, to, at);
        }
        assert_eq!((pairs.from, pairs.to), (vec![0, 2, 0], vec![5, 6, 6]));
        assert_eq!((pairs.times, pairs.first), (vec![2, 2, 2], vec![0, 1, 3]));
    }
}
