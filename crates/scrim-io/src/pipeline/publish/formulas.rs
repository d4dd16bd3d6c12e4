//! Texts of a release that a spreadsheet would run: counted, never shown.

use scrim::release::formula::is_formula;
use scrim::release::policy::{Format, Policy};
use scrim::table::Table;

/// How many cells of which columns a spreadsheet would run.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    /// By column, in the order of the release; the cells of its name count too.
    cells: Vec<(String, u64)>,
    is_csv: bool,
    is_guarded: bool,
}

impl Formulas {
    /// Of these tables, which are parts of one release.
    pub(super) fn of<'t>(policy: &Policy, tables: impl IntoIterator<Item = &'t Table>) -> Self {
        let mut formulas = Self {
            cells: Vec::new(),
            is_csv: policy.release.format == Format::Csv,
            is_guarded: policy.release.spreadsheet_safe,
        };
        tables.into_iter().for_each(|table| formulas.add(table));
        formulas
    }

    /// Adds a part.
    pub(super) fn add(&mut self, table: &Table) {
        if !self.is_csv {
            return;
        }
        if self.cells.is_empty() {
            let named = |name: &str| (name.to_owned(), u64::from(is_formula(name)));
            let columns = table.columns().iter();
            self.cells = columns.map(|column| named(column.name())).collect();
        }
        for ((_, cells), column) in self.cells.iter_mut().zip(table.columns()) {
            let texts = column.dictionary().texts();
            if texts.clone().any(is_formula) {
                let counted = texts.zip(column.counts());
                let run = counted.filter(|(text, _)| is_formula(text));
                *cells += run.map(|(_, rows)| rows).sum::<u64>();
            }
        }
    }

    /// What is remarked, where there is something to remark.
    pub(super) fn remark(&self) -> Option<String> {
        let some = self.cells.iter().filter(|(_, cells)| *cells > 0);
        let names: Vec<String> = some.clone().map(|(name, _)| format!("`{name}`")).collect();
        let cells: u64 = some.map(|(_, cells)| cells).sum();
        let (plural, begin, their) = match cells {
            0 => return None,
            1 => ("cell", "begins", "it"),
            _ => ("cells", "begin", "them"),
        };
        let what = format!(
            "{cells} {plural} of {} {begin} with `=`, `+`, `-`, `@`, a tab or CR and would be run by a spreadsheet that opens the release",
            names.join(", ")
        );
        Some(if self.is_guarded {
            format!(
                "{what}: an apostrophe stands before {their}, as `spreadsheet-safe` asks, which `audit` and `measure` do not read as part of the value"
            )
        } else {
            format!(
                "{what}: kept as they are; `spreadsheet-safe = true` in [release] puts an apostrophe before {their}"
            )
        })
    }
}
