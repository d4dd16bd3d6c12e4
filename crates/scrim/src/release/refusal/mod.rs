//! Why a publication was refused, and what would let it through.
//!
//! **Definition.** The *last nodes* are those right below the top of the lattice that show one column at its coarsest level and
//! suppress all others; where the metric does not tell such a node from a table of stars, the column is shown at the next level that
//! it does. The *best* of them is the one whose release suppresses the fewest rows. Where none has a release that shows
//! something, whatever may be suppressed, it is the one with the fewest rows in classes that break a promise, and of equal ones the one whose
//! smallest such class is largest; where the table as one class breaks a promise, that is shown instead. A setting *goes through* where some last
//! node has a release under it that shows something and costs less, by the metric of the policy, than a table of stars.
//! **Reading.** One setting is changed at a time; where no single one is enough, all promises that stand in the way are weakened together.
//! Whole numbers are tried one by one, `t` and `alpha` in hundredths, other fractions in tenths. No suppression above one half is suggested.
//! **Holds because** every node that shows something lies below a last node. Where every superset of a valid class is valid, or
//! nothing may be suppressed and the union of valid classes is valid, a release of any node implies one of a last node above it: so
//! a setting that does not go through is refused, and the strictest that does is the strictest there is ([`Refusal::complete`]), unless
//! the metric takes a last node for stars.
//! A search that looks at all nodes finds a release that costs no more than the last node's, and so not one of stars only. Suggestions for
//! other searches are tried by running them ([`Suggestion::proven`]).
//! **Cost.** One roll-up for each column; after that, a judgement of a few classes for each setting. A binary search asks
//! for about log2 of the number of settings.
//! Promises about some `columns` are judged over all classes of a node together, and every node above one with a release has one
//! (`algorithm::columns`). `personal` is not monotone, so nothing is claimed to be the strictest, and every suggestion is tried.
//! **Does not say** anything about `serial`, whose reasons say it, nor what several changes of different kinds together would do.
//! With `[disclosure]` nothing is suggested, and for rows on disk only more suppression ([`Refusal::not_tried`] says why).

mod probe;
mod settings;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::policy::{AlgorithmId, ModelSpec, Policy, SuppressedRows};
use super::prepare::Prepared;
use super::recoded::levels;
use super::trees::Rows;
use crate::counted;
use crate::share::Share;
use crate::table::Table;
use probe::Probe;
use settings::{Setting, section_of, settings};

/// A change of the policy that lets the publication through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    /// What to change, in a sentence.
    pub text: String,
    /// The keys of the policy and their new values. `privacy.0.k` is the key `k` of the first [[privacy]].
    pub set: Map<String, Value>,
    /// Whether it follows from counts that the policy's search goes through; otherwise the search has to be tried.
    #[serde(skip)]
    pub proven: bool,
    /// The policy with the change.
    #[serde(skip)]
    pub policy: Policy,
}

/// A promise that stands in the way, at the best node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedPromise {
    /// The number of its [[privacy]], from 0.
    pub privacy: usize,
    /// The model.
    pub model: &'static str,
    /// Classes that break it.
    pub classes: u64,
    /// Their rows.
    pub rows: u64,
    /// What one of them has: of k-anonymity the smallest, of `personal` the one with the largest probability, else the largest.
    pub found: String,
    /// What it should have.
    pub required: String,
}

/// What a column costs when it alone is shown, at its coarsest level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnCost {
    /// The column.
    pub column: String,
    /// The rows that would have to be suppressed; none where no release shows it.
    pub suppressed: Option<u64>,
}

/// The node that comes closest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestNode {
    /// Its levels.
    pub levels: Map<String, Value>,
    /// The rows that its release would suppress; none where no node has a release that shows something.
    pub suppressed: Option<u64>,
    /// How many may be suppressed.
    pub allowed: u64,
}

/// Why a publication was refused.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// The node that comes closest.
    pub best: BestNode,
    /// The promises that it breaks.
    pub failed: Vec<FailedPromise>,
    /// The columns, those that cost most first.
    pub columns: Vec<ColumnCost>,
    /// Whether no stricter setting of the same kind goes through.
    pub complete: bool,
    /// What was not tried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_tried: Vec<String>,
}

/// Explains a refusal, with candidates for what would let it through; nothing where the policy is not of a kind that can be explained.
#[must_use]
pub fn explain(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    rows: &Rows<'_>,
) -> Option<(Refusal, Vec<Suggestion>)> {
    let mut specs = policy.privacy.iter().map(|model| &model.spec);
    if specs.any(|spec| matches!(spec, ModelSpec::Serial { .. })) || prepared.ladders.is_empty() {
        return None;
    }
    let probe = Probe::new(policy, table, prepared, rows)?;
    let limit = prepared.limit(policy);
    let costs = probe.costs();
    let known = (0..costs.len()).filter_map(|at| Some((costs[at]?, at)));
    let best = known.min();
    let shown = probe.set(best.map(|(_, at)| at).or_else(|| probe.closest()));
    let mut columns: Vec<ColumnCost> = probe
        .columns()
        .zip(&costs)
        .map(|(column, suppressed)| ColumnCost {
            column: column.to_owned(),
            suppressed: *suppressed,
        })
        .collect();
    columns.sort_by_key(|cost| std::cmp::Reverse(cost.suppressed.unwrap_or(u64::MAX)));
    let refusal = Refusal {
        best: BestNode {
            levels: levels(prepared, shown.node()),
            suppressed: best.map(|(suppressed, _)| suppressed),
            allowed: limit,
        },
        failed: probe.failed(shown),
        columns,
        complete: is_proof(policy)
            && prepared.models.prunes(limit)
            && probe.is_strict()
            && !prepared.ground.is_of_sections(),
        not_tried: not_sought(policy, prepared),
    };
    if policy.disclosure.is_some() {
        return Some((refusal, Vec::new()));
    }
    let mut finder = Finder {
        policy,
        probe: &probe,
        complete: refusal.complete,
        found: Vec::new(),
    };
    finder.other_search();
    finder.weaker_promises();
    finder.suppression(&costs);
    Some((refusal, finder.found))
}

/// Whether a search looks at every node.
fn is_exhaustive(policy: &Policy) -> bool {
    let all = [
        AlgorithmId::Optimal,
        AlgorithmId::MinGen,
        AlgorithmId::Incognito,
    ];
    all.contains(&policy.search.algorithm) && policy.search.seconds().is_none()
}

/// Whether what the last nodes say of a policy is a proof for its search: whether it looks at every node, and nothing but the node
/// decides.
fn is_proof(policy: &Policy) -> bool {
    let mut specs = policy.privacy.iter().map(|model| &model.spec);
    is_exhaustive(policy)
        && policy.disclosure.is_none()
        && !specs.any(|spec| matches!(spec, ModelSpec::Personal { .. }))
}

/// What is not sought for a policy or a table of this kind, and why.
fn not_sought(policy: &Policy, prepared: &Prepared) -> Vec<String> {
    let mut why = Vec::new();
    if policy.disclosure.is_some() {
        why.push(NOT_WITH_DISCLOSURE.to_owned());
    } else if prepared.ground.is_of_sections() {
        why.push("weaker promises: with `--memory` the table is read in sections, and each promise would have to be prepared from them again; without `--memory` they are tried".to_owned());
    }
    why
}

/// Why nothing is suggested where somebody may know the algorithm.
pub const NOT_WITH_DISCLOSURE: &str = "another setting: with [disclosure] one that is chosen because this one was refused tells something about the table that the promise does not count; choose it without looking at the table";

struct Finder<'a> {
    policy: &'a Policy,
    probe: &'a Probe<'a>,
    complete: bool,
    found: Vec<Suggestion>,
}

impl Finder<'_> {
    fn suggest(&mut self, text: String, set: Map<String, Value>, policy: Policy) {
        let proven = is_proof(&policy);
        self.found.push(Suggestion {
            text,
            set,
            proven,
            policy,
        });
    }

    /// The search that looks at every node, where another one was refused.
    fn other_search(&mut self) {
        let has_limit = self.policy.search.time_limit.is_some();
        if has_limit || is_exhaustive(self.policy) || !self.probe.passes(self.policy) {
            return;
        }
        let mut policy = self.policy.clone();
        policy.search.algorithm = AlgorithmId::Optimal;
        let text = "Name `algorithm = \"optimal\"` in [search]: it looks at every node, and some node keeps the promises.";
        let set = Map::from_iter([("search.algorithm".to_owned(), json!("optimal"))]);
        self.suggest(text.to_owned(), set, policy);
    }

    /// The strictest setting of each promise that goes through, the others unchanged; else of all together.
    fn weaker_promises(&mut self) {
        let before = self.found.len();
        for at in 0..self.policy.privacy.len() {
            if let Some((setting, policy)) = self.strictest(self.policy, at) {
                let text = self.weaker_text(at, &setting);
                let set = Map::from_iter([(self.key(at, &setting), setting.value.clone())]);
                self.suggest(text, set, policy);
            }
        }
        if self.found.len() == before {
            self.weaken_together();
        }
    }

    fn key(&self, at: usize, setting: &Setting) -> String {
        format!("privacy.{}.{}", section_of(self.policy, at), setting.key)
    }

    fn weaker_text(&self, at: usize, setting: &Setting) -> String {
        let section = section_of(self.policy, at) + 1;
        let (key, value, asked) = (setting.key, &setting.value, &setting.asked);
        let strictest = match &setting.stricter {
            Some(stricter) if self.complete => {
                format!(" This is the strictest that goes through: {key} = {stricter} does not.")
            }
            _ => String::new(),
        };
        format!(
            "Ask for `{key} = {value}` instead of {asked} in [[privacy]] number {section} ({}).{strictest}",
            self.policy.privacy[at].spec.name()
        )
    }

    /// The strictest setting of one promise with which a policy goes through, and the policy with it.
    fn strictest(&self, policy: &Policy, at: usize) -> Option<(Setting, Policy)> {
        let mut all = settings(&policy.privacy[at].spec, self.probe.rows());
        let with = |setting: &Setting| {
            let mut policy = policy.clone();
            policy.privacy[at].spec = setting.spec.clone();
            policy
        };
        let first = all.partition_point(|setting| !self.probe.passes(&with(setting)));
        if first >= all.len() {
            return None;
        }
        let stricter = first.checked_sub(1).map(|at| all[at].value.clone());
        let mut setting = all.swap_remove(first);
        setting.stricter = stricter.or_else(|| Some(setting.asked.clone()));
        let policy = with(&setting);
        self.probe.passes(&policy).then_some((setting, policy))
    }

    /// All promises that stand in the way by themselves, weakened until each goes through alone.
    fn weaken_together(&mut self) {
        let mut policy = self.policy.clone();
        let (mut set, mut words) = (Map::new(), Vec::new());
        for at in 0..self.policy.privacy.len() {
            let mut alone = self.policy.clone();
            alone.privacy = vec![self.policy.privacy[at].clone()];
            if self.probe.passes(&alone) {
                continue;
            }
            let Some((setting, _)) = self.strictest(&alone, 0) else {
                return;
            };
            policy.privacy[at].spec = setting.spec.clone();
            words.push(format!(
                "`{} = {}` instead of {} in [[privacy]] number {}",
                setting.key,
                setting.value,
                setting.asked,
                section_of(self.policy, at) + 1
            ));
            set.insert(self.key(at, &setting), setting.value);
        }
        if words.len() > 1 && self.probe.passes(&policy) {
            let text = format!("Ask for {} together.", words.join(" and "));
            self.suggest(text, set, policy);
        }
    }

    /// The least share of rows that must be suppressed, rounded up to a decimal.
    fn suppression(&mut self, costs: &[Option<u64>]) {
        let rows = self.probe.rows();
        let allowed = self.probe.limit();
        let least = costs.iter().flatten().min();
        let Some(least) = least.filter(|least| rows > 0 && **least > allowed) else {
            return;
        };
        for places in [100i128, 1_000, 10_000, 1_000_000] {
            let above = (i128::from(*least) * places).div_euclid(i128::from(rows));
            let exact = above * i128::from(rows) == i128::from(*least) * places;
            let parts = if exact { above } else { above + 1 };
            let Some(share) = Share::new(parts, places) else {
                return;
            };
            let is_far = share.floor_of(rows) > least.saturating_add(least / 10 + 1);
            if parts * 2 > places || is_far && places < 1_000_000 {
                continue;
            }
            let mut policy = self.policy.clone();
            policy.search.suppression = Some(share);
            if self.probe.passes(&policy) {
                let value = json!(parts as f64 / places as f64);
                let does = match policy.search.suppressed {
                    SuppressedRows::Star => "suppresses",
                    SuppressedRows::Drop => "leaves out",
                };
                let text = format!(
                    "Allow `suppression = {value}` in [search]: a release that {does} {least} of {} goes through.",
                    counted(rows, "row")
                );
                let set = Map::from_iter([("search.suppression".to_owned(), value)]);
                self.suggest(text, set, policy);
                return;
            }
        }
    }
}
