//! Privacy models: what a class of rows that look alike must satisfy. One file a model.
//!
//! A model judges one class at a time. A table keeps a model when all its classes do; a search may suppress the rows
//! of those that do not. Only `personal` couples classes, by persons who have rows in several: where a search knows all classes of
//! a release, each is judged by itself first (`check_apart`), then all of them together (`Personal::together`).
//!
//! **Persons.** k-anonymity counts persons where a policy has them. The models that look at sensitive values count the
//! rows of a class: what an onlooker sees is its rows, and which of them belong to one person is not published.

mod alpha_k;
mod belief;
mod beta_likeness;
mod categories;
mod delta_disclosure;
mod distance;
mod entropy;
mod k_anonymity;
mod l_diversity;
mod p_alpha;
mod p_plus_alpha;
mod p_sensitive;
mod personal;
mod proportion;
mod quantity;
mod reference;
mod serial;
mod set;
mod t_closeness;
mod value_order;
mod visible;

pub use alpha_k::AlphaK;
pub(crate) use belief::to_f64 as belief_f64;
pub use belief::{BeliefModel, Beliefs};
pub use beta_likeness::{BetaLikeness, Likeness};
pub use categories::Categories;
pub use delta_disclosure::DeltaDisclosure;
pub use distance::{Distance, Taxonomy};
pub use k_anonymity::KAnonymity;
pub use l_diversity::{Diversity, LDiversity};
pub use p_alpha::PAlpha;
pub use p_plus_alpha::PPlusAlpha;
pub use p_sensitive::PSensitive;
pub use personal::{Demand, Fitting, Member, Ownership, Personal, Shaped, Tailored, Wishes};
pub use quantity::Quantity;
pub use serial::{
    Atom, Belief, Budgets, Cap, Cohorts, Exact, Pace, Past, Persons, Scarce, Schedule, Serial,
    Unlinked, WaysOut, WorldEffort, atoms, beliefs, linked, nearest,
};
pub use set::{ColumnPromise, ModelSet};
pub use t_closeness::TCloseness;
pub use value_order::ValueOrder;
pub use visible::{RelativeModel, Visible};

use crate::error::Error;
use crate::frequency::{Class, Slice, Tracked};

/// What happens to the verdict when a class grows; the strongest promise first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Monotone {
    /// Every superset of a valid class is valid. So going up the lattice keeps a valid node valid, and the set of rows
    /// in violating classes only shrinks: pruning is sound, with a suppression limit too.
    Supersets,
    /// The union of two valid classes is valid, but a valid class may be spoilt by rows of an invalid one. So going up
    /// the lattice keeps a node valid where all its classes are: pruning is sound without suppression. With a limit it
    /// is not: a node that suppresses a small invalid class may lie below one in which that class spoils a large one.
    Unions,
    /// No such promise: a search must not prune by this model.
    No,
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
    /// A class, and where among its tracked columns each need of a model is.
    pub(crate) fn of(class: Class<'a>, tracked: &'a [usize]) -> Self {
        Self { class, tracked }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.class.rows()
    }

    /// The number of different persons, where the model's n-th need is the person column.
    #[must_use]
    pub fn persons(&self, need: usize) -> u64 {
        self.class.persons(self.tracked[need])
    }

    /// The histogram of the model's n-th need.
    #[must_use]
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
    /// Judges a class of a release whose classes are all judged together afterwards.
    fn check_apart(&self, evidence: &Evidence<'_>) -> Verdict {
        self.check(evidence)
    }
    /// Whether a class keeps the model with its values of a sensitive column generalized by this function.
    fn holds_raised(&self, _: &Evidence<'_>, _of: &str, _: &Tailored) -> bool {
        true
    }
    /// Itself, where it may couple classes by their persons.
    fn as_personal(&self) -> Option<&Personal> {
        None
    }
    /// All that a class lacks, where a model asks for several things and `check` names the first.
    fn lacks(&self, evidence: &Evidence<'_>) -> Vec<Breach> {
        match self.check(evidence) {
            Verdict::Holds => Vec::new(),
            Verdict::Broken(breach) => vec![breach],
        }
    }
    /// What a class that keeps the model loses in its sensitive values, where the model has them generalized: the leaves
    /// that its rows may have beside their own, added up. None where it loses nothing by this model, or cannot keep it.
    fn sensitive_loss(&self, _: &Evidence<'_>) -> Option<u64> {
        None
    }
    /// Itself, where it can judge what is believed of a single row.
    fn as_belief_model(&self) -> Option<&dyn BeliefModel> {
        None
    }
    /// Itself, where it compares each class with all visible rows, so that suppressing one class may break another.
    fn as_relative_model(&self) -> Option<&dyn RelativeModel> {
        None
    }
    /// Whether it judges rows that are withheld too: rows whose quasi-identifiers and sensitive values are starred.
    fn judges_withheld(&self) -> bool {
        false
    }
    /// Whether a class keeps the model when all its rows are withheld.
    fn keeps_withheld(&self, _: &Evidence<'_>) -> bool {
        true
    }
    /// The least size of a class, where the model asks for nothing else.
    fn least_size(&self) -> Option<Quantity> {
        None
    }
    /// The quasi-identifiers by number, where the promise is about classes of rows that are equal in these only. Judging a
    /// single class then asks for more than is promised.
    fn columns(&self) -> Option<&[usize]> {
        None
    }
    /// Judges the table as one class before any search, where that tells that no release can keep the model.
    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error>;
}
