//! Is a release safe against somebody who knows the algorithm? Checked again, with other code than decided it.
//!
//! **Definition.** Under `exclusive` the release is the first step of the chain whose classes keep the promises, and every belief
//! about a row within its disclosure set keeps them; under `inclusive` the disclosure set is that of Table 3 ([Zhang07]).
//! **Reading.** The chain is derived here from the policy, the hierarchies and the raw quasi-identifiers; the set is counted row by
//! row, or table by table, or bounded, or drawn from with another seed than the search's. What cannot be confirmed counts as broken.
//! **Holds because** every promise of a class model is kept by unions of classes that keep it: so of the refusals only those
//! of steps below no other refused step tell anything.

mod draw;
mod judge;
mod literal;
mod odds;
mod seldom;
mod set;
mod steps;

use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{Published, Source};
use crate::adversary::Strategy;
use crate::error::{Error, Place};
use crate::hierarchy::Level;
use crate::release::policy::{DisclosurePolicy, ModelSpec, Unit};
use crate::table::Role;
use judge::{Judge, ratio};
use literal::Literal;
use set::{Belief, Found, Secret};
use steps::Steps;

/// What the certifier found about somebody who knows the algorithm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DisclosureAudit {
    /// Whether what he believes keeps every promise.
    pub holds: bool,
    /// The strategy.
    pub strategy: &'static str,
    /// The step of the chain that the table is, from 1.
    pub step: Option<usize>,
    /// How it was found.
    pub method: Option<&'static str>,
    /// How many tables remain possible, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// The best ratio, or a bound on it.
    pub max_ratio: Option<f64>,
    /// The same as a fraction, where it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ratio_exact: Option<String>,
    /// Why it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Checks a release of a chain against its source.
pub(super) fn check(
    published: &Published<'_>,
    section: &DisclosurePolicy,
    source: &Source<'_>,
) -> Result<DisclosureAudit, Error> {
    let mut audit = DisclosureAudit {
        holds: false,
        strategy: DisclosurePolicy::strategy_name(section.strategy),
        step: None,
        method: None,
        size: None,
        max_ratio: None,
        max_ratio_exact: None,
        why: None,
    };
    let policy = published.policy;
    let names: Vec<&str> = policy
        .with_role(Role::Quasi)
        .map(|column| column.name.as_str())
        .collect();
    let steps = Steps::new(published, source)?;
    let walked = steps.walked(&section.chain, &names, &policy.search.weights)?;
    let Some(mut walked) = walked else {
        audit.why = Some("the table is no step of the policy's chain".to_owned());
        return Ok(audit);
    };
    audit.step = Some(walked.len());
    let of = policy.privacy.iter().find_map(|model| model.spec.of());
    let column = of.and_then(|of| published.table.column(of));
    let column = column.ok_or_else(|| {
        Error::data(
            Place::file(published.file),
            "the table has no sensitive column that a promise speaks of",
        )
    })?;
    let (judge, values) = Judge::new(published, column)?;
    let released = steps.groups(&walked.pop().unwrap_or_default());
    let inclusive = section.strategy == Strategy::Inclusive;
    if !inclusive {
        keep_highest(&mut walked);
    }
    let refused: Vec<Vec<u32>> = walked
        .iter()
        .map(|step| steps.groups(step))
        .filter(|groups| is_large_enough(published, groups))
        .collect();
    let mut secret = Secret {
        judge: &judge,
        values: &values,
        released: &released,
        refused,
    };
    if inclusive {
        // A step that no table keeps the promises at is never released, and its refusal tells nothing.
        secret.forget_impossible();
    }
    // Of several steps of the inclusive strategy the sets tell which is released.
    if !inclusive || secret.refused.len() == 1 {
        let passes = |groups: &Vec<u32>| {
            secret
                .histograms(groups)
                .iter()
                .all(|counts| judge.passes(counts))
        };
        if secret.refused.iter().any(passes) {
            audit.why = Some("an earlier step of the chain keeps the promises: this is not the one that the strategy releases".to_owned());
            return Ok(audit);
        }
    }
    if section.strategy == Strategy::Naive {
        audit.holds = true;
        return Ok(audit);
    }
    let found = if inclusive && secret.refused.len() > 1 {
        let all: Vec<Vec<u32>> = secret
            .refused
            .iter()
            .cloned()
            .chain([released.clone()])
            .collect();
        Literal::new(&judge, &all).last(&values)
    } else {
        find(&mut secret, section)
    };
    match found {
        Some(found) => audit.tell(&found, &judge),
        None => {
            audit.why = Some(
                "the certifier could not confirm that somebody who knows the algorithm believes no more than is promised"
                    .to_owned(),
            );
        }
    }
    Ok(audit)
}

/// Counts or draws, the cheapest first.
fn find(secret: &mut Secret<'_>, section: &DisclosurePolicy) -> Option<Found> {
    if let Some(found) = secret.count() {
        return Some(found);
    }
    secret.forget_certain();
    if secret.refused.is_empty() {
        return Some(secret.plain("certain refusals"));
    }
    if secret.is_even_split() {
        return Some(secret.plain("even splits"));
    }
    if let Some(found) = secret.seldom() {
        return Some(found);
    }
    let doubt = 1.0 - section.confidence.to_f64();
    secret.draw(section.seed.wrapping_add(1), doubt.max(f64::MIN_POSITIVE))
}

impl DisclosureAudit {
    fn tell(&mut self, found: &Found, judge: &Judge<'_>) {
        self.method = Some(found.method);
        self.size = found.size.as_ref().map(BigInt::to_string);
        let share = |belief: &Belief| {
            let high = belief.high.iter().max().cloned().unwrap_or_default();
            (ratio(&high, &belief.total), high)
        };
        let worst = found.beliefs.iter().map(|belief| (share(belief), belief));
        let worst = worst.max_by(|((left, _), _), ((right, _), _)| left.total_cmp(right));
        if let Some(((float, high), belief)) = worst {
            self.max_ratio = Some(float);
            let exact = num_rational::Ratio::new(high, belief.total.clone()).to_string();
            self.max_ratio_exact =
                Some(exact).filter(|text| belief.low == belief.high && text.len() < 4_000);
        }
        let broken = found.beliefs.iter().find(|belief| !belief.keeps(judge));
        self.holds = broken.is_none();
        self.why = broken.map(|belief| {
            format!(
                "what somebody who knows the algorithm believes of row {} breaks a promise",
                belief.row + 1
            )
        });
    }
}

/// Keeps the steps below no other.
fn keep_highest(steps: &mut Vec<Vec<Level>>) {
    let all = std::mem::take(steps);
    let below = |step: &Vec<Level>, other: &Vec<Level>| {
        step != other && step.iter().zip(other).all(|(here, there)| here <= there)
    };
    for step in all {
        if steps
            .iter()
            .any(|other| below(&step, other) || step == *other)
        {
            continue;
        }
        steps.retain(|other| !below(other, &step));
        steps.push(step);
    }
}

/// Whether every group is as large as the promises about sizes ask: what is too small is refused for every secret.
fn is_large_enough(published: &Published<'_>, groups: &[u32]) -> bool {
    published
        .policy
        .privacy
        .iter()
        .all(|model| match &model.spec {
            // A promise about some columns is kept where every group is large enough, which is what the walk asks for.
            ModelSpec::KAnonymity { k, unit, .. } => {
                let persons = published.persons.filter(|_| *unit == Unit::Person);
                sizes_of(groups, persons).iter().all(|size| size >= k)
            }
            _ => true,
        })
}

/// The rows of each group, or its persons where they are known.
fn sizes_of(groups: &[u32], persons: Option<&[u32]>) -> Vec<u64> {
    let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
    let mut sizes = vec![0; count];
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    for (row, group) in groups.iter().enumerate() {
        let is_new = persons.is_none_or(|persons| seen.insert((*group, persons[row])));
        sizes[*group as usize] += u64::from(is_new);
    }
    sizes
}
