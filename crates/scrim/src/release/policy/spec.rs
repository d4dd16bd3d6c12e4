//! The promises that a policy may make, with their parameters.

use serde_json::{Map, Value};

use crate::counted;
use crate::model::Schedule;
use crate::share::Share;

/// What a class is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Rows.
    Row,
    /// Distinct persons.
    Person,
}

/// Which l-diversity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiversityKind {
    /// So many different values.
    Distinct,
    /// Entropy of at least log l.
    Entropy,
    /// The most frequent value is not too frequent against the rare ones.
    Recursive,
    /// No value above 1/l.
    Frequency,
}

/// How far two distributions are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DistanceSpec {
    /// All values are equally far from each other.
    Equal,
    /// Values in an order: that of the list, or of the numbers.
    Ordered(Option<Vec<String>>),
    /// Values in the column's tree.
    Hierarchical,
}

/// The guard of every row, where no column tells wishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultGuard {
    /// The row's own value.
    Value,
    /// A taxon: the guard of the rows whose value lies below it; the others ask for nothing.
    Taxon(String),
}

/// Whether a person may own several rows of the table ([XiaoTao06], 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// At most one.
    Primary,
    /// Any number.
    NonPrimary,
}

impl Case {
    /// The word in policy and report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::NonPrimary => "non-primary",
        }
    }
}

/// The values that nobody shall be linked to over all releases, though they may have others in the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protected {
    /// Every value of the column.
    All,
    /// Values, or taxa of the column's tree: all leaves below them.
    Named(Vec<String>),
}

/// When a person is left out of further releases: by public history only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retire {
    /// After so many appearances.
    pub after: Option<u64>,
    /// When the room of some protected value is below this.
    pub below: Option<Share>,
}

impl Retire {
    /// The rule in words, for the manifest; nothing where nobody is retired.
    pub fn words(&self) -> Option<String> {
        let after = self.after;
        let after = after.map(|after| format!("after {}", counted(after, "release")));
        let below = self
            .below
            .map(|below| format!("when the room for some protected value is below {below}"));
        let rules: Vec<String> = after.into_iter().chain(below).collect();
        (!rules.is_empty()).then(|| {
            format!(
                "a person is left out {}, by public history only",
                rules.join(" or ")
            )
        })
    }
}

/// A promise with its parameters. `of` names the sensitive column.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the letters are those of the policy file; docs/reference.md explains each"
)]
pub enum ModelSpec {
    KAnonymity {
        k: u64,
        unit: Unit,
        /// The quasi-identifiers that classes are formed by, where not all.
        columns: Option<Vec<String>>,
    },
    PSensitive {
        of: String,
        p: u64,
    },
    PAlpha {
        of: String,
        p: u64,
        alpha: Share,
    },
    PPlusAlpha {
        of: String,
        p: u64,
        alpha: Share,
    },
    LDiversity {
        of: String,
        kind: DiversityKind,
        l: Share,
        c: Option<Share>,
    },
    TCloseness {
        of: String,
        t: Share,
        distance: DistanceSpec,
    },
    AlphaK {
        of: String,
        alpha: Share,
        value: Option<String>,
    },
    DeltaDisclosure {
        of: String,
        delta: Share,
    },
    BetaLikeness {
        of: String,
        beta: Share,
        enhanced: bool,
    },
    Personal {
        of: String,
        breach: Share,
        guard: Option<String>,
        default_guard: Option<DefaultGuard>,
        case: Option<Case>,
    },
    Serial {
        of: String,
        l: Share,
        values: Protected,
        lasting: Vec<String>,
        group: bool,
        schedule: Schedule,
        horizon: Option<u64>,
        retire: Retire,
    },
}

/// The models that a policy may name.
pub(in crate::release) const MODEL_NAMES: [&str; 11] = [
    "k-anonymity",
    "p-sensitive",
    "p-alpha",
    "p-plus-alpha",
    "l-diversity",
    "t-closeness",
    "alpha-k",
    "delta-disclosure",
    "beta-likeness",
    "personal",
    "serial",
];

impl ModelSpec {
    /// The name in policy and report.
    pub fn name(&self) -> &'static str {
        match self {
            Self::KAnonymity { .. } => "k-anonymity",
            Self::PSensitive { .. } => "p-sensitive",
            Self::PAlpha { .. } => "p-alpha",
            Self::PPlusAlpha { .. } => "p-plus-alpha",
            Self::LDiversity { .. } => "l-diversity",
            Self::TCloseness { .. } => "t-closeness",
            Self::AlphaK { .. } => "alpha-k",
            Self::DeltaDisclosure { .. } => "delta-disclosure",
            Self::BetaLikeness { .. } => "beta-likeness",
            Self::Personal { .. } => "personal",
            Self::Serial { .. } => "serial",
        }
    }

    /// The sensitive column that it speaks of.
    pub fn of(&self) -> Option<&str> {
        match self {
            Self::KAnonymity { .. } => None,
            Self::PSensitive { of, .. }
            | Self::PAlpha { of, .. }
            | Self::PPlusAlpha { of, .. }
            | Self::LDiversity { of, .. }
            | Self::TCloseness { of, .. }
            | Self::AlphaK { of, .. }
            | Self::DeltaDisclosure { of, .. }
            | Self::BetaLikeness { of, .. }
            | Self::Personal { of, .. }
            | Self::Serial { of, .. } => Some(of),
        }
    }

    /// The quasi-identifiers that its classes are formed by, where it names them.
    pub fn columns(&self) -> Option<&[String]> {
        match self {
            Self::KAnonymity { columns, .. } => columns.as_deref(),
            _ => None,
        }
    }

    /// The parameters as a report shows them.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        if let Some(of) = self.of() {
            put("of", of.into());
        }
        match self {
            Self::KAnonymity { k, unit, columns } => {
                put("k", (*k).into());
                if let Some(columns) = columns {
                    put("columns", columns.clone().into());
                }
                let unit = match unit {
                    Unit::Person => "person",
                    Unit::Row => "row",
                };
                put("unit", unit.into());
            }
            Self::PSensitive { p, .. } => {
                put("p", (*p).into());
            }
            Self::PAlpha { p, alpha, .. } | Self::PPlusAlpha { p, alpha, .. } => {
                put("p", (*p).into());
                put("alpha", number(*alpha));
            }
            Self::LDiversity { kind, l, c, .. } => {
                put("kind", kind.name().into());
                put("l", number(*l));
                c.inspect(|c| {
                    put("c", number(*c));
                });
            }
            Self::TCloseness { t, distance, .. } => {
                put("t", number(*t));
                put("distance", distance.name().into());
            }
            Self::AlphaK { alpha, value, .. } => {
                put("alpha", number(*alpha));
                value.as_ref().inspect(|value| {
                    put("value", value.as_str().into());
                });
            }
            Self::DeltaDisclosure { delta, .. } => {
                put("delta", number(*delta));
            }
            Self::BetaLikeness { beta, enhanced, .. } => {
                put("beta", number(*beta));
                put("kind", if *enhanced { "enhanced" } else { "basic" }.into());
            }
            Self::Personal {
                breach,
                guard,
                default_guard,
                ..
            } => {
                put("breach", number(*breach));
                guard.as_ref().inspect(|guard| {
                    put("guard", guard.as_str().into());
                });
                default_guard.as_ref().inspect(|guard| {
                    let word = match guard {
                        DefaultGuard::Value => "value",
                        DefaultGuard::Taxon(name) => name,
                    };
                    put("default-guard", word.into());
                });
            }
            Self::Serial {
                l,
                values,
                lasting,
                group,
                schedule,
                horizon,
                retire,
                ..
            } => {
                put("l", number(*l));
                match values {
                    Protected::All => put("values", "all".into()),
                    Protected::Named(names) if names.is_empty() => None,
                    Protected::Named(names) => put("values", names.clone().into()),
                };
                if !lasting.is_empty() {
                    put("lasting", lasting.clone().into());
                }
                if *group {
                    put("group", true.into());
                }
                put("schedule", schedule.name().into());
                horizon.inspect(|horizon| {
                    put("horizon", (*horizon).into());
                });
                retire.words().inspect(|words| {
                    put("retire", words.as_str().into());
                });
            }
        }
        map
    }
}

/// A whole number as a number, a fraction as a text, so that it stays exact.
fn number(share: Share) -> Value {
    match i64::try_from(share.numerator()) {
        Ok(whole) if share.denominator() == 1 => whole.into(),
        _ => share.to_string().into(),
    }
}

impl DiversityKind {
    /// All kinds, by name.
    pub(super) const NAMES: [(&'static str, Self); 4] = [
        ("distinct", Self::Distinct),
        ("entropy", Self::Entropy),
        ("recursive", Self::Recursive),
        ("frequency", Self::Frequency),
    ];

    /// The name in the policy.
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }
}

impl DistanceSpec {
    /// The name in the policy.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Ordered(_) => "ordered",
            Self::Hierarchical => "hierarchical",
        }
    }
}
