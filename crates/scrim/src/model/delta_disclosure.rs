//! delta-disclosure privacy.
//!
//! **Definition.** After Brickell and Shmatikov (2008; not among the papers in hand): for each class and every sensitive
//! value of the table, |ln(share in the class / share in the table)| < *delta*.
//! **Reading.** Every value of the table must occur in every class: the ratio of an absent one is 0, its logarithm is
//! beyond any *delta*, and the class is broken. So is a class with a value that the reference does not have. The
//! power of e to a fraction other than 0 is never a fraction, so there is no tie; a logarithm is computed in floats, and
//! where it comes within 1e-12 of itself to *delta* the class counts as broken: the safe side. Rows are
//! counted, not persons: an onlooker sees the rows of a class and cannot tell which belong to one person.
//! **Holds because** each value bounds the share in the class from both sides, and the share in a union lies between
//! those of the parts: unions of valid classes are valid. Not every superset: rows of one value move all shares. The
//! table as one class has ratio 1 everywhere. Infeasible is only a reference with a value that the table does not have:
//! then every class is broken, however much is suppressed.
//! **Does not protect against** what the whole table tells about everybody.
//! **Cost.** O(values of the class). **Oracle.** `testkit::oracle::delta_disclosure`.

use super::belief::{ratio, to_f64};
use super::reference::Reference;
use super::{
    BeliefModel, Beliefs, Breach, Evidence, Exact, Monotone, PrivacyModel, Quantity, RelativeModel,
    Verdict,
};
use num_traits::Signed;

use crate::error::Error;
use crate::frequency::Tracked;
use crate::share::Share;

/// Floats this near to a bound do not decide for a class.
pub(super) const GUARD: f64 = 1e-12;

/// No share in a class differs from that in the table by more than a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaDisclosure {
    of: String,
    delta: Share,
    reference: Reference,
}

impl DeltaDisclosure {
    /// `delta` is above 0; the reference says how many rows of the table have each code of the column `of`.
    pub fn new(of: impl Into<String>, delta: Share, reference: Vec<u64>) -> Result<Self, String> {
        if delta <= Share::ZERO {
            return Err(format!("`delta` must be above 0, but it is {delta}"));
        }
        Ok(Self {
            of: of.into(),
            delta,
            reference: Reference::new(reference)?,
        })
    }

    fn broken(&self, found: Quantity) -> Verdict {
        Verdict::Broken(Breach {
            found,
            required: Quantity::LogRatioBelow(self.delta),
        })
    }
}

/// ln(here / there), with an error that is small beside the logarithm itself: equal numbers give exactly 0.
fn log_ratio(here: u128, there: u128) -> f64 {
    let above = |large: u128, small: u128| ((large - small) as f64 / small as f64).ln_1p();
    if here >= there {
        above(here, there)
    } else {
        -above(there, here)
    }
}

impl PrivacyModel for DeltaDisclosure {
    fn id(&self) -> &'static str {
        "delta-disclosure"
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

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let known = |code: &&u32| self.reference.count(**code) > 0;
        let found = whole.histogram(0).codes().iter().filter(known).count() as u64;
        let asked = self.reference.distinct();
        if found >= asked {
            return Ok(());
        }
        Err(Error::Infeasible {
            what: format!(
                "delta-disclosure asks for the {} of the reference in each class, but the whole table has {found} of them in `{}`",
                Quantity::Values(asked),
                self.of
            ),
            hint: Some("take the table's own distribution as the reference".to_owned()),
        })
    }
}

impl RelativeModel for DeltaDisclosure {
    fn reference(&self) -> &Reference {
        &self.reference
    }

    fn check_against(&self, evidence: &Evidence<'_>, reference: &Reference) -> Verdict {
        let class = evidence.histogram(0);
        let delta = self.delta.to_f64();
        for (code, count) in class.iter() {
            let wanted = reference.count(code);
            if wanted == 0 {
                return self.broken(Quantity::UnknownValue);
            }
            let here = u128::from(count) * u128::from(reference.rows());
            let there = u128::from(wanted) * u128::from(evidence.rows());
            let ratio = log_ratio(here, there);
            if ratio.abs() * (1.0 + GUARD) >= delta {
                return self.broken(Quantity::LogRatio(Quantity::rounded(ratio)));
            }
        }
        // No value of the class is unknown, so it has all values where it has as many.
        if (class.distinct() as u64) < reference.distinct() {
            return self.broken(Quantity::AbsentValue);
        }
        Verdict::Holds
    }
}

impl BeliefModel for DeltaDisclosure {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        let delta = self.delta.to_f64();
        let near = |share: &Exact, there: &Exact| {
            let ratio = to_f64(&((share - there) / there)).ln_1p();
            ratio.abs() * (1.0 + 2.0 * GUARD) < delta
        };
        let possible = beliefs.possible().count() as u64;
        possible == self.reference.distinct()
            && beliefs.iter().all(|(code, (low, high))| {
                let there = ratio(self.reference.count(code), self.reference.rows());
                !high.is_positive()
                    || (there.is_positive() && near(low, &there) && near(high, &there))
            })
    }

    fn names_values(&self) -> bool {
        true
    }
}
