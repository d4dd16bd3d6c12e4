//! Serial publishing: nobody is ever linked to a protected value with a probability above 1/l, over all releases.
//!
//! **Definition.** In a class of n rows of which `n_s` have the value s, each of its persons is linked to s with the probability
//! `n_s/n`. Over k releases the probability of having been linked at least once is p(o, s, k) = 1 - Π (1 - `n_js/n_j`), the product
//! over the releases that contain the person o ([Wong09], Lemma 2; E13). The global guarantee asks p(o, s, k) ≤ 1/l of every
//! person and protected value (Problem 1). A class is allowed exactly when for each protected value s in it `n_s/n` is at most
//! the cap of each of its persons for s, whoever has it: see [`Pace`].
//! **Reading.** Protected values are named in the policy (E10: with all of them the paper's own tables have no solution). The
//! probability of a value that the class does not have stays what it was; who is above the limit already can be in no class.
//! A person has one row in a release. These values are *transient*: that a person has one in a release says nothing about the
//! next. Values that stay once somebody has them are *lasting* ([`lasting`]); of them a class must have at most 1/l, which every
//! release needs and the first one needs no more than. What later ones need depends on the whole series: `rotating` keeps
//! cohorts together, and the certifier decides. Where values are protected as a group, `n_s` counts rows with any of them.
//! **Holds because** the condition is the definition solved for the last release; classes of one release are independent.
//! Not monotone: whoever joins brings the own past along. After {a: flu, b: chlamydia}, a and b with cold and fever and two
//! newcomers with chlamydia and mumps are valid as two classes, but not as one.
//! **Does not protect against** an onlooker who knows how classes are chosen, or who knows the values of others.
//! **Cost.** Persons times protected values of a class, a look-up each.
//! **Oracle.** `testkit::oracle::serial`: possible worlds one by one.

mod budgets;
mod cap;
mod cohorts;
mod hints;
mod lasting;
mod pace;
mod persons;
mod ways_out;

pub use budgets::{Budgets, Past, Unlinked};
pub use cap::{Cap, nearest};
pub use cohorts::Cohorts;
pub use lasting::{Atom, Belief, Effort as WorldEffort, atoms, beliefs};
pub use pace::{Exact, Pace, Schedule, linked};
pub use persons::Persons;
pub use ways_out::{Scarce, WaysOut};

use std::sync::Arc;

use super::{Breach, Evidence, Monotone, PrivacyModel, Quantity, Verdict};
use crate::error::Error;
use crate::frequency::Tracked;
use crate::share::Share;
use crate::table::{Code, Codes};

/// Nobody is linked to a protected value with a probability above 1/l, over all releases.
#[derive(Clone, Debug)]
pub struct Serial {
    of: String,
    l: Share,
    /// By code of the sensitive column.
    protected: Vec<bool>,
    budgets: Budgets,
    ways_out: Arc<WaysOut>,
    /// The value that each row is counted under, where several values are protected as one.
    values: Option<Arc<Codes>>,
    /// The cohorts of earlier releases, where values last.
    cohorts: Option<Arc<Cohorts>>,
}

impl Serial {
    /// The promise about a sensitive column's rows, with l and the pace that `budgets` follow. `protected` says of each code whether it is; `ledger_row` where a row's
    /// person stands in the ledger.
    pub fn new(
        of: &str,
        (l, pace): (Share, Pace),
        protected: Vec<bool>,
        budgets: Budgets,
        values: &Codes,
        ledger_row: &dyn Fn(usize) -> Option<u64>,
    ) -> Self {
        let ways_out = WaysOut::new(of, pace, &protected, &budgets, values, ledger_row);
        Self {
            of: of.to_owned(),
            l,
            protected,
            budgets,
            ways_out: Arc::new(ways_out),
            values: None,
            cohorts: None,
        }
    }

    /// The same with the value that each row is counted under.
    #[must_use]
    pub fn counted(self, values: Option<Arc<Codes>>) -> Self {
        Self { values, ..self }
    }

    /// The same with the cohorts that lasting values need.
    #[must_use]
    pub fn keeping(self, cohorts: Option<Arc<Cohorts>>) -> Self {
        Self { cohorts, ..self }
    }

    /// The value that each row is counted under, where that is not its own.
    pub fn values(&self) -> Option<&Codes> {
        self.values.as_deref()
    }

    /// The cohorts of earlier releases, where some protected value lasts.
    pub fn cohorts(&self) -> Option<&Cohorts> {
        self.cohorts.as_deref()
    }

    /// The largest probability, 1/l.
    pub fn limit(&self) -> Exact {
        pace::exact(self.l).recip()
    }

    /// The sensitive column.
    pub fn of(&self) -> &str {
        &self.of
    }

    /// The profile of each row.
    pub fn codes(&self) -> &Codes {
        self.budgets.codes()
    }

    /// Whether a value is protected.
    pub fn is_protected(&self, value: Code) -> bool {
        self.protected[value as usize]
    }

    /// Whether who has this profile is above the limit already.
    pub fn is_overdrawn(&self, profile: u32) -> bool {
        self.budgets.profiles[profile as usize].overdrawn
    }

    /// The rank of the cap of a profile for a value: a smaller rank is a smaller cap. For a lasting value it is that of 1/l.
    pub fn rank(&self, profile: u32, value: Code) -> u32 {
        self.budgets.rank(profile, value)
    }

    /// The cap of a rank.
    pub fn cap(&self, rank: u32) -> &Cap {
        &self.budgets.caps[rank as usize]
    }

    /// What stands in the way, and what would help.
    pub fn ways_out(&self) -> &WaysOut {
        &self.ways_out
    }

    /// Why a search that is not complete may have found nothing.
    pub fn tight(&self) -> String {
        self.ways_out.tight()
    }

    /// What would help where a search found nothing although nothing is hopeless, and what it would cost.
    pub fn help(&self) -> String {
        self.ways_out.help(&self.budgets)
    }

    fn keeps(&self, evidence: &Evidence<'_>) -> bool {
        let (values, profiles) = (evidence.histogram(0), evidence.histogram(1));
        if profiles.codes().iter().any(|code| self.is_overdrawn(*code)) {
            return false;
        }
        let mut linked = values.iter().filter(|(value, _)| self.is_protected(*value));
        linked.all(|(value, linked)| {
            let ranks = profiles.codes().iter().map(|code| self.rank(*code, value));
            ranks
                .min()
                .is_none_or(|rank| self.cap(rank).allows(linked.into(), evidence.rows()))
        })
    }
}

impl PrivacyModel for Serial {
    fn id(&self) -> &'static str {
        "serial"
    }

    fn needs(&self) -> Vec<Tracked> {
        let budgets = format!("budgets about {}", self.of);
        let values = match &self.values {
            None => Tracked::Sensitive(self.of.clone()),
            Some(values) => Tracked::Made(format!("groups of {}", self.of), Arc::clone(values)),
        };
        vec![
            values,
            Tracked::Made(budgets, Arc::clone(self.budgets.codes())),
        ]
    }

    fn monotone(&self) -> Monotone {
        Monotone::No
    }

    fn judges_withheld(&self) -> bool {
        true
    }

    /// Rows that are withheld because of what they say tell it.
    fn keeps_withheld(&self, _: &Evidence<'_>) -> bool {
        false
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        if self.keeps(evidence) {
            return Verdict::Holds;
        }
        let limit = Share::new(self.l.denominator(), self.l.numerator()).unwrap_or(Share::ONE);
        Verdict::Broken(Breach {
            found: Quantity::AboveProbability(limit),
            required: Quantity::Probability(limit),
        })
    }

    /// Where a person's own value has no room left, every class with that person breaks the promise: no grouping, size or
    /// made-up row helps. [`WaysOut`] has the other cases.
    fn feasible(&self, _: &Evidence<'_>) -> Result<(), Error> {
        match self.ways_out.hopeless() {
            None => Ok(()),
            Some(what) => Err(Error::Infeasible {
                what,
                hint: Some(self.ways_out.ways(&self.budgets)),
            }),
        }
    }
}
