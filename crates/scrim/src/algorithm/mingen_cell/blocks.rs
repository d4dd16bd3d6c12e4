//! Partitions of the rows into blocks, and how they are made better by moving rows.

use super::axis::Axes;
use super::prices::{Choice, FINE};

/// Rows that stand at their least common ancestors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) rows: Vec<u32>,
    pub(super) vector: Vec<u32>,
    /// What each of its rows costs.
    pub(super) each: i64,
}

impl Block {
    pub(super) fn cost(&self) -> i64 {
        self.each * self.size()
    }

    fn size(&self) -> i64 {
        self.rows.len().cast_signed() as i64
    }
}

/// All rows in blocks of at least k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) blocks: Vec<Block>,
}

impl Partition {
    pub(super) fn cost(&self) -> i64 {
        self.blocks.iter().map(Block::cost).sum()
    }

    /// The vector at which each row stands.
    pub(super) fn vectors(&self, rows: usize) -> Vec<Vec<u32>> {
        let mut vectors = vec![Vec::new(); rows];
        for block in &self.blocks {
            let rows = block.rows.iter();
            rows.for_each(|row| vectors[*row as usize].clone_from(&block.vector));
        }
        vectors
    }
}

/// What blocks are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maker<'a> {
    pub(super) axes: &'a Axes,
    pub(super) tuple_of_row: &'a [u32],
    pub(super) k: usize,
}

impl Maker<'_> {
    fn tuple(&self, row: u32) -> u32 {
        self.tuple_of_row[row as usize]
    }

    pub(super) fn block(&self, rows: Vec<u32>) -> Block {
        let mut vector = self.axes.leaves(self.tuple(rows[0]));
        rows[1..]
            .iter()
            .for_each(|row| self.axes.join(&mut vector, self.tuple(*row)));
        let each = self.axes.cost(&vector);
        Block { rows, vector, each }
    }

    /// What a row costs at a vector that takes in another row.
    fn joined(&self, vector: &[u32], row: u32) -> i64 {
        let tuple = self.tuple(row);
        let cells = self.axes.axes.iter().zip(vector);
        cells
            .map(|(axis, at)| axis.cost(axis.join(*at, axis.leaf(tuple))))
            .sum()
    }

    /// The block that a row makes dearer by least, but for one, and by how much.
    fn cheapest(&self, blocks: &[Block], row: u32, but: usize) -> Option<(i64, usize)> {
        let others = blocks.iter().enumerate().filter(|(at, _)| *at != but);
        let dearer = others.map(|(at, block)| {
            let with = self.joined(&block.vector, row) * (block.size() + 1);
            (with - block.cost(), at)
        });
        dearer.min()
    }

    fn add(&self, block: &mut Block, row: u32) {
        block.rows.push(row);
        self.axes.join(&mut block.vector, self.tuple(row));
        block.each = self.axes.cost(&block.vector);
    }

    /// Rows that stand nowhere go where they cost least.
    fn place(&self, blocks: &mut Vec<Block>, rows: Vec<u32>) {
        if blocks.is_empty() {
            blocks.push(self.block(rows));
            return;
        }
        for row in rows {
            if let Some((_, at)) = self.cheapest(blocks, row, usize::MAX) {
                self.add(&mut blocks[at], row);
            }
        }
    }

    /// Blocks of the sites that lose most by the prices, as long as k of their rows are free.
    pub(super) fn by_prices(&self, choice: &Choice, prices: &[i64]) -> Partition {
        let least = |cost: i64, rows: &mut Vec<(i64, u32)>| {
            for (gain, row) in rows.iter_mut() {
                *gain = cost * FINE - prices[*row as usize];
            }
            rows.sort_unstable();
            rows[..self.k].iter().map(|(gain, _)| gain).sum::<i64>()
        };
        let mut order: Vec<(i64, usize)> = Vec::with_capacity(choice.sites.len());
        let mut buffer: Vec<(i64, u32)> = Vec::new();
        for (at, site) in choice.sites.iter().enumerate() {
            buffer.clear();
            buffer.extend(site.rows.iter().map(|row| (0, *row)));
            order.push((least(site.cost, &mut buffer), at));
        }
        order.sort_unstable();
        let mut free = vec![true; prices.len()];
        let mut blocks = Vec::new();
        for (_, at) in order {
            let site = &choice.sites[at];
            buffer.clear();
            let rows = site.rows.iter().filter(|row| free[**row as usize]);
            buffer.extend(rows.map(|row| (0, *row)));
            if buffer.len() < self.k {
                continue;
            }
            least(site.cost, &mut buffer);
            let chosen = (0..)
                .zip(&buffer)
                .take_while(|(at, (gain, _))| *at < self.k || *gain < 0);
            let rows: Vec<u32> = chosen.map(|(_, (_, row))| *row).collect();
            rows.iter().for_each(|row| free[*row as usize] = false);
            blocks.push(self.block(rows));
        }
        let rest: Vec<u32> = (0..)
            .zip(&free)
            .filter(|(_, free)| **free)
            .map(|(row, _)| row)
            .collect();
        if !rest.is_empty() {
            self.place(&mut blocks, rest);
        }
        Partition { blocks }
    }

    /// Moves and swaps rows, splits and dissolves blocks, until nothing helps or `stop` says so.
    pub(super) fn improve(&self, partition: &mut Partition, stop: &mut dyn FnMut() -> bool) {
        let blocks = &mut partition.blocks;
        let mut fresh = vec![true; blocks.len()];
        while let Some(at) = fresh.iter().position(|fresh| *fresh) {
            if stop() {
                return;
            }
            fresh[at] = false;
            if self.split(blocks, &mut fresh, at) || self.dissolve(blocks, &mut fresh, at) {
                continue;
            }
            for other in 0..blocks.len() {
                if other != at && self.exchange(blocks, at, other) {
                    fresh[at] = true;
                    fresh[other] = true;
                }
            }
        }
    }

    /// Vectors of a block without each of its rows.
    fn without(&self, block: &Block) -> Vec<Vec<u32>> {
        let rest = |out: usize| {
            let mut rows = (0..block.rows.len()).filter(|at| *at != out);
            let first = rows.next().map_or(0, |at| block.rows[at]);
            let mut vector = self.axes.leaves(self.tuple(first));
            rows.for_each(|at| self.axes.join(&mut vector, self.tuple(block.rows[at])));
            vector
        };
        (0..block.rows.len()).map(rest).collect()
    }

    /// The best move of a row between two blocks, or swap of two, if it helps.
    fn exchange(&self, blocks: &mut [Block], left: usize, right: usize) -> bool {
        let (one, two) = (&blocks[left], &blocks[right]);
        let now = one.cost() + two.cost();
        if now == 0 {
            return false;
        }
        let (sizes, k) = ((one.size(), two.size()), self.k);
        let (rest_one, rest_two) = (self.without(one), self.without(two));
        let mut best: Option<(i64, Option<usize>, Option<usize>)> = None;
        let mut offer = |cost: i64, from: Option<usize>, to: Option<usize>| {
            if cost < best.map_or(now, |(least, ..)| least) {
                best = Some((cost, from, to));
            }
        };
        for (from, rest) in rest_one.iter().enumerate().filter(|_| one.rows.len() > k) {
            let with = self.joined(&two.vector, one.rows[from]) * (sizes.1 + 1);
            offer(
                with + self.axes.cost(rest) * (sizes.0 - 1),
                Some(from),
                None,
            );
        }
        for (to, rest) in rest_two.iter().enumerate().filter(|_| two.rows.len() > k) {
            let with = self.joined(&one.vector, two.rows[to]) * (sizes.0 + 1);
            offer(with + self.axes.cost(rest) * (sizes.1 - 1), None, Some(to));
        }
        for (from, rest_one) in rest_one.iter().enumerate() {
            for (to, rest_two) in rest_two.iter().enumerate() {
                let swapped = self.joined(rest_one, two.rows[to]) * sizes.0
                    + self.joined(rest_two, one.rows[from]) * sizes.1;
                offer(swapped, Some(from), Some(to));
            }
        }
        let Some((_, from, to)) = best else {
            return false;
        };
        let from = from.map(|at| blocks[left].rows.swap_remove(at));
        let to = to.map(|at| blocks[right].rows.swap_remove(at));
        blocks[left].rows.extend(to);
        blocks[right].rows.extend(from);
        for at in [left, right] {
            blocks[at] = self.block(std::mem::take(&mut blocks[at].rows));
        }
        true
    }

    /// Gives the rows of a block to others, if that helps.
    fn dissolve(&self, blocks: &mut Vec<Block>, fresh: &mut Vec<bool>, at: usize) -> bool {
        if blocks.len() < 2 || blocks[at].each == 0 {
            return false;
        }
        let budget = blocks[at].cost();
        let mut changed: Vec<(usize, Block)> = Vec::new();
        let mut spent = 0;
        for row in blocks[at].rows.clone() {
            let Some((dearer, to)) = self.cheapest(blocks, row, at) else {
                break;
            };
            spent += dearer;
            changed.push((to, blocks[to].clone()));
            self.add(&mut blocks[to], row);
            if spent >= budget {
                break;
            }
        }
        if spent < budget {
            changed.iter().for_each(|(to, _)| fresh[*to] = true);
            blocks.swap_remove(at);
            fresh.swap_remove(at);
            return true;
        }
        changed
            .into_iter()
            .rev()
            .for_each(|(to, before)| blocks[to] = before);
        false
    }

    /// Cuts a block of 2k rows or more in two: the k rows next to one of them, and the others.
    fn split(&self, blocks: &mut Vec<Block>, fresh: &mut Vec<bool>, at: usize) -> bool {
        let block = &blocks[at];
        if block.rows.len() < 2 * self.k || block.each == 0 {
            return false;
        }
        let mut best: Option<(i64, Block, Block)> = None;
        // Rows of one tuple start alike; a few starts are enough for a large block.
        for seed in block.rows.iter().take(16) {
            let (part, rest) = self.nearest(*seed, &block.rows);
            let (part, rest) = (self.block(part), self.block(rest));
            let cost = part.cost() + rest.cost();
            if cost < best.as_ref().map_or(block.cost(), |(least, ..)| *least) {
                best = Some((cost, part, rest));
            }
        }
        let Some((_, part, rest)) = best else {
            return false;
        };
        blocks[at] = part;
        blocks.push(rest);
        fresh[at] = true;
        fresh.push(true);
        true
    }

    /// The k rows that stand lowest together with a row, taken one by one, and the others.
    fn nearest(&self, seed: u32, rows: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let mut part = vec![seed];
        let mut rest: Vec<u32> = rows.iter().copied().filter(|row| *row != seed).collect();
        let mut vector = self.axes.leaves(self.tuple(seed));
        while part.len() < self.k {
            let next =
                (0..rest.len()).min_by_key(|at| (self.joined(&vector, rest[*at]), rest[*at]));
            let Some(next) = next else {
                break;
            };
            let row = rest.remove(next);
            self.axes.join(&mut vector, self.tuple(row));
            part.push(row);
        }
        (part, rest)
    }

    /// Shakes a partition: the block of a row and those next to it are cut anew, from that row on.
    pub(super) fn shake(&self, partition: &mut Partition, row: u32, near: usize) {
        let blocks = &mut partition.blocks;
        let mut order: Vec<(bool, i64, usize)> = (0..)
            .zip(blocks.iter())
            .map(|(at, block)| {
                (
                    !block.rows.contains(&row),
                    self.joined(&block.vector, row),
                    at,
                )
            })
            .collect();
        order.sort_unstable();
        let mut picked: Vec<usize> = order.iter().take(near).map(|(.., at)| *at).collect();
        picked.sort_unstable();
        let mut rows: Vec<u32> = Vec::new();
        for at in picked.into_iter().rev() {
            rows.extend(blocks.swap_remove(at).rows);
        }
        let mut seed = row;
        while rows.len() >= self.k {
            let (part, rest) = self.nearest(seed, &rows);
            blocks.push(self.block(part));
            rows = rest;
            // The row that is farthest from the last block starts the next one.
            let vector = &blocks[blocks.len() - 1].vector;
            let next = rows
                .iter()
                .max_by_key(|row| (self.joined(vector, **row), **row));
            seed = next.copied().unwrap_or(seed);
        }
        if !rows.is_empty() {
            self.place(blocks, rows);
        }
    }
}
