//! The rows in classes, each at the least cells above its rows.

use super::axis::Cell;
use super::frame::Frame;

/// Rows that are published alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) rows: Vec<u32>,
    pub(super) cells: Vec<Cell>,
    /// What each of its rows costs.
    pub(super) cost: i64,
}

impl Block {
    /// A block of rows.
    pub(super) fn new(frame: &Frame<'_>, rows: Vec<u32>) -> Self {
        let Some((first, others)) = rows.split_first() else {
            return Self::default();
        };
        let mut cells = frame.cells(frame.tuple(*first));
        let mut last = frame.tuple(*first);
        for row in others {
            // Equal rows often come together.
            let tuple = frame.tuple(*row);
            if tuple != last {
                frame.join(&mut cells, tuple);
                last = tuple;
            }
        }
        let cost = frame.cost(&cells);
        Self { rows, cells, cost }
    }

    /// Takes a row in.
    pub(super) fn push(&mut self, frame: &Frame<'_>, row: u32) {
        frame.join(&mut self.cells, frame.tuple(row));
        self.cost = frame.cost(&self.cells);
        self.rows.push(row);
    }

    /// The block without one of its rows.
    pub(super) fn without(&self, frame: &Frame<'_>, at: usize) -> Self {
        let mut rows = self.rows.clone();
        rows.swap_remove(at);
        Self::new(frame, rows)
    }

    /// How many rows it has.
    pub(super) fn count(&self) -> i64 {
        i64::try_from(self.rows.len()).unwrap_or(i64::MAX)
    }

    /// What all its rows cost.
    pub(super) fn total(&self) -> i64 {
        self.cost * self.count()
    }

    /// How much more it costs with another row, or something not below `limit`.
    pub(super) fn growth(&self, frame: &Frame<'_>, tuple: u32, limit: i64) -> i64 {
        let rows = self.count();
        // (rows + 1) * cost - total < limit, rounded up.
        let most = limit.saturating_add(self.total());
        let most = most.div_euclid(rows + 1) + 1;
        match frame.join_cost(&self.cells, tuple, most) {
            i64::MAX => i64::MAX,
            cost => cost * (rows + 1) - self.total(),
        }
    }
}

/// All blocks; some may be empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    pub(super) blocks: Vec<Block>,
    /// The block of each row.
    pub(super) block_of_row: Vec<u32>,
}

impl Partition {
    pub(super) fn new(blocks: Vec<Block>, rows: usize) -> Self {
        let mut partition = Self {
            blocks,
            block_of_row: vec![0; rows],
        };
        (0..partition.blocks.len()).for_each(|block| partition.enrol(block));
        partition
    }

    fn enrol(&mut self, block: usize) {
        for row in &self.blocks[block].rows {
            self.block_of_row[*row as usize] = block as u32;
        }
    }

    /// Puts a block in a place.
    pub(super) fn set(&mut self, place: usize, block: Block) {
        if place == self.blocks.len() {
            self.blocks.push(block);
        } else {
            self.blocks[place] = block;
        }
        self.enrol(place);
    }

    /// What all rows cost.
    pub(super) fn cost(&self) -> i64 {
        self.blocks.iter().map(Block::total).sum()
    }

    /// Drops empty blocks, and numbers the others by their first rows.
    pub(super) fn tidy(&mut self) {
        self.blocks.retain(|block| !block.rows.is_empty());
        for block in &mut self.blocks {
            block.rows.sort_unstable();
        }
        self.blocks.sort_unstable_by_key(|block| block.rows[0]);
        (0..self.blocks.len()).for_each(|block| self.enrol(block));
    }
}
