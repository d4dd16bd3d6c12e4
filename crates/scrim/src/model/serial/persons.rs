//! Persons in messages: how many, and where they stand in the ledger.

use crate::counted;

/// How many rows of the ledger a message names.
const NAMED: usize = 10;

/// Persons, by their rows in the ledger as far as it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Persons {
    /// How many.
    pub count: u64,
    /// Their rows in the ledger, the first few, ascending.
    pub ledger_rows: Vec<u64>,
}

impl Persons {
    pub(super) fn add(&mut self, row: Option<u64>) {
        self.count += 1;
        self.ledger_rows.extend(row);
    }

    pub(super) fn finish(&mut self) {
        self.ledger_rows.sort_unstable();
        self.ledger_rows.truncate(NAMED);
    }

    pub(super) fn told(&self) -> String {
        let who = counted(self.count, "person");
        if self.ledger_rows.is_empty() {
            return who;
        }
        let rows: Vec<String> = self.ledger_rows.iter().map(u64::to_string).collect();
        let more = if self.count as usize > rows.len() {
            ", …"
        } else {
            ""
        };
        let word = if rows.len() == 1 { "row" } else { "rows" };
        format!("{who} (ledger {word} {}{more})", rows.join(", "))
    }

    /// With a verb for one, or for several.
    pub(super) fn with(&self, one: &str, several: &str) -> String {
        format!(
            "{} {}",
            self.told(),
            if self.count == 1 { one } else { several }
        )
    }
}
