//! The models of a policy together: all of them must hold.

use std::sync::Arc;

use super::{
    Breach, Evidence, Member, Monotone, Personal, PrivacyModel, Quantity, Tailored, Verdict,
};
use crate::error::Error;
use crate::frequency::{Class, FrequencySet, Tracked};

/// A model, and where it finds what it needs among the tracked columns.
pub(super) type Placed = (Box<dyn PrivacyModel>, Vec<usize>);

/// Models, and where each finds what it needs among the tracked columns.
#[derive(Clone, Debug, Default)]
pub struct ModelSet {
    pub(super) models: Arc<Vec<Placed>>,
    tracked: Vec<Tracked>,
    /// Whether classes are judged as if nobody had rows in several of them.
    apart: bool,
}

/// A promise about classes of rows that are equal in some of the quasi-identifiers.
#[derive(Clone, Copy, Debug)]
pub struct ColumnPromise<'a> {
    /// The quasi-identifiers, by number.
    pub columns: &'a [usize],
    /// The least size of a class.
    pub k: u64,
    /// Where the persons are among the tracked columns, where these are counted instead of rows.
    pub person: Option<usize>,
}

impl ModelSet {
    /// The conjunction of these models.
    #[must_use]
    pub fn new(models: Vec<Box<dyn PrivacyModel>>) -> Self {
        let mut set = Self::default();
        let mut all = Vec::with_capacity(models.len());
        for model in models {
            let needs = model.needs().into_iter();
            let places = needs.map(|need| set.place(need)).collect();
            all.push((model, places));
        }
        set.models = Arc::new(all);
        set
    }

    /// The same models, where each class is judged as if nobody had rows in several of them: for searches whose classes are judged
    /// together afterwards.
    pub(crate) fn apart(&self) -> Self {
        Self {
            models: Arc::clone(&self.models),
            tracked: self.tracked.clone(),
            apart: true,
        }
    }

    fn check(&self, model: &dyn PrivacyModel, evidence: &Evidence<'_>) -> Verdict {
        if self.apart {
            model.check_apart(evidence)
        } else {
            model.check(evidence)
        }
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
    #[must_use]
    pub fn tracked(&self) -> &[Tracked] {
        &self.tracked
    }

    /// The models.
    pub fn models(&self) -> impl Iterator<Item = &dyn PrivacyModel> {
        self.models.iter().map(|(model, _)| model.as_ref())
    }

    /// The models that ask for nothing but a least size of each class, and where each finds what it needs.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (&dyn PrivacyModel, &[usize])> {
        let models = self.models.iter();
        models
            .filter(|(model, _)| model.least_size().is_some())
            .map(|(model, places)| (model.as_ref(), &places[..]))
    }

    /// The promises about some of the quasi-identifiers.
    pub fn column_promises(&self) -> impl Iterator<Item = ColumnPromise<'_>> {
        self.models.iter().filter_map(|(model, places)| {
            let (k, person) = match model.least_size()? {
                Quantity::Persons(k) => (k, places.first().copied()),
                Quantity::Rows(k) => (k, None),
                _ => return None,
            };
            let columns = model.columns()?;
            Some(ColumnPromise { columns, k, person })
        })
    }

    /// Whether there are such promises.
    pub fn promises_columns(&self) -> bool {
        self.column_promises().next().is_some()
    }

    /// What all models promise together: the weakest promise of any. Without a model every class is valid.
    #[must_use]
    pub fn monotone(&self) -> Monotone {
        self.models()
            .map(PrivacyModel::monotone)
            .max()
            .unwrap_or(Monotone::Supersets)
    }

    /// Whether a search that may suppress so many rows can prune by the verdict: whether every node above a valid one
    /// is valid.
    #[must_use]
    pub fn prunes(&self, limit: u64) -> bool {
        match self.monotone() {
            Monotone::Supersets => true,
            Monotone::Unions => limit == 0,
            Monotone::No => false,
        }
    }

    /// Whether a class keeps all models that are about it alone: all but those about some of the quasi-identifiers, which
    /// are about several classes of a node together.
    #[must_use]
    pub fn holds_alone(&self, class: Class<'_>) -> bool {
        let mut alone = self
            .models
            .iter()
            .filter(|(model, _)| model.columns().is_none());
        alone.all(|(model, tracked)| {
            model.check_apart(&Evidence { class, tracked }) == Verdict::Holds
        })
    }

    /// Whether a class keeps all models, whatever the other classes are.
    #[must_use]
    pub fn holds(&self, class: Class<'_>) -> bool {
        self.models.iter().all(|(model, tracked)| {
            self.check(model.as_ref(), &Evidence { class, tracked }) == Verdict::Holds
        })
    }

    /// Whether some model judges withheld rows.
    #[must_use]
    pub fn judges_withheld(&self) -> bool {
        self.models().any(PrivacyModel::judges_withheld)
    }

    /// Whether a class keeps all models when its rows are withheld.
    #[must_use]
    pub fn keeps_withheld(&self, class: Class<'_>) -> bool {
        let mut models = self.models.iter();
        models.all(|(model, tracked)| model.keeps_withheld(&Evidence { class, tracked }))
    }

    /// Whether a class keeps all models, as far as it can be told without the other classes of its release.
    #[must_use]
    pub fn holds_apart(&self, class: Class<'_>) -> bool {
        let keeps = |(model, tracked): &(Box<dyn PrivacyModel>, Vec<usize>)| {
            model.check_apart(&Evidence { class, tracked }) == Verdict::Holds
        };
        self.models.iter().all(keeps)
    }

    /// Whether persons in several classes couple the classes of a release.
    #[must_use]
    pub fn looks_across(&self) -> bool {
        let mut personal = self.models().filter_map(PrivacyModel::as_personal);
        !self.apart && personal.any(Personal::looks_across)
    }

    /// Whether suppressed rows are left out of a release whose classes are coupled.
    #[must_use]
    pub fn drops_suppressed(&self) -> bool {
        let mut personal = self.models().filter_map(PrivacyModel::as_personal);
        personal.any(Personal::drops_suppressed)
    }

    /// What the classes of a release lose in their sensitive values when all are judged together, by model that has them
    /// generalized: the leaves that rows may have beside their own. `suppressed` is the class of suppressed rows, where it is
    /// published, and whether it is withheld. Otherwise the classes to give up; none where that does not help either.
    pub(crate) fn together(
        &self,
        classes: &[Class<'_>],
        suppressed: Option<(Class<'_>, bool)>,
    ) -> Result<Vec<u128>, Vec<u32>> {
        let mut lost = Vec::new();
        for (model, tracked) in self.models.iter() {
            let Some(personal) = model.as_personal() else {
                continue;
            };
            let kept = classes.iter().copied();
            let kept = kept.map(|class| Member::kept(Evidence { class, tracked }));
            let gone = suppressed.map(|(class, withheld)| Member {
                evidence: Evidence { class, tracked },
                suppressed: true,
                withheld,
            });
            let members: Vec<Member<'_>> = kept.chain(gone).collect();
            let functions = personal.together(&members)?;
            self.must_hold_raised(classes, personal.wishes().of(), &functions)?;
            let losses = functions[..classes.len()].iter().flatten();
            lost.push(losses.map(|function| u128::from(function.lost)).sum());
        }
        Ok(lost)
    }

    /// Which classes the persons have whose wishes cannot be kept over all these classes together, whatever is raised; all of
    /// each at once, every combination once. Each class keeps the models by itself.
    pub(crate) fn torn(&self, classes: &[Class<'_>]) -> Vec<Vec<u32>> {
        let mut torn = Vec::new();
        for (model, tracked) in self.models.iter() {
            let Some(personal) = model.as_personal() else {
                continue;
            };
            let members = classes.iter().copied();
            let members = members.map(|class| Member::kept(Evidence { class, tracked }));
            torn.extend(personal.torn(&members.collect::<Vec<_>>()));
        }
        torn.sort_unstable();
        torn.dedup();
        torn
    }

    /// How many persons with a wish have rows of different tuples, which may come into several classes.
    pub(crate) fn spread_persons(&self, tuple_of_row: &[u32]) -> u64 {
        let personal = self.models().filter_map(PrivacyModel::as_personal);
        let persons = personal.map(|personal| personal.spread_persons(tuple_of_row));
        persons.max().unwrap_or(0)
    }

    /// Whether all models beside `personal` hold of values that were raised; else the classes that do not keep one.
    fn must_hold_raised(
        &self,
        classes: &[Class<'_>],
        of: &str,
        functions: &[Option<Tailored>],
    ) -> Result<(), Vec<u32>> {
        let keeps = |class: Class<'_>, function: &Tailored| {
            let mut models = self.models.iter();
            models.all(|(model, tracked)| {
                model.holds_raised(&Evidence { class, tracked }, of, function)
            })
        };
        let raised = (0..).zip(classes.iter().zip(functions));
        let broken = raised.filter_map(|(number, (class, function))| {
            let function = function.as_ref()?;
            (!keeps(*class, function)).then_some(number)
        });
        let broken: Vec<u32> = broken.collect();
        if broken.is_empty() {
            Ok(())
        } else {
            Err(broken)
        }
    }

    /// Whether a class keeps those models that are asked for.
    pub(crate) fn judge_by(
        &self,
        class: Class<'_>,
        is_asked: impl Fn(&dyn PrivacyModel) -> bool,
    ) -> bool {
        let asked = self.models.iter();
        asked
            .filter(|(model, _)| is_asked(model.as_ref()))
            .all(|(model, tracked)| {
                self.check(model.as_ref(), &Evidence { class, tracked }) == Verdict::Holds
            })
    }

    /// What a class loses in its sensitive values, by model that has them generalized.
    pub fn sensitive_losses(&self, class: Class<'_>) -> impl Iterator<Item = u64> {
        self.models
            .iter()
            .filter_map(move |(model, tracked)| model.sensitive_loss(&Evidence { class, tracked }))
    }

    /// Whether a class breaks a model about it alone that every superset of a valid class keeps: then every part of it does too.
    pub fn breaks_for_good(&self, class: Class<'_>) -> bool {
        let lasting = |model: &dyn PrivacyModel| {
            model.monotone() == Monotone::Supersets && model.columns().is_none()
        };
        self.models
            .iter()
            .filter(|(model, _)| lasting(model.as_ref()))
            .any(|(model, tracked)| {
                self.check(model.as_ref(), &Evidence { class, tracked }) != Verdict::Holds
            })
    }

    /// The first model that a class breaks, and why.
    #[must_use]
    pub fn breach(&self, class: Class<'_>) -> Option<(&dyn PrivacyModel, Breach)> {
        self.models.iter().find_map(|(model, tracked)| {
            match self.check(model.as_ref(), &Evidence { class, tracked }) {
                Verdict::Holds => None,
                Verdict::Broken(breach) => Some((model.as_ref(), breach)),
            }
        })
    }

    /// Why a class breaks the model of this number, where it does.
    pub(crate) fn breach_of(&self, number: usize, class: Class<'_>) -> Option<Breach> {
        let (model, tracked) = self.models.get(number)?;
        match self.check(model.as_ref(), &Evidence { class, tracked }) {
            Verdict::Holds => None,
            Verdict::Broken(breach) => Some(breach),
        }
    }

    /// Why a class breaks the model of this number by itself, where it does, whatever the other classes are.
    pub(crate) fn breach_apart(&self, number: usize, class: Class<'_>) -> Option<Breach> {
        let (model, tracked) = self.models.get(number)?;
        match model.check_apart(&Evidence { class, tracked }) {
            Verdict::Holds => None,
            Verdict::Broken(breach) => Some(breach),
        }
    }

    /// The quasi-identifiers that the model of this number is about, where these are not all.
    pub(crate) fn columns_of(&self, number: usize) -> Option<&[usize]> {
        self.models.get(number)?.0.columns()
    }

    /// The same models over a frequency set that tracks these columns; nothing where it lacks one that they need.
    pub(crate) fn reusing(self, tracked: &[Tracked]) -> Option<Self> {
        let mut models = Arc::try_unwrap(self.models).ok()?;
        for (model, places) in &mut models {
            let needs = model.needs().into_iter();
            let place = |need| tracked.iter().position(|known| *known == need);
            *places = needs.map(place).collect::<Option<_>>()?;
        }
        Some(Self {
            models: Arc::new(models),
            tracked: tracked.to_vec(),
            apart: self.apart,
        })
    }

    /// All that a class lacks, over all models.
    pub fn lacks(&self, class: Class<'_>) -> Vec<Breach> {
        let lacks = |(model, tracked): &(Box<dyn PrivacyModel>, Vec<usize>)| {
            let evidence = Evidence { class, tracked };
            if self.apart && model.check_apart(&evidence) == Verdict::Holds {
                return Vec::new();
            }
            model.lacks(&evidence)
        };
        self.models.iter().flat_map(lacks).collect()
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
