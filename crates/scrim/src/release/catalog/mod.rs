//! The one list of all models, algorithms, metrics, attacks and measures of risk. Help, reference pages and forms come from it.

mod algorithms;
mod attacks;
mod entries;
mod example;
mod metrics;
mod models;
mod page;
mod parameters;
mod risks;
#[cfg(test)]
mod tests;

pub use entries::CATALOG;
pub use page::markdown;

use serde::Serialize;

use super::policy::nearest;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A promise.
    Model,
    /// A search.
    Algorithm,
    /// A measure.
    Metric,
    /// An adversary: what `scrim attack` plays.
    Attack,
    /// A measure of exposure: what `scrim risk` tells.
    Risk,
}

impl Kind {
    /// All kinds, in the order of pages.
    pub const ALL: [Self; 5] = [
        Self::Model,
        Self::Algorithm,
        Self::Metric,
        Self::Attack,
        Self::Risk,
    ];

    /// The heading of its list.
    pub fn title(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Algorithm => "algorithm",
            Self::Metric => "metric",
            Self::Attack => "attack",
            Self::Risk => "risk",
        }
    }

    /// What stands over the limits of its entries.
    pub fn limits(self) -> &'static str {
        match self {
            Self::Model => "Does not protect against, and bear in mind",
            Self::Algorithm | Self::Metric | Self::Attack | Self::Risk => "Bear in mind",
        }
    }

    /// What stands before the names of [`Entry::carried`].
    pub fn carried(self) -> &'static str {
        match self {
            Self::Model => "Searches that carry it",
            Self::Metric => "Searches that optimize it",
            Self::Algorithm | Self::Attack | Self::Risk => "Models that it carries",
        }
    }
}

/// How far an entry was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Written, not yet vetted.
    Proposed,
    /// Paper fixtures, an oracle, and read against the paper.
    Vetted,
}

/// A key of the policy, or an option of the command line, that an entry understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// The key.
    pub name: &'static str,
    /// What it may be.
    pub value: &'static str,
    /// What it is where it is left out; it must be given where this is nothing.
    pub default: Option<&'static str>,
    /// What it does.
    pub summary: &'static str,
}

/// One model, algorithm, metric, attack or measure of risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// The name in the policy, on the command line or in the answer.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What it is, exactly.
    pub definition: &'static str,
    /// The paper that defines it, by the keys of docs/papers.md; empty where it is none of them.
    pub source: &'static str,
    /// Where in that paper, or which other one.
    pub place: &'static str,
    /// The keys that it understands.
    pub parameters: &'static [Parameter],
    /// What a policy says that uses it, or what is typed.
    pub example: &'static str,
    /// What it does not protect against, or does not do.
    pub limits: &'static [&'static str],
    /// The algorithms that carry a model or optimize a metric.
    pub searches: &'static [&'static str],
    /// How long it takes.
    pub cost: &'static str,
    /// The page of the documentation that says more.
    pub page: &'static str,
    /// How far it was checked.
    pub status: Status,
}

impl Entry {
    /// An entry that says nothing yet.
    const fn new(kind: Kind, name: &'static str) -> Self {
        Self {
            kind,
            name,
            summary: "",
            definition: "",
            source: "",
            place: "",
            parameters: &[],
            example: "",
            limits: &[],
            searches: &[],
            cost: "",
            page: "docs/policy.md",
            status: Status::Vetted,
        }
    }

    /// The example as a whole policy over the table of `scrim demo`; nothing for what is typed.
    pub fn policy(&self) -> Option<String> {
        let is_policy = matches!(self.kind, Kind::Model | Kind::Algorithm | Kind::Metric);
        is_policy.then(|| example::policy(self.name, self.example))
    }

    /// Of a model or metric the algorithms that carry it; of an algorithm the models that it carries.
    pub fn carried(&self) -> Vec<&'static str> {
        if self.kind != Kind::Algorithm {
            return self.searches.to_vec();
        }
        let carries =
            |entry: &&Self| entry.kind == Kind::Model && entry.searches.contains(&self.name);
        CATALOG
            .iter()
            .filter(carries)
            .map(|entry| entry.name)
            .collect()
    }
}

/// All entries of a name.
pub fn named(name: &str) -> impl Iterator<Item = &'static Entry> {
    CATALOG.iter().filter(move |entry| entry.name == name)
}

/// The name nearest to what was typed, of the catalog or of some others.
pub fn nearest_name<'a>(typed: &str, others: &[&'a str]) -> Option<&'a str> {
    let mut known: Vec<&'a str> = CATALOG.iter().map(|entry| entry.name).collect();
    known.extend(others);
    nearest(typed, &known)
}
