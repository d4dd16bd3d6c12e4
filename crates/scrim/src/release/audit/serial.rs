//! What the certifier found about probabilities over all releases, for publication and manifest.

use serde::Serialize;

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
}
