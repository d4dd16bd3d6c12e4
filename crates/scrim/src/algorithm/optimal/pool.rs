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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::Ground;
    use crate::hierarchy::{Ladder, from_level_csv};
    use crate::table::{Column, Table};

    #[test]
    fn only_sets_that_are_not_above_a_node_serve_it_the_smallest_first() {
        let texts: Vec<String> = (0..1000).map(|row| row.to_string()).collect();
        let column = Column::from_texts("c", texts.iter().map(String::as_str));
        let table = Table::new(vec![column]).unwrap();
        let lines: Vec<String> = (0..1000)
            .map(|row| format!("{row};{}x;*", row / 3))
            .collect();
        let tree = from_level_csv("c", "made", &lines.join("\n"), true).unwrap();
        let dictionary = table.columns()[0].dictionary();
        let ladders = [Ladder::new("c", Arc::new(tree), dictionary).unwrap()];
        let at = |level: u8| {
            let ground = Ground::count(&table, &ladders, &[]).unwrap();
            let node = Node::new(vec![level]);
            let set = ground.set().roll_up(&ladders, &node);
            Capped::of(&set, &ladders, false).unwrap()
        };
        let pool = Pool::new(1400);
        pool.add(at(1));
        let level = |set: Option<Arc<Capped>>| set.map(|set| set.node().levels()[0]);
        let below = |node: u8, tuples: usize| level(pool.below(&Node::new(vec![node]), tuples));
        assert_eq!(below(0, 5000), None);
        assert_eq!((below(1, 5000), below(2, 5000)), (Some(1), Some(1)));
        assert_eq!(below(2, 334), None);
        pool.add(at(0));
        assert_eq!((below(0, 5000), below(2, 5000)), (Some(0), Some(1)));
        // Full, too large for its source, too small to matter.
        assert!(!pool.wants(300, 100_000) && !Pool::new(1400).wants(300, 301));
        assert!(!Pool::new(1400).wants(5, 100_000) && Pool::new(1400).wants(300, 100_000));
    }
}
