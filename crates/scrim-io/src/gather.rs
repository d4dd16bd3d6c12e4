//! A whole table, put together from pieces in their order: row by row, or each different row once.

use std::sync::Arc;

use rayon::prelude::*;
use scrim::frequency::{Counting, Packed, RowIds};
use scrim::table::{Code, Table};

use crate::cells::Cells;
use crate::error::IoError;
use crate::memory::{Held, Memory};
use crate::merge::{Growing, missing_rows};
use crate::order::FileOrder;
use crate::sections::{Putting, Sections};
use crate::source::ReadOptions;

/// A table that grows by pieces.
pub(crate) struct Gathering {
    columns: Vec<Growing>,
    counted: Option<Counted>,
    /// Where different rows go that memory does not hold, if they may.
    sections: Option<Putting>,
    may_part: bool,
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
pub(crate) struct Part<'a> {
    pub(crate) columns: Vec<Cells<'a>>,
    /// Where the columns hold some rows only: what each row is, as [`Counting::add`] wants it.
    pub(crate) of_row: Option<&'a [u32]>,
}

impl Part<'_> {
    /// How many rows the columns hold.
    fn held(&self) -> usize {
        self.columns.first().map_or(0, |column| column.ids().len())
    }

    fn rows(&self) -> usize {
        self.of_row.map_or_else(|| self.held(), <[u32]>::len)
    }
}

/// A table that was put together.
pub(crate) struct Gathered {
    pub(crate) table: Table,
    pub(crate) order: Option<FileOrder>,
    pub(crate) sections: Option<Sections>,
    pub(crate) held: Held,
    /// By column, how many rows have a text that stands for a missing value.
    pub(crate) missing: Vec<(String, u64)>,
}

impl Gathering {
    /// A table of no rows. Without a column there is nothing to tell rows apart by, and nothing is counted.
    pub(crate) fn new(columns: Vec<Growing>, options: &ReadOptions) -> Result<Self, IoError> {
        let memory = options.memory.clone();
        let order = match &memory {
            _ if !options.order => FileOrder::forgotten(),
            Some(memory) => FileOrder::spilling(memory.folder())?,
            None => FileOrder::default(),
        };
        let counted = (options.counted && !columns.is_empty()).then(|| Counted {
            counting: Counting::new(columns.len()),
            order,
        });
        let gathering = Self {
            columns,
            may_part: counted.is_some() && options.sections,
            counted,
            sections: None,
            rows: 0,
            memory,
        };
        gathering.must_fit()?;
        Ok(gathering)
    }

    /// How many rows are held, different ones where they are counted.
    fn held_rows(&self) -> u64 {
        let counted = self.counted.as_ref();
        counted.map_or(self.rows, |counted| counted.counting.len() as u64)
    }

    /// What is held of the table so far.
    fn held(&self) -> Held {
        let counted = self.counted.as_ref().map(|counted| &counted.counting);
        let texts = self.columns.iter().map(Growing::texts);
        Held {
            rows: self.held_rows(),
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
        if self.may_part && self.held_rows() > 0 && self.must_fit().is_err() {
            self.put_away()?;
        }
        self.must_fit()
    }

    /// Whether the next row begins a new section.
    pub(crate) fn begins_section(&self) -> bool {
        self.sections.is_some() && self.held_rows() == 0
    }

    /// Puts the different rows away that are held.
    fn put_away(&mut self) -> Result<(), IoError> {
        let (Some(counted), Some(memory)) = (&mut self.counted, &self.memory) else {
            return Ok(());
        };
        let sections = match &mut self.sections {
            Some(sections) => sections,
            none => none.insert(Putting::new(memory.folder())?),
        };
        let next = counted.counting.following();
        let counting = std::mem::replace(&mut counted.counting, next);
        let values: Vec<usize> = self.columns.iter().map(Growing::values).collect();
        sections.put(counting, &values, sections.next_row()..self.rows)
    }

    fn absorb_rows(&mut self, parts: &[Part<'_>]) -> Result<(), IoError> {
        let Some(counted) = &mut self.counted else {
            let columns = self.columns.par_iter_mut().enumerate();
            columns.for_each(|(slot, column)| {
                for part in parts {
                    column.absorb(part.columns[slot]);
                }
            });
            return Ok(());
        };
        let meaning = |(slot, column): (usize, &mut Growing)| {
            let meaning = parts.iter().map(|part| column.meaning(part.columns[slot]));
            meaning.collect()
        };
        // One part is too little to wake others up for.
        let alone = parts.len() == 1;
        let meanings: Vec<Vec<Arc<[Code]>>> = if alone {
            self.columns.iter_mut().enumerate().map(meaning).collect()
        } else {
            let columns = self.columns.par_iter_mut().enumerate();
            columns.map(meaning).collect()
        };
        let widths: Vec<usize> = self.columns.iter().map(Growing::values).collect();
        counted.counting.make_room(&widths);
        let counting = &counted.counting;
        let pack = |(at, part): (usize, &Part<'_>)| {
            let columns = part.columns.iter().enumerate();
            let columns = columns.map(|(slot, column)| RowIds {
                ids: column.ids(),
                meaning: &meanings[slot][at],
            });
            counting.pack(part.held(), &columns.collect::<Vec<_>>())
        };
        let packed: Vec<Packed> = if alone {
            parts.iter().enumerate().map(pack).collect()
        } else {
            parts.par_iter().enumerate().map(pack).collect()
        };
        if self.rows > u64::from(u32::MAX) {
            return Err(IoError::Memory {
                what: format!(
                    "the table has more than {} rows, which are not counted",
                    u32::MAX
                ),
                hint: Some("publish it in several tables".to_owned()),
            });
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
    pub(crate) fn finish(mut self, nulls: &[String]) -> Result<Gathered, IoError> {
        if self.sections.is_some() && self.held_rows() > 0 {
            self.put_away()?;
        }
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
                (table, Some(order).filter(FileOrder::is_kept))
            }
        };
        let sections = self
            .sections
            .map(|sections| sections.finish(table.columns().to_vec()));
        let mut missing = missing_by_column(&table, nulls);
        if let Some(sections) = &sections {
            for section in 0..sections.len() {
                let own = missing_by_column(&sections.table(section)?, nulls);
                let all = missing.iter_mut().zip(own);
                all.for_each(|((_, all), (_, own))| *all += own);
            }
        }
        Ok(Gathered {
            table,
            order,
            sections,
            held,
            missing,
        })
    }
}

/// By column, how many rows have a text that stands for a missing value.
fn missing_by_column(table: &Table, nulls: &[String]) -> Vec<(String, u64)> {
    let columns = table.columns().par_iter();
    columns
        .map(|column| (column.name().to_owned(), missing_rows(column, nulls)))
        .collect()
}
