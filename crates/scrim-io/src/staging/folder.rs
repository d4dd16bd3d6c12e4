//! One publisher at a time in a folder: a lock that goes with the process that holds it.
//!
//! **Reading.** The lock is on the folder itself, so that every path to it, by links too, meets the same lock, and there
//! is no lock file that somebody could remove. Where a system cannot lock folders, it is on a file in the folder.
//! It is held while files are moved, not while a release is searched for or written aside.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{HIDDEN, Journal, OWNER, Staging, hidden_folders};
use crate::error::IoError;
use crate::files;

/// How long a publisher waits for another one.
pub const WAIT: Duration = Duration::from_secs(30);
const STEP: Duration = Duration::from_millis(25);

/// The right to move files in a folder, as long as it lives.
#[derive(Debug)]
pub struct FolderLock {
    dir: PathBuf,
    _file: File,
}

/// Hears that somebody is waited for, once, and is asked at every step whether to go on waiting.
pub type Waiting<'a> = &'a mut dyn FnMut(Option<&str>) -> Result<(), scrim::Error>;

impl FolderLock {
    /// Takes the lock of a folder that is there, waiting for whoever has it at most so long.
    pub fn take(dir: &Path, wait: Duration, waiting: Waiting<'_>) -> Result<Self, IoError> {
        let dir = if dir.as_os_str().is_empty() {
            Path::new(".")
        } else {
            dir
        };
        let canonical = files::canonical(dir).unwrap_or_else(|| dir.to_owned());
        let (file, locked) = files::open_folder_lock(dir, &format!("{HIDDEN}lock"))?;
        if !locked {
            wait_for(&file, (dir, "folder"), wait, waiting)?;
        }
        Ok(Self {
            dir: canonical,
            _file: file,
        })
    }

    /// Whether the lock is that of the folder that is written to.
    pub(super) fn must_be_of(&self, dir: &Path) -> Result<(), IoError> {
        if files::canonical(dir).as_deref() == Some(&*self.dir) {
            return Ok(());
        }
        Err(IoError::folder(
            dir,
            "this is another folder than the one that was locked",
            "somebody moved or replaced it meanwhile: run again; nothing was published",
        ))
    }

    /// Settles what killed publishers left in the folder: what had begun to appear is completed or taken back, what had
    /// not is removed. Says what was done. Files that a ledger has to put in place stay.
    pub fn settle(&self) -> Result<Vec<String>, IoError> {
        let mut remarks = Vec::new();
        for hidden in hidden_folders(&self.dir) {
            let Ok(Some(_dead)) = files::lock_folder(&hidden) else {
                continue;
            };
            if Journal::is_in(&hidden) {
                let done = Journal::settle(&self.dir, &hidden)?;
                files::discard(&hidden);
                remarks.push(format!(
                    "an earlier publication into {} was interrupted: it was {done} now",
                    self.dir.display()
                ));
            }
        }
        let swept = Staging::sweep(&self.dir, &is_of_a_ledger);
        if swept > 0 {
            let noun = if swept == 1 { "folder" } else { "folders" };
            remarks.push(format!(
                "an earlier run was interrupted before it published anything: {swept} unfinished {noun} removed from {}",
                self.dir.display()
            ));
        }
        Ok(remarks)
    }

    /// Refuses a folder in which files wait that a ledger has recorded and a killed publisher has not put in place: they
    /// would be put among those of another release.
    pub fn must_be_free(&self) -> Result<(), IoError> {
        let waiting = |hidden: &PathBuf| {
            is_of_a_ledger(hidden) && matches!(files::lock_folder(hidden), Ok(Some(_)))
        };
        match hidden_folders(&self.dir).into_iter().find(waiting) {
            None => Ok(()),
            Some(hidden) => Err(IoError::folder(
                &hidden,
                "an interrupted publication that belongs to a ledger waits here",
                "complete it first, by `scrim ledger recover` or by publishing under the policy that names the ledger; if \
                 that ledger is gone, remove this folder",
            )),
        }
    }
}

/// Whether a ledger may have recorded what is in a hidden folder.
fn is_of_a_ledger(hidden: &Path) -> bool {
    files::length(&hidden.join(OWNER)).is_some_and(|length| length > 0)
}

/// Waits for the lock of a file that belongs to something, a ledger or a folder.
pub(crate) fn wait_for(
    file: &File,
    (path, of): (&Path, &str),
    wait: Duration,
    waiting: Waiting<'_>,
) -> Result<(), IoError> {
    let start = Instant::now();
    let mut announced = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(source)) => return Err(IoError::file(path, source)),
            Err(TryLockError::WouldBlock) => {}
        }
        if start.elapsed() >= wait {
            return Err(IoError::folder(
                path,
                format!("another publisher is at work on this {of}"),
                "wait until it has ended and run again: nothing was written",
            ));
        }
        let words = format!(
            "another publisher is at work on {}; waiting for it at most {} s",
            path.display(),
            wait.as_secs()
        );
        waiting((!announced).then_some(&*words))?;
        announced = true;
        sleep(STEP.min(wait));
    }
}
