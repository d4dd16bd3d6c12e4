//! One piece of a delimited text: whole records, turned into codes with dictionaries of the piece's own.

use memchr::{memchr, memchr_iter, memchr2_iter};

use crate::field::{LONGEST, Text, field, is_blank};
use crate::intern::Interner;

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

/// A kept column within a piece.
pub(crate) struct PieceColumn {
    pub(crate) texts: Interner,
    pub(crate) ids: Vec<u32>,
}

/// The records of a piece.
pub(crate) struct Piece {
    pub(crate) columns: Vec<PieceColumn>,
    pub(crate) rows: u64,
    /// Line ends in the piece, those within fields too.
    pub(crate) lines: u64,
    /// Rows that hold line breaks, and how many.
    pub(crate) breaks: Vec<(u64, u64)>,
}

impl Piece {
    /// Reads a piece. UTF-8 is checked here, once for all cells: delimiters are ASCII, so no cell breaks a character.
    pub(crate) fn read(bytes: &[u8], layout: &Layout) -> Result<Self, Fault> {
        if let Err(error) = std::str::from_utf8(bytes) {
            return Err(Fault {
                at: error.valid_up_to(),
                kind: FaultKind::Encoding,
            });
        }
        let columns = (0..layout.kept)
            .map(|_| PieceColumn {
                texts: Interner::new(),
                ids: Vec::new(),
            })
            .collect();
        let mut piece = Self {
            columns,
            rows: 0,
            lines: 0,
            breaks: Vec::new(),
        };
        if memchr(b'"', bytes).is_some() {
            piece.read_quoted(bytes, layout)?;
        } else {
            piece.read_plain(bytes, layout)?;
        }
        Ok(piece)
    }

    /// Without quotes every delimiter parts two fields and every line end two records.
    fn read_plain(&mut self, bytes: &[u8], layout: &Layout) -> Result<(), Fault> {
        let last = layout.slots.len() - 1;
        let mut column = 0;
        let mut record = 0;
        let mut start = 0;
        let ends = memchr2_iter(layout.delimiter, b'\n', bytes);
        // The file's last line may lack its line end.
        let open = (bytes.last() != Some(&b'\n')).then_some(bytes.len());
        for at in ends.chain(open) {
            let line_end = bytes.get(at).is_none_or(|byte| *byte == b'\n');
            if line_end != (column == last) {
                return Err(misfit(bytes, record, layout.delimiter));
            }
            let stop = if line_end && at > start && bytes[at - 1] == b'\r' {
                at - 1
            } else {
                at
            };
            if stop - start > LONGEST {
                return Err(Fault {
                    at: start,
                    kind: FaultKind::LongField,
                });
            }
            if let Some(slot) = layout.slots[column] {
                let kept = &mut self.columns[slot];
                kept.ids.push(kept.texts.intern(bytes, start..stop));
            }
            start = at + 1;
            if line_end {
                record = start;
                column = 0;
                self.rows += 1;
            } else {
                column += 1;
            }
        }
        self.lines = self.rows - u64::from(open.is_some());
        Ok(())
    }

    fn read_quoted(&mut self, bytes: &[u8], layout: &Layout) -> Result<(), Fault> {
        let width = layout.slots.len();
        let mut scratch = Vec::new();
        let mut record = 0;
        while record < bytes.len() {
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
        Ok(())
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

/// Why a record does not have the header's number of fields.
fn misfit(bytes: &[u8], record: usize, delimiter: u8) -> Fault {
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
    use super::*;

    fn read(text: &str, width: usize) -> Result<Piece, Fault> {
        Piece::read(
            text.as_bytes(),
            &Layout {
                delimiter: b',',
                slots: (0..width).map(Some).collect(),
                kept: width,
            },
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
    fn a_blank_line_of_a_one_column_table_is_an_empty_value() {
        let piece = read("a\n\nb\n", 1).unwrap();
        assert_eq!(piece.columns[0].ids, [0, 1, 2]);
        assert_eq!(piece.columns[0].texts.text(1), b"");
    }
}
