//! Adversaries: what somebody learns from a published table. One file an attack.

mod bands;
mod breach;
mod chance;
mod covering;
mod disclosure;
mod lasting;
mod linkage;
mod personal;
mod risk;
mod serial;
mod similarity;
mod tuples;

pub use bands::Band;
pub use breach::Breach;
pub use chance::Chance;
pub use covering::{Covering, Linked};
pub use disclosure::{
    Believed, BigRational, Chain, Decide, Disclosure, Draws, Effort, Highest, Method, Property,
    Strategy, Undecided, disclosure, disclosure_by, passing,
};
pub use lasting::{LastingAttack, LastingLink, lasting};
pub use linkage::{Hidden, LinkageAttack, Links, Shown, Tell, covered, linkage};
pub(crate) use personal::MAX_DIGITS;
pub use personal::{
    Breaches, Exposed, PersonalAttack, RowBreach, covered_persons, personal, persons_of,
};
pub use risk::{
    ColumnRisk, Estimate, ExposureReport, JournalistRisk, PairRisk, Population, ProsecutorRisk,
    Risk, Uniqueness, estimates, risk,
};
pub use serial::{Link, ReleaseLinks, SerialAttack, serial, worlds};
pub use similarity::{Affected, Grouping, RuledOut, Similarity, similarity};
pub use tuples::{Exposure, Tuples};
