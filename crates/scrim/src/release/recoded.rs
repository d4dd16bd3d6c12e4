//! A recoding in data and words, for reports and manifests.

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::figures::local_words;
use super::plan::Plan;
use super::prepare::Prepared;
use crate::hierarchy::{Ladder, is_star};
use crate::recoding::{Cut, GeneralizedSensitive, Node, Part, Recoding};

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
    /// The parts that its domain is cut into, in order, also those that no row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Vec<String>>,
}

/// What became of a sensitive column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SensitiveReport {
    /// The column.
    pub column: String,
    /// The classes whose function raises values, by their first row in the release, from 1; in all others they stay as they are.
    pub classes: Vec<TailoredReport>,
}

/// The function of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TailoredReport {
    /// The class.
    pub class: u64,
    /// The taxa to which it raises the values below them.
    pub raised: Vec<String>,
}

/// The tailored functions of a plan, whose release has these rows of the source in this order.
pub fn tailored(plan: &Plan, rows: &[u32]) -> Vec<SensitiveReport> {
    let report = |generalized: &GeneralizedSensitive| {
        let mut numbers: FxHashMap<u32, u64> = FxHashMap::default();
        for row in rows {
            let class = generalized.class_of_row[*row as usize];
            let next = numbers.len() as u64 + 1;
            numbers.entry(class).or_insert(next);
        }
        let raised = (0u32..).zip(&generalized.functions);
        let raised = raised.filter_map(|(class, function)| {
            let raised = function.as_ref().filter(|raised| !raised.is_empty())?;
            let label = |taxon| generalized.tree.label(taxon).to_owned();
            Some(TailoredReport {
                class: *numbers.get(&class)?,
                raised: raised.iter().copied().map(label).collect(),
            })
        });
        let mut classes: Vec<TailoredReport> = raised.collect();
        classes.sort_unstable_by_key(|report| report.class);
        SensitiveReport {
            column: generalized.column.clone(),
            classes,
        }
    };
    plan.sensitive.iter().map(report).collect()
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
                cut: None,
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
        Recoding::Subtree(cuts) => {
            let attribute = |(ladder, cut): (&Ladder, &Cut)| AttributeReport {
                column: ladder.name().to_owned(),
                level: None,
                height: cut.height,
                words: cut_words(cut),
                cut: Some(cut.parts.iter().map(|part| part.label.clone()).collect()),
            };
            RecodingReport {
                kind: "subtree",
                levels: None,
                attributes: prepared.ladders.iter().zip(cuts).map(attribute).collect(),
            }
        }
        Recoding::Local(local) => {
            let attribute = |(at, ladder): (usize, &Ladder)| AttributeReport {
                column: ladder.name().to_owned(),
                level: None,
                height: local.numbers(at).map_or(ladder.height(), |_| 2),
                words: local_words(ladder, local, at),
                cut: None,
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

/// How many parts a cut has, and how wide the widest is.
fn cut_words(cut: &Cut) -> String {
    let shown = |part: usize| cut.part_of_code.contains(&(part as u32));
    let parts: Vec<&Part> = (0..cut.parts.len())
        .filter(|part| shown(*part))
        .map(|part| &cut.parts[part])
        .collect();
    let widest = parts.iter().max_by_key(|part| part.values);
    let widest = widest.map_or("", |part| part.label.as_str());
    let single = parts.iter().filter(|part| part.values == 1).count();
    match (parts.len(), cut.parts.len()) {
        (1, _) if is_star(widest) => "suppressed".to_owned(),
        (used, _) if used == single => "as it is".to_owned(),
        (1, _) => format!("all {widest}"),
        (used, all) => {
            let of = if used < all {
                format!(" of {all} that it is cut into")
            } else {
                String::new()
            };
            format!("{used} parts{of}, {single} of them single values; the widest is {widest}")
        }
    }
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
