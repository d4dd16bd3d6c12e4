//! The `[search]` section: the algorithm, what it optimizes, and what it may suppress.

use super::datafly::{self, DataflyPolicy};
use super::mu_argus::{self, MuArgusPolicy};
use super::quasi::read_quasi;
use super::section::Section;
use super::weights::{SensitiveWeight, read_all_weights};
use super::{ColumnPolicy, ModelPolicy, ModelSpec};
use crate::algorithm::{LocalRecoding, MinGenCell, Partitioning};
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
    /// The least distortion when cells are generalized one by one.
    MinGenCell,
    /// Sweeney's heuristic.
    Datafly,
    /// All minimal generalizations by subsets.
    Incognito,
    /// Top-down local recoding.
    TopDown,
    /// Greedy single-dimensional recoding for guards.
    Personalized,
    /// Multidimensional recoding by cuts.
    Mondrian,
    /// Local recoding with a bound.
    Local,
    /// Sweeney's reading of Statistics Netherlands' program.
    MuArgus,
    /// Classes of partners, for promises over several releases.
    Rotating,
    /// The steps of a public sequence, against somebody who knows it.
    Chain,
}

impl AlgorithmId {
    /// All of them, by name. `auto` picks one that can soundly carry the policy's models.
    pub const NAMES: [(&'static str, Self); 13] = [
        ("optimal", Self::Optimal),
        ("mingen", Self::MinGen),
        ("mingen-cell", Self::MinGenCell),
        ("datafly", Self::Datafly),
        ("incognito", Self::Incognito),
        ("top-down", Self::TopDown),
        ("personalized", Self::Personalized),
        ("mondrian", Self::Mondrian),
        ("local", Self::Local),
        ("mu-argus", Self::MuArgus),
        ("rotating", Self::Rotating),
        ("chain", Self::Chain),
        ("auto", Self::Optimal),
    ];
}

impl AlgorithmId {
    /// Each of them once, in the order of the names.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = |(name, id): &(&'static str, Self)| id.name() == *name;
        Self::NAMES.into_iter().filter(own).map(|(_, id)| id)
    }

    /// Whether it asks how often each row stands in the table, and never for a single one.
    pub fn needs_only_counts(self) -> bool {
        matches!(self, Self::Optimal | Self::MinGen | Self::Incognito)
    }

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
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a key of the policy file, and no two say the same"
)]
pub struct SearchPolicy {
    /// The search.
    pub algorithm: AlgorithmId,
    /// What is optimized.
    pub metric: MetricId,
    /// The weight of each quasi-identifier in the metric, in policy order.
    pub weights: Vec<Share>,
    /// The weights of sensitive columns, where the policy gives them.
    pub sensitive_weights: Vec<(String, SensitiveWeight)>,
    /// Whether the policy gives weights.
    pub weighted: bool,
    /// The quasi-identifiers, by number, that equally good recodings should generalize least, in this order.
    pub preferred: Vec<usize>,
    /// The share of rows that may be suppressed, where the policy says.
    pub suppression: Option<Share>,
    /// What becomes of them.
    pub suppressed: SuppressedRows,
    /// Whether a release may show nothing but stars.
    pub allow_empty: bool,
    /// Keys that the policy gives, of those that not every algorithm uses.
    pub given: Vec<&'static str>,
    /// Those of them that the algorithm does not use.
    pub ignored: Vec<&'static str>,
    /// Whether local classes end at their least common ancestors.
    pub tighten: bool,
    /// Whether `personalized` looks for a better cut than the paper's.
    pub improve: bool,
    /// Whether `mondrian` may part rows that are equal.
    pub mondrian: Partitioning,
    /// How many seconds the search may take, where the policy says.
    pub time_limit: Option<u64>,
    /// What only Datafly looks at.
    pub datafly: DataflyPolicy,
    /// What only mu-Argus looks at.
    pub mu_argus: MuArgusPolicy,
}

impl SearchPolicy {
    /// Whether the search is the one whose releases need not keep the promise.
    pub fn is_mu_argus(&self) -> bool {
        self.algorithm == AlgorithmId::MuArgus
    }

    /// Whether the search may leave rows out of the release.
    pub fn drops_rows(&self) -> bool {
        self.suppressed == SuppressedRows::Drop && used(self.algorithm).contains(&"suppressed")
    }

    /// How many seconds the search may take, where there is a limit.
    pub fn seconds(&self) -> Option<u64> {
        let default =
            (self.algorithm == AlgorithmId::MinGenCell).then_some(MinGenCell::TIME_LIMIT.as_secs());
        self.time_limit.or(default)
    }

    /// Whether a release that breaks the promise is to be written, under a name that says so.
    pub fn allows_broken(&self) -> bool {
        self.is_mu_argus() && self.mu_argus.allow_broken
    }
}

/// Reads the section, for an algorithm in place of its own where one is given. `walks` says that the policy has a chain.
pub(super) fn read(
    section: Option<Section<'_>>,
    columns: &[ColumnPolicy],
    privacy: &[ModelPolicy],
    walks: bool,
    instead: Option<AlgorithmId>,
) -> Result<SearchPolicy, Error> {
    let personal: Vec<&str> = privacy
        .iter()
        .filter(|model| matches!(model.spec, ModelSpec::Personal { .. }))
        .filter_map(|model| model.spec.of())
        .collect();
    let quasi: Vec<&ColumnPolicy> = columns
        .iter()
        .filter(|column| column.role == Role::Quasi)
        .collect();
    let mut search = SearchPolicy {
        algorithm: instead.unwrap_or(if walks {
            AlgorithmId::Chain
        } else {
            AlgorithmId::Optimal
        }),
        metric: MetricId::Prec,
        weights: vec![Share::ONE; quasi.len()],
        sensitive_weights: Vec::new(),
        weighted: false,
        preferred: Vec::new(),
        suppression: None,
        suppressed: SuppressedRows::Star,
        allow_empty: false,
        given: Vec::new(),
        ignored: Vec::new(),
        tighten: true,
        improve: false,
        mondrian: Partitioning::Strict,
        time_limit: None,
        datafly: DataflyPolicy::over(quasi.len()),
        mu_argus: MuArgusPolicy::over(&quasi),
    };
    let Some(section) = section else {
        search.metric = usual_metric(search.algorithm, &personal);
        return Ok(search);
    };
    search.algorithm = section
        .choice("algorithm", &AlgorithmId::NAMES)?
        .unwrap_or(AlgorithmId::Optimal);
    let auto = section
        .string("algorithm")?
        .is_some_and(|(name, _)| name == "auto");
    let is_serial = |model: &ModelPolicy| matches!(model.spec, ModelSpec::Serial { .. });
    if walks && (auto || !section.has("algorithm")) {
        search.algorithm = AlgorithmId::Chain;
    } else if auto && privacy.iter().any(is_serial) {
        search.algorithm = AlgorithmId::Rotating;
    } else if auto && !personal.is_empty() {
        search.algorithm = AlgorithmId::Personalized;
    }
    search.algorithm = instead.unwrap_or(search.algorithm);
    search.metric = read_metric(&section, search.algorithm)?
        .unwrap_or_else(|| usual_metric(search.algorithm, &personal));
    read_all_weights(&section, &quasi, &personal, &mut search)?;
    search.preferred = read_quasi(&section, "preferred", columns)?.unwrap_or_default();
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
    search.allow_empty = section.flag_or("allow-empty", false)?;
    search.tighten = section.flag_or("tighten", true)?;
    search.improve = section.flag_or("improve", false)?;
    search.mondrian = section
        .choice(
            "mondrian",
            &[
                ("strict", Partitioning::Strict),
                ("relaxed", Partitioning::Relaxed),
            ],
        )?
        .unwrap_or_default();
    if let Some(seconds) = section.whole("time-limit", 1)? {
        search.time_limit = Some(seconds);
    }
    search.datafly = datafly::read(&section, &quasi)?;
    search.mu_argus = mu_argus::read(&section, &quasi)?;
    let given = |key: &&'static str| section.has(key);
    search.given = KEYS.into_iter().filter(given).collect();
    search.ignored.clone_from(&search.given);
    search
        .ignored
        .retain(|key| *key != "time-limit" && !used(search.algorithm).contains(key));
    section.finish()?;
    Ok(search)
}
/// The keys that not every algorithm looks at, and `time-limit`, which every one does.
const KEYS: [&str; 15] = [
    "metric",
    "preferred",
    "suppression",
    "suppressed",
    "tighten",
    "improve",
    "mondrian",
    "time-limit",
    "strict",
    "complement",
    "linking",
    "distort",
    "combinations",
    "generalize",
    "allow-broken",
];

/// Those of them that mean something to an algorithm.
fn used(algorithm: AlgorithmId) -> &'static [&'static str] {
    match algorithm {
        AlgorithmId::Optimal | AlgorithmId::MinGen | AlgorithmId::Incognito => {
            &["metric", "preferred", "suppression", "suppressed"]
        }
        AlgorithmId::MinGenCell => &["metric", "preferred"],
        AlgorithmId::Local => &["metric"],
        AlgorithmId::Datafly => &[
            "suppression",
            "suppressed",
            "strict",
            "complement",
            "linking",
            "distort",
        ],
        AlgorithmId::TopDown => &["tighten"],
        AlgorithmId::Personalized => &["improve"],
        AlgorithmId::Mondrian => &["mondrian"],
        AlgorithmId::MuArgus => &["combinations", "generalize", "allow-broken"],
        AlgorithmId::Rotating | AlgorithmId::Chain => &[],
    }
}

/// What is optimized where the policy does not say: with wishes the measure in which the loss of generalized sensitive values
/// stands. MinGen is defined by Prec, whatever else the policy says.
fn usual_metric(algorithm: AlgorithmId, personal: &[&str]) -> MetricId {
    if personal.is_empty() || algorithm == AlgorithmId::MinGen {
        MetricId::Prec
    } else {
        MetricId::InformationLoss
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
    let optimized: &[MetricId] = match algorithm {
        AlgorithmId::MinGenCell => &MinGenCell::METRICS,
        AlgorithmId::Local => &LocalRecoding::METRICS,
        _ => &MetricId::ALL,
    };
    if !optimized.contains(&metric) {
        let known: Vec<String> = optimized
            .iter()
            .map(|metric| format!("`{}`", metric.name()))
            .collect();
        return Err(section.file.fault(
            offset,
            format!(
                "`{}` optimizes {}, but `metric` in [search] is `{name}`",
                algorithm.name(),
                known.join(" or ")
            ),
            Some("use `algorithm = \"optimal\"` for other metrics"),
        ));
    }
    Ok(Some(metric))
}
