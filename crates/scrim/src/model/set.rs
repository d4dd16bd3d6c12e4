//! The models of a policy together: all of them must hold.

use super::{Evidence, Monotone, PrivacyModel, Verdict};
use crate::error::Error;
use crate::frequency::{Class, FrequencySet, Tracked};

/// Models, and where each finds what it needs among the tracked columns.
#[derive(Debug, Default)]
pub struct ModelSet {
    models: Vec<(Box<dyn PrivacyModel>, Vec<usize>)>,
    tracked: Vec<Tracked>,
}

impl ModelSet {
    /// The conjunction of these models.
    pub fn new(models: Vec<Box<dyn PrivacyModel>>) -> Self {
        let mut set = Self::default();
        for model in models {
            let places = model
                .needs()
                .into_iter()
                .map(|need| set.place(need))
                .collect();
            set.models.push((model, places));
        }
        set
    }

    fn place(&mut self, need: Tracked) -> usize {
        self.tracked
            .iter()
            .position(|tracked| *tracked == need)
            .unwrap_or_else(|| {
                self.tracked.push(need);
                self.tracked.len() - 1
            })
    }

    /// The columns whose histograms the frequency set must carry.
    pub fn tracked(&self) -> &[Tracked] {
        &self.tracked
    }

    /// The models.
    pub fn models(&self) -> impl Iterator<Item = &dyn PrivacyModel> {
        self.models.iter().map(|(model, _)| model.as_ref())
    }

    /// Whether pruning by the verdict is sound: every model says so.
    pub fn is_monotone(&self) -> bool {
        self.models()
            .all(|model| model.monotone() == Monotone::Supersets)
    }

    /// Whether a class keeps all models.
    pub fn holds(&self, class: Class<'_>) -> bool {
        self.models
            .iter()
            .all(|(model, tracked)| model.check(&Evidence { class, tracked }) == Verdict::Holds)
    }

    /// Refuses what the table as one class shows to be impossible.
    pub fn feasible(&self, top: &FrequencySet) -> Result<(), Error> {
        debug_assert!(top.len() <= 1, "the top of a lattice is one class");
        top.classes().try_for_each(|class| {
            self.models
                .iter()
                .try_for_each(|(model, tracked)| model.feasible(&Evidence { class, tracked }))
        })
    }
}
