//! The quasi-identifiers as the search sees them: small trees of what occurs, with a whole-number cost at each taxon.

use rustc_hash::FxHashMap;

use crate::algorithm::Task;
use crate::algorithm::units::Units;
use crate::hierarchy::{Hierarchy, Ladder, TaxonId};
use crate::metric::MetricId;
use crate::share::Share;

/// The taxa of one quasi-identifier that lie above a value of the table. Number 0 is the top.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    taxa: Vec<TaxonId>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    costs: Vec<i64>,
    /// The taxon of each tuple of the ground domain.
    leaves: Vec<u32>,
}

impl Axis {
    fn new(task: &Task<'_>, attribute: usize, unit: impl Fn(&Hierarchy, TaxonId) -> i64) -> Self {
        let ladder = &task.ladders[attribute];
        let tree = ladder.hierarchy();
        let mut axis = Self {
            taxa: Vec::new(),
            parents: Vec::new(),
            depths: Vec::new(),
            costs: Vec::new(),
            leaves: Vec::new(),
        };
        let mut known: FxHashMap<TaxonId, u32> = FxHashMap::default();
        for tuple in 0..task.ground.set().len() {
            let leaf = ladder.taxa(0)[task.ground.set().code(tuple, attribute) as usize];
            let mut path = vec![leaf];
            let mut at = leaf;
            while let Some(parent) = tree.parent(at) {
                path.push(parent);
                at = parent;
            }
            let mut above = 0;
            for (depth, taxon) in (0..).zip(path.into_iter().rev()) {
                above = *known.entry(taxon).or_insert_with(|| {
                    axis.taxa.push(taxon);
                    axis.parents.push(above);
                    axis.depths.push(depth);
                    axis.costs.push(unit(tree, taxon));
                    axis.taxa.len() as u32 - 1
                });
            }
            axis.leaves.push(above);
        }
        axis
    }

    /// The taxon of the hierarchy.
    pub(super) fn taxon(&self, number: u32) -> TaxonId {
        self.taxa[number as usize]
    }

    /// The taxon of a tuple.
    pub(super) fn leaf(&self, tuple: u32) -> u32 {
        self.leaves[tuple as usize]
    }

    /// The taxon above; the top's is the top.
    pub(super) fn parent(&self, number: u32) -> u32 {
        self.parents[number as usize]
    }

    /// What a cell at a taxon costs.
    pub(super) fn cost(&self, number: u32) -> i64 {
        self.costs[number as usize]
    }

    /// The least common ancestor.
    pub(super) fn join(&self, mut left: u32, mut right: u32) -> u32 {
        while left != right {
            if self.depths[left as usize] >= self.depths[right as usize] {
                left = self.parent(left);
            } else {
                right = self.parent(right);
            }
        }
        left
    }
}

/// All quasi-identifiers, and what one unit of cost is in the metric.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    pub(super) axes: Vec<Axis>,
    units: Units,
}

impl Axes {
    /// The axes under a metric that adds up over cells; nothing where its costs are too fine for whole numbers.
    pub(super) fn new(task: &Task<'_>, metric: MetricId, weights: &[Share]) -> Option<Self> {
        let most = |ladder: &Ladder| match metric {
            MetricId::LossMean => ladder.hierarchy().domain_size().saturating_sub(1).max(1),
            _ => u64::from(ladder.height()).max(1),
        };
        let most: Vec<u64> = task.ladders.iter().map(most).collect();
        // Room for prices finer than the costs.
        let units = Units::new(metric, weights, &most, task.ground.rows(), 20)?;
        let axis = |attribute: usize| {
            let per = units.per(attribute);
            let levels = |tree: &Hierarchy, taxon: TaxonId| i64::from(tree.level(taxon));
            let leaves =
                |tree: &Hierarchy, taxon: TaxonId| tree.leaves_below(taxon).cast_signed() - 1;
            Axis::new(task, attribute, |tree, taxon| match metric {
                MetricId::LossMean => per * leaves(tree, taxon),
                _ => per * levels(tree, taxon),
            })
        };
        Some(Self {
            axes: (0..task.ladders.len()).map(axis).collect(),
            units,
        })
    }

    /// The least common ancestors of a vector and a tuple.
    pub(super) fn join(&self, vector: &mut [u32], tuple: u32) {
        for (axis, number) in self.axes.iter().zip(vector) {
            *number = axis.join(*number, axis.leaf(tuple));
        }
    }

    /// The taxa of a tuple.
    pub(super) fn leaves(&self, tuple: u32) -> Vec<u32> {
        self.axes.iter().map(|axis| axis.leaf(tuple)).collect()
    }

    /// What a row at a vector costs.
    pub(super) fn cost(&self, vector: &[u32]) -> i64 {
        let cells = self.axes.iter().zip(vector);
        cells.map(|(axis, number)| axis.cost(*number)).sum()
    }

    /// What a cost takes from the metric: nought where nothing is lost, 1 where all is.
    pub(super) fn lost(&self, cost: i64) -> f64 {
        self.units.lost(cost)
    }
}
