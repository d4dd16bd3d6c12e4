//! Lines of a file that were met before in it, byte for byte.
//!
//! A release has few different lines, and what a line says need be found out once: a line that is known is a number of
//! [`Counting`](scrim::frequency::Counting) and is not parsed again. Equal rows that are written differently are different lines with one
//! number.
//!
//! **Reading.** Lines with quotes are not known, for they may go on. A line that is equal to the one before it is that one: equal rows of a
//! sorted release stand together. What is known is what the blocks before held, so that pieces of
//! one block are read side by side. Whether it pays is told by the text, never by time or threads: where fewer than half of the lines of
//! a block are known or repeat the line before, no more is asked.
//! **Cost.** A hash and a look-up a line, at most [`MOST_BYTES`] of texts.

use std::ops::Range;

use memchr::{Memchr, memchr, memchr_iter};
use scrim::frequency::Counting;

/// Texts that are kept.
const MOST_BYTES: usize = 16 << 20;
const EMPTY: u32 = u32::MAX;
// Bytes that no UTF-8 text has, so that no text makes a factor zero.
const SEED: u64 = 0x9e37_79b9_ff4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

/// The lines of a piece, those that are known apart.
pub(crate) struct Sorted {
    /// The lines that are not known.
    pub(crate) text: Vec<u8>,
    /// By row its number with [`Counting::KNOWN`], or which of the lines that are not known it is.
    pub(crate) of_row: Vec<u32>,
}

/// Lines that were met, with their numbers.
pub(crate) struct KnownLines {
    slots: Vec<u32>,
    lines: Vec<Line>,
    text: Vec<u8>,
    pays: bool,
    /// Whether a block was read.
    begun: bool,
}

/// Lines that are looked up together.
const AT_ONCE: usize = 64;

/// Some lines of a piece.
struct Batch {
    lines: usize,
    places: [Range<usize>; AT_ONCE],
    hashes: [u64; AT_ONCE],
    /// The known line that each may be.
    guesses: [u32; AT_ONCE],
    /// The first byte of that one.
    begins: [u8; AT_ONCE],
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            lines: 0,
            places: std::array::from_fn(|_| 0..0),
            hashes: [0; AT_ONCE],
            guesses: [EMPTY; AT_ONCE],
            begins: [0; AT_ONCE],
        }
    }
}

impl Batch {
    /// Takes the next lines of a text, whose line ends these are.
    fn fill(&mut self, bytes: &[u8], start: &mut usize, ends: &mut Memchr<'_>) {
        self.lines = 0;
        for end in ends.take(AT_ONCE) {
            let place = std::mem::replace(start, end + 1)..end + 1;
            self.hashes[self.lines] = hash(&bytes[place.clone()]);
            self.places[self.lines] = place;
            self.lines += 1;
        }
    }
}

struct Line {
    hash: u64,
    start: u32,
    number: u32,
}

impl KnownLines {
    /// No line is known; none ever is where it is not wanted.
    pub(crate) fn new(wanted: bool) -> Self {
        Self {
            slots: vec![EMPTY; 1 << 12],
            lines: Vec::new(),
            text: Vec::new(),
            pays: wanted,
            begun: false,
        }
    }

    /// Knows nothing any more, and learns from the next block on.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.pays);
    }

    /// Says that a block was read. The first is not learnt: most files are not longer.
    pub(crate) fn pass_block(&mut self) {
        self.begun = true;
    }

    /// Tells known lines of a piece from others; nothing where it does not pay, or a line has a quote or no end.
    pub(crate) fn sort(&self, bytes: &[u8]) -> Option<Sorted> {
        let whole = bytes.ends_with(b"\n") && u32::try_from(bytes.len()).is_ok();
        if !self.pays || !self.begun || !whole || memchr(b'"', bytes).is_some() {
            return None;
        }
        let mut sorted = Sorted {
            text: Vec::new(),
            of_row: Vec::with_capacity(bytes.len() / 64),
        };
        let mut batch = Batch::default();
        let (mut start, mut unknown) = (0, 0);
        let mut before: &[u8] = &[];
        let mut ends = memchr_iter(b'\n', bytes);
        loop {
            batch.fill(bytes, &mut start, &mut ends);
            if batch.lines == 0 {
                return Some(sorted);
            }
            self.guess(&mut batch);
            for at in 0..batch.lines {
                let line = &bytes[batch.places[at].clone()];
                if let Some(same) = sorted.of_row.last().filter(|_| line == before) {
                    sorted.of_row.push(*same);
                    continue;
                }
                before = line;
                let begins = line.first() == Some(&batch.begins[at]);
                let guess = if begins { batch.guesses[at] } else { EMPTY };
                if let Some(number) = self.number(line, batch.hashes[at], guess) {
                    sorted.of_row.push(Counting::KNOWN | number);
                } else {
                    sorted.text.extend_from_slice(line);
                    sorted.of_row.push(unknown);
                    unknown += 1;
                }
            }
        }
    }

    /// Looks at the slots of all lines of a batch, then at the lines that are there, then at where their texts begin: the memory is asked
    /// for many of them at once.
    fn guess(&self, batch: &mut Batch) {
        let mask = self.slots.len() - 1;
        let hashes = &batch.hashes[..batch.lines];
        let guesses = &mut batch.guesses[..batch.lines];
        for (guess, hash) in guesses.iter_mut().zip(hashes) {
            *guess = self.slots[*hash as usize & mask];
        }
        let mut starts = [0; AT_ONCE];
        for ((guess, hash), start) in guesses.iter_mut().zip(hashes).zip(&mut starts) {
            let line = self.lines.get(*guess as usize);
            let line = line.filter(|line| line.hash == *hash);
            *start = line.map_or(0, |line| line.start);
            if line.is_none() {
                *guess = EMPTY;
            }
        }
        for (begins, start) in batch.begins.iter_mut().zip(&starts[..batch.lines]) {
            *begins = self.text.get(*start as usize).copied().unwrap_or(0);
        }
    }

    /// The number of a line, if it is known; first it is taken for the one that was guessed.
    #[inline]
    fn number(&self, line: &[u8], hash: u64, guess: u32) -> Option<u32> {
        if let Some(known) = self.lines.get(guess as usize)
            && self.text[known.start as usize..].starts_with(line)
        {
            return Some(known.number);
        }
        let known = self.find(line, hash).ok()?;
        Some(self.lines[known].number)
    }

    /// Learns the lines of a block that were not known, by the numbers of all its rows.
    pub(crate) fn learn<'s>(
        &mut self,
        sorted: impl Iterator<Item = &'s Sorted>,
        mut numbers: &[u32],
    ) {
        let (mut rows, mut known) = (0, 0);
        let knew = !self.lines.is_empty();
        for sorted in sorted {
            let (own, after) = numbers.split_at(sorted.of_row.len().min(numbers.len()));
            numbers = after;
            rows += own.len();
            let mut lines = sorted.text.split_inclusive(|byte| *byte == b'\n');
            // Which of the lines that are not known comes next.
            let mut next = 0;
            for (row, number) in sorted.of_row.iter().zip(own) {
                if *row != next {
                    known += 1;
                } else if let Some(line) = lines.next() {
                    self.add(line, *number);
                    next += 1;
                }
            }
        }
        if knew && known * 2 < rows {
            *self = Self::new(false);
        }
    }

    /// Where a line is, or the slot that it would have.
    fn find(&self, line: &[u8], hash: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let number = self.slots[slot] as usize;
            let Some(known) = self.lines.get(number) else {
                return Err(slot);
            };
            if known.hash == hash && self.text[known.start as usize..].starts_with(line) {
                // A line holds one line end, its last byte: what begins with it is it.
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn add(&mut self, line: &[u8], number: u32) {
        let full = self.text.len() + line.len() > MOST_BYTES;
        let hash = hash(line);
        let Err(slot) = self.find(line, hash) else {
            return;
        };
        if full || number & Counting::KNOWN > 0 {
            return;
        }
        self.slots[slot] = self.lines.len() as u32;
        self.lines.push(Line {
            hash,
            start: self.text.len() as u32,
            number,
        });
        self.text.extend_from_slice(line);
        if self.lines.len() * 2 > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![EMPTY; mask + 1];
        for (number, line) in (0..).zip(&self.lines) {
            let mut slot = line.hash as usize & mask;
            while slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number;
        }
        self.slots = slots;
    }
}

/// Folds a product, so that all bits of the line bear on the low bits.
#[inline]
fn fold(state: u64, bytes: [u8; 16]) -> u64 {
    let bytes = u128::from_le_bytes(bytes);
    let product = u128::from(state ^ bytes as u64) * u128::from(MIX ^ (bytes >> 64) as u64);
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn hash(line: &[u8]) -> u64 {
    let (chunks, rest) = line.as_chunks::<16>();
    let state = chunks.iter().fold(SEED, |state, chunk| fold(state, *chunk));
    let last = line.last_chunk().copied().unwrap_or_else(|| {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        last
    });
    fold(state, last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers lines by what they say to a reader: a CR before the line end says nothing.
    fn number(line: &str) -> u32 {
        line.trim_end().bytes().map(u32::from).sum()
    }

    proptest! {
        #[test]
        fn each_row_is_the_line_it_was(
            lines in prop::collection::vec(prop::sample::select(vec!["", "a", "b", "a\r", "ü,x", "abcdefghijklmnopq", "abcdefghijklmnopqr"]), 1..60),
            block in 1..9_usize,
        ) {
            let mut known = KnownLines::new(true);
            known.pass_block();
            let mut met: Vec<&str> = Vec::new();
            for lines in lines.chunks(block) {
                let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                let Some(sorted) = known.sort(text.as_bytes()) else {
                    prop_assert!(!known.pays);
                    break;
                };
                let mut unknown = sorted.text.split(|byte| *byte == b'\n');
                let mut next = 0;
                for (at, (line, row)) in lines.iter().zip(&sorted.of_row).enumerate() {
                    if at > 0 && lines[at - 1] == *line {
                        prop_assert_eq!(*row, sorted.of_row[at - 1]);
                    } else if met.contains(line) {
                        prop_assert_eq!(*row, Counting::KNOWN | number(line));
                    } else {
                        prop_assert_eq!(*row, next);
                        prop_assert_eq!(unknown.next(), Some(line.as_bytes()));
                        next += 1;
                    }
                }
                let numbers: Vec<u32> = lines.iter().map(|line| number(line)).collect();
                let pays = met.is_empty() || (lines.len() - next as usize) * 2 >= lines.len();
                met.extend(lines);
                known.learn([&sorted].into_iter(), &numbers);
                prop_assert_eq!(known.pays, pays);
            }
        }
    }

    #[test]
    fn a_text_with_quotes_or_an_open_end_is_left_alone() {
        let mut known = KnownLines::new(true);
        assert!(known.sort(b"a\na\n").is_none());
        known.pass_block();
        assert!(known.sort(b"a\na\n").is_some());
        assert!(known.sort(b"a\na").is_none());
        assert!(known.sort(b"a\n\"a\n\"\n").is_none());
        assert!(KnownLines::new(false).sort(b"a\na\n").is_none());
    }

    #[test]
    fn many_lines_find_their_slots() {
        let mut known = KnownLines::new(true);
        known.pass_block();
        let text: String = (0..9000).map(|row| format!("{}\n", row % 5000)).collect();
        let numbers: Vec<u32> = (0..9000).map(|row| row % 5000).collect();
        let sorted = known.sort(text.as_bytes()).unwrap();
        known.learn([&sorted].into_iter(), &numbers);
        let again = known.sort(text.as_bytes()).unwrap();
        assert!(again.text.is_empty());
        let tagged: Vec<u32> = numbers
            .iter()
            .map(|number| Counting::KNOWN | number)
            .collect();
        assert_eq!(again.of_row, tagged);
    }
}
