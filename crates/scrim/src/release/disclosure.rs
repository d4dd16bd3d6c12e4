//! A decision against somebody who knows the algorithm: from the policy to a walk, and from a walk to words.

use serde::Serialize;
use serde_json::{Map, Value};

use super::audit::DisclosureAudit;
use super::policy::{ChainPolicy, DisclosurePolicy, Policy};
use super::prepare::Prepared;
use super::recoded::levels;
use crate::adversary::{Disclosure, Effort, Method, Strategy};
use crate::algorithm::{ChainDecision, ChainOutcome, ChainWalk, Sequence, Task, Watch};
use crate::error::Error;
use crate::model::Exact;
use crate::recoding::Node;
use crate::table::{Column, Table};

/// How many states exact counting may have: some hundred megabytes at the most.
const STATES: usize = 500_000;

/// How many tables sampling may draw, and how many rows they may have in all.
const SAMPLES: u64 = 400_000;
const ROWS_DRAWN: u64 = 2_000_000_000;

/// So many digits of a number are still printed.
const DIGITS: usize = 4_000;

/// So many steps are listed one by one.
const LISTED: usize = 200;

/// The name of a strategy.
pub fn strategy_name(strategy: Strategy) -> &'static str {
    DisclosurePolicy::strategy_name(strategy)
}

/// What the policy says about somebody who knows the algorithm; it must.
pub fn section(policy: &Policy) -> Result<&DisclosurePolicy, Error> {
    policy.disclosure.as_ref().ok_or_else(|| Error::Unsound {
        algorithm: "chain",
        what: "the policy has no [disclosure], whose steps it walks".to_owned(),
        hint: None,
    })
}

/// The sensitive column that the promises speak of.
pub fn secret<'a>(policy: &Policy, table: &'a Table) -> Result<&'a Column, Error> {
    let name = policy.privacy.iter().find_map(|model| model.spec.of());
    let column = name.and_then(|name| table.column(name));
    column.ok_or_else(|| Error::Internal("the sensitive column was not read".to_owned()))
}

/// How hard a decision about a table is tried, also where a policy has no such section.
pub fn effort(section: Option<&DisclosurePolicy>, table: &Table) -> Effort {
    let most = ROWS_DRAWN / (table.rows() as u64).max(1);
    let confidence = section.map(|section| section.confidence);
    Effort {
        decide: section.and_then(|section| section.decide),
        states: STATES,
        confidence: confidence.unwrap_or_else(DisclosurePolicy::default_confidence),
        seed: section.map_or(1, |section| section.seed),
        samples: SAMPLES.min(most),
    }
}

/// The steps that a policy names.
pub fn sequence(policy: &Policy, prepared: &Prepared) -> Result<Sequence, Error> {
    let section = section(policy)?;
    let tops: Vec<u8> = prepared
        .ladders
        .iter()
        .map(crate::hierarchy::Ladder::height)
        .collect();
    match &section.chain {
        ChainPolicy::Datafly => Ok(Sequence::Datafly),
        ChainPolicy::Prec => Ok(Sequence::Prec(policy.search.weights.clone())),
        ChainPolicy::Levels(steps) => {
            for (number, step) in (1..).zip(steps) {
                let high = step.iter().zip(&tops).position(|(level, top)| level > top);
                if let Some(at) = high {
                    return Err(Error::Policy {
                        place: section.place.clone(),
                        what: format!(
                            "step {number} of `chain` raises `{}` to level {}, but its hierarchy ends at level {}",
                            prepared.ladders[at].name(),
                            step[at],
                            tops[at]
                        ),
                        hint: Some(
                            "levels count from 0, the value itself, up to suppression".to_owned(),
                        ),
                    });
                }
            }
            let nodes = steps.iter().map(|step| Node::new(step.clone()));
            Ok(Sequence::Given(nodes.collect()))
        }
        ChainPolicy::Columns(columns) => {
            let node = |column: &String| {
                let at = prepared
                    .ladders
                    .iter()
                    .position(|ladder| ladder.name() == column);
                let mut levels = tops.clone();
                let level = at.and_then(|at| levels.get_mut(at));
                let missing = || Error::Internal(format!("column `{column}` was not read"));
                *level.ok_or_else(missing)? = 0;
                Ok(Node::new(levels))
            };
            let nodes: Result<Vec<Node>, Error> = columns.iter().map(node).collect();
            Ok(Sequence::Given(nodes?))
        }
    }
}

/// Walks the policy's chain.
pub(super) fn walk(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Result<ChainDecision, Error> {
    let section = section(policy)?;
    let sequence = sequence(policy, prepared)?;
    let walk = ChainWalk {
        strategy: section.strategy,
        sequence: &sequence,
        effort: effort(Some(section), table),
        secret: secret(policy, table)?,
    };
    walk.walk(task, watch)
}

/// The public chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainReport {
    /// `datafly`, `prec`, `levels` or `columns`.
    pub kind: &'static str,
    /// How many steps were walked.
    pub walked: usize,
    /// Their levels, where they are not too many to list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Map<String, Value>>,
}

/// The row of which most is known. Its value stands in the data only.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DisclosureWitness {
    /// From 1.
    pub row: u64,
    /// The value that is believed of it.
    pub value: String,
}

/// What another strategy would have done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Otherwise {
    /// The strategy.
    pub strategy: &'static str,
    /// The step it would have published.
    pub step: Option<usize>,
    /// In words.
    pub words: String,
}

/// A decision, told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DisclosureReport {
    /// The strategy.
    pub strategy: &'static str,
    /// The chain.
    pub chain: ChainReport,
    /// The step that is published, from 1.
    pub step: Option<usize>,
    /// The step whose disclosure set was judged last.
    pub judged: Option<usize>,
    /// How the decision was made.
    pub method: Option<&'static str>,
    /// The tables that remain possible, where they were counted.
    pub size: Option<String>,
    /// The largest share of them in which a row has one value: the adversary's best ratio, or a bound on it.
    pub max_ratio: Option<f64>,
    /// The same as a fraction, where it is exact.
    pub max_ratio_exact: Option<String>,
    /// The row.
    pub witness: Option<DisclosureWitness>,
    /// How sure a sampled bound is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The seed of a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What the certifier found with other means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<DisclosureAudit>,
    /// What the other strategies would have done.
    pub otherwise: Vec<Otherwise>,
}

/// What was found of a disclosure set, as numbers and texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SetReport {
    /// How it was found.
    pub method: Option<&'static str>,
    /// Its size.
    pub size: Option<String>,
    /// The best ratio, or a bound.
    pub max: Option<f64>,
    /// The same as a fraction, where it is exact.
    pub max_exact: Option<String>,
    /// Where.
    pub witness: Option<DisclosureWitness>,
}

impl SetReport {
    /// Tells a disclosure set; `value` gives the text of a value's number.
    pub fn new(set: &Disclosure, value: impl Fn(u32) -> String) -> Self {
        let highest = set.max();
        let exact = highest
            .as_ref()
            .filter(|highest| highest.low == highest.high);
        Self {
            method: Some(set.method.name()),
            size: set.size.as_ref().map(|size| shortened(&size.to_string())),
            max: highest.as_ref().map(|highest| to_f64(&highest.high)),
            max_exact: exact.and_then(|highest| told(&highest.high)),
            witness: highest.map(|highest| DisclosureWitness {
                row: u64::from(highest.row) + 1,
                value: value(highest.value),
            }),
        }
    }
}

/// A fraction as a text, where it is not too long to read.
pub fn told(exact: &Exact) -> Option<String> {
    let text = exact.to_string();
    (text.len() <= DIGITS).then_some(text)
}

/// A fraction as a float.
pub fn to_f64(exact: &Exact) -> f64 {
    crate::model::belief_f64(exact)
}

/// A number of very many digits by its size.
fn shortened(digits: &str) -> String {
    if digits.len() <= DIGITS {
        return digits.to_owned();
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1)
}

impl DisclosureReport {
    /// Tells a decision.
    pub fn new(
        policy: &Policy,
        prepared: &Prepared,
        table: &Table,
        decision: &ChainDecision,
    ) -> Result<Self, Error> {
        let section = section(policy)?;
        let column = secret(policy, table)?;
        let value = |number: u32| {
            let code = decision.codes.get(number as usize);
            code.map_or_else(String::new, |code| {
                column.dictionary().text(*code).to_owned()
            })
        };
        let set = decision.disclosure.as_ref();
        let sampled = set.is_some_and(|set| set.method == Method::Sampling);
        let set = set
            .map(|set| SetReport::new(set, value))
            .unwrap_or_default();
        let listed = decision.steps.len() <= LISTED;
        let steps = decision.steps.iter().filter(|_| listed);
        Ok(Self {
            strategy: strategy_name(decision.strategy),
            chain: ChainReport {
                kind: match section.chain {
                    ChainPolicy::Datafly => "datafly",
                    ChainPolicy::Prec => "prec",
                    ChainPolicy::Levels(_) => "levels",
                    ChainPolicy::Columns(_) => "columns",
                },
                walked: decision.steps.len(),
                steps: steps.map(|node| levels(prepared, node)).collect(),
            },
            step: match decision.outcome {
                ChainOutcome::Published(step) => Some(step),
                _ => None,
            },
            judged: decision.judged(),
            method: set.method,
            size: set.size,
            max_ratio: set.max,
            max_ratio_exact: set.max_exact,
            witness: set.witness,
            confidence: sampled.then(|| section.confidence.to_f64()),
            seed: sampled.then_some(section.seed),
            certified: None,
            otherwise: decision.otherwise.iter().map(otherwise).collect(),
        })
    }
}

fn otherwise((strategy, outcome): &(Strategy, Option<ChainOutcome>)) -> Otherwise {
    let name = strategy_name(*strategy);
    let words = match outcome {
        None => format!("what the {name} strategy would have done is too much to compute"),
        Some(ChainOutcome::Published(step)) => {
            format!("the {name} strategy would have published step {step}")
        }
        Some(ChainOutcome::Leaks(step)) => format!(
            "the {name} strategy would have published nothing: step {step} would have told too much"
        ),
        Some(ChainOutcome::Undecided(..) | ChainOutcome::NoStep) => {
            format!("the {name} strategy would have published nothing")
        }
    };
    Otherwise {
        strategy: name,
        step: match outcome {
            Some(ChainOutcome::Published(step)) => Some(*step),
            _ => None,
        },
        words,
    }
}

/// Why nothing is published, and what to try.
pub fn refusal(report: &DisclosureReport, decision: &ChainDecision) -> (String, String) {
    let steps = decision.steps.len();
    let reason = match (&decision.outcome, decision.judged()) {
        (ChainOutcome::Leaks(step), _) => {
            let exact = report.max_ratio_exact.clone();
            let is_exact = decision
                .disclosure
                .as_ref()
                .is_none_or(|set| set.method.is_exact());
            let ratio = match (exact, report.max_ratio) {
                (Some(exact), _) => exact,
                (None, Some(ratio)) if is_exact => format!("{ratio:.4}"),
                (None, Some(ratio)) => format!("more than is allowed, and at most {ratio:.4}"),
                (None, None) => "too many".to_owned(),
            };
            format!(
                "step {step} of the chain keeps the models, but that the steps before it were refused tells more: of all tables that remain possible a row has one value in a share of {ratio}"
            )
        }
        (ChainOutcome::Undecided(step, why), _) => format!(
            "whether step {step} of the chain tells too much to somebody who knows the algorithm could not be decided: {why}"
        ),
        (_, Some(step)) => format!(
            "none of the {steps} steps of the chain can be published: to somebody who knows the algorithm each would tell too much (at step {step} a row has one value in a share of {} of all tables that remain possible)",
            report.max_ratio_exact.as_deref().unwrap_or("too many")
        ),
        _ => format!("none of the {steps} steps of the chain keeps the models"),
    };
    let others = report.otherwise.iter().filter(|other| other.step.is_some());
    let sound = others.filter(|other| other.strategy != "naive");
    let mut hint: Vec<String> = sound.map(|other| other.words.clone()).collect();
    hint.push("ask for less, or choose another chain: one in which the classes of a step split evenly into those of the step before tells nothing".to_owned());
    (reason, hint.join("; "))
}
