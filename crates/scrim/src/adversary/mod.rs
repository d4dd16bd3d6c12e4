//! Adversaries: what somebody learns from a published table. One file an attack.

mod breach;
mod chance;
mod covering;
mod disclosure;
mod personal;
mod serial;
mod similarity;

pub use breach::Breach;
pub use chance::Chance;
pub use covering::{Covering, Linked};
pub use disclosure::{
    Believed, BigRational, Chain, Decide, Disclosure, Draws, Effort, Highest, Method, Property,
    Strategy, Undecided, disclosure, disclosure_by, passing,
};
pub(crate) use personal::MAX_DIGITS;
pub use personal::{
    Breaches, Exposed, PersonalAttack, RowBreach, covered_persons, personal, persons_of,
};
pub use serial::{Link, ReleaseLinks, SerialAttack, serial, worlds};
pub use similarity::{Affected, Grouping, RuledOut, Similarity, similarity};
