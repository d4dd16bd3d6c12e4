//! Rows put together freely: classes for searches that move single rows.

use std::sync::Arc;

use super::ground::Counted;
use super::{Class, FrequencySet, Histogram, Layout, Tracked};
use crate::error::Error;
use crate::recoding::Node;
use crate::table::Table;

/// Counts classes of any rows, as models want to see them.
#[derive(Debug)]
pub struct Piles<'a> {
    table: &'a Table,
    tracked: Vec<Counted<'a>>,
    layout: Arc<Layout>,
}

impl<'a> Piles<'a> {
    /// Piles of a table's rows.
    pub fn new(table: &'a Table, tracked: &'a [Tracked]) -> Result<Self, Error> {
        let tracked = tracked.iter().map(|need| Counted::new(table, need));
        Ok(Self {
            table,
            tracked: tracked.collect::<Result<_, _>>()?,
            layout: Arc::new(Layout::empty()),
        })
    }

    /// What models look at in a row: rows with the same signature are the same to every model.
    pub fn signature(&self, row: u32) -> Vec<Option<u32>> {
        self.tracked
            .iter()
            .map(|counted| counted.code(row as usize))
            .collect()
    }

    /// Counts rows in piles; `pile_of` gives the pile of the n-th row.
    pub fn count(&self, rows: &[u32], piles: usize, pile_of: &[u32]) -> FrequencySet {
        let mut sizes = vec![0; piles];
        let placed = || rows.iter().map(|row| *row as usize).zip(pile_of);
        placed().for_each(|(row, pile)| sizes[*pile as usize] += self.table.times(row));
        let histogram = |counted: &Counted<'_>| {
            let cells = placed()
                .filter_map(|(row, pile)| Some((*pile, counted.code(row)?, self.table.times(row))));
            Histogram::count(piles, cells)
        };
        FrequencySet {
            layout: Arc::clone(&self.layout),
            node: Node::bottom(0),
            keys: Vec::new(),
            rows: sizes,
            histograms: self.tracked.iter().map(histogram).collect(),
            elsewhere: None,
        }
    }

    /// Counts rows as one pile.
    pub fn one(&self, rows: &[u32]) -> FrequencySet {
        self.count(rows, 1, &vec![0; rows.len()])
    }
}

/// A pile that rows join and leave one at a time: a change costs no more than the values that the pile has.
#[derive(Clone, Debug)]
pub struct Pile<'p> {
    piles: &'p Piles<'p>,
    set: FrequencySet,
}

impl<'p> Pile<'p> {
    /// A pile of rows.
    pub fn new(piles: &'p Piles<'p>, rows: &[u32]) -> Self {
        Self {
            piles,
            set: piles.one(rows),
        }
    }

    /// Takes a row in.
    pub fn add(&mut self, row: u32) {
        let (row, times) = (row as usize, self.piles.table.times(row as usize));
        self.set.rows[0] += times;
        for (counted, histogram) in self.piles.tracked.iter().zip(&mut self.set.histograms) {
            if let Some(code) = counted.code(row) {
                histogram.add_to_last(code, times as u32);
            }
        }
    }

    /// Gives up a row that is in it.
    pub fn remove(&mut self, row: u32) {
        let (row, times) = (row as usize, self.piles.table.times(row as usize));
        self.set.rows[0] -= times;
        for (counted, histogram) in self.piles.tracked.iter().zip(&mut self.set.histograms) {
            if let Some(code) = counted.code(row) {
                histogram.take_from_last(code, times as u32);
            }
        }
    }

    /// As models see it.
    pub fn class(&self) -> Class<'_> {
        self.set.only()
    }
}

impl FrequencySet {
    /// One class of these codes and their rows, as the only tracked column.
    pub(crate) fn one_class(counts: impl Iterator<Item = (u32, u64)>) -> Self {
        let mut counts: Vec<(u32, u64)> = counts.collect();
        counts.sort_unstable();
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self {
            layout: Arc::new(Layout::empty()),
            node: Node::bottom(0),
            keys: Vec::new(),
            rows: vec![counts.iter().map(|(_, rows)| rows).sum()],
            histograms: vec![Histogram::of_one(&counts)],
            elsewhere: None,
        }
    }

    /// The only class of a set that has one.
    pub fn only(&self) -> Class<'_> {
        self.class(0)
    }
}
