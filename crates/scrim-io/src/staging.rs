//! Files that appear together, whole, or not at all.
//!
//! They are written into a hidden folder inside the target folder (so that a rename never crosses a file system), and
//! moved to their names by [`Staging::commit`]. Whatever ends the work before that removes the hidden folder. A killed
//! process cannot; but its folder is locked only while it lives, and [`FolderLock::settle`] removes those that are not.
//! The hidden folder and its files are open to their owner only, until the files appear.
//!
//! **Reading.** No file system renames several files at once. So a journal in the hidden folder says what is to be
//! renamed (`journal`): from the moment it is on the disk the files are published, and whoever next publishes into the
//! folder completes what a killed process began. Between the renames the manifest vouches for the others: an old one
//! goes first, the new one comes last, and where there is a manifest, the files it lists are those it was made with.
//! One publisher at a time moves files ([`FolderLock`]). A release with a ledger has its journal there
//! ([`crate::ledger`]).

mod folder;
mod journal;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use folder::wait_for;
pub use folder::{FolderLock, WAIT, Waiting};

use crate::error::IoError;
use crate::files;
use crate::ledger::fault::point;
use journal::Journal;

pub(crate) const HIDDEN: &str = ".scrim-";

/// The file in a hidden folder that says which ledger it belongs to.
pub(crate) const OWNER: &str = ".ledger";

/// A hidden folder for files that are not published yet.
#[derive(Debug)]
pub struct Staging {
    dir: PathBuf,
    hidden: PathBuf,
    /// The folders that were made for the target, outermost first; removed again when nothing is committed.
    created: Vec<PathBuf>,
    /// Says that somebody lives who will use the hidden folder; goes with the process.
    alive: Option<File>,
}

/// Files that are published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Where they are.
    pub files: Vec<PathBuf>,
    /// What the user should know, although they are published.
    pub remarks: Vec<String>,
}

impl Staging {
    /// A hidden folder inside `dir`, which is created if need be.
    pub fn new(dir: &Path) -> Result<Self, IoError> {
        let dir = if dir.as_os_str().is_empty() {
            Path::new(".")
        } else {
            dir
        };
        let mut created: Vec<PathBuf> = dir
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !files::exists(folder))
            .map(Path::to_owned)
            .collect();
        created.reverse();
        // From here on a failure drops the staging, which removes what was made.
        let mut staging = Self {
            dir: dir.to_owned(),
            hidden: PathBuf::new(),
            created,
            alive: None,
        };
        files::create_dir(dir)?;
        (staging.hidden, staging.alive) = new_hidden(dir)?;
        Ok(staging)
    }

    /// Removes the hidden folders that killed processes left in a folder, and says how many there were. One that
    /// somebody living has locked stays, and so does one that `keep` speaks for or that has a journal.
    pub(crate) fn sweep(dir: &Path, keep: &dyn Fn(&Path) -> bool) -> usize {
        let mut swept = 0;
        for folder in hidden_folders(dir) {
            // The lock is held until the folder is gone, so that nobody takes it into use meanwhile.
            if !keep(&folder)
                && let Ok(Some(_lock)) = files::lock_folder(&folder)
                && !Journal::is_in(&folder)
            {
                files::discard(&folder);
                swept += usize::from(!files::exists(&folder));
            }
        }
        swept
    }

    /// Where to write the file that will have this name.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.hidden.join(name)
    }

    /// The same, with an empty file there that only its owner may read.
    pub fn private(&self, name: &str) -> Result<PathBuf, IoError> {
        let path = self.path(name);
        files::write_private(&path, b"")?;
        Ok(path)
    }

    /// Writes a file that only its owner may read until it appears.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), IoError> {
        files::write_private(&self.path(name), bytes)
    }

    /// The folder that the files will appear in.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The hidden folder's name.
    pub(crate) fn hidden_name(&self) -> Option<&str> {
        self.hidden.file_name()?.to_str()
    }

    /// Gives these staged files the rights that any new file has here, and waits until they, and the folders that lead to
    /// them, are on the disk.
    pub(crate) fn sync(&self, names: &[&str]) -> Result<(), IoError> {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        files::open_as_usual(&self.path(".rights"), &paths)?;
        for path in &paths {
            files::sync(path)?;
        }
        files::sync(&self.hidden)?;
        files::sync(&self.dir)?;
        for parent in self.created.iter().filter_map(|folder| folder.parent()) {
            let somewhere = !parent.as_os_str().is_empty();
            files::sync(if somewhere { parent } else { Path::new(".") })?;
        }
        Ok(())
    }

    /// Leaves the hidden folder where it is: from now on somebody else answers for it.
    pub(crate) fn leave(&mut self) {
        self.hidden = PathBuf::new();
        self.created.clear();
        drop(mem::take(&mut self.alive));
    }

    /// Moves these files to their names, in this order; the last is the manifest of the others. `outdated` files beside
    /// them go. Other staged files are removed. When it fails, the folder is as it was; where even that cannot be had, the
    /// error says so and the next publisher into the folder restores it.
    pub fn commit(
        mut self,
        lock: &FolderLock,
        names: &[&str],
        outdated: &[&str],
    ) -> Result<Committed, IoError> {
        lock.must_be_of(&self.dir)?;
        for name in names.iter().chain(outdated) {
            refuse_folder(&self.dir.join(name))?;
        }
        self.sync(names)?;
        let journal = Journal::write(&self.dir, &self.hidden, names, outdated)?;
        point("journal-written");
        if let Err(error) = journal.forward() {
            return Err(self.undo(&journal, &error));
        }
        self.created.clear();
        let mut remarks = Vec::new();
        // The files are in place and stay there; the journal stays too where they may not last.
        match files::sync(&self.dir) {
            Ok(()) => journal.close(),
            Err(error) => {
                remarks.push(format!(
                    "the files are published, but the system could not confirm that they are on the disk: {error}"
                ));
                self.leave();
            }
        }
        point("journal-closed");
        Ok(Committed {
            files: names.iter().map(|name| self.dir.join(name)).collect(),
            remarks,
        })
    }

    /// The same where nothing is outdated, waiting silently for whoever has the folder locked.
    pub(crate) fn commit_waiting(self, names: &[&str]) -> Result<Committed, IoError> {
        let lock = FolderLock::take(&self.dir, WAIT, &mut |_| Ok(()))?;
        self.commit(&lock, names, &[])
    }

    /// Puts the old files back, and says what happened.
    fn undo(&mut self, journal: &Journal, error: &IoError) -> IoError {
        match journal.turn_back().and_then(Journal::back) {
            Ok(()) => {
                journal.close();
                IoError::folder(
                    &self.dir,
                    format!("the new files could not be put in place: {error}"),
                    "nothing was published, and the files that were here are back",
                )
            }
            Err(again) => {
                let hidden = self.hidden.display().to_string();
                self.leave();
                IoError::folder(
                    &self.dir,
                    format!(
                        "the new files could not all be put in place ({error}), nor the old ones back ({again})"
                    ),
                    &format!(
                        "nothing is lost: both are in this folder or in {hidden}; remove the cause, and the next \
                         publication into this folder tidies up first"
                    ),
                )
            }
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Nobody is left to tell a failure to; what stays is hidden and bears no release's name.
        if !self.hidden.as_os_str().is_empty() {
            files::discard(&self.hidden);
        }
        for folder in self.created.iter().rev() {
            files::discard_empty(folder);
        }
    }
}

/// The hidden folders in a folder.
fn hidden_folders(dir: &Path) -> Vec<PathBuf> {
    let hidden = |folder: &PathBuf| {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(HIDDEN))
    };
    let mut folders: Vec<PathBuf> = files::folders(dir).into_iter().filter(hidden).collect();
    folders.sort();
    folders
}

/// No file can take the place of a folder.
fn refuse_folder(path: &Path) -> Result<(), IoError> {
    if !files::is_dir(path) {
        return Ok(());
    }
    Err(IoError::folder(
        path,
        "a folder stands where a file of the release must go",
        "move it away or name another folder in [release]; nothing was published",
    ))
}

fn new_hidden(dir: &Path) -> Result<(PathBuf, Option<File>), IoError> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let hidden = dir.join(format!("{HIDDEN}{}-{number}", process::id()));
        match files::create_private_dir(&hidden) {
            Ok(()) => {
                // Whoever sweeps may come between the making and the lock: then this folder goes.
                let alive = match files::lock_folder(&hidden) {
                    Ok(None) => continue,
                    Ok(alive) => alive,
                    // Folders cannot be locked here; nobody sweeps either.
                    Err(_) => None,
                };
                if files::exists(&hidden) {
                    return Ok((hidden, alive));
                }
            }
            // Left behind by a killed process that had our number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(IoError::file(dir, error)),
        }
    }
}
