//! The workload of `measure`: queries drawn or read, asked of both tables, and perhaps written for another release.

use std::path::{Path, PathBuf};

use scrim::metric::workload::{Axes, Draw, Pairs, ask, draw, read_queries, write_queries};
use scrim::release::{Prepared, Rows, WorkloadReport, axes_of, count_pairs};
use scrim::{Error, Place};

use super::attack::target;
use super::load::{LoadedPolicy, LoadedTable};
use crate::{IoError, files};

/// A workload that is asked for.
#[derive(Clone, Debug)]
pub struct WorkloadRequest {
    /// The sensitive column, where there are several.
    pub of: Option<String>,
    /// Where the queries come from.
    pub queries: QuerySource,
    /// A file to write them into.
    pub write: Option<PathBuf>,
}

/// Where queries come from.
#[derive(Clone, Debug)]
pub enum QuerySource {
    /// They are drawn.
    Random(Draw),
    /// They are read.
    File(PathBuf),
}

/// Asks the queries of both tables.
pub(super) fn measure_workload(
    request: &WorkloadRequest,
    policy: &LoadedPolicy,
    original: &LoadedTable,
    prepared: &Prepared,
    published: &LoadedTable,
) -> Result<WorkloadReport, IoError> {
    let of = target(policy, request.of.as_deref())?;
    let axes = axes_of(&policy.policy, prepared, &original.read.table, of)?;
    let raw = pairs(&axes, original)?;
    let release = pairs(&axes, published)?;
    let (queries, summary) = match &request.queries {
        QuerySource::Random(wanted) => {
            let drawn = draw(&axes, &raw, wanted)?;
            let answers = ask(&drawn.queries, &raw, &release);
            let summary =
                WorkloadReport::of_random(&axes, &drawn.queries, &answers, wanted, drawn.redrawn);
            (drawn.queries, summary)
        }
        QuerySource::File(path) => {
            let file = path.display().to_string();
            let queries = read_queries(&axes, &file, &files::read_text(path)?)?;
            let answers = ask(&queries, &raw, &release);
            let summary = WorkloadReport::of_file(&axes, &queries, &answers, &file);
            (queries, summary)
        }
    };
    if let Some(path) = &request.write {
        write(path, &write_queries(&axes, &queries)?)?;
    }
    Ok(summary)
}

fn pairs(axes: &Axes, table: &LoadedTable) -> Result<Pairs, IoError> {
    let line = |row: usize| table.line(row);
    let rows = Rows {
        file: &table.name,
        line: &line,
    };
    Ok(count_pairs(axes, &table.read.table, &rows)?)
}

/// Never over a file that is there: it may be the table itself.
fn write(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    if files::exists(path) {
        return Err(Error::Data {
            place: Place::file(path.display().to_string()),
            what: "there is such a file already".to_owned(),
            hint: Some("remove it, or name another with --write-workload".to_owned()),
        }
        .into());
    }
    files::write_bytes(path, bytes)
}
