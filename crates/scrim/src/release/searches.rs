//! The searches, as a policy asks for them.

use super::plan::sensitive_units;
use super::policy::{AlgorithmId, Policy};
use super::prepare::Prepared;
use crate::algorithm::{
    Algorithm, Datafly, Incognito, LocalRecoding, MinGen, MinGenCell, Mondrian, MuArgus, Optimal,
    Personalized, Rotating, TopDown,
};
use crate::model::ModelSet;
use crate::table::Table;

/// The search that a policy names; none where it is the walk along a chain.
pub(super) fn algorithm<'a>(
    policy: &'a Policy,
    table: &'a Table,
    prepared: &'a Prepared,
) -> Option<Box<dyn Algorithm + 'a>> {
    algorithm_with(policy, table, prepared, None, policy.search.improve)
}

/// The same with models that look at all classes together, where those of the task do not, and with or without `improve`.
pub(super) fn algorithm_with<'a>(
    policy: &'a Policy,
    table: &'a Table,
    prepared: &'a Prepared,
    together: Option<&'a ModelSet>,
    improve: bool,
) -> Option<Box<dyn Algorithm + 'a>> {
    let algorithm: Box<dyn Algorithm + 'a> = match policy.search.algorithm {
        AlgorithmId::Chain => return None,
        AlgorithmId::Optimal => Box::new(Optimal {
            preferred: &policy.search.preferred,
            memory: prepared.memory,
            ..Optimal::default()
        }),
        AlgorithmId::MinGen => Box::new(MinGen {
            preferred: &policy.search.preferred,
            memory: prepared.memory,
        }),
        AlgorithmId::MinGenCell => Box::new(MinGenCell {
            preferred: &policy.search.preferred,
            metric: policy.search.metric,
            weights: &policy.search.weights,
        }),
        AlgorithmId::Local => Box::new(LocalRecoding {
            table,
            numbers: &prepared.numbers,
            metric: policy.search.metric,
            weights: &policy.search.weights,
            uses_time: policy.search.given.contains(&"time-limit"),
        }),
        AlgorithmId::Incognito => Box::new(Incognito {
            preferred: &policy.search.preferred,
            memory: prepared.memory,
        }),
        AlgorithmId::Personalized => Box::new(Personalized {
            table,
            numbers: &prepared.numbers,
            personal: &prepared.personal,
            sensitive: sensitive_units(policy, prepared),
            weights: &policy.search.weights,
            improve,
            together,
        }),
        AlgorithmId::TopDown => Box::new(TopDown {
            table,
            tighten: policy.search.tighten,
        }),
        AlgorithmId::Mondrian => Box::new(Mondrian {
            table,
            numbers: &prepared.numbers,
            partitioning: policy.search.mondrian,
        }),
        AlgorithmId::MuArgus => Box::new(MuArgus {
            identifying: &policy.search.mu_argus.identifying,
            combinations: policy.search.mu_argus.combinations,
            generalize: &policy.search.mu_argus.generalize,
        }),
        AlgorithmId::Rotating => Box::new(Rotating {
            table,
            numbers: &prepared.numbers,
            serial: prepared.serial.as_deref(),
            weights: &policy.search.weights,
        }),
        AlgorithmId::Datafly => Box::new(Datafly {
            k: policy.largest_k().unwrap_or(0),
            strict: policy.search.datafly.strict,
            complement: policy.search.datafly.complement,
            weights: policy.search.datafly.preference.clone(),
            limit: policy.search.suppression.map(|_| prepared.limit(policy)),
        }),
    };
    Some(algorithm)
}
