//! The searches of the experiments, each made once and held against the nodes.

use std::collections::BTreeMap;

use scrim::adversary::{Grouping, similarity};
use scrim::frequency::Ground;
use scrim::recoding::Node;
use scrim::{Error, Share};

use super::ask::Ask;
use super::bench::internal;
use super::data::{Data, SENSITIVE};
use super::nodes::Nodes;
use super::seconds::Took;

/// What Incognito found.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) minimal: Vec<Node>,
    pub(super) took: Took,
    /// Whether looking at every node gives the same.
    pub(super) right: bool,
}

/// The searches.
#[derive(Debug)]
pub(super) struct Runs<'a> {
    pub(super) data: &'a Data,
    nodes: Nodes,
    ground: Ground,
    done: BTreeMap<(usize, usize, Ask), Run>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(data: &'a Data) -> Result<Self, Error> {
        Ok(Self {
            data,
            nodes: Nodes::new(data)?,
            ground: Ground::count(&data.table, &data.ladders, &[])?,
            done: BTreeMap::new(),
        })
    }

    /// The search over the first quasi-identifiers, with a sensitive column by number.
    pub(super) fn run(&mut self, column: usize, size: usize, ask: Ask) -> Result<Run, Error> {
        if let Some(run) = self.done.get(&(column, size, ask)) {
            return Ok(run.clone());
        }
        let subject = self.data.subject(SENSITIVE[column], size);
        let (minimal, took) = subject.minimal(&ask)?;
        let right = minimal == self.nodes.minimal(column, size, &ask);
        let run = Run {
            minimal,
            took,
            right,
        };
        self.done.insert((column, size, ask), run.clone());
        Ok(run)
    }

    /// The rows that the similarity attack reaches at a node of all quasi-identifiers.
    pub(super) fn exposed(&self, column: usize, node: &Node) -> Result<u64, Error> {
        let (set, targets) = self.ground.set().roll_up_with_map(&self.data.ladders, node);
        let mut classes = vec![Vec::new(); set.len()];
        for (row, tuple) in (0..).zip(self.ground.tuple_of_row()) {
            classes[targets[*tuple as usize] as usize].push(row);
        }
        let sensitive = self.data.table.column(SENSITIVE[column]);
        let sensitive = sensitive.ok_or_else(|| internal("no sensitive column"))?;
        let grouping = Grouping::categories(&self.data.listed, sensitive);
        let found = similarity(sensitive, &grouping, &classes, &[]).records;
        if found == self.nodes.exposed(column, node) {
            Ok(found)
        } else {
            Err(internal("the attack finds other rows than there are"))
        }
    }

    /// The sum of levels of a node, and its distortion ratio.
    pub(super) fn ratio(&self, node: &Node) -> Option<(u32, Share)> {
        let heights = self.data.ladders.iter().zip(node.levels());
        let most: i128 = heights.map(|(ladder, _)| i128::from(ladder.height())).sum();
        Some((node.height(), Share::new(node.height().into(), most)?))
    }

    /// The Prec of a node without weights: 1 less the mean of level by height.
    pub(super) fn prec(&self, node: &Node) -> Option<Share> {
        let cells = self.data.ladders.iter().zip(node.levels());
        let kept = cells.map(|(ladder, level)| {
            let height = i128::from(ladder.height());
            Share::new(height - i128::from(*level), height)
        });
        let sum = kept.reduce(|sum, kept| sum?.checked_add(kept?)).flatten()?;
        sum.checked_mul(Share::new(1, node.levels().len() as i128)?)
    }
}
