//! How much memory a publication may take, and what it needs.
//!
//! **Reading.** The different rows of a table are held, in the tables and sets of each stage; what a search may use beside them is what
//! is left, and a search that has little counts nodes one by one and keeps fewer sets. Rows of the file are never held: which different
//! row each is goes to the disk. A table whose different rows do not fit is refused while it is read.
//! **Cost.** The bytes below were measured as the largest resident size of whole publications (docs/benchmarks.md).

use std::path::{Path, PathBuf};

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
}

impl Held {
    /// The table and its ground set.
    fn lasting(self) -> u64 {
        self.rows * (24 + 2 * self.columns + 8 * self.words)
    }

    /// What the dearest stage adds to that: a search that counts one node after the other, or laying the release beside its source.
    fn passing(self) -> u64 {
        self.rows * (64 + 2 * self.columns + 16 * self.words)
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

    /// Whether so much of a table can be published; the widest of its columns is told where not.
    pub(crate) fn must_hold(
        &self,
        held: Held,
        widest: Option<(&str, usize)>,
    ) -> Result<(), IoError> {
        if held.needed() <= self.limit {
            return Ok(());
        }
        let what = if held.rows == 0 {
            format!(
                "--memory {}: less than the {} that any publication takes",
                words(self.limit),
                words(FIXED)
            )
        } else {
            format!(
                "--memory {}: the table has more than {} different rows, which take about {}",
                words(self.limit),
                held.rows - 1,
                words(held.needed())
            )
        };
        let coarser = widest.filter(|_| held.rows > 0).map_or_else(String::new, |(name, values)| {
            format!("; or give `{name}`, which has {values} different values so far, another role or round it")
        });
        Err(IoError::Memory {
            what,
            hint: Some(format!("allow more{coarser}")),
        })
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
