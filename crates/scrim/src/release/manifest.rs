//! The manifest: what was done, so that it can be checked and done again. No time stands in it: the same policy on the
//! same data gives the same bytes, unless a search ran out of time, which the remarks then say.

use serde::Serialize;
use serde_json::{Map, Value};

use super::audit::{
    BreachReport, ClassSizes, ModelReport, RareCombination, RowCounts, SerialReport,
};
use super::disclosure::DisclosureReport;
use super::figures::Figures;
use super::recoded::SensitiveReport;
use super::report::{RecodingReport, Searched};
use super::verdict::{ConcernReport, Verdict};
use crate::metric::Metrics;

/// A file and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hashed {
    /// The file as the policy names it.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// Where a column's hierarchy came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HierarchySource {
    /// The column.
    pub column: String,
    /// The file; nothing where the policy describes the hierarchy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Hashed>,
    /// The number of levels above the ground domain.
    pub height: u8,
    /// The values of its domain.
    pub values: u64,
    /// Whether all values lie equally deep.
    pub even: bool,
}

/// The policy, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicySource {
    /// The file and its hash.
    #[serde(flatten)]
    pub hashed: Hashed,
    /// The text.
    pub text: String,
}

/// The input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputSource {
    /// The file and its hash.
    #[serde(flatten)]
    pub hashed: Hashed,
    /// Rows without a value, by column that has any.
    pub missing: Map<String, Value>,
}

/// The output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Output {
    /// The file and its hash.
    #[serde(flatten)]
    pub hashed: Hashed,
    /// Its size.
    pub bytes: u64,
}

/// A released column that gives the categories of a sensitive one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CategorySource {
    /// The column.
    pub column: String,
    /// The sensitive column.
    pub of: String,
    /// The labels of the categories, the most sensitive first.
    pub labels: Vec<String>,
}

/// The breach probabilities of a release, with their curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreachCurve {
    /// The largest, and the case.
    #[serde(flatten)]
    pub report: BreachReport,
    /// Probabilities and how many rows have them, the largest first.
    pub curve: Vec<(f64, u64)>,
}

/// The manifest of a release.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manifest {
    /// The format of this file.
    pub manifest: u32,
    /// The verdict on the release.
    pub verdict: Verdict,
    /// What gives cause for concern in it.
    pub concerns: Vec<ConcernReport>,
    /// Whether the release breaks the promise, as its name says.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
    /// The published values that break k-anonymity, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combination: Option<RareCombination>,
    /// The version that made it.
    pub scrim: &'static str,
    /// The policy.
    pub policy: PolicySource,
    /// The table that was read.
    pub input: InputSource,
    /// The hierarchies.
    pub hierarchies: Vec<HierarchySource>,
    /// The table that was written.
    pub output: Output,
    /// The search.
    pub algorithm: &'static str,
    /// What it optimized.
    pub metric: &'static str,
    /// Whether the recoding is proven best by that metric.
    pub optimal: bool,
    /// The recoding.
    pub recoding: RecodingReport,
    /// The functions by which classes generalize their sensitive values, where they do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<SensitiveReport>,
    /// Columns of categories, where they are published.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategorySource>,
    /// Rows.
    pub rows: RowCounts,
    /// Classes.
    pub classes: ClassSizes,
    /// Promises, as the certifier found them.
    pub models: Vec<ModelReport>,
    /// Breach probabilities, where a promise is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breach: Option<BreachCurve>,
    /// The probabilities over all releases, where a promise is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<SerialReport>,
    /// The public chain, and what was decided about somebody who knows it, where the policy asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<DisclosureReport>,
    /// Measures.
    pub metrics: Metrics,
    /// Search effort.
    pub searched: Searched,
    /// Nodes that were equally good.
    pub ties: Vec<Map<String, Value>>,
    /// The rules that decided between equals.
    pub tie_rules: Vec<String>,
    /// The seed of random choices; nothing where none were made.
    pub seed: Option<u64>,
    /// Remarks.
    pub remarks: Vec<String>,
    /// What the report draws.
    pub report: Figures,
}
