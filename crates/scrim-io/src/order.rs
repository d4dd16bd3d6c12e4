//! Which different row each row of a file is, in the order of the file.
//!
//! Four bytes a row, the only thing that grows with the rows of a counted table: held, or where memory is scarce in a file without a
//! name, which nobody else sees and which goes with the process. It is made and read from its beginning to its end.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::IoError;

/// The rows of a file, by the numbers of different rows.
#[derive(Debug, Default)]
pub struct FileOrder {
    /// All, or those that are not in the file yet.
    held: Vec<u32>,
    /// Where the last block begins among these.
    last: usize,
    spilled: Option<Spilled>,
}

#[derive(Debug)]
struct Spilled {
    folder: PathBuf,
    file: Mutex<File>,
    rows: u64,
}

impl From<Vec<u32>> for FileOrder {
    fn from(held: Vec<u32>) -> Self {
        Self {
            held,
            last: 0,
            spilled: None,
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
            rows: 0,
        };
        Ok(Self {
            spilled: Some(spilled),
            ..Self::default()
        })
    }

    /// Where the numbers of the next rows go, behind others.
    pub(crate) fn next_block(&mut self) -> Result<&mut Vec<u32>, IoError> {
        self.spill()?;
        self.last = self.held.len();
        Ok(&mut self.held)
    }

    /// The numbers that were added last.
    pub(crate) fn last_block(&self) -> &[u32] {
        &self.held[self.last..]
    }

    /// Says that no row follows.
    pub(crate) fn close(&mut self) -> Result<(), IoError> {
        self.spill()
    }

    fn spill(&mut self) -> Result<(), IoError> {
        let Some(spilled) = &mut self.spilled else {
            return Ok(());
        };
        let bytes: Vec<u8> = self.held.iter().flat_map(|row| row.to_le_bytes()).collect();
        spilled.rows += self.held.len() as u64;
        self.held.clear();
        let file = spilled
            .file
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        file.write_all(&bytes)
            .map_err(|source| IoError::file(&spilled.folder, source))
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        let spilled = self.spilled.as_ref().map_or(0, |spilled| spilled.rows);
        spilled + self.held.len() as u64
    }

    /// All of them.
    #[cfg(test)]
    pub(crate) fn to_vec(&self) -> Vec<u32> {
        self.reader().next(usize::MAX).unwrap().to_vec()
    }

    /// These rows, on disk.
    #[cfg(test)]
    pub(crate) fn spilled(rows: &[u32]) -> Self {
        let mut order = Self::spilling(&std::env::temp_dir()).unwrap();
        order.next_block().unwrap().extend_from_slice(rows);
        order.close().unwrap();
        order
    }

    /// Reads them from the beginning.
    pub fn reader(&self) -> OrderReader<'_> {
        OrderReader {
            order: self,
            at: 0,
            block: Vec::new(),
        }
    }
}

/// Reads rows one block after the other.
#[derive(Debug)]
pub struct OrderReader<'a> {
    order: &'a FileOrder,
    at: u64,
    block: Vec<u32>,
}

impl OrderReader<'_> {
    /// The next rows, as many as are asked for, or as are left.
    pub fn next(&mut self, rows: usize) -> Result<&[u32], IoError> {
        let left = self.order.rows() - self.at;
        let rows = usize::try_from(left).map_or(rows, |left| left.min(rows));
        let at = self.at;
        self.at += rows as u64;
        let Some(spilled) = &self.order.spilled else {
            let at = at as usize;
            return Ok(&self.order.held[at..at + rows]);
        };
        let mut bytes = vec![0; rows * 4];
        let mut file = spilled.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at * 4))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|source| IoError::file(&spilled.folder, source))?;
        let (words, _) = bytes.as_chunks();
        self.block.clear();
        self.block
            .extend(words.iter().map(|word| u32::from_le_bytes(*word)));
        Ok(&self.block)
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
            assert!(block.len() == size || all.len() + block.len() == order.rows() as usize);
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
                order.next_block().unwrap().extend(block.clone());
                assert_eq!(order.last_block(), block.clone().collect::<Vec<_>>());
            }
            all.extend(block);
        }
        for order in [&mut spilling, &mut held] {
            order.close().unwrap();
            assert_eq!(order.rows(), 1001);
            for size in [1, 7, 1001, 5000] {
                assert_eq!(read(order, size), all);
            }
        }
        // Nobody else sees it.
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        assert!(spilling.held.is_empty());
    }

    #[test]
    fn two_readers_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut order = FileOrder::spilling(folder.path()).unwrap();
        order.next_block().unwrap().extend(0..100);
        order.close().unwrap();
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
