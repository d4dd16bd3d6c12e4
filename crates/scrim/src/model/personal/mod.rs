//! Personalized anonymity.
//!
//! **Definition.** A person names a taxon of the sensitive tree on the path from the root to the own value, the guard: nobody
//! shall believe with a probability above the limit that the person has any value below it ([XiaoTao06], Definitions 2 and 3).
//! **Reading.** A class keeps the model when some generalization of its sensitive values does: the least one is published
//! ([`tailor`]). With `weights = { … = "forbid" }` it must keep it as it is. No guard asks for nothing. Breach probabilities
//! count all persons of the class as possible owners of each row: where no person has two rows, each of one row only.
//! **Holds because** the probability of a guard depends on the class alone, so each class may be judged by itself. Not
//! monotone: merging two classes can raise a probability, and can leave no generalization at all (docs/papers.md, E9).
//! **Does not protect against** an onlooker who knows the values of others, or knows the guards: a raised value tells that
//! somebody asked for it.
//! **Cost.** See [`tailor`]. **Oracle.** `testkit::oracle::personal`.

mod limit;
mod shaped;
mod tailor;

pub use limit::Ownership;
pub use shaped::Shaped;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Breach, Evidence, Monotone, PrivacyModel, Quantity, Verdict};
use crate::error::Error;
use crate::frequency::{Slice, Tracked};
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::share::Share;
use crate::table::Codes;
use limit::{Exposure, Limit};
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
        }
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

    /// The leaves that are lost by the least function for a class of these wishes, ascending by code, with their rows;
    /// none where no function keeps the model.
    pub fn lost(
        &self,
        fitting: &mut Fitting,
        persons: u64,
        cells: impl Iterator<Item = (u32, u64)>,
    ) -> Option<u64> {
        let wishes = &self.wishes.different;
        let cells = cells.map(|(code, rows)| (wishes[code as usize], rows));
        let fits = fitting
            .0
            .fit(&self.wishes.frame, &self.limit, persons, cells);
        if !fits || (!self.generalizes && fitting.0.raised().next().is_some()) {
            return None;
        }
        Some(fitting.0.lost(&self.wishes.frame))
    }

    /// The least function of a class.
    pub fn tailored(
        &self,
        fitting: &mut Fitting,
        persons: u64,
        cells: impl Iterator<Item = (u32, u64)>,
    ) -> Option<Tailored> {
        let lost = self.lost(fitting, persons, cells)?;
        Some(Tailored {
            raised: fitting.0.raised().collect(),
            lost,
        })
    }

    /// What a class of this evidence becomes.
    pub(crate) fn of_class(&self, evidence: &Evidence<'_>) -> Option<Tailored> {
        let persons = self.persons(evidence);
        self.tailored(
            &mut Fitting::default(),
            persons,
            cells(evidence.histogram(0)),
        )
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
        std::iter::once(self.wishes.tracked())
            .chain(person)
            .collect()
    }

    fn monotone(&self) -> Monotone {
        Monotone::No
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        if self.of_class(evidence).is_some() {
            return Verdict::Holds;
        }
        Verdict::Broken(Breach {
            found: Quantity::AboveProbability(self.breach),
            required: Quantity::Probability(self.breach),
        })
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
        self.of_class(evidence).map(|tailored| tailored.lost)
    }

    /// A guard at the root is shown by every row, in every class: the probability of such a guard is at least what n rows
    /// of n persons give.
    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let root = self.wishes.tree.root();
        let domain = self.wishes.tree.leaves_below(root);
        let all = |(code, _): &(u32, u64)| {
            self.wishes.guards[*code as usize]
                .is_some_and(|guard| self.wishes.tree.leaves_below(guard) == domain)
        };
        let rows: u64 = cells(whole.histogram(0))
            .filter(all)
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
                "whatever is published of such a row says what its owner wants hidden: leave the row out, or ask for a guard below the top"
                    .to_owned(),
            ),
        })
    }
}
