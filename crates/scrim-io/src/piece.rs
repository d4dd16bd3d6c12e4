//! One piece of a delimited text: whole records, turned into codes with dictionaries of the piece's own.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::cells::Met;
use crate::field::{LONGEST, Text, field, is_blank};
use crate::intern::Interner;
use crate::known::{KnownLines, Sorted};
use crate::marks::Ends;
use crate::plain;

/// How much text is taken at a time: with the ends of its fields it stays in the nearest cache.
const BATCH: usize = 1 << 14;

/// What is wrong with a piece, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte at which it shows.
    pub(crate) at: usize,
    pub(crate) kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    Encoding,
    Ragged { fields: usize },
    Blank,
    OpenQuote,
    StrayQuote,
    LongField,
}

/// Which columns the file has and which of them are kept.
pub(crate) struct Layout {
    pub(crate) delimiter: u8,
    /// For each column of the file its number among the kept ones.
    pub(crate) slots: Vec<Option<usize>>,
    pub(crate) kept: usize,
}

/// The records of a piece.
pub(crate) struct Piece {
    /// The kept columns: of all rows, or of the lines that were not known where the piece tells these apart.
    pub(crate) columns: Vec<Met>,
    /// Where the columns hold no line that was known: what each row is.
    pub(crate) sorted: Option<Sorted>,
    pub(crate) rows: u64,
    /// Line ends in the piece, those within fields too.
    pub(crate) lines: u64,
    /// Rows that hold line breaks, and how many.
    pub(crate) breaks: Vec<(u64, u64)>,
}

impl Piece {
    /// Reads a piece. A byte that is not UTF-8 is told before all else that may be wrong with the piece.
    pub(crate) fn read(bytes: &[u8], layout: &Layout, known: &KnownLines) -> Result<Self, Fault> {
        if let Some(sorted) = known.sort(bytes)
            // What is wrong is told by its place in the whole piece.
            && let Ok(mut piece) = Self::read_all(&sorted.text, layout)
        {
            piece.rows = sorted.of_row.len() as u64;
            piece.lines = piece.rows;
            piece.sorted = Some(sorted);
            return Ok(piece);
        }
        Self::read_all(bytes, layout)
            .map_err(|fault| check_utf8(bytes, 0..bytes.len()).err().unwrap_or(fault))
    }

    /// Reads every line.
    fn read_all(bytes: &[u8], layout: &Layout) -> Result<Self, Fault> {
        let columns = (0..layout.kept)
            .map(|_| Met {
                texts: Interner::new(),
                ids: Vec::new(),
            })
            .collect();
        let mut piece = Self {
            columns,
            sorted: None,
            rows: 0,
            lines: 0,
            breaks: Vec::new(),
        };
        piece.read_records(bytes, layout)?;
        Ok(piece)
    }

    /// Reads a few lines at a time. UTF-8 is checked for all their cells at once: delimiters are ASCII, so that no cell
    /// breaks a character.
    fn read_records(&mut self, bytes: &[u8], layout: &Layout) -> Result<(), Fault> {
        let mut ends = Ends::new();
        let mut start = 0;
        while start < bytes.len() {
            let least = bytes.len().min(start + BATCH);
            let line = memchr(b'\n', &bytes[least - 1..]);
            let stop = line.map_or(bytes.len(), |more| least + more);
            check_utf8(bytes, start..stop)?;
            if memchr(b'"', &bytes[start..stop]).is_some() {
                start = self.read_quoted(bytes, start..stop, layout)?;
                // A quoted field may go on behind the line end.
                check_utf8(bytes, stop..start.max(stop))?;
            } else {
                let rows = plain::read(bytes, start..stop, layout, &mut self.columns, &mut ends)?;
                self.rows += rows;
                self.lines += rows - u64::from(bytes[stop - 1] != b'\n');
                start = stop;
            }
        }
        Ok(())
    }

    /// Reads the records that begin in a part and answers where the next one begins.
    fn read_quoted(
        &mut self,
        bytes: &[u8],
        part: Range<usize>,
        layout: &Layout,
    ) -> Result<usize, Fault> {
        let width = layout.slots.len();
        let mut scratch = Vec::new();
        let mut record = part.start;
        while record < part.end {
            let (mut at, mut column) = (record, 0);
            let ends_file = loop {
                let Some(field) = field(bytes, at, layout.delimiter, &mut scratch) else {
                    return Err(Fault {
                        at,
                        kind: FaultKind::OpenQuote,
                    });
                };
                if field.stray {
                    return Err(Fault {
                        at,
                        kind: FaultKind::StrayQuote,
                    });
                }
                if field.last != (column + 1 == width) {
                    return Err(misfit(bytes, record, layout.delimiter));
                }
                let (buffer, range) = match field.text {
                    Text::Here(range) => (bytes, range),
                    Text::Scratch => (scratch.as_slice(), 0..scratch.len()),
                };
                if range.len() > LONGEST {
                    return Err(Fault {
                        at,
                        kind: FaultKind::LongField,
                    });
                }
                if let Some(slot) = layout.slots[column] {
                    let kept = &mut self.columns[slot];
                    kept.ids.push(kept.texts.intern(buffer, range));
                }
                column += 1;
                at = field.next;
                if field.last {
                    break field.at_end;
                }
            };
            self.count_breaks(&bytes[record..at], ends_file);
            self.rows += 1;
            record = at;
        }
        Ok(record)
    }

    fn count_breaks(&mut self, record: &[u8], ends_file: bool) {
        let lines = memchr_iter(b'\n', record).count() as u64;
        let breaks = lines - u64::from(!ends_file);
        self.lines += lines;
        if breaks > 0 {
            self.breaks.push((self.rows, breaks));
        }
    }
}

/// Whether a part that breaks no character is UTF-8.
fn check_utf8(bytes: &[u8], part: Range<usize>) -> Result<(), Fault> {
    let text = &bytes[part.clone()];
    if text.is_ascii() {
        return Ok(());
    }
    std::str::from_utf8(text).map(drop).map_err(|error| Fault {
        at: part.start + error.valid_up_to(),
        kind: FaultKind::Encoding,
    })
}

/// Why a record does not have the header's number of fields.
pub(crate) fn misfit(bytes: &[u8], record: usize, delimiter: u8) -> Fault {
    if is_blank(bytes, record) {
        return Fault {
            at: record,
            kind: FaultKind::Blank,
        };
    }
    let (mut at, mut fields) = (record, 0);
    let mut scratch = Vec::new();
    loop {
        let Some(field) = field(bytes, at, delimiter, &mut scratch) else {
            return Fault {
                at,
                kind: FaultKind::OpenQuote,
            };
        };
        fields += 1;
        at = field.next;
        if field.last {
            return Fault {
                at: record,
                kind: FaultKind::Ragged { fields },
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use scrim::frequency::Counting;

    use super::*;

    fn read(text: &str, width: usize) -> Result<Piece, Fault> {
        Piece::read(
            text.as_bytes(),
            &Layout {
                delimiter: b',',
                slots: (0..width).map(Some).collect(),
                kept: width,
            },
            &KnownLines::new(false),
        )
    }

    fn fault(text: &str, width: usize) -> (usize, FaultKind) {
        let fault = read(text, width).err().unwrap();
        (fault.at, fault.kind)
    }

    #[test]
    fn a_record_of_another_width_is_found_with_and_without_quotes() {
        assert_eq!(
            fault("1,2\n1,2,3\n", 2),
            (4, FaultKind::Ragged { fields: 3 })
        );
        assert_eq!(
            fault("1,2\n\"1\",2,3\n", 2),
            (4, FaultKind::Ragged { fields: 3 })
        );
        assert_eq!(fault("1,2\n1", 2), (4, FaultKind::Ragged { fields: 1 }));
        assert_eq!(fault("1,2\n\r\n1,2", 2), (4, FaultKind::Blank));
        assert_eq!(fault("1,2\n\"\",\"\n\n", 2), (7, FaultKind::OpenQuote));
    }

    #[test]
    fn a_field_of_more_than_a_mebibyte_is_a_fault() {
        let long = "x".repeat(LONGEST);
        assert!(read(&format!("1,{long}\n"), 2).is_ok());
        assert_eq!(fault(&format!("1,{long}x\n"), 2), (2, FaultKind::LongField));
        assert_eq!(
            fault(&format!("1,\"{long}x\"\n"), 2),
            (2, FaultKind::LongField)
        );
    }

    #[test]
    fn line_breaks_in_fields_are_counted() {
        let piece = read("1,2\n\"a\nb\",\"\n\"\n3,4", 2).unwrap();
        assert_eq!(
            (piece.rows, piece.lines, piece.breaks),
            (3, 4, vec![(1, 2)])
        );
    }

    #[test]
    fn lines_that_are_known_are_not_read() {
        let layout = Layout {
            delimiter: b',',
            slots: vec![Some(0), None],
            kept: 1,
        };
        let mut known = KnownLines::new(true);
        known.pass_block();
        let piece = Piece::read(b"a,1\nb,1\na,1\n", &layout, &known).unwrap();
        assert_eq!(piece.columns[0].ids, [0, 1, 0]);
        known.learn(piece.sorted.iter(), &[0, 1, 0]);
        let text = b"a,1\nb,1\na,2\na,1\r\na,1\n";
        let piece = Piece::read(text, &layout, &known).unwrap();
        let met = Counting::KNOWN;
        assert_eq!(piece.sorted.unwrap().of_row, [met, met + 1, 0, 1, met]);
        assert_eq!(piece.columns[0].ids, [0, 0]);
        assert_eq!((piece.rows, piece.lines), (5, 5));
        // A line that repeats the one before it is read once, known or not.
        let piece = Piece::read(b"c,1\nc,1\na,1\na,1\nc,1\n", &layout, &known).unwrap();
        let of_row = &piece.sorted.as_ref().unwrap().of_row;
        assert_eq!((of_row[0], of_row[1], of_row[4]), (0, 0, 1));
        assert!(of_row[2] == of_row[3] && of_row[2] & Counting::KNOWN > 0);
        // The place of a fault is that in the piece and not among the lines that are not known.
        let fault = Piece::read(b"a,1\na,1\na\n", &layout, &known)
            .err()
            .unwrap();
        assert_eq!((fault.at, fault.kind), (8, FaultKind::Ragged { fields: 1 }));
        let fault = Piece::read(b"a,1\na,1\na\n\xff,1\n", &layout, &known);
        let fault = fault.err().unwrap();
        assert_eq!((fault.at, fault.kind), (10, FaultKind::Encoding));
    }

    #[test]
    fn a_blank_line_of_a_one_column_table_is_an_empty_value() {
        let piece = read("a\n\nb\n", 1).unwrap();
        assert_eq!(piece.columns[0].ids, [0, 1, 2]);
        assert_eq!(piece.columns[0].texts.text(1), b"");
    }
}
