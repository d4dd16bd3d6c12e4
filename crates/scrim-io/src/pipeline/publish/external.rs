//! What outsiders need to check a release themselves: a policy without the house's secrets, and a manifest of the hash alone.
//!
//! **Reading.** The external policy has the columns that are published, with their roles, and the promises that can be judged from the
//! release alone. It has no path of the house, no column that is not published, no wish, no ledger and nothing of the search;
//! hierarchies are left out, because no promise that it keeps needs one. What it leaves out is said in its comments.

use std::path::Path;

use scrim::release::policy::Policy;
use serde_json::json;
use toml::{Table, Value};

use super::names::{EXTERNAL, EXTERNAL_MANIFEST, EXTERNAL_POLICY};
use super::work::Work;
use crate::feed::Digested;
use crate::page::{Readers, Told, page};
use crate::{IoError, Staging, files};

/// How an external policy begins.
const BEGINNING: &str = "# External policy of a release, written by Scrim";

/// Keys of a column that say something about its published values.
const COLUMN_KEYS: [&str; 4] = [
    "numeric",
    "categories",
    "category-names",
    "publish-category",
];

impl Work<'_> {
    /// Writes aside what goes out with a release.
    pub(super) fn write_for_outsiders(
        &self,
        staging: &Staging,
        release: &str,
        told: &Told,
        written: &Digested,
    ) -> Result<Vec<&'static str>, IoError> {
        let report = page(told.clone(), Readers::External);
        staging.write(EXTERNAL, report.as_bytes())?;
        let manifest = external_manifest(release, written);
        staging.write(EXTERNAL_MANIFEST, manifest.as_bytes())?;
        let mut all = vec![EXTERNAL, EXTERNAL_MANIFEST];
        if let Some(policy) = external_policy(&self.policy.policy, &self.policy.text, release)? {
            staging.write(EXTERNAL_POLICY, policy.as_bytes())?;
            all.push(EXTERNAL_POLICY);
        }
        Ok(all)
    }
}

/// Whether a file is an external policy of ours.
pub(super) fn is_external_policy(path: &Path) -> bool {
    files::read_text(path).is_ok_and(|text| text.starts_with(BEGINNING))
}

/// The manifest for outsiders: which file is meant.
fn external_manifest(release: &str, written: &Digested) -> String {
    let manifest = json!({
        "manifest": 1,
        "scrim": env!("CARGO_PKG_VERSION"),
        "output": { "file": release, "sha256": written.sha256, "bytes": written.bytes },
    });
    format!("{manifest:#}\n")
}

/// The policy for outsiders; nothing where none can be made that is read again.
fn external_policy(policy: &Policy, text: &str, release: &str) -> Result<Option<String>, IoError> {
    let internal = |_| IoError::internal("a policy that cannot be written again");
    let whole: Table = text.parse().map_err(internal)?;
    let mut external = Table::new();
    let mut data = Table::from_iter([("path".to_owned(), Value::from(release))]);
    copy(
        whole.get("data").and_then(Value::as_table),
        &["null"],
        &mut data,
    );
    external.insert("data".to_owned(), data.into());
    external.insert("columns".to_owned(), columns(policy, &whole).into());
    let mut left_out = Vec::new();
    let promises = whole.get("privacy").and_then(Value::as_array);
    let promises = promises.into_iter().flatten().filter_map(Value::as_table);
    let mut judged: Vec<Value> = Vec::new();
    for promise in promises {
        if let Some(promise) = judged_outside(promise) {
            judged.push(promise.into());
        } else {
            left_out.extend(promise.get("model").and_then(Value::as_str));
        }
    }
    let mut comments = format!(
        "{BEGINNING}. Check the release with:\n#   scrim audit {release} --manifest manifest.external.json --policy policy.external.toml\n"
    );
    if policy.person().is_some() {
        comments.push_str("# Rows are counted here: who the persons are is known in the house only, where persons were counted.\n");
    }
    for model in &left_out {
        comments.push_str(&format!(
            "# Not checked from outside: `{model}` needs what only the house has; it was certified there.\n"
        ));
    }
    if policy.disclosure.is_some() {
        comments.push_str("# Not checked from outside: [disclosure] needs the table that the release was made from.\n");
    }
    if judged.is_empty() {
        comments.push_str("# No promise can be checked from outside; 1-anonymity stands in, which every table keeps.\n");
    }
    if judged.is_empty() {
        judged.push(trivial());
    }
    external.insert("privacy".to_owned(), judged.into());
    if policy.release.spreadsheet_safe {
        let release = Table::from_iter([("spreadsheet-safe".to_owned(), Value::from(true))]);
        external.insert("release".to_owned(), release.into());
    }
    let text = toml::to_string(&external)
        .map_err(|_| IoError::internal("an external policy that cannot be written"))?;
    let text = format!("{comments}\n{text}");
    Ok(Policy::parse(EXTERNAL_POLICY, &text)
        .is_ok()
        .then_some(text))
}

fn trivial() -> Value {
    let model = ("model".to_owned(), Value::from("k-anonymity"));
    Table::from_iter([model, ("k".to_owned(), Value::from(1))]).into()
}

/// The published columns with what is known of their values.
fn columns(policy: &Policy, whole: &Table) -> Table {
    let written = whole.get("columns").and_then(Value::as_table);
    let mut columns = Table::new();
    for column in policy
        .columns
        .iter()
        .filter(|column| column.role.is_published())
    {
        let mut shown = Table::new();
        let own = written.and_then(|written| written.get(&column.name)?.as_table());
        copy(own, &COLUMN_KEYS, &mut shown);
        shown.insert("role".to_owned(), Value::from(column.role.name()));
        columns.insert(column.name.clone(), shown.into());
    }
    columns
}

fn copy(from: Option<&Table>, keys: &[&str], to: &mut Table) {
    for key in keys {
        if let Some(value) = from.and_then(|from| from.get(*key)) {
            to.insert((*key).to_owned(), value.clone());
        }
    }
}

/// A promise as outsiders can judge it: about rows, from the release alone.
fn judged_outside(promise: &Table) -> Option<Table> {
    let text = |key: &str| promise.get(key).and_then(Value::as_str);
    if matches!(text("model"), Some("personal" | "serial"))
        || text("distance") == Some("hierarchical")
    {
        return None;
    }
    let mut promise = promise.clone();
    promise.remove("unit");
    Some(promise)
}
