//! Distinct byte strings, numbered in the order in which they come.
//!
//! Millions of cells are looked up, most of them short and seen before. So an entry of the table holds the first eight
//! bytes and the length of its text: a text of up to eight bytes is found by comparing two integers. A cell is given as
//! a range of the buffer it stands in, because then its first eight bytes are one load whatever its length.

use std::ops::Range;

const EMPTY: u32 = u32::MAX;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

#[derive(Clone, Copy)]
struct Entry {
    word: u64,
    length: u32,
    id: u32,
}

/// Distinct texts and their numbers.
pub(crate) struct Interner {
    entries: Vec<Entry>,
    /// All texts, one after the other.
    arena: Vec<u8>,
    ends: Vec<usize>,
}

impl Interner {
    pub(crate) fn new() -> Self {
        Self {
            entries: vec![
                Entry {
                    word: 0,
                    length: 0,
                    id: EMPTY
                };
                64
            ],
            arena: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn text(&self, id: usize) -> &[u8] {
        let start = id.checked_sub(1).map_or(0, |former| self.ends[former]);
        &self.arena[start..self.ends[id]]
    }

    /// The number of a text that stands in a buffer; a new one if it was not seen before.
    #[inline]
    pub(crate) fn intern(&mut self, buffer: &[u8], range: Range<usize>) -> u32 {
        let word = first_word(buffer, &range);
        let text = &buffer[range];
        let mask = self.entries.len() - 1;
        let mut slot = hash(word, text) as usize & mask;
        loop {
            let entry = self.entries[slot];
            if entry.id == EMPTY {
                return self.add(slot, word, text);
            }
            if entry.word == word
                && entry.length as usize == text.len()
                && (text.len() <= 8 || self.text(entry.id as usize) == text)
            {
                return entry.id;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn add(&mut self, slot: usize, word: u64, text: &[u8]) -> u32 {
        let id = self.ends.len() as u32;
        self.arena.extend_from_slice(text);
        self.ends.push(self.arena.len());
        self.entries[slot] = Entry {
            word,
            length: text.len() as u32,
            id,
        };
        if self.ends.len() * 2 > self.entries.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let mask = self.entries.len() * 2 - 1;
        let mut entries = vec![
            Entry {
                word: 0,
                length: 0,
                id: EMPTY
            };
            mask + 1
        ];
        for entry in self.entries.iter().filter(|entry| entry.id != EMPTY) {
            let mut slot = hash(entry.word, self.text(entry.id as usize)) as usize & mask;
            while entries[slot].id != EMPTY {
                slot = (slot + 1) & mask;
            }
            entries[slot] = *entry;
        }
        self.entries = entries;
    }
}

/// The first eight bytes of a text, zeros where it is shorter.
#[inline]
fn first_word(buffer: &[u8], range: &Range<usize>) -> u64 {
    let length = range.len();
    let Some(bytes) = buffer[range.start..].first_chunk::<8>() else {
        let mut bytes = [0; 8];
        let length = length.min(8);
        bytes[..length].copy_from_slice(&buffer[range.start..range.start + length]);
        return u64::from_le_bytes(bytes);
    };
    let word = u64::from_le_bytes(*bytes);
    if length >= 8 {
        word
    } else {
        word & ((1 << (8 * length)) - 1)
    }
}

/// Folds a product, so that all bits of the text bear on the low bits.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn hash(word: u64, text: &[u8]) -> u64 {
    let mut state = fold(word ^ SEED, MIX ^ text.len() as u64);
    if text.len() > 8 {
        let mut rest = &text[8..];
        while let Some((bytes, after)) = rest.split_first_chunk::<8>() {
            state = fold(state ^ u64::from_le_bytes(*bytes), MIX);
            rest = after;
        }
        if let Some(bytes) = text.last_chunk::<8>() {
            state = fold(state ^ u64::from_le_bytes(*bytes), MIX);
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_numbered_as_a_plain_map_numbers_them(
            texts in prop::collection::vec(prop::collection::vec(0..3_u8, 0..20), 0..400),
        ) {
            let mut interner = Interner::new();
            let mut known: FxHashMap<&[u8], u32> = FxHashMap::default();
            let buffer = texts.concat();
            let mut start = 0;
            for text in &texts {
                let next = known.len() as u32;
                let expected = *known.entry(text).or_insert(next);
                prop_assert_eq!(interner.intern(&buffer, start..start + text.len()), expected);
                prop_assert_eq!(interner.text(expected as usize), text.as_slice());
                start += text.len();
            }
            prop_assert_eq!(interner.len(), known.len());
        }
    }
}
