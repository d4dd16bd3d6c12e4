//! What init tells: the columns, what was guessed of each, and the files.

use std::path::Path;

use scrim::profile::{ColumnProfile, Draft};
use scrim::table::Role;
use serde::Serialize;

use super::{Cost, Survey, printable};

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
    /// How many look alike.
    pub k: u64,
    /// What k counts: persons where a column tells them, else rows.
    pub counted: &'static str,
    /// What is promised, in words.
    pub promises: Vec<String>,
    /// What the release would cost: by the policy's search, then by others that were tried.
    pub costs: Vec<Cost>,
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
        (costs, mut remarks): (Vec<Cost>, Vec<String>),
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
        remarks.extend(survey.profile.pairs().filter_map(pair_words));
        remarks.extend(draft.files.iter().filter(|file| file.is_found).map(|file| {
            format!(
                "the hierarchy file {} lies beside the table and is used",
                file.path
            )
        }));
        if !draft.counts_persons() {
            remarks.push("no column tells persons: rows are counted, and a person with several rows is not protected as one".to_owned());
        }
        remarks.extend(advice(&costs));
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
            k: draft.k,
            counted: if draft.counts_persons() {
                "persons"
            } else {
                "rows"
            },
            promises: promises(draft),
            costs,
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

/// What is said of two columns that determine each other; nothing where neither is published.
fn pair_words((left, right): (&ColumnProfile, &ColumnProfile)) -> Option<String> {
    let (first, second) = (left.guess.role, right.guess.role);
    if !first.is_published() && !second.is_published() {
        return None;
    }
    let roles = if first == second {
        format!("both are {}", first.name())
    } else {
        format!(
            "the first is {}, the second {}: check that neither gives the other away",
            first.name(),
            second.name()
        )
    };
    Some(format!(
        "`{}` and `{}` determine each other: {roles}",
        printable(&left.name),
        printable(&right.name)
    ))
}

/// Which search to take, where that is clear.
fn advice(costs: &[Cost]) -> Option<String> {
    let [own, other] = costs else {
        return None;
    };
    let fewer_columns = other.suppressed_columns.len() < own.suppressed_columns.len();
    let cheaper = other.loss < own.loss * 0.9;
    (cheaper || fewer_columns).then(|| {
        format!(
            "`{}` would keep more than `{}`: {:.0}% of the detail is lost instead of {:.0}%; write `algorithm = \"{}\"` under [search] to use it",
            other.algorithm,
            own.algorithm,
            other.loss * 100.0,
            own.loss * 100.0,
            other.algorithm
        )
    })
}

fn promises(draft: &Draft) -> Vec<String> {
    let diverse = draft.diverse.iter();
    let diverse = diverse.map(|(column, l)| format!("l-diversity of `{column}` with l = {l}"));
    let counted = if draft.counts_persons() {
        "persons"
    } else {
        "rows"
    };
    std::iter::once(format!(
        "k-anonymity with k = {}, counted in {counted}",
        draft.k
    ))
    .chain(diverse)
    .collect()
}
