//! What the commands answer, as data. Text, JSON and HTML are renderings of these.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::audit::{
    Audit, BreachReport, ClassSizes, ModelReport, RareCombination, RowCounts, SerialReport,
};
use super::disclosure::DisclosureReport;
use super::policy::Policy;
use super::prepare::Prepared;
pub use super::recoded::{AttributeReport, RecodingReport, levels, recoding, tailored};
use super::refusal::{Refusal, Suggestion};
pub use super::similar::SimilarRecords;
use super::similar::similar_records;
use super::verdict::{ConcernReport, Verdict};
use super::workload::WorkloadReport;
use crate::algorithm::Minimal;
use crate::error::Error;
use crate::metric::{MetricId, Metrics};
use crate::table::Table;

/// The files of a publication.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Files {
    /// The published table.
    pub release: Option<String>,
    /// What was done, with hashes.
    pub manifest: Option<String>,
    /// The page for those who have the raw table.
    pub report: Option<String>,
    /// The plan, which can be read again; it stays in the house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The page for outsiders, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<String>,
    /// The policy by which outsiders audit, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_policy: Option<String>,
    /// The manifest of the hash alone, beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_manifest: Option<String>,
    /// Files of an earlier release that were replaced or removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<String>,
}

/// How much was searched.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Searched {
    /// The nodes of the lattice.
    #[serde(serialize_with = "large")]
    pub lattice: u128,
    /// Those whose classes were counted.
    pub checked: u64,
}

/// A whole number that JSON readers take: as a number where they keep it exact, else as a text.
fn large<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(*number) {
        Ok(number) => serializer.serialize_u64(number),
        Err(_) => serializer.collect_str(number),
    }
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading and counting.
    pub read: f64,
    /// Searching.
    pub search: f64,
    /// Making rows.
    pub apply: f64,
    /// Reading back and checking.
    pub certify: f64,
    /// Writing.
    pub write: f64,
}

/// The answer of `publish`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Publication {
    /// `published` or `refused`.
    pub status: &'static str,
    /// What that means: also whether a release that keeps its promises gives cause for concern.
    pub verdict: Verdict,
    /// The concerns.
    pub concerns: Vec<ConcernReport>,
    /// Whether what was written breaks the promise, as its name says: mu-Argus with `allow-broken` only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
    /// The published values that break k-anonymity, where mu-Argus does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combination: Option<RareCombination>,
    /// Why it was refused, or what is broken in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Which promises stand in the way of a release, and by how much, where it was refused and that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What would let it through, where it was refused: each was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<Suggestion>>,
    /// The files.
    pub files: Files,
    /// The search.
    pub algorithm: &'static str,
    /// The recoding.
    pub recoding: Option<RecodingReport>,
    /// Rows.
    pub rows: RowCounts,
    /// Classes.
    pub classes: ClassSizes,
    /// Measures.
    pub metrics: Option<Metrics>,
    /// Promises.
    pub models: Vec<ModelReport>,
    /// Breach probabilities, where a promise is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breach: Option<BreachReport>,
    /// The probabilities over all releases, where a promise is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<SerialReport>,
    /// What was decided about somebody who knows the algorithm, where the policy asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<DisclosureReport>,
    /// Search effort.
    pub searched: Searched,
    /// Whether no other recoding of the kind that was searched (full-domain, or cell by cell) can be better by the metric.
    pub optimal: bool,
    /// The nodes that are equally good, where the search looks for them; of `mingen-cell` the tables, the published one first.
    pub ties: Vec<Map<String, Value>>,
    /// How many tables are equally good, where the search counts them; at most 100 are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties_count: Option<u64>,
    /// Whether there are no more than that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties_complete: Option<bool>,
    /// Remarks.
    pub remarks: Vec<String>,
    /// Times.
    pub seconds: Seconds,
}

impl Publication {
    /// The same with the verdict that follows from its status and its concerns.
    #[must_use]
    pub fn judged(mut self) -> Self {
        self.verdict = if self.status == "published" {
            Verdict::of(!self.broken, &self.concerns)
        } else {
            Verdict::Refused
        };
        self
    }
}

/// The answer of `lattice`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatticeReport {
    /// `listed`, or `refused` where no node keeps the models.
    pub status: &'static str,
    /// Why no node does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Which promises stand in the way, and by how much, where no node does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What would help, where no node does: each was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<Suggestion>>,
    /// The number of nodes.
    #[serde(serialize_with = "large")]
    pub size: u128,
    /// How many were checked.
    pub checked: u64,
    /// All minimal generalizations.
    pub minimal: Vec<MinimalReport>,
    /// The number of the best minimal node, from 1, by metric.
    pub best: Map<String, Value>,
    /// Remarks.
    pub remarks: Vec<String>,
}

/// A minimal generalization.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MinimalReport {
    /// Its levels.
    pub levels: Map<String, Value>,
    /// Suppressed rows.
    pub suppressed: u64,
    /// Its classes.
    pub classes: u64,
    /// What the similarity attack finds in it, where a column has categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<SimilarRecords>,
    /// Its measures.
    #[serde(flatten)]
    pub metrics: Metrics,
}

impl LatticeReport {
    /// Puts a list of minimal nodes together with their measures.
    pub fn new(
        size: u128,
        checked: u64,
        minimal: Vec<MinimalReport>,
        remarks: Vec<String>,
    ) -> Self {
        let mut best = Map::new();
        for id in MetricId::ALL
            .into_iter()
            .filter(|id| *id != MetricId::LossMean)
        {
            let least = minimal.iter().enumerate().min_by(|(_, left), (_, right)| {
                id.cost_in(&left.metrics)
                    .total_cmp(&id.cost_in(&right.metrics))
            });
            if let Some((at, _)) = least {
                best.insert(id.key(), json!(at + 1));
            }
        }
        Self {
            status: "listed",
            reason: None,
            hint: None,
            refusal: None,
            suggestions: None,
            size,
            checked,
            minimal,
            best,
            remarks,
        }
    }

    /// The answer where no node keeps the models.
    pub fn refused(
        size: u128,
        checked: u64,
        reason: String,
        hint: Option<String>,
        remarks: Vec<String>,
    ) -> Self {
        Self {
            status: "refused",
            reason: Some(reason),
            hint,
            ..Self::new(size, checked, Vec::new(), remarks)
        }
    }
}

/// A minimal node with its measures.
pub fn minimal_report(
    policy: &Policy,
    table: &Table,
    prepared: &Prepared,
    minimal: &Minimal,
) -> Result<MinimalReport, Error> {
    let (tally, metrics) = super::plan::measure_node(policy, prepared, &minimal.node);
    Ok(MinimalReport {
        levels: levels(prepared, &minimal.node),
        suppressed: minimal.suppressed,
        classes: tally.published_classes(Prepared::keeps_rows(policy)),
        similarity: similar_records(policy, table, prepared, &minimal.node)?,
        metrics,
    })
}

/// The answer of `measure`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The measures.
    pub metrics: Metrics,
    /// Rows.
    pub rows: RowCounts,
    /// Classes.
    pub classes: ClassSizes,
    /// How far off queries are, where some were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<WorkloadReport>,
    /// Remarks.
    pub remarks: Vec<String>,
}

impl Measured {
    /// The measures beside what the certifier counted.
    pub fn new(metrics: Metrics, original_rows: u64, audit: Audit) -> Self {
        let dropped = original_rows - audit.rows.released;
        let rows = RowCounts {
            read: original_rows,
            suppressed: audit.rows.suppressed + dropped,
            ..audit.rows
        };
        Self {
            metrics,
            rows,
            classes: audit.classes,
            workload: None,
            remarks: audit.remarks,
        }
    }
}
