//! What the commands answer, as data. Text, JSON and HTML are renderings of these.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::audit::{Audit, ClassSizes, ModelReport, RowCounts};
use super::plan::Plan;
use super::policy::Policy;
use super::prepare::Prepared;
use crate::algorithm::Minimal;
use crate::hierarchy::Ladder;
use crate::metric::Metrics;
use crate::recoding::{Local, Node, Recoding};

/// The files of a publication.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Files {
    /// The published table.
    pub release: Option<String>,
    /// What was done, with hashes.
    pub manifest: Option<String>,
    /// The page for readers.
    pub report: Option<String>,
}

/// The recoding, in data and words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecodingReport {
    /// Which kind of recoding.
    pub kind: &'static str,
    /// The level of each quasi-identifier, where it has one for all rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Map<String, Value>>,
    /// Each quasi-identifier.
    pub attributes: Vec<AttributeReport>,
}

/// The recoding of one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttributeReport {
    /// Its name.
    pub column: String,
    /// Its level, where it has one for all rows.
    pub level: Option<u8>,
    /// The top level.
    pub height: u8,
    /// What was done, in words.
    pub words: String,
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
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
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
    /// Search effort.
    pub searched: Searched,
    /// Whether no other full-domain recoding can be better by the metric.
    pub optimal: bool,
    /// The nodes that are equally good, where the search looks for them.
    pub ties: Vec<Map<String, Value>>,
    /// Remarks.
    pub remarks: Vec<String>,
    /// Times.
    pub seconds: Seconds,
    /// Whether a release that was refused had suppressed rows.
    #[serde(skip)]
    pub suppressed_before_refusal: bool,
}

/// The levels of a node by column.
pub fn levels(prepared: &Prepared, node: &Node) -> Map<String, Value> {
    prepared
        .ladders
        .iter()
        .zip(node.levels())
        .map(|(ladder, level)| (ladder.name().to_owned(), json!(level)))
        .collect()
}

/// The recoding of a plan.
pub fn recoding(prepared: &Prepared, plan: &Plan) -> RecodingReport {
    match &plan.found.recoding {
        Recoding::FullDomain { node, .. } => {
            let attribute = |(ladder, level): (&Ladder, &u8)| AttributeReport {
                column: ladder.name().to_owned(),
                level: Some(*level),
                height: ladder.height(),
                words: words(ladder, *level),
            };
            RecodingReport {
                kind: "full-domain",
                levels: Some(levels(prepared, node)),
                attributes: prepared
                    .ladders
                    .iter()
                    .zip(node.levels())
                    .map(attribute)
                    .collect(),
            }
        }
        Recoding::Local(local) => {
            let attribute = |(at, ladder): (usize, &Ladder)| AttributeReport {
                column: ladder.name().to_owned(),
                level: None,
                height: ladder.height(),
                words: local_words(ladder, local, at),
            };
            let attributes = prepared.ladders.iter().enumerate().map(attribute).collect();
            RecodingReport {
                kind: "local",
                levels: None,
                attributes,
            }
        }
    }
}

/// How many classes show an attribute at each depth below its top.
fn local_words(ladder: &Ladder, local: &Local, attribute: usize) -> String {
    let tree = ladder.hierarchy();
    let mut counts = vec![0usize; usize::from(tree.height()) + 1];
    local
        .classes
        .iter()
        .for_each(|class| counts[usize::from(tree.level(class[attribute]))] += 1);
    let parts = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let parts: Vec<String> = parts
        .map(|(level, count)| format!("level {level} in {count}"))
        .collect();
    format!("classes by level: {}", parts.join(", "))
}

fn words(ladder: &Ladder, level: u8) -> String {
    let groups = ladder.width(level);
    if level == 0 {
        return "as it is".to_owned();
    }
    if level == ladder.height() {
        return "suppressed".to_owned();
    }
    // The smallest label: it stands in the release anyway, and does not depend on the order of rows.
    let example = ladder
        .labels(level)
        .filter(|label| !label.is_empty())
        .min()
        .unwrap_or("");
    format!(
        "{groups} group{}, such as {example}",
        if groups == 1 { "" } else { "s" }
    )
}

/// The answer of `lattice`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatticeReport {
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
    /// Its measures.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// A measure's name, and its cost.
type Measure = (&'static str, fn(&Metrics) -> f64);

impl LatticeReport {
    /// Puts a list of minimal nodes together with their measures.
    pub fn new(
        size: u128,
        checked: u64,
        minimal: Vec<MinimalReport>,
        remarks: Vec<String>,
    ) -> Self {
        let mut best = Map::new();
        let measures: [Measure; 7] = [
            ("prec", |metrics| -metrics.prec),
            ("distortion_ratio", |metrics| metrics.distortion_ratio),
            ("information_loss", |metrics| metrics.information_loss),
            ("loss", |metrics| metrics.loss),
            ("discernibility", |metrics| metrics.discernibility as f64),
            ("average_class_size", |metrics| metrics.average_class_size),
            ("entropy", |metrics| metrics.entropy),
        ];
        for (name, cost) in measures {
            let least = minimal.iter().enumerate().min_by(|(_, left), (_, right)| {
                cost(&left.metrics).total_cmp(&cost(&right.metrics))
            });
            if let Some((at, _)) = least {
                best.insert(name.to_owned(), json!(at + 1));
            }
        }
        Self {
            size,
            checked,
            minimal,
            best,
            remarks,
        }
    }
}

/// A minimal node with its measures.
pub fn minimal_report(policy: &Policy, prepared: &Prepared, minimal: &Minimal) -> MinimalReport {
    let (tally, metrics) = super::plan::measure_node(policy, prepared, &minimal.node);
    MinimalReport {
        levels: levels(prepared, &minimal.node),
        suppressed: minimal.suppressed,
        classes: tally.published_classes(Prepared::keeps_rows(policy)),
        metrics,
    }
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
            remarks: audit.remarks,
        }
    }
}
