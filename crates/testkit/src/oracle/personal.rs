//! Personalized anonymity, the slow way: what \[XiaoTao06\] defines, by enumeration.
//!
//! **Definition.** A guard is a taxon above a row's sensitive value (or the value itself); the breach probability of the row is the
//! share of the possible reconstructions of its class in which its owner has a value below the guard. A table is safe when no row's
//! probability is above p.
//! **Reading.** No guard asks for nothing: probability nought. The persons of a class are counted by its own rows (the paper's lower
//! bound of n), unless the caller knows better.

mod breach;
mod encounters;
mod figure5;
mod greedy;
mod optimum;
mod random;
mod sensitive;
mod table;
mod taxonomy;

pub use breach::{breach, reconstructions, share};
pub use encounters::{Encounter, breach_across, breaches_across, class_of};
pub use figure5::{Figure5, figure5_as_printed};
pub use greedy::{GreedyOutcome, GreedyStep, Splits, greedy};
pub use optimum::{Cuts, CutsOptimum, cuts_optimum};
pub use random::{
    PersonalGroup, random_encounters, random_personal_group, random_personal_table, random_taxonomy,
};
pub use sensitive::{
    GuardedRow, SensitiveGeneralizations, breaches, general_domains, is_safe,
    sensitive_generalizations,
};
pub use table::{Attribute, Domain, Part, PersonalRow, PersonalTable, PublishedRow};
pub use taxonomy::Taxonomy;

#[cfg(test)]
mod tests;
