//! Adversaries: what somebody learns from a published table. One file an attack.

mod similarity;

pub use similarity::{Affected, Grouping, RuledOut, Similarity, similarity};
