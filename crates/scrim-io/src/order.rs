//! Which different row each row of a file is, in the order of the file.
//!
//! Four bytes a row, the only thing that grows with the rows of a counted table: held, or where memory is scarce in a file without a
//! name, which nobody else sees and which goes with the process. It is made and read from its beginning to its end.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::IoError;

/// The rows of a file, by the numbers of different rows.
#[derive(Debug, Default)]
pub struct FileOrder {
    /// All blocks, or the one that is not in the file yet. Nothing that is held is ever moved.
    blocks: Vec<Vec<u32>>,
    /// The rows of blocks that are done.
    rows: u64,
    spilled: Option<Spilled>,
    /// In place of blocks: different rows in the order in which they are written, and how often each.
    runs: Option<Vec<(u32, u32)>>,
    /// Whether only the block that was added last is kept.
    is_forgotten: bool,
}

#[derive(Debug)]
struct Spilled {
    folder: PathBuf,
    file: Mutex<File>,
}

impl From<Vec<u32>> for FileOrder {
    fn from(rows: Vec<u32>) -> Self {
        Self {
            rows: rows.len() as u64,
            blocks: vec![rows],
            ..Self::default()
        }
    }
}

impl FileOrder {
    /// No row yet; rows go to a file on the disk of this folder.
    pub(crate) fn spilling(folder: &Path) -> Result<Self, IoError> {
        let file = tempfile::tempfile_in(folder).map_err(|source| IoError::file(folder, source))?;
        let spilled = Spilled {
            folder: folder.to_owned(),
            file: Mutex::new(file),
        };
        Ok(Self {
            spilled: Some(spilled),
            ..Self::default()
        })
    }

    /// No row yet; of the rows that are added only the last block is kept, for those who do not need the order of the file.
    pub(crate) fn forgotten() -> Self {
        Self {
            is_forgotten: true,
            ..Self::default()
        }
    }

    /// Whether the rows can be read again.
    pub(crate) fn is_kept(&self) -> bool {
        !self.is_forgotten
    }

    /// Each of these rows, so often as is said, one after the other.
    pub fn of_runs(runs: Vec<(u32, u32)>) -> Self {
        Self {
            rows: runs.iter().map(|(_, times)| u64::from(*times)).sum(),
            runs: Some(runs),
            ..Self::default()
        }
    }

    /// Different rows in the order in which they are written, and how often each, where it was made of such runs.
    pub(crate) fn runs(&self) -> Option<&[(u32, u32)]> {
        self.runs.as_deref()
    }

    /// Adds a block, whose rows `put` puts into an empty list.
    pub(crate) fn add(&mut self, put: impl FnOnce(&mut Vec<u32>)) -> Result<(), IoError> {
        let passes = self.is_forgotten || self.spilled.is_some();
        let former = if passes { self.blocks.pop() } else { None };
        let mut block = former.unwrap_or_default();
        block.clear();
        put(&mut block);
        self.rows += block.len() as u64;
        let written = self.spilled.as_mut().map_or(Ok(()), |spilled| {
            let bytes: Vec<u8> = block.iter().flat_map(|row| row.to_le_bytes()).collect();
            let file = spilled.file.get_mut();
            file.unwrap_or_else(PoisonError::into_inner)
                .write_all(&bytes)
                .map_err(|source| IoError::file(&spilled.folder, source))
        });
        self.blocks.push(block);
        written
    }

    /// The rows that were added last.
    pub(crate) fn last_block(&self) -> &[u32] {
        self.blocks.last().map_or(&[], |block| block)
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// All of them.
    #[cfg(test)]
    pub(crate) fn to_vec(&self) -> Vec<u32> {
        let mut reader = self.reader();
        let mut all = Vec::new();
        while all.len() < self.rows as usize {
            all.extend_from_slice(reader.next(1000).unwrap());
        }
        all
    }

    /// These rows, on disk.
    #[cfg(test)]
    pub(crate) fn spilled(rows: &[u32]) -> Self {
        let mut order = Self::spilling(&std::env::temp_dir()).unwrap();
        order.add(|block| block.extend_from_slice(rows)).unwrap();
        order
    }

    /// Reads them from the beginning.
    pub fn reader(&self) -> OrderReader<'_> {
        self.reader_in(0..self.rows)
    }

    /// Reads some of them.
    pub fn reader_in(&self, rows: Range<u64>) -> OrderReader<'_> {
        let (mut block, mut at) = (0, rows.start);
        let lengths: &mut dyn Iterator<Item = u64> = match (&self.runs, &self.spilled) {
            (Some(runs), _) => &mut runs.iter().map(|(_, times)| u64::from(*times)),
            (None, None) => &mut self.blocks.iter().map(|block| block.len() as u64),
            (None, Some(_)) => &mut std::iter::empty(),
        };
        for rows in lengths {
            if at < rows {
                break;
            }
            at -= rows;
            block += 1;
        }
        OrderReader {
            order: self,
            block,
            at,
            left: rows.end.min(self.rows).saturating_sub(rows.start),
            read: Vec::new(),
        }
    }
}

/// Reads rows one block after the other.
#[derive(Debug)]
pub struct OrderReader<'a> {
    order: &'a FileOrder,
    block: usize,
    /// How many rows of the block, or of the file, were read.
    at: u64,
    /// How many are to be read.
    left: u64,
    read: Vec<u32>,
}

impl OrderReader<'_> {
    /// Some of the next rows, at most as many as are asked for; none only at the end.
    pub fn next(&mut self, most: usize) -> Result<&[u32], IoError> {
        let most = usize::try_from(self.left).map_or(most, |left| left.min(most));
        if let Some(runs) = &self.order.runs {
            self.read.clear();
            while let Some((row, times)) = runs.get(self.block) {
                let rest = u64::from(*times) - self.at;
                let now = rest.min((most - self.read.len()) as u64);
                self.read.resize(self.read.len() + now as usize, *row);
                self.at += now;
                if self.read.len() == most {
                    break;
                }
                self.block += 1;
                self.at = 0;
            }
            self.left -= self.read.len() as u64;
            return Ok(&self.read);
        }
        let Some(spilled) = &self.order.spilled else {
            let blocks = &self.order.blocks[..];
            while blocks
                .get(self.block)
                .is_some_and(|block| block.len() as u64 == self.at)
            {
                self.block += 1;
                self.at = 0;
            }
            let block = blocks.get(self.block).map_or(&[][..], |block| block);
            let rest = &block[self.at as usize..];
            let rows = &rest[..rest.len().min(most)];
            self.at += rows.len() as u64;
            self.left -= rows.len() as u64;
            return Ok(rows);
        };
        let mut bytes = vec![0; most * 4];
        let mut file = spilled.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at * 4))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|source| IoError::file(&spilled.folder, source))?;
        self.at += most as u64;
        self.left -= most as u64;
        let (words, _) = bytes.as_chunks();
        self.read.clear();
        self.read
            .extend(words.iter().map(|word| u32::from_le_bytes(*word)));
        Ok(&self.read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(order: &FileOrder, size: usize) -> Vec<u32> {
        let mut reader = order.reader();
        let mut all = Vec::new();
        loop {
            let block = reader.next(size).unwrap();
            if block.is_empty() {
                return all;
            }
            assert!(block.len() <= size);
            all.extend_from_slice(block);
        }
    }

    #[test]
    fn what_is_spilled_is_read_as_what_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let mut spilling = FileOrder::spilling(folder.path()).unwrap();
        let mut held = FileOrder::default();
        let mut all = Vec::new();
        for block in [0..5u32, 5..5, 5..1000, 1000..1001] {
            for order in [&mut spilling, &mut held] {
                order.add(|rows| rows.extend(block.clone())).unwrap();
                assert_eq!(order.last_block(), block.clone().collect::<Vec<_>>());
            }
            all.extend(block);
        }
        for order in [&mut spilling, &mut held] {
            assert_eq!(order.rows(), 1001);
            for size in [1, 7, 1001, 5000] {
                assert_eq!(read(order, size), all);
            }
            for (start, end) in [(0, 0), (3, 5), (4, 700), (5, 1001), (1000, 1001), (7, 2000)] {
                let mut reader = order.reader_in(start..end);
                let mut some = Vec::new();
                while let rows @ [_, ..] = reader.next(400).unwrap() {
                    some.extend_from_slice(rows);
                }
                assert_eq!(some, all[start as usize..all.len().min(end as usize)]);
            }
        }
        // Nobody else sees it.
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        assert_eq!(spilling.blocks.len(), 1);
    }

    #[test]
    fn runs_are_read_as_the_rows_that_they_stand_for() {
        let runs = vec![(4, 3), (0, 0), (2, 1), (9, 700), (4, 2)];
        let all: Vec<u32> = runs
            .iter()
            .flat_map(|(row, times)| std::iter::repeat_n(*row, *times as usize))
            .collect();
        let order = FileOrder::of_runs(runs);
        assert_eq!(order.rows(), all.len() as u64);
        for size in [1, 2, 7, 1000] {
            assert_eq!(read(&order, size), all);
        }
        for (start, end) in [(0, 0), (2, 4), (3, 705), (704, 9000)] {
            let mut reader = order.reader_in(start..end);
            let mut some = Vec::new();
            while let rows @ [_, ..] = reader.next(400).unwrap() {
                some.extend_from_slice(rows);
            }
            assert_eq!(some, all[start as usize..all.len().min(end as usize)]);
        }
    }

    #[test]
    fn two_readers_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut order = FileOrder::spilling(folder.path()).unwrap();
        order.add(|rows| rows.extend(0..100)).unwrap();
        let (mut one, mut other) = (order.reader(), order.reader());
        assert_eq!(one.next(2).unwrap(), [0, 1]);
        assert_eq!(other.next(3).unwrap(), [0, 1, 2]);
        assert_eq!(one.next(2).unwrap(), [2, 3]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let error = FileOrder::spilling(Path::new("/no/such/folder")).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder: "));
    }
}
