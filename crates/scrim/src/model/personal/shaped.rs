//! A model that judges the sensitive values of a class as they will be published.
//!
//! **Definition.** Where `personal` generalizes a class's sensitive values, an onlooker counts taxa, not values. A model beside
//! it that counts different values, or their shares, is asked about those.
//! **Holds because** it is what the certifier counts; and merging values never makes a class look more diverse.

use std::sync::Arc;

use super::{Personal, Tailored, cells};
use crate::error::Error;
use crate::frequency::{FrequencySet, Tracked};
use crate::hierarchy::TaxonId;
use crate::model::{Breach, Evidence, Monotone, PrivacyModel, Verdict};

/// A model over what `personal` makes of a class.
#[derive(Debug)]
pub struct Shaped {
    inner: Box<dyn PrivacyModel>,
    personal: Arc<Personal>,
}

impl Shaped {
    /// A model of the same sensitive column that counts values only.
    pub fn new(inner: Box<dyn PrivacyModel>, personal: Arc<Personal>) -> Self {
        Self { inner, personal }
    }

    /// The class with its values as they are published by a function.
    fn published(&self, evidence: &Evidence<'_>, tailored: &Tailored) -> FrequencySet {
        let wishes = self.personal.wishes();
        let tree = wishes.tree();
        let shown = |leaf: TaxonId| {
            let over = tailored
                .raised
                .iter()
                .find(|taxon| tree.covers(**taxon, leaf));
            over.copied().unwrap_or(leaf)
        };
        let pairs =
            cells(evidence.histogram(0)).map(|(code, rows)| (shown(wishes.leaf(code)).0, rows));
        FrequencySet::one_class(pairs)
    }

    /// What the other model says; a class that cannot be published is not its own to refuse.
    fn judged(&self, evidence: &Evidence<'_>, tailored: Option<Tailored>) -> Verdict {
        tailored.map_or(Verdict::Holds, |tailored| {
            let set = self.published(evidence, &tailored);
            self.inner.check(&Evidence::of(set.only(), &[0]))
        })
    }
}

impl PrivacyModel for Shaped {
    fn id(&self) -> &'static str {
        self.inner.id()
    }

    fn needs(&self) -> Vec<Tracked> {
        self.personal.needs()
    }

    fn monotone(&self) -> Monotone {
        Monotone::No
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        self.judged(evidence, self.personal.of_class(evidence))
    }

    fn check_apart(&self, evidence: &Evidence<'_>) -> Verdict {
        self.judged(evidence, self.personal.of_class_apart(evidence))
    }

    fn holds_raised(&self, evidence: &Evidence<'_>, of: &str, tailored: &Tailored) -> bool {
        let set = || self.published(evidence, tailored);
        self.personal.wishes().of() != of
            || self.inner.check(&Evidence::of(set().only(), &[0])) == Verdict::Holds
    }

    fn lacks(&self, evidence: &Evidence<'_>) -> Vec<Breach> {
        let tailored = self.personal.of_class(evidence);
        tailored.map_or_else(Vec::new, |tailored| {
            let set = self.published(evidence, &tailored);
            self.inner.lacks(&Evidence::of(set.only(), &[0]))
        })
    }

    fn feasible(&self, _: &Evidence<'_>) -> Result<(), Error> {
        Ok(())
    }
}
