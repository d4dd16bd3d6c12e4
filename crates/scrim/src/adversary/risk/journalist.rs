//! The risk of a target who is known to be in a population.
//!
//! **Definition.** With the population at hand: 1/F, F being its persons whom the record's class covers. With the sampling
//! fraction π only: the expectation of 1/F given that f persons of the class are in the table, F having the negative binomial
//! distribution P(F = h) = C(h−1, f−1) π^f (1−π)^(h−f), which is what mu-Argus and sdcMicro estimate.
//! **Reading.** The expectation is π ∫ s^(f−1) / (π + (1−π)s) ds over 0..1; for f = 1 it is −π ln π / (1−π).
//! **Holds because** substituting s = πt / (1 − (1−π)t) in ∫ E[t^(F−1)] dt gives it; 1/f − π I(f) = (1−π) I(f+1) follows.
//! **Oracle.** The sum over all h, in this file's tests and in `testkit::oracle::risk`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::tuples::{Exposure, Tuples};
use super::{Population, exceeds, mean_of, part};
use crate::share::Share;

/// The risk of a target who is known to be in the population.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JournalistRisk {
    /// `population`: counted. `fraction`: estimated.
    pub basis: &'static str,
    /// What is assumed.
    pub assumption: &'static str,
    /// The largest.
    pub max: f64,
    /// The same as a fraction, where it is counted.
    pub max_exact: Option<String>,
    /// The mean: the share of records that a marketer expects to find in the population.
    pub mean: f64,
    /// The same as a fraction, where it is counted and short.
    pub mean_exact: Option<String>,
    /// Records whose risk exceeds the threshold.
    pub above: u64,
    /// Records that are alone in the population too, where it is counted.
    pub unique: Option<u64>,
    /// Classes of which the population has fewer persons than the table, where it is counted.
    pub lacking: Option<u64>,
}

const COUNTED: &str =
    "everybody of the table is in the population, and the adversary has all of it";
const ESTIMATED: &str = "the table is a random sample of the population, everybody drawn with the same probability; within a class \
     the population's count is negative binomial given the table's (Benedetti and Franconi 1998)";

pub(super) fn journalist(
    tuples: &Tuples,
    exposure: &Exposure,
    population: Population<'_>,
    threshold: Share,
) -> Option<JournalistRisk> {
    match population {
        Population::Unknown => None,
        Population::Fraction(fraction) => Some(estimated(exposure, fraction, threshold)),
        Population::Counted { covered, .. } => Some(counted(tuples, covered, threshold)),
    }
}

fn counted(tuples: &Tuples, covered: &[u64], threshold: Share) -> JournalistRisk {
    let pairs = tuples.sizes().iter().zip(covered);
    let lacking = pairs.clone().filter(|(own, covered)| covered < own).count();
    let sizes: Vec<u64> = pairs.map(|(own, covered)| *own.max(covered)).collect();
    let mut subjects: BTreeMap<u64, u64> = BTreeMap::new();
    let settled = tuples.settled().iter().zip(&sizes);
    for (settled, size) in settled.filter(|(settled, _)| **settled > 0) {
        *subjects.entry(*size).or_default() += settled;
    }
    for own in tuples.movers() {
        if let Some(size) = own.iter().map(|(_, tuple)| sizes[*tuple as usize]).min() {
            *subjects.entry(size).or_default() += 1;
        }
    }
    let smallest = subjects.keys().next().copied().unwrap_or(0);
    let (max, max_exact) = part(u128::from(smallest > 0), smallest.max(1).into());
    let (mean, mean_exact) = mean_of(&subjects, tuples.subjects());
    let above = subjects.iter();
    JournalistRisk {
        basis: "population",
        assumption: COUNTED,
        max,
        max_exact: Some(max_exact),
        mean,
        mean_exact,
        above: above
            .take_while(|(size, _)| exceeds(**size, threshold))
            .map(|(_, count)| count)
            .sum(),
        unique: Some(subjects.get(&1).copied().unwrap_or(0)),
        lacking: Some(lacking as u64),
    }
}

fn estimated(exposure: &Exposure, fraction: Share, threshold: Share) -> JournalistRisk {
    let risks = expected(fraction.to_f64(), exposure.subjects.keys().copied());
    let (mut sum, mut subjects, mut above) = (0.0, 0, 0);
    for ((_, count), risk) in exposure.subjects.iter().zip(&risks) {
        sum += risk * *count as f64;
        subjects += count;
        above += if *risk > threshold.to_f64() {
            *count
        } else {
            0
        };
    }
    JournalistRisk {
        basis: "fraction",
        assumption: ESTIMATED,
        max: risks.first().copied().unwrap_or(0.0),
        max_exact: None,
        mean: sum / subjects.max(1) as f64,
        mean_exact: None,
        above,
        unique: None,
        lacking: None,
    }
}

/// The expectation of 1/F for each of these sizes, which ascend.
fn expected(fraction: f64, sizes: impl Iterator<Item = u64>) -> Vec<f64> {
    let rest = 1.0 - fraction;
    if rest > 0.5 {
        // I(f+1) = (1/f − π I(f)) / (1−π): errors shrink on the way up.
        let (mut at, mut integral) = (1u64, -fraction.ln() / rest);
        return sizes
            .map(|size| {
                while at < size {
                    integral = (1.0 / at as f64 - fraction * integral) / rest;
                    at += 1;
                }
                fraction * integral
            })
            .collect();
    }
    // π/f Σ (1−π)^j · 1·2…j / ((f+1)…(f+j)): every term is less than half of the one before.
    let series = |size: u64| {
        let (mut sum, mut term, mut step) = (0.0, 1.0, 1.0);
        while term > 1e-18 {
            sum += term;
            term *= rest * step / (size as f64 + step);
            step += 1.0;
        }
        fraction * sum / size.max(1) as f64
    };
    sizes.map(series).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ 1/h · C(h−1, f−1) π^f (1−π)^(h−f), term by term.
    fn by_sum(fraction: f64, size: u64) -> f64 {
        let mut weight = fraction.powi(size as i32);
        let (mut sum, mut number) = (0.0, size as f64);
        for _ in 0..2_000_000 {
            sum += weight / number;
            weight *= (1.0 - fraction) * number / (number - size as f64 + 1.0);
            number += 1.0;
        }
        sum
    }

    #[test]
    fn the_expectation_is_the_sum_over_all_populations() {
        for fraction in [0.001, 0.05, 0.3, 0.49, 0.5, 0.51, 0.9, 0.999, 1.0] {
            let sizes = [1, 2, 3, 7, 40];
            for (size, found) in sizes.into_iter().zip(expected(fraction, sizes.into_iter())) {
                let wanted = by_sum(fraction, size);
                assert!(
                    (found - wanted).abs() < 1e-9 * wanted.max(1e-3),
                    "{fraction} {size}: {found}, {wanted}"
                );
            }
        }
    }

    #[test]
    fn a_whole_population_leaves_the_prosecutors_risk() {
        for (size, risk) in (1..50u32).zip(expected(1.0, 1..50)) {
            assert!((risk * f64::from(size) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn large_classes_do_not_run_away() {
        let risks = expected(0.4, [1, 1_000, 1_000_000].into_iter());
        assert!((risks[2] / (0.4e-6) - 1.0).abs() < 1e-3, "{risks:?}");
        assert!(risks[0] > risks[1] && risks[1] > risks[2]);
    }
}
