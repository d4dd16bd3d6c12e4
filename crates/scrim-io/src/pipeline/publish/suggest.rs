//! What would let a refused publication through.
//!
//! **Reading.** The library proposes changes and proves them by counts where the policy's search looks at every node
//! (`scrim::release::refusal`). Other searches are run with each change, and a change that does not help is not suggested. Where every node
//! was looked at in vain, `local` is tried. All runs together start within five times the time that the refused search took, and two
//! seconds; what was not tried is said.

use std::time::{Duration, Instant};

use scrim::release::figures::shows_something;
use scrim::release::policy::AlgorithmId;
use scrim::release::refusal::{NOT_WITH_DISCLOSURE, Suggestion, explain};
use scrim::release::report::Publication;
use scrim::release::{Policy, planned};
use serde_json::{Map, json};

use super::Ready;
use crate::IoError;
use crate::pipeline::load::{LoadedPolicy, LoadedTable};
use crate::pipeline::{Door, Stage};

/// More rows are not searched a second time by `local`.
const MOST_ROWS: u64 = 50_000;

impl Ready {
    /// Adds to a refusal which promises stand in the way, and what would let it through.
    pub(super) fn explain(
        &self,
        answer: &mut Publication,
        door: &mut dyn Door,
    ) -> Result<(), IoError> {
        answer.suggestions = Some(Vec::new());
        if self.past.is_some() {
            return Ok(());
        }
        let (policy, table) = (&self.policy, &self.table);
        let explained = table.with_hierarchies(policy, |_, rows| {
            Ok(explain(
                &policy.policy,
                &table.read.table,
                &self.prepared,
                rows,
            ))
        })?;
        self.prepared.ground.must_have_told_all()?;
        let Some((mut refusal, candidates)) = explained else {
            return Ok(());
        };
        let budget = Budget::new(answer.seconds.search);
        let mut suggestions = Vec::new();
        for candidate in candidates {
            if candidate.proven {
                suggestions.push(candidate);
                continue;
            }
            let keys: Vec<String> = candidate.set.keys().cloned().collect();
            let keys = keys.join(", ");
            if self.prepared.ground.is_of_sections() {
                let why = "a table in sections (`--memory`) is not searched again";
                refusal.not_tried.push(format!("a change of {keys}: {why}"));
                continue;
            }
            match budget.left() {
                Some(seconds) if self.goes_through(&candidate, seconds, door)? => {
                    suggestions.push(candidate);
                }
                Some(_) => {}
                None => {
                    refusal
                        .not_tried
                        .push(format!("a change of {keys}: there was no time"));
                }
            }
        }
        let is_knowing = policy.policy.disclosure.is_some();
        let keeps = |suppressed: u64| suppressed <= refusal.best.allowed;
        if is_knowing && refusal.best.suppressed.is_some_and(keeps) {
            // The promises hold, and the reason says what the refused steps tell: only why nothing is suggested is missing.
            let hint = answer.hint.take().unwrap_or_default();
            answer.hint = Some(format!("{hint}; not tried: {NOT_WITH_DISCLOSURE}"));
            return Ok(());
        }
        if is_knowing || self.prepared.ground.is_of_sections() {
            answer.refusal = Some(refusal);
            answer.suggestions = Some(suggestions);
            return Ok(());
        }
        match self.local(&budget, door)? {
            Tried::Helps(suggestion) => suggestions.insert(0, *suggestion),
            Tried::Skipped(why) => refusal.not_tried.push(format!("`local`: {why}")),
            Tried::InVain => {}
        }
        answer.refusal = Some(refusal);
        answer.suggestions = Some(suggestions);
        Ok(())
    }

    /// Whether the policy's own search finds something to show with a change.
    fn goes_through(
        &self,
        candidate: &Suggestion,
        seconds: u64,
        door: &mut dyn Door,
    ) -> Result<bool, IoError> {
        let mut policy = candidate.policy.clone();
        policy.search.time_limit = policy.search.time_limit.or(Some(seconds));
        let policy = LoadedPolicy {
            policy,
            ..self.policy.clone()
        };
        finds_something(&policy, &self.table, door)
    }

    /// Tries `local` where a search that treats a column alike in all rows found nothing.
    fn local(&self, budget: &Budget, door: &mut dyn Door) -> Result<Tried, IoError> {
        let own = &self.policy.policy;
        let full_domain = [
            AlgorithmId::Optimal,
            AlgorithmId::MinGen,
            AlgorithmId::Incognito,
            AlgorithmId::Datafly,
        ];
        let parsed = Policy::parse_with(&own.file, &self.policy.text, AlgorithmId::Local);
        let source = self.policy.source();
        let Some(mut policy) = parsed
            .ok()
            .filter(|_| full_domain.contains(&own.search.algorithm))
        else {
            return Ok(Tried::InVain);
        };
        if self.prepared.must_be_feasible().is_err() {
            return Ok(Tried::InVain);
        }
        if !source.is_lasting() {
            return Ok(Tried::Skipped(
                "standard input or a pipe can be read only once",
            ));
        }
        if self.prepared.ground.rows() > MOST_ROWS {
            return Ok(Tried::Skipped("the table has more than 50,000 rows"));
        }
        let Some(seconds) = budget.left() else {
            return Ok(Tried::Skipped("there was no time"));
        };
        let as_asked = policy.clone();
        policy.search.time_limit = policy.search.time_limit.or(Some(seconds));
        let policy = LoadedPolicy {
            policy,
            ..self.policy.clone()
        };
        let table = policy.read_original(&source, door)?;
        self.table.read.must_equal(&table.read, &source)?;
        if !finds_something(&policy, &table, door)? {
            return Ok(Tried::InVain);
        }
        let text = "Name `algorithm = \"local\"` in [search]: it generalizes each class only as far as that class needs, and finds a release that shows something.";
        Ok(Tried::Helps(Box::new(Suggestion {
            text: text.to_owned(),
            set: Map::from_iter([("search.algorithm".to_owned(), json!("local"))]),
            proven: true,
            policy: as_asked,
        })))
    }
}

/// What came of trying another search.
enum Tried {
    Helps(Box<Suggestion>),
    InVain,
    Skipped(&'static str),
}

/// Whether a policy's search finds a release that shows something.
fn finds_something(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    door: &mut dyn Door,
) -> Result<bool, IoError> {
    let Ok(prepared) = table.prepare(policy) else {
        return Ok(false);
    };
    if prepared.must_be_feasible().is_err() {
        return Ok(false);
    }
    door.stage(Stage::Search);
    match planned(&policy.policy, &table.read.table, &prepared, door) {
        Ok(found) => Ok(found
            .plan
            .is_some_and(|plan| shows_something(&prepared, &plan))),
        Err(scrim::Error::Interrupted) => Err(scrim::Error::Interrupted.into()),
        // It ran out of time, or cannot soundly carry the policy.
        Err(_) => Ok(false),
    }
}

/// How long further searches may take.
struct Budget {
    end: Instant,
}

impl Budget {
    fn new(search: f64) -> Self {
        let time = Duration::try_from_secs_f64(search * 5.0 + 2.0);
        Self {
            end: Instant::now() + time.unwrap_or(Duration::from_secs(2)),
        }
    }

    /// The seconds that are left, where there are any.
    fn left(&self) -> Option<u64> {
        let left = self.end.checked_duration_since(Instant::now())?;
        Some(left.as_secs() + 1)
    }
}
