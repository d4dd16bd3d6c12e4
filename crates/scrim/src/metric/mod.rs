//! Utility measures: what a release costs. One file a measure.
//!
//! A search minimizes a [`Cost`], a whole number in units of the metric's own, so that ties are exact and the same on
//! every machine. Reports print the measure itself.

mod additive;
mod average_class_size;
mod discernibility;
mod distortion_ratio;
mod entropy;
mod information_loss;
mod local;
mod loss;
mod prec;
mod report;
mod standing;
mod tally;
pub mod workload;

pub use additive::{Additive, Combine, Reading, Units};
pub use average_class_size::AverageClassSize;
pub use discernibility::Discernibility;
pub(crate) use entropy::fixed_log2 as log_units;
pub use local::{counts_own_levels, measure_local};
pub(crate) use report::{CellSums, Yardstick, measure_cuts, rows_below};
pub use report::{ColumnLoss, Metrics, measure};
pub(crate) use standing::{fits_one_level, lowest, named, reads_as_meant, standing};
pub use tally::{Marginals, Sizes, Tally};

use crate::recoding::Node;
use crate::share::Share;

/// Lower is better; only costs of one metric on one table compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(pub u128);

/// What can be optimized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricId {
    /// Precision ([Sweeney02], Definition 5).
    Prec,
    /// Distortion ratio ([Sun08]).
    DistortionRatio,
    /// Information loss ([XiaoTao06], equations 4 to 6).
    InformationLoss,
    /// Loss as ARX computes it: a geometric mean.
    Loss,
    /// The arithmetic mean that stands beside it.
    LossMean,
    /// Sum of squared class sizes.
    Discernibility,
    /// Rows a class.
    AverageClassSize,
    /// Non-uniform entropy.
    Entropy,
}

impl MetricId {
    /// All metrics, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Prec,
        Self::DistortionRatio,
        Self::InformationLoss,
        Self::Loss,
        Self::LossMean,
        Self::Discernibility,
        Self::AverageClassSize,
        Self::Entropy,
    ];

    /// The name in policy and report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prec => "prec",
            Self::DistortionRatio => "distortion-ratio",
            Self::InformationLoss => "information-loss",
            Self::Loss => "loss",
            Self::LossMean => "loss-mean",
            Self::Discernibility => "discernibility",
            Self::AverageClassSize => "average-class-size",
            Self::Entropy => "entropy",
        }
    }

    /// The metric of a name; `_` may stand for `-`, as in the JSON keys.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|id| id.name() == name.replace('_', "-"))
    }

    /// The key in reports.
    pub fn key(self) -> String {
        self.name().replace('-', "_")
    }

    /// The measure of a release that was measured.
    pub fn value_in(self, metrics: &Metrics) -> f64 {
        match self {
            Self::Prec => metrics.prec,
            Self::DistortionRatio => metrics.distortion_ratio,
            Self::InformationLoss => metrics.information_loss,
            Self::Loss => metrics.loss,
            Self::LossMean => metrics.loss_mean,
            Self::Discernibility => metrics.discernibility as f64,
            Self::AverageClassSize => metrics.average_class_size,
            Self::Entropy => metrics.entropy,
        }
    }

    /// The same as a cost: lower is better.
    pub fn cost_in(self, metrics: &Metrics) -> f64 {
        match self {
            Self::Prec => -metrics.prec,
            other => other.value_in(metrics),
        }
    }

    /// The measure over a table, ready to be optimized.
    pub fn bind(
        self,
        marginals: &Marginals<'_>,
        weights: &[Share],
        keeps_rows: bool,
    ) -> Box<dyn Metric> {
        self.bind_with_sensitive(marginals, weights, &[], keeps_rows)
    }

    /// The same where sensitive columns may be generalized.
    pub fn bind_with_sensitive(
        self,
        marginals: &Marginals<'_>,
        weights: &[Share],
        sensitive: &[SensitiveUnit],
        keeps_rows: bool,
    ) -> Box<dyn Metric> {
        match self {
            Self::Prec => Box::new(prec::bind(marginals, weights)),
            Self::DistortionRatio => Box::new(distortion_ratio::bind(marginals)),
            Self::InformationLoss => {
                Box::new(information_loss::bind(marginals, weights, sensitive))
            }
            Self::Loss => Box::new(loss::geometric(marginals, weights)),
            Self::LossMean => Box::new(loss::arithmetic(marginals, weights)),
            Self::Discernibility => Box::new(Discernibility),
            Self::AverageClassSize => Box::new(AverageClassSize { keeps_rows }),
            Self::Entropy => Box::new(entropy::bind(marginals)),
        }
    }
}

/// What generalized sensitive values of a column cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensitiveUnit {
    /// The weight of the column: w^s of [XiaoTao06], equation 5.
    pub weight: Share,
    /// How many values its domain has.
    pub domain: u64,
}

/// A measure bound to a table.
pub trait Metric: std::fmt::Debug + Send + Sync {
    /// What a release costs.
    fn cost(&self, tally: &Tally) -> Cost;
    /// The domains of the sensitive columns whose generalization it looks at.
    fn sensitive_domains(&self) -> &[u64] {
        &[]
    }
    /// Whether it asks how large the classes are that are not suppressed.
    fn asks_for_sizes(&self) -> bool {
        false
    }
    /// No release at this node, whatever it suppresses, and none at a node above it, costs less. Known without
    /// counting classes, or zero.
    fn floor(&self, node: &Node) -> Cost;
    /// The same bound, sharpened by the classes of a node that were counted.
    fn floor_counted(&self, tally: &Tally) -> Cost;
    /// No release at a node between `low` and the tally's costs less, where all of them suppress at least the rows that the
    /// tally does. `below` are the classes of a node not above `low`.
    fn floor_between(&self, low: &Node, below: Sizes, high: &Tally) -> Cost;
    /// The measure that a cost stands for, for progress and bounds.
    fn value(&self, cost: Cost) -> f64;
}
