//! The attack on guards: how sure somebody may become of what persons asked to have kept from them.
//!
//! **Definition.** For every row that has a guard, its owner's breach probability in the row's class ([XiaoTao06],
//! Definition 3): see `adversary::breach`; over all classes of the owner together where the rows of the owner lie in
//! several: see `adversary::spread`. The attack succeeds on the rows whose probability is above the policy's limit.
//! **Reading.** A class is the rows with equal published quasi-identifiers, also those whose values are all stars. A row
//! without a guard asked for nothing: its probability is 0. Without an external table the adversary knows exactly the
//! persons of the class, which is the most that can be known; with one, the owner is sought among its persons whom
//! the class covers. Everybody of the class is among those (Formula 1), so where the external table has fewer, the
//! persons of the class count. The adversary knows in which classes the person has rows.
//! **Does not protect against** an adversary who knows more than the external table, such as what another person has.
//! **Cost.** O(rows · depth of the tree), and a probability for each class and distinct guard in it.
//! **Oracle.** Figures 1c and 3 in four readings, and the enumeration in `tests/breach.rs`.

use serde::Serialize;

use super::breach::Breach;
use super::covering::Covering;
use super::spread::Spread;
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::release::policy::Case;
use crate::share::Share;
use crate::{counted, verb};

/// A published table with the wishes of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Exposed<'a> {
    /// The tree of the sensitive column.
    pub tree: &'a Hierarchy,
    /// Whether a person may own several rows.
    pub case: Case,
    /// The class of each row.
    pub class_of_row: &'a [u32],
    /// The taxon that each row shows.
    pub shown: &'a [TaxonId],
    /// The guard of each row.
    pub guards: &'a [Option<TaxonId>],
    /// Among how many persons an owner is sought, by class.
    pub persons: &'a [u64],
    /// The person of each row, where it is known; without it each row is a person's only one.
    pub person_of_row: Option<&'a [u32]>,
}

/// A probability that one or several rows have.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The class; of several the one with the largest probability by itself.
    pub class: u32,
    /// Over how many classes it is.
    pub classes: u32,
    /// The probability.
    pub breach: Breach,
}

/// The breach probabilities of all rows.
#[derive(Clone, Debug, Default)]
pub struct Breaches {
    /// One for each guard of each class, and for each guard of each set of classes that some person has rows in.
    pub distinct: Vec<Judged>,
    /// Which of them is a row's; none where it has no guard.
    pub of_row: Vec<Option<u32>>,
    /// How many persons with a guard have rows in several classes.
    pub spread: u64,
}

impl Breaches {
    /// The breach probability of every row that has a guard.
    pub fn of(exposed: &Exposed<'_>) -> Self {
        let mut tally = Tally::new(exposed.tree);
        let mut spread = Spread::new(exposed);
        let mut breaches = Self {
            distinct: Vec::new(),
            of_row: vec![None; exposed.class_of_row.len()],
            spread: spread.persons,
        };
        for rows in by_class(exposed.class_of_row, exposed.persons.len()) {
            let class = exposed.class_of_row[rows[0] as usize];
            let guarded = rows
                .iter()
                .filter(|row| !spread.is_owner[**row as usize])
                .filter_map(|row| Some((exposed.guards[*row as usize]?, *row)));
            let mut guarded: Vec<(TaxonId, u32)> = guarded.collect();
            if guarded.is_empty() && spread.asked(class).is_empty() {
                continue;
            }
            let persons = exposed.persons[class as usize];
            tally.count(rows.iter().map(|row| exposed.shown[*row as usize]));
            guarded.sort_unstable();
            for same in guarded.chunk_by(|left, right| left.0 == right.0) {
                let breach = tally.breach(exposed.case, persons, same[0].0);
                let at = breaches.distinct.len() as u32;
                breaches.distinct.push(Judged {
                    class,
                    classes: 1,
                    breach,
                });
                for (_, row) in same {
                    breaches.of_row[*row as usize] = Some(at);
                }
            }
            for guard in spread.asked(class).to_vec() {
                let breach = tally.breach(exposed.case, persons, guard);
                spread.tell(class, guard, breach);
            }
        }
        let before = breaches.distinct.len() as u32;
        let (judged, of_row) = spread.judged();
        breaches.distinct.extend(judged);
        for (row, at) in of_row {
            breaches.of_row[*row as usize] = Some(before + at);
        }
        breaches
    }

    /// The largest; the first of equals.
    pub fn largest(&self) -> Option<&Judged> {
        let values = self
            .distinct
            .iter()
            .map(|judged| (judged.breach.value(), judged));
        let larger = values.reduce(|best, next| if next.0 > best.0 { next } else { best });
        larger.map(|(_, judged)| judged)
    }

    /// What a reader should know of persons whose rows lie in several classes.
    pub fn spread_note(&self) -> Option<String> {
        let persons = match self.spread {
            0 => return None,
            many => {
                let have = verb(many, "has", "have");
                format!("{} with a wish {have}", counted(many, "person"))
            }
        };
        Some(format!(
            "{persons} rows in several classes: the breach probability is over all of them together"
        ))
    }

    /// Probabilities and how many rows have them, the largest first; rows without a guard have 0.
    pub fn curve(&self) -> Vec<(f64, u64)> {
        let mut counts = vec![0u64; self.distinct.len()];
        let mut none = 0;
        for row in &self.of_row {
            match row {
                Some(at) => counts[*at as usize] += 1,
                None => none += 1,
            }
        }
        let values = self.distinct.iter().map(|judged| judged.breach.value());
        let mut pairs: Vec<(f64, u64)> = values.zip(counts).chain([(0.0, none)]).collect();
        pairs.retain(|(_, rows)| *rows > 0);
        pairs.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
        let runs = pairs.chunk_by(|left, right| left.0.total_cmp(&right.0).is_eq());
        runs.map(|run| (run[0].0, run.iter().map(|(_, rows)| rows).sum()))
            .collect()
    }
}

/// How many persons own rows of each class: rows, where `persons` are not told.
pub fn persons_of(class_of_row: &[u32], classes: usize, persons: Option<&[u32]>) -> Vec<u64> {
    let mut counts = vec![0; classes];
    match persons {
        None => class_of_row
            .iter()
            .for_each(|class| counts[*class as usize] += 1),
        Some(persons) => {
            let pairs = class_of_row.iter().copied().zip(persons.iter().copied());
            let mut pairs: Vec<(u32, u32)> = pairs.collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
                .iter()
                .for_each(|(class, _)| counts[*class as usize] += 1);
        }
    }
    counts
}

/// How many persons of an external table each class covers, and how many any class covers. `persons` tells the person of
/// each of its rows.
pub fn covered_persons(
    covering: &Covering<'_>,
    classes: usize,
    rows: usize,
    persons: Option<&[u32]>,
) -> (Vec<u64>, u64) {
    let mut counts = vec![0; classes];
    let mut any = 0;
    let mut order: Vec<u32> = (0..rows as u32).collect();
    let person = |row: u32| persons.map_or(row, |persons| persons[row as usize]);
    order.sort_by_key(|row| person(*row));
    let mut covered: Vec<u32> = Vec::new();
    for own in order.chunk_by(|left, right| person(*left) == person(*right)) {
        covered.clear();
        own.iter()
            .for_each(|row| covering.of(*row as usize, &mut |class| covered.push(class)));
        covered.sort_unstable();
        covered.dedup();
        any += u64::from(!covered.is_empty());
        covered
            .iter()
            .for_each(|class| counts[*class as usize] += 1);
    }
    (counts, any)
}

/// A row's breach probability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowBreach {
    /// The row of the release, from 1.
    pub row: u64,
    /// The probability.
    pub breach: f64,
    /// The same as a fraction, where it is short.
    pub breach_exact: Option<String>,
    /// Among how many persons the owner is sought.
    pub n: u64,
    /// Over how many classes it is, where the owner has rows in several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<u32>,
}

/// What the attack finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PersonalAttack {
    /// The sensitive column.
    pub of: String,
    /// Whether a person may own several rows.
    pub case: &'static str,
    /// The policy's limit.
    pub limit: String,
    /// The largest breach probability.
    pub max: f64,
    /// The same as a fraction, where it is not too long.
    pub max_exact: Option<String>,
    /// Rows whose probability is above the limit.
    pub above: u64,
    /// Rows that have a guard.
    pub guarded: u64,
    /// Classes.
    pub classes: u64,
    /// Persons with a guard whose rows lie in several classes.
    #[serde(skip_serializing_if = "is_zero")]
    pub spread_persons: u64,
    /// Whether owners are sought in an external table.
    pub external: bool,
    /// Persons of the external table whom some class covers, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_persons: Option<u64>,
    /// Probabilities and how many rows have them, the largest first.
    pub curve: Vec<(f64, u64)>,
    /// Every row.
    pub rows: Vec<RowBreach>,
    /// What a reader should know.
    pub remarks: Vec<String>,
}

/// Whether there is nothing to tell.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The longest fraction shown for a row, and for the largest, in digits of its denominator.
const ROW_DIGITS: u32 = 60;
pub(crate) const MAX_DIGITS: u32 = 1_000;

/// Attacks every row that has a guard.
pub fn personal(of: &str, exposed: &Exposed<'_>, limit: Share) -> PersonalAttack {
    let breaches = Breaches::of(exposed);
    let told: Vec<(f64, Option<String>, bool)> = breaches
        .distinct
        .iter()
        .map(|judged| {
            (
                judged.breach.value(),
                judged.breach.exact(ROW_DIGITS),
                judged.breach.is_above(limit),
            )
        })
        .collect();
    let row = |(row, at): (usize, &Option<u32>)| {
        let (breach, breach_exact) = match at {
            Some(at) => (told[*at as usize].0, told[*at as usize].1.clone()),
            None => (0.0, Some("0".to_owned())),
        };
        RowBreach {
            row: row as u64 + 1,
            breach,
            breach_exact,
            n: exposed.persons[exposed.class_of_row[row] as usize],
            classes: at
                .map(|at| breaches.distinct[at as usize].classes)
                .filter(|classes| *classes > 1),
        }
    };
    let guarded = breaches.of_row.iter().flatten();
    let largest = breaches.largest().map(|judged| &judged.breach);
    PersonalAttack {
        of: of.to_owned(),
        case: exposed.case.name(),
        limit: limit.to_string(),
        max: largest.map_or(0.0, Breach::value),
        max_exact: largest.map_or_else(|| Some("0".to_owned()), |breach| breach.exact(MAX_DIGITS)),
        above: guarded.clone().filter(|at| told[**at as usize].2).count() as u64,
        guarded: guarded.count() as u64,
        classes: exposed
            .persons
            .iter()
            .filter(|persons| **persons > 0)
            .count() as u64,
        spread_persons: breaches.spread,
        remarks: breaches.spread_note().into_iter().collect(),
        curve: breaches.curve(),
        rows: breaches.of_row.iter().enumerate().map(row).collect(),
        ..PersonalAttack::default()
    }
}

/// The rows of each class that has any.
fn by_class(class_of_row: &[u32], classes: usize) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new(); classes];
    for (row, class) in (0..).zip(class_of_row) {
        rows[*class as usize].push(row);
    }
    rows.retain(|rows| !rows.is_empty());
    rows
}

/// What the rows of one class show, counted at every taxon of the tree.
struct Tally<'a> {
    tree: &'a Hierarchy,
    /// Rows that show this taxon.
    at: Vec<u64>,
    /// Rows that show this taxon or one below it.
    below: Vec<u64>,
    /// The taxa that were counted at.
    touched: Vec<TaxonId>,
}

impl<'a> Tally<'a> {
    fn new(tree: &'a Hierarchy) -> Self {
        Self {
            tree,
            at: vec![0; tree.len()],
            below: vec![0; tree.len()],
            touched: Vec::new(),
        }
    }

    /// Forgets the former class and counts another one.
    fn count(&mut self, shown: impl Iterator<Item = TaxonId>) {
        for taxon in self.touched.drain(..) {
            self.at[taxon.0 as usize] = 0;
            self.below[taxon.0 as usize] = 0;
        }
        for taxon in shown {
            self.at[taxon.0 as usize] += 1;
            let mut up = Some(taxon);
            while let Some(taxon) = up {
                let below = &mut self.below[taxon.0 as usize];
                if *below == 0 {
                    self.touched.push(taxon);
                }
                *below += 1;
                up = self.tree.parent(taxon);
            }
        }
    }

    /// Rows that show the guard or less are wholly below it; rows that show more are so by their share of leaves.
    fn breach(&self, case: Case, persons: u64, guard: TaxonId) -> Breach {
        let mut breach = Breach::new(case, persons, self.below[guard.0 as usize]);
        let part = self.tree.leaves_below(guard);
        let mut up = self.tree.parent(guard);
        while let Some(taxon) = up {
            breach.add(
                self.at[taxon.0 as usize],
                part,
                self.tree.leaves_below(taxon),
            );
            up = self.tree.parent(taxon);
        }
        breach
    }
}
