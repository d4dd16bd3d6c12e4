//! Classes of a published table: rows with equal quasi-identifier texts, formed one column after the other.

use rustc_hash::FxHashMap;

use super::{ClassSizes, is_suppressed};
use crate::table::{Column, Table};

/// The class of each row, and what the classes are.
#[derive(Clone, Debug)]
pub(in crate::release) struct Classes {
    class_of_row: Vec<u32>,
    first_rows: Vec<usize>,
    sizes: Vec<u64>,
    suppressed: u64,
    /// The class of rows that show nothing at all.
    silent: Option<usize>,
    /// The class with the same quasi-identifiers whose rows still show something.
    beside_silent: Option<usize>,
    /// Whether rows that show nothing have sensitive values, which are withheld then.
    withholds: bool,
}

impl Classes {
    /// Groups the rows of a table, by columns of it. `told` are those that tell something about a row whose quasi-identifiers are
    /// suppressed; `withholds` says that they are sensitive.
    pub(super) fn of(quasi: &[&Column], told: &[&Column], withholds: bool, table: &Table) -> Self {
        let rows = table.rows();
        let mut class_of_row = vec![0u32; rows];
        for column in quasi {
            split(&mut class_of_row, column);
        }
        let all_stars = |columns: &[&Column]| {
            let starred: Vec<Vec<bool>> = columns
                .iter()
                .map(|column| column.dictionary().texts().map(is_suppressed).collect())
                .collect();
            let row_is = |row: usize| {
                columns
                    .iter()
                    .zip(&starred)
                    .all(|(column, starred)| starred[column.codes().get(row) as usize])
            };
            (0..rows).map(row_is).collect::<Vec<bool>>()
        };
        let suppressed = if quasi.is_empty() {
            vec![false; rows]
        } else {
            all_stars(quasi)
        };
        let silent = all_stars(told);
        // Rows that show nothing are taken out of the class of suppressed rows that still show something.
        let hidden: Vec<bool> = suppressed
            .iter()
            .zip(&silent)
            .map(|(suppressed, silent)| *suppressed && *silent)
            .collect();
        let mut classes = Self {
            class_of_row,
            first_rows: Vec::new(),
            sizes: Vec::new(),
            suppressed: 0,
            silent: None,
            beside_silent: None,
            withholds,
        };
        classes.suppressed = (0..rows)
            .filter(|row| suppressed[*row])
            .map(|row| table.times(row))
            .sum();
        classes.number(&hidden, table);
        classes
    }

    /// Numbers the classes by first row.
    fn number(&mut self, hidden: &[bool], table: &Table) {
        let mut numbers: FxHashMap<(u32, bool), u32> = FxHashMap::default();
        for (row, class) in self.class_of_row.iter_mut().enumerate() {
            let next = numbers.len() as u32;
            let number = *numbers.entry((*class, hidden[row])).or_insert(next);
            if number == next {
                self.first_rows.push(row);
                self.sizes.push(0);
                if hidden[row] {
                    self.silent = Some(number as usize);
                }
            }
            self.sizes[number as usize] += table.times(row);
            *class = number;
        }
        let silent = numbers.keys().find(|(_, hidden)| *hidden);
        let beside = silent.and_then(|(class, _)| numbers.get(&(*class, false)));
        self.beside_silent = beside.map(|class| *class as usize);
    }

    /// The class of each row by quasi-identifiers alone: rows that show nothing are among those that look like them.
    pub(super) fn by_quasi(&self) -> Vec<u32> {
        let number = |class: &u32| match (self.silent, self.beside_silent) {
            (Some(silent), Some(beside)) if *class as usize == silent => beside as u32,
            _ => *class,
        };
        self.class_of_row.iter().map(number).collect()
    }

    /// Whether a row shows nothing at all, though it has a sensitive value.
    pub(super) fn is_withheld(&self, row: usize) -> bool {
        self.withholds && Some(self.class_of_row[row] as usize) == self.silent
    }

    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn size(&self, class: usize) -> u64 {
        self.sizes[class]
    }

    pub(super) fn first_row(&self, class: usize) -> usize {
        self.first_rows[class]
    }

    pub(super) fn class_of_row(&self) -> &[u32] {
        &self.class_of_row
    }

    pub(super) fn suppressed(&self) -> u64 {
        self.suppressed
    }

    pub(super) fn withheld(&self) -> u64 {
        let silent = self.silent.filter(|_| self.withholds);
        silent.map_or(0, |class| self.sizes[class])
    }

    /// The classes that promises speak of.
    pub(super) fn judged(&self) -> impl Iterator<Item = usize> {
        let is_whole = !self.withholds && self.sizes.len() == 1;
        (0..self.sizes.len()).filter(move |class| is_whole || Some(*class) != self.silent)
    }

    pub(super) fn squares(&self) -> u128 {
        self.sizes
            .iter()
            .map(|size| u128::from(*size) * u128::from(*size))
            .sum()
    }

    pub(super) fn sizes(&self) -> ClassSizes {
        let rows: u64 = self.sizes.iter().sum();
        ClassSizes {
            count: self.sizes.len() as u64,
            min: self.sizes.iter().min().copied().unwrap_or(0),
            mean: if self.sizes.is_empty() {
                0.0
            } else {
                rows as f64 / self.sizes.len() as f64
            },
            max: self.sizes.iter().max().copied().unwrap_or(0),
        }
    }
}

/// What each code of a column shows: all spellings of suppression are one value.
pub(super) fn normal(column: &Column) -> Vec<u32> {
    let dictionary = column.dictionary();
    let first_star = dictionary.texts().position(is_suppressed).unwrap_or(0) as u32;
    (0..)
        .zip(dictionary.texts())
        .map(|(code, text)| {
            if is_suppressed(text) {
                first_star
            } else {
                code
            }
        })
        .collect()
}

/// Splits classes by one more column.
fn split(class_of_row: &mut [u32], column: &Column) {
    let value = normal(column);
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (row, class) in class_of_row.iter_mut().enumerate() {
        let next = numbers.len() as u32;
        *class = *numbers
            .entry((*class, value[column.codes().get(row) as usize]))
            .or_insert(next);
    }
}
