//! What each person has left for each protected value.
//!
//! **Reading.** Nearest to the limit is who is linked most strongly to some protected value; ties go by row number.
//! **Cost.** Persons are taken some thousands at a time; in memory are the classes' counts of protected values.

use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;
use scrim::Share;
use serde::Serialize;

use super::budget::{Doubt, Fraction, Terms};
use super::check::doubt;
use super::further::{self, Further};
use super::history::releases;
use super::lasting::LastingBelief;
use super::{Ledger, entry::Promise};
use crate::error::IoError;

const CHUNK: i64 = 1 << 15;

/// Whom to tell about.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// Everybody.
    All,
    /// So many of those nearest to the limit.
    Nearest(usize),
    /// These rows of the ledger.
    Rows(&'a [u64]),
    /// These identifiers; needs the key.
    Identifiers(&'a [&'a str]),
}

/// What persons have left.
#[derive(Clone, Debug, Serialize)]
pub struct Persons {
    /// How many releases there were.
    pub releases: usize,
    /// How many persons the ledger knows.
    pub persons: u64,
    /// How many have nothing left for some protected value; told where all of them were looked at.
    pub exhausted: Option<u64>,
    /// The sensitive column.
    pub column: String,
    /// Nobody is to be linked to a protected value with more than 1/l.
    pub l: Share,
    /// The persons asked for.
    pub shown: Vec<PersonReport>,
}

/// What a person has left.
#[derive(Clone, Debug, Serialize)]
pub struct PersonReport {
    /// The row number in the ledger; nothing for somebody who is not in it.
    pub person: Option<u64>,
    /// For identifiers: the line that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// In how many releases.
    pub releases: u64,
    /// For each protected value.
    pub left: Vec<Left>,
    /// For each lasting value that the person may have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lasting: Vec<LastingBelief>,
}

/// What is left for a value.
#[derive(Clone, Debug, Serialize)]
pub struct Left {
    /// The value.
    pub value: String,
    /// How strongly an onlooker must believe that the person had it.
    pub p: f64,
    /// The same, exact.
    pub p_exact: Fraction,
    /// The largest share that it may have in the person's next class; not above zero: none.
    pub left: Option<f64>,
    /// The same, exact.
    pub left_exact: Option<Fraction>,
}

impl Ledger {
    /// What was promised by the last release that promised anything about a column, or about the one named.
    pub fn last_promise(&self, column: Option<&str>) -> Result<Option<Promise>, IoError> {
        last_promise(&self.connection, column).map_err(|error| self.fault(&error))
    }

    /// Every value that a sensitive column had in any release.
    pub fn values_of(&self, column: &str) -> Result<Vec<String>, IoError> {
        let query = "SELECT DISTINCT value FROM histogram JOIN columns ON columns.release = histogram.release \
                     AND columns.number = histogram.column WHERE name = ?1 ORDER BY value";
        let values = self.connection.prepare(query).and_then(|mut select| {
            let rows = select.query_map([column], |row| row.get(0))?;
            rows.collect()
        });
        values.map_err(|error| self.fault(&error))
    }

    /// Every value that a sensitive column had in a release that promised nothing about it.
    pub fn values_without_promise(&self, column: &str) -> Result<Vec<String>, IoError> {
        let query = "SELECT DISTINCT value FROM histogram JOIN columns ON columns.release = histogram.release \
                     AND columns.number = histogram.column LEFT JOIN promises ON promises.release = columns.release \
                     AND promises.column = columns.number WHERE name = ?1 AND l IS NULL ORDER BY value";
        let values = self.connection.prepare(query).and_then(|mut select| {
            let rows = select.query_map([column], |row| row.get(0))?;
            rows.collect()
        });
        values.map_err(|error| self.fault(&error))
    }

    /// What persons have left under these terms.
    pub fn persons(&self, terms: &Terms, which: Which<'_>) -> Result<Persons, IoError> {
        let fault = |error: rusqlite::Error| self.fault(&error);
        let last: i64 = self
            .connection
            .query_row("SELECT coalesce(max(number), 0) FROM persons", [], |row| {
                row.get(0)
            })
            .map_err(fault)?;
        let releases = releases(&self.connection).map_err(fault)?.len();
        let mut answer = Persons {
            releases,
            persons: last.unsigned_abs(),
            exhausted: None,
            column: terms.column.clone(),
            l: terms.l,
            shown: Vec::new(),
        };
        match which {
            Which::All => self.sweep_persons(terms, last, usize::MAX, &mut answer)?,
            Which::Nearest(most) => {
                self.sweep_persons(terms, last, most, &mut answer)?;
                answer.shown.truncate(most);
            }
            Which::Rows(rows) => {
                let past = Past::read(&self.connection, terms).map_err(fault)?;
                for row in rows {
                    let number = i64::try_from(*row)
                        .ok()
                        .filter(|row| (1..=last).contains(row));
                    let number = number.ok_or_else(|| self.no_row(*row, last))?;
                    let told = past
                        .told(&self.connection, number - 1, number)
                        .map_err(fault)?;
                    answer
                        .shown
                        .extend(told.iter().map(|one| one.report(terms)));
                }
            }
            Which::Identifiers(identifiers) => {
                self.identified_persons(terms, identifiers, &mut answer)?;
            }
        }
        Ok(answer)
    }

    fn no_row(&self, row: u64, last: i64) -> IoError {
        IoError::ledger(
            &self.path,
            format!("there is no person {row}: rows go from 1 to {last}"),
            "",
        )
    }

    fn sweep_persons(
        &self,
        terms: &Terms,
        last: i64,
        most: usize,
        answer: &mut Persons,
    ) -> Result<(), IoError> {
        let fault = |error: rusqlite::Error| self.fault(&error);
        let past = Past::read(&self.connection, terms).map_err(fault)?;
        let mut exhausted = 0;
        let mut nearest: Vec<Told> = Vec::new();
        let mut from = 0;
        while from < last {
            let to = last.min(from + CHUNK);
            for told in past.told(&self.connection, from, to).map_err(fault)? {
                exhausted += u64::from(told.is_exhausted(terms.l));
                if most == usize::MAX {
                    answer.shown.push(told.report(terms));
                } else {
                    nearest.push(told);
                }
            }
            nearest.sort_by(|a, b| a.least().compare(&b.least()).then(a.number.cmp(&b.number)));
            nearest.truncate(most);
            from = to;
        }
        answer.exhausted = Some(exhausted);
        answer
            .shown
            .extend(nearest.iter().map(|told| told.report(terms)));
        Ok(())
    }

    /// Goes by the history, as a publisher would.
    fn identified_persons(
        &self,
        terms: &Terms,
        identifiers: &[&str],
        answer: &mut Persons,
    ) -> Result<(), IoError> {
        let keep = |value: &str| terms.values.iter().any(|protected| protected == value);
        let history = self.history(identifiers, &terms.column, &keep)?;
        for person in 0..identifiers.len() as u32 {
            let values = terms.values.iter();
            let told = Told {
                number: 0,
                releases: history.appearances(person).into(),
                doubts: values.map(|value| doubt(&history, person, value)).collect(),
            };
            answer.shown.push(PersonReport {
                person: history.row_of(person),
                line: Some(u64::from(person) + 1),
                ..told.report(terms)
            });
        }
        Ok(())
    }
}

fn last_promise(
    connection: &Connection,
    column: Option<&str>,
) -> rusqlite::Result<Option<Promise>> {
    let mut select = connection.prepare(
        "SELECT promises.release, promises.column, name, l FROM promises JOIN columns \
         ON columns.release = promises.release AND columns.number = promises.column \
         WHERE ?1 IS NULL OR name = ?1 ORDER BY promises.release DESC, promises.column LIMIT 1",
    )?;
    let mut rows = select.query([column])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let (release, number): (i64, i64) = (row.get(0)?, row.get(1)?);
    let mut values = connection
        .prepare("SELECT value FROM protected WHERE release = ?1 AND column = ?2 ORDER BY value")?;
    let values = values.query_map([release, number], |row| row.get(0))?;
    Ok(Some(Promise {
        column: row.get(2)?,
        l: row.get(3)?,
        values: values.collect::<rusqlite::Result<_>>()?,
    }))
}

/// One person's doubts, a value each.
#[derive(Clone, Debug)]
struct Told {
    number: i64,
    releases: u64,
    doubts: Vec<Doubt>,
}

impl Told {
    fn new(number: i64, values: usize) -> Self {
        Self {
            number,
            releases: 0,
            doubts: vec![Doubt::default(); values],
        }
    }

    fn least(&self) -> Doubt {
        let least = self.doubts.iter().min_by(|a, b| a.compare(b));
        least.cloned().unwrap_or_default()
    }

    fn is_exhausted(&self, l: Share) -> bool {
        let left = self.least().left(l);
        !left.is_some_and(|left| left.is_positive())
    }

    fn report(&self, terms: &Terms) -> PersonReport {
        let left = |(doubt, value): (&Doubt, &String)| {
            let (belief, left) = (doubt.belief(), doubt.left(terms.l));
            Left {
                value: value.clone(),
                p: belief.to_f64(),
                p_exact: belief,
                left: left.as_ref().map(Fraction::to_f64),
                left_exact: left,
            }
        };
        PersonReport {
            person: Some(self.number.unsigned_abs()),
            line: None,
            releases: self.releases,
            left: self.doubts.iter().zip(&terms.values).map(left).collect(),
            lasting: Vec::new(),
        }
    }
}

/// By release and class: how many rows have which protected value. A class without any is not there.
struct Past {
    releases: Vec<(i64, FxHashMap<i64, Counts>)>,
    values: usize,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    rows: u64,
    /// Value and rows.
    protected: Vec<(usize, u64)>,
}

impl Counts {
    /// Value, its rows and all rows.
    fn each(&self) -> impl Iterator<Item = (usize, u64, u64)> {
        let protected = self.protected.iter();
        protected.map(|(value, count)| (*value, *count, self.rows))
    }
}

impl Past {
    fn read(connection: &Connection, terms: &Terms) -> rusqlite::Result<Self> {
        let mut counts = connection.prepare(
            "SELECT class, rows, value, count FROM histogram JOIN classes \
             ON classes.release = histogram.release AND classes.number = class \
             WHERE histogram.release = ?1 AND column = \
             (SELECT number FROM columns WHERE release = ?1 AND name = ?2)",
        )?;
        let mut past = Vec::new();
        for (release, ..) in releases(connection)? {
            let mut classes: FxHashMap<i64, Counts> = FxHashMap::default();
            let mut rows = counts.query(params![release, terms.column])?;
            while let Some(row) = rows.next()? {
                let text = row.get_ref(2)?.as_str()?;
                if let Some(value) = terms.values.iter().position(|value| value == text) {
                    let class = classes.entry(row.get(0)?).or_default();
                    class.rows = row.get::<_, i64>(1)?.unsigned_abs();
                    let count = row.get::<_, i64>(3)?.unsigned_abs();
                    class.protected.push((value, count));
                }
            }
            past.push((release, classes));
        }
        Ok(Self {
            releases: past,
            values: terms.values.len(),
        })
    }

    /// The persons with numbers above `from` up to `to`.
    fn told(&self, connection: &Connection, from: i64, to: i64) -> rusqlite::Result<Vec<Told>> {
        let mut told: Vec<Told> = (from + 1..=to)
            .map(|number| Told::new(number, self.values))
            .collect();
        let mut select = connection.prepare(
            "SELECT person, class FROM membership WHERE release = ?1 AND person > ?2 AND person <= ?3",
        )?;
        let mut further = Further::new(connection)?;
        for (release, classes) in &self.releases {
            let more = further.of(*release, from, to)?;
            let mut rows = select.query([*release, from, to])?;
            while let Some(row) = rows.next()? {
                let (number, class): (i64, i64) = (row.get(0)?, row.get(1)?);
                let person = &mut told[(number - from - 1) as usize];
                person.releases += 1;
                let more = further::of_person(&more, number);
                for (class, own) in further::in_classes(class, more) {
                    let class = classes.get(&class);
                    for (value, count, rows) in class.into_iter().flat_map(Counts::each) {
                        person.doubts[value].class(count, rows, own);
                    }
                }
            }
        }
        Ok(told)
    }
}
