//! What the ledger knows of the persons of a table, as the library takes it.
//!
//! **Reading.** A release that did not have the sensitive column says nothing about it: its classes have no counts.
//! **Cost.** Hashes and numbers are matched by merging two sorted sequences, a release at a time; where the table is
//! small beside the ledger, each person is looked up. Both ways give the same (tests).

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension, params};
use scrim::release::{History, PastClass};

use super::Ledger;
use super::further::{self, Further};
use super::key::Hash;
use crate::error::IoError;

/// A look-up costs about as much as passing over so many rows in order.
const SEEK: usize = 16;

impl Ledger {
    /// The history of persons, given by the texts of a dictionary in the order of its codes. Counts are kept of the
    /// values that `keep` asks for: few are needed, and all of them can be many.
    pub fn history(
        &self,
        persons: &[&str],
        sensitive: &str,
        keep: &dyn Fn(&str) -> bool,
    ) -> Result<History, IoError> {
        let hashed = self.identified(persons)?;
        history(&self.connection, persons.len(), &hashed, sensitive, keep)
            .map_err(|error| self.fault(&error))
    }

    /// The same, and after the last code everybody else whom the ledger knows: for values that last, what is believed of somebody
    /// hangs on who was there too.
    pub fn history_with_others(
        &self,
        persons: &[&str],
        sensitive: &str,
        keep: &dyn Fn(&str) -> bool,
    ) -> Result<History, IoError> {
        let hashed = self.identified(persons)?;
        let fault = |error: rusqlite::Error| self.fault(&error);
        let numbers = numbers_of(&self.connection, hashed.iter().map(|(hash, _)| hash));
        let numbers = numbers.map_err(fault)?;
        let numbered = hashed.iter().zip(numbers);
        let mut wanted: Vec<(i64, u32)> = numbered
            .filter_map(|((_, code), number)| Some((number?, *code)))
            .collect();
        wanted.sort_unstable();
        let known: Vec<i64> = wanted.iter().map(|(number, _)| *number).collect();
        let others = (1..=self.last_person()?).filter(|row| known.binary_search(row).is_err());
        wanted.extend(others.zip(persons.len() as u32..));
        let codes = persons.len() + wanted.len() - known.len();
        wanted.sort_unstable();
        collect(&self.connection, codes, &wanted, sensitive, keep).map_err(fault)
    }

    /// The row number of the last person.
    fn last_person(&self) -> Result<i64, IoError> {
        let query = "SELECT coalesce(max(number), 0) FROM persons";
        let last = self.connection.query_row(query, [], |row| row.get(0));
        last.map_err(|error| self.fault(&error))
    }

    /// The history of everybody, over all releases; a person's code is its row number, so that nobody has code 0.
    /// Needs no key.
    pub fn whole(&self, sensitive: &str, keep: &dyn Fn(&str) -> bool) -> Result<History, IoError> {
        let last = u32::try_from(self.last_person()?).unwrap_or(u32::MAX - 1);
        let wanted: Vec<(i64, u32)> = (1..=last).map(|row| (row.into(), row)).collect();
        let history = collect(
            &self.connection,
            last as usize + 1,
            &wanted,
            sensitive,
            keep,
        );
        history.map_err(|error| self.fault(&error))
    }

    /// The history of the persons in these rows, which ascend; a person's code is its place among them. Needs no key.
    pub fn history_of_rows(
        &self,
        rows: &[u64],
        sensitive: &str,
        keep: &dyn Fn(&str) -> bool,
    ) -> Result<History, IoError> {
        let wanted = (0..).zip(rows);
        let wanted: Vec<(i64, u32)> = wanted
            .map(|(code, row)| (row.cast_signed(), code))
            .collect();
        collect(&self.connection, rows.len(), &wanted, sensitive, keep)
            .map_err(|error| self.fault(&error))
    }

    /// The classes of a release with the counts of a sensitive column.
    pub fn classes(&self, release: u64, sensitive: &str) -> Result<Vec<PastClass>, IoError> {
        let release = release.cast_signed();
        let classes = self
            .connection
            .prepare("SELECT number FROM classes WHERE release = ?1 ORDER BY number")
            .and_then(|mut select| {
                let numbers = select.query_map([release], |row| row.get(0))?;
                let numbers: Vec<i64> = numbers.collect::<rusqlite::Result<_>>()?;
                let count = numbers.len();
                let connection = &self.connection;
                classes_of(connection, release, count, &numbers, sensitive, &|_| true)
            });
        classes.map_err(|error| self.fault(&error))
    }

    /// The persons under the key, with their codes, in the order of their hashes.
    fn identified(&self, persons: &[&str]) -> Result<Vec<(Hash, u32)>, IoError> {
        let key = self.key()?;
        let mut hashed: Vec<(Hash, u32)> = persons
            .par_iter()
            .enumerate()
            .map(|(code, identifier)| (key.person(identifier), code as u32))
            .collect();
        hashed.par_sort_unstable();
        Ok(hashed)
    }
}

fn history(
    connection: &Connection,
    codes: usize,
    hashed: &[(Hash, u32)],
    sensitive: &str,
    keep: &dyn Fn(&str) -> bool,
) -> rusqlite::Result<History> {
    let numbers = numbers_of(connection, hashed.iter().map(|(hash, _)| hash))?;
    let numbered = hashed.iter().zip(numbers);
    let mut wanted: Vec<(i64, u32)> = numbered
        .filter_map(|((_, code), number)| Some((number?, *code)))
        .collect();
    wanted.sort_unstable();
    collect(connection, codes, &wanted, sensitive, keep)
}

/// The history of persons by number and code, ascending.
fn collect(
    connection: &Connection,
    codes: usize,
    wanted: &[(i64, u32)],
    sensitive: &str,
    keep: &dyn Fn(&str) -> bool,
) -> rusqlite::Result<History> {
    let mut history = History {
        of_person: vec![Vec::new(); codes],
        ledger_row: vec![None; codes],
        promised: promised(connection, sensitive)?,
        ..History::default()
    };
    for (number, code) in wanted {
        history.ledger_row[*code as usize] = Some(number.unsigned_abs());
    }
    for (release, rows, classes) in releases(connection)? {
        if column_of(connection, release, sensitive)?.is_none() {
            history.silent.insert(release as u32);
        }
        let members = members_of(connection, release, rows, wanted)?;
        let mut used: Vec<i64> = members.iter().map(|(_, class)| *class).collect();
        used.sort_unstable();
        used.dedup();
        let first = history.classes.len();
        let past = classes_of(connection, release, classes, &used, sensitive, keep)?;
        history.classes.extend(past);
        for (code, class) in members {
            let at = first + used.partition_point(|used| *used < class);
            history.of_person[code as usize].push(at as u32);
        }
        history.releases += 1;
    }
    Ok(history)
}

/// The values of a column that some release promised to protect.
fn promised(connection: &Connection, column: &str) -> rusqlite::Result<BTreeSet<String>> {
    let mut select = connection.prepare(
        "SELECT DISTINCT value FROM protected JOIN columns ON columns.release = protected.release \
         AND columns.number = protected.column WHERE name = ?1",
    )?;
    let values = select.query_map([column], |row| row.get(0))?;
    values.collect()
}

/// Number, rows and classes of each release.
pub(super) fn releases(connection: &Connection) -> rusqlite::Result<Vec<(i64, usize, usize)>> {
    let mut select =
        connection.prepare("SELECT number, rows, classes FROM releases ORDER BY number")?;
    let rows = select.query_map([], |row| {
        Ok((
            row.get(0)?,
            row.get::<_, i64>(1)? as usize,
            row.get::<_, i64>(2)? as usize,
        ))
    })?;
    rows.collect()
}

/// The numbers of persons whose hashes are given in ascending order.
pub(super) fn numbers_of<'a>(
    connection: &Connection,
    hashes: impl ExactSizeIterator<Item = &'a Hash>,
) -> rusqlite::Result<Vec<Option<i64>>> {
    let total: i64 =
        connection.query_row("SELECT coalesce(max(number), 0) FROM persons", [], |row| {
            row.get(0)
        })?;
    if hashes.len() * SEEK < total as usize {
        return seek_numbers(connection, hashes);
    }
    let mut select = connection.prepare("SELECT hash, number FROM persons ORDER BY hash")?;
    let mut rows = select.query([])?;
    let next = |rows: &mut rusqlite::Rows<'_>| -> rusqlite::Result<Option<(Hash, i64)>> {
        rows.next()?
            .map(|row| Ok((row.get(0)?, row.get(1)?)))
            .transpose()
    };
    let mut here = next(&mut rows)?;
    let mut found = Vec::with_capacity(hashes.len());
    for hash in hashes {
        while here.is_some_and(|(at, _)| at < *hash) {
            here = next(&mut rows)?;
        }
        found.push(here.filter(|(at, _)| at == hash).map(|(_, number)| number));
    }
    Ok(found)
}

fn seek_numbers<'a>(
    connection: &Connection,
    hashes: impl Iterator<Item = &'a Hash>,
) -> rusqlite::Result<Vec<Option<i64>>> {
    let mut select = connection.prepare("SELECT number FROM persons WHERE hash = ?1")?;
    hashes
        .map(|hash| select.query_row([hash], |row| row.get(0)).optional())
        .collect()
}

/// Code and class of the wanted persons (number and code, ascending) that a release has, once for each of their rows.
fn members_of(
    connection: &Connection,
    release: i64,
    rows: usize,
    wanted: &[(i64, u32)],
) -> rusqlite::Result<Vec<(u32, i64)>> {
    let mut members = Vec::new();
    let mut further = Further::new(connection)?;
    if wanted.len() * SEEK < rows {
        let mut select = connection
            .prepare("SELECT class FROM membership WHERE release = ?1 AND person = ?2")?;
        for (number, code) in wanted {
            let class: Option<i64> = select
                .query_row(params![release, number], |row| row.get(0))
                .optional()?;
            if let Some(class) = class {
                let more = further.of(release, number - 1, *number)?;
                add_member(&mut members, *code, class, &more);
            }
        }
        return Ok(members);
    }
    let more = further.of(release, 0, i64::MAX)?;
    let mut select = connection
        .prepare("SELECT person, class FROM membership WHERE release = ?1 ORDER BY person")?;
    let mut found = select.query([release])?;
    let mut wanted = wanted.iter().peekable();
    while let Some(row) = found.next()? {
        let (person, class): (i64, i64) = (row.get(0)?, row.get(1)?);
        while wanted.next_if(|(number, _)| *number < person).is_some() {}
        // Two spellings of one person cannot be, but two codes of one spelling would both be told.
        while let Some((_, code)) = wanted.next_if(|(number, _)| *number == person) {
            let more = further::of_person(&more, person);
            add_member(&mut members, *code, class, more);
        }
    }
    Ok(members)
}

/// A person's classes, each once a row.
fn add_member(members: &mut Vec<(u32, i64)>, code: u32, first: i64, more: &[further::FurtherRows]) {
    for (class, rows) in further::in_classes(first, more) {
        members.extend((0..rows).map(|_| (code, class)));
    }
}

/// The number of a sensitive column in a release that has it.
fn column_of(connection: &Connection, release: i64, name: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .query_row(
            "SELECT number FROM columns WHERE release = ?1 AND name = ?2",
            params![release, name],
            |row| row.get(0),
        )
        .optional()
}

/// The classes of a release with these numbers, which ascend.
fn classes_of(
    connection: &Connection,
    release: i64,
    classes: usize,
    used: &[i64],
    sensitive: &str,
    keep: &dyn Fn(&str) -> bool,
) -> rusqlite::Result<Vec<PastClass>> {
    let mut past = vec![PastClass::default(); used.len()];
    let column = column_of(connection, release, sensitive)?;
    // Either the whole release in one sweep, or the classes one by one.
    let spans: Vec<(i64, i64)> = if used.len() * SEEK < classes {
        used.iter().map(|class| (*class, *class)).collect()
    } else {
        vec![(1, i64::MAX)]
    };
    let mut sizes = connection.prepare(
        "SELECT number, rows FROM classes WHERE release = ?1 AND number BETWEEN ?2 AND ?3",
    )?;
    let mut counts = connection.prepare(
        "SELECT class, value, count FROM histogram WHERE release = ?1 AND class BETWEEN ?2 AND ?3 AND column = ?4",
    )?;
    for (from, to) in spans {
        let mut rows = sizes.query(params![release, from, to])?;
        while let Some(row) = rows.next()? {
            if let Ok(at) = used.binary_search(&row.get(0)?) {
                past[at] = PastClass {
                    release: release as u32,
                    rows: row.get::<_, i64>(1)?.unsigned_abs(),
                    counts: BTreeMap::new(),
                };
            }
        }
        let mut rows = counts.query(params![release, from, to, column])?;
        while let Some(row) = rows.next()? {
            let value = row.get_ref(1)?.as_str()?;
            if let Ok(at) = used.binary_search(&row.get(0)?)
                && keep(value)
            {
                let count = row.get::<_, i64>(2)?.unsigned_abs();
                past[at].counts.insert(value.to_owned(), count);
            }
        }
    }
    Ok(past)
}
