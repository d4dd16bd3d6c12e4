//! The last nodes below the top, counted once and judged under any setting.

use super::FailedPromise;
use super::settings::{Setting, section_of, settings};
use crate::algorithm::{Task, shows_stars};
use crate::frequency::{Class, FrequencySet};
use crate::hierarchy::Ladder;
use crate::metric::Tally;
use crate::model::{ModelSet, Quantity};
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

/// The classes of the highest node that shows a column alone and costs less than stars, and whether that is the one right below the top;
/// nothing where rows are on disk and the classes do not fit in memory.
fn last_node(task: &Task<'_>, top: &FrequencySet, at: usize) -> Option<(FrequencySet, bool)> {
    let cost = |set: &FrequencySet| {
        let tally = Tally::new(task.ladders, set, &[], task.ground.rows());
        task.metric.cost(&tally)
    };
    let mut levels = top.node().levels().to_vec();
    let highest = levels[at].saturating_sub(1);
    for level in (0..=highest).rev() {
        levels[at] = level;
        let node = Node::new(levels.clone());
        let set = task.ground.set().each_part(task.ladders, &node, |_| ())?;
        if level == 0 || cost(&set) < cost(top) {
            let is_strict = level == highest && cost(&set) < cost(top);
            return Some((set, is_strict));
        }
    }
    Some((top.clone(), false))
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        policy: &'a Policy,
        table: &'a Table,
        prepared: &'a Prepared,
        rows: &'a Rows<'a>,
    ) -> Option<Self> {
        let top = prepared.ground.at_top(&prepared.ladders);
        let last = with_models(policy, prepared, &prepared.models, |task, _| {
            let columns = 0..prepared.ladders.len();
            columns
                .map(|at| last_node(task, &top, at))
                .collect::<Option<Vec<_>>>()
        })?;
        let is_strict = last.iter().all(|(_, is_strict)| *is_strict);
        Some(Self {
            policy,
            table,
            prepared,
            rows,
            sets: last.into_iter().map(|(set, _)| set).collect(),
            is_strict,
            top,
        })
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
        self.prepared.models.feasible(&self.top).ok()?;
        let distance = |at: &usize| {
            let set = &self.sets[*at];
            let broken = set.classes().zip(self.broken(set));
            let broken = broken.filter(|(_, is_broken)| *is_broken);
            let rows: Vec<u64> = broken.map(|(class, _)| class.rows()).collect();
            let smallest = rows.iter().min().copied();
            (rows.iter().sum::<u64>(), std::cmp::Reverse(smallest), *at)
        };
        (0..self.sets.len()).min_by_key(distance)
    }

    /// By class of a node: whether it breaks a promise, by itself or together with those that equal it in the columns of one.
    fn broken(&self, set: &FrequencySet) -> Vec<bool> {
        let models = &self.prepared.models;
        let mut broken: Vec<bool> = set
            .classes()
            .map(|class| !models.holds_alone(class))
            .collect();
        for number in 0..self.policy.privacy.len() {
            let Some(columns) = models.columns_of(number) else {
                continue;
            };
            let (above, map) = self.projected(set, columns);
            let is_small: Vec<bool> = above
                .classes()
                .map(|class| models.breach_of(number, class).is_some())
                .collect();
            for (broken, above) in broken.iter_mut().zip(map) {
                *broken |= is_small[above as usize];
            }
        }
        broken
    }

    /// The classes of a node by some columns only, and which of them each of its classes is part of.
    fn projected(&self, set: &FrequencySet, columns: &[usize]) -> (FrequencySet, Vec<u32>) {
        let (own, top) = (set.node().levels(), self.top.node().levels());
        let level = |at: usize| {
            let levels = if columns.contains(&at) { own } else { top };
            levels[at]
        };
        let node = Node::new((0..own.len()).map(level).collect::<Vec<_>>());
        set.roll_up_with_map(&self.prepared.ladders, &node)
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
        if policy.privacy == self.policy.privacy {
            return Some(self.prepared.models.clone());
        }
        if self.prepared.ground.is_of_sections() {
            return None;
        }
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
            let models = &self.prepared.models;
            let columns = models.columns_of(number);
            let projected = columns.map(|columns| self.projected(set, columns).0);
            let classes = projected.as_ref().unwrap_or(set).classes();
            let broken: Vec<_> = classes
                .filter_map(|class| {
                    let breach = match spec {
                        ModelSpec::Personal { .. } => models.breach_apart(number, class)?,
                        _ => models.breach_of(number, class)?,
                    };
                    Some((class, breach))
                })
                .collect();
            let by_size = |(class, _): &&(Class<'_>, _)| class.rows();
            let worst = match spec {
                ModelSpec::KAnonymity { .. } => broken.iter().min_by_key(by_size),
                _ => broken.iter().max_by_key(by_size),
            };
            let (_, breach) = worst?;
            let all: Vec<Class<'_>> = broken.iter().map(|(class, _)| *class).collect();
            let found = self.probability(number, &all);
            Some(FailedPromise {
                privacy: section_of(self.policy, number),
                model: spec.name(),
                classes: broken.len() as u64,
                rows: broken.iter().map(|(class, _)| class.rows()).sum(),
                found: found.unwrap_or(breach.found).to_string(),
                required: breach.required.to_string(),
            })
        });
        failed.collect()
    }

    /// Of `personal`, what the largest breach probability of some classes is above, in hundredths: the largest limit that one of them breaks.
    fn probability(&self, number: usize, classes: &[Class<'_>]) -> Option<Quantity> {
        let spec = &self.policy.privacy[number].spec;
        let ModelSpec::Personal { .. } = spec else {
            return None;
        };
        let all = settings(spec, self.rows());
        let breaks = |setting: &Setting| {
            let mut policy = self.policy.clone();
            policy.privacy[number].spec = setting.spec.clone();
            let models = self.models(&policy);
            let breaks = |models: ModelSet| {
                let mut classes = classes.iter();
                classes.any(|class| models.breach_apart(number, *class).is_some())
            };
            models.is_some_and(breaks)
        };
        let last = all.partition_point(breaks).checked_sub(1)?;
        match &all[last].spec {
            ModelSpec::Personal { breach, .. } => Some(Quantity::AboveProbability(*breach)),
            _ => None,
        }
    }
}
