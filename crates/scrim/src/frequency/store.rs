//! Tuples that memory does not hold: wherever they are kept, they come in blocks.
//!
//! A set of such tuples knows how many they are and what their sizes come to; all else is added up while they pass by
//! ([`Recoder`](super::regroup::Recoder)), so that it can be rolled up to sets that are held, and nothing else can be asked of it. A
//! store that fails gives no more tuples; what was made of it then is worth nothing, which [`Elsewhere::must_have_told_all`] says.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::metric::Sizes;

/// Keeps the tuples of a ground set.
pub trait Store: std::fmt::Debug + Send + Sync {
    /// Visits all tuples in blocks: the words of their keys, and how many rows each has. The order is always the same.
    fn each_block(&self, visit: &mut dyn FnMut(&[u64], &[u64])) -> Result<(), Error>;
}

/// What a set knows of tuples that it does not hold.
#[derive(Clone, Debug)]
pub(super) struct Elsewhere {
    store: Arc<dyn Store>,
    pub(super) sizes: Sizes,
    failure: Arc<Mutex<Option<Error>>>,
}

impl Elsewhere {
    pub(super) fn new(store: Arc<dyn Store>, sizes: Sizes) -> Self {
        Self {
            store,
            sizes,
            failure: Arc::default(),
        }
    }

    /// Visits all tuples.
    pub(super) fn each_block(&self, mut visit: impl FnMut(&[u64], &[u64])) {
        if let Err(error) = self.store.each_block(&mut visit) {
            self.failure().get_or_insert(error);
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
