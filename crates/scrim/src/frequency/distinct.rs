//! Rows that are alike, and the packing of rows into keys.

use super::{Index, Layout};
use crate::table::Codes;

/// The different rows of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// The number of each row.
    pub of_row: Vec<u32>,
    /// Where each different row stands first.
    pub first_rows: Vec<u32>,
}

/// Numbers equal rows alike, by first occurrence. The codes of a column are below its width.
pub fn distinct(widths: &[usize], columns: &[&Codes], rows: usize) -> Distinct {
    let Some(layout) = Layout::new(widths.iter().copied()) else {
        let all: Vec<u32> = (0..rows as u32).collect();
        return Distinct {
            of_row: all.clone(),
            first_rows: all,
        };
    };
    match layout.words() {
        1 => distinct_by::<1>(&layout, columns, rows),
        2 => distinct_by::<2>(&layout, columns, rows),
        4 => distinct_by::<4>(&layout, columns, rows),
        _ => distinct_by::<8>(&layout, columns, rows),
    }
}

fn distinct_by<const W: usize>(layout: &Layout, columns: &[&Codes], rows: usize) -> Distinct {
    let mut index = Index::<W>::with_room_for(rows.min(1 << 12));
    let mut first_rows = Vec::new();
    let mut of_row = Vec::with_capacity(rows);
    each_block::<W>(layout, columns, rows, |keys| {
        let start = of_row.len();
        index.find_or_add_runs(keys, &mut of_row);
        for (row, number) in (start as u32..).zip(&of_row[start..]) {
            if *number as usize == first_rows.len() {
                first_rows.push(row);
            }
        }
    });
    Distinct { of_row, first_rows }
}

/// Packs rows into keys, column by column: each pass runs over one array, and the keys stay in cache a block at a time.
pub(super) fn each_block<const W: usize>(
    layout: &Layout,
    columns: &[&Codes],
    rows: usize,
    mut visit: impl FnMut(&[[u64; W]]),
) {
    const BLOCK: usize = 1024;
    let mut block = [[0u64; W]; BLOCK];
    for start in (0..rows).step_by(BLOCK) {
        let size = BLOCK.min(rows - start);
        block.fill([0; W]);
        for (attribute, column) in columns.iter().enumerate() {
            let field = layout.field(attribute);
            column.for_each_in(start..start + size, |row, code| {
                block[row][field.word] |= u64::from(code) << field.shift;
            });
        }
        visit(&block[..size]);
    }
}
