//! The rows of a release beside those that it must have: which are equal.
//!
//! **Holds because** two rows have the same key where they have the same published code in every column: codes are packed side by side,
//! and where a key has no room for another column, the keys of the release so far are numbered anew.
//! **Cost.** A sort of both sides by key, and one walk through both.

use rustc_hash::FxHashMap;

use super::column::ExpectedColumn;
use crate::table::{Code, Column, Table, sort_keys};

/// A column as expected and as published, with the published code of each expected one.
pub(super) type Sides<'a> = (&'a ExpectedColumn, &'a Column, Vec<Option<Code>>);

/// What was found of each expected row.
pub(super) struct Matched {
    /// The first row of the release that is equal to each expected row, where there is one.
    pub(super) found: Vec<Option<u32>>,
    /// The first row of the release that is equal to each of its rows.
    pub(super) first_equal: Vec<u32>,
}

/// Looks for expected rows, of which there are this many, in a release.
pub(super) fn matched(columns: &[Sides<'_>], release: &Table, expected: usize) -> Matched {
    let (there, wanted, bits) = keys(columns, release, expected);
    let numbered = |keys: Vec<u64>| keys.into_iter().zip(0u32..).collect();
    let there: Vec<(u64, u32)> = sort_keys(numbered(there), bits);
    let wanted = wanted.into_iter().zip(0u32..);
    let wanted = wanted.filter_map(|(key, at)| Some((key?, at))).collect();
    let wanted: Vec<(u64, u32)> = sort_keys(wanted, bits);
    let mut matched = Matched {
        found: vec![None; expected],
        first_equal: vec![0; release.rows()],
    };
    let mut wanted = wanted.into_iter().peekable();
    for equal in there.chunk_by(|one, other| one.0 == other.0) {
        // Rows with equal keys stand in ascending order.
        let (key, first) = equal[0];
        for (_, row) in equal {
            matched.first_equal[*row as usize] = first;
        }
        while wanted.next_if(|(other, _)| *other < key).is_some() {}
        while let Some((_, at)) = wanted.next_if(|(other, _)| *other == key) {
            matched.found[at as usize] = Some(first);
        }
    }
    matched
}

/// The keys of the release's rows and of the expected ones, and how many bits they have. An expected row has none where it shows what
/// no row of the release does.
fn keys(
    columns: &[Sides<'_>],
    release: &Table,
    expected: usize,
) -> (Vec<u64>, Vec<Option<u64>>, u32) {
    let mut there = vec![0u64; release.rows()];
    let mut wanted = vec![Some(0u64); expected];
    let mut bits = 0;
    for (column, published, codes) in columns {
        let own = width(published.dictionary().len());
        if bits + own > u64::BITS {
            bits = number_anew(&mut there, &mut wanted);
        }
        published.codes().for_each(|row, code| {
            there[row] = there[row] << own | u64::from(code);
        });
        for (key, code) in wanted.iter_mut().zip(&column.codes) {
            let code = codes[*code as usize];
            *key = key
                .zip(code)
                .map(|(key, code)| key << own | u64::from(code));
        }
        bits += own;
    }
    (there, wanted, bits)
}

/// Gives the keys of a release numbers from 0, and says how many bits these have.
fn number_anew(there: &mut [u64], wanted: &mut [Option<u64>]) -> u32 {
    let mut numbers: FxHashMap<u64, u64> = FxHashMap::default();
    for key in there {
        let next = numbers.len() as u64;
        *key = *numbers.entry(*key).or_insert(next);
    }
    for key in wanted {
        *key = key.and_then(|key| numbers.get(&key).copied());
    }
    width(numbers.len())
}

/// The bits of this many different numbers, at most 32.
fn width(numbers: usize) -> u32 {
    let largest = numbers.max(1) as u32 - 1;
    u32::BITS - largest.leading_zeros()
}
