//! What the headers of a Parquet file's pages say before the pages are unpacked: how large they get, and whether they have a checksum.
//!
//! **Reading.** A header is a Thrift structure in the compact protocol: (1) its type, (2) the bytes of the page unpacked and (3) as
//! they are on disk, (4) a CRC, which may be left out, and more that is skipped. A header that cannot be followed ends the
//! walk: the reader that unpacks the page says what is wrong with it.

use std::ops::Range;

use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader as _;

use crate::parquet_file::Window;

/// Structures within structures, deeper than any header has.
const DEEPEST: u32 = 8;

/// What the pages of a column of a row group are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pages {
    /// Whether one has no checksum.
    pub(crate) unchecked: bool,
    /// The bytes of the largest, unpacked.
    pub(crate) largest: u64,
}

impl Pages {
    /// Walks over the headers of a column's pages.
    pub(crate) fn of(window: &Window, column: &ColumnChunkMetaData) -> Self {
        let mut pages = Self::default();
        let Some(range) = place(column) else {
            return pages;
        };
        let length = usize::try_from(range.end - range.start);
        let bytes = length.map(|length| window.get_bytes(range.start, length));
        let Ok(Ok(bytes)) = bytes else {
            return pages;
        };
        let mut rest = &bytes[..];
        while let Some(header) = Header::read(&mut rest) {
            pages.unchecked |= !header.has_crc;
            pages.largest = pages.largest.max(header.unpacked);
            let packed = usize::try_from(header.packed).ok();
            let Some(after) = packed.and_then(|packed| rest.get(packed..)) else {
                break;
            };
            rest = after;
        }
        pages
    }
}

/// Where the pages of a column stand in the file.
pub(crate) fn place(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let first = column.data_page_offset();
    let first = column
        .dictionary_page_offset()
        .map_or(first, |at| at.min(first));
    let first = u64::try_from(first).ok()?;
    let length = u64::try_from(column.compressed_size()).ok()?;
    Some(first..first.checked_add(length)?)
}

#[derive(Debug, Default)]
struct Header {
    unpacked: u64,
    packed: u64,
    has_crc: bool,
}

impl Header {
    /// The header at the beginning of these bytes, which are left behind it.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut header = Self::default();
        let mut number = 0;
        while let Some((next, kind)) = field(bytes, number)? {
            number = next;
            match (number, kind) {
                (2, I32) => header.unpacked = u64::try_from(signed(bytes)?).ok()?,
                (3, I32) => header.packed = u64::try_from(signed(bytes)?).ok()?,
                _ => {
                    header.has_crc |= number == 4;
                    skip(bytes, kind, DEEPEST)?;
                }
            }
        }
        Some(header)
    }
}

// The types of the compact protocol.
const I8: u8 = 3;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// The number and type of the next field; nothing at the end of the structure.
#[expect(clippy::option_option, reason = "no field is not the same as no bytes")]
fn field(bytes: &mut &[u8], before: i64) -> Option<Option<(i64, u8)>> {
    let byte = take(bytes, 1)?[0];
    if byte == 0 {
        return Some(None);
    }
    let number = match byte >> 4 {
        0 => signed(bytes)?,
        step => before.checked_add(i64::from(step))?,
    };
    Some(Some((number, byte & 15)))
}

fn skip(bytes: &mut &[u8], kind: u8, deepest: u32) -> Option<()> {
    let deeper = deepest.checked_sub(1)?;
    match kind {
        // A boolean stands in its field's type.
        1 | 2 => {}
        I8 => drop(take(bytes, 1)?),
        4..=I64 => drop(unsigned(bytes)?),
        DOUBLE => drop(take(bytes, 8)?),
        BINARY => {
            let length = unsigned(bytes)?;
            take(bytes, usize::try_from(length).ok()?)?;
        }
        LIST | SET => {
            let byte = take(bytes, 1)?[0];
            let count = match byte >> 4 {
                15 => unsigned(bytes)?,
                count => u64::from(count),
            };
            for _ in 0..count {
                // A boolean in a list has a byte of its own.
                match byte & 15 {
                    1 | 2 => drop(take(bytes, 1)?),
                    kind => skip(bytes, kind, deeper)?,
                }
            }
        }
        STRUCT => {
            let mut number = 0;
            while let Some((next, kind)) = field(bytes, number)? {
                number = next;
                skip(bytes, kind, deeper)?;
            }
        }
        _ => return None,
    }
    Some(())
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// A number of seven bits a byte.
fn unsigned(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)?[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The same with a sign in its last bit.
fn signed(bytes: &mut &[u8]) -> Option<i64> {
    let number = unsigned(bytes)?;
    Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of 300 bytes, 20 on disk; a CRC where asked for; a structure and a list behind it.
    fn header(with_crc: bool) -> Vec<u8> {
        let mut bytes = vec![0x15, 0, 0x15, 0xd8, 0x04, 0x15, 40];
        let skipped: u8 = if with_crc {
            bytes.extend([0x15, 0x0f]);
            0x10
        } else {
            0x20
        };
        // Field 5: a structure with a whole number, a text, a true and a list of two numbers.
        bytes.extend([
            skipped | STRUCT,
            0x15,
            2,
            0x18,
            2,
            b'a',
            b'b',
            0x11,
            0x19,
            0x25,
            2,
            4,
            0,
        ]);
        bytes.push(0);
        bytes
    }

    #[test]
    fn a_header_says_how_large_its_page_is_and_whether_it_has_a_checksum() {
        for with_crc in [false, true] {
            let bytes = [header(with_crc), b"page".to_vec()].concat();
            let mut rest = &bytes[..];
            let read = Header::read(&mut rest).unwrap();
            assert_eq!(
                (read.unpacked, read.packed, read.has_crc),
                (300, 20, with_crc)
            );
            assert_eq!(rest, b"page");
        }
    }

    #[test]
    fn bytes_that_are_no_header_are_none() {
        let whole = header(true);
        for length in 0..whole.len() {
            assert!(Header::read(&mut &whole[..length]).is_none(), "{length}");
        }
        // Structures without end.
        assert!(Header::read(&mut &[0x1c; 100][..]).is_none());
        assert!(Header::read(&mut &[0xff; 100][..]).is_none());
    }
}
