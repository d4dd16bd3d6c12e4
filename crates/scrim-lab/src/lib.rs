//! The experiments of Scrim: the papers' figures computed again ([`reproduce`]), and what every search costs on tables of
//! any size ([`mod@bench`]), with the charts that go with them.
//!
//! Nothing here is needed to publish a table. The command line translates what was typed into a [`reproduce::Request`],
//! a [`bench::GenerateRequest`] or a [`bench::RunRequest`], and prints the [`Outcome`]. Work that takes long reports to a
//! [`Monitor`], which can also stop it.

#![allow(
    clippy::result_large_err,
    reason = "an error ends the work: its size costs nothing"
)]

pub mod bench;
mod failure;
mod monitor;
mod outcome;
mod plot;
pub mod reproduce;

pub use failure::Failure;
pub use monitor::Monitor;
pub use outcome::Outcome;
