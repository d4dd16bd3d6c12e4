//! A whole table, put together from pieces in their order: row by row, or each different row once.

use rayon::prelude::*;
use scrim::frequency::{Counting, Packed, RowIds};
use scrim::table::{Code, Table};

use crate::error::IoError;
use crate::memory::{Held, Memory};
use crate::merge::{Growing, missing_rows};
use crate::order::FileOrder;
use crate::piece::PieceColumn;
use crate::source::ReadOptions;

/// A table that grows by pieces.
pub(crate) struct Gathering {
    columns: Vec<Growing>,
    counted: Option<Counted>,
    /// Rows so far.
    rows: u64,
    memory: Option<Memory>,
}

/// What is held in place of rows.
struct Counted {
    counting: Counting,
    /// The different row that each row is.
    order: FileOrder,
}

/// Rows that come together.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) columns: &'a [PieceColumn],
    /// Where the columns hold some rows only: what each row is, as [`Counting::add`] wants it.
    pub(crate) of_row: Option<&'a [u32]>,
}

impl Part<'_> {
    /// How many rows the columns hold.
    fn held(&self) -> usize {
        self.columns.first().map_or(0, |column| column.ids.len())
    }

    fn rows(&self) -> usize {
        self.of_row.map_or_else(|| self.held(), <[u32]>::len)
    }
}

/// A table that was put together.
pub(crate) struct Gathered {
    pub(crate) table: Table,
    pub(crate) order: Option<FileOrder>,
    pub(crate) held: Held,
    /// By column, how many rows have a text that stands for a missing value.
    pub(crate) missing: Vec<(String, u64)>,
}

impl Gathering {
    /// A table of no rows. Without a column there is nothing to tell rows apart by, and nothing is counted.
    pub(crate) fn new(columns: Vec<Growing>, options: &ReadOptions) -> Result<Self, IoError> {
        let memory = options.memory.clone();
        let order = |memory: &Memory| FileOrder::spilling(memory.folder());
        let counted = if options.counted && !columns.is_empty() {
            Some(Counted {
                counting: Counting::new(columns.len()),
                order: memory.as_ref().map(order).transpose()?.unwrap_or_default(),
            })
        } else {
            None
        };
        let gathering = Self {
            columns,
            counted,
            rows: 0,
            memory,
        };
        gathering.must_fit()?;
        Ok(gathering)
    }

    /// What is held of the table so far.
    fn held(&self) -> Held {
        let counted = self.counted.as_ref().map(|counted| &counted.counting);
        let texts = self.columns.iter().map(Growing::texts);
        Held {
            rows: counted.map_or(self.rows, |counting| counting.len() as u64),
            columns: self.columns.len() as u64,
            texts: texts.fold((0, 0), |all, (texts, bytes)| {
                (all.0 + texts as u64, all.1 + bytes as u64)
            }),
            // Rows that are not counted are packed later, as quasi-identifiers only.
            words: counted.map_or(2, Counting::words) as u64,
        }
    }

    fn must_fit(&self) -> Result<(), IoError> {
        let Some(memory) = &self.memory else {
            return Ok(());
        };
        let columns = self.columns.iter();
        let columns = columns.map(|column| (column.name(), column.values()));
        memory.must_hold(self.held(), columns.max_by_key(|(_, values)| *values))
    }

    /// The name of a column.
    pub(crate) fn name(&self, column: usize) -> &str {
        self.columns[column].name()
    }

    /// How many columns it has.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The numbers of the rows that were added last, of a table that is counted.
    pub(crate) fn last_numbers(&self) -> &[u32] {
        let counted = self.counted.as_ref();
        counted.map_or(&[], |counted| counted.order.last_block())
    }

    /// Adds the rows of parts. Only a table that is counted takes parts that hold some rows only.
    pub(crate) fn absorb(&mut self, parts: &[Part<'_>]) -> Result<(), IoError> {
        self.rows += parts.iter().map(|part| part.rows() as u64).sum::<u64>();
        self.absorb_rows(parts)?;
        self.must_fit()
    }

    fn absorb_rows(&mut self, parts: &[Part<'_>]) -> Result<(), IoError> {
        let Some(counted) = &mut self.counted else {
            let columns = self.columns.par_iter_mut().enumerate();
            columns.for_each(|(slot, column)| {
                for part in parts {
                    column.absorb(&part.columns[slot]);
                }
            });
            return Ok(());
        };
        let columns = self.columns.par_iter_mut().enumerate();
        let meanings: Vec<Vec<Vec<Code>>> = columns
            .map(|(slot, column)| {
                let parts = parts.iter();
                let meaning = parts.map(|part| column.meaning(&part.columns[slot]));
                meaning.collect()
            })
            .collect();
        let widths: Vec<usize> = self.columns.iter().map(Growing::values).collect();
        counted.counting.make_room(&widths);
        let counting = &counted.counting;
        let packed: Vec<Packed> = parts
            .par_iter()
            .enumerate()
            .map(|(at, part)| {
                let columns = part.columns.iter().enumerate();
                let columns = columns.map(|(slot, column)| RowIds {
                    ids: &column.ids,
                    meaning: &meanings[slot][at],
                });
                counting.pack(part.held(), &columns.collect::<Vec<_>>())
            })
            .collect();
        if self.rows > u64::from(u32::MAX) {
            let what = "more than four billion rows cannot be counted";
            return Err(IoError::internal(what));
        }
        let counting = &mut counted.counting;
        counted.order.add(|order| {
            order.reserve_exact(parts.iter().map(Part::rows).sum());
            for (part, packed) in parts.iter().zip(packed) {
                counting.add(&packed, part.of_row, order);
            }
        })
    }

    /// The table of all rows that were added.
    pub(crate) fn finish(self, nulls: &[String]) -> Result<Gathered, IoError> {
        let unequal = || IoError::internal("columns of different length");
        let held = self.held();
        let (table, order) = match self.counted {
            None => {
                let columns = self.columns.into_par_iter().map(Growing::finish);
                let columns = columns.collect::<Result<Vec<_>, _>>()?;
                (Table::new(columns).ok_or_else(unequal)?, None)
            }
            Some(Counted { counting, order }) => {
                let column = |(slot, column): (usize, &Growing)| {
                    let codes = counting.codes(slot, column.values());
                    column.finish_with(codes)
                };
                let columns = self.columns.par_iter().enumerate().map(column);
                let columns = columns.collect::<Result<Vec<_>, _>>()?;
                let different = counting.tells_apart();
                let (times, first) = counting.finish();
                let table = Table::counted(columns, times, first).ok_or_else(unequal)?;
                let table = if different {
                    table.all_different()
                } else {
                    table
                };
                (table, Some(order))
            }
        };
        let missing = table.columns().par_iter();
        let missing = missing
            .map(|column| (column.name().to_owned(), missing_rows(column, nulls)))
            .collect();
        Ok(Gathered {
            table,
            order,
            held,
            missing,
        })
    }
}
