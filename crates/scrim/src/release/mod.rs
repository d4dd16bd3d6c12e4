//! From policy to release: prepare, search, apply, certify, report.

pub mod audit;
pub mod catalog;
pub mod manifest;
mod measured;
mod plan;
pub mod policy;
mod prepare;
mod promised;
pub mod report;
mod trees;

pub use measured::measure_release;
pub use plan::{Plan, minimal, plan};
pub use policy::Policy;
pub use prepare::{Prepared, roles_of};
pub use trees::{HierarchyText, Load, Rows, hierarchy_of, read_file};
