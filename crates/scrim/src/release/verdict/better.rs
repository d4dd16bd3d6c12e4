//! The search that is clearly better where one that treats a column alike in all rows suppresses a whole column.
//!
//! **Reading.** `local` where it can carry the policy: every superset of a valid class is valid, and the metric counts cells by
//! themselves. Else `mondrian`. Both generalize each class by itself.

use crate::metric::MetricId;
use crate::model::Monotone;
use crate::release::policy::{AlgorithmId, Policy};
use crate::release::prepare::Prepared;

/// The better search; none where the policy's own does not treat columns alike in all rows. `may_name` tells whether the policy could name a search.
#[must_use]
pub fn better_algorithm(
    policy: &Policy,
    prepared: &Prepared,
    may_name: impl Fn(AlgorithmId) -> bool,
) -> Option<&'static str> {
    let full_domain = [
        AlgorithmId::Optimal,
        AlgorithmId::MinGen,
        AlgorithmId::Incognito,
        AlgorithmId::Datafly,
    ];
    if !full_domain.contains(&policy.search.algorithm) {
        return None;
    }
    let is_even = || {
        let mut ladders = prepared.ladders.iter();
        ladders.all(|ladder| ladder.hierarchy().is_even())
    };
    let counts_cells = match policy.search.metric {
        MetricId::Loss | MetricId::LossMean | MetricId::InformationLoss => true,
        MetricId::Prec => is_even(),
        _ => false,
    };
    let grows = prepared.models.monotone() == Monotone::Supersets;
    let local = (counts_cells && grows).then_some(AlgorithmId::Local);
    let mondrian = (prepared.models.monotone() != Monotone::No).then_some(AlgorithmId::Mondrian);
    let mut better = local.into_iter().chain(mondrian);
    better
        .find(|algorithm| may_name(*algorithm))
        .map(AlgorithmId::name)
}
