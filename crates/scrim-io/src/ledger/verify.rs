//! Is the ledger what it was? The file, its tables, the numbers, the chain, and the files that it speaks of.
//!
//! **Reading.** A file that is gone is a remark: releases are moved and deleted. A file that differs is a fault, unless a
//! later release was put in the same place.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use scrim::{counted, verb};

use super::chain::{ReleaseRow, digest, genesis};
use super::key::Hash;
use super::place::Standing;
use super::{Ledger, schema};
use crate::digest::hex;
use crate::error::IoError;
use crate::{files, sha256};

/// Further rows that follow no first one, or are none.
const HOMELESS: &str = "SELECT count(*) FROM further f WHERE release = ?1 AND (rows < 1 OR NOT EXISTS \
    (SELECT 1 FROM membership m WHERE m.release = ?1 AND m.person = f.person))";

/// Whether a ledger is sound.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    /// Whether there is no fault.
    pub holds: bool,
    /// How many releases there are.
    pub releases: u64,
    /// How many persons.
    pub persons: u64,
    /// The hash of the last release.
    pub head: Option<String>,
    /// What is wrong, the first first.
    pub faults: Vec<Fault>,
    /// What is worth knowing.
    pub remarks: Vec<String>,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The release, where it is about one.
    pub release: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl Ledger {
    /// Checks everything. `head` is a hash that was noted down: some release must have it.
    pub fn verify(&self, head: Option<&str>) -> Result<Verification, IoError> {
        self.verify_watched(head, &mut |_, _| Ok(()))
    }

    /// The same; `tell` hears how many of all releases are done, and an error of it stops the work.
    pub fn verify_watched(
        &self,
        head: Option<&str>,
        tell: &mut dyn FnMut(u64, u64) -> Result<(), scrim::Error>,
    ) -> Result<Verification, IoError> {
        let mut answer = Verification::default();
        // One view of the file, whoever publishes meanwhile.
        let begun = self.connection.execute_batch("BEGIN");
        begun.map_err(|error| self.fault(&error))?;
        let mut stopped = Ok(());
        self.check_all(head, &mut answer, &mut |done, all| {
            stopped = tell(done, all);
            stopped.is_ok()
        });
        let _ = self.connection.execute_batch("COMMIT");
        stopped?;
        answer.holds = answer.faults.is_empty();
        Ok(answer)
    }

    fn check_all(
        &self,
        head: Option<&str>,
        answer: &mut Verification,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) {
        let hashes = self.checked(answer, None, Self::check_file).and_then(|()| {
            self.checked(answer, None, |ledger, answer| {
                ledger.check_chain(answer, goes_on)
            })
        });
        let hashes = hashes.unwrap_or_default();
        answer.head = hashes.last().map(|hash| hex(hash));
        if let Some(head) = head
            && !hashes
                .iter()
                .any(|hash| hex(hash).eq_ignore_ascii_case(head.trim()))
        {
            let what = "no release has the hash that was noted down: the ledger was replaced, cut short or made anew";
            answer.fault(None, what);
        }
        self.checked(answer, None, Self::check_places);
    }

    /// Runs a check; what cannot be read is a fault too.
    fn checked<T>(
        &self,
        answer: &mut Verification,
        release: Option<i64>,
        check: impl FnOnce(&Self, &mut Verification) -> rusqlite::Result<T>,
    ) -> Option<T> {
        match check(self, answer) {
            Ok(found) => Some(found),
            Err(error) => {
                answer.fault(release, format!("it cannot be read: {error}"));
                None
            }
        }
    }

    /// The file as a database, and its tables.
    fn check_file(&self, answer: &mut Verification) -> rusqlite::Result<()> {
        let mut select = self.connection.prepare("PRAGMA integrity_check(20)")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let line: String = row.get(0)?;
            if line != "ok" {
                answer.fault(None, format!("the file is damaged: {line}"));
            }
        }
        let mut select = self
            .connection
            .prepare("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let table: String = row.get(0)?;
            answer.fault(None, format!("`{table}` has rows that belong to nothing"));
        }
        for what in schema::deviations(&self.connection)? {
            answer.fault(None, what);
        }
        Ok(())
    }

    /// Every release; the hashes as they were recorded.
    pub(super) fn check_chain(
        &self,
        answer: &mut Verification,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> rusqlite::Result<Vec<Hash>> {
        let all: i64 = self
            .connection
            .query_row("SELECT count(*) FROM releases", [], |row| row.get(0))?;
        let mut select = self.connection.prepare(
            "SELECT number, time, scrim, policy, policy_sha256, rows, classes, newcomers, previous, hash \
             FROM releases ORDER BY number",
        )?;
        let rows = select.query_map([], |row| {
            let release = ReleaseRow::read(row)?;
            Ok((release, row.get::<_, Hash>(9)?))
        })?;
        let (mut previous, mut before, mut hashes) = (genesis(&self.connection)?, 0i64, Vec::new());
        for (expected, row) in (1i64..).zip(rows) {
            if !goes_on(expected.unsigned_abs() - 1, all.unsigned_abs()) {
                return Ok(hashes);
            }
            let (row, hash) = row?;
            if row.number != expected {
                answer.fault(Some(expected), "the release is missing");
                break;
            }
            if row.previous != previous {
                answer.fault(
                    Some(row.number),
                    "the chain breaks: it does not follow the release before it",
                );
            }
            if digest(&self.connection, &row, before)? != hash {
                answer.fault(
                    Some(row.number),
                    "the chain breaks: what is recorded is not what was",
                );
            }
            if sha256(row.policy.as_bytes()) != row.policy_sha256 {
                answer.fault(Some(row.number), "the policy's text has another hash");
            }
            self.checked(answer, Some(row.number), |ledger, answer| {
                ledger.check_counts(&row, answer)
            });
            before = before.saturating_add(row.newcomers);
            previous = hash;
            hashes.push(hash);
        }
        let (persons, last): (i64, i64) = self.connection.query_row(
            "SELECT count(*), coalesce(max(number), 0) FROM persons",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if (persons, last) != (before, before) {
            let what = format!(
                "there {} {}, but the releases brought {before}",
                verb(persons, "is", "are"),
                counted(persons, "person")
            );
            answer.fault(None, what);
        }
        answer.releases = hashes.len() as u64;
        answer.persons = persons.unsigned_abs();
        Ok(hashes)
    }

    /// Whether classes, histograms and members add up.
    fn check_counts(&self, row: &ReleaseRow, answer: &mut Verification) -> rusqlite::Result<()> {
        let count = |query: &str| -> rusqlite::Result<i64> {
            self.connection
                .query_row(query, [row.number], |row| row.get(0))
        };
        // Rows of persons by class: one a member, and further ones in a ledger that has any.
        let further = schema::has_further(&self.connection)?;
        let more = " UNION ALL SELECT class, rows FROM further WHERE release = ?1";
        let more = if further { more } else { "" };
        let members = format!("(SELECT class, 1 AS own FROM membership WHERE release = ?1{more})");
        let all_members = format!("SELECT coalesce(sum(own), 0) FROM {members}");
        let unlike_class = format!(
            "SELECT count(*) FROM classes c LEFT JOIN (SELECT class, sum(own) AS n FROM {members} GROUP BY class) m \
             ON m.class = c.number WHERE release = ?1 AND coalesce(n, 0) <> rows"
        );
        let sums = [
            (
                row.rows,
                "SELECT coalesce(sum(rows), 0) FROM classes WHERE release = ?1",
                "its classes have not as many rows as it says",
            ),
            (
                row.classes,
                "SELECT count(*) FROM classes WHERE release = ?1",
                "it has not as many classes as it says",
            ),
            (
                row.rows,
                &all_members,
                "its persons have not as many rows as it",
            ),
            (
                0,
                &unlike_class,
                "the persons of a class have not as many rows as it",
            ),
            (
                0,
                "SELECT count(*) FROM membership WHERE release = ?1 AND person NOT BETWEEN 1 AND \
                 (SELECT sum(newcomers) FROM releases WHERE number <= ?1)",
                "it has persons that are not known",
            ),
            (
                0,
                "SELECT count(*) FROM classes c CROSS JOIN columns k ON k.release = c.release LEFT JOIN \
                 (SELECT class, column, sum(count) AS n FROM histogram WHERE release = ?1 GROUP BY class, column) h \
                 ON h.class = c.number AND h.column = k.number WHERE c.release = ?1 AND coalesce(n, 0) <> rows",
                "a histogram does not add up to its class",
            ),
        ];
        for (expected, query, what) in sums {
            if count(query)? != expected {
                answer.fault(Some(row.number), what);
            }
        }
        if further && count(HOMELESS)? > 0 {
            let what = "it has further rows of persons without a first";
            answer.fault(Some(row.number), what);
        }
        Ok(())
    }

    /// Whether the files are where they should be.
    fn check_places(&self, answer: &mut Verification) -> rusqlite::Result<()> {
        let unfinished = self.unfinished()?;
        let mut select = self.connection.prepare(
            "SELECT files.release, path, sha256, coalesce(lost, 0) FROM files LEFT JOIN done ON done.release = files.release \
             ORDER BY files.release, position",
        )?;
        let rows = select.query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        // A later release in the same place has replaced the file.
        let mut last: BTreeMap<PathBuf, (i64, String)> = BTreeMap::new();
        for row in rows {
            let (release, path, sha256, given_up): (i64, String, String, bool) = row?;
            let path = self.folder.join(path);
            if given_up {
                last.remove(&path);
            } else {
                last.insert(path, (release, sha256));
            }
        }
        for release in &unfinished {
            let placing = super::place::Placing::read(&self.connection, &self.folder, *release)?;
            for (path, standing) in placing.standings() {
                last.remove(&path);
                if standing == Standing::Lost {
                    let what = format!("{} is neither in place nor waiting for it", path.display());
                    answer.fault(Some(*release), what);
                }
            }
            answer.remarks.push(format!(
                "release {release} is recorded, but not known to be in place: a publisher is at work, or was interrupted; \
                 `scrim ledger recover` or the next publication completes it"
            ));
        }
        for (path, (release, sha256)) in last {
            match files::sha256_file(&path) {
                Ok(found) if found == sha256 => {}
                Ok(_) => answer.fault(
                    Some(release),
                    format!("{} is not the file that was released", path.display()),
                ),
                Err(_) => answer.remarks.push(format!(
                    "release {release}: {} cannot be read there any more",
                    path.display()
                )),
            }
        }
        Ok(())
    }
}

impl Verification {
    fn fault(&mut self, release: Option<i64>, what: impl Into<String>) {
        self.faults.push(Fault {
            release: release.map(i64::unsigned_abs),
            what: what.into(),
        });
    }
}
