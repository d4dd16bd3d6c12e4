//! Where fields and lines end, 64 bytes at a time.
//!
//! The bytes are compared side by side and each comparison leaves one bit: written so that the compiler makes vector
//! instructions of it on every machine, without a line that is for one machine only.

/// Bytes that are compared at a time.
const BLOCK: usize = 64;
/// Brings the lowest bits of eight bytes together in the highest byte of a product; no two of them meet on the way.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// A bit for each byte that is one of two.
#[inline]
fn marks(block: &[u8; BLOCK], one: u8, other: u8) -> u64 {
    let flags = block.map(|byte| u8::from(byte == one) | u8::from(byte == other));
    let (words, _) = flags.as_chunks::<8>();
    words.iter().rev().fold(0, |marks, word| {
        marks << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56
    })
}

/// The places just behind each delimiter and line end of a text.
pub(crate) struct Ends {
    places: Vec<u32>,
    count: usize,
}

impl Ends {
    pub(crate) fn new() -> Self {
        Self {
            places: Vec::new(),
            count: 0,
        }
    }

    /// Finds those of a text of less than four gigabytes, in their order and after the text's beginning, which is zero.
    pub(crate) fn find(&mut self, text: &[u8], delimiter: u8) -> &[u32] {
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        self.places.resize(self.places.len().max(1), 0);
        self.count = 1;
        let mut place = 0_u32;
        for block in blocks {
            self.add(place, marks(block, delimiter, b'\n'));
            place = place.wrapping_add(BLOCK as u32);
        }
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let beyond = u64::MAX << rest.len();
        self.add(place, marks(&last, delimiter, b'\n') & !beyond);
        &self.places[..self.count]
    }

    /// Adds the places behind marked bytes.
    #[inline]
    fn add(&mut self, place: u32, mut marks: u64) {
        if self.places.len() < self.count + BLOCK {
            self.places.resize(2 * self.places.len() + BLOCK, 0);
        }
        let mut count = self.count;
        while marks != 0 {
            self.places[count] = place.wrapping_add(marks.trailing_zeros() + 1);
            count += 1;
            marks &= marks - 1;
        }
        self.count = count;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_delimiter_and_line_end_is_found_and_nothing_else(
            text in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\n,;\0".to_vec())], 0..300),
            delimiter in prop::sample::select(b",;\0".to_vec()),
        ) {
            let behind = (1..).zip(&text);
            let behind = behind.filter(|(_, byte)| **byte == delimiter || **byte == b'\n');
            let expected: Vec<u32> = std::iter::once(0).chain(behind.map(|(place, _)| place)).collect();
            let mut ends = Ends::new();
            // A second time, because the room of the first is used again.
            ends.find(&text, b'\n');
            prop_assert_eq!(ends.find(&text, delimiter), expected);
        }
    }
}
