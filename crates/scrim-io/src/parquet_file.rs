//! The bytes of a Parquet file, a row group at a time, with the digest of all of them.
//!
//! **Reading.** What a file holds is told at its end, so the end is read first; then the file is read once from its start, and a row
//! group's bytes are held while it is read. The end is met again in that pass and must be what it was, so that the digest is that
//! of the bytes that were read. A source that cannot be read twice, and a file whose row groups do not stand one after the other, is
//! held whole.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use bytes::{Buf, Bytes};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};

use crate::decode::Format;
use crate::digest::Hashing;
use crate::error::IoError;
use crate::feed::{BLOCK, Digested, Feed, Opened};
use crate::files;
use crate::memory::Memory;
use crate::parquet_pages;
use crate::source::Progress;

/// What is held of a Parquet file that cannot be read twice.
const HELD: &str = "this Parquet file is packed, comes through a pipe or has row groups out of order, so all of it is held, and";

/// What is held of any other.
const GROUP: &str = "a row group of this Parquet file";

/// The footer's length and the mark behind it.
const MARK: u64 = 8;

/// Some bytes of a file, under their places in it.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    start: u64,
    bytes: Bytes,
    /// The length of the file.
    length: u64,
}

impl Length for Window {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Window {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let start = self.place(start)?;
        Ok(self.bytes.slice(start..).reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let start = self.place(start)?;
        let end = start.checked_add(length);
        let end = end.filter(|end| *end <= self.bytes.len());
        Ok(self.bytes.slice(start..end.ok_or_else(beyond)?))
    }
}

impl Window {
    fn place(&self, at: u64) -> ParquetResult<usize> {
        let place = at.checked_sub(self.start);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let place = place.filter(|place| *place <= self.bytes.len());
        place.ok_or_else(beyond)
    }
}

fn beyond() -> ParquetError {
    ParquetError::EOF("it names bytes that are not where they should be".to_owned())
}

/// A Parquet file that is being read.
pub(crate) struct ParquetFile {
    path: PathBuf,
    pub(crate) metadata: ArrowReaderMetadata,
    medium: Medium,
}

enum Medium {
    /// All of it.
    Held(Window, Digested),
    /// Read up to where `file` stands, and its end.
    Streamed { file: Hashing<File>, end: Window },
}

impl ParquetFile {
    /// Opens a source; `say` words what the crate says of one that is none.
    pub(crate) fn open(
        opened: Opened,
        options: ArrowReaderOptions,
        memory: Option<&Memory>,
        progress: Progress<'_>,
        say: impl Fn(&dyn std::error::Error) -> IoError,
    ) -> Result<Self, IoError> {
        let path = opened.path.clone();
        if opened.total.is_some()
            && opened.decoder.format() == Format::Plain
            && let Ok(mut file) = files::open(&path)
            && let Some(end) = end_of(&mut file).map_err(|source| IoError::file(&path, source))?
        {
            let metadata =
                ArrowReaderMetadata::load(&end, options.clone()).map_err(|error| say(&error))?;
            if ranges(&metadata, end.start).is_some() {
                file.seek(SeekFrom::Start(0))
                    .map_err(|source| IoError::file(&path, source))?;
                let file = Hashing::new(file);
                return Ok(Self {
                    path,
                    metadata,
                    medium: Medium::Streamed { file, end },
                });
            }
        }
        let mut feed = Feed::start(opened, BLOCK)?;
        let mut bytes = Vec::new();
        while let Some(block) = feed.next(progress)? {
            bytes.extend_from_slice(&block);
            let held = bytes.len() as u64;
            memory.map_or(Ok(()), |memory| memory.must_do_for(&path, HELD, held))?;
        }
        if bytes.is_empty() {
            return Err(IoError::data(
                files::place(&path),
                "the file is empty",
                None,
            ));
        }
        let length = bytes.len() as u64;
        let window = Window {
            start: 0,
            bytes: bytes.into(),
            length,
        };
        let metadata = ArrowReaderMetadata::load(&window, options).map_err(|error| say(&error))?;
        Ok(Self {
            path,
            metadata,
            medium: Medium::Held(window, feed.digested()?),
        })
    }

    /// The bytes of the row group of this number; they are asked for in order.
    pub(crate) fn group(
        &mut self,
        number: usize,
        memory: Option<&Memory>,
    ) -> Result<Window, IoError> {
        let failed = |source| IoError::file(&self.path, source);
        match &mut self.medium {
            Medium::Held(window, _) => Ok(window.clone()),
            Medium::Streamed { file, end } => {
                let ranges = ranges(&self.metadata, end.start);
                let range = ranges.and_then(|mut ranges| ranges.get_mut(number).cloned());
                let range = range.ok_or_else(|| IoError::internal("a row group that is none"))?;
                skip(file, range.start).map_err(failed)?;
                let length = range.end - range.start;
                memory.map_or(Ok(()), |memory| {
                    memory.must_do_for(&self.path, GROUP, length)
                })?;
                let mut bytes = vec![0; length as usize];
                file.read_exact(&mut bytes).map_err(failed)?;
                Ok(Window {
                    start: range.start,
                    bytes: bytes.into(),
                    length: end.length,
                })
            }
        }
    }

    /// How far it was read, and how long it is.
    pub(crate) fn done(&self) -> (u64, u64) {
        match &self.medium {
            Medium::Held(_, digested) => (digested.bytes, digested.bytes),
            Medium::Streamed { file, end } => (file.passed(), end.length),
        }
    }

    /// Digest and length of all that was read.
    pub(crate) fn digested(self) -> Result<Digested, IoError> {
        let failed = |source| IoError::file(&self.path, source);
        match self.medium {
            Medium::Held(_, digested) => Ok(digested),
            Medium::Streamed { mut file, end } => {
                skip(&mut file, end.start).map_err(failed)?;
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).map_err(failed)?;
                if bytes != *end.bytes {
                    return Err(IoError::data(
                        files::place(&self.path),
                        "the file was changed while it was read",
                        Some("run it again when nobody writes to it"),
                    ));
                }
                Ok(Digested {
                    sha256: file.hex(),
                    bytes: file.passed(),
                })
            }
        }
    }
}

/// The end of a file, where it looks like one.
fn end_of(file: &mut File) -> std::io::Result<Option<Window>> {
    let length = file.seek(SeekFrom::End(0))?;
    if length < MARK + 4 {
        return Ok(None);
    }
    let mut mark = [0; MARK as usize];
    file.seek(SeekFrom::Start(length - MARK))?;
    file.read_exact(&mut mark)?;
    let [a, b, c, d, magic @ ..] = mark;
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    let Some(start) = length
        .checked_sub(footer + MARK)
        .filter(|_| magic == *b"PAR1")
    else {
        return Ok(None);
    };
    let mut bytes = vec![0; (length - start) as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(Some(Window {
        start,
        bytes: bytes.into(),
        length,
    }))
}

/// Where the row groups stand, if that is one after the other and before the end.
fn ranges(metadata: &ArrowReaderMetadata, end: u64) -> Option<Vec<Range<u64>>> {
    let mut after = 0;
    let groups = metadata.metadata().row_groups().iter();
    groups
        .map(|group| {
            let range = range(group)?;
            let follows = range.start >= after && range.end <= end;
            after = range.end;
            follows.then_some(range)
        })
        .collect()
}

fn range(group: &RowGroupMetaData) -> Option<Range<u64>> {
    let (mut start, mut end) = (u64::MAX, 0u64);
    for column in group.columns() {
        let own = parquet_pages::place(column)?;
        start = start.min(own.start);
        end = end.max(own.end);
    }
    (start <= end).then_some(start..end)
}

/// Reads up to a place, so that it is hashed too.
fn skip(file: &mut Hashing<File>, to: u64) -> std::io::Result<()> {
    let gap = to.saturating_sub(file.passed());
    let skipped = std::io::copy(&mut file.by_ref().take(gap), &mut std::io::sink())?;
    if skipped == gap {
        return Ok(());
    }
    Err(std::io::ErrorKind::UnexpectedEof.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use parquet::file::properties::WriterProperties;

    use super::*;
    use crate::{Keep, ReadOptions, Source, read_table};

    /// Row groups of two rows, each with values of its own.
    fn write(path: &Path, rows: usize) {
        let texts: Vec<Option<String>> = (0..rows)
            .map(|row| (row % 5 != 4).then(|| format!("v{}", row / 3)))
            .collect();
        let column: ArrayRef = Arc::new(StringArray::from(texts));
        let batch = RecordBatch::try_from_iter([("t", column)]).unwrap();
        let properties = WriterProperties::builder().set_max_row_group_row_count(Some(2));
        let file = files::create(path).unwrap();
        let mut writer =
            ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    fn open(path: &Path) -> Result<ParquetFile, IoError> {
        let opened = Opened::new(&Source::File(path.to_owned()), &mut |_, _| Ok(()))?;
        let say = |error: &dyn std::error::Error| IoError::internal(&error.to_string());
        let options = ArrowReaderOptions::new();
        ParquetFile::open(opened, options, None, &mut |_, _| Ok(()), say)
    }

    #[test]
    fn a_row_group_at_a_time_gives_all_rows_and_the_digest_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write(&path, 11);
        let file = open(&path).unwrap();
        assert!(matches!(file.medium, Medium::Streamed { .. }));
        assert_eq!(file.metadata.metadata().num_row_groups(), 6);
        let plan = &mut |names: &[String]| Ok(vec![Keep::AsIs; names.len()]);
        let source = Source::File(path.clone());
        let read = read_table(&source, &ReadOptions::default(), plan, &mut |_, _| Ok(())).unwrap();
        let column = &read.table.columns()[0];
        let texts: Vec<&str> = (0..11).map(|row| column.text(row)).collect();
        assert_eq!(
            texts,
            ["v0", "v0", "v0", "v1", "", "v1", "v2", "v2", "v2", "", "v3"]
        );
        assert_eq!(read.sha256, files::sha256_file(&path).unwrap());
        assert_eq!(read.bytes, files::read_bytes(&path).unwrap().len() as u64);
    }

    #[test]
    fn pages_without_a_checksum_are_noticed_and_large_ones_are_refused_by_the_name_of_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write(&path, 11);
        let read = |path: &Path, memory: Option<u64>| {
            let plan = &mut |names: &[String]| Ok(vec![Keep::AsIs; names.len()]);
            let options = ReadOptions {
                memory: memory.map(|limit| Memory::new(limit, dir.path())),
                ..ReadOptions::default()
            };
            let source = Source::File(path.to_owned());
            read_table(&source, &options, plan, &mut |_, _| Ok(()))
        };
        assert!(read(&path, None).unwrap().unchecked);
        assert!(read(&path, Some(1 << 30)).is_ok());
        // One text of 60 MB a row, which packs to almost nothing.
        let text = "a".repeat(60_000_000);
        let column: ArrayRef = Arc::new(StringArray::from(vec![text]));
        let batch = RecordBatch::try_from_iter([("t", column)]).unwrap();
        let packed = parquet::basic::Compression::ZSTD(parquet::basic::ZstdLevel::default());
        let properties = WriterProperties::builder()
            .set_compression(packed)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(parquet::file::properties::EnabledStatistics::None);
        let file = files::create(&path).unwrap();
        let mut writer =
            ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        assert!(files::length(&path).unwrap() < 100_000);
        let error = read(&path, Some(200 << 20)).unwrap_err().to_string();
        assert!(error.contains("a page of each column"), "{error}");
        assert!(error.contains("a quarter of --memory"), "{error}");
        // The same packed once more is held whole.
        let twice = dir.path().join("b.parquet");
        let bytes = vec![0; 60_000_000];
        files::write_bytes(&twice, &zstd::encode_all(&bytes[..], 1).unwrap()).unwrap();
        let error = read(&twice, Some(200 << 20)).unwrap_err().to_string();
        assert!(error.contains("all of it is held"), "{error}");
    }

    #[test]
    fn a_file_that_is_changed_while_it_is_read_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write(&path, 11);
        let mut file = open(&path).unwrap();
        file.group(0, None).unwrap();
        let mut writer = File::options().append(true).open(&path).unwrap();
        writer.write_all(b"more").unwrap();
        let error = file.digested().err().unwrap();
        assert!(
            error.to_string().contains("changed while it was read"),
            "{error}"
        );
    }
}
