//! `scrim reproduce`: the papers' examples, ours beside theirs.

use crate::outcome::{Failure, Outcome};

pub(super) fn run(_key: Option<&str>, _json: bool) -> Result<Outcome, Failure> {
    Ok(Outcome::yes(String::new()))
}
