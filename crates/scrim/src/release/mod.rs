//! From policy to release: prepare, search, apply, certify, report.

pub mod audit;
mod budgets;
pub mod catalog;
mod cohorts;
pub mod comparison;
pub mod disclosure;
pub mod figures;
pub mod history;
mod knowing;
pub mod manifest;
mod measured;
mod plan;
pub mod policy;
mod prepare;
mod promised;
pub mod recoded;
pub mod report;
mod series;
mod shield;
mod tailoring;
mod trees;
mod wishes;
mod workload;

pub use budgets::{Remaining, retire};
pub use cohorts::{COHORT_RULE, are_kept, assumptions};
pub use history::{History, PastClass};
pub use knowing::{KnowingAttack, RowRatio, attack_knowing};
pub use measured::measure_release;
pub use plan::{Plan, Planned, each_suppressed, minimal, plan, planned};
pub use policy::Policy;
pub use prepare::{Prepared, roles_of};
pub use series::Series;
pub use shield::Shield;
pub use trees::{HierarchyText, Load, Rows, hierarchy_of, read_file};
pub use workload::{RandomReport, WorkloadReport, axes_of, count_pairs};
