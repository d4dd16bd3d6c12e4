//! The order in which the rows of a release are written.
//!
//! **Reading.** A release is a multiset of rows. It is written in canonical order, by the published columns from left to right, each by
//! text, so that the file tells nothing about the order of the input. `order = "input"` keeps that order instead.

use std::sync::Arc;

use scrim::release::policy::RowOrder;
use scrim::table::{Codes, SortColumn, ranks, sorted_rows};

use super::super::load::LoadedTable;
use crate::{FileOrder, IoError, Order, OutColumn};

/// Rows that are ready to be written.
pub(super) struct Ordered {
    /// The columns: each row that is written, or each different row once where there is an order.
    pub(super) columns: Vec<OutColumn>,
    /// How many rows the columns have.
    pub(super) rows: usize,
    order: Option<(Arc<FileOrder>, Vec<u32>)>,
}

impl Ordered {
    /// Puts the rows of a release into the order that the policy asks for. `source_rows` are the rows of the source that they were.
    pub(super) fn new(
        columns: Vec<OutColumn>,
        source_rows: &[u32],
        source: &LoadedTable,
        wanted: RowOrder,
    ) -> Result<Self, IoError> {
        let table = &source.read.table;
        let rows = source_rows.len();
        match (wanted, table.is_counted()) {
            (RowOrder::Sorted, true) => {
                let times = |place: u32| table.times(source_rows[place as usize] as usize) as u32;
                let sorted = sorted(&columns, rows).into_iter();
                let runs = sorted.map(|place| (place, times(place))).collect();
                let places = (0..rows as u32).collect();
                Ok(Self {
                    columns,
                    rows,
                    order: Some((Arc::new(FileOrder::of_runs(runs)), places)),
                })
            }
            (RowOrder::Sorted, false) => {
                let sorted = sorted(&columns, rows);
                Ok(Self::held(columns, &sorted))
            }
            (RowOrder::Input, true) => {
                let lost = || IoError::internal("the order of the input was not kept");
                let order = source.read.order.clone().ok_or_else(lost)?;
                let mut places = vec![Order::GONE; table.rows()];
                for (place, row) in (0..).zip(source_rows) {
                    places[source.former[*row as usize] as usize] = place;
                }
                Ok(Self {
                    columns,
                    rows,
                    order: Some((order, places)),
                })
            }
            (RowOrder::Input, false) => {
                let mut order: Vec<u32> = (0..rows as u32).collect();
                order.sort_unstable_by_key(|place| {
                    table.first(source_rows[*place as usize] as usize)
                });
                Ok(Self::held(columns, &order))
            }
        }
    }

    /// Columns whose rows are moved to their places.
    fn held(columns: Vec<OutColumn>, order: &[u32]) -> Self {
        let moved = |column: OutColumn| {
            let codes = order.iter().map(|row| column.codes.get(*row as usize));
            OutColumn {
                codes: Codes::collect(column.labels.len(), codes),
                ..column
            }
        };
        Self {
            columns: columns.into_iter().map(moved).collect(),
            rows: order.len(),
            order: None,
        }
    }

    /// The order of the rows, where the columns have each different row once.
    pub(super) fn order(&self) -> Option<Order<'_>> {
        let (order, places) = self.order.as_ref()?;
        Some(Order::whole(order, places))
    }
}

/// The rank of each label of a column by its text.
pub(super) fn label_ranks(column: &OutColumn) -> Vec<u32> {
    ranks(column.labels.iter().map(Option::as_deref))
}

/// The rows of some columns in canonical order.
fn sorted(columns: &[OutColumn], rows: usize) -> Vec<u32> {
    let ranks: Vec<Vec<u32>> = columns.iter().map(label_ranks).collect();
    let columns = columns.iter().zip(&ranks);
    let columns: Vec<SortColumn<'_>> = columns
        .map(|(column, ranks)| SortColumn {
            codes: &column.codes,
            ranks,
        })
        .collect();
    sorted_rows(&columns, rows)
}
