//! Pitman's sampling formula (Hoshino 2001): classes as customers at tables that grow by preference.
//!
//! **Definition.** The population is one draw of the Ewens-Pitman partition with 0 < α < 1 and θ > −α. Both are the most likely
//! ones for the sample: they maximize Σ ln(θ + iα) over 0 < i < u − Σ ln(θ + i) over 0 < i < n + Σ sⱼ Σ ln(i − α) over
//! 0 < i < j. The population is expected to have N Γ(θ+1) Γ(θ+α+N−1) / (Γ(θ+α) Γ(θ+N)) uniques, which for large N is
//! N^α Γ(θ+1) / Γ(θ+α).
//! **Reading.** Where α goes to 0 or to 1, the model does not fit: there is no estimate.
//! **Holds because** for each α the slope in θ goes from +∞ to below 0, so bisection finds where it is 0; along these θ the
//! slope in α alone is that of the likelihood, and is bisected in turn. Sums are differences of digamma values.
//! **Cost.** A digamma value for each distinct size, some hundred times.
//! **Oracle.** The sums as they stand, in this file's tests.

use super::gamma::{digamma, ln_gamma};
use super::{Estimated, Sample};

pub(super) const ASSUMPTION: &str = "the population is a draw from Pitman's sampling formula, a superpopulation in which few classes grow large and many stay small";
pub(super) const USABLE: &str = "samples of at most a tenth of the population";

const NO_FIT: &str = "no parameters of the model fit the sizes of the sample's classes";

pub(super) fn pitman(sample: &Sample<'_>) -> Estimated {
    let (theta, alpha) = fitted(sample).ok_or(NO_FIT)?;
    let population = sample.population as f64;
    let log = ln_gamma(theta + 1.0) - ln_gamma(theta + alpha)
        + ln_rise(theta + population, alpha - 1.0)
        + population.ln();
    let found = log.exp();
    found.is_finite().then_some(found).ok_or(NO_FIT)
}

/// ln Γ(x + by) − ln Γ(x) for |by| ≤ 1, also where both are huge.
fn ln_rise(x: f64, by: f64) -> f64 {
    if x < 1e6 {
        return ln_gamma(x + by) - ln_gamma(x);
    }
    // Γ(x + a) / Γ(x) = x^a (1 + a(a−1) / 2x + …)
    by * x.ln() + (by * (by - 1.0) / (2.0 * x)).ln_1p()
}

/// The most likely θ and α.
fn fitted(sample: &Sample<'_>) -> Option<(f64, f64)> {
    let (classes, members) = (sample.count(), sample.members as f64);
    if classes < 2.0 || classes >= members {
        return None;
    }
    let slope = |alpha: f64| {
        let theta = theta_for(alpha, classes, members);
        let grown = sample.sizes().filter(|(size, _)| *size > 1.0);
        let one = digamma(1.0 - alpha);
        let sizes: f64 = grown
            .map(|(size, count)| count * (digamma(size - alpha) - one))
            .sum();
        let (reciprocals, _) = sums(theta, alpha, classes, members);
        // Σ i / (θ + iα) = (u − 1 − θ Σ 1 / (θ + iα)) / α
        (classes - 1.0 - theta * reciprocals) / alpha - sizes
    };
    let (mut low, mut high) = (1e-4, 1.0 - 1e-9);
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return None;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let alpha = 0.5 * (low + high);
    Some((theta_for(alpha, classes, members), alpha))
}

/// The most likely θ for an α.
fn theta_for(alpha: f64, classes: f64, members: f64) -> f64 {
    let (mut low, mut high) = (-40.0f64, 40.0f64);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let (left, right) = sums(middle.exp() - alpha, alpha, classes, members);
        if left > right {
            low = middle;
        } else {
            high = middle;
        }
    }
    (0.5 * (low + high)).exp() - alpha
}

/// Σ 1 / (θ + iα) over 0 < i < u, and Σ 1 / (θ + i) over 0 < i < n.
fn sums(theta: f64, alpha: f64, classes: f64, members: f64) -> (f64, f64) {
    let first = 1.0 / (theta + alpha);
    // The first term apart: near θ = −α it is all of the sum, and the digamma values would lose it.
    let more = (digamma(theta / alpha + classes) - digamma(theta / alpha + 2.0)) / alpha;
    let all = digamma(theta + members) - digamma(theta + 1.0);
    (first + more, all)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Both slopes, term by term.
    fn slopes(classes: &BTreeMap<u64, u64>, theta: f64, alpha: f64) -> (f64, f64) {
        let count: u64 = classes.values().sum();
        let members: u64 = classes.iter().map(|(size, count)| size * count).sum();
        let mut slopes = (0.0, 0.0);
        for i in 1..count {
            slopes.0 += 1.0 / (theta + i as f64 * alpha);
            slopes.1 += i as f64 / (theta + i as f64 * alpha);
        }
        slopes.0 -= (1..members).map(|i| 1.0 / (theta + i as f64)).sum::<f64>();
        for (size, count) in classes {
            slopes.1 -= *count as f64 * (1..*size).map(|i| 1.0 / (i as f64 - alpha)).sum::<f64>();
        }
        slopes
    }

    #[test]
    fn the_slopes_are_nought_where_it_stops() {
        for classes in [
            BTreeMap::from([(1, 300), (2, 80), (3, 40), (5, 20), (9, 8), (40, 3)]),
            BTreeMap::from([(1, 20), (2, 9), (4, 3), (30, 1)]),
            BTreeMap::from([(1, 5000), (2, 700), (3, 200), (11, 30)]),
        ] {
            let members = classes.iter().map(|(size, count)| size * count).sum();
            let sample = Sample {
                classes: &classes,
                members,
                population: members * 20,
            };
            let (theta, alpha) = fitted(&sample).unwrap();
            let slopes = slopes(&classes, theta, alpha);
            assert!(
                slopes.0.abs() < 1e-6 && slopes.1.abs() < 1e-6,
                "{theta} {alpha} {slopes:?}"
            );
            // For a large population the power law is the same.
            let power = (alpha * (sample.population as f64).ln() + ln_gamma(theta + 1.0)
                - ln_gamma(theta + alpha))
            .exp();
            let found = pitman(&sample).unwrap();
            assert!(found < power && found > 0.9 * power, "{found} {power}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for classes in [
            BTreeMap::from([(1, 50)]),
            BTreeMap::from([(50, 1)]),
            BTreeMap::from([(1, 1), (10, 40)]),
        ] {
            let members = classes.iter().map(|(size, count)| size * count).sum();
            let sample = Sample {
                classes: &classes,
                members,
                population: members * 20,
            };
            assert_eq!(pitman(&sample), Err(NO_FIT));
        }
    }

    #[test]
    fn huge_arguments_do_not_lose_the_difference() {
        for by in [-0.9, -0.5, -0.1] {
            let (near, far) = (ln_rise(999_999.0, by), ln_rise(1_000_001.0, by));
            assert!((near - far).abs() < 1e-5, "{near} {far}");
        }
    }
}
