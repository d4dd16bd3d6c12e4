//! The files of a publication are not one another: what is written is nothing that is read, and the ledger and its key are
//! nothing else.

use std::path::PathBuf;

use scrim::release::policy::HierarchyPolicy;

use super::super::load::LoadedPolicy;
use super::super::serial::LedgerPlace;
use super::names::Names;
use crate::{IoError, files};

/// Refuses a release that would be written over what it is made from, and files that are named for two purposes. Links
/// of either kind are followed.
pub(super) fn refuse_own_input(policy: &LoadedPolicy) -> Result<(), IoError> {
    let own = |path: &str| policy.resolve(path);
    let mut inputs = vec![("the policy", policy.path.clone())];
    if policy.policy.data.path != "-" {
        inputs.push(("the table", own(&policy.policy.data.path)));
    }
    for column in &policy.policy.columns {
        if let Some(HierarchyPolicy::File { path, .. }) = &column.hierarchy {
            inputs.push(("a hierarchy", own(path)));
        }
    }
    let dir = own(&policy.policy.release.dir);
    let outputs: Vec<PathBuf> = Names::files().map(|name| dir.join(name)).collect();
    let is_output = |path: &PathBuf| outputs.iter().any(|output| files::are_one(output, path));
    if let Some((_, path)) = inputs
        .iter()
        .find(|(_, path)| files::exists(path) && is_output(path))
    {
        let what = format!(
            "the release would overwrite {}, which it is made from",
            path.display()
        );
        return Err(fault(policy, what, "choose another `dir` in [release]"));
    }
    if let [(name, path), (other, table), ..] = &inputs[..]
        && files::are_one(path, table)
    {
        let what = format!("{name} and {other} are one file, {}", table.display());
        return Err(fault(policy, what, "choose another `path` in [data]"));
    }
    let Some(place) = LedgerPlace::of(policy) else {
        return Ok(());
    };
    let kept = [
        ("the ledger", place.ledger),
        ("the ledger's key", place.key),
    ];
    for (at, (name, path)) in kept.iter().enumerate() {
        if is_output(path) {
            let what = format!(
                "the release would overwrite {}, which is {name}",
                path.display()
            );
            return Err(fault(
                policy,
                what,
                "choose another `path` or `key` in [ledger]",
            ));
        }
        let others = inputs.iter().chain(&kept[at + 1..]);
        if let Some((other, _)) = others
            .into_iter()
            .find(|(_, other)| files::are_one(path, other))
        {
            let what = format!("{name} and {other} are one file, {}", path.display());
            return Err(fault(
                policy,
                what,
                "choose another `path` or `key` in [ledger]",
            ));
        }
    }
    Ok(())
}

fn fault(policy: &LoadedPolicy, what: String, hint: &str) -> IoError {
    scrim::Error::Policy {
        place: scrim::Place::file(&policy.policy.file),
        what,
        hint: Some(hint.to_owned()),
    }
    .into()
}
