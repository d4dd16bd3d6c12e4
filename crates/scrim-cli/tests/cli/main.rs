//! The `scrim` binary from outside: what it prints, how it exits, what it leaves on disk.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot prepare its files has failed"
)]

mod bad_inputs;
mod compare;
mod folder;
mod formats;
mod help;
mod mingen_cell;
mod missing;
mod mondrian;
mod mu_argus;
mod mu_argus_random;
mod papers;
mod personal;
mod personal_attack;
mod personal_audit;
mod publish;
mod random;
mod secrets;
mod sensitive;
mod spoil;
mod suppressed;
mod workload;
mod xiaotao06;
