//! The journal of a commit: which files of a hidden folder go where, and which ones they replace.
//!
//! **Definition.** `forward` moves each old file aside and each new file to its name; `back` does the opposite. Each can
//! be done again from wherever it was interrupted, and then ends as if it had been done once.
//!
//! **Reading.** The journal is a file of its own in the hidden folder, written whole before anything is moved. Its name
//! says the direction: `.journal` forward, `.undo` back. A new file is in the hidden folder or at its name, an old one
//! at its name or in the folder `old`: where each is says what is left to do.
//! **Holds because** nothing is removed before the last rename, the manifest is first to go and last to come, and one
//! publisher at a time ([`super::FolderLock`]) reads or writes journals of a folder.
//! Names in a journal are plain names of files, so that a forged one leads nowhere else.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::IoError;
use crate::files;
use crate::ledger::fault::{fails, point};

const FORWARD: &str = ".journal";
const BACK: &str = ".undo";
const NEW: &str = ".journal.new";
/// Where old files are kept until all new ones are in place.
const OLD: &str = "old";

/// What a commit does.
#[derive(Debug)]
pub(super) struct Journal {
    dir: PathBuf,
    hidden: PathBuf,
    moves: Moves,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Moves {
    /// New files in the order in which they appear; the last vouches for the others.
    files: Vec<String>,
    /// Old files, of the same name or outdated.
    old: Vec<String>,
}

impl Journal {
    /// Writes a journal; from then on the files are published.
    pub(super) fn write(
        dir: &Path,
        hidden: &Path,
        names: &[&str],
        outdated: &[&str],
    ) -> Result<Self, IoError> {
        let old = names.iter().chain(outdated);
        let old = old.filter(|name| files::is_there(&dir.join(name)));
        let moves = Moves {
            files: names.iter().map(ToString::to_string).collect(),
            old: old.map(ToString::to_string).collect(),
        };
        let journal = Self {
            dir: dir.to_owned(),
            hidden: hidden.to_owned(),
            moves,
        };
        files::create_private_dir(&hidden.join(OLD))
            .map_err(|source| IoError::file(&hidden.join(OLD), source))?;
        let text = serde_json::to_string(&journal.moves)
            .map_err(|error| IoError::internal(&error.to_string()))?;
        files::write_private(&hidden.join(NEW), text.as_bytes())?;
        files::rename(&hidden.join(NEW), &hidden.join(FORWARD))?;
        files::sync(hidden)?;
        Ok(journal)
    }

    /// Whether a hidden folder has a journal.
    pub(super) fn is_in(hidden: &Path) -> bool {
        [FORWARD, BACK]
            .iter()
            .any(|name| files::is_there(&hidden.join(name)))
    }

    /// Completes, or takes back, what the journal of a hidden folder says, and says in words what was done.
    pub(super) fn settle(dir: &Path, hidden: &Path) -> Result<&'static str, IoError> {
        let back = files::is_there(&hidden.join(BACK));
        let path = hidden.join(if back { BACK } else { FORWARD });
        let moves: Option<Moves> = serde_json::from_str(&files::read_text(&path)?).ok();
        let plain = |name: &String| {
            let mut parts = Path::new(name).components();
            matches!(
                (parts.next(), parts.next()),
                (Some(Component::Normal(_)), None)
            ) && !name.starts_with('.')
        };
        let moves =
            moves.filter(|moves| moves.files.iter().chain(&moves.old).all(plain)).ok_or_else(|| {
                IoError::folder(
                    &path,
                    "this journal of an interrupted publication cannot be understood",
                    "look into its folder: `old` holds what was published before; then remove the folder and publish again",
                )
            })?;
        let journal = Self {
            dir: dir.to_owned(),
            hidden: hidden.to_owned(),
            moves,
        };
        if back {
            journal.back()?;
        } else {
            journal.forward()?;
        }
        files::sync(dir)?;
        journal.close();
        Ok(if back { "taken back" } else { "completed" })
    }

    /// Moves old files aside and new files to their names.
    pub(super) fn forward(&self) -> Result<(), IoError> {
        let Some((manifest, others)) = self.moves.files.split_last() else {
            return Ok(());
        };
        let waits = |name: &String| files::is_there(&self.hidden.join(name));
        self.aside(manifest)?;
        point("manifest-aside");
        for name in others.iter().filter(|name| waits(name)) {
            self.aside(name)?;
            self.appear(name)?;
        }
        let outdated = self.moves.old.iter();
        for name in outdated.filter(|name| !self.moves.files.contains(name)) {
            self.aside(name)?;
        }
        if waits(manifest) {
            self.appear(manifest)?;
        }
        point("all-appeared");
        Ok(())
    }

    /// Moves an old file aside, unless it is there already.
    fn aside(&self, name: &String) -> Result<(), IoError> {
        let (target, kept) = (self.dir.join(name), self.hidden.join(OLD).join(name));
        let pending = self.moves.old.contains(name) && !files::is_there(&kept);
        if pending && files::is_there(&target) {
            fails("old-aside", &target)?;
            files::rename(&target, &kept)?;
        }
        Ok(())
    }

    fn appear(&self, name: &str) -> Result<(), IoError> {
        let target = self.dir.join(name);
        fails("file-appears", &target)?;
        files::rename(&self.hidden.join(name), &target)?;
        point("file-appeared");
        Ok(())
    }

    /// From now on the way is back.
    pub(super) fn turn_back(&self) -> Result<&Self, IoError> {
        files::rename(&self.hidden.join(FORWARD), &self.hidden.join(BACK))?;
        files::sync(&self.hidden)?;
        point("turned-back");
        Ok(self)
    }

    /// Takes new files back and puts old ones where they were, the manifest last.
    pub(super) fn back(&self) -> Result<(), IoError> {
        for name in self.moves.files.iter().rev() {
            let (target, staged) = (self.dir.join(name), self.hidden.join(name));
            if !files::is_there(&staged) && !self.is_restored(name) && files::is_there(&target) {
                files::rename(&target, &staged)?;
            }
        }
        point("new-taken-back");
        let manifest = self.moves.files.last();
        let (last, first): (Vec<&String>, Vec<&String>) = self
            .moves
            .old
            .iter()
            .partition(|name| Some(*name) == manifest);
        for name in first.into_iter().chain(last) {
            let kept = self.hidden.join(OLD).join(name);
            if files::is_there(&kept) {
                fails("old-returns", &kept)?;
                files::rename(&kept, &self.dir.join(name))?;
            }
        }
        Ok(())
    }

    /// Whether an old file is, or never left, at its name.
    fn is_restored(&self, name: &String) -> bool {
        self.moves.old.contains(name) && !files::is_there(&self.hidden.join(OLD).join(name))
    }

    /// Says that nothing is left to do.
    pub(super) fn close(&self) {
        // The hidden folder is removed next; one that stays without journal is swept.
        for name in [FORWARD, BACK] {
            drop(files::remove(&self.hidden.join(name)));
        }
    }
}
