//! `scrim bench`: made-up tables, every search on them, and what a process used.

use scrim_lab::bench::{generate, measure, run as measure_searches};

use super::found;
use crate::bench::{BenchAction, BenchArguments};
use crate::outcome::{Failure, Outcome};
use crate::terminal::Terminal;

/// Does what was asked.
pub(super) fn run(
    asked: &BenchArguments,
    threads: Option<usize>,
    json: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let answer = match &asked.action {
        BenchAction::Generate(asked) => generate(&asked.request(), terminal),
        BenchAction::Run(asked) => measure_searches(&asked.request(threads), terminal),
        BenchAction::Measure { limit, command } => measure(command, *limit),
    };
    found(&answer?, json)
}
