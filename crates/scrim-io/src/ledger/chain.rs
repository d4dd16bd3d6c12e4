//! The chain of hashes through the releases.
//!
//! **Definition.** The hash of a release is SHA-256 over everything that is recorded of it (policy, files, columns,
//! promises, classes, histograms, newcomers with their keyed hashes, memberships, and further rows of persons where there are
//! any, all in the order of their keys) and the hash of the release before it. The first follows the hash of the ledger's own number and its key's check value.
//!
//! **Reading.** Every text stands after its length, every row after a mark, every table after its name, so that no two
//! contents have the same bytes. `done` is no part: it comes after the entry.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use sha2::{Digest, Sha256};

use super::key::Hash;
use super::schema;

/// The row of a release.
#[derive(Clone, Debug)]
pub(super) struct ReleaseRow {
    pub(super) number: i64,
    pub(super) time: String,
    pub(super) scrim: String,
    pub(super) policy: String,
    pub(super) policy_sha256: String,
    pub(super) rows: i64,
    pub(super) classes: i64,
    pub(super) newcomers: i64,
    pub(super) previous: Hash,
}

impl ReleaseRow {
    /// A row of `releases`, its columns in the order of the table.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            time: row.get(1)?,
            scrim: row.get(2)?,
            policy: row.get(3)?,
            policy_sha256: row.get(4)?,
            rows: row.get(5)?,
            classes: row.get(6)?,
            newcomers: row.get(7)?,
            previous: row.get(8)?,
        })
    }
}

/// What is recorded of a release beside its row: by release, but newcomers by their numbers.
const TABLES: [(&str, &str); 7] = [
    (
        "files",
        "SELECT position, path, staged, sha256 FROM files WHERE release = ?1 ORDER BY position",
    ),
    (
        "outdated",
        "SELECT path FROM outdated WHERE release = ?1 ORDER BY path",
    ),
    (
        "columns",
        "SELECT number, name FROM columns WHERE release = ?1 ORDER BY number",
    ),
    (
        "promises",
        "SELECT column, l FROM promises WHERE release = ?1 ORDER BY column",
    ),
    (
        "protected",
        "SELECT column, value FROM protected WHERE release = ?1 ORDER BY column, value",
    ),
    (
        "classes",
        "SELECT number, rows FROM classes WHERE release = ?1 ORDER BY number",
    ),
    (
        "histogram",
        "SELECT class, column, value, count FROM histogram WHERE release = ?1 ORDER BY class, column, value",
    ),
];
const NEWCOMERS: &str =
    "SELECT number, hash FROM persons WHERE number > ?1 AND number <= ?2 ORDER BY number";
const MEMBERSHIP: &str = "SELECT person, class FROM membership WHERE release = ?1 ORDER BY person";
const FURTHER: &str =
    "SELECT person, class, rows FROM further WHERE release = ?1 ORDER BY person, class";

/// The hash of a release, read from its tables. `before` is the number of persons of earlier releases.
pub(super) fn digest(
    connection: &Connection,
    row: &ReleaseRow,
    before: i64,
) -> rusqlite::Result<Hash> {
    let mut canon = Canon(Sha256::new());
    canon.text(b"scrim ledger release 1");
    canon.text(&row.previous);
    for text in [&row.time, &row.scrim, &row.policy, &row.policy_sha256] {
        canon.text(text.as_bytes());
    }
    for number in [row.number, row.rows, row.classes, row.newcomers] {
        canon.number(number);
    }
    for (name, query) in TABLES {
        canon.table(connection, name, query, [row.number])?;
    }
    let last = before.saturating_add(row.newcomers);
    canon.table(connection, "persons", NEWCOMERS, [before, last])?;
    canon.table(connection, "membership", MEMBERSHIP, [row.number])?;
    // A release without further rows has the hash that it would have in a ledger that knows of none.
    if schema::has_further(connection)? && has_further_rows(connection, row.number)? {
        canon.table(connection, "further", FURTHER, [row.number])?;
    }
    Ok(canon.0.finalize().into())
}

fn has_further_rows(connection: &Connection, release: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM further WHERE release = ?1)";
    connection.query_row(query, [release], |row| row.get(0))
}

/// The last release and its hash; number 0 and none where there is no release.
pub(super) type Head = (i64, Option<Hash>);

pub(super) fn head(connection: &Connection) -> rusqlite::Result<Head> {
    let query = "SELECT number, hash FROM releases ORDER BY number DESC LIMIT 1";
    let last = connection.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?)));
    last.optional()
        .map(|last| last.map_or((0, None), |(number, hash)| (number, Some(hash))))
}

/// What the first release follows.
pub(super) fn genesis(connection: &Connection) -> rusqlite::Result<Hash> {
    let mut canon = Canon(Sha256::new());
    canon.text(b"scrim ledger 1");
    for name in ["id", "check"] {
        canon.text(&schema::meta(connection, name)?.unwrap_or_default());
    }
    Ok(canon.0.finalize().into())
}

struct Canon(Sha256);

impl Canon {
    fn number(&mut self, number: i64) {
        self.0.update(number.to_le_bytes());
    }

    fn text(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn table(
        &mut self,
        connection: &Connection,
        name: &str,
        query: &str,
        params: impl Params,
    ) -> rusqlite::Result<()> {
        self.text(name.as_bytes());
        let mut select = connection.prepare(query)?;
        let width = select.column_count();
        let mut rows = select.query(params)?;
        while let Some(row) = rows.next()? {
            self.0.update([1]);
            for at in 0..width {
                match row.get_ref(at)? {
                    ValueRef::Integer(number) => self.number(number),
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => self.text(bytes),
                    // The tables are strict and have no such values; a forged one must still change the hash.
                    ValueRef::Null => self.0.update([2]),
                    ValueRef::Real(number) => self.text(&number.to_le_bytes()),
                }
            }
        }
        self.0.update([0]);
        Ok(())
    }
}
