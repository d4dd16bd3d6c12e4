//! The frequency set of the ground domain, counted once from the table.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::distinct::each_block;
use super::store::{Elsewhere, Stored};
use super::{FrequencySet, Histogram, Index, Layout};
use crate::error::Error;
use crate::hierarchy::Ladder;
use crate::recoding::{Lattice, Node};
use crate::table::{Codes, Column, Table};

/// A column whose histogram the models ask for.
#[derive(Clone, Debug)]
pub enum Tracked {
    /// A sensitive column.
    Sensitive(String),
    /// The person column: persons with several rows are counted, see [`Class::persons`](super::Class::persons).
    Person(String),
    /// Codes made from several columns, under a name of their own.
    Made(String, Arc<Codes>),
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.column() == other.column()
    }
}

impl Eq for Tracked {}

impl Tracked {
    /// The column's name.
    pub fn column(&self) -> &str {
        match self {
            Self::Sensitive(name) | Self::Person(name) | Self::Made(name, _) => name,
        }
    }
}

/// The codes of a tracked column that a histogram counts.
///
/// Of persons only those with several rows are counted: any other row is a person of its own, so the persons of a class
/// are its rows, less the rows counted, plus the different persons counted. Where few persons repeat that is few codes.
#[derive(Debug)]
pub(super) struct Counted<'a> {
    codes: &'a Codes,
    /// Whether each code is counted; all are where there is nothing.
    kept: Option<Vec<bool>>,
}

impl<'a> Counted<'a> {
    pub(super) fn new(table: &'a Table, need: &'a Tracked) -> Result<Self, Error> {
        if let Tracked::Made(_, codes) = need {
            return Ok(Self { codes, kept: None });
        }
        let column = table
            .column(need.column())
            .ok_or_else(|| Error::Internal(format!("column `{}` was not read", need.column())))?;
        let kept = match need {
            Tracked::Sensitive(_) | Tracked::Made(..) => None,
            Tracked::Person(_) => Some(column.counts().iter().map(|rows| *rows > 1).collect()),
        };
        Ok(Self {
            codes: column.codes(),
            kept,
        })
    }

    /// The code of a row, where it is counted.
    pub(super) fn code(&self, row: usize) -> Option<u32> {
        let code = self.codes.get(row);
        self.kept
            .as_ref()
            .is_none_or(|kept| kept[code as usize])
            .then_some(code)
    }
}

/// The ground frequency set, and the tuple of every row.
#[derive(Clone, Debug)]
pub struct Ground {
    set: FrequencySet,
    /// By row that the table holds.
    tuple_of_row: Vec<u32>,
    /// Rows of the file.
    rows: u64,
    /// How many rows have each code, by attribute.
    marginals: Vec<Vec<u64>>,
    /// Whether the table is held in sections only.
    of_sections: bool,
}

impl Ground {
    /// Counts a table.
    pub fn count(table: &Table, ladders: &[Ladder], tracked: &[Tracked]) -> Result<Self, Error> {
        let find = |name: &str| {
            table
                .column(name)
                .ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))
        };
        let columns: Vec<&Column> = ladders
            .iter()
            .map(|ladder| find(ladder.name()))
            .collect::<Result<_, _>>()?;
        let widths = columns.iter().map(|column| column.dictionary().len());
        let layout = Layout::new(widths).ok_or_else(|| Error::Infeasible {
            what: "the quasi-identifiers together need more than 512 bits a row".to_owned(),
            hint: Some("leave out columns, or give those with a value of its own in nearly every row another role".to_owned()),
        })?;
        let (keys, tuple_of_row) = match layout.words() {
            1 => number_rows::<1>(table, &columns, &layout),
            2 => number_rows::<2>(table, &columns, &layout),
            4 => number_rows::<4>(table, &columns, &layout),
            _ => number_rows::<8>(table, &columns, &layout),
        };
        let mut rows = vec![0u64; keys.len() / layout.words()];
        for (row, tuple) in tuple_of_row.iter().enumerate() {
            rows[*tuple as usize] += table.times(row);
        }
        let mut histograms = Vec::new();
        for need in tracked {
            let counted = Counted::new(table, need)?;
            let rows_of = (0..).zip(&tuple_of_row);
            let cells = rows_of
                .filter_map(|(row, tuple)| Some((*tuple, counted.code(row)?, table.times(row))));
            histograms.push(Histogram::count(rows.len(), cells));
        }
        let node = Node::bottom(ladders.len());
        let marginals = columns.iter().map(|column| column.counts()).collect();
        let set = FrequencySet {
            layout: Arc::new(layout),
            node,
            keys,
            rows,
            histograms,
            elsewhere: None,
        };
        Ok(Self {
            set,
            tuple_of_row,
            rows: table.all_rows(),
            marginals,
            of_sections: false,
        })
    }

    /// The ground of a table that is held in sections only, of which this is the ground of some rows with the margins of all: `stored`
    /// has the tuples of all sections. They are held if that is said.
    pub fn of_sections(some: &Self, stored: Stored, held: bool) -> Result<Self, Error> {
        let rows = stored.rows;
        let mut set = FrequencySet {
            layout: Arc::clone(&some.set.layout),
            node: some.set.node.clone(),
            keys: Vec::new(),
            rows: Vec::new(),
            histograms: Vec::new(),
            elsewhere: None,
        };
        if held {
            set.hold(&stored)?;
        } else {
            set.elsewhere = Some(Elsewhere::new(stored));
        }
        Ok(Self {
            set,
            tuple_of_row: Vec::new(),
            rows,
            marginals: some.marginals.clone(),
            of_sections: true,
        })
    }

    /// Whether its table is held in sections only, so that nothing is known of single rows.
    pub fn is_of_sections(&self) -> bool {
        self.of_sections
    }

    /// How many words a tuple has.
    pub fn words(&self) -> usize {
        self.set.layout.words()
    }

    /// Fails where the store of its tuples ever did.
    pub fn must_have_told_all(&self) -> Result<(), Error> {
        let elsewhere = self.set.elsewhere.as_ref();
        elsewhere.map_or(Ok(()), Elsewhere::must_have_told_all)
    }

    /// The set of the only class of the top.
    pub(crate) fn at_top(&self, ladders: &[Ladder]) -> FrequencySet {
        let top = Lattice::new(ladders).top();
        let only = self.set.each_part(ladders, &top, |_| ());
        only.unwrap_or_else(|| self.set.clone())
    }

    /// Visits how many rows each tuple has, where some codes are the same: by attribute and code, what it counts as.
    pub fn each_size(&self, same: &[Vec<u32>], mut visit: impl FnMut(u64)) {
        let layout = &self.set.layout;
        let joined: Vec<(usize, Vec<bool>)> = same
            .iter()
            .enumerate()
            .filter_map(|(at, same)| {
                let mut own = vec![0; same.len()];
                same.iter().for_each(|code| own[*code as usize] += 1);
                let is_joined = same.iter().map(|code| own[*code as usize] > 1);
                let is_joined: Vec<bool> = is_joined.collect();
                is_joined.contains(&true).then_some((at, is_joined))
            })
            .collect();
        // Few tuples have such codes.
        let mut together: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
        let each = |key: &[u64], rows: u64| {
            let is_joined =
                |(at, is_joined): &(usize, Vec<bool>)| is_joined[layout.read(key, *at) as usize];
            if joined.iter().any(is_joined) {
                let codes = same.iter().enumerate();
                let codes = codes.map(|(at, same)| same[layout.read(key, at) as usize]);
                *together.entry(codes.collect()).or_default() += rows;
            } else {
                visit(rows);
            }
        };
        match &self.set.elsewhere {
            None => {
                let mut each = each;
                let keys = self.set.keys.chunks_exact(self.words());
                keys.zip(&self.set.rows)
                    .for_each(|(key, rows)| each(key, *rows));
            }
            Some(elsewhere) => elsewhere.each_tuple(self.words(), each),
        }
        together.into_values().for_each(visit);
    }

    /// Visits the rows of a table that this is the ground of, in the order of their tuples and then of tracked codes: the words of the
    /// tuple, these codes, and how often both stand in the table, rows of which all that is the same come as one.
    pub fn each_sorted<E>(
        &self,
        table: &Table,
        tracked: &[Tracked],
        mut visit: impl FnMut(&[u64], &[u32], u64) -> Result<(), E>,
    ) -> Result<(), E>
    where
        E: From<Error>,
    {
        let counted = tracked.iter().map(|need| Counted::new(table, need));
        let counted: Vec<Counted<'_>> = counted.collect::<Result<_, _>>()?;
        let words = self.words();
        let key = |tuple: u32| &self.set.keys[tuple as usize * words..][..words];
        let by_key =
            |left: &u32, right: &u32| key(*left).iter().rev().cmp(key(*right).iter().rev());
        let mut tuples: Vec<u32> = (0..self.set.len() as u32).collect();
        tuples.par_sort_unstable_by(by_key);
        if tracked.is_empty() {
            for tuple in tuples {
                visit(key(tuple), &[], self.set.rows[tuple as usize])?;
            }
            return Ok(());
        }
        let mut place = vec![0u32; tuples.len()];
        for (at, tuple) in (0..).zip(&tuples) {
            place[*tuple as usize] = at;
        }
        drop(tuples);
        let codes = |row: u32| {
            let codes = counted.iter();
            codes.map(move |counted| counted.codes.get(row as usize))
        };
        let at = |row: &u32| place[self.tuple_of_row[*row as usize] as usize];
        let by_cell = |left: &u32, right: &u32| {
            let places = at(left).cmp(&at(right));
            places.then_with(|| codes(*left).cmp(codes(*right)))
        };
        let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
        rows.par_sort_unstable_by(by_cell);
        let mut own = Vec::with_capacity(tracked.len());
        for cell in rows.chunk_by(|left, right| by_cell(left, right).is_eq()) {
            own.clear();
            own.extend(codes(cell[0]));
            let times = cell.iter().map(|row| table.times(*row as usize)).sum();
            visit(key(self.tuple_of_row[cell[0] as usize]), &own, times)?;
        }
        Ok(())
    }

    /// The frequency set of the ground domain.
    pub fn set(&self) -> &FrequencySet {
        &self.set
    }

    /// The tuple of each row that the table holds.
    pub fn tuple_of_row(&self) -> &[u32] {
        &self.tuple_of_row
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many rows have each code of an attribute.
    pub fn marginal(&self, attribute: usize) -> &[u64] {
        &self.marginals[attribute]
    }
}

impl FrequencySet {
    /// Takes in all tuples of a store.
    fn hold(&mut self, stored: &Stored) -> Result<(), Error> {
        let (words, tracked) = (self.layout.words(), stored.tracked);
        let tuples = stored.sizes.classes as usize;
        self.keys.reserve_exact(tuples * words);
        self.rows.reserve_exact(tuples);
        let mut histograms = vec![Histogram::none(); tracked];
        // The values of the last tuple, which may not have come in full.
        let mut cells: Vec<Vec<(u32, u32)>> = vec![Vec::new(); tracked];
        let mut close = |cells: &mut Vec<Vec<(u32, u32)>>| {
            for (histogram, cells) in histograms.iter_mut().zip(cells) {
                histogram.push(cells);
                cells.clear();
            }
        };
        stored.store.each_block(&mut |block| {
            let tuples = block.keys.chunks_exact(words).zip(block.rows);
            for (at, (key, rows)) in tuples.enumerate() {
                match self.rows.last_mut() {
                    Some(all) if self.keys[self.keys.len() - words..] == *key => *all += rows,
                    last => {
                        if last.is_some() {
                            close(&mut cells);
                        }
                        self.keys.extend_from_slice(key);
                        self.rows.push(*rows);
                    }
                }
                let codes = &block.tracked[at * tracked..][..tracked];
                for (cells, code) in cells.iter_mut().zip(codes) {
                    cells.push((*code, *rows as u32));
                }
            }
        })?;
        if !self.rows.is_empty() {
            close(&mut cells);
        }
        self.histograms = histograms;
        Ok(())
    }
}

fn number_rows<const W: usize>(
    table: &Table,
    columns: &[&Column],
    layout: &Layout,
) -> (Vec<u64>, Vec<u32>) {
    let rows = table.rows();
    let codes: Vec<&Codes> = columns.iter().map(|column| column.codes()).collect();
    // Rows that differ in nothing but quasi-identifiers are a tuple each.
    if table.is_all_different() && columns.len() == table.columns().len() {
        let mut keys = Vec::with_capacity(rows);
        each_block::<W>(layout, &codes, rows, |block| keys.extend_from_slice(block));
        return (keys.into_flattened(), (0..rows as u32).collect());
    }
    let mut index = Index::<W>::with_room_for(rows.min(1 << 16));
    let mut tuples = Vec::with_capacity(rows);
    each_block::<W>(layout, &codes, rows, |block| {
        index.find_or_add_runs(block, &mut tuples);
    });
    (index.into_keys(), tuples)
}
