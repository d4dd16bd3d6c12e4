//! Recording a release: the entry first, in one transaction; its files the moment that is committed.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;
use rusqlite::{Connection, params};

use super::chain::{ReleaseRow, digest, genesis, head};
use super::entry::Entry;
use super::fault::point;
use super::history::numbers_of;
use super::key::Hash;
use super::place::{self, Placing};
use super::{Ledger, schema, time};
use crate::error::IoError;
use crate::{Staging, sha256};

/// An entry that is written but not committed. Dropped, it leaves nothing: no entry and no files.
#[derive(Debug)]
pub struct Pending<'a> {
    ledger: &'a mut Ledger,
    staging: Staging,
    placing: Placing,
    release: i64,
    hash: Hash,
    open: bool,
}

/// A release that is recorded and in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its number, from 1.
    pub release: u64,
    /// Its hash in the chain, in hexadecimal.
    pub hash: String,
    /// Its files.
    pub files: Vec<PathBuf>,
    /// What the user should know, although it is published.
    pub remarks: Vec<String>,
}

impl Ledger {
    /// Writes an entry for a release whose files are staged under these names. They will be put in place in this
    /// order; the last should be the manifest. `outdated` files beside them are removed once all is in place. Whoever calls
    /// holds the lock of the folder ([`crate::FolderLock`]).
    pub fn append<'a>(
        &'a mut self,
        entry: &Entry<'_>,
        staging: Staging,
        names: &[&str],
        outdated: &[&str],
    ) -> Result<Pending<'a>, IoError> {
        if self.lock.is_none() {
            return Err(IoError::internal(
                "a ledger that was opened for reading is written",
            ));
        }
        entry.must_agree()?;
        let placing = Placing::new(&self.folder, &staging, names, outdated)?;
        self.sign(&staging)?;
        staging.sync(names)?;
        point("files-synced");
        let persons = self.hashed(entry)?;
        let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
        begun.map_err(|error| self.fault(&error))?;
        // From here on dropping `pending` rolls back.
        let mut pending = Pending {
            ledger: self,
            staging,
            placing,
            release: 0,
            hash: Hash::default(),
            open: true,
        };
        point("entry-begun");
        pending.must_follow()?;
        let written = write(
            &pending.ledger.connection,
            entry,
            &persons,
            &pending.placing,
        );
        (pending.release, pending.hash) = written.map_err(|error| pending.ledger.fault(&error))?;
        point("entry-written");
        Ok(pending)
    }

    /// The rows of an entry, persons under the key, in the order of their hashes.
    fn hashed(&self, entry: &Entry<'_>) -> Result<Vec<(Hash, u32)>, IoError> {
        let key = self.key()?;
        let persons = entry.persons.par_iter();
        let mut hashed: Vec<(Hash, u32)> = persons
            .map(|(identifier, class)| (key.person(identifier), *class))
            .collect();
        hashed.par_sort_unstable();
        if !entry.promises.is_empty() && hashed.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(IoError::ledger(
                &self.path,
                "a person has several rows in a release that promises something over several releases",
                "give each person one row in such a release",
            ));
        }
        Ok(hashed)
    }
}

impl Pending<'_> {
    /// Refuses to go on where somebody recorded a release since the ledger was opened: this one was made without knowing
    /// of it.
    fn must_follow(&self) -> Result<(), IoError> {
        let ledger = &*self.ledger;
        let now = head(&ledger.connection).map_err(|error| ledger.fault(&error))?;
        if now == ledger.head {
            return Ok(());
        }
        Err(IoError::ledger(
            &ledger.path,
            "somebody else published meanwhile: this release was made without knowing of that",
            "run again; nothing was published",
        ))
    }

    /// The number that the release will have.
    #[must_use]
    pub fn release(&self) -> u64 {
        self.release.unsigned_abs()
    }

    /// Commits the entry and puts the files in place.
    pub fn commit(mut self) -> Result<Recorded, IoError> {
        self.open = false;
        if let Err(error) = self.ledger.connection.execute_batch("COMMIT") {
            let _ = self.ledger.connection.execute_batch("ROLLBACK");
            // An error while the journal was removed leaves open which side won. The files go only when it is sure
            // that there is no entry.
            if !matches!(self.ledger.has(self.release), Ok(false)) {
                self.staging.leave();
            }
            return Err(self.ledger.fault(&error));
        }
        self.ledger.head = (self.release, Some(self.hash));
        point("committed");
        let files = self.placing.paths();
        let placed = self.placing.place();
        // Entry and hidden folder now belong together: only `finish` may remove it.
        self.staging.leave();
        placed.map_err(|error| not_in_place(&self.ledger.path, self.release, &error))?;
        // From here on the release is recorded and in place: what fails now is a remark.
        let settled = self.placing.settle(&self.ledger.id());
        let finished =
            settled.and_then(|()| self.ledger.finish(self.release, &self.placing, false));
        let remark = finished.err().map(|error| {
            format!(
                "release {} is published, but not all could be tidied up, which the next run does: {error}",
                self.release
            )
        });
        if remark.is_none() {
            self.ledger.note_sound();
        }
        point("done");
        Ok(Recorded {
            release: self.release(),
            hash: crate::digest::hex(&self.hash),
            files,
            remarks: remark.into_iter().collect(),
        })
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if self.open {
            // Nobody is left to tell a failure to; a transaction that is not committed is rolled back by the next.
            let _ = self.ledger.connection.execute_batch("ROLLBACK");
        }
    }
}

/// The failure to put files in place after the commit.
pub(super) fn not_in_place(ledger: &Path, release: i64, error: &IoError) -> IoError {
    IoError::ledger(
        ledger,
        format!("release {release} is recorded, but its files could not be put in place: {error}"),
        "mend that, then `scrim ledger recover` (or the next publication) puts them in place: they wait in a hidden folder",
    )
}

impl Ledger {
    fn has(&self, release: i64) -> rusqlite::Result<bool> {
        let query = "SELECT count(*) FROM releases WHERE number = ?1";
        self.connection
            .query_row(query, [release], |row| row.get::<_, i64>(0))
            .map(|count| count > 0)
    }

    /// Says that a release is in place, and removes what is not needed any more.
    pub(super) fn finish(
        &mut self,
        release: i64,
        placing: &Placing,
        lost: bool,
    ) -> Result<(), IoError> {
        let insert = "INSERT INTO done VALUES (?1, ?2, ?3)";
        let now = time::utc(SystemTime::now());
        let done = self.connection.execute(insert, params![release, now, lost]);
        done.map_err(|error| self.fault(&error))?;
        placing.discard_hidden();
        Ok(())
    }
}

fn write(
    connection: &Connection,
    entry: &Entry<'_>,
    persons: &[(Hash, u32)],
    placing: &Placing,
) -> rusqlite::Result<(i64, Hash)> {
    let last = connection.query_row(
        "SELECT coalesce(max(number), 0), coalesce(sum(newcomers), 0) FROM releases",
        [],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
    )?;
    let (number, before) = (last.0 + 1, last.1);
    let previous = if last.0 == 0 {
        genesis(connection)?
    } else {
        connection.query_row(
            "SELECT hash FROM releases WHERE number = ?1",
            [last.0],
            |row| row.get(0),
        )?
    };
    place::record(connection, number, placing)?;
    write_columns(connection, number, entry)?;
    write_classes(connection, number, entry)?;
    point("entry-classes");
    let newcomers = write_persons(connection, number, before, persons)?;
    point("entry-persons");
    let row = ReleaseRow {
        number,
        time: time::utc(entry.time),
        scrim: env!("CARGO_PKG_VERSION").to_owned(),
        policy: entry.policy.to_owned(),
        policy_sha256: sha256(entry.policy.as_bytes()),
        rows: entry.rows().cast_signed(),
        classes: (entry.classes.len() as u64).cast_signed(),
        newcomers,
        previous,
    };
    let hash = digest(connection, &row, before)?;
    connection.execute(
        "INSERT INTO releases VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            row.number,
            row.time,
            row.scrim,
            row.policy,
            row.policy_sha256,
            row.rows,
            row.classes,
            row.newcomers,
            row.previous,
            hash
        ],
    )?;
    Ok((number, hash))
}

fn write_columns(connection: &Connection, release: i64, entry: &Entry<'_>) -> rusqlite::Result<()> {
    let mut column = connection.prepare("INSERT INTO columns VALUES (?1, ?2, ?3)")?;
    let mut promise = connection.prepare("INSERT INTO promises VALUES (?1, ?2, ?3)")?;
    let mut value = connection.prepare("INSERT INTO protected VALUES (?1, ?2, ?3)")?;
    for (number, name) in (1i64..).zip(&entry.columns) {
        column.execute(params![release, number, name])?;
        for made in entry
            .promises
            .iter()
            .filter(|promise| promise.column == *name)
        {
            promise.execute(params![release, number, made.l])?;
            let values: std::collections::BTreeSet<&String> = made.values.iter().collect();
            for text in values {
                value.execute(params![release, number, text])?;
            }
        }
    }
    Ok(())
}

fn write_classes(connection: &Connection, release: i64, entry: &Entry<'_>) -> rusqlite::Result<()> {
    let mut class = connection.prepare("INSERT INTO classes VALUES (?1, ?2, ?3)")?;
    let mut value = connection.prepare("INSERT INTO histogram VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (number, made) in (1i64..).zip(&entry.classes) {
        class.execute(params![release, number, made.rows.cast_signed()])?;
        for (column, histogram) in (1i64..).zip(&made.histograms) {
            for (text, count) in histogram {
                value.execute(params![release, number, column, text, count.cast_signed()])?;
            }
        }
    }
    Ok(())
}

/// Writes newcomers and memberships; says how many newcomers there are.
fn write_persons(
    connection: &Connection,
    release: i64,
    before: i64,
    persons: &[(Hash, u32)],
) -> rusqlite::Result<i64> {
    let known = numbers_of(connection, persons.iter().map(|(hash, _)| hash))?;
    let mut next = before;
    let mut person = connection.prepare("INSERT INTO persons VALUES (?1, ?2)")?;
    let mut members: Vec<(i64, u32)> = Vec::with_capacity(persons.len());
    let mut newest: Option<&Hash> = None;
    for ((hash, class), known) in persons.iter().zip(known) {
        let number = if let Some(number) = known {
            number
        } else {
            // The rows of a person follow each other.
            if newest.replace(hash) != Some(hash) {
                next += 1;
                person.execute(params![next, hash])?;
            }
            next
        };
        members.push((number, class + 1));
    }
    members.sort_unstable();
    write_members(connection, release, &members)?;
    Ok(next - before)
}

/// Writes who is in which class, by number and class, ascending.
fn write_members(
    connection: &Connection,
    release: i64,
    members: &[(i64, u32)],
) -> rusqlite::Result<()> {
    let mut member = connection.prepare("INSERT INTO membership VALUES (?1, ?2, ?3)")?;
    let mut several: Vec<&[(i64, u32)]> = Vec::new();
    for own in members.chunk_by(|one, next| one.0 == next.0) {
        let (number, class) = own[0];
        member.execute(params![release, number, class])?;
        if own.len() > 1 {
            several.push(&own[1..]);
        }
    }
    if several.is_empty() {
        return Ok(());
    }
    schema::add_further(connection)?;
    let mut further = connection.prepare("INSERT INTO further VALUES (?1, ?2, ?3, ?4)")?;
    for own in several {
        for rows in own.chunk_by(|one, next| one == next) {
            let (number, class) = rows[0];
            let count = (rows.len() as u64).cast_signed();
            further.execute(params![release, number, class, count])?;
        }
    }
    Ok(())
}
