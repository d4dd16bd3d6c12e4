//! The ledger: what was released, when, under which policy, in which classes, and which persons were in them.
//!
//! **Definition.** [Wong09] holds over all releases together, so somebody must remember them. For each release the
//! ledger keeps the classes with the histogram of each sensitive column as published, and for each person the classes that its
//! rows were in. The promise of the next release is made of that ([`Ledger::history`]).
//!
//! **Reading.** One `SQLite` file, only ever added to: triggers refuse to change or remove a row. Persons are there as
//! HMAC-SHA-256 under a key in a file of its own (`key`); sensitive values as they were published. A chain of hashes
//! runs through the releases (`chain`), and is checked before every publication (`sound`). One publisher at a time holds
//! the lock (`lock`). Should that fail (somebody removed the lock file), the transaction that writes an entry sees that the
//! last release is not the one that was the last when the history was read, and is rolled back.
//!
//! # Files and entry, together or not at all
//!
//! No file system renames several files at once, and none does it together with a database. So the entry itself says
//! what is to be renamed:
//!
//! 1. The lock is taken. What a killed run left behind is settled first ([`Ledger::open_or_create`]).
//! 2. The files are written whole into a hidden folder beside their final place, and synced with their folders.
//! 3. One transaction writes the entry, with each file's hidden folder, final path and hash. Its commit is the moment
//!    of publication.
//! 4. The last file (the manifest, which vouches for the others) loses its old version; the files are renamed in order,
//!    the last one last; their folder is synced.
//! 5. A row in `done` says that all is in place; the hidden folder goes.
//!
//! **Holds because** of where a crash can fall. Before the commit of 3 there is no entry (`SQLite` rolls back by its
//! journal) and no file at its place, only a hidden folder, which the next run sweeps. After it there is an entry without
//! `done`, and each of its files is either still in the hidden folder or already at its place, whole, since it was synced
//! before the commit; the next run renames what is left and writes `done`. A crash during that finds the same situation
//! again. The rollback journal is removed at commit with `synchronous = EXTRA`, which is `FULL` and also syncs the folder:
//! otherwise a power cut could bring the journal back, and with it roll back an entry whose files are already in place.
//! Not WAL: its committed entries may live in a second file, which is lost when somebody copies the first.
//!
//! A file that is neither staged nor in place (somebody removed it) is told, never guessed around; the entry stays and
//! counts, since nobody can know who has seen the file.
//!
//! **Does not protect against** one who may write the file: he can compute the chain anew. Who writes down the last hash
//! (`scrim ledger verify` prints it, `--head` compares it) recognises that.
//!
//! **Cost.** Appending and the history of a table are linear in persons, classes and their earlier memberships; memory is
//! some 60 bytes a person and what [`scrim::release::History`] holds.
//! **Oracle.** `tests/ledger_kills/`: a model of the ledger in memory, and processes killed at every point.

mod append;
mod budget;
mod chain;
mod check;
mod entry;
mod export;
pub mod fault;
mod further;
mod history;
mod key;
mod lasting;
mod lock;
mod open;
mod persons;
mod place;
mod recover;
mod schema;
mod sound;
#[cfg(test)]
mod tests;
mod time;
mod verify;
mod view;

pub use append::{Pending, Recorded};
pub use budget::{Fraction, Terms};
pub use check::{Check, Retirement, ValueCheck};
pub use entry::{Entry, EntryClass, Promise};
pub use lasting::{LastingBelief, LastingCheck};
pub use persons::{Left, PersonReport, Persons, Which};
pub use verify::{Fault, Verification};
pub use view::{ColumnSummary, FileRecord, Overview, ReleaseRecord, ReleaseView, ValueSummary};

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};

use crate::error::IoError;
use chain::Head;
use key::Key;
use lock::Lock;

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    connection: Connection,
    path: PathBuf,
    /// The file itself, where the path is a link to it: lock, journal and recorded paths are beside it.
    real: PathBuf,
    /// The last release that was there when the ledger was opened for publishing, and its hash.
    head: Head,
    /// The one absolute path of the folder that it stands in; recorded paths start from there.
    folder: PathBuf,
    key: Option<Key>,
    /// Held by a publisher; a reader has none.
    lock: Option<Lock>,
    remarks: Vec<String>,
}

impl Ledger {
    /// Where it stands.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the user should be told: an interrupted run that was completed, a key that others can read.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn fault(&self, error: &rusqlite::Error) -> IoError {
        fault_of(&self.path, error)
    }

    fn key(&self) -> Result<&Key, IoError> {
        self.key.as_ref().ok_or_else(|| {
            IoError::ledger(
                &self.path,
                "persons cannot be looked up without the ledger's key",
                "name the key file with `--key`",
            )
        })
    }
}

/// The default place of a ledger's key: the ledger's own with the extension `key`.
#[must_use]
pub fn default_key(ledger: &Path) -> PathBuf {
    ledger.with_extension("key")
}

/// A file beside another, named after it.
fn beside(path: &Path, before: &str, after: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{before}{name}{after}"))
}

/// What `SQLite` said, in our words where it is a common cause. Its own words name tables and columns, never a value.
fn fault_of(path: &Path, error: &rusqlite::Error) -> IoError {
    let (what, hint) = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => (
            "the ledger cannot grow: the disk is full".to_owned(),
            "free some space and run again: nothing was recorded",
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => (
            "the ledger cannot be written".to_owned(),
            "check the permissions of the file and of its folder",
        ),
        Some(ErrorCode::CannotOpen) => (
            "the ledger cannot be opened".to_owned(),
            "check the path and the permissions of the file and of its folder",
        ),
        Some(ErrorCode::NotADatabase) => (
            "this is no ledger of Scrim".to_owned(),
            "name the file that `[ledger] path` of the policy names",
        ),
        Some(ErrorCode::DatabaseCorrupt) => (
            "the ledger is damaged".to_owned(),
            "see `scrim ledger verify`; put a backup back",
        ),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            "another program is using the ledger".to_owned(),
            "wait until it has ended and run again",
        ),
        Some(ErrorCode::SystemIoFailure) => (
            format!("the ledger could not be read or written ({error})"),
            "check the disk and how much space is left on it",
        ),
        _ => (format!("the ledger failed: {error}"), ""),
    };
    IoError::ledger(path, what, hint)
}
