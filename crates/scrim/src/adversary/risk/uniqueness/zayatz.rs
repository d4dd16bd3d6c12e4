//! Zayatz (1991): sample uniques that are population uniques.
//!
//! **Definition.** The share of classes of size j is taken to be the same in the population as in the sample. By Bayes, a
//! class with one member in the sample has one in the population with P = s₁ h(1) / Σ sⱼ h(j), h(j) being the hypergeometric
//! probability that one of j members is drawn. The population has s₁ P / π uniques.
//! **Cost.** O(the largest class).
//! **Oracle.** `testkit::oracle::risk::zayatz`, with binomial coefficients.

use super::{Estimated, Sample};

pub(super) const ASSUMPTION: &str = "classes of each size have the same share in the population as in the sample, which is a simple random one";
pub(super) const USABLE: &str = "large samples; it overestimates for small ones";

pub(super) fn zayatz(sample: &Sample<'_>) -> Estimated {
    let (members, population) = (sample.members as f64, sample.population as f64);
    let fraction = sample.fraction();
    // h(j) = j n/N · Π (N−n−i)/(N−1−i) over i < j−1.
    let (mut at, mut product) = (1.0, 1.0);
    let mut all = 0.0;
    for (size, classes) in sample.sizes() {
        while at < size && product > 0.0 {
            product *= (population - members - at + 1.0).max(0.0) / (population - at);
            at += 1.0;
        }
        at = size;
        all += classes * size * fraction * product;
    }
    let unique = sample.of_size(1);
    let found = unique * unique / all;
    found
        .is_finite()
        .then_some(found)
        .ok_or("no class can have one member in a sample of this size")
}
