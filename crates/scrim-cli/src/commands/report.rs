//! `scrim report`.

use std::path::Path;

use scrim_io::Readers;
use scrim_io::pipeline::render_report;

use super::to_json;
use crate::outcome::{Failure, Outcome};

pub(super) fn run(
    dir: &Path,
    readers: Readers,
    out: Option<&Path>,
    json: bool,
) -> Result<Outcome, Failure> {
    let rendered = render_report(dir, readers, out)?;
    let answer = match (&rendered.file, json) {
        (_, true) => to_json(&rendered)?,
        (Some(file), false) => format!("{file}\n"),
        (None, false) => rendered.page,
    };
    Ok(Outcome::yes(answer))
}
