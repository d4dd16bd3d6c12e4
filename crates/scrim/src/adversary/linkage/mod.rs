//! The linkage attack: somebody joins a release with a table that has names.
//!
//! **Definition.** A row of the release matches a person of the external table where every published quasi-identifier is the
//! person's value, or more general (`adversary::covering`). A person who matches exactly one row is *matched to one*. A
//! person all of whose matching rows show one sensitive value is *certain* of it (homogeneity). Where they all show one taxon that
//! several values lie below, the taxon is certain and the value is not: such persons are counted apart. The breach probability is
//! that of [XiaoTao06] with n the external persons whom a class covers (Definition 8).
//! **Reading.** All figures assume that the person is in the release. Then each matching row is the person's with the same
//! probability, so that a guess for each person is right for Σ 1/(matching rows) of them: `expected_matches`, too many where the
//! external table has persons who are not in the release. The other way round each row is one of the n whom it covers:
//! `expected_by_row`. Stars in a sensitive column, and the top of its tree where values are generalized, tell nothing. Without a
//! `personal` promise the probability is the share of the commonest value among the matching rows. With one, wishes are not
//! known from outside, so every value counts as guarded, or the policy's own `default-guard` taxon does; where classes overlap,
//! the worst of a person's classes counts. In the non-primary case each tuple that the external table gives of a person is taken for a row
//! of the release, if some class covers it. Where one class alone does, the row is in that class, and what all such classes tell is
//! put together, 1 - Π (1 - P(C)) as in `adversary::personal`; where several do, the worst of them is added once.
//! **Does not protect against** an adversary who knows more than the external table.
//! **Cost.** Both tables are put together by distinct tuples; each external tuple walks the trie of classes twice.
//! **Oracle.** `testkit::oracle::linkage`, which joins every person with every row.

mod hidden;
mod walk;

pub use hidden::{Hidden, Shown};
pub use walk::{Tell, covered};

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::bands::{Band, sum_over};
use super::covering::Covering;
use super::tuples::Tuples;
use crate::error::Error;
use hidden::{Certainty, Told};
use walk::{Found, judge};

/// A release beside an external table.
pub struct Links<'a> {
    /// The classes of the release by the columns that both have.
    pub release: &'a Tuples,
    /// The tuples of the external table.
    pub external: &'a Tuples,
    /// The person of each external row, where they are told.
    pub persons: Option<&'a [u32]>,
    /// Which class covers which external row. Classes are those of `release`.
    pub covering: &'a Covering<'a>,
}

/// What the attack finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LinkageAttack {
    /// Persons of the external table.
    pub external: u64,
    /// Rows of the release.
    pub rows: u64,
    /// Classes of the release by the columns that link.
    pub classes: u64,
    /// The quasi-identifiers that both tables have.
    pub columns: Vec<String>,
    /// Persons who match at least one row.
    pub matched: u64,
    /// Persons who match none, so that they are not in the release.
    pub unmatched: u64,
    /// Persons who match exactly one row.
    pub matched_one: u64,
    /// The first few of their rows in the external table, from 1.
    pub matched_one_rows: Vec<u64>,
    /// Persons for whom a guess among the matching rows is right, expected.
    pub expected_matches: f64,
    /// The same as a fraction, where it is short.
    pub expected_matches_exact: Option<String>,
    /// Rows for which a guess among the persons whom they cover is right, expected.
    pub expected_by_row: f64,
    /// The same as a fraction, where it is short.
    pub expected_by_row_exact: Option<String>,
    /// The sensitive column.
    pub of: Option<String>,
    /// Persons whose sensitive value is certain.
    pub certain: u64,
    /// The first few of their rows in the external table, from 1.
    pub certain_rows: Vec<u64>,
    /// Persons of whom only a taxon above several values is certain.
    pub certain_taxon: u64,
    /// The first few of their rows in the external table, from 1.
    pub certain_taxon_rows: Vec<u64>,
    /// The limit of the probability.
    pub limit: f64,
    /// The same as a fraction.
    pub limit_exact: String,
    /// What the probability is.
    pub measured: String,
    /// Persons for whom the probability of some value is above the limit.
    pub above_limit: u64,
    /// How many rows persons match.
    pub sizes: Vec<Band>,
    /// Persons with a value that its hierarchy does not know: only the same text and stars cover it.
    pub unknown: u64,
    /// What a reader should know.
    pub remarks: Vec<String>,
}

impl LinkageAttack {
    /// Whether the adversary finds a row or a value for sure. A taxon above several values is no value.
    pub fn succeeds(&self) -> bool {
        self.certain > 0 || self.matched_one > 0
    }
}

/// So many external rows are told.
const ROWS_TOLD: usize = 20;

/// Joins a release with an external table. `tell` hears how many of all distinct tuples are done, twice each; an error of it
/// stops the work.
pub fn linkage(
    links: &Links<'_>,
    hidden: Option<&Hidden<'_>>,
    tell: &mut Tell<'_>,
) -> Result<LinkageAttack, Error> {
    let half = links.external.first_rows().len() as u64;
    let covered = covered(
        links.covering,
        links.external,
        links.release.len(),
        &mut |done, _| tell(done, 2 * half),
    )?;
    let told = hidden.map(|hidden| Told::new(hidden, links.release, &covered));
    let found = judge(links, told.as_ref(), &mut |done, _| {
        tell(half + done, 2 * half)
    })?;
    let mut answer = LinkageAttack {
        external: links.external.subjects(),
        rows: links.release.of_row().len() as u64,
        classes: links.release.len() as u64,
        ..LinkageAttack::default()
    };
    let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
    for (found, persons) in found.persons(links.external) {
        *sizes.entry(found.rows).or_default() += persons;
        answer.matched_one += if found.rows == 1 { persons } else { 0 };
        match found.certainty {
            Certainty::Value => answer.certain += persons,
            Certainty::Taxon => answer.certain_taxon += persons,
            Certainty::Nothing => {}
        }
        answer.above_limit += if found.above { persons } else { 0 };
    }
    answer.unmatched = sizes.get(&0).copied().unwrap_or(0);
    answer.matched = answer.external - answer.unmatched;
    let (expected, exact) = sum_over(&sizes);
    answer.expected_matches = expected;
    answer.expected_matches_exact = exact.map(|exact| exact.to_string());
    (answer.expected_by_row, answer.expected_by_row_exact) = by_row(links.release, &covered);
    answer.sizes = Band::of(None, &sizes);
    answer.matched_one_rows = rows_told(links, &found, |found| found.rows == 1);
    let rows_with = |wanted| rows_told(links, &found, |found| found.certainty == wanted);
    answer.certain_rows = rows_with(Certainty::Value);
    answer.certain_taxon_rows = rows_with(Certainty::Taxon);
    if let Some(hidden) = hidden {
        answer.of = Some(hidden.column.name().to_owned());
        answer.limit = hidden.limit.to_f64();
        answer.limit_exact = hidden.limit.to_string();
        answer.measured = hidden.measured();
    }
    Ok(answer)
}

/// Σ rows / n over the classes that cover somebody.
fn by_row(release: &Tuples, covered: &[u64]) -> (f64, Option<String>) {
    let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
    let rows = release.sizes().iter().zip(covered);
    for (rows, covered) in rows.filter(|(_, covered)| **covered > 0) {
        // A class cannot have fewer owners than rows: whom the external table lacks are there all the same.
        *sizes.entry(*covered.max(rows)).or_default() += rows;
    }
    let (sum, exact) = sum_over(&sizes);
    (sum, exact.map(|exact| exact.to_string()))
}

/// The first external rows of persons of whom something was found, each person once.
fn rows_told(links: &Links<'_>, found: &Found, wanted: impl Fn(&walk::Match) -> bool) -> Vec<u64> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut rows = Vec::new();
    for (row, tuple) in links.external.of_row().iter().enumerate() {
        let person = links.persons.map(|persons| persons[row]);
        if rows.len() == ROWS_TOLD {
            break;
        }
        if wanted(found.of(*tuple, person)) && person.is_none_or(|person| seen.insert(person)) {
            rows.push(row as u64 + 1);
        }
    }
    rows
}
