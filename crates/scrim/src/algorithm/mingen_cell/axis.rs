//! The quasi-identifiers as the search sees them: small trees of what occurs, with a whole-number cost at each taxon.

use crate::algorithm::Task;
use crate::algorithm::taxa::Taxa;
use crate::algorithm::units::Units;
use crate::hierarchy::{Hierarchy, Ladder, TaxonId};
use crate::metric::MetricId;
use crate::share::Share;

/// A quasi-identifier: its taxa, and the one of each tuple of the ground domain.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    taxa: Taxa,
    leaves: Vec<u32>,
}

impl Axis {
    /// The taxon of the hierarchy.
    pub(super) fn taxon(&self, number: u32) -> TaxonId {
        self.taxa.taxon(number)
    }

    /// The taxon of a tuple.
    pub(super) fn leaf(&self, tuple: u32) -> u32 {
        self.leaves[tuple as usize]
    }

    /// The taxon above; the top's is the top.
    pub(super) fn parent(&self, number: u32) -> u32 {
        self.taxa.parent(number)
    }

    /// What a cell at a taxon costs.
    pub(super) fn cost(&self, number: u32) -> i64 {
        self.taxa.cost(number)
    }

    /// Whether every taxon costs more than those below it.
    pub(super) fn raising_costs(&self) -> bool {
        (1..self.taxa.len() as u32).all(|number| self.cost(self.parent(number)) > self.cost(number))
    }

    /// The least common ancestor.
    pub(super) fn join(&self, left: u32, right: u32) -> u32 {
        self.taxa.join(left, right)
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
            let beside =
                |tree: &Hierarchy, taxon: TaxonId| tree.leaves_below(taxon).cast_signed() - 1;
            let set = task.ground.set();
            let codes: Vec<u32> = (0..set.len())
                .map(|tuple| set.code(tuple, attribute))
                .collect();
            let (taxa, leaves) =
                Taxa::above(
                    &task.ladders[attribute],
                    &codes,
                    |tree, taxon| match metric {
                        MetricId::LossMean => per * beside(tree, taxon),
                        _ => per * levels(tree, taxon),
                    },
                );
            Axis { taxa, leaves }
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
