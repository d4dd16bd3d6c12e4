//! What each person is believed to have of the values that stay.
//!
//! **Reading.** A lasting value has no share that is left: whether a class may have it depends on everybody who was ever linked to its
//! persons. So persons are told with the probability so far, or a bound, and a table with whether somebody passes the limit.

use scrim::Share;
use scrim::adversary::{LastingAttack, lasting};
use scrim::model::{Belief, WorldEffort, nearest};
use scrim::release::{Series, Shield};
use serde::Serialize;

use super::{Check, Ledger, Persons};
use crate::error::IoError;

/// What is believed about a person and a lasting value.
#[derive(Clone, Debug, Serialize)]
pub struct LastingBelief {
    /// The value, or the group of values.
    pub value: String,
    /// The share of possible worlds in which the person has it, or a bound.
    pub p: f64,
    /// The same, exact.
    pub p_exact: String,
    /// Whether that is the probability itself.
    pub exact: bool,
}

/// How the persons of a table stand for lasting values.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LastingCheck {
    /// Persons who are above the limit already.
    pub above: u64,
    /// Persons of whom that is not decided.
    pub undecided: u64,
}

impl Ledger {
    /// What everybody is believed to have; a person's code is its row number.
    fn lasting(&self, column: &str, shield: &Shield, l: Share) -> Result<LastingAttack, IoError> {
        let history = self.whole(column, &|text| shield.asks_for(text))?;
        let limit = Share::new(l.denominator(), l.numerator()).unwrap_or(Share::ONE);
        let unknown = |what: String| {
            let what = format!("lasting values cannot be judged: {what}");
            IoError::ledger(&self.path, what, "see `scrim ledger list`")
        };
        let series = Series::new(&history, shield).map_err(unknown)?;
        let found = lasting(&series, limit, WorldEffort::default());
        if found.contradicted.is_empty() {
            return Ok(found);
        }
        Err(unknown(
            "no history in which they last fits what was published".to_owned(),
        ))
    }

    /// Adds what the persons of an answer are believed to have.
    pub fn add_lasting(&self, answer: &mut Persons, shield: &Shield) -> Result<(), IoError> {
        let found = self.lasting(&answer.column, shield, answer.l)?;
        for shown in &mut answer.shown {
            let row = shown.person;
            let own = found
                .links
                .iter()
                .filter(|link| row == Some(link.person.into()));
            shown.lasting = own.map(|link| told(&link.value, &link.belief)).collect();
        }
        Ok(())
    }

    /// Adds how the persons with these identifiers stand.
    pub fn check_lasting(
        &self,
        answer: &mut Check,
        persons: &[&str],
        shield: &Shield,
    ) -> Result<(), IoError> {
        let found = self.lasting(&answer.column, shield, answer.l)?;
        let history = self.history(persons, &answer.column, &|_| false)?;
        let rows = || history.ledger_row.iter().flatten();
        let count = |among: &std::collections::BTreeSet<u32>| {
            let among = |row: &&u64| u32::try_from(**row).is_ok_and(|row| among.contains(&row));
            rows().filter(among).count() as u64
        };
        let check = LastingCheck {
            above: count(&found.above),
            undecided: count(&found.undecided),
        };
        answer.holds &= check.above + check.undecided == 0;
        answer.lasting = Some(check);
        Ok(())
    }

    /// The policy of the last release that promised anything about a column, or about the one named.
    pub fn last_policy(&self, column: Option<&str>) -> Result<Option<String>, IoError> {
        let query = "SELECT policy FROM releases JOIN promises ON promises.release = releases.number \
                     JOIN columns ON columns.release = promises.release AND columns.number = promises.column \
                     WHERE ?1 IS NULL OR name = ?1 ORDER BY promises.release DESC LIMIT 1";
        let policy = self.connection.prepare(query).and_then(|mut select| {
            let mut rows = select.query([column])?;
            rows.next()?.map(|row| row.get(0)).transpose()
        });
        policy.map_err(|error| self.fault(&error))
    }
}

fn told(value: &str, belief: &Belief) -> LastingBelief {
    LastingBelief {
        value: value.to_owned(),
        p: nearest(&belief.most),
        p_exact: belief.most.to_string(),
        exact: belief.exact,
    }
}
