//! The risk by each of several quasi-identifiers.
//!
//! **Definition.** Where a policy promises k-anonymity over some of the columns, these are a quasi-identifier of their own
//! ([Sweeney02], section 4.1): somebody who knows no others finds a record with 1/f, f being the size of its class by them.

use serde::Serialize;

use super::{ProsecutorRisk, prosecutor};
use crate::adversary::bands::part;
use crate::adversary::tuples::Tuples;
use crate::share::Share;

/// What somebody finds who knows some of the columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuasiIdentifierRisk {
    /// The columns, as the promise names them.
    pub columns: Vec<String>,
    /// The promise's k.
    pub k: u64,
    /// Classes.
    pub classes: u64,
    /// The size of the smallest class.
    pub smallest: u64,
    /// Records that are alone in a class.
    pub unique: u64,
    /// Their share of all.
    pub unique_share: f64,
    /// The same as a fraction.
    pub unique_share_exact: String,
    /// Records in classes of fewer than k.
    pub below_k: u64,
    /// The target is known to be in the table.
    pub prosecutor: ProsecutorRisk,
}

impl QuasiIdentifierRisk {
    /// Measures a table, given by the tuples of these columns.
    pub fn new(columns: &[String], k: u64, tuples: &Tuples, threshold: Share) -> Self {
        let exposure = tuples.exposure();
        let subjects = tuples.subjects();
        let (unique_share, unique_share_exact) = part(exposure.unique().into(), subjects.into());
        Self {
            columns: columns.to_vec(),
            k,
            classes: exposure.count(),
            smallest: exposure.classes.keys().next().copied().unwrap_or(0),
            unique: exposure.unique(),
            unique_share,
            unique_share_exact,
            below_k: exposure
                .subjects
                .range(..k)
                .map(|(_, records)| records)
                .sum(),
            prosecutor: prosecutor(&exposure, subjects, threshold),
        }
    }
}
