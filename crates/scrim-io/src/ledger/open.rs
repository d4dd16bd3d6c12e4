//! Opening a ledger, and making one on first use.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::chain::head;
use super::fault::point;
use super::key::Key;
use super::lock::Lock;
use super::{Ledger, beside, fault_of, schema};
use crate::error::IoError;
use crate::files;

/// How long to wait for a reader or writer of the file; a large entry takes seconds.
const BUSY: Duration = Duration::from_mins(1);

const LOST_KEY: &str = "put the key file back from a backup, or name it (`[ledger] key` of a policy, `--key`); without it \
the ledger cannot tell who was in earlier releases, and a new key would make strangers of them";

impl Ledger {
    /// Opens a ledger for publishing, making ledger and key where neither is there. Waits for another publisher at most
    /// `wait`, and tells so once by `say`. What a killed run left is settled: see [`Ledger::remarks`].
    pub fn open_or_create(
        path: &Path,
        key: &Path,
        wait: Duration,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, IoError> {
        let mut ledger = Self::open_locked(path, key, wait, say)?;
        ledger.settle(false)?;
        Ok(ledger)
    }

    /// The same without settling anything.
    pub(super) fn open_locked(
        path: &Path,
        key: &Path,
        wait: Duration,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, IoError> {
        let real = files::followed(path)?;
        if files::are_one(&real, key) {
            return Err(IoError::ledger(
                path,
                "the ledger and its key are one file",
                "name another file for the key (`[ledger] key` of a policy, `--key`)",
            ));
        }
        files::create_dir(&folder_of(&real))?;
        files::create_dir(&folder_of(key))?;
        let lock = Lock::take((path, &real), wait, say)?;
        if must_create(path, key)? {
            create(&real, key)?;
        }
        let mut ledger = Self::open(path, Some(key))?;
        let read_only = ledger.connection.is_readonly("main");
        if read_only.map_err(|error| ledger.fault(&error))? {
            return Err(IoError::ledger(
                path,
                "the ledger cannot be written",
                "check the permissions of the file and of its folder",
            ));
        }
        let writable = ledger.connection.pragma_update(None, "query_only", false);
        writable.map_err(|error| ledger.fault(&error))?;
        ledger.lock = Some(lock);
        ledger.head = head(&ledger.connection).map_err(|error| ledger.fault(&error))?;
        Ok(ledger)
    }

    /// Opens a ledger for reading. Without a key nobody can be looked up by identifier; with one, it must be the right
    /// one.
    pub fn open(path: &Path, key: Option<&Path>) -> Result<Self, IoError> {
        if !files::exists(path) {
            return Err(IoError::ledger(
                path,
                "there is no ledger here",
                "name it with `--ledger`; publishing under a policy with [ledger] makes one",
            ));
        }
        let mut remarks = Vec::new();
        let connection = connect(path)?;
        let key = match key {
            None => None,
            Some(file) => {
                let key = read_key(path, file)?;
                must_fit(&connection, path, file, &key)?;
                if files::open_to_others(file) {
                    remarks.push(format!(
                        "the key {} can be read by others: `chmod 600` it",
                        file.display()
                    ));
                }
                Some(key)
            }
        };
        let real = files::followed(path)?;
        let folder = folder_of(&real);
        Ok(Self {
            connection,
            path: path.to_owned(),
            real,
            head: (0, None),
            folder: files::canonical(&folder).unwrap_or(folder),
            key,
            lock: None,
            remarks,
        })
    }
}

/// Opened so that a journal that a killed writer left can be rolled back, but set to only read.
fn connect(path: &Path) -> Result<Connection, IoError> {
    let fault = |error: rusqlite::Error| fault_of(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(fault)?;
    connection.busy_timeout(BUSY).map_err(fault)?;
    configure(&connection).map_err(fault)?;
    schema::recognise(&connection, path)?;
    connection
        .pragma_update(None, "query_only", true)
        .map_err(fault)?;
    Ok(connection)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "recursive_triggers", true)?;
    // Nothing of the ledger goes to files elsewhere; pages, some 32 MB of them, stay in memory.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.pragma_update(None, "trusted_schema", false)
}

fn read_key(ledger: &Path, file: &Path) -> Result<Key, IoError> {
    if files::exists(file) {
        return Key::read(file);
    }
    let what = format!("the key of this ledger, {}, is not there", file.display());
    Err(IoError::ledger(ledger, what, LOST_KEY))
}

fn must_fit(connection: &Connection, path: &Path, file: &Path, key: &Key) -> Result<(), IoError> {
    let kept = schema::meta(connection, "check").map_err(|error| fault_of(path, &error))?;
    if kept == Some(key.check()) {
        return Ok(());
    }
    let what = format!("{} is not the key of this ledger", file.display());
    Err(IoError::ledger(path, what, LOST_KEY))
}

/// Whether this is the first use. The ledger is put in place before the key: so a key alone means that the ledger was
/// lost, and an empty ledger alone that the making was interrupted.
fn must_create(path: &Path, key: &Path) -> Result<bool, IoError> {
    match (files::exists(path), files::exists(key)) {
        (true, true) => Ok(false),
        (false, false) => Ok(true),
        (false, true) => Err(IoError::ledger(
            path,
            format!(
                "the ledger is not there, but its key is ({})",
                key.display()
            ),
            "put the ledger back from a backup: without it earlier releases would be forgotten; if there never were any, \
             remove the key file",
        )),
        (true, false) => {
            let connection = connect(path)?;
            let releases: rusqlite::Result<i64> =
                connection.query_row("SELECT count(*) FROM releases", [], |row| row.get(0));
            if releases.map_err(|error| fault_of(path, &error))? == 0 {
                return Ok(true);
            }
            read_key(path, key).map(|_| false)
        }
    }
}

/// Makes ledger and key aside and puts them in place, the ledger first.
fn create(path: &Path, key_path: &Path) -> Result<(), IoError> {
    let (new, new_key) = (beside(path, ".", ".new"), beside(key_path, ".", ".new"));
    for left in [&new, &beside(&new, "", "-journal"), &new_key] {
        files::remove(left)?;
    }
    let (id, key) = (Key::random()?, Key::random()?);
    files::write_private(&new_key, key.text().as_bytes())?;
    files::write_private(&new, b"")?;
    let made = Connection::open(&new).and_then(|connection| {
        configure(&connection)?;
        schema::create(&connection, &id.check(), &key.check())
    });
    if let Err(error) = made {
        drop(files::remove(&new));
        drop(files::remove(&new_key));
        return Err(fault_of(path, &error));
    }
    point("ledger-staged");
    files::rename(&new, path)?;
    files::sync(&folder_of(path))?;
    point("ledger-placed");
    files::rename(&new_key, key_path)?;
    files::sync(&folder_of(key_path))?;
    point("key-placed");
    Ok(())
}

/// The folder of a file.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
