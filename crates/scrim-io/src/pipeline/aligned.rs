//! A release beside the table that it was made from: for what a release does not tell of itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrim::hierarchy::Hierarchy;
use scrim::release::audit::{Paired, Recipe, Source as CertifiedSource, Wishes, first_mismatch};
use scrim::release::policy::ModelSpec;
use scrim::release::{PlanFile, Rows, hierarchy_of};
use scrim::table::{Role, Table};
use scrim::{Error, Place, counted};

use super::Door;
use super::load::{LoadedPolicy, LoadedTable};
use super::publish::{Names, PLAN};
use crate::{IoError, Source, files};

/// What the rows of a release were before, by row of the release.
#[derive(Debug)]
pub(super) struct Aligned {
    /// How rows were found, where the plan did not tell.
    pub(super) remarks: Vec<String>,
    /// The release, a row for each row of its source.
    pub(super) published: Table,
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

/// What is asked where a release and a table do not belong together.
const OTHER_TABLE: &str = "is this the plan of that release, is the release made from that table, and has the policy the hierarchies that it was made with?";

impl Aligned {
    /// Reads the source of a release and brings them together by the plan of the release.
    pub(super) fn read(
        policy: &LoadedPolicy,
        (file, published): (&Path, &LoadedTable),
        raw: &Source,
        plan: Option<&Path>,
        door: &mut dyn Door,
    ) -> Result<Self, IoError> {
        let raw = policy.read_original(raw, door)?;
        Self::of(policy, (file, published), (raw, 0), plan)
    }

    /// The same with its rows in the order in which they stand in the source.
    pub(super) fn in_file_order(mut self) -> Self {
        let raw = &self.raw.read.table;
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        order.sort_unstable_by_key(|at| raw.first(self.rows[*at as usize] as usize));
        let at = |row: &u32| *row as usize;
        let table = &self.published;
        let times = order
            .iter()
            .map(|row| table.times(at(row)) as u32)
            .collect();
        let first = order.iter().map(|row| table.first(at(row))).collect();
        if let Some(published) = table.recounted(&order, times, first) {
            self.published = published;
            self.persons = self
                .persons
                .map(|own| order.iter().map(|row| own[at(row)]).collect());
            for wishes in &mut self.wishes {
                wishes.guards = order.iter().map(|row| wishes.guards[at(row)]).collect();
                wishes.values = order.iter().map(|row| wishes.values[at(row)]).collect();
            }
            self.rows = order.iter().map(|row| self.rows[at(row)]).collect();
        }
        self
    }

    /// What the release was made from.
    pub(super) fn source(&self) -> CertifiedSource<'_> {
        CertifiedSource {
            table: &self.raw.read.table,
            rows: &self.rows,
            hierarchies: &self.hierarchies,
        }
    }

    /// Finds the row of a release that each row of its source became. A release is a multiset of rows, so its plan has to say it.
    /// The source comes with the number of rows of retired persons, which are not in it any more.
    pub(super) fn of(
        policy: &LoadedPolicy,
        (file, published): (&Path, &LoadedTable),
        (raw, retired): (LoadedTable, u64),
        plan: Option<&Path>,
    ) -> Result<Self, IoError> {
        let other = |what: String| Error::Data {
            place: Place::file(&published.name),
            what,
            hint: Some(OTHER_TABLE.to_owned()),
        };
        let hierarchies = hierarchies(policy, &raw)?;
        let source = &raw.read.table;
        let mut remarks = Vec::new();
        let Paired {
            published: table,
            rows,
        } = if let Some(plan) = read_plan(file, plan)? {
            let recipe = Recipe {
                plan: &plan,
                hierarchies: &hierarchies,
                suppressed: None,
            };
            let expected = recipe.beside(&policy.policy, source, &published.read.table)?;
            let paired = expected.paired(source, &published.read.table)?;
            paired.map_err(other)?
        } else {
            remarks.push(BY_PLACE.to_owned());
            must_have_as_many_rows(&raw, retired, &published.read.table)
                .map_err(|what| no_plan(published, file, what))?;
            by_place(source, &published.read.table)
        };
        let source = CertifiedSource {
            table: source,
            rows: &rows,
            hierarchies: &hierarchies,
        };
        if let Some((row, column)) = first_mismatch(&policy.policy, &table, &source)? {
            let what = format!(
                "row {} does not cover in `{column}` what {} says",
                table.first(row) + 1,
                raw.name
            );
            return Err(if remarks.is_empty() {
                other(what).into()
            } else {
                no_plan(published, file, what)
            });
        }
        let line = |row: usize| raw.line(row);
        let place = Rows {
            file: &raw.name,
            line: &line,
        };
        let wishes = Wishes::read(&policy.policy, &source, &place)?;
        let person = policy.policy.person();
        let person = person.and_then(|person| raw.read.table.column(&person.name));
        let codes = person.map(|column| rows.iter().map(|row| column.codes().get(*row as usize)));
        Ok(Self {
            remarks,
            published: table,
            persons: codes.map(Iterator::collect),
            wishes,
            raw,
            rows,
            hierarchies,
        })
    }
}

/// What is remarked where no plan tells which row is whose.
const BY_PLACE: &str = "no plan of this release is at hand: its rows are taken to stand in the order of the table that it was made from, as every one of them covers the row in its place";

/// Checks that a release may have a row for each row of its source.
fn must_have_as_many_rows(raw: &LoadedTable, retired: u64, release: &Table) -> Result<(), String> {
    let (own, theirs) = (release.rows(), raw.read.table.rows());
    if own == theirs {
        return Ok(());
    }
    let mut what = format!(
        "the release has {}, but {} has {theirs}",
        counted(own, "row"),
        raw.name
    );
    if retired > 0 {
        what.push_str(&format!(" beside the {retired} of retired persons"));
    }
    Err(what)
}

/// The rows of a release in the order of its source: the n-th of the one is the n-th of the other.
fn by_place(source: &Table, release: &Table) -> Paired {
    let mut rows: Vec<u32> = (0..source.rows() as u32).collect();
    rows.sort_unstable_by_key(|row| source.first(*row as usize));
    Paired {
        published: release.clone(),
        rows,
    }
}

/// The plan of a release: the one that is named, or the one that lies beside the release, if there is one.
fn read_plan(release: &Path, plan: Option<&Path>) -> Result<Option<PlanFile>, IoError> {
    let beside = beside(release);
    let path = plan.unwrap_or(&beside);
    if plan.is_none() && !files::exists(path) {
        return Ok(None);
    }
    let text = files::read_text(path)?;
    let plan = serde_json::from_str(&text).map_err(|error| Error::Data {
        place: Place {
            line: Some(error.line() as u64),
            ..Place::file(path.display().to_string())
        },
        what: "this is no plan that `publish` wrote".to_owned(),
        hint: None,
    });
    Ok(Some(plan?))
}

/// Where `publish` writes the plan of a release.
fn beside(release: &Path) -> PathBuf {
    let name = release.file_name().unwrap_or_default().to_string_lossy();
    let names = Names::ALL.into_iter().find(|names| names.release == name);
    release.with_file_name(names.map_or(PLAN, |names| names.plan))
}

fn no_plan(published: &LoadedTable, file: &Path, what: String) -> IoError {
    Error::Data {
        place: Place::file(&published.name),
        what,
        hint: Some(format!(
            "is this release made from that table? If `publish` sorted its rows, only its plan says which row is whose: give {} with --plan",
            beside(file).display()
        )),
    }
    .into()
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
