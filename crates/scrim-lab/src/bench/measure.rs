//! What a process used: CPU, wall and peak memory, as the system counts them.
//!
//! The system tells the memory of a child only as the largest of all children so far. So every measured command is the only
//! child of a process of its own, `scrim bench measure`, which is started for it and tells what its one child used.
//! Memory below that of this small process is not seen. Where the system does not tell (Windows), only wall is given.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::{Failure, Outcome};

/// How often a child with a limit is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ended {
    /// By itself, with exit code 0.
    Done,
    /// By itself, with another exit code, or by a signal.
    Failed,
    /// By us: it was over its limit.
    OverLimit,
    /// It was not run: a smaller table was over the limit.
    NotRun,
}

/// What a command used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Used {
    /// How it ended.
    pub(super) ended: Ended,
    /// Its exit code, where it has one.
    pub(super) exit: Option<i32>,
    /// User and system time in seconds.
    pub(super) cpu: Option<f64>,
    /// Time on the clock in seconds.
    pub(super) wall: f64,
    /// Peak memory in megabytes.
    pub(super) megabytes: Option<f64>,
    /// The last line that a command that failed wrote to standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

impl Used {
    /// What was not run.
    pub(super) fn not_run() -> Self {
        Self {
            ended: Ended::NotRun,
            exit: None,
            cpu: None,
            wall: 0.0,
            megabytes: None,
            why: None,
        }
    }
}

/// `scrim bench measure`: runs a command and tells what it used. Its process must have had no other child.
pub fn measure(command: &[OsString], limit: Option<f64>) -> Result<Outcome, Failure> {
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| Failure::new("no command", None))?;
    let begun = Instant::now();
    let (ended, exit) = end(program, arguments, limit)
        .map_err(|error| Failure::new(format!("{}: {error}", program.display()), None))?;
    let wall = begun.elapsed().as_secs_f64();
    let (cpu, megabytes) = of_children().unzip();
    let used = Used {
        ended,
        exit,
        cpu,
        wall,
        megabytes,
        why: None,
    };
    Outcome::new(told(&used), &used, ended == Ended::Done)
}

fn told(used: &Used) -> String {
    let cpu = used
        .cpu
        .map_or("not told here".to_owned(), |cpu| format!("{cpu:.3} s"));
    let memory = used.megabytes.map_or("not told here".to_owned(), |memory| {
        format!("{memory:.1} MB")
    });
    let end = match (used.ended, used.exit) {
        (Ended::OverLimit, _) => "over the limit, ended by us".to_owned(),
        (_, Some(code)) => format!("exit {code}"),
        (_, None) => "ended by a signal".to_owned(),
    };
    format!(
        "CPU     {cpu}\nwall    {:.3} s\npeak    {memory}\nend     {end}\n",
        used.wall
    )
}

/// Runs a command to its end or its limit.
fn end(
    program: &OsStr,
    arguments: &[OsString],
    limit: Option<f64>,
) -> io::Result<(Ended, Option<i32>)> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let status = match limit {
        None => Some(child.wait()?),
        Some(limit) => within(&mut child, Duration::from_secs_f64(limit))?,
    };
    Ok(match status {
        None => (Ended::OverLimit, None),
        Some(status) if status.success() => (Ended::Done, status.code()),
        Some(status) => (Ended::Failed, status.code()),
    })
}

/// Waits for a child, but not for longer than this: then it is killed.
fn within(child: &mut Child, limit: Duration) -> io::Result<Option<std::process::ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

/// Seconds of CPU and megabytes at the peak of all children that were waited for.
#[cfg(unix)]
fn of_children() -> Option<(f64, f64)> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let time = usage.user_time() + usage.system_time();
    // Linux counts in kilobytes, the systems of Apple in bytes.
    let unit = if cfg!(target_vendor = "apple") {
        1e6
    } else {
        1e6 / 1024.0
    };
    Some((
        time.num_microseconds() as f64 / 1e6,
        usage.max_rss() as f64 / unit,
    ))
}

#[cfg(not(unix))]
fn of_children() -> Option<(f64, f64)> {
    None
}

/// Seconds of CPU that this process has used so far.
#[cfg(unix)]
pub(super) fn own_cpu() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;

    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let time = usage.user_time() + usage.system_time();
    Some(time.num_microseconds() as f64 / 1e6)
}

#[cfg(not(unix))]
pub(super) fn own_cpu() -> Option<f64> {
    None
}

/// Measures a command through a process of its own.
pub(super) fn measured(program: &Path, arguments: &[&OsStr], limit: f64) -> Result<Used, Failure> {
    let this = this()?;
    let output = Command::new(&this)
        .args(["bench", "measure", "--json", "--limit"])
        .arg(limit.to_string())
        .arg("--")
        .arg(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("{}: {error}", this.display()), None))?;
    let talk = String::from_utf8_lossy(&output.stderr);
    let last = talk.lines().rev().find(|line| !line.trim().is_empty());
    let used: Result<Used, _> = serde_json::from_slice(&output.stdout);
    let mut used = used.map_err(|_| {
        let why = last.unwrap_or("it said nothing");
        Failure::new(
            format!("{} could not be measured: {why}", program.display()),
            None,
        )
    })?;
    if used.ended == Ended::Failed {
        used.why = last.map(|line| line.chars().take(200).collect());
    }
    Ok(used)
}

/// The path of this program.
pub(super) fn this() -> Result<std::path::PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::new(format!("where is this program? {error}"), None))
}
