//! The rows of a release whose sensitive values are published, as far as promises about one class depend on them.
//!
//! **Definition.** A promise is *relative* where its verdict on a class depends on other classes too: t-closeness,
//! beta-likeness and delta-disclosure compare a class with the distribution of all visible rows.
//! **Reading.** All rows are visible at first; the rows of suppressed classes are hidden one class after the other. A class is
//! judged while its own rows are visible. `algorithm::node_release` says when rows are hidden.
//! **Cost.** Hiding a class costs its values; judging costs what the models cost.

use super::reference::Reference;
use super::{Evidence, ModelSet, PrivacyModel, Verdict};
use crate::frequency::FrequencySet;

/// A model that compares each class with the distribution of all visible rows.
pub trait RelativeModel: PrivacyModel {
    /// The distribution of all rows of the table.
    fn reference(&self) -> &Reference;
    /// Judges a class against the distribution of the visible rows.
    fn check_against(&self, evidence: &Evidence<'_>, reference: &Reference) -> Verdict;
}

/// The visible rows of a node's release.
#[derive(Clone, Debug)]
pub struct Visible<'m> {
    models: &'m ModelSet,
    /// The distribution of the visible rows, by model; none where a model is not relative.
    references: Vec<Option<Reference>>,
}

impl<'m> Visible<'m> {
    /// All rows of the table.
    #[must_use]
    pub fn all(models: &'m ModelSet) -> Self {
        let own = |model: &dyn PrivacyModel| Some(model.as_relative_model()?.reference().clone());
        Self {
            models,
            references: models.models().map(own).collect(),
        }
    }

    /// Hides the rows of a class.
    pub fn hide(&mut self, set: &FrequencySet, class: u32) {
        let class = set.class(class as usize);
        let references = self.references.iter_mut().zip(self.models.models.iter());
        for (reference, (_, tracked)) in references {
            if let Some(reference) = reference {
                reference.remove(Evidence { class, tracked }.histogram(0));
            }
        }
    }

    /// Whether a visible class keeps the relative models. The verdict of the others is that of [`ModelSet::holds`], whatever
    /// is visible.
    #[must_use]
    pub fn keeps(&self, set: &FrequencySet, class: u32) -> bool {
        let class = set.class(class as usize);
        let mut judges = self.references.iter().zip(self.models.models.iter());
        judges.all(|(reference, (model, tracked))| {
            let Some((reference, model)) = reference.as_ref().zip(model.as_relative_model()) else {
                return true;
            };
            model.check_against(&Evidence { class, tracked }, reference) == Verdict::Holds
        })
    }
}

impl ModelSet {
    /// Whether some model is relative: then suppressing one class may break another.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        self.models()
            .any(|model| model.as_relative_model().is_some())
    }
}
