//! The policies of the experiments.

use std::fmt;

use super::datasets::Kind;
use super::primary::Primary;

/// The limit of section 5.
pub(super) const LIMIT: &str = "1/4";
/// Its inverse: k, and l.
const FOURTH: u32 = 4;

/// The penalty of a generalized income, w^s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Of(u32),
    /// The paper's infinity: incomes stay as they are.
    Forbid,
}

impl Weight {
    /// Those of Figures 8 and 9.
    pub(super) const ALL: [Self; 7] = [
        Self::Of(1),
        Self::Of(20),
        Self::Of(40),
        Self::Of(60),
        Self::Of(80),
        Self::Of(100),
        Self::Forbid,
    ];
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(weight) => write!(f, "{weight}"),
            Self::Forbid => f.write_str("forbid"),
        }
    }
}

/// How a data set is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Method {
    /// 4-anonymity.
    Anonymity,
    /// No income in more than a quarter of a class.
    Diversity,
    /// What the persons wish.
    Personal(Weight),
}

impl Method {
    /// Those of Figures 6 and 7.
    pub(super) const COMPARED: [Self; 3] = [
        Self::Anonymity,
        Self::Diversity,
        Self::Personal(Weight::Of(1)),
    ];

    /// As titles and legends have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Anonymity => "4-anonymity",
            Self::Diversity => "l-diversity",
            Self::Personal(_) => "personalized",
        }
    }

    /// For names of files.
    pub(super) fn key(self) -> String {
        match self {
            Self::Personal(weight) => format!("personal-{weight}"),
            other => other.name().to_owned(),
        }
    }

    /// The data set that is published: 4-anonymity and l-diversity know no wishes, so for them both kinds of guards are
    /// one.
    pub(super) fn data_set(self, kind: Kind) -> Kind {
        match (self, kind.is_primary()) {
            (Self::Personal(_), _) => kind,
            (_, true) => Kind::PriLeaf,
            (_, false) => Kind::NonpriLeaf,
        }
    }
}

/// The policy for a data set of this name, beside it.
pub(super) fn text(primary: &Primary, name: &str, method: Method) -> String {
    let (age_from, age_to) = primary.range(|person| person.age);
    let (school_from, school_to) = primary.range(|person| person.education);
    let marital = match &primary.marital_levels {
        Some(_) => ", hierarchy = \"marital.csv\"",
        None => "",
    };
    // Rows are counted, not persons, and no wish is known where the paper's rivals are at work.
    let (person, wish) = match method {
        Method::Personal(_) => ("role = \"person\"", "role = \"guard\", of = \"income\""),
        _ => ("role = \"identifier\"", "role = \"identifier\""),
    };
    let privacy = match method {
        Method::Anonymity => format!("model = \"k-anonymity\"\nk = {FOURTH}"),
        Method::Diversity => {
            format!("model = \"l-diversity\"\nkind = \"frequency\"\nl = {FOURTH}")
        }
        Method::Personal(_) => format!("model = \"personal\"\nbreach = \"{LIMIT}\""),
    };
    let weights = match method {
        Method::Personal(Weight::Of(weight)) => format!("weights = {{ income = {weight} }}\n"),
        Method::Personal(Weight::Forbid) => "weights = { income = \"forbid\" }\n".to_owned(),
        _ => String::new(),
    };
    format!(
        "[data]\npath = \"{name}.csv\"\n\n\
         [columns]\n\
         person = {{ {person} }}\n\
         age = {{ role = \"quasi\", numeric = {{ from = {age_from}, to = {age_to} }} }}\n\
         education = {{ role = \"quasi\", numeric = {{ from = {school_from}, to = {school_to} }} }}\n\
         gender = {{ role = \"quasi\" }}\n\
         marital = {{ role = \"quasi\"{marital} }}\n\
         occupation = {{ role = \"quasi\", hierarchy = \"occupation.csv\" }}\n\
         income = {{ role = \"sensitive\", hierarchy = \"income.txt\" }}\n\
         wish = {{ {wish} }}\n\n\
         [[privacy]]\n{privacy}\n\n\
         [search]\nalgorithm = \"personalized\"\n{weights}\n\
         [release]\ndir = \"{name}-{}\"\n",
        method.key()
    )
}
