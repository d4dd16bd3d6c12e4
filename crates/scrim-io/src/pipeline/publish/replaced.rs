//! What stands in the folder of a release already: files of an earlier release, which are replaced, or files of others, which are not.
//!
//! **Reading.** A release is ours where a manifest of ours beside it names it by its hash; manifests, plans, reports and external
//! policies are ours where they say so themselves.

use std::path::Path;

use scrim::release::PlanFile;
use scrim::{Error, Place};
use serde_json::Value;

use super::external::is_external_policy;
use super::names::{EXTERNAL, EXTERNAL_MANIFEST, EXTERNAL_POLICY, Names, is_report};
use crate::{IoError, files};

/// The files of an earlier publication in a folder; an error where a file of others has the name of one that may be written. Other
/// files of others stay.
pub(super) fn earlier(dir: &Path, written: &[&str]) -> Result<Vec<&'static str>, IoError> {
    look(dir, written, Look::Whole)
}

/// The same error before a search that would be in vain; no release is read for it, so `earlier` must be asked again.
pub(super) fn refuse_others(dir: &Path, written: &[&str]) -> Result<(), IoError> {
    look(dir, written, Look::Length).map(drop)
}

/// How a release is compared with what its manifest says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Length,
    Whole,
}

fn look(dir: &Path, written: &[&str], look: Look) -> Result<Vec<&'static str>, IoError> {
    for name in written {
        files::must_be_writable_as_file(&dir.join(name))?;
    }
    let manifests = Names::ALL.map(|names| names.manifest);
    let manifests: Vec<Value> = manifests
        .iter()
        .filter_map(|name| manifest(&dir.join(name)))
        .collect();
    let mut there: Vec<&'static str> = Vec::new();
    for name in Names::files().filter(|name| files::exists(&dir.join(name))) {
        if there.contains(&name) {
            continue;
        }
        if is_ours(dir, name, &manifests, look)? {
            there.push(name);
        } else if written.contains(&name) {
            return Err(Error::Data {
                place: Place::file(dir.join(name).display().to_string()),
                what: "this file is in the way: Scrim did not write it, or it was changed since".to_owned(),
                hint: Some(
                    "move it elsewhere, or choose another `dir` in [release]; if an interrupted publication left it, remove it".to_owned(),
                ),
            }
            .into());
        }
    }
    Ok(there)
}

/// Whether what goes out with a release was written by us.
pub(super) fn is_ours_for_outsiders(dir: &Path, name: &str) -> bool {
    is_ours(dir, name, &[], Look::Whole).unwrap_or(false)
}

fn is_ours(dir: &Path, name: &str, manifests: &[Value], look: Look) -> Result<bool, IoError> {
    let path = dir.join(name);
    if !files::is_file(&path) {
        return Ok(false);
    }
    let is = |get: fn(&Names) -> &'static str| Names::ALL.iter().any(|names| get(names) == name);
    if is(|names| names.release) {
        let named = |manifest: &&Value| manifest["output"]["file"] == name;
        let Some(manifest) = manifests.iter().find(named) else {
            return Ok(false);
        };
        let is_as_long = manifest["output"]["bytes"].as_u64() == files::length(&path);
        return Ok(is_as_long
            && (look == Look::Length
                || manifest["output"]["sha256"] == files::sha256_file(&path)?));
    }
    Ok(if is(|names| names.manifest) || name == EXTERNAL_MANIFEST {
        manifest(&path).is_some()
    } else if is(|names| names.plan) {
        let plan = files::read_text(&path).ok();
        plan.is_some_and(|text| serde_json::from_str::<PlanFile>(&text).is_ok())
    } else if name == EXTERNAL_POLICY {
        is_external_policy(&path)
    } else {
        debug_assert!(is(|names| names.report) || name == EXTERNAL);
        is_report(&path)
    })
}

/// A manifest, where it is one of ours.
fn manifest(path: &Path) -> Option<Value> {
    if !files::is_file(path) {
        return None;
    }
    let text = files::read_text(path).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    let is_ours = manifest["manifest"].is_u64()
        && manifest["scrim"].is_string()
        && manifest["output"]["sha256"].is_string();
    is_ours.then_some(manifest)
}
