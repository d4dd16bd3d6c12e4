//! Personalized anonymity.
//!
//! **Definition.** A person names a taxon of the sensitive tree on the path from the root to the own value, the guard: nobody
//! shall believe with a probability above the limit that the person has any value below it ([XiaoTao06], Definitions 2 and 3).
//! A person whose rows lie in several classes is protected over all of them: p(o, g) = 1 − Π (1 − P(C, g)), over the classes C
//! with a row of *o*, is at most the limit for each guard *g* of any of these rows; two classes with 1/2 each are 3/4.
//! **Reading.** A class keeps the model when some generalization of its sensitive values does: the least one is published
//! ([`tailor`]). With `weights = { … = "forbid" }` it must keep it as it is. No guard asks for nothing. Breach probabilities
//! count all persons of the class as possible owners of each row: where no person has two rows, each of one row only.
//! A guard counts in all classes of its person, also where the person's rows ask for nothing or for something else. Of
//! nested guards the widest decides, since in no class it has the smaller probability; guards that lie apart are judged one by one.
//! **Holds because** the probability of a guard in a class depends on the class alone. Of persons in several classes two things
//! are judged. Who knows all classes judges them together, exactly ([`together`]): full-domain searches those of a node, others at the end. A
//! search that makes classes one by one asks of each either nothing for the others ([`check_apart`](PrivacyModel::check_apart)), or
//! (1 − P(C, g))^m ≥ 1 − limit ([`check`](PrivacyModel::check)), where m is 1 and the person's rows elsewhere. That is enough, not needed. Not
//! monotone: merging two classes can raise a probability, and can leave no generalization at all (docs/papers.md, E9).
//! **Does not protect against** an onlooker who knows the values of others, or knows the guards: a raised value tells that
//! somebody asked for it; or who knows which rows of several classes belong to one person.
//! **Cost.** See [`tailor`]. **Oracle.** `testkit::oracle::personal`.

mod limit;
mod returning;
mod shape;
mod shaped;
mod tailor;
mod together;

pub use limit::Ownership;
pub use shaped::Shaped;
pub use tailor::Demand;
pub use together::Member;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Breach, Evidence, Monotone, PrivacyModel, Quantity, Verdict};
use crate::error::Error;
use crate::frequency::{Slice, Tracked};
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::share::Share;
use crate::table::Codes;
use limit::{Exposure, Limit};
use returning::Returning;
use tailor::{Frame, Tailor, Wish};

/// The wishes of a table: each row's value and guard.
#[derive(Clone, Debug)]
pub struct Wishes {
    of: String,
    tree: Arc<Hierarchy>,
    frame: Frame,
    /// The different wishes, by the leaf's position in the tree.
    different: Vec<Wish>,
    leaves: Vec<TaxonId>,
    guards: Vec<Option<TaxonId>>,
    codes: Arc<Codes>,
}

impl Wishes {
    /// The wishes about a sensitive column, row by row; each guard covers its value.
    pub fn new(
        of: &str,
        tree: Arc<Hierarchy>,
        rows: impl Iterator<Item = (TaxonId, Option<TaxonId>)> + Clone,
    ) -> Self {
        let frame = Frame::new(&tree);
        let known: FxHashSet<(TaxonId, Option<TaxonId>)> = rows.clone().collect();
        let mut pairs: Vec<(TaxonId, Option<TaxonId>)> = known.into_iter().collect();
        pairs.sort_unstable_by_key(|(leaf, guard)| (frame.position(*leaf), *guard));
        let code: FxHashMap<(TaxonId, Option<TaxonId>), u32> =
            pairs.iter().copied().zip(0..).collect();
        let codes = Codes::collect(pairs.len(), rows.map(|pair| code[&pair]));
        Self {
            of: of.to_owned(),
            different: pairs
                .iter()
                .map(|(leaf, guard)| Wish::new(&frame, *leaf, *guard))
                .collect(),
            leaves: pairs.iter().map(|(leaf, _)| *leaf).collect(),
            guards: pairs.iter().map(|(_, guard)| *guard).collect(),
            codes: Arc::new(codes),
            tree,
            frame,
        }
    }

    /// The sensitive column.
    pub fn of(&self) -> &str {
        &self.of
    }

    /// Its tree.
    pub fn tree(&self) -> &Arc<Hierarchy> {
        &self.tree
    }

    /// The wish of each row, as a code; codes ascend with the leaves' positions in the tree.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// How many different wishes there are.
    pub fn len(&self) -> usize {
        self.different.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.different.is_empty()
    }

    /// The value of a wish.
    pub fn leaf(&self, code: u32) -> TaxonId {
        self.leaves[code as usize]
    }

    /// How many rows have a guard.
    pub fn guarded_rows(&self) -> u64 {
        (0..self.codes.len())
            .filter(|row| self.guards[self.codes.get(*row) as usize].is_some())
            .count() as u64
    }

    fn tracked(&self) -> Tracked {
        Tracked::Made(format!("wishes about {}", self.of), Arc::clone(&self.codes))
    }
}

/// Nobody is linked to what the person asked to hide with a probability above a limit.
#[derive(Clone, Debug)]
pub struct Personal {
    wishes: Arc<Wishes>,
    limit: Limit,
    breach: Share,
    /// The person column, where persons own several rows.
    person: Option<String>,
    /// Whether sensitive values may be generalized.
    generalizes: bool,
    /// Persons with several rows and a guard, where there are any.
    returning: Option<Arc<Returning>>,
    /// Whether suppressed rows are left out.
    drops: bool,
}

/// The generalization of a class's sensitive values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tailored {
    /// The taxa to which values are raised; all others stay as they are.
    pub raised: Vec<TaxonId>,
    /// The leaves that the rows may have beside their own, added up.
    pub lost: u64,
}

/// Makes tailored functions one after the other without new memory.
#[derive(Debug, Default)]
pub struct Fitting(Tailor);

impl Personal {
    /// Wishes under a limit. `person` is the person column where persons own several rows; without it each row is a person.
    pub fn new(
        wishes: Arc<Wishes>,
        breach: Share,
        ownership: Ownership,
        person: Option<String>,
        generalizes: bool,
    ) -> Self {
        Self {
            wishes,
            limit: Limit::new(breach, ownership),
            breach,
            person,
            generalizes,
            returning: None,
            drops: false,
        }
    }

    /// The same where these are the persons of the rows: those whose guards may count in several classes are kept in mind.
    /// `drops` says whether suppressed rows are left out.
    #[must_use]
    pub fn of_persons(mut self, person_of_row: &Codes, drops: bool) -> Self {
        self.returning = Returning::new(&self.wishes, person_of_row).map(Arc::new);
        self.drops = drops;
        self
    }

    /// Whether suppressed rows are left out, so that nobody is sought among them.
    pub(crate) fn drops_suppressed(&self) -> bool {
        self.drops
    }

    /// How the persons with several rows and a guard are found among the needs.
    fn returning_need(&self) -> usize {
        1 + usize::from(self.person.is_some())
    }

    /// The guards of a person that count in every class with a row of the person.
    pub(crate) fn guards_across(&self, person: u32) -> &[u32] {
        let returning = self.returning.as_deref();
        returning.map_or(&[], |returning| returning.guards(person))
    }

    /// The wishes.
    pub fn wishes(&self) -> &Arc<Wishes> {
        &self.wishes
    }

    /// The person column, where persons own several rows.
    pub fn person(&self) -> Option<&str> {
        self.person.as_deref()
    }

    /// Whether persons own one row each.
    pub fn ownership(&self) -> Ownership {
        self.limit.ownership()
    }

    /// The leaves that are lost by the least function for a class of these wishes, ascending by code, with their rows, and of
    /// what persons with rows elsewhere demand; none where no function keeps the model.
    pub fn lost(
        &self,
        fitting: &mut Fitting,
        persons: u64,
        cells: impl Iterator<Item = (u32, u64)>,
        demands: &[Demand],
    ) -> Option<u64> {
        let wishes = &self.wishes.different;
        let cells = cells.map(|(code, rows)| (wishes[code as usize], rows));
        let frame = &self.wishes.frame;
        let fits = fitting.0.fit(frame, &self.limit, persons, cells, demands);
        let shape = fitting.0.shape();
        if !fits || (!self.generalizes && !shape.raised.is_empty()) {
            return None;
        }
        Some(shape.lost(frame))
    }

    /// The least function of a class.
    pub fn tailored(
        &self,
        fitting: &mut Fitting,
        persons: u64,
        cells: impl Iterator<Item = (u32, u64)>,
        demands: &[Demand],
    ) -> Option<Tailored> {
        let lost = self.lost(fitting, persons, cells, demands)?;
        let raised = fitting.0.shape().raised.iter();
        Some(Tailored {
            raised: raised.copied().map(TaxonId).collect(),
            lost,
        })
    }

    /// What a class of this evidence becomes, whatever the other classes show to persons who have rows there too.
    pub(crate) fn of_class(&self, evidence: &Evidence<'_>) -> Option<Tailored> {
        let demands = self
            .returning
            .as_deref()
            .map_or_else(Vec::new, |returning| {
                returning.demands(evidence, self.returning_need())
            });
        self.fitted(evidence, &demands)
    }

    /// What a class becomes by the wishes of its own rows, as if nobody had rows elsewhere.
    pub(crate) fn of_class_apart(&self, evidence: &Evidence<'_>) -> Option<Tailored> {
        self.fitted(evidence, &[])
    }

    fn fitted(&self, evidence: &Evidence<'_>, demands: &[Demand]) -> Option<Tailored> {
        let persons = self.persons(evidence);
        let cells = cells(evidence.histogram(0));
        self.tailored(&mut Fitting::default(), persons, cells, demands)
    }

    fn verdict(&self, is_kept: bool) -> Verdict {
        if is_kept {
            return Verdict::Holds;
        }
        Verdict::Broken(Breach {
            found: Quantity::AboveProbability(self.breach),
            required: Quantity::Probability(self.breach),
        })
    }

    /// Whether a wish guards the whole tree.
    fn guards_all(&self, code: u32) -> bool {
        let tree = &self.wishes.tree;
        let guard = self.wishes.guards[code as usize];
        guard.is_some_and(|guard| tree.leaves_below(guard) == tree.domain_size())
    }

    /// The rows whose guard is the whole tree, ascending: where no release may have them, they can only be left out.
    pub fn rows_guarding_all(&self) -> Vec<u32> {
        let codes = &self.wishes.codes;
        let rows = 0..codes.len() as u32;
        rows.filter(|row| self.guards_all(codes.get(*row as usize)))
            .collect()
    }

    fn persons(&self, evidence: &Evidence<'_>) -> u64 {
        match self.person {
            Some(_) => evidence.persons(1),
            None => evidence.rows(),
        }
    }
}

fn cells(slice: Slice<'_>) -> impl Iterator<Item = (u32, u64)> {
    slice.iter().map(|(code, rows)| (code, u64::from(rows)))
}

impl PrivacyModel for Personal {
    fn id(&self) -> &'static str {
        "personal"
    }

    fn needs(&self) -> Vec<Tracked> {
        let person = self.person.iter().cloned().map(Tracked::Person);
        let returning = self.returning.iter();
        std::iter::once(self.wishes.tracked())
            .chain(person)
            .chain(returning.map(|returning| returning.tracked(&self.wishes.of)))
            .collect()
    }

    fn monotone(&self) -> Monotone {
        Monotone::No
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        self.verdict(self.of_class(evidence).is_some())
    }

    fn check_apart(&self, evidence: &Evidence<'_>) -> Verdict {
        self.verdict(self.of_class_apart(evidence).is_some())
    }

    fn judges_withheld(&self) -> bool {
        true
    }

    /// A withheld row may have any value, so every guard of the class is shown with its share of the domain.
    fn keeps_withheld(&self, evidence: &Evidence<'_>) -> bool {
        let tree = &self.wishes.tree;
        let persons = self.persons(evidence);
        let exceeds = |guard: TaxonId| {
            self.limit.exceeded(Exposure {
                rows: evidence.rows(),
                persons,
                guard: tree.leaves_below(guard),
                wide: tree.leaves_below(tree.root()),
            })
        };
        let codes = evidence.histogram(0).codes().iter();
        let mut guards = codes.filter_map(|code| self.wishes.guards[*code as usize]);
        !guards.any(exceeds)
    }

    fn sensitive_loss(&self, evidence: &Evidence<'_>) -> Option<u64> {
        self.of_class_apart(evidence).map(|tailored| tailored.lost)
    }

    fn as_personal(&self) -> Option<&Personal> {
        Some(self)
    }

    /// A guard at the root is shown by every row, in every class: the probability of such a guard is at least what n rows
    /// of n persons give.
    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let domain = self.wishes.tree.domain_size();
        let rows: u64 = cells(whole.histogram(0))
            .filter(|(code, _)| self.guards_all(*code))
            .map(|(_, rows)| rows)
            .sum();
        let persons = self.persons(whole);
        // With n rows or more of n persons the probability falls with n: the whole table is the best case.
        let hopeless = rows > 0
            && self.limit.exceeded(Exposure {
                rows: persons,
                persons,
                guard: domain,
                wide: domain,
            });
        if !hopeless {
            return Ok(());
        }
        Err(Error::Infeasible {
            what: format!(
                "{rows} row{} the top of the tree of `{}` as guard, which every release breaches with a probability above {}",
                if rows == 1 { " has" } else { "s have" },
                self.wishes.of, self.breach
            ),
            hint: Some(
                "whatever is published of such a row says what its owner wants hidden: leave the row out (`suppressed = \"drop\"` with enough `suppression` in [search], under a search that suppresses), or ask for a guard below the top"
                    .to_owned(),
            ),
        })
    }
}
