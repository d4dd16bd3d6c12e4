//! (p+, alpha)-sensitivity.
//!
//! **Definition.** Each class has at least *p* distinct categories of the sensitive attribute, and its total weight is at
//! least *alpha* ([Sun08], Definition 5; the *k* is a k-anonymity model beside this one). Weights: see [`Categories`].
//! **Reading.** As for (p, alpha): the weight adds up rows, exactly, and persons are not counted.
//! **Holds because** categories and weight only grow with a class: every superset of a valid class is valid. So what
//! the whole table breaks, every class of every release breaks. With p of 2 or more no class lies in one category, so
//! the similarity attack finds nothing.
//! **Does not protect against** one category that nearly all rows of a class have.
//! **Cost.** O(values of a class). **Oracle.** `testkit::oracle::p_plus_alpha`.

use super::p_alpha::{check_alpha, refuse_light, weigh, weighs_enough};
use super::p_sensitive::{check_p, refuse_scarce};
use super::{
    BeliefModel, Beliefs, Breach, Categories, Evidence, Monotone, PrivacyModel, Quantity, Verdict,
};
use crate::error::Error;
use crate::frequency::Tracked;
use crate::share::Share;

/// At least p different categories, of total weight alpha at least, in each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PPlusAlpha {
    of: String,
    p: u64,
    alpha: Share,
    categories: Categories,
}

impl PPlusAlpha {
    /// The column `of` with the categories of its values. `p` is at least 1 and at most the number of categories,
    /// `alpha` not below 0.
    pub fn new(
        of: impl Into<String>,
        p: u64,
        alpha: Share,
        categories: Categories,
    ) -> Result<Self, String> {
        check_p(p)?;
        check_alpha(alpha)?;
        if p > u64::from(categories.count()) {
            return Err(format!(
                "`p` asks for {p} categories, but the policy lists {}",
                categories.count()
            ));
        }
        Ok(Self {
            of: of.into(),
            p,
            alpha,
            categories,
        })
    }
}

impl PrivacyModel for PPlusAlpha {
    fn id(&self) -> &'static str {
        "p-plus-alpha"
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
        let found = self.categories.distinct(values);
        if found < self.p {
            return Verdict::Broken(Breach {
                found: Quantity::Categories(found),
                required: Quantity::Categories(self.p),
            });
        }
        weigh(&self.categories, values, self.alpha)
    }

    fn lacks(&self, evidence: &Evidence<'_>) -> Vec<Breach> {
        let values = evidence.histogram(0);
        let found = self.categories.distinct(values);
        let mut lacks = Vec::new();
        if found < self.p {
            let (found, required) = (Quantity::Categories(found), Quantity::Categories(self.p));
            lacks.push(Breach { found, required });
        }
        if let Verdict::Broken(breach) = weigh(&self.categories, values, self.alpha) {
            lacks.push(breach);
        }
        lacks
    }

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let values = whole.histogram(0);
        let found = self.categories.distinct(values);
        if found < self.p {
            let asked = Quantity::Categories(self.p);
            let found = (found, Quantity::Categories(found));
            return refuse_scarce(self.id(), &self.of, "p", asked, found);
        }
        refuse_light(self.id(), &self.of, &self.categories, values, self.alpha)
    }
}

impl BeliefModel for PPlusAlpha {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        let possible = beliefs.possible().map(|code| self.categories.of(code));
        let categories: std::collections::BTreeSet<u32> = possible.collect();
        categories.len() as u64 >= self.p && weighs_enough(&self.categories, beliefs, self.alpha)
    }

    fn names_values(&self) -> bool {
        true
    }
}
