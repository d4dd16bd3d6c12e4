//! Brings policy and data together: roles, hierarchies, models and counts, checked before any search.

use std::sync::Arc;

use super::categories;
use super::history::History;
use super::policy::{ColumnPolicy, ModelPolicy, ModelSpec, Others, Policy, SuppressedRows};
use super::promised;
use super::trees::{Load, Rows, hierarchy_of};
use crate::error::{Error, Place};
use crate::frequency::Ground;
use crate::hierarchy::{Hierarchy, Ladder, Numbers, is_star};
use crate::model::{ModelSet, Personal, Serial};
use crate::printable;
use crate::profile::{looks_like_person_key, named_like_person_key};
use crate::recoding::PublishedCategories;
use crate::table::{Role, Table};

/// A table that is ready for a search.
#[derive(Debug)]
pub struct Prepared {
    /// The role of each column of the table.
    pub roles: Vec<Role>,
    /// The quasi-identifiers in policy order.
    pub ladders: Vec<Ladder>,
    /// The numbers of the quasi-identifiers that may be cut anywhere, in policy order.
    pub numbers: Vec<Option<Numbers>>,
    /// The categories of sensitive columns that are published beside their values.
    pub categories: Vec<PublishedCategories>,
    /// The hierarchies of sensitive columns that have one.
    pub sensitive: Vec<(String, Arc<Hierarchy>)>,
    /// The models.
    pub models: ModelSet,
    /// Those of them that have sensitive values generalized.
    pub personal: Vec<Arc<Personal>>,
    /// The one among them that counts earlier releases.
    pub serial: Option<Arc<Serial>>,
    /// The counts.
    pub ground: Ground,
    /// What a reader of the manifest should know.
    pub remarks: Vec<String>,
    /// About how many bytes a search may use beside all this, where that is limited.
    pub memory: Option<u64>,
}

/// The role of each column of a file, in its order; columns that are not named are an error or left out (`None`).
pub fn roles_of(
    policy: &Policy,
    header: &[String],
    file: &str,
) -> Result<Vec<Option<Role>>, Error> {
    // A file without a header has a person's values in its place: names are shown only where some are known.
    if !policy
        .columns
        .iter()
        .any(|column| header.contains(&column.name))
    {
        return Err(Error::Data {
            place: Place::file(file),
            what: "none of its columns is one of the policy's".to_owned(),
            hint: Some(
                "is the first line a header? is the delimiter another one (`delimiter` in [data])?"
                    .to_owned(),
            ),
        });
    }
    for column in &policy.columns {
        if !header.contains(&column.name) {
            // A header that runs on into the first row has a cell at the end of a name.
            let runs_on =
                |name: &&str| name.to_lowercase().starts_with(&column.name.to_lowercase());
            let names: Vec<&str> = header.iter().map(String::as_str).collect();
            let near = super::policy::nearest(&column.name, &names);
            return Err(Error::Policy {
                place: column.place.clone(),
                what: format!("{file} has no column `{}`", column.name),
                hint: Some(near.filter(|near| !runs_on(near)).map_or_else(
                    || {
                        let count = names.len();
                        let columns = if count == 1 { "column" } else { "columns" };
                        format!("its header has {count} {columns}, none of this name; does it end where the line ends?")
                    },
                    |near| format!("did you mean `{}`?", printable(near)),
                )),
            });
        }
    }
    let role = |name: &String| policy.column(name).map(|column| column.role);
    // By their places: a header that runs on into the first row has a person's values here.
    let unnamed: Vec<String> = (1..)
        .zip(header)
        .filter(|(_, name)| role(name).is_none())
        .map(|(at, _): (usize, _)| at.to_string())
        .collect();
    if !unnamed.is_empty() && policy.data.others == Others::Error {
        return Err(Error::Policy {
            place: Place::file(&policy.file),
            what: format!(
                "{} has columns that the policy does not name: {} {} of its header",
                printable(file),
                if unnamed.len() == 1 { "column" } else { "columns" },
                unnamed.join(", ")
            ),
            hint: Some("see the first line of the file; give each a role in [columns], or leave them out with `others = \"drop\"` in [data]".to_owned()),
        });
    }
    Ok(header.iter().map(role).collect())
}

impl Prepared {
    /// Prepares a table whose columns all have a role in the policy; it is the first release where releases count.
    pub fn new(
        policy: &Policy,
        table: &Table,
        load: &mut Load<'_>,
        rows: &Rows<'_>,
    ) -> Result<Self, Error> {
        Self::with_history(policy, table, load, rows, &History::default())
    }

    /// Prepares a table of persons with a past.
    pub fn with_history(
        policy: &Policy,
        table: &Table,
        load: &mut Load<'_>,
        rows: &Rows<'_>,
        history: &History,
    ) -> Result<Self, Error> {
        let role = |name: &str| {
            policy
                .column(name)
                .map_or(Role::Identifier, |column| column.role)
        };
        let roles: Vec<Role> = table
            .columns()
            .iter()
            .map(|column| role(column.name()))
            .collect();
        let mut remarks = Vec::new();
        let (ladders, sensitive) = bind(policy, table, load, rows, &mut remarks)?;
        let numbers = numbers(policy, table, rows)?;
        let promised::Promised {
            models,
            personal,
            serial,
        } = promised::models(policy, table, &sensitive, rows, history, &mut remarks)?;
        remarks.extend(unspoken(policy));
        remarks.extend(unused_person_keys(policy, table));
        refuse_stars(policy, table, rows)?;
        let categories = categories::published(policy, table)?;
        let ground = Ground::count(table, &ladders, models.tracked())?;
        Ok(Self {
            roles,
            ladders,
            numbers,
            categories,
            sensitive,
            models,
            personal,
            serial,
            ground,
            remarks,
            memory: None,
        })
    }

    /// Refuses what no release of the table can give.
    pub fn must_be_feasible(&self) -> Result<(), Error> {
        let classes = self.ground.at_top(&self.ladders);
        self.ground.must_have_told_all()?;
        self.models.feasible(&classes)
    }

    /// How many rows the policy allows to suppress. A release from which they are dropped keeps at least one.
    pub fn limit(&self, policy: &Policy) -> u64 {
        let rows = self.ground.rows();
        let limit = policy
            .search
            .suppression
            .map_or(0, |share| share.floor_of(rows));
        if Self::keeps_rows(policy) {
            limit
        } else {
            limit.min(rows.saturating_sub(1))
        }
    }

    /// Whether suppressed rows stay in the release.
    pub fn keeps_rows(policy: &Policy) -> bool {
        policy.search.suppressed == SuppressedRows::Star
    }
}

/// The numbers of each quasi-identifier that the policy calls numeric.
fn numbers(policy: &Policy, table: &Table, rows: &Rows<'_>) -> Result<Vec<Option<Numbers>>, Error> {
    let of_column = |column: &ColumnPolicy| {
        let (Some(domain), Some(data)) = (column.numeric, table.column(&column.name)) else {
            return Ok(None);
        };
        let numbers = Numbers::over(domain, data.dictionary()).map_err(|code| {
            let row = (0..table.rows()).find(|row| data.codes().get(*row) == code);
            let line = row.map_or(1, |row| (rows.line)(row));
            Error::Data {
                place: Place::line(rows.file, line),
                what: format!(
                    "`{}` has a value that is no number of its domain",
                    column.name
                ),
                hint: Some("widen `from` and `to` of its `numeric`; what means \"missing\" goes into `null` in [data]".to_owned()),
            }
        })?;
        Ok(Some(numbers))
    };
    policy.with_role(Role::Quasi).map(of_column).collect()
}

/// A raw sensitive value of stars could not be told from one that was starred.
fn refuse_stars(policy: &Policy, table: &Table, rows: &Rows<'_>) -> Result<(), Error> {
    for column in policy
        .with_role(Role::Sensitive)
        .filter_map(|column| table.column(&column.name))
    {
        let stars = column.dictionary().texts().position(is_star);
        let first = stars.and_then(|code| {
            (0..table.rows()).find(|row| column.codes().get(*row) as usize == code)
        });
        if let Some(row) = first {
            return Err(Error::Data {
                place: Place::line(rows.file, (rows.line)(row)),
                what: format!("a value of the sensitive column `{}` is all stars, which means suppressed", column.name()),
                hint: Some("is this a release already? a value that means missing goes into `null` in [data]".to_owned()),
            });
        }
    }
    Ok(())
}

/// What the policy says that nothing listens to.
/// Columns that look like a person's key in a policy that counts rows. Identifiers are not read, so their names alone count.
fn unused_person_keys(policy: &Policy, table: &Table) -> Vec<String> {
    if policy.person().is_some() {
        return Vec::new();
    }
    let found = policy
        .columns
        .iter()
        .filter_map(|column| match table.column(&column.name) {
            Some(data) => looks_like_person_key(data),
            None => named_like_person_key(&column.name),
        });
    found.map(|key| key.remark()).collect()
}

fn unspoken(policy: &Policy) -> Vec<String> {
    let mut remarks = Vec::new();
    for column in policy.with_role(Role::Sensitive) {
        let spoken_of = |model: &ModelPolicy| model.spec.of() == Some(&column.name);
        if !policy.privacy.is_empty() && !policy.privacy.iter().any(spoken_of) {
            remarks.push(format!(
                "no promise speaks of the sensitive column `{}`",
                column.name
            ));
        }
    }
    let listens = |name: &str| {
        let guards = |model: &ModelPolicy| matches!(&model.spec, ModelSpec::Personal { guard, .. } if guard.as_deref() == Some(name));
        policy.privacy.iter().any(guards)
    };
    for column in policy
        .with_role(Role::Guard)
        .filter(|column| !listens(&column.name))
    {
        remarks.push(format!(
            "no promise of this policy looks at the wishes in `{}`",
            column.name
        ));
    }
    let ignored = policy.search.ignored.iter();
    remarks
        .extend(ignored.map(|key| format!("`{key}` in [search] means nothing to this algorithm")));
    let graded = policy
        .columns
        .iter()
        .filter(|column| column.identifying.is_some() && !policy.search.is_mu_argus());
    remarks.extend(graded.map(|column| {
        format!(
            "`identifying` of column `{}` means nothing to this algorithm",
            column.name
        )
    }));
    remarks
}

type Bound = (Vec<Ladder>, Vec<(String, Arc<Hierarchy>)>);

fn bind(
    policy: &Policy,
    table: &Table,
    load: &mut Load<'_>,
    rows: &Rows<'_>,
    remarks: &mut Vec<String>,
) -> Result<Bound, Error> {
    let (mut ladders, mut sensitive) = (Vec::new(), Vec::new());
    for column in &policy.columns {
        let Some(data) = table.column(&column.name) else {
            continue;
        };
        match column.role {
            Role::Quasi => {
                let tree = hierarchy_of(column, data, load, rows)?;
                remarks.extend(tree.warnings().iter().cloned());
                if !tree.is_even() {
                    remarks.push(format!("the hierarchy of `{}` is uneven: shallower values stand for themselves until their level is reached", column.name));
                }
                if column
                    .numeric
                    .is_some_and(|domain| domain.from.is_none() || domain.to.is_none())
                {
                    remarks.push(format!(
                        "the domain of `{}` is taken from the data",
                        column.name
                    ));
                }
                let ladder = Ladder::new(&column.name, tree, data.dictionary());
                ladders.push(ladder.map_err(|_| {
                    Error::Internal(format!("a value of `{}` lost its leaf", column.name))
                })?);
            }
            Role::Sensitive if column.hierarchy.is_some() => {
                let tree = hierarchy_of(column, data, load, rows)?;
                remarks.extend(tree.warnings().iter().cloned());
                sensitive.push((column.name.clone(), tree));
            }
            _ => {}
        }
    }
    Ok((ladders, sensitive))
}
