//! A first partition: classes by what they cost beyond the prices of their rows.
//!
//! **Reading.** The vector whose class pays most a row comes first. A class takes the rows whose price is near its cost or above it
//! and, where these are too few, the dearest of the others. Rows that are left join the class that grows least by them.
//! **Holds because** every class is judged as it is made, and a valid class stays valid when rows join it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::columns::Columns;
use super::frame::Frame;
use super::nearest::Nearest;
use super::partition::{Block, Partition};
use crate::algorithm::Stop;

/// A score that sorts: lower is better.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score(f64);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

struct Greedy<'g> {
    frame: &'g Frame<'g>,
    columns: &'g Columns,
    prices: &'g [f64],
    /// Rows join a class when they are priced no further below its cost.
    slack: f64,
    /// How many rows of each tuple are in no class: its last ones.
    free: Vec<u32>,
    scratch: Vec<(f64, u32)>,
}

/// Classes or rows between two looks at the clock.
const TURNS: usize = 64;

/// The partition that prices lead to; nothing where no class is valid, or where there was no time for it.
pub(super) fn greedy(
    frame: &Frame<'_>,
    columns: &Columns,
    prices: &[f64],
    slack: f64,
    stop: &Stop,
) -> Option<Partition> {
    let mut greedy = Greedy {
        frame,
        columns,
        prices,
        slack,
        free: (0..frame.tuples() as u32)
            .map(|tuple| frame.weight(tuple))
            .collect(),
        scratch: Vec::new(),
    };
    let blocks = greedy.run(stop)?;
    let left: Vec<u32> = (0..frame.tuples() as u32)
        .flat_map(|tuple| &frame.rows(tuple)[..greedy.free[tuple as usize] as usize])
        .copied()
        .collect();
    settle_left(frame, blocks, left, prices, stop)
}

impl Greedy<'_> {
    fn run(&mut self, stop: &Stop) -> Option<Vec<Block>> {
        let mut heap: BinaryHeap<(Reverse<Score>, Reverse<u32>)> = BinaryHeap::new();
        for column in 0..self.columns.len() {
            if column % TURNS == 0 && stop.is_set() {
                return None;
            }
            if let Some((score, _)) = self.pick(column) {
                heap.push((Reverse(Score(score)), Reverse(column as u32)));
            }
        }
        let mut blocks = Vec::new();
        let mut turns = 0;
        while let Some((Reverse(Score(known)), Reverse(column))) = heap.pop() {
            turns += 1;
            if turns % TURNS == 0 && stop.is_set() {
                return None;
            }
            let Some((score, taken)) = self.pick(column as usize) else {
                continue;
            };
            if score > known {
                heap.push((Reverse(Score(score)), Reverse(column)));
                continue;
            }
            let rows = self.rows(&taken);
            if !self.frame.holds(&rows) {
                continue;
            }
            for (tuple, copies) in taken {
                self.free[tuple as usize] -= copies;
            }
            blocks.push(Block::new(self.frame, rows));
            // What is left there may be another class.
            heap.push((Reverse(Score(known)), Reverse(column)));
        }
        Some(blocks)
    }

    /// The rows that a choice takes.
    fn rows(&self, taken: &[(u32, u32)]) -> Vec<u32> {
        let of = |(tuple, copies): &(u32, u32)| {
            let free = self.free[*tuple as usize] as usize;
            &self.frame.rows(*tuple)[free - *copies as usize..free]
        };
        taken.iter().flat_map(of).copied().collect()
    }

    /// The class that a vector would have now, by tuple and copies, and what it costs a row beyond the prices.
    fn pick(&mut self, column: usize) -> Option<(f64, Vec<(u32, u32)>)> {
        let cost = self.columns.floor(column) as f64;
        let least = self.frame.least as u64;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let mut all = 0u64;
        for tuple in self.columns.tuples(column) {
            let free = self.free[*tuple as usize];
            if free > 0 {
                all += u64::from(free);
                scratch.push((self.prices[*tuple as usize] - cost, *tuple));
            }
        }
        if all < least {
            self.scratch = scratch;
            return None;
        }
        let mut taken: Vec<(u32, u32)> = Vec::new();
        let mut count = 0u64;
        let mut sum = 0.0;
        scratch.retain(|(over, tuple)| {
            let near = *over >= -self.slack;
            if near {
                let free = self.free[*tuple as usize];
                taken.push((*tuple, free));
                count += u64::from(free);
                sum += over * f64::from(free);
            }
            !near
        });
        let looks = self.frame.looks_at_values();
        if count < least || looks {
            scratch.sort_unstable_by(|left, right| {
                right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
            });
        }
        for (over, tuple) in &scratch {
            if count >= least && (!looks || self.frame.holds(&self.rows(&taken))) {
                break;
            }
            let free = self.free[*tuple as usize];
            let copies = if looks {
                free
            } else {
                u64::from(free).min(least - count) as u32
            };
            taken.push((*tuple, copies));
            count += u64::from(copies);
            sum += over * f64::from(copies);
        }
        self.scratch = scratch;
        Some((-sum / count as f64, taken))
    }
}

/// Lets rows that are in no class join one, the dearest first.
fn settle_left(
    frame: &Frame<'_>,
    blocks: Vec<Block>,
    mut left: Vec<u32>,
    prices: &[f64],
    stop: &Stop,
) -> Option<Partition> {
    if blocks.is_empty() {
        let all = Block::new(frame, left);
        return frame
            .holds(&all.rows)
            .then(|| Partition::new(vec![all], frame.count()));
    }
    let mut partition = Partition::new(blocks, frame.count());
    left.sort_by(|a, b| {
        let price = |row: &u32| prices[frame.tuple(*row) as usize];
        price(b).total_cmp(&price(a)).then(a.cmp(b))
    });
    let nearest = Nearest::new(frame, &partition);
    for (turn, row) in left.into_iter().enumerate() {
        if turn % TURNS == 0 && stop.is_set() {
            return None;
        }
        let host = nearest.host(&partition.blocks, frame.tuple(row), u32::MAX, i64::MAX);
        let host = host.map_or(0, |(host, _)| host);
        partition.blocks[host as usize].push(frame, row);
        partition.block_of_row[row as usize] = host;
    }
    Some(partition)
}
