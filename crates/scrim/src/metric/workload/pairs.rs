//! A table counted to what queries need: its sensitive labels, and their pairs with the labels of each other column.

use super::span::Span;
use super::{Axes, Axis, Query};
use crate::table::{Code, Column, Table};

/// A table as queries see it.
#[derive(Clone, Debug)]
pub struct Pairs {
    rows: u64,
    /// What each sensitive label stands for, and how many rows have it.
    sensitive: Vec<(Span, u64)>,
    quasi: Vec<Cross>,
}

/// The distinct pairs of a sensitive label and a label of another column.
#[derive(Clone, Debug)]
struct Cross {
    labels: Vec<Span>,
    /// The labels beside each sensitive label, with their rows.
    cells: Vec<Vec<(Code, u64)>>,
}

/// What of a table does not fit its axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A column is not there.
    NoColumn(String),
    /// The label of a column's row stands for nothing.
    NoLabel {
        /// The column.
        column: String,
        /// The first row that has the label.
        row: usize,
    },
}

impl Pairs {
    /// Counts a table, original or published.
    pub fn count(axes: &Axes, table: &Table) -> Result<Self, Misfit> {
        let (sensitive, spans) = read(&axes.sensitive, table)?;
        let quasi = axes
            .quasi
            .iter()
            .map(|axis| {
                let (column, labels) = read(axis, table)?;
                let cells = cross(sensitive, column);
                Ok(Cross { labels, cells })
            })
            .collect::<Result<_, Misfit>>()?;
        Ok(Self {
            rows: table.rows() as u64,
            sensitive: spans.into_iter().zip(sensitive.counts()).collect(),
            quasi,
        })
    }

    /// How many rows the table has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The sum of the probabilities that each row satisfies a query.
    pub fn estimate(&self, query: &Query) -> f64 {
        let asked = self.sensitive.iter().map(|(span, rows)| {
            let share = span.share_within(query.sensitive);
            (share, *rows)
        });
        let Some((cross, condition)) = query
            .quasi
            .and_then(|(at, condition)| Some((self.quasi.get(at)?, condition)))
        else {
            return asked.map(|(share, rows)| share * rows as f64).sum();
        };
        let shares: Vec<f64> = cross
            .labels
            .iter()
            .map(|label| label.share_within(condition))
            .collect();
        let beside = |cells: &[(Code, u64)]| -> f64 {
            cells
                .iter()
                .map(|(label, rows)| shares[*label as usize] * *rows as f64)
                .sum()
        };
        asked
            .zip(&cross.cells)
            .filter(|((share, _), _)| *share > 0.0)
            .map(|((share, _), cells)| share * beside(cells))
            .sum()
    }
}

fn read<'a>(axis: &Axis, table: &'a Table) -> Result<(&'a Column, Vec<Span>), Misfit> {
    let column = table
        .column(axis.name())
        .ok_or_else(|| Misfit::NoColumn(axis.name().to_owned()))?;
    let labels = axis.read(column).map_err(|code| Misfit::NoLabel {
        column: axis.name().to_owned(),
        row: (0..table.rows())
            .find(|row| column.codes().get(*row) == code)
            .unwrap_or(0),
    })?;
    Ok((column, labels))
}

/// The pairs of two columns, by the code of the first, in the order of the codes of the second.
fn cross(first: &Column, second: &Column) -> Vec<Vec<(Code, u64)>> {
    let mut keys: Vec<u64> = Vec::with_capacity(first.codes().len());
    first.codes().for_each(|row, code| {
        keys.push(u64::from(code) << 32 | u64::from(second.codes().get(row)));
    });
    keys.sort_unstable();
    let mut cells = vec![Vec::new(); first.dictionary().len()];
    for pair in keys.chunk_by(|left, right| left == right) {
        let (left, right) = (pair[0] >> 32, pair[0] as Code);
        cells[left as usize].push((right, pair.len() as u64));
    }
    cells
}
