//! Privacy models: what a class of rows that look alike must satisfy. One file a model.
//!
//! A model judges one class at a time. A table keeps a model when all its classes do; a search may suppress the rows
//! of those that do not.

mod k_anonymity;
mod set;

pub use k_anonymity::KAnonymity;
pub use set::ModelSet;

use crate::error::Error;
use crate::frequency::{Class, Slice, Tracked};

/// What happens to the verdict when a class grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monotone {
    /// Every superset of a valid class is valid. So going up the lattice keeps a valid node valid, and the set of rows
    /// in violating classes only shrinks: pruning is sound, with a suppression limit too.
    Supersets,
    /// No such promise: a search must not prune by this model.
    No,
}

/// A number that a verdict speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A number of rows.
    Rows(u64),
    /// A number of persons.
    Persons(u64),
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (number, one, many) = match self {
            Self::Rows(number) => (number, "row", "rows"),
            Self::Persons(number) => (number, "person", "persons"),
        };
        write!(f, "{number} {}", if *number == 1 { one } else { many })
    }
}

/// Why a class is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// What the class has.
    pub found: Quantity,
    /// What it should have.
    pub required: Quantity,
}

/// The answer of a model about a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The class keeps the model.
    Holds,
    /// It does not.
    Broken(Breach),
}

/// What a model sees of a class.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    class: Class<'a>,
    tracked: &'a [usize],
}

impl<'a> Evidence<'a> {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.class.rows()
    }

    /// The histogram of the model's n-th need.
    pub fn histogram(&self, need: usize) -> Slice<'a> {
        self.class.histogram(self.tracked[need])
    }
}

/// A promise about every class of a release.
pub trait PrivacyModel: std::fmt::Debug + Send + Sync {
    /// The name in policy, report and ledger.
    fn id(&self) -> &'static str;
    /// The columns whose histograms it looks at, in the order in which it asks the evidence for them.
    fn needs(&self) -> Vec<Tracked>;
    /// Whether growing a class can break it.
    fn monotone(&self) -> Monotone;
    /// Judges a class.
    fn check(&self, evidence: &Evidence<'_>) -> Verdict;
    /// Judges the table as one class before any search, where that tells that no release can keep the model.
    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error>;
}
