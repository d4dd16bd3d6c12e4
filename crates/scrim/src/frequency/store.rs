//! Tuples that memory does not hold: wherever they are kept, they come in blocks.
//!
//! A set of such tuples knows how many they are and what their sizes come to; all else is added up while they pass by
//! ([`Recoder`](super::regroup::Recoder), [`FrequencySet::each_part`](super::FrequencySet::each_part)), so that it can be rolled up to
//! sets that are held, and nothing else can be asked of it. A store that fails gives no more tuples; what was made of it then is worth
//! nothing, which [`Elsewhere::must_have_told_all`] says.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::metric::Sizes;

/// Tuples that come together. One that has several values of the tracked columns comes once for each combination of them, one time
/// after the other.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The words of their keys.
    pub keys: &'a [u64],
    /// The codes of the tracked columns, all of a tuple together.
    pub tracked: &'a [u32],
    /// How many rows each has.
    pub rows: &'a [u64],
}

/// Keeps the tuples of a ground set.
pub trait Store: std::fmt::Debug + Send + Sync {
    /// Visits all tuples in blocks. The order is always the same.
    fn each_block(&self, visit: &mut dyn FnMut(&Block<'_>)) -> Result<(), Error>;
}

/// Where the tuples of a table in sections are, and what they come to.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Has them.
    pub store: Arc<dyn Store>,
    /// What the sizes of the tuples come to, each counted once.
    pub sizes: Sizes,
    /// How many rows they have.
    pub rows: u64,
    /// How many combinations of a tuple and tracked values there are.
    pub cells: u64,
    /// How many columns are tracked.
    pub tracked: usize,
    /// About how many bytes a set that is made of them may have.
    pub room: u64,
}

/// What a set knows of tuples that it does not hold.
#[derive(Clone, Debug)]
pub(super) struct Elsewhere {
    pub(super) stored: Stored,
    failure: Arc<Mutex<Option<Error>>>,
}

impl Elsewhere {
    pub(super) fn new(stored: Stored) -> Self {
        Self {
            stored,
            failure: Arc::default(),
        }
    }

    /// Visits all tuples.
    pub(super) fn each_block(&self, mut visit: impl FnMut(&Block<'_>)) {
        if let Err(error) = self.stored.store.each_block(&mut visit) {
            self.failure().get_or_insert(error);
        }
    }

    /// Visits each tuple, whose key has so many words, once, and its rows.
    pub(super) fn each_tuple(&self, words: usize, mut visit: impl FnMut(&[u64], u64)) {
        let mut last: Option<(Vec<u64>, u64)> = None;
        self.each_block(|block| {
            for (key, rows) in block.keys.chunks_exact(words).zip(block.rows) {
                match &mut last {
                    Some((same, all)) if same == key => *all += rows,
                    _ => {
                        if let Some((former, all)) = last.replace((key.to_vec(), *rows)) {
                            visit(&former, all);
                        }
                    }
                }
            }
        });
        if let Some((last, all)) = last {
            visit(&last, all);
        }
    }

    /// Whether the store ever failed; its error is told once.
    pub(super) fn must_have_told_all(&self) -> Result<(), Error> {
        self.failure().take().map_or(Ok(()), Err)
    }

    fn failure(&self) -> std::sync::MutexGuard<'_, Option<Error>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
