//! Answers as text for people. Nothing is told by colour.

mod answers;
mod table;

pub(crate) use answers::{audit, lattice, measured, publication, similarity};
pub(crate) use table::Table;
