//! Runs the policy's search and decides what becomes of suppressed rows.

use std::sync::Arc;

use super::across;
use super::by_class;
use super::disclosure::walk;
use super::measured::give_up_bound;
use super::policy::{AlgorithmId, Policy, SensitiveWeight};
use super::prepare::Prepared;
use super::searches::algorithm;
use super::tailoring::tailor;
use crate::algorithm::{
    ChainDecision, Found, Incognito, Minimal, Task, Timed, Watch, minimal_nodes,
};
use crate::error::Error;
use crate::frequency::{Chosen, FrequencySet, Piles};
use crate::metric::{
    Marginals, Metrics, SensitiveUnit, Tally, measure, measure_cuts, measure_local,
};
use crate::model::{ModelSet, Personal};
use crate::recoding::{Fate, GeneralizedSensitive, Node, Recoding, Suppressed};
use crate::share::Share;
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
    /// How many rows are suppressed.
    pub suppressed: u64,
    /// The same by quasi-identifier and code at the node's level; nothing where no node is published.
    pub suppressed_by: Vec<Vec<u64>>,
    /// What becomes of sensitive columns that wishes speak of.
    pub sensitive: Vec<GeneralizedSensitive>,
}

/// What a search ended with.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan; none when no release within the limit keeps the models.
    pub plan: Option<Plan>,
    /// What was decided about somebody who knows the algorithm, where the policy asks.
    pub decision: Option<ChainDecision>,
    /// Where there is no plan because of persons with rows in several classes: how many with a wish may be such.
    pub torn_persons: Option<u64>,
}

/// Searches; nothing when no release within the limit keeps the models.
pub fn plan(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    watch: &mut dyn Watch,
) -> Result<Option<Plan>, Error> {
    Ok(planned(policy, table, prepared, watch)?.plan)
}

/// Searches, and tells also why there is no plan.
pub fn planned(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    watch: &mut dyn Watch,
) -> Result<Planned, Error> {
    with_task(policy, prepared, |task, marginals| {
        let mut timed = Timed::new(watch, policy.search.seconds());
        let watch: &mut dyn Watch = &mut timed;
        let work = Work {
            policy,
            table,
            prepared,
            task,
            marginals,
        };
        let (plan, decision) = if across::is_needed(&work) {
            (across::plan(&work, watch)?, None)
        } else if let Some(algorithm) = algorithm(policy, table, prepared) {
            let found = algorithm.search(task, watch)?;
            (work.measured_if_any(found)?, None)
        } else {
            let decision = walk(policy, table, prepared, task, watch)?;
            let found = decision.found(decision.steps.len() as u64);
            (work.measured_if_any(found)?, Some(decision))
        };
        let torn_persons = match (&plan, &decision) {
            (None, None) => across::torn_persons(&work, watch),
            _ => None,
        };
        Ok(Planned {
            plan,
            decision,
            torn_persons,
        })
    })
}

/// What a search works on.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) policy: &'a Policy,
    pub(super) table: &'a Table,
    pub(super) prepared: &'a Prepared,
    pub(super) task: &'a Task<'a>,
    pub(super) marginals: &'a Marginals<'a>,
}

impl Work<'_> {
    /// What was found, with what it costs; nothing where no row would be left.
    pub(super) fn measured_if_any(&self, found: Option<Found>) -> Result<Option<Plan>, Error> {
        let measured = |found| {
            measured(
                self.policy,
                self.table,
                self.prepared,
                self.task,
                self.marginals,
                found,
            )
        };
        Ok(found.map(measured).transpose()?.flatten())
    }
}

/// What was found, with what it costs; nothing where no row would be left.
fn measured(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    task: &Task<'_>,
    marginals: &Marginals<'_>,
    mut found: Found,
) -> Result<Option<Plan>, Error> {
    let keeps_rows = Prepared::keeps_rows(policy);
    let weights = &policy.search.weights;
    let mut star = None;
    let (mut metrics, suppressed, suppressed_by) = match &found.recoding {
        Recoding::FullDomain { node, suppressed } => {
            let tally = if task.ground.is_of_sections() {
                let (tally, class) = task.weigh(node)?;
                star = class;
                tally
            } else {
                tally(task, table, node, suppressed)
            };
            let metrics = measure(marginals, weights, &tally, keeps_rows);
            (metrics, tally.suppressed, tally.suppressed_by)
        }
        Recoding::Subtree(cuts) => {
            let sizes = sizes(&found.recoding, prepared);
            let metrics = measure_cuts(marginals, weights, cuts, &prepared.ground, &sizes);
            (metrics, 0, Vec::new())
        }
        Recoding::Local(local) => {
            let metrics = measure_local(marginals, weights, local, &prepared.ground);
            (metrics, 0, Vec::new())
        }
    };
    found.remarks.extend(by_class::remark(policy, task, &found));
    if suppressed == prepared.ground.rows() && !keeps_rows {
        return Ok(None);
    }
    let fate = if task.ground.is_of_sections() {
        fate_of_sections(task, star)
    } else {
        fate(table, prepared, task, &found)?
    };
    let sensitive = tailor(table, prepared, &found.recoding, fate)?;
    // Suppressed rows that stay are counted as if they lost all, but may lose less in their sensitive values, where the metric
    // looks at those.
    let exact = task.metric.sensitive_domains().is_empty() || task.limit == 0 || fate.drop;
    found.proven &= exact;
    // Classes that join after those of one person were judged together are not judged together again.
    found.proven &= !(task.models.looks_across() && task.models.is_relative() && task.limit > 0);
    let units = sensitive_units(policy, prepared);
    let lost = sensitive.iter().map(|column| column.lost.into());
    metrics.add_sensitive(units.into_iter().zip(lost));
    give_up_bound(policy, prepared, &mut found);
    // Generalized sensitive values are part of what is optimized.
    if let Some(bound) = found.bound {
        metrics.set_bound(policy.search.metric, bound, found.proven);
    }
    Ok(Some(Plan {
        algorithm: policy.search.algorithm.name(),
        lattice: task.lattice().size(),
        fate,
        metrics,
        suppressed,
        suppressed_by,
        sensitive,
        found,
    }))
}

/// The sizes of the classes of a plan, as published.
fn sizes(recoding: &Recoding, prepared: &Prepared) -> Vec<u64> {
    let (class_of_row, classes) = recoding.class_of_row(&prepared.ladders, &prepared.ground);
    let mut sizes = vec![0; classes];
    class_of_row
        .iter()
        .for_each(|class| sizes[*class as usize] += 1);
    sizes
}

/// What generalized sensitive values cost, by column that wishes speak of.
pub(super) fn sensitive_units(policy: &Policy, prepared: &Prepared) -> Vec<SensitiveUnit> {
    let unit = |personal: &Arc<Personal>| {
        let wishes = personal.wishes();
        let given = &policy.search.sensitive_weights;
        let weight = given.iter().find_map(|(name, weight)| match weight {
            SensitiveWeight::Weight(weight) if name == wishes.of() => Some(*weight),
            _ => None,
        });
        SensitiveUnit {
            weight: weight.unwrap_or(Share::ONE),
            domain: wishes.tree().domain_size(),
        }
    };
    prepared.personal.iter().map(unit).collect()
}

/// Hands the policy's task over a prepared table to a function.
pub(super) fn with_task<T>(
    policy: &Policy,
    prepared: &Prepared,
    run: impl FnOnce(&Task<'_>, &Marginals<'_>) -> T,
) -> T {
    with_models(policy, prepared, &prepared.models, run)
}

/// The same with other models over the same counts.
pub(super) fn with_models<T>(
    policy: &Policy,
    prepared: &Prepared,
    models: &ModelSet,
    run: impl FnOnce(&Task<'_>, &Marginals<'_>) -> T,
) -> T {
    let marginals = Marginals::new(&prepared.ladders, &prepared.ground);
    let keeps_rows = Prepared::keeps_rows(policy);
    let weights = &policy.search.weights;
    let units = sensitive_units(policy, prepared);
    let metric = policy
        .search
        .metric
        .bind_with_sensitive(&marginals, weights, &units, keeps_rows);
    let task = Task {
        ground: &prepared.ground,
        ladders: &prepared.ladders,
        models,
        metric: metric.as_ref(),
        limit: prepared.limit(policy),
        keeps_rows,
    };
    run(&task, &marginals)
}

/// The tally and the measures of a node that suppresses the classes that break a model.
pub(super) fn measure_node(policy: &Policy, prepared: &Prepared, node: &Node) -> (Tally, Metrics) {
    with_task(policy, prepared, |task, marginals| {
        let set = task.ground.set().roll_up(task.ladders, node);
        let judged = task.judge(&set);
        let tally = task.tally(&set, &judged);
        let keeps_rows = Prepared::keeps_rows(policy);
        let mut metrics = measure(marginals, &policy.search.weights, &tally, keeps_rows);
        let units = sensitive_units(policy, prepared);
        let domains: Vec<u64> = units.iter().map(|unit| unit.domain).collect();
        let lost = task.sensitive_lost(&set, &judged, &domains);
        metrics.add_sensitive(units.into_iter().zip(lost));
        (tally, metrics)
    })
}

/// All minimal generalizations under a policy, and how many nodes were checked.
pub fn minimal(
    policy: &Policy,
    prepared: &Prepared,
    watch: &mut dyn Watch,
) -> Result<(Vec<Minimal>, u64), Error> {
    with_task(policy, prepared, |task, _| {
        // Subsets first is the faster way, where it is sound and there are not too many of them.
        let by_subsets = task.models.prunes(task.limit) && task.ladders.len() <= 12;
        if by_subsets || policy.search.algorithm == AlgorithmId::Incognito {
            Incognito::default().minimal(task, watch)
        } else {
            minimal_nodes(task, watch)
        }
    })
}

/// The tally of a full-domain plan, from the rows that it really suppresses.
fn tally(task: &Task<'_>, table: &Table, node: &Node, suppressed: &Suppressed) -> Tally {
    let (set, targets) = task.ground.set().roll_up_with_map(task.ladders, node);
    let mut gone = vec![0u64; set.len()];
    for (row, marked) in suppressed.mark(task.ground).iter().enumerate() {
        if *marked {
            let class = targets[task.ground.tuple_of_row()[row] as usize];
            gone[class as usize] += table.times(row);
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
    tally.kept_at_top = tally.kept_classes > 0 && *node == task.lattice().top();
    tally
}

/// What becomes of suppressed rows, as `algorithm::node_release` defines it. All rows that show stars only look like one class. Where
/// that class does not keep the models, the sensitive values of the suppressed rows are starred too.
fn fate(table: &Table, prepared: &Prepared, task: &Task<'_>, found: &Found) -> Result<Fate, Error> {
    let marked = found.recoding.suppressed_rows(&prepared.ground);
    let holds = match found.recoding.node() {
        Some(node) if task.keeps_rows && marked.contains(&true) => {
            let shows_stars = task.rows_showing_stars(node);
            let rows = 0..marked.len() as u32;
            let star = rows.filter(|row| marked[*row as usize] || shows_stars[*row as usize]);
            let piles = Piles::new(table, prepared.models.tracked())?;
            let star = piles.one(&star.collect::<Vec<u32>>());
            prepared.models.holds_apart(star.only())
        }
        _ => true,
    };
    Ok(Fate {
        drop: !task.keeps_rows,
        star_sensitive: !holds,
    })
}

/// The same of a table that is held in sections only, whose rows that show stars are this class.
fn fate_of_sections(task: &Task<'_>, star: Option<FrequencySet>) -> Fate {
    let star = star.filter(|_| task.keeps_rows);
    Fate {
        drop: !task.keeps_rows,
        star_sensitive: star.is_some_and(|star| !task.models.holds(star.only())),
    }
}

/// Visits the classes that a full-domain plan suppresses, of a table that is held in sections only, in as many lots as memory needs.
pub fn each_suppressed<E: From<Error>>(
    policy: &Policy,
    prepared: &Prepared,
    plan: &Plan,
    mut visit: impl FnMut(&Chosen) -> Result<(), E>,
) -> Result<(), E> {
    let Some(node) = plan.found.recoding.node().filter(|_| plan.suppressed > 0) else {
        return Ok(());
    };
    with_task(policy, prepared, |task, _| {
        task.each_suppressed(node, |set, judged| {
            if judged.failing.is_empty() {
                return Ok(());
            }
            visit(&Chosen::new(&set.only_classes(&judged.failing)))
        })
    })
}
