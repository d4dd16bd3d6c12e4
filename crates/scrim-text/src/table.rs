//! Columns of text, aligned as they look: a wide character takes two places.

use std::fmt;

use scrim::printable;
use unicode_width::UnicodeWidthStr;

use crate::wrapped;

/// What stands between two columns.
const GAP: &str = "  ";
/// A last column is never made narrower than this.
const NARROWEST: usize = 24;

/// Rows under a heading. Numbers stand to the right.
#[derive(Debug)]
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these headings.
    #[must_use]
    pub fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|&text| text.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. A line end in a cell is shown escaped: it must not make a row.
    pub fn row(&mut self, cells: Vec<String>) {
        let cells = cells.into_iter().map(|cell| printable(&cell).into_owned());
        self.rows.push(cells.collect());
    }

    /// The same with the last column broken into lines where the table would be wider than this.
    #[must_use]
    pub fn fitted(&self, width: usize) -> Self {
        let last = self.heading.len().saturating_sub(1);
        let before: usize = (0..last).map(|at| self.width(at) + GAP.len()).sum();
        let room = width.saturating_sub(before).max(NARROWEST);
        let mut rows = Vec::new();
        for row in &self.rows {
            let text = wrapped(row.get(last).map_or("", String::as_str), room, "", "");
            for (number, line) in text.lines().enumerate() {
                let mut cells = match number {
                    0 => row.iter().take(last).cloned().collect(),
                    _ => vec![String::new(); last],
                };
                cells.push(line.to_owned());
                rows.push(cells);
            }
        }
        Self {
            heading: self.heading.clone(),
            rows,
        }
    }

    /// How wide a column is.
    fn width(&self, at: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(at));
        let cells = cells.chain(self.heading.get(at));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    }

    /// Whether a column has numbers only.
    fn is_numeric(&self, at: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(at));
        !self.rows.is_empty() && cells.all(|cell| cell.is_empty() || is_number(cell))
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || ".-,/%".contains(c))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = 0..self.heading.len();
        let widths: Vec<usize> = columns.clone().map(|at| self.width(at)).collect();
        let numeric: Vec<bool> = columns.map(|at| self.is_numeric(at)).collect();
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        for row in std::iter::once(&self.heading)
            .chain([&rule])
            .chain(&self.rows)
        {
            let mut line = String::new();
            for ((cell, width), numeric) in row.iter().zip(&widths).zip(&numeric) {
                let padding = " ".repeat(width.saturating_sub(cell.width()));
                if *numeric {
                    line.push_str(&format!("{padding}{cell}{GAP}"));
                } else {
                    line.push_str(&format!("{cell}{padding}{GAP}"));
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn columns_stand_where_they_look_to_stand() {
        let mut table = Table::new(&["city", "rows", "what"]);
        table.row(cells(&["東京", "12", "wide"]));
        table.row(cells(&["Mu\u{308}nchen", "1,234", "an accent of its own"]));
        table.row(cells(&["Łódź", "-", ""]));
        let shown = "\
city      rows  what
-------  -----  --------------------
東京        12  wide
Mu\u{308}nchen  1,234  an accent of its own
Łódź         -
";
        assert_eq!(table.to_string(), shown);
    }

    #[test]
    fn a_last_column_is_broken_into_lines_that_fit() {
        let mut table = Table::new(&["name", "what it is"]);
        table.row(cells(&["a", &"word ".repeat(20)]));
        table.row(cells(&["b", ""]));
        let shown = table.fitted(40).to_string();
        assert!(shown.lines().all(|line| line.width() <= 40), "{shown}");
        assert_eq!(shown.matches("word").count(), 20);
        assert!(shown.ends_with("\nb\n"), "{shown}");
    }
}
