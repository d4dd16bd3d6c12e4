//! A sensitive column as published: its values class by class, and in the table.

use super::super::{Published, is_suppressed};
use crate::error::{Error, Place};
use crate::table::{Code, Column};

/// So many rows of a class have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) class: u32,
    pub(super) value: Code,
    pub(super) rows: u64,
}

/// How many rows of the published table have each value, where it is not starred.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) counts: Vec<u64>,
    pub(super) rows: u64,
}

/// A sensitive column.
pub(super) struct Sensitive<'a> {
    pub(super) published: &'a Published<'a>,
    pub(super) column: &'a Column,
    /// The cells of all classes that promises speak of, by class and value.
    cells: Vec<Cell>,
    /// The one value that all spellings of suppression are.
    star: Option<Code>,
}

impl<'a> Sensitive<'a> {
    /// The column of that name.
    pub(super) fn of(published: &'a Published<'a>, name: &str) -> Result<Self, Error> {
        let column = published
            .table
            .column(name)
            .ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))?;
        let star = column.dictionary().texts().position(is_suppressed);
        let mut sensitive = Self {
            published,
            column,
            cells: Vec::new(),
            star: star.map(|code| code as Code),
        };
        sensitive.count();
        Ok(sensitive)
    }

    /// Sorts the rows by class and value, and counts runs.
    fn count(&mut self) {
        let times = |(row, cell)| (cell, self.published.table.times(row));
        let mut rows: Vec<((u32, Code), u64)> = self.judged_rows().map(times).collect();
        rows.sort_unstable();
        let cell = |run: &[((u32, Code), u64)]| Cell {
            class: run[0].0.0,
            value: run[0].0.1,
            rows: run.iter().map(|(_, times)| times).sum(),
        };
        self.cells = rows
            .chunk_by(|left, right| left.0 == right.0)
            .map(cell)
            .collect();
    }

    /// Row, class and value of all rows that promises speak of.
    fn judged_rows(&self) -> impl Iterator<Item = (usize, (u32, Code))> {
        let classes = &self.published.classes;
        let mut judged = vec![false; classes.count()];
        classes.judged().for_each(|class| judged[class] = true);
        let starred: Vec<bool> = self
            .column
            .dictionary()
            .texts()
            .map(is_suppressed)
            .collect();
        let value = move |code: Code| match self.star {
            Some(star) if starred[code as usize] => star,
            _ => code,
        };
        (0..)
            .zip(classes.class_of_row())
            .filter(move |(_, class)| judged[**class as usize])
            .map(move |(row, class)| (row, (*class, value(self.column.codes().get(row)))))
    }

    /// The classes that promises speak of, with their cells.
    pub(super) fn classes(&self) -> impl Iterator<Item = (usize, &[Cell])> {
        self.cells
            .chunk_by(|left, right| left.class == right.class)
            .map(|cells| (cells[0].class as usize, cells))
    }

    pub(super) fn size(&self, class: usize) -> u64 {
        self.published.classes.size(class)
    }

    pub(super) fn name(&self) -> &str {
        self.column.name()
    }

    /// The distribution of the published table.
    pub(super) fn reference(&self) -> Result<Reference, Error> {
        // Rows that promises do not speak of have stars here.
        let mut counts = self.column.counts();
        let texts = self.column.dictionary().texts().map(is_suppressed);
        let starred = counts.iter_mut().zip(texts).filter(|(_, starred)| *starred);
        starred.for_each(|(count, _)| *count = 0);
        let rows = counts.iter().sum();
        if rows == 0 && !self.cells.is_empty() {
            let what = format!(
                "every value of `{}` is starred: there is no distribution to compare classes with",
                self.name()
            );
            return Err(Error::data(Place::file(self.published.file), what));
        }
        Ok(Reference { counts, rows })
    }

    /// What each value is to a promise, by code. A value of a judged row that is nothing to it is told by its row.
    pub(super) fn assign<T: Copy>(
        &self,
        meaning: impl Fn(Code, &str) -> Option<T>,
        complaint: &str,
    ) -> Result<Vec<Option<T>>, Error> {
        let meanings: Vec<Option<T>> = (0..)
            .zip(self.column.dictionary().texts())
            .map(|(code, text)| meaning(code, text))
            .collect();
        let stray = self
            .judged_rows()
            .find(|(_, (_, value))| meanings[*value as usize].is_none());
        match stray {
            None => Ok(meanings),
            Some((row, _)) => Err(Error::data(
                Place::file(self.published.file),
                format!(
                    "a value of `{}` {complaint} (row {})",
                    self.name(),
                    self.published.table.first(row) + 1
                ),
            )),
        }
    }
}

/// The rows of a class with the commonest value.
pub(super) fn most(cells: &[Cell]) -> u64 {
    cells.iter().map(|cell| cell.rows).max().unwrap_or(0)
}
