//! Others on the same tables: programs that `PyPI` has, each as a process that is measured as ours is.

use std::ffi::OsStr;
use std::path::Path;

use scrim_io::files;
use serde::Serialize;

use super::generate::Spec;
use super::measure::{Ended, Used};
use super::run::Runner;
use super::{Kind, Looks};
use crate::{Failure, Monitor};

/// The program that runs one of them.
const SCRIPT: &str = include_str!("../../../../bench/peers.py");

/// A peer, and the search of ours, or the command, that does what it does.
const PEERS: [(&str, &str, &str); 3] = [
    ("anonypy", "Mondrian", "mondrian"),
    ("anjana", "k-anonymity", "optimal"),
    ("pycanon", "k of the raw table", "risk"),
];

/// One of them beside us.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Peer {
    /// Its name.
    pub(super) name: &'static str,
    /// What it does.
    pub(super) what: &'static str,
    /// How many rows.
    pub(super) rows: u64,
    /// What it used.
    pub(super) theirs: Used,
    /// What of ours does the same.
    pub(super) ours_is: &'static str,
    /// What it used.
    pub(super) ours: Used,
    /// Their CPU by ours.
    pub(super) cpu_ratio: Option<f64>,
    /// Their memory by ours.
    pub(super) memory_ratio: Option<f64>,
}

/// Runs all of them on tables of these sizes, with nine quasi-identifiers, as CSV.
pub(super) fn run(
    python: &Path,
    sizes: &[u64],
    looks: &Looks,
    runner: &Runner<'_>,
    progress: &mut dyn Monitor,
) -> Result<Vec<Peer>, Failure> {
    let looks = Looks {
        kind: Kind::Csv,
        ..looks.clone()
    };
    let mut all = Vec::new();
    for &rows in sizes {
        let spec = Spec {
            rows,
            quasi: 9,
            looks: &looks,
        };
        let folder = runner.folder()?;
        let dir = folder.path();
        spec.write(dir, "optimal", progress)?;
        let script = dir.join("peers.py");
        files::write_bytes(&script, SCRIPT.as_bytes())?;
        for (name, what, ours_is) in PEERS {
            progress.part(&format!("{name}, {rows} rows"));
            progress.doing("running");
            progress.check()?;
            let k = looks.k.to_string();
            let arguments = [
                script.as_os_str(),
                OsStr::new(name),
                dir.as_os_str(),
                OsStr::new(&k),
            ];
            let theirs = runner.best(python, &arguments)?;
            progress.check()?;
            let ours = if ours_is == "risk" {
                runner.scrim(&[
                    OsStr::new("risk"),
                    dir.join("data.csv").as_os_str(),
                    OsStr::new("--policy"),
                    dir.join("policy.toml").as_os_str(),
                ])?
            } else {
                runner.publish(dir, ours_is, &spec.policy(ours_is, "release"))?
            };
            all.push(beside(name, what, rows, theirs, ours_is, ours));
        }
    }
    Ok(all)
}

fn beside(
    name: &'static str,
    what: &'static str,
    rows: u64,
    theirs: Used,
    ours_is: &'static str,
    ours: Used,
) -> Peer {
    let told = theirs.ended != Ended::Failed && ours.ended == Ended::Done;
    let ratio = |theirs: Option<f64>, ours: Option<f64>| {
        let (theirs, ours) = theirs.zip(ours)?;
        (told && ours > 0.0).then(|| theirs / ours)
    };
    Peer {
        name,
        what,
        rows,
        cpu_ratio: ratio(theirs.cpu, ours.cpu),
        memory_ratio: ratio(theirs.megabytes, ours.megabytes),
        theirs,
        ours_is,
        ours,
    }
}
