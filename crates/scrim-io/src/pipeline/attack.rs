//! Attack: be the adversary.

use std::path::Path;

use scrim::adversary::{Grouping, Similarity, similarity};
use scrim::release::audit::class_rows;
use scrim::release::policy::{ColumnPolicy, ModelSpec};
use scrim::table::{Column, Role};
use scrim::{Error, Place};

use super::load::{LoadedPolicy, LoadedTable};
use super::{Door, Stage};
use crate::IoError;

/// The similarity attack on a published table: on the column `of`, by its categories, or by the taxa at a depth below
/// the top of its hierarchy.
pub fn attack_similarity(
    file: &Path,
    policy: &Path,
    of: Option<&str>,
    depth: Option<u16>,
    door: &mut dyn Door,
) -> Result<Similarity, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let table = policy.read_published(file, door)?;
    let target = target(&policy, of)?;
    let column = table.read.table.column(&target.name).ok_or_else(|| {
        Error::data(
            Place::file(&table.name),
            format!("the table has no column `{}`", target.name),
        )
    })?;
    let classes = class_rows(&policy.policy, &table.read.table, &table.name)?;
    let mut grouping = grouping(&policy, &table, target, column, depth)?;
    if target.hierarchy.is_some() && policy.policy.generalizes_sensitive(&target.name) {
        let tree = policy.tree_over(target, &table.read.table)?;
        grouping = grouping.with_top(column, tree.label(tree.root()));
    }
    let promises: Vec<&ModelSpec> = policy
        .policy
        .privacy
        .iter()
        .map(|model| &model.spec)
        .filter(|spec| spec.of().is_none_or(|of| of == target.name))
        .collect();
    Ok(similarity(column, &grouping, &classes, &promises))
}

/// The sensitive column that is named, or the only one.
pub(super) fn target<'a>(
    policy: &'a LoadedPolicy,
    of: Option<&str>,
) -> Result<&'a ColumnPolicy, IoError> {
    let sensitive: Vec<&ColumnPolicy> = policy.policy.with_role(Role::Sensitive).collect();
    let fault = |what: String| Error::Policy {
        place: Place::file(&policy.policy.file),
        what,
        hint: None,
    };
    match (of, sensitive.as_slice()) {
        (Some(name), columns) => columns
            .iter()
            .find(|column| column.name == name)
            .copied()
            .ok_or_else(|| fault(format!("`{name}` is no sensitive column of the policy")).into()),
        (None, [only]) => Ok(only),
        (None, []) => {
            Err(fault("no column is sensitive: there is nothing to learn".to_owned()).into())
        }
        (None, several) => {
            let what = format!(
                "there are {} sensitive columns: say which with --of",
                several.len()
            );
            Err(fault(what).into())
        }
    }
}

fn grouping(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    target: &ColumnPolicy,
    column: &Column,
    depth: Option<u16>,
) -> Result<Grouping, IoError> {
    match (depth, &target.categories) {
        (None, Some(listed)) => Ok(Grouping::categories(listed, column)),
        (None, None) => Ok(Grouping::values(column)),
        (Some(depth), _) if target.hierarchy.is_some() => {
            let tree = policy.tree_over(target, &table.read.table)?;
            if !(1..=u16::from(tree.height())).contains(&depth) {
                return Err(Error::Policy {
                    place: target.place.clone(),
                    what: format!(
                        "--depth is {depth}, but the hierarchy of `{}` goes from 1 to {}",
                        target.name,
                        tree.height()
                    ),
                    hint: None,
                }
                .into());
            }
            Ok(Grouping::taxa(&tree, depth, column))
        }
        (Some(_), _) => Err(Error::Policy {
            place: target.place.clone(),
            what: format!(
                "`{}` has no hierarchy, so there is no depth in it",
                target.name
            ),
            hint: Some("leave --depth out to attack by categories, or by single values".to_owned()),
        }
        .into()),
    }
}
