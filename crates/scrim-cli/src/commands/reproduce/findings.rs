//! What the experiments of a paper give: tables beside the paper's, files with the numbers, pictures, and all of it as data.

use std::path::Path;

use scrim_io::files;
use serde_json::{Map, Value};

use super::comparison::Part;
use crate::outcome::Failure;
use crate::render::svg::Chart;

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
    /// Writes tables and pictures into a folder and says their names.
    pub(super) fn write(&self, out: &Path) -> Result<Vec<String>, Failure> {
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

/// A number to a few places, without a tail of zeros.
pub(super) fn rounded(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    if text.contains('.') {
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return text.to_owned();
    }
    text
}
