//! What can go wrong between the library and the disk.
//!
//! A fault of the system (no such file, disk full) keeps its path; a fault of the data is the library's own
//! [`scrim::Error::Data`] with file and line. No message holds the content of a cell.

use std::io;
use std::path::{Path, PathBuf};

use scrim::{Error, Place, Repair, printable};

/// What can go wrong, by cause.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// The system refused something about a file.
    #[error("{}: {source}", printable(&path.display().to_string()))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
        /// What to try.
        hint: Option<String>,
    },
    /// The ledger, its key or its lock is not as it must be.
    #[error("{}: {what}", printable(&path.display().to_string()))]
    Ledger {
        /// The ledger or its key.
        path: PathBuf,
        /// What was found.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// A folder that something is published into is not as it must be, or in use.
    #[error("{}: {what}", path.display())]
    Folder {
        /// The folder, or what is in it.
        path: PathBuf,
        /// What was found.
        what: String,
        /// What to try.
        hint: String,
    },
    /// The memory that is allowed does not do.
    #[error("{what}")]
    Memory {
        /// What is allowed and what is needed.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// A fault of the data, an interruption or a broken invariant.
    #[error(transparent)]
    Scrim(#[from] Error),
}

impl IoError {
    /// What the user may try.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::File { hint, .. } | Self::Ledger { hint, .. } | Self::Memory { hint, .. } => {
                hint.as_deref()
            }
            Self::Folder { hint, .. } => Some(hint),
            Self::Scrim(error) => error.hint(),
        }
    }

    /// The message and hint with the values that a hierarchy lacks ([`Error::repair`]).
    #[must_use]
    pub fn repair(&self) -> Option<&Repair> {
        match self {
            Self::Scrim(error) => error.repair(),
            _ => None,
        }
    }

    /// What the system said about a path, with the hint that fits it.
    #[must_use]
    pub fn file(path: &Path, source: io::Error) -> Self {
        let hint = match source.kind() {
            io::ErrorKind::NotFound => {
                Some("check the path; a path in a policy is relative to the policy file")
            }
            io::ErrorKind::PermissionDenied => {
                Some("check the permissions of the file and of its folder")
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Some("free some space or choose another folder")
            }
            io::ErrorKind::FileTooLarge => Some(
                "the file would be larger than the limit of the shell (`ulimit -f`) or of the file system allows",
            ),
            io::ErrorKind::ReadOnlyFilesystem => Some("choose a folder that can be written to"),
            io::ErrorKind::IsADirectory => Some("this is a folder, not a file"),
            _ => None,
        };
        Self::File {
            path: path.to_owned(),
            source,
            hint: hint.map(str::to_owned),
        }
    }

    /// A fault of the data, with what to try.
    pub(crate) fn data(place: Place, what: impl Into<String>, hint: Option<&str>) -> Self {
        Self::Scrim(Error::Data {
            place,
            what: what.into(),
            hint: hint.map(str::to_owned),
        })
    }

    /// A fault of the ledger, with what to try.
    pub(crate) fn ledger(path: &Path, what: impl Into<String>, hint: &str) -> Self {
        Self::Ledger {
            path: path.to_owned(),
            what: what.into(),
            hint: (!hint.is_empty()).then(|| hint.to_owned()),
        }
    }

    /// A fault of a folder that something is published into, with what to try.
    pub(crate) fn folder(path: &Path, what: impl Into<String>, hint: &str) -> Self {
        Self::Folder {
            path: path.to_owned(),
            what: what.into(),
            hint: hint.to_owned(),
        }
    }

    /// The system gives no thread.
    pub(crate) fn thread(source: &io::Error) -> Self {
        Self::Memory {
            what: format!("cannot start a thread: {source}"),
            hint: Some(
                "allow more processes or memory (`ulimit -u`, `ulimit -v`), or close other programs"
                    .to_owned(),
            ),
        }
    }

    /// A broken invariant of our own.
    pub(crate) fn internal(what: &str) -> Self {
        Self::Scrim(Error::Internal(what.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_the_system_names_the_path_and_gives_a_hint() {
        let error = IoError::file(Path::new("a/b.csv"), io::ErrorKind::StorageFull.into());
        assert!(error.to_string().starts_with("a/b.csv: "));
        assert_eq!(
            error.hint(),
            Some("free some space or choose another folder")
        );
    }
}
