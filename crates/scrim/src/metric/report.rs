//! All measures of a release, for reports.

use serde::Serialize;

use super::additive::{Units, geometric, share_lost};
use super::loss::normalized;
use super::tally::{Marginals, Tally};
use super::{MetricId, SensitiveUnit, entropy, information_loss, prec};
use crate::frequency::Ground;
use crate::hierarchy::Ladder;
use crate::recoding::{Cut, Part};
use crate::share::Share;

/// Every measure of one release. A measure that comes from counting is given twice: as a number and as a fraction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// Weighted by the policy's weights.
    pub prec: f64,
    /// The same as a fraction.
    pub prec_exact: Option<Share>,
    /// Without weights.
    pub prec_unweighted: f64,
    /// Levels over heights.
    pub distortion_ratio: f64,
    /// The same as a fraction.
    pub distortion_ratio_exact: Option<Share>,
    /// Weighted by the policy's weights.
    pub information_loss: f64,
    /// The same as a fraction.
    pub information_loss_exact: Option<Share>,
    /// Geometric mean.
    pub loss: f64,
    /// Arithmetic mean.
    pub loss_mean: f64,
    /// Sum of squared class sizes.
    #[serde(serialize_with = "large")]
    pub discernibility: u128,
    /// Rows a class.
    pub average_class_size: f64,
    /// What the sensitive values lost of the information loss, weighted, where they may be generalized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitive_loss: Option<f64>,
    /// In bits.
    pub entropy: f64,
    /// As a share of what suppressing everything would lose.
    pub entropy_share: f64,
    /// No release that keeps the models is better than this by the optimized metric, where the search bounds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// How far the optimized metric is from the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// What each quasi-identifier lost, in policy order.
    #[serde(skip)]
    pub columns: Vec<ColumnLoss>,
}

/// What one quasi-identifier lost, as shares of what suppressing it would lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ColumnLoss {
    /// Levels climbed over the height, mean of all cells: what `prec` counts.
    pub levels: f64,
    /// Values that a cell may stand for beside its own, over all others: what `loss` counts.
    pub domain: f64,
    /// Bits: what `entropy` counts.
    pub entropy: f64,
}

impl MetricId {
    /// The better of two values: the larger Prec, the smaller loss.
    fn better_of(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Prec => left.max(right),
            _ => left.min(right),
        }
    }
}

fn sound_bound(metric: MetricId, value: f64, bound: f64, proven: bool) -> f64 {
    if proven {
        value
    } else {
        metric.better_of(value, bound)
    }
}

impl Metrics {
    /// Notes the bound of a search by a metric; a proven release is its own bound. Value and bound are sums of whole steps, so that
    /// the bound is never worse than the value, but both are rounded: what rounding makes worse is the value itself.
    pub(crate) fn set_bound(&mut self, metric: MetricId, bound: f64, proven: bool) {
        let value = metric.value_in(self);
        let bound = sound_bound(metric, value, bound, proven);
        self.bound = Some(bound);
        self.gap = Some((value - bound).abs());
    }

    /// Adds what generalized sensitive values lose: the leaves that rows may have beside their own, by column.
    pub(crate) fn add_sensitive(&mut self, lost: impl Iterator<Item = (SensitiveUnit, u128)>) {
        for (unit, lost) in lost {
            let whole = i128::try_from(lost).ok();
            let exact = whole
                .and_then(|lost| Share::new(lost, i128::from(unit.domain.max(1))))
                .and_then(|share| share.checked_mul(unit.weight));
            let float = lost as f64 / unit.domain.max(1) as f64 * unit.weight.to_f64();
            let cost = exact.map_or(float, Share::to_f64);
            *self.sensitive_loss.get_or_insert(0.0) += cost;
            self.information_loss_exact = self
                .information_loss_exact
                .zip(exact)
                .and_then(|(sum, part)| sum.checked_add(part));
            self.information_loss = self
                .information_loss_exact
                .map_or(self.information_loss + cost, Share::to_f64);
        }
    }
}

/// A number that JSON readers take: exact where 64 bits hold it.
fn large<S: serde::Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(*number) {
        Ok(number) => serializer.serialize_u64(number),
        Err(_) => serializer.serialize_f64(*number as f64),
    }
}

/// Sums by attribute from which all cell-wise measures follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSums {
    /// The levels of all cells.
    pub(crate) levels: Vec<u128>,
    /// The domain values below all cells.
    pub(crate) leaves: Vec<u128>,
    /// log2 of the rows below all cells, in units.
    pub(crate) logs: Vec<u128>,
}

/// What the sums are measured against.
#[derive(Clone, Debug)]
pub(crate) struct Yardstick {
    pub(crate) rows: u64,
    pub(crate) heights: Vec<u64>,
    pub(crate) domains: Vec<u64>,
    pub(crate) weights: Vec<Share>,
    /// The log sums of the original table and of a wholly suppressed one.
    pub(crate) log_low: Vec<u128>,
    pub(crate) log_high: Vec<u128>,
}

impl Yardstick {
    pub(crate) fn new(marginals: &Marginals<'_>, weights: &[Share]) -> Self {
        let ladders = marginals.ladders();
        let logs = entropy::units(marginals);
        let ends = |units: &Units, at_top: bool| {
            let level = |at: usize| if at_top { ladders[at].height() } else { 0 };
            (0..ladders.len())
                .map(|at| units.total(at, level(at)))
                .collect()
        };
        Self {
            rows: marginals.rows(),
            heights: ladders
                .iter()
                .map(|ladder| u64::from(ladder.height()))
                .collect(),
            domains: ladders
                .iter()
                .map(|ladder| ladder.hierarchy().domain_size())
                .collect(),
            weights: weights.to_vec(),
            log_low: ends(&logs, false),
            log_high: ends(&logs, true),
        }
    }

    /// All measures from the sums, the squared sizes and the published rows and classes.
    pub(crate) fn read(
        &self,
        sums: &CellSums,
        discernibility: u128,
        released: u64,
        classes: u64,
    ) -> Metrics {
        let ones = vec![Share::ONE; self.heights.len()];
        let prec_exact = self.prec(sums, &self.weights);
        let prec_plain = self.prec(sums, &ones);
        let distortion = self.distortion_ratio(sums);
        let information = self.information_loss(sums);
        let rows = u128::from(self.rows);
        let low = vec![rows; self.domains.len()];
        let high: Vec<u128> = self
            .domains
            .iter()
            .map(|domain| rows * u128::from(*domain))
            .collect();
        let exponents = normalized(&self.weights);
        let shares = sums.leaves.iter().zip(low.iter().zip(&high));
        let mean = shares
            .zip(&exponents)
            .map(|((sum, (low, high)), weight)| weight * share_lost(*sum, *low, *high))
            .sum();
        let total = |sums: &[u128]| sums.iter().sum::<u128>();
        let lost = total(&sums.logs).saturating_sub(total(&self.log_low));
        let most = total(&self.log_high).saturating_sub(total(&self.log_low));
        Metrics {
            prec: prec_exact.map_or_else(|| self.prec_float(sums), Share::to_f64),
            prec_exact,
            prec_unweighted: prec_plain.map_or(f64::NAN, Share::to_f64),
            distortion_ratio: distortion.map_or(f64::NAN, Share::to_f64),
            distortion_ratio_exact: distortion,
            information_loss: information
                .map_or_else(|| self.information_float(sums), Share::to_f64),
            information_loss_exact: information,
            loss: geometric(&sums.leaves, &low, &high, &exponents),
            loss_mean: mean,
            discernibility,
            average_class_size: if classes == 0 {
                0.0
            } else {
                released as f64 / classes as f64
            },
            sensitive_loss: None,
            entropy: lost as f64 / entropy::BIT,
            entropy_share: if most == 0 {
                0.0
            } else {
                lost as f64 / most as f64
            },
            bound: None,
            gap: None,
            columns: self.columns(sums),
        }
    }

    /// What each column lost.
    fn columns(&self, sums: &CellSums) -> Vec<ColumnLoss> {
        let rows = u128::from(self.rows);
        let of_column = |at: usize| {
            let most = rows * u128::from(self.heights[at]);
            let domain = rows * u128::from(self.domains[at]);
            ColumnLoss {
                levels: share_lost(sums.levels[at], 0, most),
                domain: share_lost(sums.leaves[at], rows, domain),
                entropy: share_lost(sums.logs[at], self.log_low[at], self.log_high[at]),
            }
        };
        (0..self.heights.len()).map(of_column).collect()
    }

    fn prec(&self, sums: &CellSums, weights: &[Share]) -> Option<Share> {
        let whole = weights
            .iter()
            .try_fold(Share::ZERO, |sum, weight| sum.checked_add(*weight))?;
        let cells = sums.levels.iter().zip(&self.heights).zip(weights);
        let lost = cells.filter(|((_, height), _)| **height > 0).try_fold(
            Share::ZERO,
            |lost, ((sum, height), weight)| {
                let mean = Share::new(
                    i128::try_from(*sum).ok()?,
                    i128::from(*height).checked_mul(i128::from(self.rows))?,
                )?;
                lost.checked_add(mean.checked_mul(*weight)?)
            },
        )?;
        Share::ONE
            .checked_add(lost.checked_mul(Share::new(-whole.denominator(), whole.numerator())?)?)
    }

    fn prec_float(&self, sums: &CellSums) -> f64 {
        let cells = sums
            .levels
            .iter()
            .zip(&self.heights)
            .zip(normalized(&self.weights));
        1.0 - cells
            .map(|((sum, height), weight)| {
                weight * *sum as f64 / ((*height).max(1) as f64 * self.rows as f64)
            })
            .sum::<f64>()
    }

    fn distortion_ratio(&self, sums: &CellSums) -> Option<Share> {
        let most = self
            .heights
            .iter()
            .map(|height| i128::from(*height))
            .sum::<i128>()
            .checked_mul(i128::from(self.rows))?;
        Share::new(i128::try_from(sums.levels.iter().sum::<u128>()).ok()?, most)
    }

    fn information_loss(&self, sums: &CellSums) -> Option<Share> {
        let mut cells = sums.leaves.iter().zip(&self.domains).zip(&self.weights);
        cells.try_fold(Share::ZERO, |lost, ((sum, domain), weight)| {
            let above_one = i128::try_from(*sum - u128::from(self.rows)).ok()?;
            lost.checked_add(Share::new(above_one, i128::from(*domain))?.checked_mul(*weight)?)
        })
    }

    fn information_float(&self, sums: &CellSums) -> f64 {
        let cells = sums.leaves.iter().zip(&self.domains).zip(&self.weights);
        cells
            .map(|((sum, domain), weight)| {
                (*sum - u128::from(self.rows)) as f64 / *domain as f64 * weight.to_f64()
            })
            .sum()
    }
}

/// All measures of a full-domain release.
pub fn measure(
    marginals: &Marginals<'_>,
    weights: &[Share],
    tally: &Tally,
    keeps_rows: bool,
) -> Metrics {
    let sums = CellSums {
        levels: prec::levels(marginals).sums(tally),
        leaves: information_loss::leaves(marginals, 0).sums(tally),
        logs: entropy::units(marginals).sums(tally),
    };
    let discernibility = tally.kept_squares + u128::from(tally.suppressed) * u128::from(tally.rows);
    let released = if keeps_rows {
        tally.rows
    } else {
        tally.rows - tally.suppressed
    };
    Yardstick::new(marginals, weights).read(
        &sums,
        discernibility,
        released,
        tally.published_classes(keeps_rows),
    )
}

/// How many rows of the original lie below each taxon of an attribute.
pub(crate) fn rows_below(ladder: &Ladder, counts: &[u64]) -> Vec<u64> {
    let tree = ladder.hierarchy();
    let mut below = vec![0; tree.len()];
    for (leaf, count) in ladder.taxa(0).iter().zip(counts) {
        let mut at = Some(*leaf);
        while let Some(taxon) = at {
            below[taxon.0 as usize] += count;
            at = tree.parent(taxon);
        }
    }
    below
}

/// All measures of a recoding by cuts, with class sizes as published.
pub(crate) fn measure_cuts(
    marginals: &Marginals<'_>,
    weights: &[Share],
    cuts: &[Cut],
    ground: &Ground,
    sizes: &[u64],
) -> Metrics {
    let mut sums = CellSums::default();
    for (attribute, cut) in cuts.iter().enumerate() {
        let mut rows = vec![0u64; cut.parts.len()];
        let codes = cut.part_of_code.iter().zip(ground.marginal(attribute));
        codes.for_each(|(part, count)| rows[*part as usize] += count);
        let add = |unit: &dyn Fn(&Part, u64) -> u64| {
            let parts = cut.parts.iter().zip(&rows);
            parts
                .map(|(part, rows)| u128::from(unit(part, *rows)) * u128::from(*rows))
                .sum::<u128>()
        };
        sums.levels.push(add(&|part, _| part.level.into()));
        sums.leaves.push(add(&|part, _| part.values));
        sums.logs.push(add(&|_, rows| entropy::fixed_log2(rows)));
    }
    let whole = |cut: &Cut| cut.parts.len() == 1;
    let squares = sizes.iter().map(|size| {
        let told_from = if cuts.iter().all(whole) {
            marginals.rows()
        } else {
            *size
        };
        u128::from(*size) * u128::from(told_from)
    });
    let squares = squares.sum();
    let mut yardstick = Yardstick::new(marginals, weights);
    yardstick.heights = cuts.iter().map(|cut| u64::from(cut.height)).collect();
    yardstick.domains = cuts.iter().map(|cut| cut.domain).collect();
    yardstick.read(&sums, squares, marginals.rows(), sizes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_rounding_makes_worse_is_the_value() {
        let near = |left: f64, right: f64| (left - right).abs() < 1e-15;
        assert!(near(MetricId::Prec.better_of(0.3, 0.3 - 1e-9), 0.3));
        assert!(near(MetricId::Prec.better_of(0.3, 0.5), 0.5));
        assert!(near(
            MetricId::InformationLoss.better_of(7.0, 7.0 + 1e-9),
            7.0
        ));
        assert!(near(MetricId::InformationLoss.better_of(7.0, 6.0), 6.0));
    }

    #[test]
    fn a_bound_is_never_worse_than_the_value_and_a_proven_release_is_its_own() {
        let prec = |bound, proven| sound_bound(MetricId::Prec, 0.5, bound, proven).to_bits();
        assert_eq!(prec(0.75, false), 0.75f64.to_bits());
        assert_eq!(prec(0.5 - 1e-12, false), 0.5f64.to_bits());
        assert_eq!(prec(0.75, true), 0.5f64.to_bits());
    }
}
