//! The rows of a release beside those that it must have: which are equal.
//!
//! **Holds because** two rows have the same key where they have the same published code in every column: codes are packed side by side,
//! and where a key has no room for another column, the keys of the release so far are numbered anew.
//! **Cost.** A sort of both sides by key, and one walk through both.

use rustc_hash::FxHashMap;

use super::column::ExpectedColumn;
use crate::table::{Code, Column, NumberedKeys, Table};

/// A column as expected and as published, with the published code of each expected one.
pub(super) type Sides<'a> = (&'a ExpectedColumn, &'a Column, Vec<Option<Code>>);

/// Rows of a release that are equal to each other.
pub(super) struct EqualRows {
    /// The first of them.
    pub(super) first: u32,
    /// How often they stand in the release.
    pub(super) there: u64,
    /// How often such a row is expected.
    pub(super) expected: u64,
}

/// Looks for expected rows, of which there are this many, in a release: the first row of the release that is equal to each expected row,
/// where there is one. `times` says how often an expected row is expected; every set of equal rows of the release is given to `met`.
pub(super) fn matched(
    columns: &[Sides<'_>],
    release: &Table,
    expected: usize,
    times: impl Fn(usize) -> u64,
    mut met: impl FnMut(EqualRows),
) -> Vec<Option<u32>> {
    let (there, wanted) = keys(columns, release, expected);
    let numbered = |keys| NumberedKeys::new(keys, |at| at as u32).sorted();
    let (there, wanted) = (numbered(there), numbered(wanted));
    let mut found = vec![None; expected];
    let mut there = there.iter().peekable();
    let mut wanted = wanted.iter().peekable();
    // Rows with equal keys stand in ascending order, so the first that is met is the first of the release.
    while let Some((key, first)) = there.next() {
        let mut rows = EqualRows {
            first,
            there: release.times(first as usize),
            expected: 0,
        };
        while let Some((_, row)) = there.next_if(|(other, _)| *other == key) {
            rows.there += release.times(row as usize);
        }
        while wanted.next_if(|(other, _)| *other < key).is_some() {}
        while let Some((_, at)) = wanted.next_if(|(other, _)| *other == key) {
            found[at as usize] = Some(first);
            rows.expected += times(at as usize);
        }
        met(rows);
    }
    found
}

/// The keys of the release's rows and of the expected ones. An expected row that shows what no row of the release does has a key that
/// none of them has.
fn keys(columns: &[Sides<'_>], release: &Table, expected: usize) -> (Vec<u64>, Vec<u64>) {
    let mut there = vec![0u64; release.rows()];
    let mut wanted = vec![0u64; expected];
    let mut bits = 0;
    for (column, published, codes) in columns {
        let nowhere = published.dictionary().len();
        let own = width(nowhere + 1);
        if bits + own > u64::BITS {
            bits = number_anew(&mut there, &mut wanted);
        }
        published.codes().for_each(|row, code| {
            there[row] = there[row] << own | u64::from(code);
        });
        let code = |code: &Option<Code>| code.map_or(nowhere as u64, u64::from);
        let codes: Vec<u64> = codes.iter().map(code).collect();
        for (key, code) in wanted.iter_mut().zip(&column.codes) {
            *key = *key << own | codes[*code as usize];
        }
        bits += own;
    }
    (there, wanted)
}

/// Gives the keys of a release numbers from 0, the keys that it does not have the number after them; says how many bits these need.
fn number_anew(there: &mut [u64], wanted: &mut [u64]) -> u32 {
    let mut numbers: FxHashMap<u64, u64> = FxHashMap::default();
    for key in there {
        let next = numbers.len() as u64;
        *key = *numbers.entry(*key).or_insert(next);
    }
    let nowhere = numbers.len();
    for key in wanted {
        *key = numbers.get(key).copied().unwrap_or(nowhere as u64);
    }
    width(nowhere + 1)
}

/// The bits of this many different numbers, at most 32.
fn width(numbers: usize) -> u32 {
    let largest = numbers.max(1) as u32 - 1;
    u32::BITS - largest.leading_zeros()
}
