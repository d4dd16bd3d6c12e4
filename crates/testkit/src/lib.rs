//! Paper fixtures, generators and slow oracles, straight from the definitions.
//!
//! Nothing here knows the `scrim` crate: an oracle that shared code with what it judges would share its mistakes. Nothing here is
//! fast either: no pruning, no caches, no lemmas. Tests elsewhere compare their answers with the answers of this crate.

mod fraction;
pub mod oracle;
mod problem;
mod random;
pub mod sun;
pub mod sweeney;
pub mod visits;
pub mod wong;
pub mod xiaotao;
pub mod zhang;

pub use fraction::{Fraction, ParseFractionError};
pub use problem::Problem;
pub use random::{SplitMix64, random_problem};
