//! p-sensitivity.
//!
//! **Definition.** In each class the sensitive attribute has at least *p* distinct values ([Sun08], Definition 3; the *k*
//! of p-sensitive k-anonymity is a k-anonymity model beside this one).
//! **Reading.** A missing value counts as one value. Rows are counted, not persons: an onlooker sees the rows of a
//! class and cannot tell which belong to one person. Several sensitive columns are several models.
//! **Holds because** a superset of a class has all its values: every superset of a valid class is valid. So where the
//! whole table has fewer than *p* values, no class of any release has them.
//! **Does not protect against** values that differ but mean the same (the similarity attack), nor against one value
//! that nearly all rows have. **Cost.** O(1) a class. **Oracle.** `testkit::oracle::p_sensitive`.

use super::{BeliefModel, Beliefs, Breach, Evidence, Monotone, PrivacyModel, Quantity, Verdict};
use crate::error::Error;
use crate::frequency::Tracked;

/// At least p different sensitive values in each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PSensitive {
    of: String,
    p: u64,
}

impl PSensitive {
    /// At least `p` values of the column `of`. `p` is at least 1.
    pub fn new(of: impl Into<String>, p: u64) -> Result<Self, String> {
        check_p(p)?;
        Ok(Self { of: of.into(), p })
    }
}

/// Refuses a `p` that asks for nothing.
pub(super) fn check_p(p: u64) -> Result<(), String> {
    if p == 0 {
        Err("`p` must be at least 1".to_owned())
    } else {
        Ok(())
    }
}

/// Refuses what needs more different things in each class than the whole table has.
pub(super) fn refuse_scarce(
    model: &str,
    of: &str,
    parameter: &str,
    asked: Quantity,
    found: (u64, Quantity),
) -> Result<(), Error> {
    Err(Error::Infeasible {
        what: format!(
            "{model} asks for {asked} of `{of}` in each class, but the whole table has {}",
            found.1
        ),
        hint: Some(format!(
            "`{parameter}` cannot be above {} in this table",
            found.0
        )),
    })
}

impl PrivacyModel for PSensitive {
    fn id(&self) -> &'static str {
        "p-sensitive"
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
        let found = evidence.histogram(0).distinct() as u64;
        if found >= self.p {
            Verdict::Holds
        } else {
            Verdict::Broken(Breach {
                found: Quantity::Values(found),
                required: Quantity::Values(self.p),
            })
        }
    }

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let found = whole.histogram(0).distinct() as u64;
        if found >= self.p {
            return Ok(());
        }
        let asked = Quantity::Values(self.p);
        refuse_scarce(
            self.id(),
            &self.of,
            "p",
            asked,
            (found, Quantity::Values(found)),
        )
    }
}

impl BeliefModel for PSensitive {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        beliefs.possible().count() as u64 >= self.p
    }
}
