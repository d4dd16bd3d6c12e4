//! What is read, how, and what comes of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrim::Error;
use scrim::table::Table;

use crate::error::IoError;
use crate::feed::Opened;
use crate::lines::RowLines;
use crate::memory::{Held, Memory};
use crate::order::FileOrder;
use crate::sections::Sections;
use crate::{csv_read, files, parquet_read};

/// Where a table comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

impl Source {
    /// A path, or standard input for `-`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::File(path)
        }
    }

    /// Whether it can be read a second time.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self, Self::File(path) if files::is_file(path))
    }

    /// What changes when a file does; nothing for what is no plain file.
    fn state(&self) -> Option<String> {
        match self {
            Self::File(path) if files::is_file(path) => files::state(path),
            _ => None,
        }
    }

    /// The name under which errors speak of it.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Stdin => PathBuf::from("<stdin>"),
        }
    }
}

/// What becomes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is not stored at all.
    Drop,
    /// Its values are kept; all spellings of a missing value are one value.
    Value,
    /// Its texts are kept apart, also the spellings of a missing value.
    AsIs,
}

/// How a source is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// What parts the fields; sniffed where it is not given.
    pub delimiter: Option<u8>,
    /// The texts that stand for a missing value.
    pub nulls: Vec<String>,
    /// Each different row is held once, with how often it stands in the file.
    pub counted: bool,
    /// How much memory a publication of the table may take, where that is limited.
    pub memory: Option<Memory>,
    /// Where the table is counted and its different rows do not fit that memory, it comes in sections on disk.
    pub sections: bool,
    /// Where the table is counted, also which of its rows each row of the file is.
    pub order: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            nulls: vec![String::new()],
            counted: false,
            memory: None,
            sections: false,
            order: false,
        }
    }
}

/// A table that was read, and what is known about its source.
#[derive(Clone, Debug)]
pub struct ReadTable {
    /// The kept columns, in the order of the file.
    pub table: Table,
    /// Where the table is counted and the order was asked for: which of its rows each row of the file is.
    pub order: Option<Arc<FileOrder>>,
    /// Where memory does not hold its different rows: these, in sections. The table has the dictionaries and no row then.
    pub sections: Option<Arc<Sections>>,
    /// What is held of it.
    pub(crate) held: Held,
    /// The names of all columns of the file.
    pub header: Vec<String>,
    /// What parts the fields of a delimited text.
    pub delimiter: Option<u8>,
    /// How many rows there are, also where no column is kept.
    pub rows: u64,
    /// SHA-256 of the file's bytes as they are on disk.
    pub sha256: String,
    /// Number of the file's bytes as they are on disk.
    pub bytes: u64,
    /// Where each row stands in the file.
    pub lines: RowLines,
    /// Whether the file is packed without a checksum, or is Parquet with a page that has none, so that damage may go unnoticed.
    pub unchecked: bool,
    /// For each kept column, how many rows have a text that stands for a missing value.
    pub missing: Vec<(String, u64)>,
}

impl ReadTable {
    /// Gives names and texts others; the function is one-to-one, and gives nothing for what stays.
    pub(crate) fn relabel(&mut self, text: &dyn Fn(&str) -> Option<String>) {
        let named = |name: &mut String| {
            if let Some(other) = text(name) {
                *name = other;
            }
        };
        self.header.iter_mut().for_each(named);
        self.missing.iter_mut().for_each(|(name, _)| {
            if let Some(other) = text(name) {
                *name = other;
            }
        });
        self.table = self.table.clone().relabelled(text);
        if let Some(sections) = self.sections.as_mut().and_then(Arc::get_mut) {
            sections.relabel(text);
        }
    }
}

/// Says, once the header is known, what becomes of each column.
pub type Plan<'a> = &'a mut dyn FnMut(&[String]) -> Result<Vec<Keep>, Error>;

/// Hears how many bytes have been read, and of how many if that is known; its error stops the reading.
pub type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>) -> Result<(), Error>;

/// Reads a table: Parquet or delimited text, packed or not.
pub fn read_table(
    source: &Source,
    options: &ReadOptions,
    plan: Plan<'_>,
    progress: Progress<'_>,
) -> Result<ReadTable, IoError> {
    // What is read is one file as it was at one time, from the first byte to the last.
    let before = source.state();
    let mut opened = Opened::new(source, progress)?;
    if let Some(memory) = &options.memory {
        let limited = opened.decoder.limit_window(memory.for_buffer());
        limited.map_err(|error| IoError::file(&opened.path, error))?;
    }
    let unchecked = opened.decoder.is_unchecked();
    let read = if is_parquet(&opened.path, opened.decoder.head()) {
        parquet_read::read_table(opened, options, plan, progress)
    } else {
        csv_read::read_table(opened, options, plan, progress)
    };
    if source.state() != before {
        return Err(changed(&source.path()));
    }
    read.map(|read| ReadTable {
        unchecked: read.unchecked || unchecked,
        ..read
    })
}

/// Somebody wrote to a file, or replaced it, while it was in use.
fn changed(path: &Path) -> IoError {
    IoError::data(
        files::place(path),
        "the file was changed while it was read",
        Some(
            "wait until whoever writes it has ended, or copy it, and run again; nothing was published",
        ),
    )
}

impl ReadTable {
    /// Refuses a second reading of the same source that met other bytes than this one.
    pub(crate) fn must_equal(&self, again: &Self, source: &Source) -> Result<(), IoError> {
        if self.sha256 == again.sha256 {
            return Ok(());
        }
        Err(changed(&source.path()))
    }
}

/// The names of a table's columns. Of standard input the beginning is used up.
pub fn read_header(source: &Source, options: &ReadOptions) -> Result<Vec<String>, IoError> {
    let opened = Opened::new(source, &mut |_, _| Ok(()))?;
    if is_parquet(&opened.path, opened.decoder.head()) {
        parquet_read::read_header(opened)
    } else {
        csv_read::read_header(opened, options)
    }
}

/// By the name's ending; where that says nothing, by the first bytes.
fn is_parquet(path: &Path, head: [u8; 4]) -> bool {
    let ending = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("parquet" | "parq" | "pq") => true,
        Some("csv" | "tsv" | "tab" | "txt" | "gz" | "zst") => false,
        _ => head == *b"PAR1",
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    const TEXT: &[u8] = b"a,b\n1,2\n3,4\n";

    /// Reads a table, with something that happens while it is read.
    fn read_while(path: &Path, mut happens: impl FnMut()) -> Result<ReadTable, IoError> {
        let source = Source::File(path.to_owned());
        let keep = &mut |header: &[String]| Ok(vec![Keep::Value; header.len()]);
        read_table(&source, &ReadOptions::default(), keep, &mut |_, _| {
            happens();
            Ok(())
        })
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("a.csv"), dir.path().join("b.csv"));
        let write = |path: &Path, text: &[u8]| files::write_bytes(path, text).unwrap();
        write(&path, TEXT);
        assert_eq!(read_while(&path, || {}).unwrap().rows, 2);
        let longer = [TEXT, b"5,6\n"].concat();
        let grown = read_while(&path, || write(&path, &longer)).unwrap_err();
        assert!(
            grown.to_string().contains("was changed while it was read"),
            "{grown}"
        );
        // The same bytes in another file of the same name.
        write(&path, TEXT);
        let replaced = read_while(&path, || {
            write(&other, TEXT);
            files::rename(&other, &path).unwrap();
        });
        assert!(replaced.unwrap_err().to_string().contains("was changed"));
    }

    #[test]
    fn a_packed_file_without_a_checksum_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv.zst");
        for checked in [false, true] {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            encoder.include_checksum(checked).unwrap();
            io::Write::write_all(&mut encoder, TEXT).unwrap();
            files::write_bytes(&path, &encoder.finish().unwrap()).unwrap();
            let read = read_while(&path, || {}).unwrap();
            assert_eq!((read.unchecked, read.rows), (!checked, 2));
        }
    }

    fn read_within(path: &Path, memory: u64) -> Result<ReadTable, IoError> {
        let keep = &mut |header: &[String]| Ok(vec![Keep::Value; header.len()]);
        let options = ReadOptions {
            memory: Some(Memory::new(memory, Path::new("."))),
            ..ReadOptions::default()
        };
        let source = Source::File(path.to_owned());
        read_table(&source, &options, keep, &mut |_, _| Ok(()))
    }

    #[test]
    fn a_packed_file_that_needs_a_large_window_is_refused_by_the_name_of_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv.zst");
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.long_distance_matching(true).unwrap();
        encoder.window_log(27).unwrap();
        io::Write::write_all(&mut encoder, TEXT).unwrap();
        files::write_bytes(&path, &encoder.finish().unwrap()).unwrap();
        let error = read_within(&path, 200 << 20).unwrap_err().to_string();
        assert!(error.contains("a quarter of --memory"), "{error}");
        assert_eq!(read_within(&path, 1 << 30).unwrap().rows, 2);
    }

    /// No field of it is too long, and a table of so many columns may have lines that long.
    #[test]
    fn a_line_without_end_is_refused_by_the_name_of_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let names: Vec<String> = (0..40).map(|at| format!("c{at}")).collect();
        let text = names.join(",") + "\n" + &"a,".repeat(15_000_000);
        files::write_bytes(&path, text.as_bytes()).unwrap();
        let error = read_within(&path, 90 << 20).unwrap_err().to_string();
        assert!(error.contains("line 2 takes more than"), "{error}");
        assert!(error.contains("a quarter of --memory"), "{error}");
    }

    #[test]
    fn a_second_reading_must_meet_the_same_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        files::write_bytes(&path, TEXT).unwrap();
        let first = read_while(&path, || {}).unwrap();
        let source = Source::File(path.clone());
        first
            .must_equal(&read_while(&path, || {}).unwrap(), &source)
            .unwrap();
        files::write_bytes(&path, b"a,b\n1,2\n3,5\n").unwrap();
        let again = read_while(&path, || {}).unwrap();
        assert!(first.must_equal(&again, &source).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_without_a_writer_can_be_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let (silent, path) = (dir.path().join("silent.csv"), dir.path().join("pipe.csv"));
        let made = std::process::Command::new("mkfifo")
            .args([&silent, &path])
            .status();
        if !made.is_ok_and(|made| made.success()) {
            return;
        }
        let source = Source::File(silent);
        let keep = &mut |header: &[String]| Ok(vec![Keep::Value; header.len()]);
        let stop = &mut |_, _| Err(Error::Interrupted);
        let stopped = read_table(&source, &ReadOptions::default(), keep, stop);
        assert!(matches!(stopped, Err(IoError::Scrim(Error::Interrupted))));
        // One with a writer is read like any other.
        let writer = std::thread::spawn({
            let path = path.clone();
            move || files::write_bytes(&path, TEXT)
        });
        assert_eq!(read_while(&path, || {}).unwrap().rows, 2);
        writer.join().unwrap().unwrap();
    }
}
