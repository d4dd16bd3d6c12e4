//! Distinct byte strings, numbered in the order in which they come.
//!
//! Millions of cells are looked up, most of them short and seen before. So the first sixteen bytes of each text stand
//! beside its length, and a text of up to sixteen bytes is found by comparing three integers. A cell is given as a range
//! of the buffer it stands in, because then its first sixteen bytes are two loads whatever its length.

use std::ops::Range;

/// A text of up to so many bytes is held whole by its entry.
const SHORT: usize = 16;
// Bytes that no UTF-8 text has, so that no text makes a factor zero.
const SEED: u64 = 0x9e37_79b9_ff4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;
/// Up to so many slots there are four for each text, so that few texts meet; above it two.
const ROOMY: usize = 1 << 12;

/// What of the first sixteen bytes belongs to a text of so many bytes.
const OWN: [[u64; 2]; 17] = own();

const fn own() -> [[u64; 2]; 17] {
    let mut masks = [[u64::MAX; 2]; 17];
    let mut length = 0;
    while length < 8 {
        masks[length] = [(1 << (8 * length)) - 1, 0];
        masks[length + 8][1] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
}

/// A text that is known.
#[derive(Clone, Copy)]
struct Entry {
    /// Its first bytes, zeros where it is shorter.
    words: [u64; 2],
    length: u32,
    id: u32,
}

/// No text: none has this length.
const EMPTY: Entry = Entry {
    words: [0; 2],
    length: u32::MAX,
    id: u32::MAX,
};

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
            entries: vec![EMPTY; 64],
            arena: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of all texts together.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.len()
    }

    pub(crate) fn text(&self, id: usize) -> &[u8] {
        let start = id.checked_sub(1).map_or(0, |former| self.ends[former]);
        &self.arena[start..self.ends[id]]
    }

    /// The number of a text that stands in a buffer; a new one if it was not seen before.
    #[expect(
        clippy::inline_always,
        reason = "measured: a tenth of the time of reading; what is rare stands in functions of its own"
    )]
    #[inline(always)]
    pub(crate) fn intern(&mut self, buffer: &[u8], range: Range<usize>) -> u32 {
        let length = range.len();
        if length > SHORT {
            return self.intern_long(&buffer[range]);
        }
        let words = first_words(buffer, &range);
        let slot = hash(words) as usize & (self.entries.len() - 1);
        let entry = &self.entries[slot];
        if entry.words == words && entry.length == length as u32 {
            return entry.id;
        }
        self.seek(slot, words, &buffer[range])
    }

    /// The number of a text, if it was seen before.
    pub(crate) fn find(&self, text: &[u8]) -> Option<u32> {
        let words = words_of(text);
        let mask = self.entries.len() - 1;
        let mut hashed = hash(words);
        if text.len() > SHORT {
            hashed = hash_rest(hashed, text);
        }
        let mut slot = hashed as usize & mask;
        loop {
            let entry = &self.entries[slot];
            if entry.id == EMPTY.id {
                return None;
            }
            if entry.words == words
                && entry.length == text.len() as u32
                && self.text(entry.id as usize) == text
            {
                return Some(entry.id);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Goes on from a slot that another text has, or none.
    #[inline(never)]
    fn seek(&mut self, mut slot: usize, words: [u64; 2], text: &[u8]) -> u32 {
        let mask = self.entries.len() - 1;
        loop {
            let entry = &self.entries[slot];
            if entry.id == EMPTY.id {
                return self.add(slot, words, text);
            }
            if entry.words == words && entry.length == text.len() as u32 {
                return entry.id;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The same for a text that its entry does not hold.
    #[inline(never)]
    fn intern_long(&mut self, text: &[u8]) -> u32 {
        let words = words_of(text);
        let mask = self.entries.len() - 1;
        let mut slot = hash_rest(hash(words), text) as usize & mask;
        loop {
            let entry = &self.entries[slot];
            if entry.id == EMPTY.id {
                return self.add(slot, words, text);
            }
            if entry.words == words
                && entry.length == text.len() as u32
                && same_rest(self.text(entry.id as usize), text)
            {
                return entry.id;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, slot: usize, words: [u64; 2], text: &[u8]) -> u32 {
        let id = self.ends.len() as u32;
        self.arena.extend_from_slice(text);
        self.ends.push(self.arena.len());
        self.entries[slot] = Entry {
            words,
            length: text.len() as u32,
            id,
        };
        let slots = self.entries.len();
        let full = if slots < ROOMY {
            slots / 4
        } else {
            slots / 3 * 2
        };
        if self.ends.len() > full {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let mask = self.entries.len() * 2 - 1;
        let mut entries = vec![EMPTY; mask + 1];
        for entry in self.entries.iter().filter(|entry| entry.id != EMPTY.id) {
            let mut state = hash(entry.words);
            if entry.length as usize > SHORT {
                state = hash_rest(state, self.text(entry.id as usize));
            }
            let mut slot = state as usize & mask;
            while entries[slot].id != EMPTY.id {
                slot = (slot + 1) & mask;
            }
            entries[slot] = *entry;
        }
        self.entries = entries;
    }
}

/// The first sixteen bytes of a text, zeros where it is shorter.
#[inline]
fn first_words(buffer: &[u8], range: &Range<usize>) -> [u64; 2] {
    let length = range.len();
    let Some(bytes) = buffer[range.start..].first_chunk::<16>() else {
        return words_of(&buffer[range.clone()]);
    };
    let bytes = u128::from_le_bytes(*bytes);
    let own = OWN[length.min(16)];
    [bytes as u64 & own[0], (bytes >> 64) as u64 & own[1]]
}

/// The same of a text alone, where sixteen bytes cannot always be taken at once.
fn words_of(text: &[u8]) -> [u64; 2] {
    let mut bytes = [0; 16];
    let length = text.len().min(16);
    bytes[..length].copy_from_slice(&text[..length]);
    let bytes = u128::from_le_bytes(bytes);
    [bytes as u64, (bytes >> 64) as u64]
}

/// Folds a product, so that all bits of the text bear on the low bits.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn hash(words: [u64; 2]) -> u64 {
    fold(words[0] ^ SEED, words[1] ^ MIX)
}

/// Whether two texts of equal length and beginning are the same.
#[inline]
fn same_rest(one: &[u8], other: &[u8]) -> bool {
    if other.len() <= 2 * SHORT {
        one.last_chunk::<SHORT>() == other.last_chunk::<SHORT>()
    } else {
        one == other
    }
}

/// Takes the bytes behind the sixteenth into a hash.
#[inline]
fn hash_rest(mut state: u64, text: &[u8]) -> u64 {
    let mut rest = &text[16..];
    while let Some((bytes, after)) = rest.split_first_chunk::<8>() {
        state = fold(state ^ u64::from_le_bytes(*bytes), MIX);
        rest = after;
    }
    if let Some(bytes) = text.last_chunk::<8>() {
        state = fold(state ^ u64::from_le_bytes(*bytes), MIX);
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
            // Texts of the lengths at which the look-up changes, which differ in one byte at most.
            texts in prop::collection::vec((0..40_usize, any::<prop::sample::Index>(), 0..3_u8), 0..400),
        ) {
            let texts: Vec<Vec<u8>> = texts
                .into_iter()
                .map(|(length, at, byte)| {
                    let mut text = vec![0; length];
                    if length > 0 {
                        text[at.index(length)] = byte;
                    }
                    text
                })
                .collect();
            let mut interner = Interner::new();
            let mut known: FxHashMap<&[u8], u32> = FxHashMap::default();
            let buffer = texts.concat();
            let mut start = 0;
            for text in &texts {
                let next = known.len() as u32;
                let expected = *known.entry(text).or_insert(next);
                prop_assert_eq!(interner.find(text), (expected < next).then_some(expected));
                prop_assert_eq!(interner.intern(&buffer, start..start + text.len()), expected);
                prop_assert_eq!(interner.find(text), Some(expected));
                prop_assert_eq!(interner.text(expected as usize), text.as_slice());
                start += text.len();
            }
            prop_assert_eq!(interner.len(), known.len());
        }
    }
}
