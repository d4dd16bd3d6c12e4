//! Answers as text and pictures for people. Nothing is told by colour alone.

mod answers;
mod comparison;
mod personal;
pub(crate) mod svg;
mod table;
mod workload;

pub(crate) use answers::{audit, lattice, measured, publication, similarity, warning};
pub(crate) use comparison::comparison;
pub(crate) use personal::personal;
pub(crate) use table::Table;
