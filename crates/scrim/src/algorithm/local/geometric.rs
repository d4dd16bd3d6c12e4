//! The geometric mean of losses, by means that add up.
//!
//! **Reading.** `loss` is exp(G) − 1 with G the weighted mean of ln(1 + x) over attributes. It is concave in the x, so the tangent at what
//! was found lies above it: improving by the tangent's weights improves G. Every release with G no greater than the best known has
//! x ≤ u = exp(G / weight) − 1 in each attribute, and between 0 and u the chord lies below: a bound by the chords' weights bounds G.

use super::frame::Frame;
use super::partition::{Block, Partition};
use super::prices::Prices;
use super::search::{Clock, Known, Outcome, improve, raise};
use super::{cheapest, search};
use crate::error::Error;
use crate::metric::MetricId;
use crate::share::Share;

/// Weights are kept to so many parts.
const PARTS: f64 = (1u64 << 24) as f64;

/// Makes the problem under a metric that adds up, with these weights.
pub(super) type MakesFrame<'a> = dyn Fn(MetricId, &[Share]) -> Result<Frame<'a>, Error> + 'a;

/// What was found.
pub(super) struct Found<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) outcome: Outcome,
    /// No release has less loss.
    pub(super) bound: f64,
}

/// Searches for a release with little loss, from the classes that a function gives.
pub(super) fn search<'a>(
    frame: &MakesFrame<'a>,
    weights: &[Share],
    start: &dyn Fn(&Frame<'a>) -> Partition,
    clock: &mut Clock<'_>,
) -> Result<Found<'a>, Error> {
    let first = frame(MetricId::LossMean, weights)?;
    let mut outcome = search::search(&first, start(&first), clock)?;
    let exponents = normalized(weights);
    let mut best = mean_log(&first, &outcome.partition, &exponents);
    // The tangent.
    if !clock.is_over() {
        let lost = lost(&first, &outcome.partition);
        let slopes = exponents
            .iter()
            .zip(&lost)
            .map(|(weight, lost)| weight / (1.0 + lost));
        let tangent = frame(MetricId::LossMean, &shares(slopes))?;
        let mut other = under(&tangent, &outcome.partition);
        let known = Known {
            floors: Vec::new(),
            bound: 0,
            checked: outcome.checked,
        };
        improve(&tangent, &mut other, &known, clock)?;
        other.tidy();
        let other = under(&first, &other);
        let found = mean_log(&first, &other, &exponents);
        if found < best {
            best = found;
            outcome.partition = other;
        }
    }
    let bound = bound(frame, &exponents, best, &outcome.partition, clock)?;
    Ok(Found {
        frame: first,
        outcome,
        bound,
    })
}

/// No release has less loss: by the chords of the logarithms.
fn bound(
    frame: &MakesFrame<'_>,
    exponents: &[f64],
    best: f64,
    partition: &Partition,
    clock: &mut Clock<'_>,
) -> Result<f64, Error> {
    if clock.is_over() {
        return Ok(0.0);
    }
    let chord = |weight: &f64| {
        let most = (best / weight).exp_m1().min(1.0);
        if most > 0.0 {
            weight * most.ln_1p() / most
        } else {
            *weight
        }
    };
    let chords = shares(exponents.iter().map(chord));
    let sum: f64 = chords.iter().map(|chord| chord.to_f64()).sum();
    let chords = frame(MetricId::LossMean, &chords)?;
    let stop = clock.stop.clone();
    let Some(cheapest) = cheapest::cheapest(&chords, &stop) else {
        return Ok(0.0);
    };
    let mut prices = Prices::new(&chords, &cheapest, &stop);
    let partition = under(&chords, partition);
    raise(&chords, &mut prices, &partition, clock)?;
    Ok((chords.units.lost(prices.bound) * sum).min(best).exp_m1())
}

/// The same classes under other costs.
fn under(frame: &Frame<'_>, partition: &Partition) -> Partition {
    let blocks = partition.blocks.iter();
    let blocks = blocks.map(|block| Block::new(frame, block.rows.clone()));
    Partition::new(blocks.collect(), frame.count())
}

/// The share of what can be lost, by attribute.
fn lost(frame: &Frame<'_>, partition: &Partition) -> Vec<f64> {
    let attribute = |at: usize| {
        let axis = &frame.axes[at];
        let sum: i128 = partition
            .blocks
            .iter()
            .map(|block| i128::from(axis.cost(block.cells[at])) * block.rows.len() as i128)
            .sum();
        let most = i128::from(frame.tops[at]) * frame.count() as i128;
        if most == 0 {
            0.0
        } else {
            sum as f64 / most as f64
        }
    };
    (0..frame.axes.len()).map(attribute).collect()
}

fn mean_log(frame: &Frame<'_>, partition: &Partition, exponents: &[f64]) -> f64 {
    let lost = lost(frame, partition);
    let logs = exponents.iter().zip(&lost);
    logs.map(|(weight, lost)| weight * lost.ln_1p()).sum()
}

fn normalized(weights: &[Share]) -> Vec<f64> {
    let sum: f64 = weights.iter().map(|weight| weight.to_f64()).sum();
    weights
        .iter()
        .map(|weight| weight.to_f64() / sum.max(f64::MIN_POSITIVE))
        .collect()
}

/// Weights rounded down.
fn shares(weights: impl Iterator<Item = f64>) -> Vec<Share> {
    let share = |weight: f64| Share::new((weight * PARTS).floor() as i128, PARTS as i128);
    weights
        .map(|weight| share(weight).unwrap_or(Share::ZERO))
        .collect()
}
