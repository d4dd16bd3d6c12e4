//! Ways to spoil a folder.

use std::fs;

use crate::folder::Folder;

/// One way.
#[derive(Clone, Copy)]
pub(crate) enum Spoil {
    /// A part of a file becomes another.
    Replace(&'static str, &'static str, &'static str),
    /// A file holds something else.
    Write(&'static str, &'static str),
    /// A file is gone.
    Remove(&'static str),
    /// Anything else.
    By(fn(&Folder)),
}

impl Spoil {
    /// Does it.
    pub(crate) fn apply(self, folder: &Folder) {
        match self {
            Self::Replace(file, from, to) => folder.replace(file, from, to),
            Self::Write(file, text) => folder.write(file, text),
            Self::Remove(file) => fs::remove_file(folder.path(file)).unwrap(),
            Self::By(spoil) => spoil(folder),
        }
    }
}
