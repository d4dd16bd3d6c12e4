//! A release beside the table that it was made from, row by row: for what a release does not tell of itself.

use std::path::Path;
use std::sync::Arc;

use scrim::hierarchy::Hierarchy;
use scrim::release::audit::{Source as CertifiedSource, Wishes, first_lie};
use scrim::release::policy::ModelSpec;
use scrim::release::{Rows, hierarchy_of};
use scrim::table::Role;
use scrim::{Error, Place};

use super::Door;
use super::load::{LoadedPolicy, LoadedTable};
use crate::{IoError, Source, files};

/// What the rows of a release were before, by row of the release.
#[derive(Debug)]
pub(super) struct Aligned {
    /// The person of each row, where the source tells.
    pub(super) persons: Option<Vec<u32>>,
    /// The wishes of every promise about them.
    pub(super) wishes: Vec<Wishes>,
    /// The table that they were.
    pub(super) raw: LoadedTable,
    /// Where each stood in it.
    pub(super) rows: Vec<u32>,
    /// The hierarchies over it.
    pub(super) hierarchies: Vec<(String, Arc<Hierarchy>)>,
}

const OTHER_TABLE: &str = "is this release made from that table? row by row, none left out";

impl Aligned {
    /// Reads the source of a release, none of whose rows is left out, and brings them together.
    pub(super) fn read(
        policy: &LoadedPolicy,
        published: &LoadedTable,
        raw: &Source,
        door: &mut dyn Door,
    ) -> Result<Self, IoError> {
        let raw = policy.read_original(raw, door)?;
        let rows: Vec<u32> = (0..raw.read.table.rows() as u32).collect();
        Self::of(policy, published, raw, rows)
    }

    /// What the release was made from.
    pub(super) fn source(&self) -> CertifiedSource<'_> {
        CertifiedSource {
            table: &self.raw.read.table,
            rows: &self.rows,
            hierarchies: &self.hierarchies,
        }
    }

    /// Checks that every row of a release covers its row in the source: those of these rows that were not left out.
    pub(super) fn of(
        policy: &LoadedPolicy,
        published: &LoadedTable,
        raw: LoadedTable,
        rows: Vec<u32>,
    ) -> Result<Self, IoError> {
        let other = |what: String| Error::Data {
            place: Place::file(&published.name),
            what,
            hint: Some(OTHER_TABLE.to_owned()),
        };
        let (own, theirs) = (published.read.table.rows(), rows.len());
        if own != theirs {
            let retired = raw.read.table.rows() - theirs;
            let mut what = format!("the release has {own} rows, but {} has {theirs}", raw.name);
            if retired > 0 {
                what.push_str(&format!(" beside the {retired} of retired persons"));
            }
            return Err(other(what).into());
        }
        let hierarchies = hierarchies(policy, &raw)?;
        let source = CertifiedSource {
            table: &raw.read.table,
            rows: &rows,
            hierarchies: &hierarchies,
        };
        if let Some((row, column)) = first_lie(&policy.policy, &published.read.table, &source)? {
            let what = format!(
                "row {} does not cover in `{column}` what {} says",
                row + 1,
                raw.name
            );
            return Err(other(what).into());
        }
        let line = |row: usize| raw.read.lines.line(row);
        let place = Rows {
            file: &raw.name,
            line: &line,
        };
        let wishes = Wishes::read(&policy.policy, &source, &place)?;
        let person = policy.policy.person();
        let person = person.and_then(|person| raw.read.table.column(&person.name));
        let codes = person.map(|column| rows.iter().map(|row| column.codes().get(*row as usize)));
        Ok(Self {
            persons: codes.map(Iterator::collect),
            wishes,
            raw,
            rows,
            hierarchies,
        })
    }
}

/// Where wishes and persons are to be read: the table that was named, or the policy's own, which is then told in a remark.
pub(super) fn raw_source(
    policy: &LoadedPolicy,
    raw: Option<&Path>,
    file: &Path,
    remarks: &mut Vec<String>,
) -> Result<Option<Source>, IoError> {
    if let Some(raw) = raw {
        return Ok(Some(Source::new(raw)));
    }
    let mut specs = policy.policy.privacy.iter().map(|model| &model.spec);
    let (model, read, unknown) = if specs.any(|spec| matches!(spec, ModelSpec::Personal { .. })) {
        ("personal", "wishes", "the wishes of its persons")
    } else if policy.policy.serial().is_some() {
        ("serial", "persons", "who its persons are")
    } else if policy.policy.disclosure.is_some() {
        (
            "[disclosure]",
            "quasi-identifiers",
            "everybody's quasi-identifiers",
        )
    } else {
        return Ok(None);
    };
    match policy.source() {
        Source::File(path) if files::canonical(&path).is_some() => {
            remarks.push(format!(
                "the {read} are read from {}, which the policy names",
                path.display()
            ));
            Ok(Some(Source::File(path)))
        }
        _ => Err(Error::Data {
            place: Place::file(file.display().to_string()),
            what: format!("`{model}` cannot be checked: a release does not tell {unknown}"),
            hint: Some("give the table that it was made from with --raw".to_owned()),
        }
        .into()),
    }
}

/// The hierarchies of quasi-identifiers and sensitive columns over a raw table.
fn hierarchies(
    policy: &LoadedPolicy,
    raw: &LoadedTable,
) -> Result<Vec<(String, Arc<Hierarchy>)>, IoError> {
    raw.with_hierarchies(policy, |load, rows| {
        let mut trees = Vec::new();
        for column in &policy.policy.columns {
            let wanted = column.role == Role::Quasi
                || column.role == Role::Sensitive && column.hierarchy.is_some();
            if let Some(values) = raw.read.table.column(&column.name).filter(|_| wanted) {
                trees.push((
                    column.name.clone(),
                    hierarchy_of(column, values, load, rows)?,
                ));
            }
        }
        Ok(trees)
    })
}
