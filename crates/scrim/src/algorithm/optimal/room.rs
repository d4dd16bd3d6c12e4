//! What a search may use of the memory. The answer does not depend on it, only how often and from
//! what nodes are counted.

use crate::frequency::{FrequencySet, Scratch};

/// How many tuples all sources together may have before no smaller ones are kept, where nobody says otherwise.
const MOST_TUPLES: usize = 4_000_000;

/// How much memory is used for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// How many tuples all sources together may have before no smaller ones are kept.
    pub(super) most_tuples: usize,
    /// Bytes of an array by number.
    pub(super) array: Option<u64>,
    /// Whether the tuples are sorted, which takes as much as they do.
    pub(super) sorts: bool,
    /// Whether nodes are counted side by side.
    pub(super) side_by_side: bool,
}

impl Room {
    /// Of so many bytes, for a search that starts from this set. Counting one node after the other is what it cannot do without.
    pub(super) fn new(bytes: Option<u64>, ground: &FrequencySet) -> Self {
        let Some(bytes) = bytes else {
            return Self {
                most_tuples: MOST_TUPLES,
                array: None,
                sorts: true,
                side_by_side: true,
            };
        };
        if !ground.is_held() {
            return Self::beside_a_store(bytes, ground);
        }
        let tuples = ground.len() as u64;
        let counting = tuples * Scratch::A_TUPLE;
        // A set as long as the ground set, and once more while it is being sorted.
        let set = tuples * ground.bytes_a_tuple();
        let mut left = bytes.saturating_sub(counting + set);
        let mut take = |wanted: u64| {
            let fits = left >= wanted;
            left -= if fits { wanted } else { 0 };
            fits
        };
        let sorts = take(set);
        let side_by_side = take(counting + set);
        let array = left / if side_by_side { 4 } else { 2 };
        let most_tuples = set + left - left / 2;
        Self {
            most_tuples: (most_tuples / ground.bytes_a_tuple()).min(MOST_TUPLES as u64) as usize,
            array: Some(array),
            sorts,
            side_by_side,
        }
    }

    /// Where the tuples pass by: half for sets that are made of them, the rest for the arrays and tables of two threads.
    fn beside_a_store(bytes: u64, ground: &FrequencySet) -> Self {
        Self {
            most_tuples: (bytes / 2 / ground.bytes_a_tuple()).min(MOST_TUPLES as u64) as usize,
            array: Some(bytes / 8),
            sorts: false,
            side_by_side: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::frequency::Ground;
    use crate::hierarchy::{Ladder, from_level_csv};
    use crate::table::{Column, Table};

    #[test]
    fn more_memory_never_gives_less_and_what_is_planned_fits() {
        let texts: Vec<String> = (0..1000).map(|row| row.to_string()).collect();
        let column = Column::from_texts("c", texts.iter().map(String::as_str));
        let table = Table::new(vec![column]).unwrap();
        let lines: Vec<String> = texts.iter().map(|text| format!("{text};*")).collect();
        let tree = from_level_csv("c", "made", &lines.join("\n"), true).unwrap();
        let dictionary = table.columns()[0].dictionary();
        let ladder = Ladder::new("c", Arc::new(tree), dictionary).unwrap();
        let ground = Ground::count(&table, &[ladder], &[]).unwrap();
        let set = ground.set();
        assert_eq!(set.len(), 1000);
        let mut former = Room::new(Some(0), set);
        assert!(!former.sorts && !former.side_by_side);
        let (counting, held) = (Scratch::A_TUPLE, set.bytes_a_tuple());
        for bytes in (0..400_000).step_by(100) {
            let room = Room::new(Some(bytes), set);
            assert!(room.sorts >= former.sorts && room.side_by_side >= former.side_by_side);
            let threads = 1 + u64::from(room.side_by_side);
            let tuples = set.len() as u64;
            let least = tuples * (counting + held);
            let planned = tuples * counting * threads
                + room.array.unwrap_or(0) * threads
                + room.most_tuples as u64 * held
                + tuples * held * u64::from(room.sorts);
            assert!(planned <= bytes.max(least), "{bytes}: {planned}");
            former = room;
        }
        assert!(former.sorts && former.side_by_side);
        assert_eq!(Room::new(None, set).most_tuples, MOST_TUPLES);
    }
}
