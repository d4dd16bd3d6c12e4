//! Points at which a test may kill the process, stop it for a while or have it fail: all of them in lists, so that a test
//! can go through them.
//!
//! **Reading.** Only debug builds look at the environment; in a release build a point is nothing. The variable names a
//! point to be killed at, or `pause:` and a point to wait at for [`PAUSE`], or `fail:` and steps that fail (a step, or
//! a step, `=` and a file's name), parted by commas.

use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::error::IoError;

/// The environment variable that names the point to stop at.
pub const VARIABLE: &str = "SCRIM_FAULT";

/// How long `pause:` waits.
pub const PAUSE: Duration = Duration::from_millis(1500);

/// Every point of a ledger, in the order in which a first publication passes them; those of a recovery are the last.
pub const POINTS: [&str; 16] = [
    "ledger-staged",
    "ledger-placed",
    "key-placed",
    "files-synced",
    "entry-begun",
    "entry-classes",
    "entry-persons",
    "entry-written",
    "committed",
    "voucher-removed",
    "file-placed",
    "files-placed",
    "files-settled",
    "done",
    "recovery-begun",
    "recovery-placed",
];

/// Every point of a publication without a ledger; those of one that fails and is taken back are the last.
pub const JOURNAL_POINTS: [&str; 7] = [
    "journal-written",
    "manifest-aside",
    "file-appeared",
    "all-appeared",
    "journal-closed",
    "turned-back",
    "new-taken-back",
];

/// Every step that a test may have fail.
pub const STEPS: [&str; 3] = ["old-aside", "file-appears", "old-returns"];

fn asked() -> Option<String> {
    if cfg!(debug_assertions) {
        std::env::var(VARIABLE).ok()
    } else {
        None
    }
}

/// Ends the process here, without any tidying up, or waits, where the environment asks for it.
pub(crate) fn point(name: &str) {
    debug_assert!(
        POINTS.contains(&name) || JOURNAL_POINTS.contains(&name),
        "`{name}` is not in the list"
    );
    let Some(asked) = asked() else {
        return;
    };
    // A step that fails may be followed by a point to be killed at.
    let asked = asked.rsplit(';').next().unwrap_or_default();
    if asked == name {
        std::process::abort();
    }
    if asked.strip_prefix("pause:") == Some(name) {
        sleep(PAUSE);
    }
}

/// Fails here where the environment asks for it.
pub(crate) fn fails(name: &str, path: &Path) -> Result<(), IoError> {
    debug_assert!(STEPS.contains(&name), "`{name}` is not in the list");
    let asked = asked().unwrap_or_default();
    let steps = asked
        .split(';')
        .next()
        .and_then(|first| first.strip_prefix("fail:"));
    let is_this = |step: &str| match step.split_once('=') {
        Some((step, file)) => step == name && path.ends_with(file),
        None => step == name,
    };
    if steps.is_some_and(|steps| steps.split(',').any(is_this)) {
        return Err(IoError::file(path, io::Error::other("asked to fail")));
    }
    Ok(())
}
