//! The attack of somebody who knows the algorithm: from a release, its policy and everybody's quasi-identifiers.
//!
//! **Definition.** Who knows that the first acceptable step of a public sequence is released learns from a release that all
//! steps before it were refused. What remains possible is the disclosure set ([Zhang07], Definition 1); the share of its tables
//! in which a row has a value is what he believes.
//! **Reading.** He has everybody's quasi-identifiers and the histogram of each released class. The naive and the exclusive strategy
//! leave the same set. A sequence that depends on the sensitive values cannot be followed like this: it is told to be unsound.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::disclosure::{self, DisclosureWitness, SetReport, strategy_name, to_f64, told};
use super::policy::{AlgorithmId, Policy};
use super::prepare::Prepared;
use crate::adversary::{Chain, Disclosure, Effort, Method, Strategy, disclosure_by};
use crate::algorithm::{Kept, Sequence, Watch, walked_to};
use crate::error::Error;
use crate::metric::MetricId;
use crate::model::Exact;
use crate::recoding::{Lattice, Node};
use crate::share::Share;
use crate::table::Table;

/// What is believed of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowRatio {
    /// From 1.
    pub row: u64,
    /// The value.
    pub value: String,
    /// The share of the tables that remain possible, or the largest it may be.
    pub ratio: f64,
    /// The same as a fraction, where it is exact.
    pub ratio_exact: Option<String>,
    /// The share in the row's class: what is believed without knowing the algorithm.
    pub before: f64,
}

/// What the attack found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KnowingAttack {
    /// The strategy by which the release is taken to be made.
    pub strategy: &'static str,
    /// Why the sequence is unsound, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsound: Option<String>,
    /// The step that the release is, from 1.
    pub step: Option<usize>,
    /// How the ratios were found.
    pub method: Option<&'static str>,
    /// How many tables remain possible, where they were counted.
    pub size: Option<String>,
    /// The best ratio, or a bound on it.
    pub max: Option<f64>,
    /// The same as a fraction, where it is exact.
    pub max_exact: Option<String>,
    /// Where.
    pub witness: Option<DisclosureWitness>,
    /// The best ratio of somebody who does not know the algorithm.
    pub before: Option<f64>,
    /// Rows of which something is believed more than their class says.
    pub risen: u64,
    /// All rows.
    pub of: u64,
    /// Whether what is believed keeps the policy's promises; none where that could not be told.
    pub holds: Option<bool>,
    /// The rows that rose most.
    pub worst: Vec<RowRatio>,
    /// Every row and value that is possible, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<RowRatio>>,
    /// What a reader should know.
    pub remarks: Vec<String>,
}

const NO_STEP: &str =
    "the table is no step of the sequence: it was not made by this policy, or not from this table";

/// So many of the worst rows are told.
const WORST: usize = 10;

/// Attacks a release of a prepared raw table.
pub fn attack_knowing(
    policy: &Policy,
    raw: &Table,
    prepared: &Prepared,
    published: &Table,
    all: bool,
    watch: &mut dyn Watch,
) -> Result<KnowingAttack, Error> {
    let strategy = policy
        .disclosure
        .as_ref()
        .map_or(Strategy::Naive, |section| section.strategy);
    let mut attack = KnowingAttack {
        strategy: strategy_name(strategy),
        of: published.rows() as u64,
        ..KnowingAttack::default()
    };
    let sequence = match sequence_of(policy, prepared)? {
        Ok(sequence) => sequence,
        Err(why) => {
            attack.unsound = Some(why);
            return Ok(attack);
        }
    };
    let beside = beside_raw(prepared, raw, published)?;
    let Some(published) = &beside else {
        attack.unsound = Some(NO_STEP.to_owned());
        return Ok(attack);
    };
    let shown = levels_shown(prepared, raw, published)?;
    let secret = disclosure::secret(policy, published)?;
    let (kept, values) = Kept::over(&prepared.models, secret);
    let is_step = |node: &Node| {
        let levels = node.levels().iter().zip(&shown);
        levels
            .into_iter()
            .all(|(level, shown)| shown[usize::from(*level)])
    };
    let steps = super::plan::with_task(policy, prepared, |task, _| {
        walked_to(task, &sequence, &kept, strategy, &is_step, watch)
    })?;
    let Some((step, steps)) = steps else {
        attack.unsound = Some(NO_STEP.to_owned());
        return Ok(attack);
    };
    attack.step = Some(step);
    let classes = Classes::new(&kept, &values, steps.last().map_or(&[][..], Vec::as_slice));
    let chain = Chain::new(values, steps);
    let chain = chain.ok_or_else(|| Error::Internal("a chain without rows".to_owned()))?;
    let effort = disclosure::effort(policy.disclosure.as_ref(), published);
    let mut tick = || {
        watch.step(&crate::algorithm::Progress {
            doing: "counting what remains possible",
            ..Default::default()
        })
    };
    let found = crate::adversary::disclosure(&chain, strategy, &kept, &effort, &mut tick)?;
    let decided = found.is_ok();
    let set = match found {
        Ok(set) => set,
        Err(undecided) => {
            attack.remarks.push(undecided.why);
            // What cannot be decided may still be bounded.
            let few = Effort {
                samples: effort.samples.min(20_000),
                ..effort
            };
            let drawn = disclosure_by(Method::Sampling, &chain, strategy, &kept, &few, &mut tick)?;
            match drawn {
                Ok(drawn) => drawn,
                Err(_) => return Ok(attack),
            }
        }
    };
    let text = |number: u32| {
        let code = kept.codes().get(number as usize);
        code.map_or_else(String::new, |code| {
            secret.dictionary().text(*code).to_owned()
        })
    };
    let report = SetReport::new(&set, text);
    attack.method = report.method;
    attack.size = report.size;
    attack.max = report.max;
    attack.max_exact = report.max_exact;
    attack.witness = report.witness;
    // A bound that is not good enough shows nothing.
    let holds = set.holds(&kept);
    attack.holds = (holds || decided).then_some(holds);
    tell_rows(&mut attack, &classes, &set, text, all);
    Ok(attack)
}

/// The public sequence that a search stands for, or why there is none.
fn sequence_of(policy: &Policy, prepared: &Prepared) -> Result<Result<Sequence, String>, Error> {
    if policy.disclosure.is_some() {
        return disclosure::sequence(policy, prepared).map(Ok);
    }
    let search = &policy.search;
    let suppresses = search.suppression.is_some_and(|share| share != Share::ZERO);
    if policy.column_promises().next().is_some() {
        return Ok(Err("which nodes are valid depends on classes of some of the columns, for which no sequence is at hand".to_owned()));
    }
    Ok(match search.algorithm {
        AlgorithmId::Optimal | AlgorithmId::MinGen | AlgorithmId::Incognito if suppresses => {
            Err("which rows are suppressed depends on their sensitive values, and so does which node is best".to_owned())
        }
        AlgorithmId::Optimal | AlgorithmId::MinGen | AlgorithmId::Incognito
            if !search.preferred.is_empty() =>
        {
            Err("equally good nodes are tried by the columns of `preferred`, for which no sequence is at hand".to_owned())
        }
        AlgorithmId::Optimal | AlgorithmId::MinGen | AlgorithmId::Incognito
            if search.metric == MetricId::Prec =>
        {
            Ok(Sequence::Best(search.weights.clone()))
        }
        AlgorithmId::Optimal | AlgorithmId::Incognito => Err(format!(
            "the nodes are tried by `{}`, for which no sequence is at hand; with `metric = \"prec\"` there is one",
            search.metric.name()
        )),
        AlgorithmId::Datafly => Err("which rows Datafly suppresses, and so where it stops, depends on their sensitive values".to_owned()),
        other => Err(format!(
            "the steps of `{}` depend on the sensitive values themselves: each step tells something about them, and nobody has counted how much",
            other.name()
        )),
    })
}

/// The rows of a release in the order of the raw rows that they may have been: each shows the raw row's quasi-identifiers at the levels
/// of the release. Which of several rows of a class a raw row was cannot be told and does not matter, as classes are all that is
/// looked at. Nothing where the release shows no node of the raw table.
fn beside_raw(prepared: &Prepared, raw: &Table, published: &Table) -> Result<Option<Table>, Error> {
    let mut columns = Vec::with_capacity(prepared.ladders.len());
    for ladder in &prepared.ladders {
        let missing = || Error::Internal(format!("column `{}` was not read", ladder.name()));
        let before = raw.column(ladder.name()).ok_or_else(missing)?;
        let after = published.column(ladder.name()).ok_or_else(missing)?;
        let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
        for (text, rows) in after.dictionary().texts().zip(after.counts()) {
            *counts.entry(text).or_default() += rows;
        }
        counts.retain(|_, rows| *rows > 0);
        let tree = ladder.hierarchy();
        let labels_at = |level: u8| -> Vec<&str> {
            let leaves = ladder.taxa(0).iter();
            leaves
                .map(|leaf| tree.label(tree.at_level(*leaf, level)))
                .collect()
        };
        let has_counts = |labels: &Vec<&str>| {
            let mut own: FxHashMap<&str, u64> = FxHashMap::default();
            for (label, rows) in labels.iter().zip(before.counts()) {
                *own.entry(label).or_default() += rows;
            }
            own.retain(|_, rows| *rows > 0);
            own == counts
        };
        let Some(labels) = (0..=ladder.height()).map(labels_at).find(has_counts) else {
            return Ok(None);
        };
        columns.push((before, after, labels));
    }
    let mut rows_of: FxHashMap<Vec<&str>, Vec<u32>> = FxHashMap::default();
    for row in (0..published.rows()).rev() {
        let tuple = columns.iter().map(|(_, after, _)| after.text(row));
        rows_of.entry(tuple.collect()).or_default().push(row as u32);
    }
    let mut order = Vec::with_capacity(published.rows());
    for row in 0..raw.rows() {
        let tuple = columns.iter();
        let tuple: Vec<&str> = tuple
            .map(|(before, _, labels)| labels[before.codes().get(row) as usize])
            .collect();
        let Some(released) = rows_of.get_mut(&tuple).and_then(Vec::pop) else {
            return Ok(None);
        };
        order.push(released);
    }
    Ok(Some(published.only(&order, "")))
}

/// The levels at which every row shows what was published, by quasi-identifier.
fn levels_shown(
    prepared: &Prepared,
    raw: &Table,
    published: &Table,
) -> Result<Vec<Vec<bool>>, Error> {
    let top = Lattice::new(&prepared.ladders).top();
    let shown = |(ladder, top): (&crate::hierarchy::Ladder, &u8)| {
        let missing = || Error::Internal(format!("column `{}` was not read", ladder.name()));
        let before = raw.column(ladder.name()).ok_or_else(missing)?;
        let after = published.column(ladder.name()).ok_or_else(missing)?;
        let shows = |level: u8| {
            let tree = ladder.hierarchy();
            let taxa = ladder.taxa(0);
            let labels: Vec<&str> = taxa
                .iter()
                .map(|leaf| tree.label(tree.at_level(*leaf, level)))
                .collect();
            (0..published.rows()).all(|row| {
                let text = after.dictionary().text(after.codes().get(row));
                labels[before.codes().get(row) as usize] == text
            })
        };
        Ok((0..=*top).map(shows).collect())
    };
    prepared
        .ladders
        .iter()
        .zip(top.levels())
        .map(shown)
        .collect()
}

/// The histogram of each released class.
struct Classes {
    of_row: Vec<u32>,
    counts: Vec<Vec<u32>>,
}

impl Classes {
    fn new(kept: &Kept<'_>, values: &[u32], groups: &[u32]) -> Self {
        let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
        let mut counts = vec![vec![0; kept.codes().len()]; count];
        for (group, value) in groups.iter().zip(values) {
            counts[*group as usize][*value as usize] += 1;
        }
        Self {
            of_row: groups.to_vec(),
            counts,
        }
    }
}

/// What rose, and all of it where that is asked for.
fn tell_rows(
    attack: &mut KnowingAttack,
    classes: &Classes,
    set: &Disclosure,
    text: impl Fn(u32) -> String,
    all: bool,
) {
    let mut before_max = 0.0f64;
    let mut worst: Vec<(f64, RowRatio)> = Vec::new();
    let mut listed = Vec::new();
    for (row, class) in classes.of_row.iter().enumerate() {
        let Some(belief) = set.belief_of_row(row) else {
            continue;
        };
        let counts = &classes.counts[*class as usize];
        let rows: u32 = counts.iter().sum();
        let mut most: Option<(f64, RowRatio)> = None;
        for (value, low, high) in &belief.bounds {
            let share = Exact::new(counts[*value as usize].into(), rows.into());
            let (before, ratio) = (to_f64(&share), to_f64(high));
            before_max = before_max.max(before);
            let gain = ratio - before;
            let rose = *low > share && most.as_ref().is_none_or(|(most, _)| gain > *most);
            if !all && !rose {
                continue;
            }
            let told = RowRatio {
                row: row as u64 + 1,
                value: text(*value),
                ratio,
                ratio_exact: (low == high).then(|| told(high)).flatten(),
                before,
            };
            if rose {
                most = Some((gain, told.clone()));
            }
            if all && ratio > 0.0 {
                listed.push(told);
            }
        }
        if let Some(most) = most {
            attack.risen += 1;
            let at = worst.partition_point(|(gain, _)| *gain >= most.0);
            if at < WORST {
                worst.insert(at, most);
                worst.truncate(WORST);
            }
        }
    }
    attack.before = Some(before_max);
    attack.worst = worst.into_iter().map(|(_, row)| row).collect();
    attack.rows = all.then_some(listed);
}
