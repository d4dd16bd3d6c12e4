//! Taking neighbouring classes apart and putting them together anew.
//!
//! **Reading.** A round takes rows at random, dear ones more often, and with each the classes nearest to it; sets of classes that have
//! none in common are made anew side by side. A new class starts with the row furthest from the last one, now and then with any, and grows by the row
//! that raises it least, until it is valid; rows that are left join the class that grows least by them; then rows move while that
//! helps. The best of a few tries is taken if it costs less.
//! **Holds because** classes are judged as they are made. The choice is by a seed, and each set has its own, so that the outcome is
//! the same for any number of threads.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::frame::Frame;
use super::nearest::Nearest;
use super::partition::{Block, Partition};
use crate::algorithm::Stop;
use crate::random::Random;

/// So many classes beside the first are taken apart at most.
const NEAR: u64 = 8;
/// Larger classes are left alone.
const LARGE: usize = 64;
/// How often a set is made anew.
const TRIES: usize = 3;

/// One round, or a part of one where it must stop; says how many sets were tried, and by how much the cost fell.
pub(super) fn rebuild(
    frame: &Frame<'_>,
    partition: &mut Partition,
    random: &mut Random,
    stop: &Stop,
) -> (usize, i64) {
    let seeds = seeds(frame, partition, random);
    let nearest = Nearest::new(frame, partition);
    let sets: Vec<Vec<u32>> = seeds
        .par_iter()
        .filter(|_| !stop.is_set())
        .map(|(row, most)| {
            let own = partition.block_of_row[*row as usize];
            let small = |block: &u32| partition.blocks[*block as usize].rows.len() < LARGE;
            let near = nearest.near(frame.tuple(*row), *most, own);
            std::iter::once(own)
                .chain(near.into_iter().filter(small))
                .collect()
        })
        .collect();
    let mut used = vec![false; partition.blocks.len()];
    let mut chosen: Vec<(Vec<u32>, u64)> = Vec::new();
    for set in sets {
        if !set.iter().any(|block| used[*block as usize]) {
            set.iter().for_each(|block| used[*block as usize] = true);
            chosen.push((set, random.bits()));
        }
    }
    let rebuilt: Vec<Option<(Vec<Block>, i64)>> = chosen
        .par_iter()
        .map(|(set, seed)| {
            let mut random = Random::new(*seed);
            (!stop.is_set()).then(|| anew(frame, partition, set, &mut random))?
        })
        .collect();
    let mut fell = 0;
    for ((set, _), blocks) in chosen.iter().zip(rebuilt) {
        let Some((blocks, gain)) = blocks else {
            continue;
        };
        fell += gain;
        let places = set.iter().map(|block| *block as usize);
        let last = partition.blocks.len();
        let more = last..last + blocks.len().saturating_sub(set.len());
        let mut blocks = blocks.into_iter();
        for place in places.chain(more) {
            partition.set(place, blocks.next().unwrap_or_default());
        }
    }
    (chosen.len(), fell)
}

/// Rows to start from, and how many classes to take beside their own.
fn seeds(frame: &Frame<'_>, partition: &Partition, random: &mut Random) -> Vec<(u32, usize)> {
    let rows = frame.count() as u64;
    let mean = (partition.cost() / rows.max(1).cast_signed()).max(1);
    let wanted = partition.blocks.len() / 6 + 1;
    let mut seeds = Vec::with_capacity(wanted);
    let mut known: FxHashSet<u32> = FxHashSet::default();
    for _ in 0..wanted * 8 {
        let row = random.below(rows) as u32;
        let block = partition.block_of_row[row as usize];
        let own = &partition.blocks[block as usize];
        let most = 1 + random.below(NEAR) as usize;
        let luck = random.below(3 * mean.cast_unsigned()).cast_signed();
        if own.cost > luck && own.rows.len() < LARGE && known.insert(block) {
            seeds.push((row, most));
            if seeds.len() == wanted {
                break;
            }
        }
    }
    seeds
}

/// The classes of a set made anew, and what that gains; nothing where it does not.
fn anew(
    frame: &Frame<'_>,
    partition: &Partition,
    set: &[u32],
    random: &mut Random,
) -> Option<(Vec<Block>, i64)> {
    let blocks = || set.iter().map(|block| &partition.blocks[*block as usize]);
    let before: i64 = blocks().map(Block::total).sum();
    let rows: Vec<u32> = blocks().flat_map(|block| &block.rows).copied().collect();
    let mut best: Option<(Vec<Block>, i64)> = None;
    for _ in 0..TRIES {
        let Some(mut blocks) = grow(frame, rows.clone(), random) else {
            continue;
        };
        move_rows(frame, &mut blocks);
        let gain = before - blocks.iter().map(Block::total).sum::<i64>();
        if gain > best.as_ref().map_or(0, |(_, gain)| *gain) {
            best = Some((blocks, gain));
        }
    }
    best
}

/// Classes grown one by one; nothing where not even one is valid.
fn grow(frame: &Frame<'_>, mut pool: Vec<u32>, random: &mut Random) -> Option<Vec<Block>> {
    let mut blocks: Vec<Block> = Vec::new();
    if pool.len() < frame.least {
        return None;
    }
    let mut seed = random.index(pool.len());
    // As many classes as there can be, or one less.
    let most = pool.len() / frame.least;
    let most = (most - usize::from(random.below(3) == 0)).max(1);
    while pool.len() >= frame.least && blocks.len() < most {
        let first = pool.swap_remove(seed);
        let start = frame.cells(frame.tuple(first));
        let mut block = Block::new(frame, vec![first]);
        while !frame.holds(&block.rows) {
            let Some(next) = cheapest(frame, &block, &pool) else {
                break;
            };
            block.push(frame, pool.swap_remove(next));
        }
        if !frame.holds(&block.rows) {
            pool.extend(block.rows);
            break;
        }
        blocks.push(block);
        let far = |row: &u32| frame.join_cost(&start, frame.tuple(*row), i64::MAX);
        let furthest = pool.iter().enumerate().max_by_key(|(_, row)| far(row));
        seed = match furthest {
            Some((at, _)) if random.below(3) > 0 => at,
            _ => random.index(pool.len()),
        };
    }
    if blocks.is_empty() {
        return None;
    }
    for row in pool {
        let host = host(frame, &blocks, frame.tuple(row), i64::MAX, usize::MAX);
        blocks[host.map_or(0, |(host, _)| host)].push(frame, row);
    }
    Some(blocks)
}

/// The row that raises a class least; where size is not what it lacks, one that looks different to the models.
fn cheapest(frame: &Frame<'_>, block: &Block, pool: &[u32]) -> Option<usize> {
    let lacks_values = frame.looks_at_values() && block.rows.len() + 1 >= frame.least;
    let known: Vec<Vec<Option<u32>>> = if lacks_values {
        block.rows.iter().map(|row| frame.signature(*row)).collect()
    } else {
        Vec::new()
    };
    let best = |any: bool| {
        let mut best = None;
        let mut least = i64::MAX;
        for (at, row) in pool.iter().enumerate() {
            if !any && known.contains(&frame.signature(*row)) {
                continue;
            }
            let cost = frame.join_cost(&block.cells, frame.tuple(*row), least);
            if cost < least {
                least = cost;
                best = Some(at);
            }
        }
        best
    };
    lacks_values
        .then(|| best(false))
        .flatten()
        .or_else(|| best(true))
}

/// The class that grows least by a row, below a limit.
fn host(
    frame: &Frame<'_>,
    blocks: &[Block],
    tuple: u32,
    mut limit: i64,
    without: usize,
) -> Option<(usize, i64)> {
    let mut best = None;
    for (at, block) in blocks.iter().enumerate().filter(|(at, _)| *at != without) {
        let growth = block.growth(frame, tuple, limit);
        if growth < limit {
            limit = growth;
            best = Some((at, growth));
        }
    }
    best
}

/// Moves rows between a few classes while that helps.
fn move_rows(frame: &Frame<'_>, blocks: &mut [Block]) {
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for own in 0..blocks.len() {
            let mut at = 0;
            while at < blocks[own].rows.len() && blocks[own].rows.len() > frame.least {
                let row = blocks[own].rows[at];
                let rest = blocks[own].without(frame, at);
                let gain = blocks[own].total() - rest.total();
                let host = host(frame, blocks, frame.tuple(row), gain, own);
                match host.filter(|_| frame.holds(&rest.rows)) {
                    Some((host, _)) => {
                        blocks[own] = rest;
                        blocks[host].push(frame, row);
                        moved = true;
                    }
                    None => at += 1,
                }
            }
        }
    }
}
