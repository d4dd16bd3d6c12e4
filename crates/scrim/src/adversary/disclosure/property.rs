//! What every group must keep, and what may be believed of a row.

use std::fmt::Debug;

use num_bigint::BigInt;
use num_rational::Ratio;

use crate::model::Monotone;

/// An exact fraction of any length.
pub type BigRational = Ratio<BigInt>;

/// What every group must keep, and what may be believed of a row.
///
/// The two questions are one: a group passes exactly where the belief that its counts give about each of its rows is allowed.
pub trait Property: Debug + Sync {
    /// Whether a group passes whose rows have these counts of the values, by value number, as many as the chain has values.
    fn passes(&self, counts: &[u32]) -> bool;

    /// Whether the property holds for every belief about a row that lies within these bounds (low, high), by value number; the row
    /// stands in a class of `rows` rows. An exact belief has low = high everywhere.
    fn believed(&self, rows: u64, bounds: &[(BigRational, BigRational)]) -> bool;

    /// Whether unions or supersets of groups that pass do.
    fn monotone(&self) -> Monotone;

    /// Whether `passes` is the same for every permutation of the values.
    fn symmetric(&self) -> bool;

    /// Where a group of so many rows fails exactly when some value has at least q rows: that q, above zero. Nothing where it is
    /// another kind of property.
    fn least_failing(&self, size: u32) -> Option<u32> {
        let _ = size;
        None
    }
}
