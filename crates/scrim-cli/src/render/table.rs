//! Columns of text, aligned.

use std::fmt;

/// Rows under a heading. Numbers stand to the right.
#[derive(Debug)]
pub(crate) struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these headings.
    pub(crate) fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|&text| text.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
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
        let width = |at: usize| {
            let cells = self
                .rows
                .iter()
                .filter_map(|row| row.get(at))
                .chain(self.heading.get(at));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let numeric = |at: usize| {
            !self.rows.is_empty()
                && self.rows.iter().all(|row| {
                    row.get(at)
                        .is_none_or(|cell| cell.is_empty() || is_number(cell))
                })
        };
        let widths: Vec<usize> = (0..self.heading.len()).map(width).collect();
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        for row in std::iter::once(&self.heading)
            .chain([&rule])
            .chain(&self.rows)
        {
            let mut line = String::new();
            for (at, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[at].saturating_sub(cell.chars().count()));
                let cell = if numeric(at) {
                    format!("{padding}{cell}")
                } else {
                    format!("{cell}{padding}")
                };
                line.push_str(&cell);
                line.push_str("  ");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
