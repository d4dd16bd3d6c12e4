//! Files that appear together, whole, or not at all.
//!
//! They are written into a hidden folder inside the target folder (so that a rename never crosses a file system), and
//! moved to their names by [`Staging::commit`]. Whatever ends the work before that removes the hidden folder. A killed
//! process cannot; but its folder is locked only while it lives, and [`Staging::sweep`] removes those that are not.
//!
//! **Reading.** No file system renames several files at once. So the manifest vouches for the others: an old one goes
//! first, the new one comes last, and where there is a manifest, the files it lists are those it was made with.

use std::fs::File;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::IoError;
use crate::files;

pub(crate) const HIDDEN: &str = ".scrim-";

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
    /// somebody living has locked stays, and so does one that `keep` speaks for.
    pub(crate) fn sweep(dir: &Path, keep: &dyn Fn(&Path) -> bool) -> usize {
        let left = files::folders(dir).into_iter().filter(|folder| {
            let name = folder.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(HIDDEN)) && !keep(folder)
        });
        let mut swept = 0;
        for folder in left {
            // The lock is held until the folder is gone, so that nobody takes it into use meanwhile.
            if let Some(_lock) = files::lock_folder(&folder) {
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

    /// The folder that the files will appear in.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The hidden folder's name.
    pub(crate) fn hidden_name(&self) -> Option<&str> {
        self.hidden.file_name()?.to_str()
    }

    /// Waits until these staged files, and the folders that lead to them, are on the disk.
    pub(crate) fn sync(&self, names: &[&str]) -> Result<(), IoError> {
        for name in names {
            files::sync(&self.path(name))?;
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

    /// Moves these files to their names, in this order; the last is the manifest of the others. Other staged files are
    /// removed. When a move fails, those made before it are undone as far as they can be.
    pub fn commit(mut self, names: &[&str]) -> Result<Vec<PathBuf>, IoError> {
        for name in names {
            files::sync(&self.path(name))?;
        }
        if let Some(manifest) = names.last() {
            files::remove(&self.dir.join(manifest))?;
        }
        let mut moved: Vec<PathBuf> = Vec::with_capacity(names.len());
        for name in names {
            let target = self.dir.join(name);
            if let Err(error) = files::rename(&self.path(name), &target) {
                // Best effort: the first failure is the one to tell.
                for path in &moved {
                    drop(files::remove(path));
                }
                return Err(error);
            }
            moved.push(target);
        }
        self.created.clear();
        files::sync(&self.dir)?;
        Ok(moved)
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

fn new_hidden(dir: &Path) -> Result<(PathBuf, Option<File>), IoError> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let hidden = dir.join(format!("{HIDDEN}{}-{number}", process::id()));
        match files::create_new_dir(&hidden) {
            Ok(()) => {
                let alive = files::lock_folder(&hidden);
                // Whoever sweeps may have come between the making and the lock.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::files::{exists, read_text, write_bytes};

    fn entries(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn committed_files_appear_and_nothing_else_stays() {
        let dir = tempfile::tempdir().unwrap();
        let staging = Staging::new(dir.path()).unwrap();
        for name in ["release.csv", "manifest.json", "scratch"] {
            write_bytes(&staging.path(name), name.as_bytes()).unwrap();
        }
        assert!(!exists(&dir.path().join("release.csv")));
        let moved = staging.commit(&["release.csv", "manifest.json"]).unwrap();
        assert_eq!(
            moved,
            [
                dir.path().join("release.csv"),
                dir.path().join("manifest.json")
            ]
        );
        assert_eq!(entries(dir.path()), ["manifest.json", "release.csv"]);
    }

    #[test]
    fn what_is_not_committed_leaves_no_trace() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("a/b");
        let staging = Staging::new(&target).unwrap();
        write_bytes(&staging.path("release.csv"), b"x").unwrap();
        drop(staging);
        assert!(entries(dir.path()).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn what_a_killed_process_left_is_swept_and_what_is_in_use_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let living = Staging::new(dir.path()).unwrap();
        for name in [".scrim-0-left", ".scrim-0-kept", ".scrimshaw", "plain"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        write_bytes(&dir.path().join(".scrim-0-left/release.csv"), b"x").unwrap();
        write_bytes(&living.path("release.csv"), b"x").unwrap();
        let kept = |folder: &Path| folder.ends_with(".scrim-0-kept");
        assert_eq!(Staging::sweep(dir.path(), &kept), 1);
        assert!(exists(&living.path("release.csv")));
        drop(living);
        assert_eq!(
            entries(dir.path()),
            [".scrim-0-kept", ".scrimshaw", "plain"]
        );
        assert_eq!(Staging::sweep(&dir.path().join("not there"), &|_| false), 0);
    }

    #[test]
    fn a_panic_leaves_no_trace() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().to_owned();
        let panicked = std::thread::spawn(move || {
            let staging = Staging::new(&path).unwrap();
            write_bytes(&staging.path("release.csv"), b"x").unwrap();
            std::panic::resume_unwind(Box::new("stop"));
        });
        assert!(panicked.join().is_err());
        assert!(entries(dir.path()).is_empty());
    }

    #[test]
    fn a_missing_file_commits_nothing_and_keeps_the_old_release() {
        let dir = tempfile::tempdir().unwrap();
        write_bytes(&dir.path().join("manifest.json"), b"old").unwrap();
        let staging = Staging::new(dir.path()).unwrap();
        write_bytes(&staging.path("manifest.json"), b"new").unwrap();
        assert!(staging.commit(&["release.csv", "manifest.json"]).is_err());
        assert_eq!(read_text(&dir.path().join("manifest.json")).unwrap(), "old");
        assert_eq!(entries(dir.path()), ["manifest.json"]);
    }

    #[test]
    fn a_manifest_of_another_name_leaves_the_others_alone() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["manifest.json", "manifest.BROKEN.json"] {
            write_bytes(&dir.path().join(name), b"old").unwrap();
        }
        let staging = Staging::new(dir.path()).unwrap();
        write_bytes(&staging.path("manifest.BROKEN.json"), b"new").unwrap();
        staging.commit(&["manifest.BROKEN.json"]).unwrap();
        let read = |name: &str| read_text(&dir.path().join(name)).unwrap();
        assert_eq!(read("manifest.json"), "old");
        assert_eq!(read("manifest.BROKEN.json"), "new");
    }

    #[test]
    fn an_old_manifest_never_stands_beside_a_new_release() {
        let dir = tempfile::tempdir().unwrap();
        write_bytes(&dir.path().join("manifest.json"), b"old").unwrap();
        // A folder in the way: the move fails halfway.
        fs::create_dir(dir.path().join("report.html")).unwrap();
        let staging = Staging::new(dir.path()).unwrap();
        for name in ["release.csv", "report.html", "manifest.json"] {
            write_bytes(&staging.path(name), b"new").unwrap();
        }
        assert!(
            staging
                .commit(&["release.csv", "report.html", "manifest.json"])
                .is_err()
        );
        assert_eq!(entries(dir.path()), ["report.html"]);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        write_bytes(&file, b"").unwrap();
        let error = Staging::new(&file.join("release")).unwrap_err();
        assert!(error.to_string().contains("file/release"), "{error}");
        assert!(exists(&file));
    }
}
