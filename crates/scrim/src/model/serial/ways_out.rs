//! What stands in the way of a serial promise, and what each way out would cost.
//!
//! **Reading.** Persons are told by their rows in the ledger, never by name; values not at all. What helps is computed for the
//! best case, the whole table as one class: less may not be enough for a search, more is never needed.

use std::collections::BTreeSet;

use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::budgets::Budgets;
use super::pace::{Exact, exact, is_zero, linked};
use crate::share::Share;
use crate::table::{Code, Codes};

/// How many rows of the ledger a message names.
const NAMED: usize = 10;

/// Persons, by their rows in the ledger as far as it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Persons {
    /// How many.
    pub count: u64,
    /// Their rows in the ledger, the first few, ascending.
    pub ledger_rows: Vec<u64>,
}

impl Persons {
    fn add(&mut self, row: Option<u64>) {
        self.count += 1;
        self.ledger_rows.extend(row);
    }

    fn finish(&mut self) {
        self.ledger_rows.sort_unstable();
        self.ledger_rows.truncate(NAMED);
    }

    fn told(&self) -> String {
        let who = if self.count == 1 {
            "1 person".to_owned()
        } else {
            format!("{} persons", self.count)
        };
        if self.ledger_rows.is_empty() {
            return who;
        }
        let rows: Vec<String> = self.ledger_rows.iter().map(u64::to_string).collect();
        let more = if self.count as usize > rows.len() {
            ", …"
        } else {
            ""
        };
        let word = if rows.len() == 1 { "row" } else { "rows" };
        format!("{who} (ledger {word} {}{more})", rows.join(", "))
    }
}

/// What stands in the way, and what would help.
#[derive(Clone, Debug)]
pub struct WaysOut {
    of: String,
    l: Share,
    rows: u64,
    /// Persons who are above the limit by earlier releases alone.
    pub overdrawn: Persons,
    /// Persons whose own value has no room left.
    pub exhausted: Persons,
    /// Different values that they have.
    pub exhausted_values: u64,
    /// Persons with no room left for some protected value, whatever they have: a public rule retires them all.
    pub spent: u64,
    /// The largest l under which there is room for everybody; none where that is no number above 1.
    pub largest_l: Option<Exact>,
    /// The largest class that some row needs, and how many rows need one larger than the table.
    pub largest_class: u64,
    /// Persons whose own value needs a class larger than the table.
    pub crowded: Persons,
    /// Made-up rows that would make the table as one class valid; none where no number does.
    pub counterfeits: Option<u64>,
}

impl WaysOut {
    pub(super) fn new(
        of: &str,
        l: Share,
        protected: &[bool],
        budgets: &Budgets,
        values: &Codes,
        ledger_row: &dyn Fn(usize) -> Option<u64>,
    ) -> Self {
        let rows = values.len() as u64;
        let mut found = Self {
            of: of.to_owned(),
            l,
            rows,
            overdrawn: Persons::default(),
            exhausted: Persons::default(),
            exhausted_values: 0,
            spent: 0,
            largest_l: None,
            largest_class: 0,
            crowded: Persons::default(),
            counterfeits: None,
        };
        let mut exhausted_values: BTreeSet<Code> = BTreeSet::new();
        let mut largest: Option<Exact> = None;
        let mut counts = vec![0u64; protected.len()];
        for row in 0..values.len() {
            let (value, code) = (values.get(row), budgets.codes().get(row));
            counts[value as usize] += 1;
            let profile = &budgets.profiles[code as usize];
            found.spent += u64::from(profile.spent);
            if profile.overdrawn {
                found.overdrawn.add(ledger_row(row));
                let needed = profile
                    .states()
                    .map(|(_, state)| linked(budgets.unlinked(state)));
                largest = largest.into_iter().chain(needed).max();
            }
            if !protected[value as usize] {
                continue;
            }
            let cap = &budgets.caps[profile.cap(value) as usize];
            if let Some(least) = cap.least_size(1) {
                found.largest_class = found.largest_class.max(least);
                if least > rows {
                    found.crowded.add(ledger_row(row));
                }
                continue;
            }
            exhausted_values.insert(value);
            if !profile.overdrawn {
                found.exhausted.add(ledger_row(row));
            }
            // The best case: alone with the value among all rows.
            let state = profile.states().find(|(of, _)| *of == value);
            let unlinked =
                state.map_or_else(Exact::one, |(_, state)| budgets.unlinked(state).clone());
            let share = Exact::new(1.into(), rows.max(1).into());
            let needed = linked(&(unlinked * (Exact::one() - share)));
            largest = largest.into_iter().chain([needed]).max();
        }
        found.exhausted_values = exhausted_values.len() as u64;
        found.largest_l = largest
            .filter(|needed| !is_zero(needed) && *needed < Exact::one())
            .map(|needed| needed.recip());
        found.counterfeits = counterfeits(protected, budgets, &counts, rows);
        found.overdrawn.finish();
        found.exhausted.finish();
        found.crowded.finish();
        found
    }

    /// Why no release at all keeps the promise, and what would help; nothing where one may.
    pub fn hopeless(&self) -> Option<(String, String)> {
        let of = &self.of;
        if self.overdrawn.count == 0 && self.exhausted.count == 0 && self.crowded.count == 0 {
            return None;
        }
        let mut why = Vec::new();
        let mut ways = Vec::new();
        if self.overdrawn.count > 0 {
            why.push(format!(
                "earlier releases link {} to a protected value of `{of}` with more than 1/{}",
                self.overdrawn.told(),
                self.l
            ));
        }
        if self.exhausted.count > 0 {
            why.push(format!(
                "{} nothing left for the own value of `{of}`: every class with that row passes 1/{}, whatever its size",
                have(&self.exhausted),
                self.l
            ));
            ways.push(format!(
                "fewer protected values: {} in the way here",
                if self.exhausted_values == 1 {
                    "1 stands".to_owned()
                } else {
                    format!("{} stand", self.exhausted_values)
                }
            ));
        }
        if self.crowded.count > 0 {
            why.push(format!(
                "{} a class of up to {} rows for the own value of `{of}`, but the table has {}",
                if self.crowded.count == 1 {
                    format!("{} needs", self.crowded.told())
                } else {
                    format!("{} need", self.crowded.told())
                },
                self.largest_class,
                self.rows
            ));
            let missing = self.largest_class.saturating_sub(self.rows);
            ways.push(format!(
                "a larger table: at least {missing} more rows, or as many made-up ones"
            ));
        }
        if self.overdrawn.count + self.exhausted.count > 0 {
            ways.insert(0, format!(
                "`retire = {{ below = … }}`: the smallest bound leaves out all {} persons with no room for some protected value, whatever they have now",
                self.spent
            ));
        }
        if let Some(l) = self.largest_l.as_ref().filter(|l| **l < exact(self.l)) {
            ways.push(format!("a smaller `l`: at most {}", rounded_down(l)));
        }
        Some((
            why.join("; "),
            format!("what would help: {}", ways.join("; ")),
        ))
    }

    /// What would help where a search found nothing although nothing is hopeless.
    pub fn help(&self) -> String {
        let mut ways = vec!["a larger table, with persons who have room left".to_owned()];
        if let Some(count) = self.counterfeits.filter(|count| *count > 0) {
            ways.push(format!(
                "{count} made-up rows without protected values would make the table as one class valid"
            ));
        }
        ways.push(format!(
            "`retire`: {} persons have no room for some protected value",
            self.spent
        ));
        ways.push("a smaller `l`, or fewer protected values".to_owned());
        format!("what would help: {}", ways.join("; "))
    }
}

fn have(persons: &Persons) -> String {
    let word = if persons.count == 1 { "has" } else { "have" };
    format!("{} {word}", persons.told())
}

/// The made-up rows that the table as one class lacks.
fn counterfeits(protected: &[bool], budgets: &Budgets, counts: &[u64], rows: u64) -> Option<u64> {
    let values = (0..).zip(counts);
    let values = values.filter(|(value, count)| protected[*value as usize] && **count > 0);
    values
        .map(|(value, count)| {
            let ranks = budgets.profiles.iter().map(|profile| profile.cap(value));
            let rank = ranks.min()?;
            budgets.caps[rank as usize].counterfeits(*count, rows)
        })
        .try_fold(0, |most, lacking| Some(most.max(lacking?)))
}

/// A number, short: exact where it is, else rounded down, so that what is told suffices.
fn rounded_down(number: &Exact) -> String {
    if number.denom().bits() <= 20 {
        return number.to_string();
    }
    let thousandths = (number.numer() * 1000u32).div_floor(number.denom());
    format!("{:.3}", thousandths.to_f64().unwrap_or(0.0) / 1000.0)
}
