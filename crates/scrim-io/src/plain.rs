//! Records without a quote: every delimiter parts two fields and every line end two records.
//!
//! The lines come a few hundred at a time. First the ends of all their fields are found ([`crate::marks`]), then the
//! cells are looked up column by column: one dictionary after the other stays at hand, and a dropped column costs
//! nothing. Lines that do not fit are read field by field, which finds what is wrong with them and where.

use std::ops::Range;

use memchr::{memchr_iter, memchr2_iter};

use crate::cells::Met;
use crate::field::LONGEST;
use crate::marks::Ends;
use crate::piece::{Fault, FaultKind, Layout, misfit};

/// Reads lines that begin and end with records and answers how many they are. The last may lack its line end.
pub(crate) fn read(
    bytes: &[u8],
    part: Range<usize>,
    layout: &Layout,
    columns: &mut [Met],
    ends: &mut Ends,
) -> Result<u64, Fault> {
    let lines = memchr_iter(b'\n', &bytes[part.clone()]).count();
    // Places are told by 32 bits; a part is longer only where no line ends for gigabytes.
    if bytes[part.clone()].ends_with(b"\n") && u32::try_from(part.len()).is_ok() {
        let ends = ends.find(&bytes[part.clone()], layout.delimiter);
        let bytes = &bytes[part.start..];
        if fits(bytes, ends, layout.slots.len(), lines) {
            look_up(bytes, ends, layout, columns);
            return Ok(lines as u64);
        }
    }
    read_fields(bytes, part, layout, columns)
}

/// Whether every line has the right number of fields, and none is so long that a field might be too long.
fn fits(bytes: &[u8], ends: &[u32], width: usize, lines: usize) -> bool {
    // As many line ends as lines, each of them in its place: all other marks are delimiters.
    let lines_end = || ends.iter().step_by(width).skip(1).map(|end| *end as usize);
    let mut start = 0;
    ends.len() == lines * width + 1
        && lines_end().all(|end| {
            let length = end - std::mem::replace(&mut start, end);
            bytes[end - 1] == b'\n' && length <= LONGEST
        })
}

/// Looks up the cells of lines that fit.
fn look_up(bytes: &[u8], ends: &[u32], layout: &Layout, columns: &mut [Met]) {
    let width = layout.slots.len();
    let starts = || ends[..ends.len() - 1].chunks_exact(width);
    let stops = || ends[1..].chunks_exact(width);
    for (column, slot) in layout.slots.iter().enumerate() {
        let Some(slot) = *slot else { continue };
        let Met { texts, ids } = &mut columns[slot];
        let cells = starts().zip(stops());
        if column + 1 < width {
            ids.extend(cells.map(|(start, stop)| {
                texts.intern(bytes, start[column] as usize..stop[column] as usize - 1)
            }));
        } else {
            ids.extend(cells.map(|(start, stop)| {
                let start = start[column] as usize;
                texts.intern(
                    bytes,
                    start..line_end(bytes, start, stop[column] as usize - 1),
                )
            }));
        }
    }
}

/// Where the text of a line's last field ends.
#[inline]
fn line_end(bytes: &[u8], start: usize, end: usize) -> usize {
    if end > start && bytes[end - 1] == b'\r' {
        end - 1
    } else {
        end
    }
}

/// Reads records field by field.
fn read_fields(
    bytes: &[u8],
    part: Range<usize>,
    layout: &Layout,
    columns: &mut [Met],
) -> Result<u64, Fault> {
    let last = layout.slots.len() - 1;
    let mut rows = 0;
    let mut column = 0;
    let mut record = part.start;
    let mut start = part.start;
    let text = &bytes[part.clone()];
    let ends = memchr2_iter(layout.delimiter, b'\n', text).map(|at| part.start + at);
    let open = text
        .last()
        .is_some_and(|byte| *byte != b'\n')
        .then_some(part.end);
    for at in ends.chain(open) {
        let line_ends = at == part.end || bytes[at] == b'\n';
        if line_ends != (column == last) {
            return Err(misfit(bytes, record, layout.delimiter));
        }
        let stop = if line_ends {
            line_end(bytes, start, at)
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
            let kept = &mut columns[slot];
            kept.ids.push(kept.texts.intern(bytes, start..stop));
        }
        start = at + 1;
        if line_ends {
            record = start;
            column = 0;
            rows += 1;
        } else {
            column += 1;
        }
    }
    Ok(rows)
}
