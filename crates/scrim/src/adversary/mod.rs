//! Adversaries: what somebody learns from a published table. One file an attack.

mod breach;
mod covering;
mod personal;
mod similarity;

pub use breach::Breach;
pub use covering::{Covering, Linked};
pub(crate) use personal::MAX_DIGITS;
pub use personal::{
    Breaches, Exposed, PersonalAttack, RowBreach, covered_persons, personal, persons_of,
};
pub use similarity::{Affected, Grouping, RuledOut, Similarity, similarity};
