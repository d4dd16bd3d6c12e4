//! The `[search]` section: the algorithm, what it optimizes, and what it may suppress.

use super::ColumnPolicy;
use super::section::Section;
use crate::algorithm::Complement;
use crate::error::Error;
use crate::metric::MetricId;
use crate::share::Share;
use crate::table::Role;

/// The searches that a policy may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgorithmId {
    /// The best node, proven.
    Optimal,
    /// All minimal distortions.
    MinGen,
    /// Sweeney's heuristic.
    Datafly,
    /// All minimal generalizations by subsets.
    Incognito,
    /// Top-down local recoding.
    TopDown,
}

impl AlgorithmId {
    /// All of them, by name. `auto` picks one that can soundly carry the policy's models.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("optimal", Self::Optimal),
        ("mingen", Self::MinGen),
        ("datafly", Self::Datafly),
        ("incognito", Self::Incognito),
        ("top-down", Self::TopDown),
        ("auto", Self::Optimal),
    ];
}

impl AlgorithmId {
    /// The name in the policy.
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, id)| *id == self)
            .map_or("", |(name, _)| name)
    }
}

/// What becomes of suppressed rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuppressedRows {
    /// Kept, at the top of every quasi-identifier.
    #[default]
    Star,
    /// Left out.
    Drop,
}

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPolicy {
    /// The search.
    pub algorithm: AlgorithmId,
    /// What is optimized.
    pub metric: MetricId,
    /// The weight of each quasi-identifier in the metric, in policy order.
    pub weights: Vec<Share>,
    /// Whether the policy gives weights.
    pub weighted: bool,
    /// The share of rows that may be suppressed, where the policy says.
    pub suppression: Option<Share>,
    /// What becomes of them.
    pub suppressed: SuppressedRows,
    /// Keys that the policy gives and the algorithm does not use.
    pub ignored: Vec<&'static str>,
    /// Whether local classes end at their least common ancestors.
    pub tighten: bool,
    /// Datafly as printed.
    pub strict: bool,
    /// Datafly's step 4.
    pub complement: Complement,
    /// Datafly's choice of attribute: likelihood of linking times tolerance of distortion, in policy order.
    pub preference: Vec<Share>,
}

pub(super) fn read(
    section: Option<Section<'_>>,
    columns: &[ColumnPolicy],
) -> Result<SearchPolicy, Error> {
    let quasi: Vec<&ColumnPolicy> = columns
        .iter()
        .filter(|column| column.role == Role::Quasi)
        .collect();
    let mut search = SearchPolicy {
        algorithm: AlgorithmId::Optimal,
        metric: MetricId::Prec,
        weights: vec![Share::ONE; quasi.len()],
        weighted: false,
        suppression: None,
        suppressed: SuppressedRows::Star,
        ignored: Vec::new(),
        tighten: true,
        strict: false,
        complement: Complement::Tuple,
        preference: vec![Share::ONE; quasi.len()],
    };
    let Some(section) = section else {
        return Ok(search);
    };
    search.algorithm = section
        .choice("algorithm", &AlgorithmId::NAMES)?
        .unwrap_or(AlgorithmId::Optimal);
    if let Some(metric) = read_metric(&section, search.algorithm)? {
        search.metric = metric;
    }
    if let Some(weights) = read_weights(&section, "weights", &quasi, None)? {
        if weights.iter().all(|weight| weight.is_zero()) && !weights.is_empty() {
            return Err(section.file.fault(
                section.offset,
                "`weights` in [search] are all 0: one must count",
                None,
            ));
        }
        search.weights = weights;
        search.weighted = true;
    }
    search.suppression = section.share_within("suppression", Share::ZERO, Share::ONE)?;
    search.suppressed = section
        .choice(
            "suppressed",
            &[
                ("star", SuppressedRows::Star),
                ("drop", SuppressedRows::Drop),
            ],
        )?
        .unwrap_or_default();
    search.tighten = section.flag_or("tighten", true)?;
    search.strict = section.flag_or("strict", false)?;
    search.complement = section
        .choice(
            "complement",
            &[
                ("tuple", Complement::Tuple),
                ("sequence", Complement::Sequence),
            ],
        )?
        .unwrap_or_default();
    for key in ["linking", "distort"] {
        for (at, factor) in read_weights(&section, key, &quasi, Some(Share::ONE))?
            .into_iter()
            .flatten()
            .enumerate()
        {
            search.preference[at] = search.preference[at]
                .checked_mul(factor)
                .unwrap_or(Share::ZERO);
        }
    }
    let given = |key: &&'static str| section.has(key);
    search.ignored = unused(search.algorithm)
        .iter()
        .copied()
        .filter(given)
        .collect();
    section.finish()?;
    Ok(search)
}

/// The keys that mean nothing to an algorithm.
fn unused(algorithm: AlgorithmId) -> &'static [&'static str] {
    match algorithm {
        AlgorithmId::Datafly => &["metric", "tighten"],
        AlgorithmId::TopDown => &[
            "metric",
            "suppression",
            "suppressed",
            "strict",
            "complement",
            "linking",
            "distort",
        ],
        AlgorithmId::Optimal | AlgorithmId::MinGen | AlgorithmId::Incognito => {
            &["tighten", "strict", "complement", "linking", "distort"]
        }
    }
}

fn read_metric(section: &Section<'_>, algorithm: AlgorithmId) -> Result<Option<MetricId>, Error> {
    let Some((name, offset)) = section.string("metric")? else {
        return Ok(None);
    };
    let known: Vec<&str> = MetricId::ALL.iter().map(|id| id.name()).collect();
    let metric = MetricId::from_name(name)
        .ok_or_else(|| section.unknown(offset, "`metric`", name, &known))?;
    if algorithm == AlgorithmId::MinGen && metric != MetricId::Prec {
        return Err(section.file.fault(
            offset,
            format!("MinGen is defined by `prec`, but `metric` in [search] is `{name}`"),
            Some("use `algorithm = \"optimal\"` for other metrics"),
        ));
    }
    Ok(Some(metric))
}

fn read_weights(
    section: &Section<'_>,
    key: &'static str,
    quasi: &[&ColumnPolicy],
    most: Option<Share>,
) -> Result<Option<Vec<Share>>, Error> {
    let Some(inner) = section.section(key)? else {
        return Ok(None);
    };
    let mut weights = vec![Share::ONE; quasi.len()];
    for (name, value) in inner.entries() {
        let offset = value.span().start;
        let Some(at) = quasi.iter().position(|column| column.name == name) else {
            let known: Vec<&str> = quasi.iter().map(|column| column.name.as_str()).collect();
            return Err(inner.unknown(offset, "a key", name, &known));
        };
        let weight = inner.share_of(name, value)?;
        if weight < Share::ZERO {
            return Err(inner.file.fault(
                offset,
                format!(
                    "the weight of `{name}` in {} is negative: {weight}",
                    inner.title
                ),
                None,
            ));
        }
        if most.is_some_and(|most| weight > most) {
            return Err(inner.file.fault(
                offset,
                format!(
                    "the weight of `{name}` in {} must be from 0 to 1, but it is {weight}",
                    inner.title
                ),
                None,
            ));
        }
        weights[at] = weight;
    }
    Ok(Some(weights))
}
