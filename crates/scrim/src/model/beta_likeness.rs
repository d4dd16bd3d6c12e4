//! beta-likeness.
//!
//! **Definition.** After Cao and Karras (2012; not among the papers in hand): where a value has share p in the table and a
//! larger share q in a class, (q - p) / p is at most *beta* (basic), and at most -ln p as well (enhanced).
//! **Reading.** Only growth counts: a value may become rarer in a class, or be absent. *Beta* is compared exactly, and
//! a growth of exactly *beta* holds. A logarithm of a fraction other than 1 is no fraction, so -ln p is never met
//! exactly; it is computed in floats, and a growth within 1e-12 of it (as a part of it) counts as broken: the safe
//! side. A value that the reference does not have has grown beyond any bound. Rows are counted, not persons: an onlooker
//! sees the rows of a class and cannot tell which belong to one person.
//! **Holds because** each value bounds its share in a class from above by a number of its own, and the share in a union
//! lies between those of the parts: unions of valid classes are valid. Not every superset: add rows of one value
//! alone. The table as one class has no growth; against another reference suppression may help, which is left to the
//! search.
//! **Does not protect against** learning that a person does not have a value, nor what the whole table tells.
//! **Cost.** O(values of the class). **Oracle.** `testkit::oracle::beta_likeness`.

use super::belief::{ratio, rational, to_f64};
use super::delta_disclosure::GUARD;
use super::proportion::Proportion;
use super::reference::Reference;
use super::{
    BeliefModel, Beliefs, Breach, Evidence, Monotone, PrivacyModel, Quantity, RelativeModel,
    Verdict,
};
use num_traits::Signed;

use crate::error::Error;
use crate::frequency::Tracked;
use crate::share::Share;

/// The kinds of beta-likeness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Growth is bounded by beta.
    Basic,
    /// Growth is bounded by beta and by -ln of the share in the table: frequent values may grow less.
    Enhanced,
}

/// No share in a class grows too much beyond that in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetaLikeness {
    of: String,
    beta: Share,
    kind: Likeness,
    reference: Reference,
}

impl BetaLikeness {
    /// `beta` is above 0; the reference says how many rows of the table have each code of the column `of`.
    pub fn new(
        of: impl Into<String>,
        beta: Share,
        kind: Likeness,
        reference: Vec<u64>,
    ) -> Result<Self, String> {
        if beta <= Share::ZERO {
            return Err(format!("`beta` must be above 0, but it is {beta}"));
        }
        Ok(Self {
            of: of.into(),
            beta,
            kind,
            reference: Reference::new(reference)?,
        })
    }

    /// Why a value with so many rows of a class breaks the model, if it does.
    fn breach(&self, count: u32, rows: u64, wanted: u64, reference: &Reference) -> Option<Breach> {
        if wanted == 0 {
            return Some(Breach {
                found: Quantity::UnknownValue,
                required: Quantity::Growth(self.beta),
            });
        }
        let here = u128::from(count) * u128::from(reference.rows());
        let there = u128::from(wanted) * u128::from(rows);
        let grown = here.checked_sub(there).filter(|grown| *grown > 0)?;
        let growth = Proportion::new(grown, there);
        let bound = if growth.compare(self.beta).is_gt() {
            Some(self.beta)
        } else if self.kind == Likeness::Enhanced {
            let others = (reference.rows() - wanted) as f64;
            // -ln(wanted / all) = ln(1 + others / wanted), exact also where the share is nearly 1.
            let bound = (others / wanted as f64).ln_1p();
            let growth = grown as f64 / there as f64;
            (growth * (1.0 + GUARD) >= bound).then(|| Quantity::rounded(bound))
        } else {
            None
        };
        bound.map(|bound| Breach {
            found: Quantity::Growth(growth.share()),
            required: Quantity::Growth(bound),
        })
    }
}

impl PrivacyModel for BetaLikeness {
    fn id(&self) -> &'static str {
        "beta-likeness"
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

impl RelativeModel for BetaLikeness {
    fn reference(&self) -> &Reference {
        &self.reference
    }

    fn check_against(&self, evidence: &Evidence<'_>, reference: &Reference) -> Verdict {
        let rows = evidence.rows();
        let mut values = evidence.histogram(0).iter();
        values
            .find_map(|(code, count)| self.breach(count, rows, reference.count(code), reference))
            .map_or(Verdict::Holds, Verdict::Broken)
    }
}

impl BeliefModel for BetaLikeness {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        beliefs.iter().all(|(code, (_, high))| {
            let wanted = self.reference.count(code);
            let there = ratio(wanted, self.reference.rows());
            if *high <= there {
                return true;
            }
            if !there.is_positive() {
                return false;
            }
            let growth = (high - &there) / &there;
            let others = (self.reference.rows() - wanted) as f64;
            let bound = (others / wanted as f64).ln_1p();
            let is_below = to_f64(&growth) * (1.0 + 2.0 * GUARD) < bound;
            growth <= rational(self.beta) && (self.kind == Likeness::Basic || is_below)
        })
    }

    fn names_values(&self) -> bool {
        true
    }
}
