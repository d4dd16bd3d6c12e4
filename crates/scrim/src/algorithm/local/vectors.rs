//! A walk over all vectors of rungs, each with the tuples that it covers.
//!
//! **Definition.** A vector has a group of some rung of every axis; it covers the tuples that lie in all of them, and costs the
//! sum of its floors. **Reading.** Axis by axis, in the frame's order, the cheapest rung first. A taxon that has all its tuples
//! below one child is left out: no class shows it. A vector that covers fewer rows than a class needs is left out.
//! **Holds because** going on only takes tuples away and adds cost, so that what is hopeless stays hopeless.
//! **Cost.** A pass over the tuples a rung, for every prefix that is not hopeless.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::frame::Frame;
use super::rungs::{NONE, Rung};
use crate::algorithm::Stop;

/// What a walk is for.
pub(super) trait Visit {
    /// Vectors that cover some of these tuples and cost as much or more do not matter.
    fn limit(&mut self, tuples: &[u32]) -> i64;
    /// A vector; the key tells it from others.
    fn visit(&mut self, tuples: &[u32], floor: i64, key: u64);
}

/// Where walks part, to be made side by side.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    depth: usize,
    tuples: Vec<u32>,
    floor: i64,
    key: u64,
}

/// A walk, with room for its lists.
#[derive(Debug)]
pub(super) struct Walk<'f> {
    frame: &'f Frame<'f>,
    /// How deep to go.
    until: usize,
    lists: Vec<Vec<u32>>,
    parts: Vec<Vec<Part>>,
    counts: Vec<u32>,
    /// Whether to walk on, asked now and then. A walk that stops has not visited all vectors.
    stop: &'f Stop,
    asked: u32,
    stopped: bool,
}

/// Prefixes between two looks at the clock.
const PREFIXES: u32 = 32;

/// A vector of the first axes.
#[derive(Clone, Copy, Debug)]
struct Prefix<'t> {
    tuples: &'t [u32],
    floor: i64,
    limit: i64,
    key: u64,
}

/// A group of a rung, and where its tuples are.
#[derive(Clone, Copy, Debug)]
struct Part {
    group: u32,
    start: u32,
    end: u32,
}

/// Collects branches.
struct Branches<'v, V> {
    visit: &'v mut V,
    depth: usize,
    found: Vec<Branch>,
}

impl<V: Visit> Visit for Branches<'_, V> {
    fn limit(&mut self, tuples: &[u32]) -> i64 {
        self.visit.limit(tuples)
    }

    fn visit(&mut self, tuples: &[u32], floor: i64, key: u64) {
        self.found.push(Branch {
            depth: self.depth,
            tuples: tuples.to_vec(),
            floor,
            key,
        });
    }
}

impl<'f> Walk<'f> {
    pub(super) fn new(frame: &'f Frame<'f>, stop: &'f Stop) -> Self {
        let axes = frame.axes.len();
        Self {
            frame,
            until: axes,
            lists: vec![Vec::new(); axes],
            parts: vec![Vec::new(); axes],
            counts: Vec::new(),
            stop,
            asked: 0,
            stopped: false,
        }
    }

    /// Whether the walk must end here.
    fn must_stop(&mut self) -> bool {
        self.asked += 1;
        if !self.stopped && self.asked >= PREFIXES {
            self.asked = 0;
            self.stopped = self.stop.is_set();
        }
        self.stopped
    }

    /// The first part of a walk: branches that can be walked one by one.
    pub(super) fn branches<V: Visit>(&mut self, visit: &mut V) -> Vec<Branch> {
        const DEPTH: usize = 3;
        let depth = DEPTH.min(self.frame.axes.len());
        let all: Vec<u32> = (0..self.frame.tuples() as u32).collect();
        let mut branches = Branches {
            visit,
            depth,
            found: Vec::new(),
        };
        self.until = depth;
        let limit = branches.limit(&all);
        let whole = Prefix {
            tuples: &all,
            floor: 0,
            limit,
            key: 0,
        };
        self.walk(0, whole, &mut branches);
        self.until = self.frame.axes.len();
        branches.found
    }

    /// Walks a branch.
    pub(super) fn branch<V: Visit>(&mut self, branch: &Branch, visit: &mut V) {
        let limit = visit.limit(&branch.tuples);
        if branch.floor < limit {
            let prefix = Prefix {
                tuples: &branch.tuples,
                floor: branch.floor,
                limit,
                key: branch.key,
            };
            self.walk(branch.depth, prefix, visit);
        }
    }

    fn walk<V: Visit>(&mut self, depth: usize, prefix: Prefix<'_>, visit: &mut V) {
        if depth == self.until {
            visit.visit(prefix.tuples, prefix.floor, prefix.key);
            return;
        }
        let frame = self.frame;
        let at = frame.order[depth];
        let mut list = std::mem::take(&mut self.lists[depth]);
        let mut parts = std::mem::take(&mut self.parts[depth]);
        for (number, rung) in frame.rungs[at].iter().enumerate() {
            if self.stopped || prefix.floor + rung.least >= prefix.limit {
                continue;
            }
            self.sort(at, rung, prefix.tuples, &mut list, &mut parts);
            for part in &parts {
                if self.must_stop() {
                    break;
                }
                let tuples = &list[part.start as usize..part.end as usize];
                let floor = prefix.floor + rung.floor[part.group as usize];
                if floor >= prefix.limit
                    || frame.weigh(tuples) < frame.least as u64
                    || rung.nested && self.is_one_child(at, number, tuples)
                {
                    continue;
                }
                let limit = visit.limit(tuples);
                if floor < limit {
                    let key = mix(prefix.key, number, part.group);
                    let longer = Prefix {
                        tuples,
                        floor,
                        limit,
                        key,
                    };
                    self.walk(depth + 1, longer, visit);
                }
            }
        }
        self.lists[depth] = list;
        self.parts[depth] = parts;
    }

    /// Whether all tuples lie in one group of the rung before.
    fn is_one_child(&self, at: usize, number: usize, tuples: &[u32]) -> bool {
        let below = &self.frame.rungs[at][number - 1].group;
        let axis = &self.frame.axes[at];
        let group = |tuple: &u32| below[axis.leaf(*tuple) as usize];
        let first = tuples.first().map_or(NONE, group);
        first != NONE && tuples.iter().all(|tuple| group(tuple) == first)
    }

    /// Puts the tuples of each group of a rung together.
    fn sort(
        &mut self,
        at: usize,
        rung: &Rung,
        tuples: &[u32],
        list: &mut Vec<u32>,
        parts: &mut Vec<Part>,
    ) {
        let axis = &self.frame.axes[at];
        let group = |tuple: u32| rung.group[axis.leaf(tuple) as usize];
        list.clear();
        parts.clear();
        if tuples.len() < rung.floor.len() / 4 {
            list.extend(tuples.iter().filter(|tuple| group(**tuple) != NONE));
            // Stable, so that tuples of a group stay in their order.
            list.sort_by_key(|tuple| group(*tuple));
            for (place, tuple) in (0..).zip(list.iter()) {
                let group = group(*tuple);
                match parts.last_mut().filter(|part| part.group == group) {
                    Some(part) => part.end = place + 1,
                    None => parts.push(Part {
                        group,
                        start: place,
                        end: place + 1,
                    }),
                }
            }
            return;
        }
        self.counts.clear();
        self.counts.resize(rung.floor.len() + 1, 0);
        let kept = tuples.iter().map(|tuple| group(*tuple));
        kept.filter(|group| *group != NONE)
            .for_each(|group| self.counts[group as usize + 1] += 1);
        for number in 0..rung.floor.len() {
            let start = self.counts[number];
            let end = start + self.counts[number + 1];
            self.counts[number + 1] = end;
            if end > start {
                parts.push(Part {
                    group: number as u32,
                    start,
                    end,
                });
            }
        }
        list.resize(self.counts[rung.floor.len()] as usize, 0);
        for tuple in tuples {
            let group = group(*tuple);
            if group != NONE {
                let place = &mut self.counts[group as usize];
                list[*place as usize] = *tuple;
                *place += 1;
            }
        }
    }
}

fn mix(key: u64, rung: usize, group: u32) -> u64 {
    let mut hasher = FxHasher::default();
    (key, rung, group).hash(&mut hasher);
    hasher.finish()
}
