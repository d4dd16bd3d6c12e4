//! Parquet's hybrid of runs and packed bits, for levels and for the places of a dictionary.
//!
//! **Reading.** A page is one run where all its values are equal, else it is packed whole. Runs in between are left to
//! the compression that follows.

/// How many bits the numbers below `count` need; at least one, since readers differ about none.
pub(super) fn width(count: usize) -> u8 {
    let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
    bits.max(1) as u8
}

/// The same value so many times.
pub(super) fn run(value: u32, count: usize, width: u8, into: &mut Vec<u8>) {
    varint((count as u64) << 1, into);
    let bytes = usize::from(width.div_ceil(8)).min(4);
    into.extend_from_slice(&value.to_le_bytes()[..bytes]);
}

/// Values below 2 to the `width`, packed; what is missing to a multiple of eight is zero.
pub(super) fn packed<T: Copy + Default + Into<u32>>(values: &[T], width: u8, into: &mut Vec<u8>) {
    let groups = values.len().div_ceil(8);
    varint(((groups as u64) << 1) | 1, into);
    let mut at = into.len();
    let width = usize::from(width);
    let end = at + groups * width;
    // Each group is written as a whole word or four; what is too much is overwritten by the next.
    into.resize(end + 32, 0);
    let (whole, rest) = values.as_chunks::<8>();
    let mut last = [T::default(); 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(&last);
    for group in whole.iter().chain(last) {
        if width <= 8 {
            let word = word_of(group, width);
            into[at..at + 8].copy_from_slice(&word.to_le_bytes());
        } else {
            words_of(group, width, &mut into[at..at + 32]);
        }
        at += width;
    }
    into.truncate(end);
}

#[inline]
fn word_of<T: Copy + Into<u32>>(group: &[T; 8], width: usize) -> u64 {
    let value = |at: usize| u64::from(group[at].into()) << (at * width);
    // In pairs, so that the processor need not wait for one sum after the other.
    ((value(0) | value(1)) | (value(2) | value(3)))
        | ((value(4) | value(5)) | (value(6) | value(7)))
}

fn words_of<T: Copy + Into<u32>>(group: &[T; 8], width: usize, into: &mut [u8]) {
    let (mut word, mut bits, mut at) = (0u64, 0, 0);
    for value in group {
        word |= u64::from((*value).into()) << bits;
        bits += width;
        if bits >= 32 {
            into[at..at + 4].copy_from_slice(&(word as u32).to_le_bytes());
            word >>= 32;
            bits -= 32;
            at += 4;
        }
    }
    if bits > 0 {
        into[at..at + 4].copy_from_slice(&(word as u32).to_le_bytes());
    }
}

fn varint(mut value: u64, into: &mut Vec<u8>) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bit by bit, as the format defines it.
    fn unpacked(bytes: &[u8], width: u8, count: usize) -> Vec<u32> {
        let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
        let value = |at: usize| {
            (0..usize::from(width)).map(move |of| bit(at * usize::from(width) + of) << of)
        };
        (0..count).map(|at| value(at).sum()).collect()
    }

    #[test]
    fn a_width_has_room_for_the_largest_number() {
        let widths = [0, 1, 2, 3, 4, 5, 256, 257, 1 << 18].map(width);
        assert_eq!(widths, [1, 1, 1, 2, 2, 3, 8, 9, 18]);
    }

    #[test]
    fn the_example_of_the_format() {
        let mut bytes = Vec::new();
        packed(&[0u8, 1, 2, 3, 4, 5, 6, 7], 3, &mut bytes);
        assert_eq!(bytes, [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        bytes.clear();
        run(4, 300, 9, &mut bytes);
        assert_eq!(bytes, [0b1101_1000, 0b100, 4, 0]);
    }

    proptest! {
        #[test]
        fn what_is_packed_unpacks(
            width in 1u8..=32, seed in prop::collection::vec(any::<u32>(), 0..70), before in 0usize..3,
        ) {
            let values: Vec<u32> = seed.iter().map(|value| value >> (32 - width)).collect();
            let mut bytes = vec![7; before];
            packed(&values, width, &mut bytes);
            let groups = values.len().div_ceil(8);
            prop_assert_eq!(&bytes[..before], &vec![7; before]);
            prop_assert_eq!(usize::from(bytes[before]), groups << 1 | 1);
            prop_assert_eq!(bytes.len(), before + 1 + groups * usize::from(width));
            prop_assert_eq!(unpacked(&bytes[before + 1..], width, values.len()), values);
        }
    }
}
