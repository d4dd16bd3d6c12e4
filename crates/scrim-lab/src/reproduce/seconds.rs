//! How long searches took, as a table: it depends on the machine and is never compared.

use std::fmt;

use scrim_text::Table;
use serde_json::{Value, json};

/// One search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    /// On the clock.
    pub(super) seconds: f64,
    /// How many tables or classes were tested.
    pub(super) tested: u64,
}

/// Searches by what was varied, one for each heading.
#[derive(Debug)]
pub(super) struct Seconds {
    /// What is shown; it starts with `Seconds`.
    pub(super) title: String,
    /// The models.
    pub(super) headings: Vec<String>,
    /// What was tested.
    pub(super) tested: &'static str,
    /// What was varied, and the searches.
    pub(super) rows: Vec<(String, Vec<Took>)>,
}

impl Seconds {
    /// A program's view: an object a search.
    pub(super) fn as_json(&self) -> Vec<Value> {
        let objects = self.rows.iter().flat_map(|(name, row)| {
            self.headings.iter().zip(row).map(move |(heading, took)| {
                json!({
                    "name": format!("{}: {name}: {heading}", self.title),
                    "seconds": took.seconds,
                    "tested": took.tested,
                })
            })
        });
        objects.collect()
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut heading = vec![""];
        for name in &self.headings {
            heading.extend([name.as_str(), self.tested]);
        }
        let mut table = Table::new(&heading);
        for (name, row) in &self.rows {
            let mut cells = vec![name.clone()];
            for took in row {
                cells.extend([format!("{:.3}", took.seconds), took.tested.to_string()]);
            }
            table.row(cells);
        }
        write!(f, "{}\n\n{table}", self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_is_there() {
        let took = Took {
            seconds: 0.25,
            tested: 7,
        };
        let seconds = Seconds {
            title: "Seconds".to_owned(),
            headings: vec!["p".to_owned(), "(p,alpha)".to_owned()],
            tested: "tables tested",
            rows: vec![("size 2".to_owned(), vec![took, took])],
        };
        assert_eq!(seconds.as_json().len(), 2);
        assert_eq!(seconds.as_json()[1]["name"], "Seconds: size 2: (p,alpha)");
        assert!(seconds.to_string().contains("0.250"));
    }
}
