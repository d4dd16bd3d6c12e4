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
mod spread;
mod totals;
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
pub use personal::{
    Breaches, Exposed, Judged, PersonalAttack, RowBreach, covered_persons, personal, persons_of,
};
pub(crate) use personal::{MAX_DIGITS, is_zero};
pub use risk::{
    ColumnRisk, Estimate, ExposureReport, JournalistRisk, PairRisk, Population, ProsecutorRisk,
    QuasiIdentifierRisk, Risk, Uniqueness, estimates, risk,
};
pub use serial::{Link, ReleaseLinks, SerialAttack, serial, worlds};
pub use similarity::{Affected, Grouping, RuledOut, Similarity, is_similar, similarity};
pub use totals::{
    Contradiction, FilledClasses, Group, InferredCell, Total, Totals, TotalsAttack, TotalsColumn,
    filled, subtract,
};
pub use tuples::{Exposure, Tuples};
