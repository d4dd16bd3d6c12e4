//! Publish: read, search, apply, write aside, read back, certify, and only then let the files appear.

mod answer;
mod certified;
mod concerns;
mod distinct;
mod external;
mod formulas;
mod manifest;
mod names;
mod past;
mod refusal;
mod replaced;
mod rest;
mod row_order;
mod sections;
mod suggest;
mod ties;
mod work;

use std::path::Path;
use std::time::{Duration, Instant};

use scrim::release::disclosure::DisclosureReport;
use scrim::release::report::{Publication, Seconds};
use scrim::release::verdict::RepeatingKey;
use scrim::release::{Prepared, planned};
use scrim::table::Table;

use super::load::{LoadedPolicy, LoadedTable};
use super::{Door, Stage};
use crate::{FolderLock, IoError, Memory, Readers, files};
use concerns::repeating_key;
use distinct::refuse_own_input;
pub(super) use names::{EXTERNAL, EXTERNAL_MANIFEST, Names, PLAN};
use past::Past;
use refusal::{LeftOut, impossible, nobody_left, not_disclosed, nothing_found, out_of_time, torn};
use replaced::refuse_others;
use work::Work;

/// Publishes what a policy says, with a report for those who have the raw table; for outsiders there is a second one. Where memory is
/// limited, to so many bytes, what grows with the rows goes to the disk.
pub fn publish(
    path: &Path,
    readers: Readers,
    memory: Option<u64>,
    door: &mut dyn Door,
) -> Result<Publication, IoError> {
    let ending = Ending::Publish(readers);
    let mut clock = Clock::default();
    let mut policy = LoadedPolicy::read(path)?;
    policy.memory = memory;
    policy
        .policy
        .must_be_answered(door.data_holder().is_some())?;
    refuse_own_input(&policy)?;
    let folder = policy.resolve(&policy.policy.release.dir);
    let memory = memory.map(|limit| Memory::new(limit, &folder));
    let files = Names::of(policy.policy.release.format, false).written(readers);
    for remark in settled(&folder, &files)? {
        door.say(&remark);
    }
    let ready = Ready::read(policy, ending, memory, door)?;
    clock.seconds.read = clock.lap();
    let mut answer = ready.release(&ready.policy, ending, clock, door)?;
    if answer.status == "refused" {
        ready.explain(&mut answer, door)?;
    }
    Ok(answer.judged())
}

/// Settles what killed publishers left in the folder of the release, and refuses one with files of others under the names of
/// those that will be written. Whoever is at work there has done so already; it is looked again before files appear.
fn settled(folder: &Path, written: &[&str]) -> Result<Vec<String>, IoError> {
    if !files::is_dir(folder) {
        return Ok(Vec::new());
    }
    let lock = FolderLock::take(folder, Duration::ZERO, &mut |_| Ok(()));
    let Ok(lock) = lock else {
        return Ok(Vec::new());
    };
    let remarks = lock.settle()?;
    // What a ledger has to complete first is half there.
    if lock.must_be_free().is_ok() {
        refuse_others(folder, written)?;
    }
    Ok(remarks)
}

/// What becomes of a certified release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Its files appear, with a report for these readers.
    Publish(Readers),
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
    memory: Option<Memory>,
    /// A column that looks like a person's key, where the policy knows no persons.
    key: Option<RepeatingKey>,
}

impl Ready {
    /// Reads all that a search needs.
    pub(super) fn read(
        policy: LoadedPolicy,
        ending: Ending,
        memory: Option<Memory>,
        door: &mut dyn Door,
    ) -> Result<Self, IoError> {
        policy.policy.must_promise()?;
        refuse_own_input(&policy)?;
        door.stage(Stage::Read);
        // A comparison runs algorithms that need rows.
        let counted = ending != Ending::Discard && policy.policy.needs_only_counts();
        let mut table = policy.read_for_release(counted, memory.as_ref(), door)?;
        let past = Past::read(&policy, &mut table, ending, door)?;
        let held = table.read.held;
        let for_search = memory.as_ref().map(|memory| memory.for_search(held));
        let mut prepared = match (&past, &table.read.sections, &memory) {
            (None, Some(sections), Some(memory)) => {
                sections::refuse_columns(&policy.policy)?;
                sections::prepare(&policy, &table, sections, memory, door)?
            }
            (Some(past), ..) => {
                let mut prepared = table.prepare_with(&policy, &past.history)?;
                prepared.remarks.extend(past.remarks.iter().cloned());
                prepared.memory = for_search;
                prepared
            }
            (None, ..) => {
                let mut prepared = table.prepare(&policy)?;
                prepared.memory = for_search;
                prepared
            }
        };
        if table.read.unchecked {
            let (what, how) = if table.read.delimiter.is_some() {
                ("is packed without a checksum", "`zstd --check` makes one")
            } else {
                (
                    "has pages without a checksum",
                    "`write_page_checksum=True` of pyarrow makes them",
                )
            };
            prepared.remarks.push(format!(
                "{} {what}: damage to it may go unnoticed ({how})",
                table.name
            ));
        }
        let key = match ending {
            Ending::Publish(_) => repeating_key(&policy, &table, door)?,
            Ending::Discard => None,
        };
        Ok(Self {
            policy,
            table,
            prepared,
            past,
            memory,
            key,
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
        let past = self.past.as_ref();
        let out = past.map_or_else(LeftOut::default, |past| LeftOut {
            retired: past.retired,
            incomplete: past.incomplete,
        });
        let feasible = if out.any() && self.prepared.ground.rows() == 0 {
            Err(nobody_left("nobody of the table is left", out))
        } else {
            self.prepared.must_be_feasible()
        };
        if let Err(error) = feasible {
            return match rest::without_hopeless(policy, &self.table, &self.prepared)? {
                Some(rest) => {
                    self.release_of(&rest.subject(self), &rest.policy, ending, clock, door)
                }
                None => impossible(error, policy, (&self.prepared, out), &clock),
            };
        }
        let whole = Subject {
            table: &self.table,
            prepared: &self.prepared,
            before: None,
        };
        self.release_of(&whole, policy, ending, clock, door)
    }

    /// Searches, applies and certifies a table or what is left of it.
    fn release_of(
        &self,
        subject: &Subject<'_>,
        policy: &LoadedPolicy,
        ending: Ending,
        mut clock: Clock,
        door: &mut dyn Door,
    ) -> Result<Publication, IoError> {
        door.stage(Stage::Search);
        let (table, prepared) = (&subject.table.read.table, subject.prepared);
        let planned = planned(&policy.policy, table, prepared, door);
        clock.seconds.search = clock.lap();
        let planned = match planned {
            Err(error @ scrim::Error::OutOfTime { .. }) => {
                return Ok(out_of_time(&error, policy, prepared, &clock));
            }
            other => other?,
        };
        let decision = planned.decision.as_ref();
        let disclosure = decision
            .map(|decision| DisclosureReport::new(&policy.policy, prepared, table, decision));
        let disclosure = disclosure.transpose()?;
        let Some(plan) = planned.plan else {
            let nothing = nothing_found(policy, prepared, &clock);
            let nothing = match planned.torn_persons {
                Some(persons) => torn(nothing, persons),
                None => nothing,
            };
            return Ok(match (disclosure, decision) {
                (Some(report), Some(decision)) => not_disclosed(nothing, report, decision),
                _ => nothing,
            });
        };
        let work = Work {
            policy,
            table: subject.table,
            prepared,
            before: subject.before,
            plan: &plan,
            disclosure: disclosure.as_ref(),
            past: self.past.as_ref(),
            memory: self.memory.as_ref(),
            key: self.key.as_ref(),
        };
        work.release(ending, door, clock)
    }
}

/// What is searched: a table, or what is left of it.
struct Subject<'a> {
    table: &'a LoadedTable,
    prepared: &'a Prepared,
    /// The table as it was read and its counts, where rows of it are left out already.
    before: Option<(&'a Table, &'a Prepared)>,
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
