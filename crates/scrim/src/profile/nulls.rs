//! Texts that seem to stand for a missing value.
//!
//! **Reading.** `null` of a policy holds for all columns, so a text is proposed only where it is clear: some texts mean nothing else
//! (`?`, `N/A`, `NULL`, `NaN`); others may be a value (`NA` is a country, `none` an answer) and count only where some column has them
//! among at least two numbers or dates and nothing else.

use crate::hierarchy::Decimal;
use crate::table::{Column, Table};

use super::kind::any_format;

const CLEAR: [&str; 9] = [
    "?", "N/A", "n/a", "#N/A", "NULL", "null", "NaN", "nan", "<NA>",
];
const DOUBTFUL: [&str; 14] = [
    "NA", "na", "-", "--", ".", "none", "None", "NONE", "unknown", "Unknown", "UNKNOWN", "missing",
    "Missing", "MISSING",
];

/// The texts that count as missing, the empty one first.
pub(super) fn guessed(table: &Table) -> Vec<String> {
    let columns = table.columns();
    let clear = CLEAR
        .into_iter()
        .filter(|null| columns.iter().any(|column| has(column, null)));
    let doubtful = DOUBTFUL.into_iter().filter(|null| {
        columns
            .iter()
            .any(|column| has(column, null) && is_measured(column))
    });
    std::iter::once("")
        .chain(clear)
        .chain(doubtful)
        .map(str::to_owned)
        .collect()
}

fn has(column: &Column, null: &str) -> bool {
    column.dictionary().texts().any(|text| text == null)
}

/// Whether everything else in a column is a number, or everything else is a date.
fn is_measured(column: &Column) -> bool {
    let is_null = |text: &str| text.is_empty() || CLEAR.contains(&text) || DOUBTFUL.contains(&text);
    let others = column.dictionary().texts().filter(|text| !is_null(text));
    let count = others.clone().take(2).count();
    let mut numbers = others.clone();
    let mut dates = others;
    count >= 2
        && (numbers.all(|text| Decimal::parse(text).is_some())
            || dates.all(|text| any_format(text).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nulls(columns: &[&[&str]]) -> Vec<String> {
        let columns = columns
            .iter()
            .map(|texts| Column::from_texts("a", texts.iter().copied()));
        guessed(&Table::new(columns.collect()).unwrap())
    }

    #[test]
    fn a_doubtful_text_needs_numbers_or_dates_around_it() {
        assert_eq!(nulls(&[&["a", "?", "b"]]), ["", "?"]);
        assert_eq!(nulls(&[&["DE", "NA", "US"]]), [""]);
        assert_eq!(nulls(&[&["1", "NA", "2"]]), ["", "NA"]);
        assert_eq!(nulls(&[&["2024-01-01", "-", "2024-01-02"]]), ["", "-"]);
        assert_eq!(nulls(&[&["+", "-", "+"]]), [""]);
        assert_eq!(nulls(&[&["none", "none", "none"]]), [""]);
    }
}
