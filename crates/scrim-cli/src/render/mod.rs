//! Answers as text for people. Nothing is told by colour.

mod answers;
mod personal;
mod table;
mod workload;

pub(crate) use answers::{audit, lattice, measured, publication, similarity};
pub(crate) use personal::personal;
pub(crate) use table::Table;
