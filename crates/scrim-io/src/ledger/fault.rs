//! Points at which a test may kill the process: all of them in one list, so that a test can go through it.
//!
//! **Reading.** Only debug builds look at the environment; in a release build a point is nothing.

/// The environment variable that names the point to stop at.
pub const VARIABLE: &str = "SCRIM_FAULT";

/// Every point, in the order in which a first publication passes them; those of a recovery are the last.
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

/// Ends the process here, without any tidying up, where the environment asks for it.
pub(super) fn point(name: &str) {
    debug_assert!(POINTS.contains(&name), "`{name}` is not in the list");
    if cfg!(debug_assertions) && std::env::var_os(VARIABLE).is_some_and(|asked| asked == name) {
        std::process::abort();
    }
}
