//! Made-up tables for the tests of this room.

use std::sync::Arc;

use super::{Block, Ground, Store, Stored, Tracked};
use crate::error::Error;
use crate::hierarchy::{Ladder, from_level_csv};
use crate::table::{Column, Table};

/// A table with its counts.
pub(super) struct Made {
    pub(super) table: Table,
    pub(super) ladders: Vec<Ladder>,
    pub(super) tracked: Vec<Tracked>,
    pub(super) ground: Ground,
}

/// Columns of so many values each, and ladders of the value, a third of it, the top; and some more columns that are tracked.
pub(super) fn made_tracking(columns: usize, values: u64, rows: u64, tracked: usize) -> Made {
    let mut state = 1;
    let mut random = || {
        state = u64::wrapping_mul(state, 0x5851_f42d_4c95_7f2d) + 1;
        state >> 33
    };
    // Small values are frequent.
    let mut texts = || -> Vec<String> {
        let value = |_| (random() % values).min(random() % values).to_string();
        (0..rows).map(value).collect()
    };
    let name = |at: usize| format!("c{at}");
    let column = |at: usize| Column::from_texts(&name(at), texts().iter().map(String::as_str));
    let table = Table::new((0..columns + tracked).map(column).collect()).unwrap();
    let line = |value: u64| format!("{value};{}x;*", value / 3);
    let lines: Vec<String> = (0..values).map(line).collect();
    let ladder = |column: &Column| {
        let tree = from_level_csv(column.name(), "made", &lines.join("\n"), true).unwrap();
        Ladder::new(column.name(), Arc::new(tree), column.dictionary()).unwrap()
    };
    let ladders: Vec<Ladder> = table.columns()[..columns].iter().map(ladder).collect();
    let tracked = columns..columns + tracked;
    let tracked: Vec<Tracked> = tracked.map(|at| Tracked::Sensitive(name(at))).collect();
    let ground = Ground::count(&table, &ladders, &tracked).unwrap();
    Made {
        table,
        ladders,
        tracked,
        ground,
    }
}

/// The same where nothing is tracked.
pub(super) fn made(columns: usize, values: u64, rows: u64) -> (Ground, Vec<Ladder>) {
    let made = made_tracking(columns, values, rows, 0);
    (made.ground, made.ladders)
}

/// Tuples in blocks of a few, somewhere else.
#[derive(Debug)]
struct Away {
    words: usize,
    tracked: usize,
    keys: Vec<u64>,
    codes: Vec<u32>,
    rows: Vec<u64>,
    fails: bool,
}

impl Store for Away {
    fn each_block(&self, visit: &mut dyn FnMut(&Block<'_>)) -> Result<(), Error> {
        const AT_ONCE: usize = 1000;
        for (at, rows) in self.rows.chunks(AT_ONCE).enumerate() {
            let from = at * AT_ONCE;
            visit(&Block {
                keys: &self.keys[from * self.words..][..rows.len() * self.words],
                tracked: &self.codes[from * self.tracked..][..rows.len() * self.tracked],
                rows,
            });
            if self.fails {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }
}

/// The tuples of a table in a store, of which sets of so many bytes may be made.
pub(super) fn stored(made: &Made, room: u64, fails: bool) -> Stored {
    let mut store = Away {
        words: made.ground.words(),
        tracked: made.tracked.len(),
        keys: Vec::new(),
        codes: Vec::new(),
        rows: Vec::new(),
        fails,
    };
    let each = |key: &[u64], codes: &[u32], rows: u64| {
        store.keys.extend_from_slice(key);
        store.codes.extend_from_slice(codes);
        store.rows.push(rows);
        Ok::<_, Error>(())
    };
    let Made { table, tracked, .. } = made;
    made.ground.each_sorted(table, tracked, each).unwrap();
    Stored {
        sizes: made.ground.set().sizes(),
        rows: made.ground.rows(),
        cells: store.rows.len() as u64,
        tracked: tracked.len(),
        room,
        store: Arc::new(store),
    }
}

/// The same ground, its tuples not held.
pub(super) fn away(made: &Made, room: u64, fails: bool) -> Ground {
    Ground::of_sections(&made.ground, stored(made, room, fails), false).unwrap()
}
