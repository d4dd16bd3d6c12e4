//! Publish: read, search, apply, write aside, read back, certify, and only then let the files appear.

mod manifest;
mod names;
mod past;
mod refusal;

use std::path::Path;
use std::time::Instant;

use scrim::Share;
use scrim::recoding::{Applied, AppliedColumn, apply};
use scrim::release::audit::{
    Audit, Known, RareCombination, RowCounts, Source as CertifiedSource, Wishes, audit_with,
    certify_source, rare_combination,
};
use scrim::release::policy::Format;
use scrim::release::report::{Files, Publication, Searched, Seconds, levels, recoding};
use scrim::release::{Plan, Prepared, Rows, plan};

use super::load::{LoadedPolicy, LoadedTable};
use super::{Door, Stage};
use crate::{IoError, OutColumn, Staging, Written, files, write_csv, write_parquet};
use names::Names;
use past::{Past, Recordable};
use refusal::{broken_words, impossible, nothing_found, promise_broken, refuse_own_input, refused};

/// Publishes what a policy says.
pub fn publish(path: &Path, door: &mut dyn Door) -> Result<Publication, IoError> {
    let mut clock = Clock::default();
    let policy = LoadedPolicy::read(path)?;
    policy
        .policy
        .must_be_answered(door.data_holder().is_some())?;
    let ready = Ready::read(policy, Ending::Publish, door)?;
    clock.seconds.read = clock.lap();
    ready.release(&ready.policy, Ending::Publish, clock, door)
}

/// What becomes of a certified release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Its files appear.
    Publish,
    /// It is removed.
    Discard,
}

/// A policy and its table, read and counted once for any number of searches.
pub(super) struct Ready {
    pub(super) policy: LoadedPolicy,
    table: LoadedTable,
    pub(super) prepared: Prepared,
    /// What earlier releases say, where the policy promises something over several.
    past: Option<Past>,
}

impl Ready {
    /// Reads all that a search needs.
    pub(super) fn read(
        policy: LoadedPolicy,
        ending: Ending,
        door: &mut dyn Door,
    ) -> Result<Self, IoError> {
        policy.policy.must_promise()?;
        refuse_own_input(&policy)?;
        door.stage(Stage::Read);
        let mut table = policy.read_original(&policy.source(), door)?;
        let past = Past::read(&policy, &mut table, ending, door)?;
        let mut prepared = match &past {
            Some(past) => table.prepare_with(&policy, &past.history)?,
            None => table.prepare(&policy)?,
        };
        if let Some(past) = &past {
            prepared.remarks.extend(past.remarks.iter().cloned());
        }
        Ok(Self {
            policy,
            table,
            prepared,
            past,
        })
    }

    /// Searches, applies and certifies. The policy may differ in its search from the one that was read.
    pub(super) fn release(
        &self,
        policy: &LoadedPolicy,
        ending: Ending,
        clock: Clock,
        door: &mut dyn Door,
    ) -> Result<Publication, IoError> {
        if let Err(error) = self.prepared.must_be_feasible() {
            return impossible(error, policy, &self.table.name, &self.prepared, &clock);
        }
        let first = self.attempt(policy, ending, clock.clone(), door)?;
        // Rows that are dropped or withheld change the distribution that closeness is measured against. Where the
        // certifier therefore refuses, a release without suppressed rows may still keep the promise.
        if first.status == "refused" && first.suppressed_before_refusal {
            let mut unsuppressed = policy.clone();
            unsuppressed.policy.search.suppression = Some(Share::ZERO);
            let mut second = self.attempt(&unsuppressed, ending, clock, door)?;
            if second.status == "published" {
                second.remarks.push("no row is suppressed: with suppressed rows the release would not have kept its promise".to_owned());
                return Ok(second);
            }
        }
        Ok(first)
    }

    fn attempt(
        &self,
        policy: &LoadedPolicy,
        ending: Ending,
        mut clock: Clock,
        door: &mut dyn Door,
    ) -> Result<Publication, IoError> {
        door.stage(Stage::Search);
        let plan = plan(&policy.policy, &self.table.read.table, &self.prepared, door)?;
        clock.seconds.search = clock.lap();
        let Some(plan) = plan else {
            return Ok(nothing_found(policy, &self.prepared, &clock));
        };
        let work = Work {
            policy,
            table: &self.table,
            prepared: &self.prepared,
            plan: &plan,
            past: self.past.as_ref(),
        };
        work.release(ending, door, clock)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Clock {
    last: Instant,
    seconds: Seconds,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            last: Instant::now(),
            seconds: Seconds::default(),
        }
    }
}

impl Clock {
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        lap
    }
}

/// What the certifier found.
struct Certified {
    audit: Audit,
    combination: Option<RareCombination>,
    /// What the ledger will know of it, where there is one.
    recordable: Option<Recordable>,
}

struct Work<'a> {
    policy: &'a LoadedPolicy,
    table: &'a LoadedTable,
    prepared: &'a Prepared,
    plan: &'a Plan,
    past: Option<&'a Past>,
}

impl Work<'_> {
    fn release(
        &self,
        ending: Ending,
        door: &mut dyn Door,
        mut clock: Clock,
    ) -> Result<Publication, IoError> {
        door.stage(Stage::Apply);
        let source = &self.table.read.table;
        let made = apply(
            source,
            &self.prepared.roles,
            &self.prepared.ladders,
            &self.prepared.ground,
            &self.plan.found.recoding,
            &self.plan.sensitive,
            self.plan.fate,
        );
        clock.seconds.apply = clock.lap();
        door.stage(Stage::Write);
        door.check()?;
        let dir = self.policy.resolve(&self.policy.policy.release.dir);
        let staging = Staging::new(&dir)?;
        let name = Names::of(self.policy.policy.release.format, false).release;
        let source_rows = made.rows.clone();
        let written = self.write(&staging.path(name), made, door)?;
        clock.seconds.write = clock.lap();
        door.stage(Stage::Certify);
        let verdict = self.certify(&staging.path(name), &source_rows, door)?;
        clock.seconds.certify = clock.lap();
        let mut publication = self.publication(clock.seconds);
        let mut certified = match verdict {
            Ok(certified) => certified,
            Err(lie) => {
                return Ok(refused(
                    publication,
                    &format!("the certifier refused the release: {lie}"),
                ));
            }
        };
        let holds = certified.audit.holds;
        let recordable = certified.recordable.take();
        self.fill_in(&mut publication, certified);
        if !holds {
            let search = &self.policy.policy.search;
            if !search.allows_broken() {
                publication.suppressed_before_refusal = self.plan.suppressed > 0;
                return Ok(promise_broken(publication, search));
            }
            publication.broken = true;
            publication.reason = Some(broken_words(&publication));
        }
        if ending == Ending::Discard {
            return Ok(publication);
        }
        let names = Names::of(self.policy.policy.release.format, publication.broken);
        if names.release != name {
            files::rename(&staging.path(name), &staging.path(names.release))?;
        }
        let manifest = self.manifest(&publication, &written)?;
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|error| scrim::Error::Internal(error.to_string()))?
            + "\n";
        files::write_bytes(&staging.path(names.manifest), text.as_bytes())?;
        door.check()?;
        let outdated = names.outdated(&dir);
        let both = [names.release, names.manifest];
        if let (Some(past), Some(recordable)) = (self.past, recordable) {
            let outdated = outdated
                .as_ref()
                .and_then(|file| file.file_name()?.to_str());
            let outdated: Vec<&str> = outdated.into_iter().collect();
            let files = (&both[..], &outdated[..]);
            past.record(self.policy, source, recordable, staging, files, door)?;
        } else {
            staging.commit(&both)?;
            outdated.map_or(Ok(()), |file| files::remove(&file))?;
        }
        let shown = |file: &str| Some(dir.join(file).display().to_string());
        publication.files = Files {
            release: shown(names.release),
            manifest: shown(names.manifest),
            report: None,
        };
        publication.seconds.write += clock.lap();
        Ok(publication)
    }

    fn write(&self, path: &Path, made: Applied, door: &mut dyn Door) -> Result<Written, IoError> {
        let rows = made.rows.len();
        let format = self.policy.policy.release.format;
        let columns: Vec<OutColumn> = made
            .columns
            .into_iter()
            .map(|column| out_column(column, format))
            .collect();
        let mut progress = |_: u64| door.check();
        match format {
            Format::Csv => write_csv(path, &columns, rows, &mut progress),
            Format::Parquet => write_parquet(path, &columns, rows, &mut progress),
        }
    }

    /// Reads the written file back and has it judged, by its own words and against its source.
    fn certify(
        &self,
        path: &Path,
        rows: &[u32],
        door: &mut dyn Door,
    ) -> Result<Result<Certified, String>, IoError> {
        let policy = &self.policy.policy;
        let published = self.policy.read_published(path, true, door)?;
        let person = policy
            .person()
            .and_then(|person| self.table.read.table.column(&person.name));
        let persons: Option<Vec<u32>> = person.map(|column| {
            rows.iter()
                .map(|row| column.codes().get(*row as usize))
                .collect()
        });
        let trees: Vec<_> = self
            .prepared
            .ladders
            .iter()
            .map(|ladder| (ladder.name().to_owned(), ladder.hierarchy().clone()))
            .chain(self.prepared.sensitive.iter().cloned())
            .collect();
        let source = CertifiedSource {
            table: &self.table.read.table,
            rows,
            hierarchies: &trees,
        };
        if let Err(lie) = certify_source(policy, &published.read.table, &source)? {
            return Ok(Err(lie));
        }
        let line = |row: usize| self.table.read.lines.line(row);
        let place = Rows {
            file: &self.table.name,
            line: &line,
        };
        let known = Known {
            persons: persons.as_deref(),
            trees: &self.prepared.sensitive,
            wishes: &Wishes::read(policy, &source, &place)?,
            history: self.past.map(|past| &past.history),
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let table = &published.read.table;
        let audit = audit_with(policy, table, &file, &known)?;
        // Only mu-Argus is expected to break its promise; what breaks it is then looked for.
        let combination = if audit.holds || !policy.search.is_mu_argus() {
            None
        } else {
            rare_combination(policy, table, &file, &known)?
        };
        let recordable = match self.past.filter(|_| audit.holds) {
            Some(past) => Some(past.entry(self.policy, source.table, rows, table)?),
            None => None,
        };
        Ok(Ok(Certified {
            audit,
            combination,
            recordable,
        }))
    }

    fn publication(&self, seconds: Seconds) -> Publication {
        let plan = self.plan;
        let mut remarks = self.prepared.remarks.clone();
        remarks.extend(plan.found.remarks.iter().cloned());
        if plan.fate.drop && plan.suppressed > 0 && !self.prepared.personal.is_empty() {
            remarks.push("rows are left out, so wishes can be checked now but not later: `audit` and `attack --personal` need a release that has every row".to_owned());
        }
        if plan.fate.star_sensitive {
            remarks.push(format!(
                "the {} suppressed rows together do not keep the models: their sensitive values are starred too; that there are so many of them is still told",
                plan.suppressed
            ));
        }
        let ties = if plan.found.ties.len() > 1 {
            plan.found
                .ties
                .iter()
                .map(|node| levels(self.prepared, node))
                .collect()
        } else {
            Vec::new()
        };
        Publication {
            status: "published",
            algorithm: plan.algorithm,
            recoding: Some(recoding(self.prepared, plan)),
            metrics: Some(plan.metrics.clone()),
            searched: Searched {
                lattice: plan.lattice,
                checked: plan.found.checked,
            },
            optimal: plan.found.proven,
            ties,
            remarks,
            seconds,
            ..Publication::default()
        }
    }

    fn fill_in(&self, publication: &mut Publication, certified: Certified) {
        publication.combination = certified.combination;
        let certified = certified.audit;
        publication.rows = RowCounts {
            read: self.prepared.ground.rows(),
            released: certified.rows.released,
            suppressed: self.plan.suppressed,
            withheld: certified.rows.withheld,
        };
        publication.classes = certified.classes;
        publication.models = certified.models;
        publication.breach = certified.breach;
        publication.serial = certified.serial;
        if let (Some(serial), Some(past)) = (&mut publication.serial, self.past) {
            serial.retired = past.retired;
        }
        publication.remarks.extend(certified.remarks);
    }
}

fn out_column(column: AppliedColumn, format: Format) -> OutColumn {
    let missing = column.missing.filter(|_| format == Format::Parquet);
    let label = |(code, text): (u32, String)| (Some(code) != missing).then_some(text);
    OutColumn {
        name: column.name,
        labels: (0..).zip(column.labels).map(label).collect(),
        codes: column.codes,
    }
}
