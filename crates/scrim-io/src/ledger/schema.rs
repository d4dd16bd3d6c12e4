//! The tables of a ledger, and what keeps them append-only.
//!
//! **Reading.** Every key begins with the release, so that a new release is written at the end of each table and one
//! release is read in one sweep. Persons are numbered in the order of their hashes within the release that first has
//! them: a number tells nothing of the order of the table.
//! Releases are written last, so foreign keys are deferred; then `SQLite` looks for waiting children at every parent that
//! is added. By the keys above that is a look-up; from persons to memberships it would be a scan a person, so that there
//! [`super::verify`] looks instead.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::fault_of;
use super::key::Hash;
use crate::error::IoError;

/// The version of the tables that every ledger has.
const VERSION: i64 = 1;
/// The version of a ledger that has [`FURTHER`] too.
const WITH_FURTHER: i64 = 2;
/// Marks the file as a ledger of ours: "Scrm".
const APPLICATION: i64 = 0x5363_726d;

const TABLES: [(&str, &str); 12] = [
    ("meta", "name TEXT PRIMARY KEY, value BLOB NOT NULL"),
    (
        "releases",
        "number INTEGER PRIMARY KEY, time TEXT NOT NULL, scrim TEXT NOT NULL, policy TEXT NOT NULL, \
         policy_sha256 TEXT NOT NULL, rows INTEGER NOT NULL, classes INTEGER NOT NULL, newcomers INTEGER NOT NULL, \
         previous BLOB NOT NULL, hash BLOB NOT NULL",
    ),
    (
        "files",
        "release INTEGER NOT NULL REFERENCES releases DEFERRABLE INITIALLY DEFERRED, position INTEGER NOT NULL, \
         path TEXT NOT NULL, staged TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (release, position)",
    ),
    (
        "outdated",
        "release INTEGER NOT NULL REFERENCES releases DEFERRABLE INITIALLY DEFERRED, path TEXT NOT NULL, \
         PRIMARY KEY (release, path)",
    ),
    (
        "done",
        "release INTEGER PRIMARY KEY REFERENCES releases DEFERRABLE INITIALLY DEFERRED, time TEXT NOT NULL, \
         lost INTEGER NOT NULL",
    ),
    (
        "columns",
        "release INTEGER NOT NULL REFERENCES releases DEFERRABLE INITIALLY DEFERRED, number INTEGER NOT NULL, \
         name TEXT NOT NULL, PRIMARY KEY (release, number)",
    ),
    (
        "promises",
        "release INTEGER NOT NULL, column INTEGER NOT NULL, l TEXT NOT NULL, PRIMARY KEY (release, column), \
         FOREIGN KEY (release, column) REFERENCES columns DEFERRABLE INITIALLY DEFERRED",
    ),
    (
        "protected",
        "release INTEGER NOT NULL, column INTEGER NOT NULL, value TEXT NOT NULL, \
         PRIMARY KEY (release, column, value), \
         FOREIGN KEY (release, column) REFERENCES promises DEFERRABLE INITIALLY DEFERRED",
    ),
    (
        "classes",
        "release INTEGER NOT NULL REFERENCES releases DEFERRABLE INITIALLY DEFERRED, number INTEGER NOT NULL, \
         rows INTEGER NOT NULL, PRIMARY KEY (release, number)",
    ),
    (
        "histogram",
        "release INTEGER NOT NULL, class INTEGER NOT NULL, column INTEGER NOT NULL, value TEXT NOT NULL, \
         count INTEGER NOT NULL, PRIMARY KEY (release, class, column, value), \
         FOREIGN KEY (release, class) REFERENCES classes DEFERRABLE INITIALLY DEFERRED",
    ),
    (
        "persons",
        "number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE",
    ),
    (
        "membership",
        "release INTEGER NOT NULL, person INTEGER NOT NULL, class INTEGER NOT NULL, PRIMARY KEY (release, person), \
         FOREIGN KEY (release, class) REFERENCES classes DEFERRABLE INITIALLY DEFERRED",
    ),
];

/// More rows of a person in a release: see [`super::further`].
const FURTHER: (&str, &str) = (
    "further",
    "release INTEGER NOT NULL, person INTEGER NOT NULL, class INTEGER NOT NULL, rows INTEGER NOT NULL, \
     PRIMARY KEY (release, person, class), \
     FOREIGN KEY (release, class) REFERENCES classes DEFERRABLE INITIALLY DEFERRED",
);

/// Tables with a whole number for a key are kept as they are; the others are stored by their key alone.
fn statements(tables: &[(&str, &str)]) -> String {
    let mut sql = String::new();
    for (table, columns) in tables {
        let own_key = matches!(*table, "releases" | "done" | "persons");
        let kind = if own_key {
            "STRICT"
        } else {
            "STRICT, WITHOUT ROWID"
        };
        sql.push_str(&format!("CREATE TABLE {table} ({columns}) {kind};\n"));
        for (verb, what) in [("UPDATE", "changed"), ("DELETE", "removed")] {
            sql.push_str(&format!(
                "CREATE TRIGGER {table}_never_{what} BEFORE {verb} ON {table} \
                 BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;\n"
            ));
        }
    }
    sql
}

/// Makes the tables of a new ledger, all at once.
pub(super) fn create(connection: &Connection, id: &Hash, check: &Hash) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN;\nPRAGMA application_id = {APPLICATION};\nPRAGMA user_version = {VERSION};\n{}",
        statements(&TABLES)
    ))?;
    let mut insert = connection.prepare("INSERT INTO meta VALUES (?1, ?2)")?;
    insert.execute(params!["id", id])?;
    insert.execute(params!["check", check])?;
    connection.execute_batch("COMMIT")
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Whether persons may have several rows in a release of this ledger.
pub(super) fn has_further(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(version(connection)? >= WITH_FURTHER)
}

/// Lets persons have several rows from the release on that is being written: with its entry or not at all.
pub(super) fn add_further(connection: &Connection) -> rusqlite::Result<()> {
    if has_further(connection)? {
        return Ok(());
    }
    let tables = statements(&[FURTHER]);
    connection.execute_batch(&format!("{tables}PRAGMA user_version = {WITH_FURTHER};"))
}

/// What a ledger keeps about itself.
pub(super) fn meta(connection: &Connection, name: &str) -> rusqlite::Result<Option<Hash>> {
    connection
        .query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| {
            row.get(0)
        })
        .optional()
}

/// Refuses a file that is no ledger, or one of a version that is not known.
pub(super) fn recognise(connection: &Connection, path: &Path) -> Result<(), IoError> {
    let pragma = |name: &str| -> Result<i64, IoError> {
        connection
            .query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
            .map_err(|error| fault_of(path, &error))
    };
    if pragma("application_id")? != APPLICATION {
        return Err(IoError::ledger(
            path,
            "this is no ledger of Scrim",
            "name the file that `[ledger] path` of the policy names",
        ));
    }
    let version = pragma("user_version")?;
    if !(VERSION..=WITH_FURTHER).contains(&version) {
        return Err(IoError::ledger(
            path,
            format!(
                "this ledger has version {version}; this Scrim knows versions {VERSION} to {WITH_FURTHER}"
            ),
            "use the Scrim that wrote it, or a newer one",
        ));
    }
    Ok(())
}

/// How the tables and triggers differ from what they must be.
pub(super) fn deviations(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let expected = Connection::open_in_memory()?;
    expected.execute_batch(&statements(&TABLES))?;
    if has_further(connection)? {
        expected.execute_batch(&statements(&[FURTHER]))?;
    }
    let (here, there) = (objects(connection)?, objects(&expected)?);
    let missing = there.iter().filter(|object| !here.contains(object));
    let strange = here.iter().filter(|object| !there.contains(object));
    let mut lost: Vec<(&str, &str)> = missing
        .map(|(kind, name, _)| (kind.as_str(), name.as_str()))
        .collect();
    lost.sort_unstable();
    // Many of a kind are told as one, so that what else is wrong is seen.
    let lines = lost.chunk_by(|left, right| left.0 == right.0);
    let lines = lines.flat_map(|of_kind| match of_kind {
        [(kind, name), _, _, _, ..] => vec![format!(
            "{} {kind}s are gone or changed, such as `{name}`",
            of_kind.len()
        )],
        few => few
            .iter()
            .map(|(kind, name)| format!("the {kind} `{name}` is gone or changed"))
            .collect(),
    });
    Ok(lines
        .chain(strange.map(|(kind, name, _)| format!("there is a strange {kind} `{name}`")))
        .collect())
}

fn objects(connection: &Connection) -> rusqlite::Result<Vec<(String, String, String)>> {
    let mut select = connection
        .prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY name")?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}
