//! What init tells: the columns, what was guessed of each, and the files.

use std::path::Path;

use scrim::profile::{ColumnProfile, Draft};
use scrim::table::Role;
use serde::Serialize;

use super::Survey;

/// A column, what was seen and what was decided.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnAnswer {
    /// Its name.
    pub column: String,
    /// What it holds, in words.
    pub kind: &'static str,
    /// How many values.
    pub distinct: u64,
    /// How many rows without one.
    pub missing: u64,
    /// The length of the longest value in characters.
    pub longest: u64,
    /// What values look like, where many share it: never a value.
    pub shapes: Vec<String>,
    /// The role.
    pub role: Role,
    /// Why.
    pub reason: String,
    /// What HIPAA's Safe Harbor calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hipaa: Option<String>,
    /// Whether it should be checked.
    pub unsure: bool,
}

/// What was seen and written.
#[derive(Clone, Debug, Serialize)]
pub struct InitAnswer {
    /// The table.
    pub data: String,
    /// How many rows.
    pub rows: u64,
    /// What parts its fields, where it is a delimited text.
    pub delimiter: Option<String>,
    /// What counts as missing.
    pub null: Vec<String>,
    /// The columns.
    pub columns: Vec<ColumnAnswer>,
    /// What is promised, in words.
    pub promises: Vec<String>,
    /// All files that were written.
    pub files: Vec<String>,
    /// The policy.
    pub policy: String,
    /// What the user should know.
    pub remarks: Vec<String>,
}

impl InitAnswer {
    pub(super) fn new(
        survey: &Survey,
        draft: &Draft,
        files: Vec<String>,
        policy: &Path,
        mut remarks: Vec<String>,
    ) -> Self {
        let delimiter = survey.delimiter.map(|byte| match byte {
            b'\t' => "tab".to_owned(),
            byte => char::from(byte).to_string(),
        });
        remarks.splice(0..0, draft.tried.iter().cloned());
        remarks.extend(draft.uniform.iter().map(|column| {
            format!(
                "nothing is promised about `{column}`: nearly all rows share its commonest values"
            )
        }));
        Self {
            data: survey.name.clone(),
            rows: survey.profile.rows,
            delimiter,
            null: survey.profile.nulls.clone(),
            columns: survey
                .profile
                .columns
                .iter()
                .map(ColumnAnswer::of)
                .collect(),
            promises: promises(draft),
            files,
            policy: policy.display().to_string(),
            remarks,
        }
    }
}

impl ColumnAnswer {
    fn of(column: &ColumnProfile) -> Self {
        Self {
            column: column.name.clone(),
            kind: column.kind.words(),
            distinct: column.distinct,
            missing: column.missing,
            longest: column.longest,
            shapes: column.shapes.clone(),
            role: column.guess.role,
            reason: column.guess.reason.clone(),
            hipaa: column.guess.hipaa.map(|hipaa| hipaa.to_string()),
            unsure: column.guess.unsure,
        }
    }
}

fn promises(draft: &Draft) -> Vec<String> {
    let diverse = draft.diverse.iter();
    let diverse = diverse.map(|(column, l)| format!("l-diversity of `{column}` with l = {l}"));
    std::iter::once(format!("k-anonymity with k = {}", draft.k))
        .chain(diverse)
        .collect()
}
