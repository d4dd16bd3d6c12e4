//! Tuples of nodes that were counted anyway, from which any node above may be counted. What it holds bears on time only: counts are the
//! same from whatever source.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::frequency::Capped;
use crate::recoding::Node;

/// A set has so few tuples for those it was counted from.
const FEWER: usize = 16;
/// Fewer tuples are counted as fast from any source.
const LEAST: usize = 1 << 8;

/// Counted nodes.
#[derive(Debug)]
pub(super) struct Pool {
    sets: Mutex<Vec<Arc<Capped>>>,
    /// How many tuples all of them together may have.
    most: usize,
}

impl Pool {
    pub(super) fn new(most: usize) -> Self {
        Self {
            sets: Mutex::default(),
            most,
        }
    }

    /// Whether a node of so many tuples is worth keeping that was counted from so many.
    pub(super) fn wants(&self, tuples: usize, source: usize) -> bool {
        tuples >= LEAST && tuples * FEWER <= source && self.held() + tuples <= self.most
    }

    pub(super) fn add(&self, set: Capped) {
        self.sets().push(Arc::new(set));
    }

    /// The smallest one not above a node, if it has fewer tuples than so many.
    pub(super) fn below(&self, node: &Node, tuples: usize) -> Option<Arc<Capped>> {
        let sets = self.sets();
        let below = sets.iter().filter(|set| set.len() < tuples);
        let below = below.filter(|set| node.generalizes(set.node()));
        below.min_by_key(|set| set.len()).cloned()
    }

    fn held(&self) -> usize {
        self.sets().iter().map(|set| set.len()).sum()
    }

    fn sets(&self) -> MutexGuard<'_, Vec<Arc<Capped>>> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
