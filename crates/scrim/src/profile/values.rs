//! The distinct values of a column with how many rows have each, missing ones apart.

use crate::table::Column;

/// What a column holds, value by value.
#[derive(Debug)]
pub(super) struct Values<'a> {
    /// Each value that is not missing, with its rows, in the order of the file.
    pub(super) texts: Vec<(&'a str, u64)>,
    /// Rows without a value.
    pub(super) missing: u64,
    /// All rows.
    pub(super) rows: u64,
}

impl<'a> Values<'a> {
    /// The values of a column in which these texts count as missing.
    pub(super) fn of(column: &'a Column, nulls: &[String]) -> Self {
        let own = column.dictionary().missing();
        let (mut texts, mut missing, mut rows) = (Vec::new(), 0, 0);
        for ((code, text), count) in (0..).zip(column.dictionary().texts()).zip(column.counts()) {
            rows += count;
            if count == 0 {
                continue;
            }
            if Some(code) == own || nulls.iter().any(|null| null == text) {
                missing += count;
            } else {
                texts.push((text, count));
            }
        }
        Self {
            texts,
            missing,
            rows,
        }
    }

    /// How many values there are.
    pub(super) fn distinct(&self) -> u64 {
        self.texts.len() as u64
    }

    /// How many rows have a value.
    pub(super) fn present(&self) -> u64 {
        self.rows - self.missing
    }

    /// How many rows have a value that is such.
    pub(super) fn rows_where(&self, is_such: impl Fn(&str) -> bool) -> u64 {
        let such = self.texts.iter().filter(|(text, _)| is_such(text));
        such.map(|(_, rows)| rows).sum()
    }

    /// Whether at least so many of a hundred rows that have a value have one that is such.
    pub(super) fn mostly(&self, percent: u64, is_such: impl Fn(&str) -> bool) -> bool {
        let such = u128::from(self.rows_where(is_such));
        self.present() > 0 && such * 100 >= u128::from(self.present()) * u128::from(percent)
    }

    /// Whether every value is such, and there is one.
    pub(super) fn all(&self, is_such: impl Fn(&str) -> bool) -> bool {
        !self.texts.is_empty() && self.texts.iter().all(|(text, _)| is_such(text))
    }

    /// Whether at least 95 of 100 rows that have a value have one of their own, and there are enough of them to tell.
    pub(super) fn nearly_unique(&self) -> bool {
        let present = u128::from(self.present());
        present >= 20 && u128::from(self.distinct()) * 100 >= present * 95
    }

    /// The length of the longest value in characters.
    pub(super) fn longest(&self) -> u64 {
        let lengths = self.texts.iter().map(|(text, _)| text.chars().count());
        lengths.max().unwrap_or(0) as u64
    }

    /// The length of the shortest value in characters.
    pub(super) fn shortest(&self) -> u64 {
        let lengths = self.texts.iter().map(|(text, _)| text.chars().count());
        lengths.min().unwrap_or(0) as u64
    }
}
