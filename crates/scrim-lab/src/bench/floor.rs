//! The floor: what any program must do that reads a table once and counts its different rows.
//!
//! **Definition.** *Reading*: the bytes of the file, once, by large blocks. *Probing*: the same, and each line hashed
//! and looked up once in a table of counts, by one thread. **Reading.** Two lines of the same hash count as one: it is the
//! work that is measured, not the number. A Parquet file has no lines, so only reading is known. The file was just
//! written, so it comes from memory, not from the disk, as it does for the searches.

use std::hash::Hasher as _;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use memchr::memchr;
use rustc_hash::{FxHashMap, FxHasher};
use scrim_io::{IoError, files};
use serde::Serialize;

use super::measure::own_cpu;

/// How much is read at once.
const BLOCK: usize = 1 << 20;

/// Seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Time {
    /// User and system, where the system tells.
    pub(super) cpu: Option<f64>,
    /// On the clock.
    pub(super) wall: f64,
}

/// What a file costs whoever reads it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Floor {
    /// Bytes of the file.
    pub(super) bytes: u64,
    /// Lines after the first.
    pub(super) rows: Option<u64>,
    /// Different ones.
    pub(super) distinct: Option<u64>,
    /// Reading them once.
    pub(super) read: Time,
    /// Reading and one look-up a row.
    pub(super) probe: Option<Time>,
}

impl Floor {
    /// The dearer of the two that are known.
    pub(super) fn time(&self) -> Time {
        self.probe.unwrap_or(self.read)
    }
}

/// Measures the floor of a file, the least of so many runs.
pub(super) fn measure(path: &Path, lines: bool, repeats: u32) -> Result<Floor, IoError> {
    let mut best: Option<Floor> = None;
    for _ in 0..repeats.max(1) {
        let (bytes, read) = timed(|| blocks(path, &mut |_| ()))?;
        let mut floor = Floor {
            bytes,
            rows: None,
            distinct: None,
            read,
            probe: None,
        };
        if lines {
            let (counted, probe) = timed(|| count(path))?;
            floor.rows = Some(counted.rows.saturating_sub(1));
            floor.distinct = Some((counted.seen.len() as u64).saturating_sub(1));
            floor.probe = Some(probe);
        }
        let seconds = |floor: &Floor| floor.time().cpu.unwrap_or(floor.time().wall);
        if best
            .as_ref()
            .is_none_or(|best| seconds(&floor) < seconds(best))
        {
            best = Some(floor);
        }
    }
    best.ok_or_else(|| scrim::Error::Internal("no floor was measured".to_owned()).into())
}

fn timed<T>(work: impl FnOnce() -> Result<T, IoError>) -> Result<(T, Time), IoError> {
    let (before, begun) = (own_cpu(), Instant::now());
    let answer = work()?;
    let wall = begun.elapsed().as_secs_f64();
    let cpu = own_cpu().zip(before).map(|(after, before)| after - before);
    Ok((answer, Time { cpu, wall }))
}

/// Hands on the bytes of a file by blocks; how many there are.
fn blocks(path: &Path, each: &mut dyn FnMut(&[u8])) -> Result<u64, IoError> {
    let mut file = files::open(path)?;
    let mut block = vec![0; BLOCK];
    let mut bytes = 0;
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(bytes),
            Ok(read) => {
                bytes += read as u64;
                each(&block[..read]);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(IoError::file(path, error)),
        }
    }
}

/// Lines by their hashes.
#[derive(Default)]
struct Counted {
    seen: FxHashMap<u64, u32>,
    rows: u64,
    /// The beginning of a line whose end is in the next block.
    rest: Vec<u8>,
}

impl Counted {
    fn line(&mut self, line: &[u8]) {
        let mut hasher = FxHasher::default();
        hasher.write(line);
        *self.seen.entry(hasher.finish()).or_default() += 1;
        self.rows += 1;
    }

    fn block(&mut self, mut block: &[u8]) {
        while let Some(end) = memchr(b'\n', block) {
            let line = &block[..end];
            if self.rest.is_empty() {
                self.line(line);
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole);
            }
            block = &block[end + 1..];
        }
        self.rest.extend_from_slice(block);
    }
}

fn count(path: &Path) -> Result<Counted, IoError> {
    let mut counted = Counted::default();
    blocks(path, &mut |block| counted.block(block))?;
    let rest = std::mem::take(&mut counted.rest);
    if !rest.is_empty() {
        counted.line(&rest);
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_across_blocks_and_without_a_last_break() {
        let mut counted = Counted::default();
        for block in ["a,b\n1,", "2\n1,2\n3", ",4\n", "1,2"] {
            counted.block(block.as_bytes());
        }
        assert_eq!((counted.rows, counted.seen.len()), (4, 3));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        files::write_bytes(&path, b"a,b\n1,2\n1,2\n3,4").unwrap();
        let floor = measure(&path, true, 2).unwrap();
        assert_eq!(
            (floor.rows, floor.distinct, floor.bytes),
            (Some(3), Some(2), 15)
        );
        let floor = measure(&path, false, 1).unwrap();
        assert!(floor.rows.is_none() && floor.probe.is_none());
    }
}
