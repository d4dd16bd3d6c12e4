//! What the certifier found about breach probabilities, for publication and manifest.

use serde::Serialize;

use crate::adversary::{Breach, Breaches, MAX_DIGITS, is_zero};
use crate::release::policy::Case;

/// The breach probabilities of a release.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreachReport {
    /// The largest.
    pub max: f64,
    /// The same as a fraction, where it is not too long.
    pub max_exact: Option<String>,
    /// Whether a person may own several rows.
    pub case: &'static str,
    /// Persons with a guard whose rows lie in several classes: their probabilities are over all of them together.
    #[serde(skip_serializing_if = "is_zero")]
    pub spread_persons: u64,
    /// The same in words, where there are any.
    #[serde(skip)]
    pub spread_note: Option<String>,
    /// Probabilities and how many rows have them, the largest first; rows that asked for nothing have 0.
    #[serde(skip)]
    pub curve: Vec<(f64, u64)>,
}

impl BreachReport {
    pub(super) fn new(breaches: &Breaches, case: Case) -> Self {
        let largest = breaches.largest().map(|judged| &judged.breach);
        Self {
            max: largest.map_or(0.0, Breach::value),
            max_exact: largest
                .map_or_else(|| Some("0".to_owned()), |breach| breach.exact(MAX_DIGITS)),
            case: case.name(),
            spread_persons: breaches.spread,
            spread_note: breaches.spread_note(),
            curve: breaches.curve(),
        }
    }
}
