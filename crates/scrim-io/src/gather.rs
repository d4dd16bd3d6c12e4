//! A whole table, put together from pieces in their order: row by row, or each different row once.

use rayon::prelude::*;
use scrim::frequency::{Counting, Distinct, distinct};
use scrim::table::{Code, Table};

use crate::error::IoError;
use crate::merge::{Growing, missing_rows};
use crate::piece::PieceColumn;

/// A table that grows by pieces.
pub(crate) struct Gathering {
    columns: Vec<Growing>,
    counted: Option<Counted>,
}

/// What is held in place of rows.
struct Counted {
    counting: Counting,
    /// The different row that each row is.
    order: Vec<u32>,
}

/// A table that was put together.
pub(crate) struct Gathered {
    pub(crate) table: Table,
    pub(crate) order: Option<Vec<u32>>,
    /// By column, how many rows have a text that stands for a missing value.
    pub(crate) missing: Vec<(String, u64)>,
}

impl Gathering {
    /// A table of no rows. Without a column there is nothing to tell rows apart by, and nothing is counted.
    pub(crate) fn new(columns: Vec<Growing>, counted: bool) -> Self {
        let counted = (counted && !columns.is_empty()).then(|| Counted {
            counting: Counting::new(columns.len()),
            order: Vec::new(),
        });
        Self { columns, counted }
    }

    /// The name of a column.
    pub(crate) fn name(&self, column: usize) -> &str {
        self.columns[column].name()
    }

    /// How many columns it has.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Adds the rows of pieces.
    pub(crate) fn absorb(&mut self, pieces: &[&[PieceColumn]]) -> Result<(), IoError> {
        let Some(counted) = &mut self.counted else {
            let columns = self.columns.par_iter_mut().enumerate();
            columns.for_each(|(slot, column)| {
                for piece in pieces {
                    column.absorb(&piece[slot]);
                }
            });
            return Ok(());
        };
        let locals: Vec<Distinct> = pieces.par_iter().map(|piece| put_together(piece)).collect();
        let columns = self.columns.par_iter_mut().enumerate();
        let meanings: Vec<Vec<Vec<Code>>> = columns
            .map(|(slot, column)| {
                let parts = pieces.iter();
                parts.map(|piece| column.meaning(&piece[slot])).collect()
            })
            .collect();
        let widths: Vec<usize> = self.columns.iter().map(Growing::values).collect();
        for (at, (piece, local)) in pieces.iter().zip(&locals).enumerate() {
            let codes: Vec<Vec<Code>> = piece
                .par_iter()
                .enumerate()
                .map(|(slot, part)| {
                    let meaning = &meanings[slot][at];
                    let rows = local.first_rows.iter();
                    let id = |row: &u32| part.ids[*row as usize] as usize;
                    rows.map(|row| meaning[id(row)]).collect()
                })
                .collect();
            counted.add(&widths, &codes, local)?;
        }
        Ok(())
    }

    /// The table of all rows that were added.
    pub(crate) fn finish(self, nulls: &[String]) -> Result<Gathered, IoError> {
        let unequal = || IoError::internal("columns of different length");
        let (table, order) = match self.counted {
            None => {
                let columns = self.columns.into_par_iter().map(Growing::finish);
                let columns = columns.collect::<Result<Vec<_>, _>>()?;
                (Table::new(columns).ok_or_else(unequal)?, None)
            }
            Some(Counted { counting, order }) => {
                let column = |(slot, column): (usize, &Growing)| {
                    let codes = counting.codes(slot, column.values());
                    column.finish_with((0..codes.len()).map(|row| codes.get(row)))
                };
                let columns = self.columns.par_iter().enumerate().map(column);
                let columns = columns.collect::<Result<Vec<_>, _>>()?;
                let (times, first) = counting.finish();
                let table = Table::counted(columns, times, first);
                (table.ok_or_else(unequal)?, Some(order))
            }
        };
        let missing = table.columns().par_iter();
        let missing = missing
            .map(|column| (column.name().to_owned(), missing_rows(column, nulls)))
            .collect();
        Ok(Gathered {
            table,
            order,
            missing,
        })
    }
}

/// The different rows of a piece, by its own dictionaries.
fn put_together(piece: &[PieceColumn]) -> Distinct {
    let widths: Vec<usize> = piece.iter().map(|part| part.texts.len()).collect();
    let columns: Vec<&[u32]> = piece.iter().map(|part| part.ids.as_slice()).collect();
    let rows = columns.first().map_or(0, |ids| ids.len());
    distinct(&widths, &columns, rows)
}

impl Counted {
    fn add(
        &mut self,
        widths: &[usize],
        codes: &[Vec<Code>],
        local: &Distinct,
    ) -> Result<(), IoError> {
        let before = self.order.len() as u64;
        if before + local.of_row.len() as u64 > u64::from(u32::MAX) {
            return Err(IoError::internal(
                "more than four billion rows cannot be counted",
            ));
        }
        let mut times = vec![0; local.first_rows.len()];
        for row in &local.of_row {
            times[*row as usize] += 1;
        }
        let first = local.first_rows.iter();
        let first: Vec<u64> = first.map(|row| before + u64::from(*row)).collect();
        let numbers = self.counting.add(widths, codes, &times, &first);
        let rows = local.of_row.iter();
        self.order.extend(rows.map(|row| numbers[*row as usize]));
        Ok(())
    }
}
