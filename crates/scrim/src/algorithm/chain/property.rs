//! The models of a policy as the property of a disclosure set.

use crate::adversary::Property;
use crate::frequency::{Class, FrequencySet, Tracked};
use crate::model::{
    BeliefModel, Beliefs, Evidence, Exact, ModelSet, Monotone, PrivacyModel, Verdict,
};
use crate::table::{Code, Column};

/// The models that look at one sensitive column.
#[derive(Debug)]
pub struct Kept<'a> {
    secret: Vec<&'a dyn PrivacyModel>,
    /// The values that occur, by number.
    codes: Vec<Code>,
    monotone: Monotone,
    symmetric: bool,
}

/// Whether a model looks at sensitive values.
fn looks(model: &dyn PrivacyModel) -> bool {
    let is_sensitive = |need: &Tracked| !matches!(need, Tracked::Person(_));
    model.needs().iter().any(is_sensitive)
}

impl<'a> Kept<'a> {
    /// The models about a column, and the number of each row's value.
    pub fn over(models: &'a ModelSet, column: &Column) -> (Self, Vec<u32>) {
        let mut number = vec![None; column.dictionary().len()];
        let mut codes = Vec::new();
        let rows = column.codes().len();
        let mut value = |row: usize| {
            let code = column.codes().get(row);
            *number[code as usize].get_or_insert_with(|| {
                codes.push(code);
                codes.len() as u32 - 1
            })
        };
        let values = (0..rows).map(&mut value).collect();
        let secret: Vec<&dyn PrivacyModel> =
            models.models().filter(|model| looks(*model)).collect();
        let weakest = secret.iter().map(|model| model.monotone()).max();
        let names = |model: &&dyn PrivacyModel| {
            model
                .as_belief_model()
                .is_none_or(BeliefModel::names_values)
        };
        let kept = Self {
            monotone: weakest.unwrap_or(Monotone::Supersets),
            symmetric: !secret.iter().any(names),
            secret,
            codes,
        };
        (kept, values)
    }

    /// The values, by number.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The first model that cannot judge beliefs.
    pub fn speechless(&self) -> Option<&'static str> {
        let mut models = self.secret.iter();
        models
            .find(|model| model.as_belief_model().is_none())
            .map(|model| model.id())
    }
}

impl Property for Kept<'_> {
    fn passes(&self, counts: &[u32]) -> bool {
        let size = counts.iter().sum();
        if let Some(least) = self.least_failing(size) {
            return counts.iter().all(|count| *count < least);
        }
        let occurring = self
            .codes
            .iter()
            .zip(counts)
            .filter(|(_, count)| **count > 0);
        let class =
            FrequencySet::one_class(occurring.map(|(code, count)| (*code, (*count).into())));
        let holds = |model: &&dyn PrivacyModel| {
            model.check(&Evidence::of(class.only(), &[0])) == Verdict::Holds
        };
        self.secret.iter().all(holds)
    }

    fn believed(&self, rows: u64, bounds: &[(Exact, Exact)]) -> bool {
        let beliefs = Beliefs {
            rows,
            codes: &self.codes,
            bounds,
        };
        let models = self.secret.iter();
        models
            .map(|model| model.as_belief_model())
            .all(|model| model.is_some_and(|model| model.believed(&beliefs)))
    }

    fn monotone(&self) -> Monotone {
        self.monotone
    }

    fn symmetric(&self) -> bool {
        self.symmetric
    }

    fn least_failing(&self, size: u32) -> Option<u32> {
        let least = |model: &&dyn PrivacyModel| {
            let model = model.as_belief_model()?;
            Some(model.least_failing(size.into())?.min(u32::MAX.into()) as u32)
        };
        let all: Option<Vec<u32>> = self.secret.iter().map(least).collect();
        all.and_then(|all| all.into_iter().min())
    }
}

/// Whether a class keeps the models that do not look at sensitive values.
pub(super) fn keeps_public(models: &ModelSet, class: Class<'_>) -> bool {
    models.judge_by(class, |model| !looks(model))
}
