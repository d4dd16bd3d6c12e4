//! A policy tried before it is written: read, prepared and searched as `publish` would, with hierarchies from memory.

use std::path::Path;

use scrim::Error;
use scrim::profile::HierarchyFile;
use scrim::release::policy::AlgorithmId;
use scrim::release::{HierarchyText, Plan, Policy, Prepared, Rows, plan};

use super::cost::Cost;
use crate::pipeline::load::LoadedTable;
use crate::pipeline::{Door, LoadedPolicy, Stage};
use crate::{IoError, Source};

/// How many seconds a search beside the policy's own may take.
const BESIDE_SECONDS: u64 = 10;
/// A larger table is searched once only: the search beside it would hold the user up.
const MOST_ROWS_BESIDE: usize = 200_000;

/// Which table a policy is tried on, and where it will stand.
pub(super) struct Trial<'a> {
    pub(super) data: &'a Path,
    pub(super) policy: &'a Path,
}

/// What a trial found.
pub(super) struct Found {
    /// Whether rows can be told apart by some quasi-identifier.
    pub(super) says_something: bool,
    /// What the release would cost.
    pub(super) cost: Cost,
    policy: LoadedPolicy,
    table: LoadedTable,
    prepared: Prepared,
}

impl Found {
    /// What the user should know.
    pub(super) fn remarks(&self) -> Vec<String> {
        let nothing = "whatever is tried, all rows look alike, and `scrim publish` refuses a release of stars only: the table is small for so many quasi-identifiers; give some the role identifier or insensitive";
        let nothing = (!self.says_something).then(|| nothing.to_owned());
        nothing.into_iter().collect()
    }

    /// What the same policy costs with `local`, where that is soon known; nothing where it cannot be searched so.
    pub(super) fn beside(&self, door: &mut dyn Door) -> Result<Option<Cost>, IoError> {
        let own = &self.policy;
        if own.policy.search.algorithm != AlgorithmId::Optimal
            || self.table.read.table.rows() > MOST_ROWS_BESIDE
        {
            return Ok(None);
        }
        let Ok(mut policy) = Policy::parse_with(&own.policy.file, &own.text, AlgorithmId::Local)
        else {
            return Ok(None);
        };
        policy.search.time_limit = Some(BESIDE_SECONDS);
        door.part("local");
        door.stage(Stage::Search);
        match plan(&policy, &self.table.read.table, &self.prepared, door) {
            Ok(Some(plan)) => Ok(Some(self.cost_of(&policy, &plan))),
            Err(Error::Interrupted) => Err(Error::Interrupted.into()),
            _ => Ok(None),
        }
    }

    fn cost_of(&self, policy: &Policy, plan: &Plan) -> Cost {
        Cost::of(policy, &self.table.read.table, &self.prepared, plan)
    }
}

impl Trial<'_> {
    /// Searches under a policy. A policy that would be refused is an error.
    pub(super) fn run(
        &self,
        text: &str,
        hierarchies: &[HierarchyFile],
        door: &mut dyn Door,
    ) -> Result<Found, IoError> {
        let policy = LoadedPolicy {
            policy: Policy::parse(&self.policy.display().to_string(), text)?,
            text: text.to_owned(),
            path: self.policy.to_owned(),
            memory: None,
        };
        policy.policy.must_promise()?;
        door.stage(Stage::Read);
        let table = policy.read_original(&Source::new(self.data), door)?;
        let mut load = |path: &str| {
            let found = hierarchies.iter().find(|file| file.path == path);
            let found = found.map(|file| HierarchyText {
                name: path.to_owned(),
                text: file.text.clone(),
            });
            found.ok_or_else(|| Error::Internal(format!("no hierarchy file {path} was proposed")))
        };
        let line = |row: usize| table.line(row);
        let rows = Rows {
            file: &table.name,
            line: &line,
        };
        let prepared = Prepared::new(&policy.policy, &table.read.table, &mut load, &rows)?;
        prepared.must_be_feasible()?;
        door.stage(Stage::Search);
        let plan = plan(&policy.policy, &table.read.table, &prepared, door)?;
        let plan = plan.ok_or_else(|| Error::Infeasible {
            what: "no release of this table keeps what a first policy promises".to_owned(),
            hint: Some("try a smaller `--k`".to_owned()),
        })?;
        let recoding = &plan.found.recoding;
        let (_, classes) = recoding.class_of_row(&prepared.ladders, &prepared.ground);
        let cost = Cost::of(&policy.policy, &table.read.table, &prepared, &plan);
        Ok(Found {
            // Values that are stars in the raw table can tell classes apart, but show nothing.
            says_something: classes > 1 && cost.shows_something,
            cost,
            policy,
            table,
            prepared,
        })
    }
}
