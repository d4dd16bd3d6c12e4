//! Runs the policy's search and decides what becomes of suppressed rows.

use super::policy::{AlgorithmId, ModelSpec, Policy};
use super::prepare::{Prepared, class_holds};
use crate::algorithm::{
    Algorithm, Datafly, Found, MinGen, Minimal, Optimal, Task, Watch, minimal_nodes,
};
use crate::error::Error;
use crate::metric::{Marginals, Metrics, Tally, measure};
use crate::recoding::{Fate, Lattice, Node};
use crate::table::Table;

/// A plan: what a search found, and what it costs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The search.
    pub algorithm: &'static str,
    /// What it found.
    pub found: Found,
    /// The number of nodes of the lattice.
    pub lattice: u128,
    /// What becomes of suppressed rows.
    pub fate: Fate,
    /// Its measures.
    pub metrics: Metrics,
    /// The classes of the release.
    pub classes: u64,
    /// How many rows are suppressed.
    pub suppressed: u64,
}

/// The search that a policy names.
fn algorithm(policy: &Policy, prepared: &Prepared) -> Box<dyn Algorithm> {
    match policy.search.algorithm {
        AlgorithmId::Optimal => Box::new(Optimal::default()),
        AlgorithmId::MinGen => Box::new(MinGen),
        AlgorithmId::Datafly => {
            let k = policy.privacy.iter().filter_map(|model| match &model.spec {
                ModelSpec::KAnonymity { k, .. } => Some(*k),
                _ => None,
            });
            Box::new(Datafly {
                k: k.max().unwrap_or(0),
                strict: policy.search.strict,
                complement: policy.search.complement,
                weights: policy.search.preference.clone(),
                limit: policy.search.suppression.map(|_| prepared.limit(policy)),
            })
        }
    }
}

/// Searches; nothing when no release within the limit keeps the models.
pub fn plan(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    watch: &mut dyn Watch,
) -> Result<Option<Plan>, Error> {
    let marginals = Marginals::new(&prepared.ladders, &prepared.ground);
    let keeps_rows = Prepared::keeps_rows(policy);
    let metric = policy
        .search
        .metric
        .bind(&marginals, &policy.search.weights, keeps_rows);
    let task = Task {
        ground: &prepared.ground,
        ladders: &prepared.ladders,
        models: &prepared.models,
        metric: metric.as_ref(),
        limit: prepared.limit(policy),
    };
    let algorithm = algorithm(policy, prepared);
    let Some(found) = algorithm.search(&task, watch)? else {
        return Ok(None);
    };
    let tally = tally(&task, &found);
    if tally.suppressed == tally.rows && !keeps_rows {
        return Ok(None);
    }
    let fate = fate(policy, table, prepared, &found)?;
    Ok(Some(Plan {
        algorithm: algorithm.id(),
        lattice: task.lattice().size(),
        fate,
        metrics: measure(&marginals, &policy.search.weights, &tally, keeps_rows),
        classes: tally.published_classes(keeps_rows),
        suppressed: tally.suppressed,
        found,
    }))
}

/// The tally and the measures of a node that suppresses the classes that break a model.
pub(super) fn measure_node(policy: &Policy, prepared: &Prepared, node: &Node) -> (Tally, Metrics) {
    let marginals = Marginals::new(&prepared.ladders, &prepared.ground);
    let keeps_rows = Prepared::keeps_rows(policy);
    let metric = policy
        .search
        .metric
        .bind(&marginals, &policy.search.weights, keeps_rows);
    let limit = prepared.limit(policy);
    let (ground, ladders, models) = (&prepared.ground, &prepared.ladders, &prepared.models);
    let task = Task {
        ground,
        ladders,
        models,
        metric: metric.as_ref(),
        limit,
    };
    let set = ground.set().roll_up(ladders, node);
    let tally = task.tally(&set, &task.judge(&set));
    let metrics = measure(&marginals, &policy.search.weights, &tally, keeps_rows);
    (tally, metrics)
}

/// All minimal generalizations under a policy, and how many nodes were checked.
pub fn minimal(
    policy: &Policy,
    prepared: &Prepared,
    watch: &mut dyn Watch,
) -> Result<(Vec<Minimal>, u64), Error> {
    let marginals = Marginals::new(&prepared.ladders, &prepared.ground);
    let metric = policy.search.metric.bind(
        &marginals,
        &policy.search.weights,
        Prepared::keeps_rows(policy),
    );
    let limit = prepared.limit(policy);
    let (ground, ladders, models) = (&prepared.ground, &prepared.ladders, &prepared.models);
    minimal_nodes(
        &Task {
            ground,
            ladders,
            models,
            metric: metric.as_ref(),
            limit,
        },
        watch,
    )
}

/// The tally of a plan, from the rows that it really suppresses.
fn tally(task: &Task<'_>, found: &Found) -> Tally {
    let (set, targets) = task
        .ground
        .set()
        .roll_up_with_map(task.ladders, &found.recoding.node);
    let mut gone = vec![0u64; set.len()];
    for (row, marked) in found
        .recoding
        .suppressed
        .mark(task.ground)
        .iter()
        .enumerate()
    {
        if *marked {
            gone[targets[task.ground.tuple_of_row()[row] as usize] as usize] += 1;
        }
    }
    let mut tally = Tally::of_sizes(task.ladders, &set, task.ground.rows());
    for (class, gone) in gone.iter().enumerate().filter(|(_, gone)| **gone > 0) {
        let size = set.rows()[class];
        let square = |size: u64| u128::from(size) * u128::from(size);
        tally.suppress(&set, class, *gone);
        tally.suppressed += gone;
        tally.kept_squares = tally.kept_squares + square(size - gone) - square(size);
        tally.kept_classes -= u64::from(size == *gone);
    }
    tally.kept_at_top = tally.kept_classes > 0 && found.recoding.node == task.lattice().top();
    tally
}

/// Suppressed rows look like one class. Where that class does not keep the models, its sensitive values are starred too.
fn fate(policy: &Policy, table: &Table, prepared: &Prepared, found: &Found) -> Result<Fate, Error> {
    let drop = !Prepared::keeps_rows(policy);
    let at_top = found.recoding.node == Lattice::new(&prepared.ladders).top();
    let marked = found.recoding.suppressed.mark(&prepared.ground);
    let starred: Vec<u32> = (0..)
        .zip(&marked)
        .filter(|(_, marked)| at_top || **marked)
        .map(|(row, _)| row)
        .collect();
    let any = marked.iter().any(|marked| *marked);
    let star_sensitive = !drop && any && !class_holds(table, &prepared.models, &starred)?;
    Ok(Fate {
        drop,
        star_sensitive,
    })
}
