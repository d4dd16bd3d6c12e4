//! Reads a delimited text into a table, in one pass and on all cores.
//!
//! A thread reads and hashes blocks ([`crate::feed`]); each block is cut into pieces of whole records ([`crate::cut`]),
//! the pieces are read side by side ([`crate::piece`]) and put together in their order ([`crate::merge`]).
//!
//! **Reading.** Fields and lines are those of [`crate::field`], the delimiter that of [`crate::sniff`]. A byte order
//! mark is skipped. Blank lines at the end are ignored. A blank line elsewhere is an empty value where the table has
//! one column, and an error where it has more: it may be what is left of a person. A quote that is not closed is an
//! error and never the rest of the file.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::cells::Cells;
use crate::csv_header::Header;
use crate::cut::cut;
use crate::error::IoError;
use crate::feed::{BLOCK, Opened};
use crate::field::LONGEST;
use crate::gather::{Gathering, Part};
use crate::known::KnownLines;
use crate::lines::RowLines;
use crate::merge::Growing;
use crate::pending::Pending;
use crate::piece::{Fault, FaultKind, Layout, Piece};
use crate::source::{Keep, Plan, Progress, ReadOptions, ReadTable};

/// How much text is parsed at a time, and how much of it by one thread.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    block: usize,
    piece: usize,
}

const SIZES: Sizes = Sizes {
    block: BLOCK,
    piece: 1 << 20,
};

/// The names in the header.
pub(crate) fn read_header(opened: Opened, options: &ReadOptions) -> Result<Vec<String>, IoError> {
    let mut text = Pending::new(opened, SIZES.block)?;
    Ok(Header::read(&mut text, options, &mut |_, _| Ok(()))?.names)
}

/// Reads a whole table.
pub(crate) fn read_table(
    opened: Opened,
    options: &ReadOptions,
    plan: Plan<'_>,
    progress: Progress<'_>,
) -> Result<ReadTable, IoError> {
    read_in_pieces(opened, options, plan, progress, SIZES)
}

fn read_in_pieces(
    opened: Opened,
    options: &ReadOptions,
    plan: Plan<'_>,
    progress: Progress<'_>,
    sizes: Sizes,
) -> Result<ReadTable, IoError> {
    let mut text = Pending::new(opened, sizes.block)?;
    let header = Header::read(&mut text, options, progress)?;
    let keeps = plan(&header.names)?;
    if keeps.len() != header.names.len() {
        return Err(IoError::internal(
            "the plan does not have one entry a column",
        ));
    }
    let (layout, columns) = lay_out(&header, &keeps, &options.nulls);
    let mut gathering = Gathering::new(columns, options)?;
    let mut known = KnownLines::new(options.counted && layout.kept > 0);
    let mut lines = RowLines::starting_at(text.lines + 1);
    let mut rows = 0;
    loop {
        for piece in read_pieces(&mut text, &layout, sizes.piece, &mut gathering, &mut known)? {
            piece
                .breaks
                .iter()
                .for_each(|(row, count)| lines.add_breaks(rows + row, *count));
            rows += piece.rows;
        }
        if text.at_end {
            break;
        }
        // What is left is a line that is not whole yet.
        let held = text.buffer.len() as u64;
        let memory = options.memory.as_ref();
        memory.map_or(Ok(()), |memory| {
            let line = format!("line {}", text.lines + 1);
            memory.must_do_for(Path::new(&text.file), &line, held)
        })?;
        text.more(progress)?;
    }
    if rows == 0 {
        return Err(IoError::data(
            text.place(),
            "the file has a header but no row",
            None,
        ));
    }
    let digested = text.feed.digested()?;
    let gathered = gathering.finish(&options.nulls)?;
    Ok(ReadTable {
        table: gathered.table,
        order: gathered.order.map(Arc::new),
        sections: gathered.sections.map(Arc::new),
        held: gathered.held,
        header: header.names,
        delimiter: Some(header.delimiter),
        rows,
        sha256: digested.sha256,
        bytes: digested.bytes,
        lines,
        missing: gathered.missing,
        unchecked: false,
    })
}

fn lay_out(header: &Header, keeps: &[Keep], nulls: &[String]) -> (Layout, Vec<Growing>) {
    let mut columns = Vec::new();
    let mut slots = Vec::new();
    for (name, keep) in header.names.iter().zip(keeps) {
        slots.push((*keep != Keep::Drop).then_some(columns.len()));
        if *keep != Keep::Drop {
            columns.push(Growing::new(name, *keep, nulls));
        }
    }
    (
        Layout {
            delimiter: header.delimiter,
            slots,
            kept: columns.len(),
        },
        columns,
    )
}

/// Reads the whole records of the text into the columns.
fn read_pieces(
    text: &mut Pending,
    layout: &Layout,
    size: usize,
    gathering: &mut Gathering,
    known: &mut KnownLines,
) -> Result<Vec<Piece>, IoError> {
    let cut = cut(&text.buffer, layout.delimiter, text.at_end, size);
    let width = layout.slots.len();
    let read: Vec<_> = cut
        .pieces
        .par_iter()
        .map(|range| Piece::read(&text.buffer[range.clone()], layout, known))
        .collect();
    let mut pieces = Vec::with_capacity(read.len());
    for (piece, range) in read.into_iter().zip(cut.pieces) {
        let piece = piece.map_err(|fault| text.fault(&fault, width, range.clone()))?;
        text.lines += piece.lines;
        text.bytes += range.len() as u64;
        pieces.push(piece);
    }
    // A record of so many fields, none of them too long, cannot be longer; quotes may double a field's length.
    let longest = (width + 1) * 2 * (LONGEST + 2);
    let endless = (text.buffer.len() - cut.rest > longest).then_some(cut.rest);
    if let Some(at) = cut.too_long.or(endless) {
        let fault = Fault {
            at: at - cut.rest,
            kind: FaultKind::LongField,
        };
        return Err(text.fault(&fault, width, cut.rest..text.buffer.len()));
    }
    text.leave_off(cut.rest);
    let parts: Vec<_> = pieces
        .iter()
        .map(|piece| Part {
            columns: piece.columns.iter().map(Cells::Met).collect(),
            of_row: piece.sorted.as_ref().map(|sorted| &sorted.of_row[..]),
        })
        .collect();
    gathering.absorb(&parts)?;
    if gathering.begins_section() {
        // Numbers mean other rows from here on.
        known.forget();
    } else if !text.at_end && pieces.iter().all(|piece| piece.sorted.is_some()) {
        let sorted = pieces.iter().filter_map(|piece| piece.sorted.as_ref());
        known.learn(sorted, gathering.last_numbers());
    }
    known.pass_block();
    Ok(pieces)
}

#[cfg(test)]
mod tests;
