//! The text of a source that is not parsed yet, and where in the file it stands.

use std::ops::Range;

use memchr::memchr_iter;
use scrim::{Place, counted};

use crate::error::IoError;
use crate::feed::{Feed, Opened};
use crate::piece::{Fault, FaultKind};
use crate::source::Progress;
use crate::utf8;

const CLOSE_QUOTES: &str = "is a quote not closed, or the delimiter another one?";

/// Text that begins with a record.
pub(crate) struct Pending {
    pub(crate) file: String,
    pub(crate) feed: Feed,
    pub(crate) buffer: Vec<u8>,
    pub(crate) at_end: bool,
    /// Lines and bytes of the file before the buffer.
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
}

impl Pending {
    pub(crate) fn new(opened: Opened, block: usize) -> Result<Self, IoError> {
        let file = opened.path.display().to_string();
        let feed = Feed::start(opened, block)?;
        Ok(Self {
            file,
            feed,
            buffer: Vec::new(),
            at_end: false,
            lines: 0,
            bytes: 0,
        })
    }

    /// Adds a block to the text.
    pub(crate) fn more(&mut self, progress: Progress<'_>) -> Result<(), IoError> {
        match self.feed.next(progress)? {
            None => self.at_end = true,
            Some(block) if self.buffer.is_empty() => self.buffer = block,
            Some(block) => {
                self.buffer.extend_from_slice(&block);
                self.feed.give_back(block);
            }
        }
        Ok(())
    }

    /// Leaves off the first bytes of the buffer.
    pub(crate) fn consume(&mut self, count: usize) {
        self.lines += memchr_iter(b'\n', &self.buffer[..count]).count() as u64;
        self.bytes += count as u64;
        self.leave_off(count);
    }

    /// Leaves off bytes that are counted already.
    pub(crate) fn leave_off(&mut self, count: usize) {
        if count == self.buffer.len() {
            self.feed.give_back(std::mem::take(&mut self.buffer));
        } else {
            self.buffer.drain(..count);
        }
    }

    /// The place that is the whole file.
    pub(crate) fn place(&self) -> Place {
        Place::file(&self.file)
    }

    /// The error for a fault in a piece; lines and bytes are those before the piece.
    pub(crate) fn fault(&self, fault: &Fault, width: usize, piece: Range<usize>) -> IoError {
        let bytes = &self.buffer[piece];
        let line = self.lines + memchr_iter(b'\n', &bytes[..fault.at]).count() as u64 + 1;
        let (what, hint) = match fault.kind {
            FaultKind::Encoding => return utf8::fault(&self.file, bytes, self.lines, self.bytes),
            FaultKind::Ragged { fields } => {
                let fields = counted(fields, "field");
                let what = format!("this row has {fields}, but the header has {width}");
                (
                    what,
                    "a field that holds the delimiter must stand in quotes",
                )
            }
            FaultKind::Blank => {
                let what = format!(
                    "this line is blank, but the header has {}",
                    counted(width, "column")
                );
                (
                    what,
                    "remove the line; blank lines are ignored only at the end",
                )
            }
            FaultKind::OpenQuote => (
                "a quote opens a field here and is never closed".to_owned(),
                "close it, or write a quote that is meant as text twice within quotes",
            ),
            FaultKind::StrayQuote => (
                "a field that starts here in quotes goes on after its closing quote".to_owned(),
                "a quote that is meant as text is written twice within quotes: \"a \"\"b\"\" c\"",
            ),
            FaultKind::LongField => {
                let what = format!("a field is longer than 1 MiB; it starts on line {line}");
                (what, CLOSE_QUOTES)
            }
        };
        IoError::data(Place::line(&self.file, line), what, Some(hint))
    }
}
