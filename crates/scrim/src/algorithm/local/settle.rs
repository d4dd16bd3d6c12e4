//! Closing classes and moving rows, until neither helps.
//!
//! **Reading.** A class is closed when its rows cost less in the classes that take them best. Otherwise one of its rows moves, the one
//! that gains most, where the rest is still valid. Offers are made for all classes against the same partition, then taken up one by
//! one, each judged again as things stand.
//! **Holds because** a valid class stays valid when rows join it, and what a move leaves is judged.

use rayon::prelude::*;

use super::frame::Frame;
use super::nearest::Nearest;
use super::partition::{Block, Partition};
use crate::algorithm::Stop;

/// Where the rows of a class would go.
struct Offer {
    block: u32,
    /// By row: the class that would take it, and how much that one would grow.
    hosts: Vec<Option<(u32, i64)>>,
}

/// One pass over all classes, or over some where it must stop; says by how much the cost fell.
pub(super) fn settle(
    frame: &Frame<'_>,
    floors: &[i64],
    partition: &mut Partition,
    stop: &Stop,
) -> i64 {
    let before = partition.cost();
    let nearest = Nearest::new(frame, partition);
    let offer = |block: u32| offer(frame, floors, partition, &nearest, block);
    let offers: Vec<Offer> = (0..partition.blocks.len() as u32)
        .into_par_iter()
        .filter(|_| !stop.is_set())
        .filter_map(offer)
        .collect();
    for offer in offers {
        if stop.is_set() {
            break;
        }
        if !close(frame, partition, &offer) {
            move_one(frame, partition, &offer);
        }
    }
    before - partition.cost()
}

fn offer(
    frame: &Frame<'_>,
    floors: &[i64],
    partition: &Partition,
    nearest: &Nearest<'_>,
    block: u32,
) -> Option<Offer> {
    let own = &partition.blocks[block as usize];
    if own.cost == 0 || own.rows.is_empty() {
        return None;
    }
    // What is left of the class's cost if the rows so far go, and all others cost as little as they can.
    let floor = |row: &u32| floors.get(frame.tuple(*row) as usize).copied().unwrap_or(0);
    let mut spare = own.total() - own.rows.iter().map(floor).sum::<i64>();
    let may_move = own.rows.len() > frame.least;
    let mut hosts = Vec::with_capacity(own.rows.len());
    for (at, row) in own.rows.iter().enumerate() {
        let gain = if may_move {
            own.total() - own.without(frame, at).total()
        } else {
            0
        };
        let limit = gain.max(spare + floor(row));
        let host = nearest.host(&partition.blocks, frame.tuple(*row), block, limit);
        spare = host.map_or(i64::MIN / 2, |(_, growth)| spare + floor(row) - growth);
        if spare <= 0 && !may_move {
            return None;
        }
        hosts.push(host);
    }
    hosts
        .iter()
        .any(Option::is_some)
        .then_some(Offer { block, hosts })
}

/// Closes a class if its rows cost less elsewhere.
fn close(frame: &Frame<'_>, partition: &mut Partition, offer: &Offer) -> bool {
    let own = &partition.blocks[offer.block as usize];
    if own.rows.len() != offer.hosts.len() {
        return false;
    }
    let Some(hosts) = offer
        .hosts
        .iter()
        .copied()
        .collect::<Option<Vec<(u32, i64)>>>()
    else {
        return false;
    };
    if hosts.iter().map(|(_, growth)| growth).sum::<i64>() >= own.total() {
        return false;
    }
    // As things stand now, and with rows that go to the same class.
    let mut grown: Vec<(u32, Block)> = Vec::new();
    for (row, (host, _)) in own.rows.iter().zip(&hosts) {
        let known = grown.iter().position(|(number, _)| number == host);
        let at = known.unwrap_or_else(|| {
            grown.push((*host, partition.blocks[*host as usize].clone()));
            grown.len() - 1
        });
        if grown[at].1.rows.is_empty() {
            return false;
        }
        grown[at].1.push(frame, *row);
    }
    let growth: i64 = grown
        .iter()
        .map(|(number, block)| block.total() - partition.blocks[*number as usize].total())
        .sum();
    if growth >= own.total() {
        return false;
    }
    partition.set(offer.block as usize, Block::default());
    for (number, block) in grown {
        partition.set(number as usize, block);
    }
    true
}

/// Moves the row of a class that gains most, if one does.
fn move_one(frame: &Frame<'_>, partition: &mut Partition, offer: &Offer) {
    let own = &partition.blocks[offer.block as usize];
    if own.rows.len() != offer.hosts.len() || own.rows.len() <= frame.least {
        return;
    }
    let mut best: Option<(i64, Block, u32, u32)> = None;
    for (at, host) in offer.hosts.iter().enumerate() {
        let Some((host, _)) = *host else {
            continue;
        };
        let taker = &partition.blocks[host as usize];
        if taker.rows.is_empty() {
            continue;
        }
        let row = own.rows[at];
        let rest = own.without(frame, at);
        let gain = own.total() - rest.total();
        let least = best.as_ref().map_or(0, |(gain, ..)| *gain);
        let growth = taker.growth(frame, frame.tuple(row), gain - least);
        if growth < gain - least && frame.holds(&rest.rows) {
            best = Some((gain - growth, rest, row, host));
        }
    }
    if let Some((_, rest, row, host)) = best {
        partition.set(offer.block as usize, rest);
        let mut taker = std::mem::take(&mut partition.blocks[host as usize]);
        taker.push(frame, row);
        partition.set(host as usize, taker);
    }
}
