//! The first record of a delimited text: the names of the columns.
//!
//! **Reading.** Every column has a name, and no two have the same. Names are taken as they stand, spaces too.

use rustc_hash::FxHashMap;
use scrim::Place;

use crate::error::IoError;
use crate::field::{LONGEST, record};
use crate::foreign;
use crate::pending::Pending;
use crate::piece::{Fault, FaultKind};
use crate::sniff::sniff;
use crate::source::{Progress, ReadOptions};
use crate::utf8;

const MARK: &[u8] = b"\xef\xbb\xbf";
const SAMPLE: usize = 1 << 18;
/// A header of more than this is none.
const LONGEST_HEADER: usize = 16 * LONGEST;

/// The names, and what parts the fields below them.
pub(crate) struct Header {
    pub(crate) names: Vec<String>,
    pub(crate) delimiter: u8,
}

impl Header {
    /// Reads the header and leaves the text at the first row.
    pub(crate) fn read(
        text: &mut Pending,
        options: &ReadOptions,
        progress: Progress<'_>,
    ) -> Result<Self, IoError> {
        text.more(progress)?;
        if let Some(fault) = foreign::fault(&text.file, &text.buffer) {
            return Err(fault);
        }
        if text.buffer.starts_with(MARK) {
            text.consume(MARK.len());
        }
        let sample = &text.buffer[..text.buffer.len().min(SAMPLE)];
        let delimiter = options
            .delimiter
            .unwrap_or_else(|| sniff(text.file.as_ref(), sample));
        if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\r' | b'\n') {
            let what = "the delimiter must be an ASCII character, but no quote and no line end";
            return Err(IoError::data(text.place(), what, None));
        }
        loop {
            match record(&text.buffer, 0, delimiter) {
                Some((fields, next, at_end)) if text.at_end || !at_end => {
                    return Self::accept(text, fields, next, delimiter);
                }
                found if text.at_end || text.buffer.len() > LONGEST_HEADER => {
                    let kind = if found.is_none() {
                        FaultKind::OpenQuote
                    } else {
                        FaultKind::LongField
                    };
                    return Err(text.fault(&Fault { at: 0, kind }, 1, 0..text.buffer.len()));
                }
                _ => text.more(progress)?,
            }
        }
    }

    fn accept(
        text: &mut Pending,
        fields: Vec<Vec<u8>>,
        next: usize,
        delimiter: u8,
    ) -> Result<Self, IoError> {
        let head = &text.buffer[..next];
        if text.buffer.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
            let hint = "a table begins with a line of column names";
            return Err(IoError::data(text.place(), "the file is empty", Some(hint)));
        }
        // Else the whole file would be taken for the header, and its cells for names.
        if !head.contains(&b'\n') && head[..next - 1].contains(&b'\r') {
            let what = "the lines of this file end with CR alone";
            let hint = "save the file with LF or CR LF line ends";
            return Err(IoError::data(text.place(), what, Some(hint)));
        }
        let names: Result<Vec<String>, _> = fields.into_iter().map(String::from_utf8).collect();
        let names = names.map_err(|_| utf8::fault(&text.file, head, 0, text.bytes))?;
        check_names(&names).map_err(|what| {
            let hint = "the first line gives each column a name of its own";
            IoError::data(Place::line(&text.file, 1), what, Some(hint))
        })?;
        text.consume(next);
        Ok(Self { names, delimiter })
    }
}

/// Whether every column has a name of its own; else what is wrong.
pub(crate) fn check_names(names: &[String]) -> Result<(), String> {
    // Names are not shown: a file without a header has a person's values here.
    let mut seen = FxHashMap::default();
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(format!("column {} of the header has no name", at + 1));
        }
        if let Some(first) = seen.insert(name, at) {
            let (first, second) = (first + 1, at + 1);
            return Err(format!(
                "columns {first} and {second} of the header have the same name"
            ));
        }
    }
    Ok(())
}
