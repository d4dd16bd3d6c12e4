//! The tuples of a table in sections, each once, on disk.
//!
//! **Reading.** The tuples of a section, in the order of their keys, are a run. All runs are merged into one file, in which equal tuples
//! have become one; a search then reads it from its beginning to its end as often as it counts.
//! **Cost.** Every tuple is written twice and read twice before the search; a run has a buffer of its own.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use scrim::Error;
use scrim::frequency::{Ground, Store};
use scrim::metric::Sizes;

use crate::error::IoError;
use crate::sections::{get_all, put_all};

/// Tuples that are read at once.
const BLOCK: usize = 1 << 13;

/// After so many tuples a merge asks whether to go on.
const CHECKED: u64 = 1 << 18;

/// Words of a run that are read at once.
const WORDS: u64 = 1 << 12;

/// Sorted tuples of sections.
#[derive(Debug)]
pub(crate) struct Runs {
    folder: PathBuf,
    file: File,
    /// Words of a key.
    words: usize,
    /// Where each run stands, in words.
    places: Vec<Range<u64>>,
}

/// The tuples of all sections.
#[derive(Debug)]
pub(crate) struct GroundFile {
    folder: PathBuf,
    file: Mutex<File>,
    words: usize,
    tuples: u64,
}

impl Runs {
    /// No run yet, on the disk of this folder.
    pub(crate) fn new(folder: &Path) -> Result<Self, IoError> {
        Ok(Self {
            folder: folder.to_owned(),
            file: scratch(folder)?,
            words: 1,
            places: Vec::new(),
        })
    }

    /// Adds the tuples of a section.
    pub(crate) fn add(&mut self, section: &Ground) -> Result<(), IoError> {
        self.words = section.words();
        let (keys, rows) = section.sorted();
        let mut writer = BufWriter::with_capacity(1 << 16, &mut self.file);
        let mut write = || {
            for (key, rows) in keys.chunks_exact(self.words).zip(&rows) {
                put_tuple(key, *rows, &mut writer)?;
            }
            writer.flush()
        };
        write().map_err(|source| IoError::file(&self.folder, source))?;
        let start = self.places.last().map_or(0, |run| run.end);
        let words = (keys.len() + rows.len()) as u64;
        self.places.push(start..start + words);
        Ok(())
    }

    /// Merges them; tells also what the sizes of the tuples come to.
    ///
    /// `check` is asked again and again whether to go on.
    pub(crate) fn merge(
        self,
        check: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<(GroundFile, Sizes), IoError> {
        let mut file = scratch(&self.folder)?;
        let mut stopped = Ok(());
        let sizes = self.merge_into(&mut file, &mut || {
            stopped = check();
            stopped.is_ok()
        });
        stopped?;
        let sizes = sizes.map_err(|source| IoError::file(&self.folder, source))?;
        let ground = GroundFile {
            folder: self.folder,
            file: Mutex::new(file),
            words: self.words,
            tuples: sizes.classes,
        };
        Ok((ground, sizes))
    }

    /// As long as `goes_on` says so.
    fn merge_into(
        &self,
        file: &mut File,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> std::io::Result<Sizes> {
        let mut heads = BinaryHeap::new();
        for run in &self.places {
            let mut head = Head {
                tuple: vec![0; self.words + 1],
                left: run.clone(),
                read: Vec::new().into_iter(),
            };
            if head.next(&self.file)? {
                heads.push(head);
            }
        }
        let mut sizes = Sizes::of(&[]);
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        let mut last: Vec<u64> = Vec::new();
        let mut put = |tuple: &[u64]| {
            if let Some((rows, key)) = tuple.split_last() {
                sizes.add(*rows);
                put_tuple(key, *rows, &mut writer)?;
            }
            std::io::Result::Ok(())
        };
        let mut passed = 0u64;
        while let Some(mut head) = heads.pop() {
            passed += 1;
            if passed.is_multiple_of(CHECKED) && !goes_on() {
                break;
            }
            if !last.is_empty() && last[..self.words] == *head.key() {
                last[self.words] += head.tuple[self.words];
            } else {
                put(&last)?;
                last.clone_from(&head.tuple);
            }
            if head.next(&self.file)? {
                heads.push(head);
            }
        }
        put(&last)?;
        writer.flush()?;
        Ok(sizes)
    }
}

impl Store for GroundFile {
    fn each_block(&self, visit: &mut dyn FnMut(&[u64], &[u64])) -> Result<(), Error> {
        let failed = |error: std::io::Error| {
            Error::Internal(format!(
                "what was put on the disk of {} cannot be read: {error}",
                self.folder.display()
            ))
        };
        let width = self.words + 1;
        let (mut keys, mut rows) = (Vec::new(), Vec::new());
        for start in (0..self.tuples).step_by(BLOCK) {
            let tuples = BLOCK.min((self.tuples - start) as usize);
            let numbers = {
                // Two searches may read at once, each from where it was.
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(start * width as u64 * 8))
                    .and_then(|_| get_all(tuples * width, u64::from_le_bytes, &mut *file))
                    .map_err(failed)?
            };
            keys.clear();
            rows.clear();
            for tuple in numbers.chunks_exact(width) {
                let (key, own) = tuple.split_at(self.words);
                keys.extend_from_slice(key);
                rows.extend_from_slice(own);
            }
            visit(&keys, &rows);
        }
        Ok(())
    }
}

/// The next tuple of a run.
struct Head {
    /// Its key and its rows.
    tuple: Vec<u64>,
    /// What was not read yet, in words of the file.
    left: Range<u64>,
    read: std::vec::IntoIter<u64>,
}

impl Head {
    fn key(&self) -> &[u64] {
        &self.tuple[..self.tuple.len() - 1]
    }

    /// Goes on to the next tuple, if there is one.
    fn next(&mut self, mut file: &File) -> std::io::Result<bool> {
        for word in &mut self.tuple {
            if self.read.len() == 0 {
                if self.left.is_empty() {
                    return Ok(false);
                }
                let words = WORDS.min(self.left.end - self.left.start);
                file.seek(SeekFrom::Start(self.left.start * 8))?;
                self.read = get_all(words as usize, u64::from_le_bytes, &mut file)?.into_iter();
                self.left.start += words;
            }
            *word = self.read.next().unwrap_or(0);
        }
        Ok(true)
    }
}

// The largest of a heap comes first: the order is turned round.
impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().iter().rev().cmp(self.key().iter().rev())
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Head {}

fn put_tuple(key: &[u64], rows: u64, into: &mut impl Write) -> std::io::Result<u64> {
    let words = key.iter().chain(std::iter::once(&rows));
    put_all(words.map(|word| word.to_le_bytes()), into)
}

fn scratch(folder: &Path) -> Result<File, IoError> {
    tempfile::tempfile_in(folder).map_err(|source| IoError::file(folder, source))
}
