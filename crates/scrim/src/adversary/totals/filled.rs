//! Classes of a release once certain cells are filled in.

use rustc_hash::FxHashMap;
use serde::Serialize;

/// The classes of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilledClasses {
    /// How many there are.
    pub classes: u64,
    /// The size of the smallest.
    pub smallest: u64,
    /// Rows that are alone in a class.
    pub unique: u64,
    /// Rows in classes of fewer than k, where there is a k.
    pub below_k: Option<u64>,
}

/// Counts classes: the columns, each by its value for every row.
pub fn filled(columns: &[Vec<u32>], rows: usize, k: Option<u64>) -> FilledClasses {
    let mut sizes: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    for row in 0..rows {
        let values = columns.iter().map(|column| column[row]);
        *sizes.entry(values.collect()).or_default() += 1;
    }
    let mut sizes: Vec<u64> = sizes.into_values().collect();
    sizes.sort_unstable();
    let below = |k: u64| sizes.iter().take_while(|size| **size < k).sum();
    FilledClasses {
        classes: sizes.len() as u64,
        smallest: sizes.first().copied().unwrap_or(0),
        unique: below(2),
        below_k: k.map(below),
    }
}
