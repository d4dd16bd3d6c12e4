//! A sum over the rows of a table that does not depend on their order.

use std::hash::{BuildHasher, RandomState};

use super::Expected;
use super::column::ExpectedColumn;
use crate::table::Table;

/// A sum over the rows of a table that does not depend on their order. Rows are hashed with keys that are drawn anew for each sum, so
/// that two tables with different rows have the same sum with a probability of about 2 to the power of -128.
#[derive(Debug)]
pub struct RowSum {
    keys: [RandomState; 2],
    sum: u128,
    /// How many rows were added.
    pub rows: u64,
}

impl Default for RowSum {
    fn default() -> Self {
        Self {
            keys: [RandomState::new(), RandomState::new()],
            sum: 0,
            rows: 0,
        }
    }
}

impl RowSum {
    /// An empty sum with the same keys.
    #[must_use]
    pub fn same_keys(&self) -> Self {
        Self {
            keys: self.keys.clone(),
            sum: 0,
            rows: 0,
        }
    }

    /// Whether both sums have the same rows.
    pub fn equals(&self, other: &Self) -> bool {
        (self.sum, self.rows) == (other.sum, other.rows)
    }

    /// Adds all rows of a published table, whose columns are taken in this order.
    pub fn add_table<'a>(
        &mut self,
        table: &Table,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(), String> {
        let mut columns = Vec::new();
        for name in names {
            let column = table
                .column(name)
                .ok_or_else(|| format!("the column `{name}` was not written"))?;
            let dictionary = column.dictionary();
            let texts = (0..).zip(dictionary.texts());
            let cells =
                texts.map(|(code, text)| self.cell(text, dictionary.missing() == Some(code)));
            columns.push((column.codes(), cells.collect::<Vec<[u64; 2]>>()));
        }
        for row in 0..table.rows() {
            let own = columns.iter();
            let own = own.map(|(codes, cells)| cells[codes.get(row) as usize]);
            self.add(own, table.times(row));
        }
        Ok(())
    }

    /// A missing value is one value, however it is spelled.
    fn cell(&self, text: &str, is_missing: bool) -> [u64; 2] {
        let text = if is_missing { "" } else { text };
        let hash = |key: &RandomState| key.hash_one((text, is_missing));
        [hash(&self.keys[0]), hash(&self.keys[1])]
    }

    fn add(&mut self, cells: impl Iterator<Item = [u64; 2]>, times: u64) {
        const ODD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
        let mut row = ODD;
        for cell in cells {
            for (lane, (half, odd)) in row.iter_mut().zip(cell.into_iter().zip(ODD)) {
                *lane = (lane.rotate_left(23) ^ half).wrapping_mul(odd);
                *lane ^= *lane >> 29;
            }
        }
        let mixed = |lane: usize| self.keys[lane].hash_one(row);
        let value = u128::from(mixed(0)) << 64 | u128::from(mixed(1));
        self.sum = self.sum.wrapping_add(value.wrapping_mul(times.into()));
        self.rows += times;
    }
}

impl Expected {
    /// Adds these rows to a sum over all rows of a table.
    pub fn add_to(&self, source: &Table, sum: &mut RowSum) {
        let cells = |column: &ExpectedColumn| {
            let shown = column.shown.iter();
            let keyed = shown.map(|shown| sum.cell(&shown.text, shown.is_missing));
            keyed.collect::<Vec<[u64; 2]>>()
        };
        let cells: Vec<Vec<[u64; 2]>> = self.columns.iter().map(cells).collect();
        for (at, row) in self.rows.iter().enumerate() {
            let own = self.columns.iter().zip(&cells);
            let own = own.map(|(column, cells)| cells[column.codes[at] as usize]);
            sum.add(own, source.times(*row as usize));
        }
    }
}
