//! Several searches under one policy, side by side.
//!
//! **Reading.** A search is *certified* when the release that it would have published kept every promise, *broken* when the
//! certifier said no to it, *refused* when it found nothing, and *not applicable* when it cannot soundly carry the policy. Only
//! certified ones compete; costs that differ by less than a billionth are equal.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::audit::{ClassSizes, ModelReport, RowCounts};
use super::report::{Publication, Searched, Seconds};
use crate::algorithm::tells_of_time;
use crate::metric::{MetricId, Metrics};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// Its release kept every promise.
    #[serde(rename = "certified")]
    Certified,
    /// It cannot soundly carry the policy.
    #[serde(rename = "not applicable")]
    NotApplicable,
    /// It found nothing.
    #[serde(rename = "refused")]
    Refused,
    /// The certifier said no to what it found.
    #[serde(rename = "broken")]
    Broken,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Certified => "certified",
            Self::NotApplicable => "not applicable",
            Self::Refused => "refused",
            Self::Broken => "broken",
        })
    }
}

/// The kind of a recoding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRecoding {
    /// Which kind.
    pub kind: &'static str,
    /// The level of each quasi-identifier, where it has one for all rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Map<String, Value>>,
}

/// The seconds of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ComparedSeconds {
    /// Searching.
    pub search: f64,
    /// Making rows.
    pub apply: f64,
    /// Reading back and checking.
    pub certify: f64,
}

impl From<Seconds> for ComparedSeconds {
    fn from(seconds: Seconds) -> Self {
        Self {
            search: seconds.search,
            apply: seconds.apply,
            certify: seconds.certify,
        }
    }
}

/// One search under the policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The search.
    pub algorithm: &'static str,
    /// Whether it is the policy's own.
    pub chosen: bool,
    /// How it ended.
    pub verdict: Verdict,
    /// Why it is not certified.
    pub reason: Option<String>,
    /// What to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What it found.
    pub recoding: Option<ComparedRecoding>,
    /// Rows.
    pub rows: Option<RowCounts>,
    /// Classes.
    pub classes: Option<ClassSizes>,
    /// Measures, with bound and gap where the search gives them.
    pub metrics: Option<Metrics>,
    /// Whether no other recoding of its kind can be better by the metric.
    pub optimal: bool,
    /// Whether it ran out of time: what it found by then is what is compared, or nothing.
    pub timed_out: bool,
    /// Promises.
    pub models: Vec<ModelReport>,
    /// Search effort.
    pub searched: Option<Searched>,
    /// What is to be known about this search.
    pub remarks: Vec<String>,
    /// Times.
    pub seconds: ComparedSeconds,
}

impl Compared {
    /// A search that could not run.
    pub fn without_answer(
        algorithm: &'static str,
        verdict: Verdict,
        reason: String,
        hint: Option<String>,
    ) -> Self {
        Self {
            algorithm,
            chosen: false,
            verdict,
            reason: Some(reason),
            hint,
            recoding: None,
            rows: None,
            classes: None,
            metrics: None,
            optimal: false,
            timed_out: false,
            models: Vec::new(),
            searched: None,
            remarks: Vec::new(),
            seconds: ComparedSeconds::default(),
        }
    }

    /// What a search would have published, or why nothing. Remarks that all searches share are left out.
    pub fn answered(algorithm: &'static str, answer: Publication, shared: &[String]) -> Self {
        let verdict = match (&answer.reason, &answer.recoding) {
            (None, _) => Verdict::Certified,
            (Some(_), Some(_)) => Verdict::Broken,
            (Some(_), None) => Verdict::Refused,
        };
        let found = answer.recoding.is_some();
        let mut told = answer.remarks.iter().chain(&answer.reason);
        let timed_out = told.any(|words| tells_of_time(words));
        // Rows and classes are counted by the certifier, who may have turned the release down before.
        let counted = !answer.models.is_empty();
        Self {
            algorithm,
            chosen: false,
            verdict,
            reason: answer.reason,
            hint: answer.hint,
            recoding: answer.recoding.map(|recoding| ComparedRecoding {
                kind: recoding.kind,
                levels: recoding.levels,
            }),
            rows: counted.then_some(answer.rows),
            classes: counted.then_some(answer.classes),
            metrics: answer.metrics,
            optimal: answer.optimal,
            timed_out,
            models: answer.models,
            searched: found.then_some(answer.searched),
            remarks: answer
                .remarks
                .into_iter()
                .filter(|remark| !shared.contains(remark))
                .collect(),
            seconds: answer.seconds.into(),
        }
    }
}

/// All searches under one policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The policy file.
    pub policy: String,
    /// The policy's own search.
    pub algorithm: &'static str,
    /// What the policy optimizes, as the measure's key.
    pub metric: String,
    /// The searches with the best value of each measure, among the certified ones.
    pub best: Map<String, Value>,
    /// Each search.
    pub compared: Vec<Compared>,
    /// The searches that did not run to their end because the user stopped the work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interrupted: Vec<&'static str>,
    /// What is to be known about policy and table.
    pub remarks: Vec<String>,
}

impl Comparison {
    /// Puts searches side by side.
    pub fn new(
        policy: String,
        algorithm: &'static str,
        metric: MetricId,
        mut compared: Vec<Compared>,
        remarks: Vec<String>,
    ) -> Self {
        for one in &mut compared {
            one.chosen = one.algorithm == algorithm;
        }
        Self {
            policy,
            algorithm,
            metric: metric.key(),
            best: best(&compared),
            compared,
            interrupted: Vec::new(),
            remarks,
        }
    }

    /// The policy's own search.
    pub fn chosen(&self) -> Option<&Compared> {
        self.compared.iter().find(|one| one.chosen)
    }

    /// Whether a search has the best value of a measure.
    pub fn is_best(&self, key: &str, algorithm: &str) -> bool {
        let names = self.best.get(key).and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|name| name == algorithm))
    }
}

/// What generalized sensitive values lose has a key of its own, but cannot be optimized alone.
pub const SENSITIVE_LOSS: &str = "sensitive_loss";

fn best(compared: &[Compared]) -> Map<String, Value> {
    let certified: Vec<(&'static str, &Metrics)> = compared
        .iter()
        .filter(|one| one.verdict == Verdict::Certified)
        .filter_map(|one| Some((one.algorithm, one.metrics.as_ref()?)))
        .collect();
    let mut best = Map::new();
    for id in MetricId::ALL {
        let costs = certified.iter();
        let costs = costs.map(|(name, metrics)| (*name, id.cost_in(metrics)));
        insert_least(&mut best, id.key(), costs.collect());
    }
    let lost = certified.iter();
    let lost = lost.filter_map(|(name, metrics)| Some((*name, metrics.sensitive_loss?)));
    insert_least(&mut best, SENSITIVE_LOSS.to_owned(), lost.collect());
    best
}

fn insert_least(best: &mut Map<String, Value>, key: String, costs: Vec<(&'static str, f64)>) {
    let Some(least) = costs.iter().map(|(_, cost)| *cost).reduce(f64::min) else {
        return;
    };
    let most = least + least.abs() * 1e-9;
    let names = costs.into_iter().filter(|(_, cost)| *cost <= most);
    best.insert(key, names.map(|(name, _)| Value::from(name)).collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::audit::ModelReport;
    use crate::release::recoded::RecodingReport;

    fn metrics(prec: f64, loss: f64, sensitive_loss: Option<f64>) -> Metrics {
        Metrics {
            prec,
            prec_exact: None,
            prec_unweighted: prec,
            distortion_ratio: 0.0,
            distortion_ratio_exact: None,
            information_loss: 0.0,
            information_loss_exact: None,
            loss,
            loss_mean: loss,
            discernibility: 9,
            average_class_size: 3.0,
            sensitive_loss,
            entropy: 0.0,
            entropy_share: 0.0,
            bound: None,
            gap: None,
            columns: Vec::new(),
        }
    }

    fn answer(metrics: Metrics, reason: Option<&str>) -> Publication {
        Publication {
            reason: reason.map(str::to_owned),
            recoding: Some(RecodingReport {
                kind: "local",
                levels: None,
                attributes: Vec::new(),
            }),
            metrics: Some(metrics),
            models: vec![ModelReport {
                model: "k-anonymity".to_owned(),
                parameters: Map::new(),
                holds: reason.is_none(),
                observed: Value::Null,
                details: Map::new(),
                witness: None,
                breach: None,
                serial: None,
            }],
            remarks: vec!["shared".to_owned(), "own".to_owned()],
            ..Publication::default()
        }
    }

    fn comparison() -> Comparison {
        let shared = ["shared".to_owned()];
        let answered =
            |name, metrics, reason| Compared::answered(name, answer(metrics, reason), &shared);
        let nothing = Publication {
            reason: Some("nothing found".to_owned()),
            ..Publication::default()
        };
        let compared = vec![
            answered("a", metrics(0.5, 0.25, Some(2.0)), None),
            answered("b", metrics(0.75, 0.25 + 1e-12, Some(1.0)), None),
            answered("c", metrics(0.9, 0.1, Some(0.0)), Some("not kept")),
            Compared::answered("d", nothing, &shared),
        ];
        Comparison::new(
            "p.toml".to_owned(),
            "b",
            MetricId::LossMean,
            compared,
            Vec::new(),
        )
    }

    #[test]
    fn only_certified_searches_compete_and_ties_share_the_place() {
        let comparison = comparison();
        assert_eq!(comparison.best["prec"], serde_json::json!(["b"]));
        assert_eq!(comparison.best["loss"], serde_json::json!(["a", "b"]));
        assert_eq!(comparison.best[SENSITIVE_LOSS], serde_json::json!(["b"]));
        assert!(comparison.is_best("loss", "a") && !comparison.is_best("prec", "c"));
    }

    #[test]
    fn a_search_that_ran_out_of_time_says_so_with_or_without_a_release() {
        let hit = "the time limit of 10 seconds was hit: the release is the best found until then";
        let mut found = answer(metrics(0.5, 0.25, None), None);
        assert!(!Compared::answered("a", found.clone(), &[]).timed_out);
        found.remarks.push(hit.to_owned());
        assert!(Compared::answered("a", found, &[]).timed_out);
        let error = crate::Error::OutOfTime { seconds: 10 };
        let nothing = Publication {
            reason: Some(error.to_string()),
            ..Publication::default()
        };
        let compared = Compared::answered("a", nothing, &[]);
        assert!(compared.timed_out && compared.verdict == Verdict::Refused);
    }

    #[test]
    fn each_ending_has_its_verdict() {
        use Verdict::{Broken, Certified, Refused};
        let comparison = comparison();
        let verdicts: Vec<Verdict> = comparison.compared.iter().map(|one| one.verdict).collect();
        assert_eq!(verdicts, [Certified, Certified, Broken, Refused]);
        assert_eq!(comparison.metric, "loss_mean");
        assert_eq!(comparison.chosen().map(|one| one.algorithm), Some("b"));
        assert_eq!(comparison.compared[0].remarks, ["own"]);
        assert_eq!(comparison.compared[3].rows, None);
    }
}
