//! (p, alpha)-sensitivity.
//!
//! **Definition.** Each class has at least *p* distinct sensitive values, and its total weight is at least *alpha*
//! ([Sun08], Definition 4; the *k* is a k-anonymity model beside this one). Weights: see [`Categories`].
//! **Reading.** The total weight adds a weight for each row, as Table 7 does: three rows of Flu weigh 3. It is counted
//! in whole units, so six rows of weight 1/3 weigh exactly 2. Rows are counted, not persons: an onlooker sees the rows
//! of a class and cannot tell which belong to one person.
//! **Holds because** values and weight only grow with a class (no weight is negative): every superset of a valid class
//! is valid. So what the whole table breaks, every class of every release breaks.
//! **Does not protect against** the similarity attack: a class of one category, but not the most sensitive one, may
//! keep the model if it is large (see `p-plus-alpha`).
//! **Cost.** O(values of a class). **Oracle.** `testkit::oracle::p_alpha`.

use std::cmp::Ordering;

use super::belief::{ratio, rational};
use super::p_sensitive::{check_p, refuse_scarce};
use super::{
    BeliefModel, Beliefs, Breach, Categories, Evidence, Monotone, PrivacyModel, Quantity, Verdict,
};
use crate::error::Error;
use crate::frequency::{Slice, Tracked};
use crate::share::Share;

/// At least p different sensitive values, of total weight alpha at least, in each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PAlpha {
    of: String,
    p: u64,
    alpha: Share,
    weights: Categories,
}

impl PAlpha {
    /// The column `of`, whose values have their categories in `weights`. `p` is at least 1, `alpha` not below 0.
    pub fn new(
        of: impl Into<String>,
        p: u64,
        alpha: Share,
        weights: Categories,
    ) -> Result<Self, String> {
        check_p(p)?;
        check_alpha(alpha)?;
        Ok(Self {
            of: of.into(),
            p,
            alpha,
            weights,
        })
    }
}

/// Refuses a weight below zero.
pub(super) fn check_alpha(alpha: Share) -> Result<(), String> {
    if alpha < Share::ZERO {
        Err(format!("`alpha` must not be below 0, but it is {alpha}"))
    } else {
        Ok(())
    }
}

/// Whether a class weighs enough.
pub(super) fn weigh(weights: &Categories, values: Slice<'_>, alpha: Share) -> Verdict {
    let found = weights.weight(values);
    if found.compare(alpha) == Ordering::Less {
        Verdict::Broken(Breach {
            found: Quantity::Weight(found.share()),
            required: Quantity::Weight(alpha),
        })
    } else {
        Verdict::Holds
    }
}

/// Refuses an `alpha` above the weight of the whole table.
pub(super) fn refuse_light(
    model: &str,
    of: &str,
    weights: &Categories,
    whole: Slice<'_>,
    alpha: Share,
) -> Result<(), Error> {
    match weigh(weights, whole, alpha) {
        Verdict::Holds => Ok(()),
        Verdict::Broken(Breach { found, required }) => Err(Error::Infeasible {
            what: format!(
                "{model} asks for {required} of `{of}` in each class, but the whole table has {found}"
            ),
            hint: Some(format!(
                "`alpha` cannot be above {} in this table",
                weights.weight(whole).share()
            )),
        }),
    }
}

impl PrivacyModel for PAlpha {
    fn id(&self) -> &'static str {
        "p-alpha"
    }

    fn needs(&self) -> Vec<Tracked> {
        vec![Tracked::Sensitive(self.of.clone())]
    }

    fn monotone(&self) -> Monotone {
        Monotone::Supersets
    }

    fn as_belief_model(&self) -> Option<&dyn BeliefModel> {
        Some(self)
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        let values = evidence.histogram(0);
        let found = values.distinct() as u64;
        if found < self.p {
            return Verdict::Broken(Breach {
                found: Quantity::Values(found),
                required: Quantity::Values(self.p),
            });
        }
        weigh(&self.weights, values, self.alpha)
    }

    fn lacks(&self, evidence: &Evidence<'_>) -> Vec<Breach> {
        let values = evidence.histogram(0);
        let found = values.distinct() as u64;
        let mut lacks = Vec::new();
        if found < self.p {
            let (found, required) = (Quantity::Values(found), Quantity::Values(self.p));
            lacks.push(Breach { found, required });
        }
        if let Verdict::Broken(breach) = weigh(&self.weights, values, self.alpha) {
            lacks.push(breach);
        }
        lacks
    }

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let values = whole.histogram(0);
        let found = values.distinct() as u64;
        if found < self.p {
            let asked = Quantity::Values(self.p);
            return refuse_scarce(
                self.id(),
                &self.of,
                "p",
                asked,
                (found, Quantity::Values(found)),
            );
        }
        refuse_light(self.id(), &self.of, &self.weights, values, self.alpha)
    }
}

impl BeliefModel for PAlpha {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        beliefs.possible().count() as u64 >= self.p
            && weighs_enough(&self.weights, beliefs, self.alpha)
    }

    fn names_values(&self) -> bool {
        true
    }
}

/// Whether what is believed weighs enough, whatever it is.
pub(super) fn weighs_enough(weights: &Categories, beliefs: &Beliefs<'_>, alpha: Share) -> bool {
    let units = beliefs.least_weight(|code| weights.units(code).into());
    units * ratio(1, weights.steps().into()) >= rational(alpha)
}
