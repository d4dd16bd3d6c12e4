//! The rows of a release by what they show, so that one can be looked up.

use rustc_hash::FxHashMap;

use super::column::ExpectedColumn;
use crate::table::{Code, Column, Table};

/// A column as expected and as published, with the published code of each expected one.
pub(super) type Sides<'a> = (&'a ExpectedColumn, &'a Column, Vec<Option<Code>>);

/// The rows of a release by their codes.
pub(super) struct Index {
    rows: ByCodes,
    /// The first row that is equal to each row.
    pub(super) first_equal: Vec<u32>,
}

enum ByCodes {
    /// Packed side by side, with the number of bits of each.
    Packed(FxHashMap<u128, u32>, Vec<u32>),
    /// As they are, where they do not fit.
    Long(FxHashMap<Box<[Code]>, u32>),
}

impl Index {
    pub(super) fn new(columns: &[Sides<'_>], release: &Table) -> Self {
        let width = |(_, published, _): &Sides<'_>| {
            let largest = published.dictionary().len().max(1) as u32 - 1;
            u32::BITS - largest.leading_zeros()
        };
        let widths: Vec<u32> = columns.iter().map(width).collect();
        let mut first_equal = Vec::with_capacity(release.rows());
        if widths.iter().sum::<u32>() > u128::BITS {
            let mut rows: FxHashMap<Box<[Code]>, u32> = FxHashMap::default();
            for row in 0..release.rows() {
                let codes = columns.iter();
                let codes = codes.map(|(_, own, _)| own.codes().get(row)).collect();
                first_equal.push(*rows.entry(codes).or_insert(row as u32));
            }
            return Self {
                rows: ByCodes::Long(rows),
                first_equal,
            };
        }
        let mut keys = vec![0u128; release.rows()];
        for ((_, published, _), width) in columns.iter().zip(&widths) {
            published.codes().for_each(|row, code| {
                keys[row] = keys[row].checked_shl(*width).unwrap_or(0) | u128::from(code);
            });
        }
        let mut rows: FxHashMap<u128, u32> = FxHashMap::default();
        rows.reserve(keys.len());
        for (row, key) in (0..).zip(keys) {
            first_equal.push(*rows.entry(key).or_insert(row));
        }
        Self {
            rows: ByCodes::Packed(rows, widths),
            first_equal,
        }
    }

    pub(super) fn find(&self, columns: &[Sides<'_>], at: usize) -> Option<u32> {
        let code = |(expected, _, codes): &Sides<'_>| codes[expected.codes[at] as usize];
        match &self.rows {
            ByCodes::Packed(rows, widths) => {
                let mut key = 0u128;
                for (column, width) in columns.iter().zip(widths) {
                    key = key.checked_shl(*width).unwrap_or(0) | u128::from(code(column)?);
                }
                rows.get(&key).copied()
            }
            ByCodes::Long(rows) => {
                let key: Option<Box<[Code]>> = columns.iter().map(code).collect();
                rows.get(&key?).copied()
            }
        }
    }
}
