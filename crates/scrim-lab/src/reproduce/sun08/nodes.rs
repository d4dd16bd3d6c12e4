//! Every node of the lattice looked at: no pruning, so an answer to hold Incognito against.
//!
//! A node keeps (k, p, alpha) by four numbers: the least size, values, categories and weight of its classes.

use std::collections::BTreeMap;

use rayon::prelude::*;
use scrim::Error;
use scrim::frequency::{Class, FrequencySet, Ground, Tracked};
use scrim::model::Categories;
use scrim::recoding::{Lattice, Node};

use super::ask::{Ask, Kind};
use super::bench::internal;
use super::data::{Data, SENSITIVE};

/// The least of a node's classes, for one sensitive column.
#[derive(Clone, Copy, Debug)]
struct Least {
    rows: u64,
    values: u64,
    categories: u64,
    /// In units of 1 / (m - 1).
    weight: u64,
    /// All rows in classes of one category.
    exposed: u64,
}

/// All nodes.
#[derive(Debug)]
pub(super) struct Nodes {
    lattice: Lattice,
    /// What a whole weighs in units.
    steps: i128,
    least: Vec<[Least; 2]>,
}

impl Nodes {
    pub(super) fn new(data: &Data) -> Result<Self, Error> {
        let tracked = SENSITIVE.map(|name| Tracked::Sensitive(name.to_owned()));
        let ground = Ground::count(&data.table, &data.ladders, &tracked)?;
        let categories = |name: &str| {
            let column = data
                .table
                .column(name)
                .ok_or_else(|| internal("no sensitive column"))?;
            Categories::new(&data.listed, column.dictionary()).map_err(|what| internal(&what))
        };
        let categories = [categories(SENSITIVE[0])?, categories(SENSITIVE[1])?];
        let lattice = Lattice::new(&data.ladders);
        // By way of a node that has the first levels already, which has fewer tuples than the ground.
        let mut ways: BTreeMap<Vec<u8>, Vec<Node>> = BTreeMap::new();
        for node in (0..lattice.size() as usize).map(|index| lattice.node(index)) {
            let levels = node.levels().iter().enumerate();
            let start = levels.map(|(at, level)| if at < 3 { *level } else { 0 });
            ways.entry(start.collect()).or_default().push(node);
        }
        let from_start = |(start, above): (Vec<u8>, Vec<Node>)| {
            let set = ground.set().roll_up(&data.ladders, &Node::new(start));
            let look = |node: Node| {
                let set = set.roll_up(&data.ladders, &node);
                let of = |column: usize| least(&set, column, &categories[column]);
                (lattice.index(&node), [of(0), of(1)])
            };
            above.into_iter().map(look).collect::<Vec<_>>()
        };
        let mut found: Vec<(usize, [Least; 2])> =
            ways.into_par_iter().flat_map_iter(from_start).collect();
        found.sort_unstable_by_key(|(index, _)| *index);
        Ok(Self {
            lattice,
            steps: data.listed.len() as i128 - 1,
            least: found.into_iter().map(|(_, least)| least).collect(),
        })
    }

    fn keeps(&self, node: &Node, column: usize, ask: &Ask) -> bool {
        let least = self.least[self.lattice.index(node)][column];
        let weighs = || {
            let (above, below) = (ask.alpha.numerator(), ask.alpha.denominator());
            i128::from(least.weight) * below >= above * self.steps
        };
        least.rows >= ask.k
            && match ask.kind {
                Kind::K => true,
                Kind::P => least.values >= ask.p,
                Kind::PAlpha => least.values >= ask.p && weighs(),
                Kind::PPlus => least.categories >= ask.p && weighs(),
            }
    }

    /// The minimal tables of the first quasi-identifiers, by levels: the others stand at their tops.
    pub(super) fn minimal(&self, column: usize, size: usize, ask: &Ask) -> Vec<Node> {
        let top = self.lattice.top();
        let within = |node: &Node| node.levels()[size..] == top.levels()[size..];
        let all = (0..self.least.len()).map(|index| self.lattice.node(index));
        let kept = all.filter(|node| within(node) && self.keeps(node, column, ask));
        let mut minimal: Vec<Node> = kept
            .filter(|node| {
                let mut below = self.lattice.predecessors(node).filter(within);
                !below.any(|lower| self.keeps(&lower, column, ask))
            })
            .map(|node| Node::new(&node.levels()[..size]))
            .collect();
        minimal.sort_by(|left, right| left.levels().cmp(right.levels()));
        minimal
    }

    /// The rows of a node that lie in classes of one category.
    pub(super) fn exposed(&self, column: usize, node: &Node) -> u64 {
        self.least[self.lattice.index(node)][column].exposed
    }
}

fn least(set: &FrequencySet, tracked: usize, categories: &Categories) -> Least {
    let mut least = Least {
        rows: u64::MAX,
        values: u64::MAX,
        categories: u64::MAX,
        weight: u64::MAX,
        exposed: 0,
    };
    let look = |class: Class<'_>| {
        let values = class.histogram(tracked);
        let (mut seen, mut weight) = (0u32, 0);
        for (code, count) in values.iter() {
            seen |= 1 << categories.of(code);
            weight += u64::from(categories.of(code)) * u64::from(count);
        }
        let kinds = u64::from(seen.count_ones());
        least.rows = least.rows.min(class.rows());
        least.values = least.values.min(values.distinct() as u64);
        least.categories = least.categories.min(kinds);
        least.weight = least.weight.min(weight);
        if kinds == 1 {
            least.exposed += class.rows();
        }
    };
    set.classes().for_each(look);
    least
}
