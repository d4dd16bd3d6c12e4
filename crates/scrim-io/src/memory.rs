//! How much memory a publication may take, and what it needs.
//!
//! **Reading.** The different rows of a table are held, in the tables and sets of each stage; what a search may use beside them is what
//! is left, and a search that has little counts nodes one by one and keeps fewer sets. Rows of the file are never held: which different
//! row each is goes to the disk. Different rows that do not fit go there too ([`crate::Sections`]) where a release follows from counts;
//! any other such table is refused while it is read.
//! **Cost.** The bytes below were measured as the largest resident size of whole publications (docs/benchmarks.md).

use std::path::{Path, PathBuf};

use scrim::printable;

use crate::error::IoError;
use crate::files;

/// The program, its buffers, and what a row group of a Parquet file takes.
const FIXED: u64 = 80 << 20;

/// A limit of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    limit: u64,
    folder: PathBuf,
}

/// What is held of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// Different rows, or all where every row is held.
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// The words of a packed row.
    pub(crate) words: u64,
    /// The different texts of all columns together, and their bytes.
    pub(crate) texts: (u64, u64),
}

impl Held {
    /// The table and its ground set.
    fn lasting(self) -> u64 {
        let (texts, bytes) = self.texts;
        self.rows * (24 + 2 * self.columns + 8 * self.words) + texts * 64 + bytes * 2
    }

    /// What the dearest stage adds to that: a search that counts one node after the other, or laying the release beside its source.
    fn passing(self) -> u64 {
        let (texts, bytes) = self.texts;
        self.rows * (64 + 2 * self.columns + 16 * self.words) + texts * 100 + bytes * 2
    }

    fn needed(self) -> u64 {
        FIXED + self.lasting() + self.passing()
    }
}

impl Memory {
    /// At most so many bytes; what does not fit goes to the disk of a folder, or of the one above it that is there.
    pub fn new(limit: u64, folder: &Path) -> Self {
        let mut folders = folder.ancestors();
        let there = folders.find(|folder| !folder.as_os_str().is_empty() && files::exists(folder));
        Self {
            limit,
            folder: there.unwrap_or(Path::new(".")).to_owned(),
        }
    }

    /// Where the disk is used.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a buffer that grows with a single line, page or packed part of the input may take.
    pub(crate) fn for_buffer(&self) -> u64 {
        self.limit / 4
    }

    /// Refuses a part of a file that takes more than a buffer may.
    pub(crate) fn must_do_for(&self, path: &Path, what: &str, bytes: u64) -> Result<(), IoError> {
        if bytes <= self.for_buffer() {
            return Ok(());
        }
        Err(self.too_little_for(path, what))
    }

    /// The error for a part of a file that takes more than a buffer may.
    pub(crate) fn too_little_for(&self, path: &Path, what: &str) -> IoError {
        IoError::Memory {
            what: format!(
                "{}: {what} takes more than {}, a quarter of --memory",
                printable(&path.display().to_string()),
                words(self.for_buffer())
            ),
            hint: Some("check that it is the right file; or allow more with --memory".to_owned()),
        }
    }

    /// Whether so much of a table can be published; the widest of its columns is told where not.
    pub(crate) fn must_hold(
        &self,
        held: Held,
        widest: Option<(&str, usize)>,
    ) -> Result<(), IoError> {
        if held.needed() <= self.limit {
            return Ok(());
        }
        let (limit, needed) = (words(self.limit), words(held.needed()));
        let what = match (held.rows, held.texts.0) {
            (0, 0) => format!(
                "--memory {limit}: less than the {} that any publication takes",
                words(FIXED)
            ),
            (0, texts) => format!(
                "--memory {limit}: the columns have {texts} different values, which with all else take about {needed}"
            ),
            (rows, _) => format!(
                "--memory {limit}: the table has more than {} different rows, which with all else take about {needed}",
                rows - 1
            ),
        };
        let coarser = widest.filter(|_| held.texts.0 > 0).map_or_else(String::new, |(name, values)| {
            format!("; or give `{name}`, which has {values} different values so far, another role or round it")
        });
        Err(IoError::Memory {
            what,
            hint: Some(format!("allow more{coarser}")),
        })
    }

    /// Whether the search of a table in sections can hold so many tuples of so many words, with so many tracked values in them: with
    /// what it needs to count them.
    pub(crate) fn holds(&self, held: Held, (tuples, cells): (u64, u64), words: usize) -> bool {
        tuples * (80 + 16 * words as u64) + cells * 40 <= self.for_search(held)
    }

    /// How many different rows of a release may be judged together, beside what is held of it.
    pub(crate) fn judged(&self, held: Held) -> usize {
        const LEAST: u64 = 1 << 12;
        let rows = self.for_search(held) / (200 + 2 * held.columns);
        rows.max(LEAST) as usize
    }

    /// What a search may use beside a table that is held.
    pub(crate) fn for_search(&self, held: Held) -> u64 {
        self.limit.saturating_sub(FIXED + held.lasting())
    }
}

/// Bytes as people say them.
fn words(bytes: u64) -> String {
    let (unit, name) = match bytes {
        1_000_000_000.. => (1e9, "GB"),
        _ => (1e6, "MB"),
    };
    let number = bytes as f64 / unit;
    if number < 10.0 {
        format!("{number:.1} {name}")
    } else {
        format!("{number:.0} {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(rows: u64) -> Held {
        Held {
            rows,
            columns: 9,
            words: 1,
            texts: (200, 2000),
        }
    }

    #[test]
    fn what_is_refused_is_what_does_not_fit() {
        let memory = Memory::new(200_000_000, Path::new("."));
        let widest = Some(("zip", 40_000));
        let most = (0..2_000_000)
            .step_by(1000)
            .take_while(|rows| memory.must_hold(held(*rows), widest).is_ok())
            .last()
            .unwrap();
        assert!(held(most).needed() <= 200_000_000);
        assert!(held(most + 1000).needed() > 200_000_000);
        let left = memory.for_search(held(most));
        assert!(left + held(most).lasting() + FIXED == 200_000_000);
        assert!(left >= held(most).passing());
        let error = memory.must_hold(held(most + 1000), widest).unwrap_err();
        assert!(error.to_string().starts_with("--memory 200 MB: "));
        assert!(error.hint().unwrap().contains("`zip`"));
        // Long texts count too.
        let long = Held {
            texts: (1, 1 << 30),
            ..held(1)
        };
        assert!(memory.must_hold(long, widest).is_err());
    }

    #[test]
    fn the_disk_is_that_of_a_folder_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        assert_eq!(Memory::new(1, &below).folder(), folder.path());
        assert_eq!(Memory::new(1, Path::new("none")).folder(), Path::new("."));
    }
}
