//! t-closeness.
//!
//! **Definition.** After Li et al. (2007; not among the papers in hand): in each class the distribution of the sensitive
//! attribute is at most *t* away from that of the whole table, by the earth mover's distance (see [`Distance`]).
//! **Reading.** A distance of exactly *t* holds; it is compared exactly. The reference is given as counts by code: those of
//! the whole table before any row is suppressed. Where suppressed rows are dropped or withheld, the rows that stay visible
//! are the reference ([`RelativeModel`]). Rows are counted, not persons: an onlooker sees the rows of a class and cannot
//! tell which belong to one person.
//! **Holds because** the distance is convex: that of a mixture is at most the mixed distance, so unions of valid
//! classes are valid. Not every superset: a class like the table with rows of one value added moves away from it. The
//! table as one class is at distance 0 from itself, so against its own distribution nothing is infeasible; against
//! another suppression may help: that is left to the search.
//! **Does not protect against** what the whole table tells about everybody.
//! **Cost.** That of the distance. **Oracle.** `testkit::oracle::{t_close_equal, t_close_ordered, t_close_hierarchical}`.

use super::belief::rational;
use super::reference::Reference;
use super::{
    BeliefModel, Beliefs, Breach, Distance, Evidence, Monotone, PrivacyModel, Quantity,
    RelativeModel, Verdict,
};
use crate::counted;
use crate::error::Error;
use crate::frequency::Tracked;
use crate::share::Share;

/// The sensitive values of each class are distributed nearly as in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TCloseness {
    of: String,
    t: Share,
    distance: Distance,
    reference: Reference,
}

impl TCloseness {
    /// At most `t`, which lies between 0 and 1, from the reference: how many rows have each code of the column `of`.
    pub fn new(
        of: impl Into<String>,
        t: Share,
        distance: Distance,
        reference: Vec<u64>,
    ) -> Result<Self, String> {
        if t < Share::ZERO || t > Share::ONE {
            return Err(format!("`t` must lie between 0 and 1, but it is {t}"));
        }
        if let Some(codes) = distance.codes().filter(|codes| *codes != reference.len()) {
            return Err(format!(
                "the reference distribution has {}, but the distance knows {codes}",
                counted(reference.len(), "value")
            ));
        }
        Ok(Self {
            of: of.into(),
            t,
            distance,
            reference: Reference::new(reference)?,
        })
    }
}

impl PrivacyModel for TCloseness {
    fn id(&self) -> &'static str {
        "t-closeness"
    }

    fn needs(&self) -> Vec<Tracked> {
        vec![Tracked::Sensitive(self.of.clone())]
    }

    fn monotone(&self) -> Monotone {
        Monotone::Unions
    }

    fn as_belief_model(&self) -> Option<&dyn BeliefModel> {
        Some(self)
    }

    fn as_relative_model(&self) -> Option<&dyn RelativeModel> {
        Some(self)
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        self.check_against(evidence, &self.reference)
    }

    fn feasible(&self, _whole: &Evidence<'_>) -> Result<(), Error> {
        Ok(())
    }
}

impl RelativeModel for TCloseness {
    fn reference(&self) -> &Reference {
        &self.reference
    }

    fn check_against(&self, evidence: &Evidence<'_>, reference: &Reference) -> Verdict {
        let class = evidence.histogram(0);
        let found = self.distance.between(class, evidence.rows(), reference);
        if found.compare(self.t).is_gt() {
            Verdict::Broken(Breach {
                found: Quantity::Distance(found.share()),
                required: Quantity::Distance(self.t),
            })
        } else {
            Verdict::Holds
        }
    }
}

impl BeliefModel for TCloseness {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        self.distance.at_most_from(beliefs, &self.reference) <= rational(self.t)
    }

    fn names_values(&self) -> bool {
        true
    }
}
