//! Slide negative binomial (Chen and Keller-McNulty 1998): the size of a population class, less one, is negative binomial.
//!
//! **Definition.** P(F = j) = C(α+j−2, j−1) β^α (1−β)^(j−1). With d = (1−π)(1−β) a sample of fraction π is expected to have
//! s₁ = Kπ (β/(1−d))^α (1 + αd/(1−d)) and s₂ = Kαπ²(1−β)β^α (2 − (1−α)d) / (2 (1−d)^(α+2)) classes of one and two. K, the
//! classes of the population, is estimated by Shlosser (Haas and Stokes 1998); α and β are the solution. The population
//! has K β^α uniques.
//! **Reading.** (ARX multiplies by (1−d)^(α+2) where it must divide, and takes 1 off outside of the sum in Shlosser's: not so
//! here.) Of several solutions, that whose K (1 + α(1−β)/β) is nearest to the size of the population.
//! **Holds because** s₂/s₁ gives, for each β, a quadratic equation in α with exactly one root above 0; along these α the first
//! equation is a function of β alone, whose changes of sign are bisected.
//! **Cost.** O(distinct sizes), and a thousand steps.
//! **Oracle.** Sampling distributions summed term by term, in this file's tests.

use super::{Estimated, Sample};

pub(super) const ASSUMPTION: &str = "the sizes of population classes, less one, are negative binomial; their number is as Shlosser estimates it";
pub(super) const USABLE: &str =
    "samples above a tenth of the population with classes of one and of two";

const NO_FIT: &str =
    "no parameters of the model give as many classes of one and two as the sample has";

/// So many places of β are looked at for a change of sign.
const STEPS: u32 = 1_000;

pub(super) fn snb(sample: &Sample<'_>) -> Estimated {
    let classes =
        shlosser(sample).ok_or("the number of classes in the population cannot be estimated")?;
    let model = Model {
        classes,
        fraction: sample.fraction(),
        one: sample.of_size(1),
        ratio: sample.of_size(2) / sample.of_size(1),
    };
    if model.ratio <= 0.0 {
        return Err("the sample has no class of two");
    }
    let distance = |beta: f64| {
        let size = 1.0 + model.alpha(beta) * (1.0 - beta) / beta;
        (classes * size - sample.population as f64).abs()
    };
    let best = model
        .roots()
        .into_iter()
        .min_by(|left, right| distance(*left).total_cmp(&distance(*right)));
    let beta = best.ok_or(NO_FIT)?;
    let found = classes * beta.powf(model.alpha(beta));
    found.is_finite().then_some(found).ok_or(NO_FIT)
}

/// Shlosser's estimate of the classes of the population, as Haas and Stokes modified it.
fn shlosser(sample: &Sample<'_>) -> Option<f64> {
    let fraction = sample.fraction();
    let (rest, square) = (1.0 - fraction, fraction * fraction);
    let sum = |term: &dyn Fn(f64) -> f64| {
        let terms = sample.sizes().map(|(size, classes)| term(size) * classes);
        terms.sum::<f64>()
    };
    let above = sum(&|size| size * square * (1.0 - square).powf(size - 1.0));
    // (1−π)^i ((1+π)^i − 1), as (1−π²)^i − (1−π)^i: the powers of 1+π alone may be huge.
    let below = sum(&|size| (1.0 - square).powf(size) - rest.powf(size));
    let missed = sum(&|size| rest.powf(size));
    let once = sum(&|size| size * fraction * rest.powf(size - 1.0));
    let found = sample.count() + sample.of_size(1) * (above / below) * (missed / once).powi(2);
    (found.is_finite() && found >= sample.count()).then_some(found)
}

struct Model {
    classes: f64,
    fraction: f64,
    /// Classes of one in the sample.
    one: f64,
    /// Classes of two over classes of one.
    ratio: f64,
}

impl Model {
    fn missed(&self, beta: f64) -> f64 {
        (1.0 - self.fraction) * (1.0 - beta)
    }

    /// The α that gives the ratio of classes of two to classes of one.
    fn alpha(&self, beta: f64) -> f64 {
        let missed = self.missed(beta);
        let found = self.fraction * (1.0 - beta);
        let rest = 1.0 - missed;
        // p d α² + (p (2−d) − 2 R d (1−d)) α − 2 R (1−d)² = 0, with p = π(1−β)
        let (square, nought) = (found * missed, -2.0 * self.ratio * rest * rest);
        let linear = found * (2.0 - missed) - 2.0 * self.ratio * missed * rest;
        let root = (linear * linear - 4.0 * square * nought).sqrt();
        if linear > 0.0 {
            -2.0 * nought / (linear + root)
        } else {
            (root - linear) / (2.0 * square)
        }
    }

    /// Expected classes of one, less those of the sample.
    fn excess(&self, beta: f64) -> f64 {
        let (alpha, d) = (self.alpha(beta), self.missed(beta));
        let power = (alpha * (beta.ln() - (-d).ln_1p())).exp();
        self.classes * self.fraction * power * (1.0 + alpha * d / (1.0 - d)) - self.one
    }

    fn roots(&self) -> Vec<f64> {
        // β on a scale that is fine at both ends.
        let beta = |step: u32| {
            let x = 28.0 * f64::from(step) / f64::from(STEPS) - 14.0;
            1.0 / (1.0 + (-x).exp())
        };
        let mut roots = Vec::new();
        for step in 0..STEPS {
            let (mut low, mut high) = (beta(step), beta(step + 1));
            let (left, right) = (self.excess(low), self.excess(high));
            if !left.is_finite() || !right.is_finite() || (left > 0.0) == (right > 0.0) {
                continue;
            }
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if (self.excess(middle) > 0.0) == (left > 0.0) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            roots.push(0.5 * (low + high));
        }
        roots
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Expected classes of one and two in a sample, by summing over population sizes.
    fn expected(alpha: f64, beta: f64, fraction: f64) -> (f64, f64) {
        let (mut share, mut one, mut two) = (beta.powf(alpha), 0.0, 0.0);
        for size in 1..4_000 {
            let size = f64::from(size);
            let rest = 1.0 - fraction;
            one += share * size * fraction * rest.powf(size - 1.0);
            two += share * size * (size - 1.0) / 2.0 * fraction * fraction * rest.powf(size - 2.0);
            share *= (1.0 - beta) * (alpha + size - 1.0) / size;
        }
        (one, two)
    }

    #[test]
    fn the_parameters_of_a_known_population_are_found_again() {
        for (alpha, beta, fraction) in [
            (0.4, 0.3, 0.3),
            (2.0, 0.6, 0.5),
            (0.1, 0.05, 0.2),
            (1.0, 0.5, 0.7),
        ] {
            let (one, two) = expected(alpha, beta, fraction);
            let model = Model {
                classes: 10_000.0,
                fraction,
                one: 10_000.0 * one,
                ratio: two / one,
            };
            let found = model
                .roots()
                .into_iter()
                .any(|root| (root - beta).abs() < 1e-6 && (model.alpha(root) - alpha).abs() < 1e-5);
            assert!(found, "{alpha} {beta} {fraction}: {:?}", model.roots());
        }
    }

    #[test]
    fn without_classes_of_two_nothing_is_said() {
        let classes = BTreeMap::from([(1, 50), (7, 3)]);
        let sample = Sample {
            classes: &classes,
            members: 71,
            population: 200,
        };
        assert!(snb(&sample).is_err());
    }
}
