//! `scrim reproduce`: the papers' examples, ours beside theirs.

use super::found;
use crate::outcome::{Failure, Outcome};
use crate::reproduce::Reproduce;
use crate::terminal::Terminal;

/// With a key one paper, without one all.
pub(super) fn run(
    wanted: &Reproduce,
    json: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    found(
        &scrim_lab::reproduce::run(&wanted.request(), terminal)?,
        json,
    )
}
