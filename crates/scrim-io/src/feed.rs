//! Reads, hashes and unpacks a source on a thread of its own, while the blocks before are being parsed.
//!
//! Blocks are read in one size whatever the system hands out, so that the same bytes are always cut alike. A line that is
//! not whole at a block's end begins the next block, so that blocks without quotes need not be joined; and the room of a
//! block that was parsed is used again.

use std::fs::File;
use std::io::{self, Read, Stdin};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use memchr::memrchr;

use crate::decode::{Decoder, damage};
use crate::error::IoError;
use crate::files;
use crate::source::{Progress, Source};

/// How much text is parsed at a time.
pub(crate) const BLOCK: usize = 4 << 20;
/// How much is asked of the system at a time: it is hashed while it is in the cache.
const GULP: usize = 1 << 18;
/// Blocks that can be under way: two wait, one is being parsed, one is being read.
const UNDER_WAY: usize = 4;
/// How often a waiting reader asks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// A source that can be read.
pub(crate) enum Input {
    File(File),
    Stdin(Stdin),
    #[cfg(test)]
    Bytes(io::Cursor<Vec<u8>>),
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stdin(stdin) => stdin.lock().read(buffer),
            #[cfg(test)]
            Self::Bytes(bytes) => bytes.read(buffer),
        }
    }
}

/// A source that is open.
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    pub(crate) total: Option<u64>,
    pub(crate) decoder: Decoder<Input>,
}

impl Opened {
    /// Opens a source and reads its first bytes. A pipe may have no writer, or a silent one: `progress` is asked whether to go
    /// on waiting for it.
    pub(crate) fn new(source: &Source, progress: Progress<'_>) -> Result<Self, IoError> {
        if source.is_lasting() {
            return Self::now(source);
        }
        let (sender, receiver) = sync_channel(1);
        let waited_for = source.clone();
        // Not joined: one that waits for a pipe ends with the process.
        thread::Builder::new()
            .spawn(move || drop(sender.send(Self::now(&waited_for))))
            .map_err(|error| IoError::thread(&error))?;
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(opened) => return opened,
                Err(RecvTimeoutError::Timeout) => progress(0, None)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(IoError::internal("the opening thread stopped"));
                }
            }
        }
    }

    fn now(source: &Source) -> Result<Self, IoError> {
        let path = source.path();
        let (input, total) = match source {
            Source::Stdin => (Input::Stdin(io::stdin()), None),
            Source::File(path) => {
                let file = files::open(path)?;
                let total = file
                    .metadata()
                    .ok()
                    .filter(std::fs::Metadata::is_file)
                    .map(|about| about.len());
                (Input::File(file), total)
            }
        };
        let decoder = Decoder::new(input, &path).map_err(|source| IoError::file(&path, source))?;
        Ok(Self {
            path,
            total,
            decoder,
        })
    }

    #[cfg(test)]
    pub(crate) fn bytes(name: &str, bytes: &[u8]) -> Self {
        let path = PathBuf::from(name);
        let decoder = Decoder::new(Input::Bytes(io::Cursor::new(bytes.to_vec())), &path).unwrap();
        Self {
            path,
            total: Some(bytes.len() as u64),
            decoder,
        }
    }

    /// Adds a block to what a buffer begins with, shorter than others only at the end. Answers whether any text came.
    fn block(&mut self, size: usize, buffer: &mut Vec<u8>, begun: usize) -> Result<bool, IoError> {
        let end = begun + size;
        let mut filled = begun;
        while filled < end {
            // Memory that a short file does not fill is not touched.
            let gulp = end.min(filled + GULP);
            buffer.resize(gulp.max(buffer.len()), 0);
            match self.decoder.read(&mut buffer[filled..gulp]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(damage(&self.path, self.decoder.format(), source)),
            }
        }
        buffer.truncate(filled);
        Ok(filled > begun)
    }
}

enum Message {
    Block { bytes: Vec<u8>, raw: u64 },
    End { sha256: String, raw: u64 },
    Failed(IoError),
}

/// What is known of a source that was read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Digested {
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
}

/// Blocks of text from a thread that reads ahead.
pub(crate) struct Feed {
    receiver: Receiver<Message>,
    used: SyncSender<Vec<u8>>,
    total: Option<u64>,
    raw: u64,
    end: Option<Digested>,
}

impl Feed {
    pub(crate) fn start(opened: Opened, block: usize) -> Result<Self, IoError> {
        let total = opened.total;
        let (sender, receiver) = sync_channel(2);
        let (used, unused) = sync_channel(UNDER_WAY);
        // Not joined: one that waits for standard input ends with the process, any other with its next block.
        thread::Builder::new()
            .spawn(move || read(opened, block, &sender, &unused))
            .map_err(|error| IoError::thread(&error))?;
        Ok(Self {
            receiver,
            used,
            total,
            raw: 0,
            end: None,
        })
    }

    /// The next block, or nothing at the end. Asks `progress` whether to go on while it waits.
    pub(crate) fn next(&mut self, progress: Progress<'_>) -> Result<Option<Vec<u8>>, IoError> {
        if self.end.is_some() {
            return Ok(None);
        }
        loop {
            match self.receiver.recv_timeout(PATIENCE) {
                Ok(Message::Block { bytes, raw }) => {
                    self.raw = raw;
                    progress(raw, self.total)?;
                    return Ok(Some(bytes));
                }
                Ok(Message::End { sha256, raw }) => {
                    progress(raw, self.total)?;
                    self.end = Some(Digested { sha256, bytes: raw });
                    return Ok(None);
                }
                Ok(Message::Failed(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => progress(self.raw, self.total)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(IoError::internal("the reading thread stopped"));
                }
            }
        }
    }

    /// Gives back a block that was parsed: what it holds does not matter.
    pub(crate) fn give_back(&self, block: Vec<u8>) {
        // Where there is no room for it, or nobody reads any more, it is simply dropped.
        drop(self.used.try_send(block));
    }

    /// Digest and size of the source, once its end was reached.
    pub(crate) fn digested(&self) -> Result<Digested, IoError> {
        self.end
            .clone()
            .ok_or_else(|| IoError::internal("the source was not read to its end"))
    }
}

/// Sends blocks until the end or until nobody listens any more.
fn read(mut opened: Opened, size: usize, sender: &SyncSender<Message>, unused: &Receiver<Vec<u8>>) {
    // The beginning of a line that the next block ends.
    let mut begun = Vec::new();
    loop {
        let mut bytes = unused.try_recv().unwrap_or_default();
        // What is left of a former block need not be cleared: all of it is read over or cut off.
        bytes.resize(bytes.len().max(begun.len()), 0);
        bytes[..begun.len()].copy_from_slice(&begun);
        let message = match opened.block(size, &mut bytes, begun.len()) {
            Err(error) => Message::Failed(error),
            Ok(more) if more || !begun.is_empty() => {
                let whole = memrchr(b'\n', &bytes).filter(|_| more);
                let whole = whole.map_or(bytes.len(), |last| last + 1);
                begun.clear();
                begun.extend_from_slice(&bytes[whole..]);
                bytes.truncate(whole);
                Message::Block {
                    bytes,
                    raw: opened.decoder.raw_bytes(),
                }
            }
            Ok(_) => match opened.decoder.finish() {
                Ok((sha256, raw)) => Message::End { sha256, raw },
                Err(source) => Message::Failed(IoError::file(&opened.path, source)),
            },
        };
        let goes_on = matches!(message, Message::Block { .. });
        if sender.send(message).is_err() || !goes_on {
            return;
        }
    }
}
