//! The last nodes below the top, counted once and judged under any setting.

use super::FailedPromise;
use super::settings::section_of;
use crate::algorithm::{Task, shows_stars};
use crate::frequency::FrequencySet;
use crate::hierarchy::Ladder;
use crate::metric::Tally;
use crate::model::ModelSet;
use crate::recoding::Node;
use crate::release::history::History;
use crate::release::plan::with_models;
use crate::release::policy::{ModelSpec, Policy};
use crate::release::prepare::Prepared;
use crate::release::promised;
use crate::release::trees::Rows;
use crate::share::Share;
use crate::table::Table;

/// The last nodes of a table.
pub(super) struct Probe<'a> {
    policy: &'a Policy,
    table: &'a Table,
    prepared: &'a Prepared,
    rows: &'a Rows<'a>,
    /// The classes of each node, by quasi-identifier that it shows.
    sets: Vec<FrequencySet>,
    /// Whether each of them stands right below the top.
    is_strict: bool,
    /// The table as one class.
    top: FrequencySet,
}

/// The classes of the highest node that shows a column alone and costs less than stars, and whether that is the one right below the top.
fn last_node(task: &Task<'_>, top: &FrequencySet, at: usize) -> (FrequencySet, bool) {
    let cost = |set: &FrequencySet| {
        let tally = Tally::new(task.ladders, set, &[], task.ground.rows());
        task.metric.cost(&tally)
    };
    let mut levels = top.node().levels().to_vec();
    let highest = levels[at].saturating_sub(1);
    for level in (0..=highest).rev() {
        levels[at] = level;
        let node = Node::new(levels.clone());
        let set = task.ground.set().roll_up(task.ladders, &node);
        if level == 0 || cost(&set) < cost(top) {
            let is_strict = level == highest && cost(&set) < cost(top);
            return (set, is_strict);
        }
    }
    (top.clone(), false)
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        policy: &'a Policy,
        table: &'a Table,
        prepared: &'a Prepared,
        rows: &'a Rows<'a>,
    ) -> Self {
        let top = prepared.ground.at_top(&prepared.ladders);
        let last = with_models(policy, prepared, &prepared.models, |task, _| {
            let columns = 0..prepared.ladders.len();
            columns
                .map(|at| last_node(task, &top, at))
                .collect::<Vec<_>>()
        });
        let is_strict = last.iter().all(|(_, is_strict)| *is_strict);
        Self {
            policy,
            table,
            prepared,
            rows,
            sets: last.into_iter().map(|(set, _)| set).collect(),
            is_strict,
            top,
        }
    }

    /// Whether every column, shown at its coarsest level, costs less than stars by the metric.
    pub(super) fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// All rows of the table.
    pub(super) fn rows(&self) -> u64 {
        self.prepared.ground.rows()
    }

    /// The columns that the nodes show.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.prepared.ladders.iter().map(Ladder::name)
    }

    /// How many rows may be suppressed.
    pub(super) fn limit(&self) -> u64 {
        self.prepared.limit(self.policy)
    }

    /// The classes of the node that shows a column, or of the top.
    pub(super) fn set(&self, at: Option<usize>) -> &FrequencySet {
        at.map_or(&self.top, |at| &self.sets[at])
    }

    /// The node that comes closest where none has a release that shows something; nothing where the table as one class breaks a promise.
    pub(super) fn closest(&self) -> Option<usize> {
        let models = &self.prepared.models;
        models.feasible(&self.top).ok()?;
        let distance = |at: &usize| {
            let set = &self.sets[*at];
            let broken = set.classes().filter(|class| !models.holds(*class));
            let rows: Vec<u64> = broken.map(|class| class.rows()).collect();
            let smallest = rows.iter().min().copied();
            (rows.iter().sum::<u64>(), std::cmp::Reverse(smallest), *at)
        };
        (0..self.sets.len()).min_by_key(distance)
    }

    /// By node: how many rows its release suppresses, whatever the limit; none where it has no release that shows something.
    pub(super) fn costs(&self) -> Vec<Option<u64>> {
        let mut policy = self.policy.clone();
        policy.search.suppression = Some(Share::ONE);
        with_models(&policy, self.prepared, &self.prepared.models, |task, _| {
            let sets = self.sets.iter();
            sets.map(|set| self.suppressed(task, set)).collect()
        })
    }

    /// Whether a policy goes through: whether some node has a release that shows something and costs less than stars.
    pub(super) fn passes(&self, policy: &Policy) -> bool {
        let Some(models) = self.models(policy) else {
            return false;
        };
        if models.feasible(&self.top).is_err() {
            return false;
        }
        with_models(policy, self.prepared, &models, |task, _| {
            let mut sets = self.sets.iter();
            sets.any(|set| self.suppressed(task, set).is_some())
        })
    }

    /// The models of a policy that differs in its parameters only.
    fn models(&self, policy: &Policy) -> Option<ModelSet> {
        let (trees, remarks) = (&self.prepared.sensitive, &mut Vec::new());
        let history = History::default();
        let bound = promised::models(policy, self.table, trees, self.rows, &history, remarks);
        let models = bound.ok()?.models;
        models.reusing(self.prepared.models.tracked())
    }

    /// How many rows the release of a node suppresses within the limit of a task, where it shows something and costs less than stars.
    fn suppressed(&self, task: &Task<'_>, set: &FrequencySet) -> Option<u64> {
        let judged = task.judge_within(set, task.limit)?;
        let stars = shows_stars(task.ladders, set);
        let shown = (0..set.len() as u32)
            .filter(|class| judged.failing.binary_search(class).is_err())
            .any(|class| stars.binary_search(&class).is_err());
        let own = task.metric.cost(&task.tally(set, &judged));
        let none = Tally::new(task.ladders, &self.top, &[], task.ground.rows());
        (shown && own < task.metric.cost(&none)).then_some(judged.suppressed)
    }

    /// What breaks each promise at the node of these classes.
    pub(super) fn failed(&self, set: &FrequencySet) -> Vec<FailedPromise> {
        let specs = self.policy.privacy.iter().map(|model| &model.spec);
        let failed = specs.enumerate().filter_map(|(number, spec)| {
            let classes = set.classes().filter_map(|class| {
                let breach = self.prepared.models.breach_of(number, class)?;
                Some((class.rows(), breach))
            });
            let broken: Vec<_> = classes.collect();
            let by_size = |(rows, _): &&(u64, _)| *rows;
            let worst = match spec {
                ModelSpec::KAnonymity { .. } => broken.iter().min_by_key(by_size),
                _ => broken.iter().max_by_key(by_size),
            };
            let (_, breach) = worst?;
            Some(FailedPromise {
                privacy: section_of(self.policy, number),
                model: spec.name(),
                classes: broken.len() as u64,
                rows: broken.iter().map(|(rows, _)| rows).sum(),
                found: breach.found.to_string(),
                required: breach.required.to_string(),
            })
        });
        failed.collect()
    }
}
