//! The tuples of a table in sections, on disk: each once, or once for each combination of what models track beside it.
//!
//! **Reading.** The tuples of a section, in their order, are a run. All runs are merged into one file, in which equal tuples have
//! become one; a search then reads it from its beginning to its end as often as it counts. Where there are many runs, some are merged
//! into longer ones first.
//! **Cost.** Every tuple is written twice and read twice before the search, and once more for every 64 times as many runs; of 64 runs
//! each has a buffer of its own.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use scrim::Error;
use scrim::frequency::{Block, Ground, Store, Stored, Tracked};
use scrim::metric::Sizes;
use scrim::table::Table;

use crate::error::IoError;
use crate::sections::{get_all, put_all};

/// Tuples that are read at once.
const BLOCK: usize = 1 << 13;

/// After so many tuples a merge asks whether to go on.
const CHECKED: u64 = 1 << 18;

/// Words of a run that are read at once.
const WORDS: u64 = 1 << 12;

/// Runs that are merged at once.
const AT_ONCE: usize = 64;

/// What a tuple is made of: the words of its key, the last first, the codes of tracked columns, its rows.
#[derive(Clone, Copy, Debug)]
struct Shape {
    words: usize,
    tracked: usize,
}

impl Shape {
    fn all(self) -> usize {
        self.words + self.tracked + 1
    }
}

/// Sorted tuples of sections.
#[derive(Debug)]
pub(crate) struct Runs {
    folder: PathBuf,
    file: File,
    shape: Shape,
    /// Where each run stands, in words.
    places: Vec<Range<u64>>,
}

/// The tuples of all sections.
#[derive(Debug)]
struct GroundFile {
    folder: PathBuf,
    file: Mutex<File>,
    shape: Shape,
    tuples: u64,
}

impl Runs {
    /// No run yet, on the disk of this folder, of tuples of so many words with so many tracked columns.
    pub(crate) fn new(folder: &Path, words: usize, tracked: usize) -> Result<Self, IoError> {
        Ok(Self {
            folder: folder.to_owned(),
            file: scratch(folder)?,
            shape: Shape { words, tracked },
            places: Vec::new(),
        })
    }

    /// Adds the tuples of a section, which has this ground.
    pub(crate) fn add(
        &mut self,
        section: &Table,
        ground: &Ground,
        tracked: &[Tracked],
    ) -> Result<(), IoError> {
        self.add_run(|put| ground.each_sorted(section, tracked, put))
    }

    /// Adds keys in ascending order, each with its rows. The last word of a key is compared first.
    pub(crate) fn add_sorted(
        &mut self,
        each: impl FnOnce(&mut dyn FnMut(&[u64], u64) -> Result<(), IoError>) -> Result<(), IoError>,
    ) -> Result<(), IoError> {
        self.add_run(|put| each(&mut |key, rows| put(key, &[], rows)))
    }

    fn add_run(
        &mut self,
        each: impl FnOnce(
            &mut dyn FnMut(&[u64], &[u32], u64) -> Result<(), IoError>,
        ) -> Result<(), IoError>,
    ) -> Result<(), IoError> {
        let start = self.places.last().map_or(0, |run| run.end);
        let mut writer = BufWriter::with_capacity(1 << 16, &mut self.file);
        let failed = |source| IoError::file(&self.folder, source);
        let mut tuples = 0;
        each(&mut |key, codes, rows| {
            let codes = codes.iter().map(|code| u64::from(*code));
            let words = key.iter().rev().copied().chain(codes);
            let words = words.chain(std::iter::once(rows)).map(u64::to_le_bytes);
            tuples += 1;
            put_all(words, &mut writer).map(|_| ()).map_err(failed)
        })?;
        writer.flush().map_err(failed)?;
        let words = tuples * self.shape.all() as u64;
        self.places.push(start..start + words);
        Ok(())
    }

    /// Merges keys that were added by [`Self::add_sorted`]; equal ones become one.
    pub(crate) fn merge_sorted(
        mut self,
        check: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Merged, IoError> {
        while self.places.len() > AT_ONCE {
            self.lengthen(check)?;
        }
        Ok(Merged {
            merging: self.merging(&self.places)?,
            folder: self.folder,
            file: self.file,
        })
    }

    /// Merges them. A set that is made of the tuples may have `room` bytes. `check` is asked again and again whether to go on.
    pub(crate) fn merge(
        mut self,
        room: u64,
        check: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Stored, IoError> {
        while self.places.len() > AT_ONCE {
            self.lengthen(check)?;
        }
        let mut file = scratch(&self.folder)?;
        let mut sizes = Sizes::of(&[]);
        let (words, mut rows) = (self.shape.words, 0);
        // The tuple whose combinations come, and its rows.
        let mut last: Option<(Vec<u64>, u64)> = None;
        let tuples = self.merge_into(&self.places, &mut file, check, &mut |tuple| {
            let (key, own) = (&tuple[..words], tuple[tuple.len() - 1]);
            rows += own;
            match &mut last {
                Some((same, all)) if same == key => *all += own,
                _ => {
                    if let Some((_, all)) = last.replace((key.to_vec(), own)) {
                        sizes.add(all);
                    }
                }
            }
        })?;
        if let Some((_, all)) = last {
            sizes.add(all);
        }
        let shape = self.shape;
        Ok(Stored {
            store: Arc::new(GroundFile {
                folder: self.folder,
                file: Mutex::new(file),
                shape,
                tuples,
            }),
            sizes,
            rows,
            cells: tuples,
            tracked: shape.tracked,
            room,
        })
    }

    /// Makes longer runs of some each.
    fn lengthen(&mut self, check: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), IoError> {
        let mut file = scratch(&self.folder)?;
        let mut places: Vec<Range<u64>> = Vec::new();
        for runs in self.places.chunks(AT_ONCE) {
            let start = places.last().map_or(0, |run| run.end);
            let tuples = self.merge_into(runs, &mut file, check, &mut |_| ())?;
            places.push(start..start + tuples * self.shape.all() as u64);
        }
        self.file = file;
        self.places = places;
        Ok(())
    }

    /// Writes the tuples of some runs behind what a file has, and tells how many they are.
    fn merge_into(
        &self,
        runs: &[Range<u64>],
        file: &mut File,
        check: &mut dyn FnMut() -> Result<(), Error>,
        visit: &mut dyn FnMut(&[u64]),
    ) -> Result<u64, IoError> {
        check()?;
        let failed = |source| IoError::file(&self.folder, source);
        let mut merging = self.merging(runs)?;
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        let mut tuples = 0u64;
        while merging.next(&self.file).map_err(failed)? {
            tuples += 1;
            if tuples.is_multiple_of(CHECKED) {
                check()?;
            }
            visit(&merging.tuple);
            let words = merging.tuple.iter().map(|word| word.to_le_bytes());
            put_all(words, &mut writer).map_err(failed)?;
        }
        writer.flush().map_err(failed)?;
        Ok(tuples)
    }

    /// The beginning of a merge of some runs.
    fn merging(&self, runs: &[Range<u64>]) -> Result<Merging, IoError> {
        let mut heads = BinaryHeap::new();
        for run in runs {
            let mut head = Head {
                tuple: vec![0; self.shape.all()],
                left: run.clone(),
                read: Vec::new().into_iter(),
            };
            let there = head.next(&self.file);
            if there.map_err(|source| IoError::file(&self.folder, source))? {
                heads.push(head);
            }
        }
        Ok(Merging {
            heads,
            tuple: vec![0; self.shape.all()],
        })
    }
}

impl Store for GroundFile {
    fn each_block(&self, visit: &mut dyn FnMut(&Block<'_>)) -> Result<(), Error> {
        let failed = |error: std::io::Error| {
            Error::Internal(format!(
                "what was put on the disk of {} cannot be read: {error}",
                self.folder.display()
            ))
        };
        let Shape { words, .. } = self.shape;
        let width = self.shape.all();
        let (mut keys, mut tracked, mut rows) = (Vec::new(), Vec::new(), Vec::new());
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
            tracked.clear();
            rows.clear();
            for tuple in numbers.chunks_exact(width) {
                keys.extend(tuple[..words].iter().rev());
                tracked.extend(tuple[words..width - 1].iter().map(|code| *code as u32));
                rows.push(tuple[width - 1]);
            }
            visit(&Block {
                keys: &keys,
                tracked: &tracked,
                rows: &rows,
            });
        }
        Ok(())
    }
}

/// Merged keys with their rows, from the smallest on.
pub(crate) struct Merged {
    folder: PathBuf,
    file: File,
    merging: Merging,
}

impl Merged {
    /// Gives the next key, and its rows, if there is one.
    pub(crate) fn next(&mut self, key: &mut [u64]) -> Result<Option<u64>, IoError> {
        let there = self.merging.next(&self.file);
        if !there.map_err(|source| IoError::file(&self.folder, source))? {
            return Ok(None);
        }
        let tuple = &self.merging.tuple;
        for (word, own) in key.iter_mut().rev().zip(tuple) {
            *word = *own;
        }
        Ok(tuple.last().copied())
    }
}

/// Runs while they are merged.
struct Merging {
    /// The next tuple of each run.
    heads: BinaryHeap<Head>,
    /// The tuple that was met last, with all its rows.
    tuple: Vec<u64>,
}

impl Merging {
    /// Goes on to the next tuple, if there is one. Equal tuples become one.
    fn next(&mut self, file: &File) -> std::io::Result<bool> {
        let rows = self.tuple.len() - 1;
        let mut begun = false;
        while let Some(mut head) = self.heads.peek_mut() {
            if !begun {
                self.tuple.copy_from_slice(&head.tuple);
                begun = true;
            } else if *head.key() == self.tuple[..rows] {
                self.tuple[rows] += head.tuple[rows];
            } else {
                break;
            }
            if !head.next(file)? {
                PeekMut::pop(head);
            }
        }
        Ok(begun)
    }
}

/// The next tuple of a run.
struct Head {
    tuple: Vec<u64>,
    /// What was not read yet, in words of the file.
    left: Range<u64>,
    read: std::vec::IntoIter<u64>,
}

impl Head {
    /// What it is, without its rows.
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
        other.key().cmp(self.key())
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

fn scratch(folder: &Path) -> Result<File, IoError> {
    tempfile::tempfile_in(folder).map_err(|source| IoError::file(folder, source))
}

#[cfg(test)]
mod tests;
