//! Tables: columns of small codes with a dictionary each, immutable once built.
//!
//! **Reading.** A missing value is a value of its own: it equals only other missing ones, whatever their spelling in
//! the file, and it counts like any other value.
//!
//! **Counted tables.** A table may hold each different row once, with how often it stands in the file ([`Table::times`]). Whoever
//! counts rows of such a table adds up these numbers; whoever needs to know single rows cannot work with it.

mod codes;
mod column;
mod role;
mod sorting;

pub use codes::Codes;
pub use column::{Column, ColumnBuilder, Dictionary};
pub use role::Role;
pub use sorting::{NumberedKeys, SortColumn, ranks, sorted_rows};

use std::sync::Arc;

use rayon::prelude::*;

/// A value of a column, as its number in the column's dictionary.
pub type Code = u32;

/// Columns of codes, all equally long.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
    counted: Option<Counted>,
    /// Where each row stands in the file, where rows have another order than the file and are not counted.
    places: Option<Arc<Vec<u32>>>,
}

/// What is known of the rows of a counted table.
#[derive(Clone, Debug)]
struct Counted {
    /// How often each stands in the file.
    times: Arc<Vec<u32>>,
    /// Where it stands first, from 0.
    first: Arc<Vec<u64>>,
    all: u64,
    /// Whether no two are known to be alike.
    different: bool,
}

impl Table {
    /// A table of these columns, or nothing when they are not equally long.
    pub fn new(columns: Vec<Column>) -> Option<Self> {
        let rows = columns.first().map_or(0, |column| column.codes().len());
        columns
            .iter()
            .all(|column| column.codes().len() == rows)
            .then_some(Self {
                columns,
                rows,
                counted: None,
                places: None,
            })
    }

    /// A table of different rows: how often each stands in the file, and where first. Nothing when these are not as many as
    /// the rows.
    pub fn counted(columns: Vec<Column>, times: Vec<u32>, first: Vec<u64>) -> Option<Self> {
        let mut table = Self::new(columns)?;
        let fits = times.len() == first.len() && (table.rows == times.len());
        if !fits {
            return None;
        }
        let times = Arc::new(times);
        for column in &mut table.columns {
            column.count_by(&times);
        }
        table.counted = Some(Counted {
            all: times.iter().map(|times| u64::from(*times)).sum(),
            first: Arc::new(first),
            times,
            different: false,
        });
        Some(table)
    }

    /// The same rows, which stand for all rows of a file: by column, how many of those have each code. Nothing when these are not as
    /// many as columns and values.
    #[must_use]
    pub fn with_margins(mut self, margins: &[Vec<u64>]) -> Option<Self> {
        if self.columns.len() != margins.len() {
            return None;
        }
        for (column, margin) in self.columns.iter_mut().zip(margins) {
            if column.dictionary().len() != margin.len() {
                return None;
            }
            column.stand_for(margin.clone());
        }
        Some(self)
    }

    /// The same table, of whose rows no two are alike: whoever says so has compared them.
    #[must_use]
    pub fn all_different(mut self) -> Self {
        if let Some(counted) = &mut self.counted {
            counted.different = true;
        }
        self
    }

    /// The same rows with other names and texts: the function is one-to-one, and gives nothing for what stays.
    #[must_use]
    pub fn relabelled(mut self, text: &dyn Fn(&str) -> Option<String>) -> Self {
        for column in &mut self.columns {
            *column = column.relabelled(text);
        }
        self
    }

    /// Whether each different row is held once.
    pub fn is_counted(&self) -> bool {
        self.counted.is_some()
    }

    /// Whether it is known that no two of its rows are alike in all columns.
    pub fn is_all_different(&self) -> bool {
        let counted = self.counted.as_ref();
        counted.is_some_and(|counted| counted.different)
    }

    /// The table of these rows only. Values that no row has left go from the dictionaries, but not from that of the column
    /// `whole`, whose codes stay what they are.
    #[must_use]
    pub fn only(&self, rows: &[u32], whole: &str) -> Self {
        let columns = self.columns.iter();
        let columns: Vec<Column> = columns
            .map(|column| column.only(rows, column.name() == whole))
            .collect();
        let plain = Self {
            columns,
            rows: rows.len(),
            counted: None,
            places: None,
        };
        let Some(counted) = &self.counted else {
            let places = rows.iter().map(|row| self.first(*row as usize) as u32);
            return Self {
                places: Some(Arc::new(places.collect())),
                ..plain
            };
        };
        let times = rows
            .iter()
            .map(|row| counted.times[*row as usize])
            .collect();
        let first = rows
            .iter()
            .map(|row| counted.first[*row as usize])
            .collect();
        let mut table = Self::counted(plain.columns, times, first).unwrap_or_default();
        if let Some(kept) = &mut table.counted {
            kept.different = counted.different;
        }
        table
    }

    /// These rows, each of which stands so often in a file, and there first. Nothing when these are not as many as the rows.
    #[must_use]
    pub fn recounted(&self, rows: &[u32], times: Vec<u32>, first: Vec<u64>) -> Option<Self> {
        let columns = self.columns.iter().map(|column| column.only(rows, false));
        Self::counted(columns.collect(), times, first)
    }

    /// How many rows it holds; of a counted table, how many different ones.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many rows the file has.
    pub fn all_rows(&self) -> u64 {
        let counted = self.counted.as_ref();
        counted.map_or(self.rows as u64, |counted| counted.all)
    }

    /// How often a row stands in the file.
    pub fn times(&self, row: usize) -> u64 {
        let counted = self.counted.as_ref();
        counted.map_or(1, |counted| counted.times[row].into())
    }

    /// Where a row stands first in the file, from 0.
    pub fn first(&self, row: usize) -> u64 {
        match (&self.counted, &self.places) {
            (Some(counted), _) => counted.first[row],
            (None, Some(places)) => places[row].into(),
            (None, None) => row as u64,
        }
    }

    /// The same rows in canonical form: values numbered by their texts, rows sorted by their values, columns from left to right. Two
    /// files with the same rows in different order have the same canonical form, so that nothing that is made of it depends on the
    /// order of a file. Gives also the former number of each row.
    #[must_use]
    pub fn canonical(&self) -> (Self, Vec<u32>) {
        let columns: Vec<Column> = self.columns.par_iter().map(Column::canonical).collect();
        let same: Vec<Vec<u32>> = columns
            .iter()
            .map(|column| (0..column.dictionary().len() as u32).collect())
            .collect();
        let keys = columns.iter().zip(&same);
        let keys: Vec<SortColumn<'_>> = keys
            .map(|(column, ranks)| SortColumn {
                codes: column.codes(),
                ranks,
            })
            .collect();
        let order = sorted_rows(&keys, self.rows);
        let mut columns: Vec<Column> = columns
            .par_iter()
            .map(|column| column.reordered(&order))
            .collect();
        let former = |row: &u32| self.first(*row as usize);
        let (mut counted, mut places) = (None, None);
        if let Some(own) = &self.counted {
            let times = order.iter().map(|row| own.times[*row as usize]).collect();
            let times = Arc::new(times);
            columns
                .iter_mut()
                .for_each(|column| column.count_by(&times));
            counted = Some(Counted {
                times,
                first: Arc::new(order.iter().map(former).collect()),
                ..own.clone()
            });
        } else {
            let former = order.iter().map(|row| former(row) as u32);
            places = Some(Arc::new(former.collect()));
        }
        let table = Self {
            columns,
            rows: self.rows,
            counted,
            places,
        };
        (table, order)
    }

    /// Its columns, in the order of the file.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }
}
