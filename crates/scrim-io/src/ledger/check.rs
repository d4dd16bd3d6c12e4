//! Could the persons of a table be published now? Only their history is asked, never their present values.

use scrim::Share;
use scrim::release::History;
use serde::Serialize;

use super::Ledger;
use super::budget::{Doubt, Fraction, Terms};
use super::lasting::LastingCheck;
use crate::error::IoError;

/// How the persons of a table stand.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Whether everybody who is not retired has something left for every protected value.
    pub holds: bool,
    /// How many persons the table has.
    pub persons: u64,
    /// How many of them were never in a release.
    pub fresh: u64,
    /// How many the rule leaves out, by their history alone.
    pub retired: u64,
    /// How many that are not retired have nothing left for some value.
    pub exhausted: u64,
    /// The sensitive column.
    pub column: String,
    /// Nobody is to be linked to a protected value with more than 1/l.
    pub l: Share,
    /// For each protected value.
    pub values: Vec<ValueCheck>,
    /// For lasting values, where some are protected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasting: Option<LastingCheck>,
}

/// How they stand for one value. Retired persons are not counted.
#[derive(Clone, Debug, Serialize)]
pub struct ValueCheck {
    /// The value.
    pub value: String,
    /// For whom no release has spent anything.
    pub fresh: u64,
    /// For whom something is spent, and something is left.
    pub spent: u64,
    /// For whom nothing is left.
    pub exhausted: u64,
    /// The smallest that is left to somebody who has something left: what the class of such a person may have at most.
    pub least_left: Option<f64>,
    /// The same, exact.
    pub least_left_exact: Option<Fraction>,
}

/// Who is left out, by public history.
#[derive(Clone, Copy, Debug, Default)]
pub struct Retirement {
    /// After so many releases.
    pub after: Option<u64>,
    /// When less than this is left for some protected value.
    pub below: Option<Share>,
}

impl Ledger {
    /// How the persons with these identifiers stand.
    pub fn check(
        &self,
        persons: &[&str],
        terms: &Terms,
        retirement: Retirement,
    ) -> Result<Check, IoError> {
        let keep = |value: &str| terms.values.iter().any(|protected| protected == value);
        let history = self.history(persons, &terms.column, &keep)?;
        Ok(standing(&history, terms, retirement))
    }
}

fn standing(history: &History, terms: &Terms, retirement: Retirement) -> Check {
    let value = |value: &String| ValueCheck {
        value: value.clone(),
        fresh: 0,
        spent: 0,
        exhausted: 0,
        least_left: None,
        least_left_exact: None,
    };
    let mut check = Check {
        holds: true,
        persons: history.of_person.len() as u64,
        fresh: 0,
        retired: 0,
        exhausted: 0,
        column: terms.column.clone(),
        l: terms.l,
        values: terms.values.iter().map(value).collect(),
        lasting: None,
    };
    for person in 0..history.of_person.len() as u32 {
        let doubts: Vec<Doubt> = terms
            .values
            .iter()
            .map(|value| doubt(history, person, value))
            .collect();
        let releases = u64::from(history.appearances(person));
        let left: Vec<Option<Fraction>> = doubts.iter().map(|doubt| doubt.left(terms.l)).collect();
        check.fresh += u64::from(releases == 0);
        if retirement.retires(releases, &left) {
            check.retired += 1;
            continue;
        }
        let mut exhausted = false;
        for ((value, doubt), left) in check.values.iter_mut().zip(&doubts).zip(left) {
            exhausted |= value.count(doubt, left);
        }
        check.exhausted += u64::from(exhausted);
    }
    for value in &mut check.values {
        value.least_left = value.least_left_exact.as_ref().map(Fraction::to_f64);
    }
    check.holds = check.exhausted == 0;
    check
}

/// The doubt about a person of a history and a value.
pub(super) fn doubt(history: &History, person: u32, value: &str) -> Doubt {
    let mut doubt = Doubt::default();
    for (_, class, own) in history.in_classes(person) {
        let count = class.counts.get(value).copied().unwrap_or(0);
        doubt.class(count, class.rows, own);
    }
    doubt
}

impl Retirement {
    fn retires(&self, releases: u64, left: &[Option<Fraction>]) -> bool {
        let long = self.after.is_some_and(|after| releases >= after);
        let low = |below: Share| {
            let low =
                |left: &Option<Fraction>| left.as_ref().is_none_or(|left| left.is_below(below));
            left.iter().any(low)
        };
        long || self.below.is_some_and(low)
    }
}

impl ValueCheck {
    /// Counts a person; says whether nothing is left.
    fn count(&mut self, doubt: &Doubt, left: Option<Fraction>) -> bool {
        let Some(left) = left.filter(Fraction::is_positive) else {
            self.exhausted += 1;
            return true;
        };
        if doubt.is_whole() {
            self.fresh += 1;
        } else {
            self.spent += 1;
        }
        if self
            .least_left_exact
            .as_ref()
            .is_none_or(|least| left < *least)
        {
            self.least_left_exact = Some(left);
        }
        false
    }
}
