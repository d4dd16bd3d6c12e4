//! `scrim bench run`: every search on tables of growing size, each a process that is measured.
//!
//! **Definition.** Two series: all sizes at nine quasi-identifiers, then all numbers of quasi-identifiers at the smallest
//! size. A figure is that of the run with the least CPU. **Reading.** What was over the limit is not run at a larger
//! size. **Cost.** Some ten minutes for what is run when nothing else is asked for, most of it for runs to their limit.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use scrim_io::files;
use tempfile::TempDir;

use super::floor::{self, Floor};
use super::generate::Spec;
use super::given::Given;
use super::machine::Machine;
use super::measure::{Ended, Used, measured, this};
use super::report::{self, Answer, Line, Table};
use super::{Kind, Looks, RunRequest, known, peers, usable};
use crate::{Failure, Monitor, Outcome};

/// The number of quasi-identifiers at which sizes grow.
const QUASI: u32 = 9;
/// What took so many seconds is not run again.
const LONG: f64 = 10.0;

/// How commands are run.
#[derive(Debug)]
pub(super) struct Runner<'a> {
    threads: Option<usize>,
    limit: f64,
    repeats: u32,
    scratch: Option<&'a Path>,
}

impl Runner<'_> {
    /// A folder that is removed in the end.
    pub(super) fn folder(&self) -> Result<TempDir, Failure> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("scrim-bench-");
        let made = match self.scratch {
            None => builder.tempdir(),
            Some(dir) => {
                files::create_dir(dir)?;
                builder.tempdir_in(dir)
            }
        };
        made.map_err(|error| {
            let hint = "`--scratch` names another folder";
            Failure::new(format!("no temporary folder: {error}"), Some(hint))
        })
    }

    /// Runs a command some times; the run with the least CPU.
    pub(super) fn best(&self, program: &Path, arguments: &[&OsStr]) -> Result<Used, Failure> {
        let mut best = measured(program, arguments, self.limit)?;
        for _ in 1..self.repeats {
            if best.ended != Ended::Done || best.wall > LONG {
                break;
            }
            let next = measured(program, arguments, self.limit)?;
            let seconds = |used: &Used| used.cpu.unwrap_or(used.wall);
            if next.ended == Ended::Done && seconds(&next) < seconds(&best) {
                best = next;
            }
        }
        Ok(best)
    }

    /// Runs this program.
    pub(super) fn scrim(&self, arguments: &[&OsStr]) -> Result<Used, Failure> {
        let threads = self
            .threads
            .map(|threads| OsString::from(threads.to_string()));
        let mut all = vec![OsStr::new("--quiet")];
        if let Some(threads) = &threads {
            all.extend([OsStr::new("--threads"), threads.as_os_str()]);
        }
        all.extend(arguments);
        self.best(&this()?, &all)
    }

    /// Publishes under a policy that is written into a folder.
    pub(super) fn publish(
        &self,
        dir: &Path,
        algorithm: &str,
        policy: &str,
    ) -> Result<Used, Failure> {
        let path = dir.join(format!("{algorithm}.toml"));
        files::write_bytes(&path, policy.as_bytes())?;
        self.scrim(&[OsStr::new("publish"), path.as_os_str()])
    }
}

/// `scrim bench run`: measures what was asked for. The program itself is run for it, with `publish` and `bench measure`.
pub fn run(asked: &RunRequest, progress: &mut dyn Monitor) -> Result<Outcome, Failure> {
    known(&asked.algorithms)?;
    usable(&asked.looks)?;
    let runner = Runner {
        threads: asked.threads,
        limit: asked.limit,
        repeats: asked.repeats,
        scratch: asked.scratch.as_deref(),
    };
    let machine = Machine::this();
    let tables = match (&asked.data, &asked.policy) {
        (Some(data), Some(policy)) => vec![given(asked, data, policy, &runner, progress)?],
        _ => made(asked, &runner, progress)?,
    };
    let peers = match &asked.peers {
        None => Vec::new(),
        Some(python) => peers::run(python, &asked.peer_sizes, &asked.looks, &runner, progress)?,
    };
    let answer = Answer::new(machine, asked, tables, peers);
    if let Some(out) = &asked.out {
        files::write_bytes(out, report::markdown(&answer).as_bytes())?;
    }
    Outcome::new(report::text(&answer), &answer, true)
}

/// Both series of made-up tables. One that is of both is measured once.
fn made(
    asked: &RunRequest,
    runner: &Runner<'_>,
    progress: &mut dyn Monitor,
) -> Result<Vec<Table>, Failure> {
    let mut sizes = asked.sizes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let mut quasi = asked.quasi.clone();
    quasi.sort_unstable();
    quasi.dedup();
    let mut tables: Vec<Table> = Vec::new();
    for &rows in &sizes {
        let table = one(asked, rows, QUASI, &tables, runner, progress)?;
        tables.push(table);
    }
    let smallest = sizes.first().copied().unwrap_or(1);
    let mut wide: Vec<Table> = Vec::new();
    for &quasi in quasi.iter().filter(|&&quasi| quasi != QUASI) {
        // More columns may be quicker: nothing is concluded from fewer.
        wide.push(one(asked, smallest, quasi, &[], runner, progress)?);
    }
    tables.append(&mut wide);
    Ok(tables)
}

/// Makes a table and runs every search on it.
fn one(
    asked: &RunRequest,
    rows: u64,
    quasi: u32,
    smaller: &[Table],
    runner: &Runner<'_>,
    progress: &mut dyn Monitor,
) -> Result<Table, Failure> {
    let looks: &Looks = &asked.looks;
    let spec = Spec { rows, quasi, looks };
    let folder = runner.folder()?;
    let name = format!("{rows} rows, {quasi} quasi-identifiers");
    progress.part(&name);
    spec.write(folder.path(), "optimal", progress)?;
    let data = folder.path().join(looks.kind.file());
    let floor = floor::measure(&data, looks.kind == Kind::Csv, asked.repeats)?;
    let lines = searches(asked, &name, floor, progress, |algorithm| {
        let over = |line: &Line| {
            line.algorithm == algorithm
                && matches!(line.used.ended, Ended::OverLimit | Ended::NotRun)
        };
        if smaller.iter().flat_map(|table| &table.lines).any(over) {
            return Ok(Used::not_run());
        }
        runner.publish(folder.path(), algorithm, &spec.policy(algorithm, algorithm))
    })?;
    Ok(Table {
        rows: Some(rows),
        quasi,
        ..lines
    })
}

/// Runs every search on a table of the user's own.
fn given(
    asked: &RunRequest,
    data: &Path,
    policy: &Path,
    runner: &Runner<'_>,
    progress: &mut dyn Monitor,
) -> Result<Table, Failure> {
    let given = Given::read(policy, data)?;
    let folder = runner.folder()?;
    let plain = data
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("csv") || end.eq_ignore_ascii_case("tsv"));
    let floor = floor::measure(data, plain, asked.repeats)?;
    let rows = floor.rows;
    let table = searches(asked, "the given table", floor, progress, |algorithm| {
        runner.publish(
            folder.path(),
            algorithm,
            &given.policy(algorithm, algorithm),
        )
    })?;
    Ok(Table {
        rows,
        quasi: given.quasi(),
        ..table
    })
}

fn searches(
    asked: &RunRequest,
    name: &str,
    floor: Floor,
    progress: &mut dyn Monitor,
    publish: impl Fn(&str) -> Result<Used, Failure>,
) -> Result<Table, Failure> {
    let mut lines = Vec::new();
    for (done, algorithm) in asked.algorithms.iter().enumerate() {
        progress.part(&format!("{name}, {algorithm}"));
        progress.doing("publishing");
        progress.counted(done as u64, asked.algorithms.len() as u64, "searches")?;
        let used = publish(algorithm)?;
        // A child that Ctrl-C ended is no figure.
        progress.check()?;
        lines.push(Line::new(algorithm, used, &floor));
    }
    Ok(Table {
        rows: None,
        quasi: 0,
        floor,
        lines,
    })
}
