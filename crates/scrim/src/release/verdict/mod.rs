//! The verdict on a release: kept, kept with concerns, refused or broken.
//!
//! **Definition.** A release is *broken* where the certifier found a promise that does not hold, and *refused* where nothing was
//! published. Otherwise its promises are kept. It is *kept, but* where at least one [`Concern`] applies: a promise may hold and still
//! protect little, and a release may be safe only because it says nothing.
//! **Reading.** All comparisons are of whole numbers or exact fractions. A concern is raised only where its figures are known: an
//! audit without the raw table knows fewer of them ([`Facts`]). docs/verdict.md lists each concern with its threshold.
//! **Does not protect against** a policy that gives a column the wrong role: only a key that repeats is noticed.

mod better;
mod concern;
mod facts;
mod key;

#[cfg(test)]
mod tests;

pub use better::better_algorithm;
pub use concern::{Concern, ConcernReport};
pub use facts::{ColumnFact, Facts, SensitiveFact};
pub use key::RepeatingKey;

use serde::Serialize;

/// The verdict on a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every promise holds, and nothing about the release gives cause for concern.
    Kept,
    /// Every promise holds, but there are concerns.
    KeptBut,
    /// Nothing was published.
    #[default]
    Refused,
    /// A promise does not hold.
    Broken,
}

impl Verdict {
    /// The verdict on a table whose promises hold or do not.
    #[must_use]
    pub fn of(holds: bool, concerns: &[ConcernReport]) -> Self {
        match (holds, concerns) {
            (false, _) => Self::Broken,
            (true, []) => Self::Kept,
            (true, _) => Self::KeptBut,
        }
    }

    /// The word that people read.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::KeptBut => "kept, but",
            Self::Refused => "refused",
            Self::Broken => "broken",
        }
    }
}
