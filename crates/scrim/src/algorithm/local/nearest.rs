//! Which classes lie near a row: a tree over the cells of all classes, axis by axis.
//!
//! **Reading.** Near is what costs little to share. The tree is made once for many questions; it is walked from the axes whose
//! steps cost most, so that whole branches are left out early. Ties go to the lower number.

use super::axis::Cell;
use super::frame::Frame;
use super::partition::{Block, Partition};

/// Classes by their cells.
#[derive(Debug)]
pub(super) struct Nearest<'f> {
    frame: &'f Frame<'f>,
    /// The nodes of each axis, in the frame's order.
    levels: Vec<Vec<Node>>,
    /// Classes in the order of their cells.
    blocks: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    /// Where its nodes of the next axis, or its classes, are.
    start: u32,
    end: u32,
}

impl<'f> Nearest<'f> {
    pub(super) fn new(frame: &'f Frame<'f>, partition: &Partition) -> Self {
        let mut blocks: Vec<u32> = (0..partition.blocks.len() as u32).collect();
        blocks.retain(|block| !partition.blocks[*block as usize].rows.is_empty());
        let cell = |block: u32, at: usize| partition.blocks[block as usize].cells[at];
        blocks.sort_by(|left, right| {
            let order = frame.order.iter();
            let mut compared = order.map(|at| cell(*left, *at).cmp(&cell(*right, *at)));
            compared
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
                .then(left.cmp(right))
        });
        let axes = frame.order.len();
        let mut levels: Vec<Vec<Node>> = vec![Vec::new(); axes];
        for (place, block) in blocks.iter().enumerate() {
            let differs = place.checked_sub(1).map_or(0, |before| {
                let same = |at: &&usize| cell(blocks[before], **at) == cell(*block, **at);
                frame.order.iter().take_while(same).count()
            });
            for depth in (differs..axes).rev() {
                let start = levels.get(depth + 1).map_or(place, |below| below.len() - 1) as u32;
                levels[depth].push(Node {
                    cell: cell(*block, frame.order[depth]),
                    start,
                    end: start + 1,
                });
            }
            if differs > 0 {
                let end = levels.get(differs).map_or(place + 1, Vec::len) as u32;
                if let Some(last) = levels[differs - 1].last_mut() {
                    last.end = end;
                }
            }
        }
        Self {
            frame,
            levels,
            blocks,
        }
    }

    /// Walks classes that a row of a tuple could share at a cost below a limit, which the visitor may lower.
    fn walk(&self, tuple: u32, limit: &mut i64, visit: &mut dyn FnMut(u32, i64, &mut i64)) {
        let top = self.levels.first().map_or(0, Vec::len) as u32;
        self.descend(0, (0, top), 0, tuple, limit, visit);
    }

    fn descend(
        &self,
        depth: usize,
        (start, end): (u32, u32),
        cost: i64,
        tuple: u32,
        limit: &mut i64,
        visit: &mut dyn FnMut(u32, i64, &mut i64),
    ) {
        if depth == self.levels.len() {
            let blocks = &self.blocks[start as usize..end as usize];
            blocks.iter().for_each(|block| visit(*block, cost, limit));
            return;
        }
        let axis = &self.frame.axes[self.frame.order[depth]];
        let leaf = axis.leaf(tuple);
        for node in &self.levels[depth][start as usize..end as usize] {
            let cost = cost + axis.join_cost(node.cell, leaf);
            if cost < *limit {
                self.descend(depth + 1, (node.start, node.end), cost, tuple, limit, visit);
            }
        }
    }

    /// The classes that cost least to share, at most so many, the nearest first.
    pub(super) fn near(&self, tuple: u32, most: usize, without: u32) -> Vec<u32> {
        let mut found: Vec<(i64, u32)> = Vec::new();
        let mut limit = i64::MAX;
        self.walk(tuple, &mut limit, &mut |block, cost, limit| {
            if block == without {
                return;
            }
            found.push((cost, block));
            if found.len() >= 2 * most {
                found.sort_unstable();
                found.truncate(most);
                *limit = found.last().map_or(i64::MAX, |(cost, _)| cost + 1);
            }
        });
        found.sort_unstable();
        found.truncate(most);
        found.into_iter().map(|(_, block)| block).collect()
    }

    /// The class that grows least in cost when it takes a row of a tuple, and by how much, where that is below a limit.
    pub(super) fn host(
        &self,
        blocks: &[Block],
        tuple: u32,
        without: u32,
        limit: i64,
    ) -> Option<(u32, i64)> {
        let mut best: Option<(i64, u32)> = None;
        // A class grows at least by what the row costs there.
        let mut bound = limit;
        self.walk(tuple, &mut bound, &mut |block, cost, bound| {
            if block == without {
                return;
            }
            let host = &blocks[block as usize];
            let growth = cost * (host.count() + 1) - host.total();
            if growth < limit && best.is_none_or(|best| (growth, block) < best) {
                best = Some((growth, block));
                *bound = limit.min(growth.saturating_add(1));
            }
        });
        best.map(|(growth, block)| (block, growth))
    }
}
