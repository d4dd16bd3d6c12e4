//! From the hidden folder to the final names: what a release's files are, where they are now, and the renames.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use super::fault::point;
use crate::error::IoError;
use crate::staging::{HIDDEN, OWNER};
use crate::{Staging, files};

/// The files of a release on their way.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    /// In the order in which they are put in place; the last vouches for the others.
    files: Vec<FileMove>,
    /// Files that the release replaces under another name.
    outdated: Vec<Stored>,
}

#[derive(Clone, Debug)]
struct FileMove {
    target: Stored,
    /// The name of the hidden folder beside the target.
    hidden: String,
    sha256: String,
}

/// A path as the ledger keeps it, from the ledger's folder where it is below it, and as the system finds it.
#[derive(Clone, Debug)]
struct Stored {
    kept: String,
    path: PathBuf,
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// At its final place.
    Placed,
    /// In the hidden folder, whole.
    Staged,
    /// Neither.
    Lost,
}

impl Placing {
    /// Staged files, hashed as they are on the disk.
    pub(super) fn new(
        ledger_folder: &Path,
        staging: &Staging,
        names: &[&str],
        outdated: &[&str],
    ) -> Result<Self, IoError> {
        let dir = staging.dir();
        let dir = files::canonical(dir).unwrap_or_else(|| dir.to_owned());
        let hidden = staging.hidden_name().unwrap_or_default();
        let files = names.iter().map(|name| {
            let target = stored(ledger_folder, &dir, name)?;
            if files::is_dir(&target.path) {
                return Err(IoError::ledger(
                    &target.path,
                    "a folder stands where a file of the release must go",
                    "move it away or name another folder in [release]",
                ));
            }
            Ok(FileMove {
                target,
                hidden: hidden.to_owned(),
                sha256: files::sha256_file(&staging.path(name))?,
            })
        });
        Ok(Self {
            files: files.collect::<Result<_, IoError>>()?,
            outdated: outdated
                .iter()
                .map(|name| stored(ledger_folder, &dir, name))
                .collect::<Result<_, IoError>>()?,
        })
    }

    /// The files of a recorded release.
    pub(super) fn read(
        connection: &Connection,
        ledger_folder: &Path,
        release: i64,
    ) -> rusqlite::Result<Self> {
        let found = |kept: String| Stored {
            path: ledger_folder.join(&kept),
            kept,
        };
        let mut select = connection.prepare(
            "SELECT path, staged, sha256 FROM files WHERE release = ?1 ORDER BY position",
        )?;
        let files = select.query_map([release], |row| {
            Ok(FileMove {
                target: found(row.get(0)?),
                hidden: row.get(1)?,
                sha256: row.get(2)?,
            })
        })?;
        let mut select = connection.prepare("SELECT path FROM outdated WHERE release = ?1")?;
        let outdated = select.query_map([release], |row| Ok(found(row.get(0)?)))?;
        Ok(Self {
            files: files.collect::<rusqlite::Result<_>>()?,
            outdated: outdated.collect::<rusqlite::Result<_>>()?,
        })
    }

    /// The final paths.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.files
            .iter()
            .map(|file| file.target.path.clone())
            .collect()
    }

    /// Where each file is, found by its hash.
    pub(super) fn standings(&self) -> Vec<(PathBuf, Standing)> {
        let standing = |file: &FileMove| {
            let is = |path: &Path| files::sha256_file(path).is_ok_and(|found| found == file.sha256);
            if file.staged().is_some_and(|path| is(&path)) {
                Standing::Staged
            } else if is(&file.target.path) {
                Standing::Placed
            } else {
                Standing::Lost
            }
        };
        let files = self.files.iter();
        files
            .map(|file| (file.target.path.clone(), standing(file)))
            .collect()
    }

    /// Renames what is still staged. Done twice, it is as done once.
    pub(super) fn place(&self) -> Result<(), IoError> {
        let waiting = |file: &&FileMove| file.staged().is_some_and(|path| files::exists(&path));
        if let Some(voucher) = self.files.last().filter(waiting) {
            files::remove(&voucher.target.path)?;
        }
        point("voucher-removed");
        for file in self.files.iter().filter(waiting) {
            if let Some(staged) = file.staged() {
                files::rename(&staged, &file.target.path)?;
                point("file-placed");
            }
        }
        point("files-placed");
        Ok(())
    }

    /// Waits until the files that are in place are there on the disk, and removes what they replace. `own` is the ledger's
    /// number.
    pub(super) fn settle(&self, own: &str) -> Result<(), IoError> {
        let folders = self.folders();
        for folder in &folders {
            files::sync(folder)?;
        }
        for file in &self.outdated {
            let folder = file.path.parent();
            if !folder.is_some_and(|folder| folders.iter().any(|own| own == folder)) {
                return Err(IoError::ledger(
                    &file.path,
                    "the ledger has this file removed, but it is in no folder of the release",
                    "see `scrim ledger verify`: the ledger is not what Scrim wrote",
                ));
            }
            if self.is_signed(own) {
                files::remove(&file.path)?;
            }
        }
        point("files-settled");
        Ok(())
    }

    /// Whether a publisher under this ledger wrote into the folder of the release: nothing else there may be removed.
    fn is_signed(&self, own: &str) -> bool {
        let hidden = self.files.first().and_then(FileMove::hidden_folder);
        let signed = hidden.and_then(|hidden| files::read_text(&hidden.join(OWNER)).ok());
        signed.is_some_and(|signed| signed == own)
    }

    /// Removes the hidden folder, if it is one of ours by its name.
    pub(super) fn discard_hidden(&self) {
        for folder in self.files.iter().filter_map(FileMove::hidden_folder) {
            files::discard(&folder);
        }
    }

    /// The folders of the final places.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let parents = self
            .files
            .iter()
            .filter_map(|file| file.target.path.parent());
        let mut folders: Vec<PathBuf> = parents.map(Path::to_owned).collect();
        folders.dedup();
        folders
    }
}

impl FileMove {
    /// The hidden folder. A ledger that somebody forged must not lead us to move or remove anything else.
    fn hidden_folder(&self) -> Option<PathBuf> {
        let plain = self.hidden.starts_with(HIDDEN) && !self.hidden.contains(['/', '\\']);
        let folder = self.target.path.parent()?;
        plain.then(|| folder.join(&self.hidden))
    }

    fn staged(&self) -> Option<PathBuf> {
        Some(self.hidden_folder()?.join(self.target.path.file_name()?))
    }
}

fn stored(ledger_folder: &Path, dir: &Path, name: &str) -> Result<Stored, IoError> {
    let path = dir.join(name);
    let kept = path.strip_prefix(ledger_folder).unwrap_or(&path);
    let kept = kept.to_str().ok_or_else(|| {
        IoError::ledger(
            &path,
            "the ledger cannot keep this path: it is no UTF-8",
            "name another folder in [release]",
        )
    })?;
    Ok(Stored {
        kept: kept.to_owned(),
        path,
    })
}

/// Writes what is to be put in place into the entry.
pub(super) fn record(
    connection: &Connection,
    release: i64,
    placing: &Placing,
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare("INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (position, file) in (1i64..).zip(&placing.files) {
        insert.execute(params![
            release,
            position,
            file.target.kept,
            file.hidden,
            file.sha256
        ])?;
    }
    let mut insert = connection.prepare("INSERT INTO outdated VALUES (?1, ?2)")?;
    for file in &placing.outdated {
        insert.execute(params![release, file.kept])?;
    }
    Ok(())
}
