//! What the certifier found about probabilities over all releases, for publication and manifest.

use serde::Serialize;

use crate::adversary::is_zero;

/// The probabilities of having been linked to a protected value, over all releases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SerialReport {
    /// The number of this release, from 1.
    pub release: u32,
    /// The largest probability of any person and protected value.
    pub max: f64,
    /// The same as a fraction, where it is not too long.
    pub max_exact: Option<String>,
    /// The persons of this release.
    pub persons: u64,
    /// Persons who are left out by the rule of retirement.
    pub retired: u64,
    /// How a person's room is spread over the releases to come.
    pub schedule: String,
    /// The rule of retirement, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retirement: Option<String>,
    /// What the probabilities rest on.
    pub assumptions: Vec<String>,
    /// What was found about lasting values, where some are protected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasting: Option<LastingReport>,
    /// Persons who are left out because of who is missing beside them.
    #[serde(skip_serializing_if = "is_zero")]
    pub incomplete: u64,
    /// The rule by which they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cohorts: Option<String>,
}

/// What all releases together say about lasting values.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LastingReport {
    /// The largest probability of anybody who is linked to this release by classes.
    pub max: f64,
    /// The same as a fraction, where it is not too long.
    pub max_exact: Option<String>,
    /// Whether it is the probability itself; else a bound that it does not pass.
    pub exact: bool,
    /// The persons whose classes were looked at.
    pub persons: u64,
}
