//! Different rows that memory does not hold: the table in sections of its file, on disk.
//!
//! **Reading.** While a table is counted and its different rows outgrow the memory, they are put away and counting begins anew with the
//! next row of the file. So a section has the different rows of some neighbouring rows of the file, with how often each stands among
//! them; two sections may have the same row. All share the dictionaries, which are held. Which of its section's rows a row of the
//! file is, is what [`FileOrder`](crate::FileOrder) says. The file has no name: nobody else sees it, and it goes with the process.
//! **Cost.** As many bytes of disk as the different rows of all sections have in memory, written once; a section is read as a whole.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use scrim::frequency::Counting;
use scrim::table::{Code, Codes, Column, Table};

use crate::error::IoError;

/// A table in sections.
#[derive(Debug)]
pub struct Sections {
    put: Putting,
    /// Names and dictionaries.
    columns: Vec<Column>,
    /// By column: the code in the dictionary of each code on disk, where values were numbered anew.
    renumbered: Option<Vec<Vec<Code>>>,
}

/// Sections while they are put away.
#[derive(Debug)]
pub(crate) struct Putting {
    folder: PathBuf,
    file: Mutex<File>,
    sections: Vec<Section>,
    /// Bytes so far.
    length: u64,
}

#[derive(Debug)]
struct Section {
    start: u64,
    /// Different rows.
    rows: usize,
    /// Which rows of the file.
    of_file: Range<u64>,
    /// The bytes of a code, by column.
    widths: Vec<u8>,
    different: bool,
}

impl Putting {
    /// No section yet; they go to a file on the disk of this folder.
    pub(crate) fn new(folder: &Path) -> Result<Self, IoError> {
        let file = tempfile::tempfile_in(folder).map_err(|source| IoError::file(folder, source))?;
        Ok(Self {
            folder: folder.to_owned(),
            file: Mutex::new(file),
            sections: Vec::new(),
            length: 0,
        })
    }

    /// Puts the rows away that were counted since the last section, of columns that have so many values by now.
    pub(crate) fn put(
        &mut self,
        counting: Counting,
        values: &[usize],
        of_file: Range<u64>,
    ) -> Result<(), IoError> {
        let start = self.length;
        let (rows, different) = (counting.len(), counting.tells_apart());
        let mut widths = Vec::with_capacity(values.len());
        let mut bytes = 0;
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        let write = || {
            for (column, values) in values.iter().enumerate() {
                let codes = counting.codes(column, *values);
                widths.push(width(&codes));
                bytes += put_codes(&codes, &mut writer)?;
            }
            let (times, first) = counting.finish();
            bytes += put_all(times.iter().map(|times| times.to_le_bytes()), &mut writer)?;
            bytes += put_all(first.iter().map(|first| first.to_le_bytes()), &mut writer)?;
            writer.flush()
        };
        write().map_err(|source| IoError::file(&self.folder, source))?;
        self.length += bytes;
        self.sections.push(Section {
            start,
            rows,
            of_file,
            widths,
            different,
        });
        Ok(())
    }

    /// The row of the file with which the next section begins.
    pub(crate) fn next_row(&self) -> u64 {
        self.sections.last().map_or(0, |last| last.of_file.end)
    }

    /// The table of all sections, whose columns have these names and dictionaries.
    pub(crate) fn finish(self, columns: Vec<Column>) -> Sections {
        Sections {
            put: self,
            columns,
            renumbered: None,
        }
    }
}

impl Sections {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.put.sections.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.put.sections.is_empty()
    }

    /// Gives names and texts others, one-to-one.
    pub(crate) fn relabel(&mut self, text: &dyn Fn(&str) -> Option<String>) {
        if let Some(empty) = Table::new(std::mem::take(&mut self.columns)) {
            self.columns = empty.relabelled(text).columns().to_vec();
        }
    }

    /// Numbers values by their texts, so that codes do not depend on the order of the file ([`Table::canonical`]).
    pub(crate) fn renumber(&mut self) {
        let columns = self.columns.iter();
        let codes = columns.map(|column| column.dictionary().sorted_codes());
        self.renumbered = Some(codes.collect());
        if let Some(empty) = Table::new(std::mem::take(&mut self.columns)) {
            self.columns = empty.canonical().0.columns().to_vec();
        }
    }

    /// Which rows of the file a section has.
    pub fn of_file(&self, section: usize) -> Range<u64> {
        self.put.sections[section].of_file.clone()
    }

    /// A section as a counted table.
    pub fn table(&self, section: usize) -> Result<Table, IoError> {
        let Section {
            start,
            rows,
            widths,
            different,
            ..
        } = &self.put.sections[section];
        let failed = |source| IoError::file(&self.put.folder, source);
        let file = self.put.file.lock();
        let mut file = file.unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(*start)).map_err(failed)?;
        let mut reader = BufReader::with_capacity(1 << 16, &mut *file);
        let mut codes = Vec::with_capacity(widths.len());
        for (at, width) in widths.iter().enumerate() {
            let read = get_codes(*width, *rows, &mut reader).map_err(failed)?;
            let read = match &self.renumbered {
                Some(renumbered) => read.translated(&renumbered[at]),
                None => Some(read),
            };
            let unknown = || IoError::internal("a section is not what was put away");
            codes.push(read.ok_or_else(unknown)?);
        }
        let times = get_all(*rows, u32::from_le_bytes, &mut reader).map_err(failed)?;
        let first = get_all(*rows, u64::from_le_bytes, &mut reader).map_err(failed)?;
        let columns = self.columns.iter().zip(codes);
        let columns: Option<Vec<Column>> = columns
            .map(|(column, codes)| column.with_codes(codes))
            .collect();
        let table = columns.and_then(|columns| Table::counted(columns, times, first));
        let table = table.ok_or_else(|| IoError::internal("a section is not what was put away"))?;
        Ok(if *different {
            table.all_different()
        } else {
            table
        })
    }

    /// A table of at most as many rows as there are values: those in which a value stands first in the file, standing for all rows.
    pub(crate) fn first_rows(&self) -> Result<Table, IoError> {
        let seen = |column: &Column| vec![false; column.dictionary().len()];
        let mut seen: Vec<Vec<bool>> = self.columns.iter().map(seen).collect();
        let mut codes = vec![Vec::new(); self.columns.len()];
        let mut firsts = Vec::new();
        let mut margins: Vec<Vec<u64>> = seen.iter().map(|seen| vec![0; seen.len()]).collect();
        for section in 0..self.len() {
            let table = self.table(section)?;
            for (margin, column) in margins.iter_mut().zip(table.columns()) {
                let own = column.counts();
                margin
                    .iter_mut()
                    .zip(own)
                    .for_each(|(all, own)| *all += own);
            }
            let mut rows = Vec::new();
            for (seen, column) in seen.iter_mut().zip(table.columns()) {
                column.codes().for_each(|row, code| {
                    if !std::mem::replace(&mut seen[code as usize], true) {
                        rows.push(row);
                    }
                });
            }
            rows.sort_unstable();
            rows.dedup();
            for (codes, column) in codes.iter_mut().zip(table.columns()) {
                codes.extend(rows.iter().map(|row| column.codes().get(*row)));
            }
            firsts.extend(rows.iter().map(|row| table.first(*row)));
        }
        let columns = self.columns.iter().zip(codes);
        let columns: Option<Vec<Column>> = columns
            .map(|(column, codes)| column.with_codes(Codes::U32(codes)))
            .collect();
        let times = vec![1; firsts.len()];
        let table = columns.and_then(|columns| Table::counted(columns, times, firsts));
        let table = table.and_then(|table| table.with_margins(&margins));
        table.ok_or_else(|| IoError::internal("a section is not what was put away"))
    }
}

fn width(codes: &Codes) -> u8 {
    match codes {
        Codes::U8(_) => 1,
        Codes::U16(_) => 2,
        Codes::U32(_) => 4,
    }
}

fn put_codes(codes: &Codes, into: &mut impl Write) -> std::io::Result<u64> {
    match codes {
        Codes::U8(codes) => put_all(codes.iter().map(|code| [*code]), into),
        Codes::U16(codes) => put_all(codes.iter().map(|code| code.to_le_bytes()), into),
        Codes::U32(codes) => put_all(codes.iter().map(|code| code.to_le_bytes()), into),
    }
}

fn get_codes(width: u8, rows: usize, from: &mut impl Read) -> std::io::Result<Codes> {
    Ok(match width {
        1 => Codes::U8(get_all(rows, u8::from_le_bytes, from)?),
        2 => Codes::U16(get_all(rows, u16::from_le_bytes, from)?),
        _ => Codes::U32(get_all(rows, u32::from_le_bytes, from)?),
    })
}

/// Writes numbers, and tells how many bytes they are.
pub(crate) fn put_all<const N: usize>(
    numbers: impl Iterator<Item = [u8; N]>,
    into: &mut impl Write,
) -> std::io::Result<u64> {
    let mut bytes = 0;
    for number in numbers {
        into.write_all(&number)?;
        bytes += N as u64;
    }
    Ok(bytes)
}

/// Reads so many numbers.
pub(crate) fn get_all<T, const N: usize>(
    count: usize,
    number: impl Fn([u8; N]) -> T,
    from: &mut impl Read,
) -> std::io::Result<Vec<T>> {
    const AT_ONCE: usize = 1 << 13;
    let mut all = Vec::with_capacity(count);
    let mut bytes = vec![[0; N]; count.min(AT_ONCE)];
    while all.len() < count {
        let now = &mut bytes[..(count - all.len()).min(AT_ONCE)];
        from.read_exact(now.as_flattened_mut())?;
        all.extend(now.iter().map(|bytes| number(*bytes)));
    }
    Ok(all)
}
