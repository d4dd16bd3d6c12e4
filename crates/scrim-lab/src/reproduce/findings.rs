//! What the experiments of a paper give: tables beside the paper's, files with the numbers, pictures, and all of it as data.

use std::path::Path;

use scrim_io::files;
use serde_json::{Map, Value};

use super::comparison::{Comparison, Part};
use crate::Failure;
use crate::plot::Chart;

/// The findings of experiments.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) parts: Vec<Part>,
    /// Name and text of each CSV file.
    pub(super) tables: Vec<(&'static str, String)>,
    /// Name and picture of each SVG file.
    pub(super) charts: Vec<(String, Chart)>,
    /// For programs.
    pub(super) numbers: Map<String, Value>,
}

impl Findings {
    /// Writes tables and pictures into a folder, and puts all into the answer. `lacks` is what it still lacks.
    pub(super) fn close(
        self,
        out: &Path,
        lacks: &'static str,
        comparison: &mut Comparison,
    ) -> Result<(), Failure> {
        files::create_dir(out)?;
        comparison.written = self.write(out)?;
        self.show(lacks, comparison);
        Ok(())
    }

    /// Puts all into the answer and writes nothing.
    pub(super) fn show(mut self, lacks: &'static str, comparison: &mut Comparison) {
        comparison.parts.append(&mut self.parts);
        comparison.figures = Value::Object(self.numbers);
        comparison.not_yet = lacks;
    }

    /// Writes tables and pictures into a folder and says their names.
    fn write(&self, out: &Path) -> Result<Vec<String>, Failure> {
        let tables = self
            .tables
            .iter()
            .map(|(name, text)| ((*name).to_owned(), text.clone()));
        let charts = self
            .charts
            .iter()
            .map(|(name, chart)| (name.clone(), chart.to_string()));
        let mut written = Vec::new();
        for (name, text) in tables.chain(charts) {
            let path = out.join(name);
            files::write_bytes(&path, text.as_bytes())?;
            written.push(path.display().to_string());
        }
        Ok(written)
    }
}

/// A folder may be written when it is new, empty, or that of a former run: its table begins with our heading.
pub(super) fn must_be_free(out: &Path, table: &str, heading: &str) -> Result<(), Failure> {
    let former = || {
        let text = files::read_text(&out.join(table));
        text.is_ok_and(|text| text.lines().next() == Some(heading))
    };
    if files::is_empty_or_absent(out)? || former() {
        return Ok(());
    }
    Err(Failure::new(
        format!("{} is not empty", out.display()),
        Some("name another folder with `--out`: only a former run is written over"),
    ))
}

/// A number to a few places, without a tail of zeros.
pub(super) fn rounded(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    if text.contains('.') {
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return text.to_owned();
    }
    text
}
