//! A publisher of made-up releases, and how it is run as a process of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use scrim_io::ledger::{Entry, EntryClass, Ledger, Promise};
use scrim_io::{IoError, Staging, files};
use tempfile::TempDir;

pub(crate) const FOLDER: &str = "SCRIM_TEST_LEDGER_FOLDER";
pub(crate) const COUNT: &str = "SCRIM_TEST_LEDGER_COUNT";
pub(crate) const ROWS: &str = "SCRIM_TEST_LEDGER_ROWS";

/// Odd releases have a place of their own, even ones replace each other.
pub(crate) fn place(folder: &Path, release: usize) -> PathBuf {
    if release % 2 == 1 {
        folder.join(format!("release-{release}"))
    } else {
        folder.join("release")
    }
}

pub(crate) fn publish(folder: &Path, rows: usize) -> Result<(), IoError> {
    let (path, key) = (folder.join("ledger.sqlite"), folder.join("ledger.key"));
    let mut ledger = Ledger::open_or_create(&path, &key, Duration::from_secs(30), &mut |_| {})?;
    let release = ledger.overview()?.releases.len() + 1;
    let dir = place(folder, release);
    ledger.sweep(&dir);
    let staging = Staging::new(&dir)?;
    let text = format!("release {release}\n").repeat(rows);
    files::write_bytes(&staging.path("release.csv"), text.as_bytes())?;
    files::write_bytes(
        &staging.path("manifest.json"),
        format!("{release}").as_bytes(),
    )?;
    // Every third release promises nothing and has persons with three rows: the first of them changes the ledger's tables.
    let several = release % 3 == 2;
    let own = if several { 3 } else { 1 };
    let persons: Vec<String> = (0..rows)
        .map(|row| format!("person {}", row / own + release))
        .collect();
    let classes = rows.div_ceil(2);
    let class = |class: usize| {
        let rows = if 2 * class + 1 < rows { 2 } else { 1 };
        let value = format!("value {}", class % 3);
        EntryClass {
            rows,
            histograms: vec![BTreeMap::from([(value, rows)])],
        }
    };
    let promise = Promise {
        column: "disease".to_owned(),
        l: "2".to_owned(),
        values: vec!["value 0".to_owned()],
    };
    let entry = Entry {
        time: UNIX_EPOCH,
        policy: "policy",
        columns: vec!["disease".to_owned()],
        promises: if several { Vec::new() } else { vec![promise] },
        classes: (0..classes).map(class).collect(),
        persons: persons
            .iter()
            .zip(0u32..)
            .map(|(person, row)| (person.as_str(), row / 2))
            .collect(),
    };
    let pending = ledger.append(&entry, staging, &["release.csv", "manifest.json"], &[])?;
    let recorded = pending.commit()?;
    let mut acknowledged = fs::File::options()
        .create(true)
        .append(true)
        .open(folder.join("acknowledged"))
        .unwrap();
    writeln!(acknowledged, "{}", recorded.release).unwrap();
    Ok(())
}

/// In memory where there is such a place: a kill leaves there what it leaves on a disk.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

pub(crate) fn command(folder: &Path, releases: usize, rows: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "publisher", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(COUNT, releases.to_string())
        .env(ROWS, rows.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}
