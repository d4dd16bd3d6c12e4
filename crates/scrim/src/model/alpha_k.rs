//! (alpha, k)-anonymity: no sensitive value is too frequent in a class.
//!
//! **Definition.** After Wong et al. (2006; not among the papers in hand): in each class the share of the rows that have
//! the sensitive value is at most *alpha*; for one value, or for every value. The *k* is a k-anonymity model beside
//! this one.
//! **Reading.** The comparison is exact; a share of exactly *alpha* holds. For every value it is frequency l-diversity
//! with l = 1/alpha. Rows are counted, not persons: an onlooker sees the rows of a class and cannot tell which belong to
//! one person.
//! **Holds because** the share in the union of two classes lies between their shares: unions of valid classes are
//! valid. Not every superset: add rows of the value alone. Infeasible is what no part of the table could keep, however
//! much is suppressed: for every value an *alpha* below one over the number of values, for one value any *alpha* below 1
//! where all rows have it. What only suppression can mend is left to the search.
//! **Does not protect against** a value that is rare in the table and comes up to *alpha* in a class, nor against values
//! that differ but mean the same. **Cost.** O(values of a class). **Oracle.** `testkit::oracle::alpha_k`.

use super::belief::rational;
use super::proportion::Proportion;
use super::{BeliefModel, Beliefs, Breach, Evidence, Monotone, PrivacyModel, Quantity, Verdict};
use crate::error::Error;
use crate::frequency::{Slice, Tracked};
use crate::share::Share;
use crate::table::Code;

/// No sensitive value, or not this one, in more than a share of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlphaK {
    of: String,
    alpha: Share,
    value: Option<Code>,
}

impl AlphaK {
    /// The share of one value of the column `of`, or of every value, is at most `alpha`, which is above 0 and at most 1.
    pub fn new(of: impl Into<String>, alpha: Share, value: Option<Code>) -> Result<Self, String> {
        if alpha <= Share::ZERO || alpha > Share::ONE {
            return Err(format!(
                "`alpha` must be above 0 and at most 1, but it is {alpha}"
            ));
        }
        Ok(Self {
            of: of.into(),
            alpha,
            value,
        })
    }

    /// How many rows have the value, or the commonest one.
    fn most(&self, values: Slice<'_>) -> u64 {
        values
            .iter()
            .filter(|(code, _)| self.value.is_none_or(|value| value == *code))
            .map(|(_, count)| count.into())
            .max()
            .unwrap_or(0)
    }
}

impl PrivacyModel for AlphaK {
    fn id(&self) -> &'static str {
        "alpha-k"
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

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        let part = Proportion::new(self.most(evidence.histogram(0)), evidence.rows());
        if part.compare(self.alpha).is_gt() {
            Verdict::Broken(Breach {
                found: Quantity::Part(part.share()),
                required: Quantity::Part(self.alpha),
            })
        } else {
            Verdict::Holds
        }
    }

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let values = whole.histogram(0);
        let least = match self.value {
            None => Proportion::new(1u64, values.distinct() as u64),
            Some(_) if self.most(values) == whole.rows() => Proportion::new(1u64, 1u64),
            Some(_) => return Ok(()),
        };
        if !least.compare(self.alpha).is_gt() {
            return Ok(());
        }
        Err(Error::Infeasible {
            what: format!(
                "alpha-k allows at most {} of `{}` in a class, but the whole table has {}",
                Quantity::Part(self.alpha),
                self.of,
                Quantity::Values(values.distinct() as u64)
            ),
            hint: Some(format!(
                "`alpha` cannot be below {} in this table",
                least.share()
            )),
        })
    }
}

impl BeliefModel for AlphaK {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        let share = match self.value {
            None => beliefs.highest(),
            Some(value) => beliefs.high(value),
        };
        share <= rational(self.alpha)
    }

    fn names_values(&self) -> bool {
        self.value.is_some()
    }

    fn least_failing(&self, rows: u64) -> Option<u64> {
        self.value
            .is_none()
            .then(|| self.alpha.floor_of(rows).saturating_add(1))
    }
}
