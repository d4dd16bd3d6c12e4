//! Packed tuples whose keys are short.

use rayon::prelude::*;

use crate::frequency::Layout;

/// The keys, as narrow as all of them allow.
#[derive(Clone, Debug)]
pub(super) enum Keys {
    Narrow(Vec<u32>),
    One(Vec<[u64; 1]>),
    Two(Vec<[u64; 2]>),
}

impl Keys {
    /// Of tuples of so many words.
    pub(super) fn of(words: &[u64], width: usize) -> Option<Self> {
        match width {
            1 if words.iter().all(|word| u32::try_from(*word).is_ok()) => Some(Self::Narrow(
                words.iter().map(|word| *word as u32).collect(),
            )),
            1 => Some(Self::One(words.as_chunks().0.to_vec())),
            2 => Some(Self::Two(words.as_chunks().0.to_vec())),
            _ => None,
        }
    }

    /// Keys of the same kind.
    pub(super) fn like(&self, words: &[u64]) -> Self {
        match self {
            Self::Narrow(_) => Self::Narrow(words.iter().map(|word| *word as u32).collect()),
            Self::One(_) => Self::One(words.as_chunks().0.to_vec()),
            Self::Two(_) => Self::Two(words.as_chunks().0.to_vec()),
        }
    }

    /// Brings keys into their order, and the rows beside them: one after the other by the last word, then the one before it.
    pub(super) fn sort_with(&mut self, rows: &mut [u8]) {
        match self {
            Self::Narrow(keys) => sort(keys, rows, |key| *key),
            Self::One(keys) => sort(keys, rows, |key| *key),
            Self::Two(keys) => sort(keys, rows, |[low, high]| [*high, *low]),
        }
    }

    /// The code of an attribute.
    pub(super) fn code(&self, tuple: usize, layout: &Layout, attribute: usize) -> u32 {
        match self {
            Self::Narrow(keys) => layout.read(&[keys[tuple].into()], attribute),
            Self::One(keys) => layout.read(&keys[tuple], attribute),
            Self::Two(keys) => layout.read(&keys[tuple], attribute),
        }
    }
}

fn sort<K: Copy + Send, O: Ord>(keys: &mut [K], rows: &mut [u8], order: impl Fn(&K) -> O + Sync) {
    let mut tuples: Vec<(K, u8)> = keys.iter().copied().zip(rows.iter().copied()).collect();
    tuples.par_sort_unstable_by_key(|(key, _)| order(key));
    for ((key, own), tuple) in keys.iter_mut().zip(rows).zip(tuples) {
        (*key, *own) = tuple;
    }
}
