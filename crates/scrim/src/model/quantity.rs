//! The numbers that a verdict speaks of.
//!
//! **Reading.** Counts, weights, shares, distances and growths are exact. Where a definition has a logarithm, the
//! number is rounded to six places: it is there to be read; the verdict does not come from it. No sensitive value is
//! named.

use std::fmt;

use crate::counted;
use crate::share::Share;

/// A number that a verdict speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// A number of rows.
    Rows(u64),
    /// A number of persons.
    Persons(u64),
    /// A number of different sensitive values.
    Values(u64),
    /// A number of different categories of sensitive values.
    Categories(u64),
    /// The total weight of a class.
    Weight(Share),
    /// The number of equally frequent values that would have the same entropy.
    EffectiveValues(Share),
    /// How many rows have the commonest value.
    Commonest(Share),
    /// The commonest value must stay below so many rows.
    CommonestBelow(Share),
    /// The part of a class that has one value.
    Part(Share),
    /// The distance between the class and the table.
    Distance(Share),
    /// By how much a value's share grew, as a part of its share in the table.
    Growth(Share),
    /// A value of the class that the table does not have: its share grew beyond any bound.
    UnknownValue,
    /// The logarithm of a value's share in the class over its share in the table.
    LogRatio(Share),
    /// The logarithm must stay within this, either way.
    LogRatioBelow(Share),
    /// A value of the table that the class does not have.
    AbsentValue,
    /// A breach probability.
    Probability(Share),
    /// A breach probability above this, whatever is published of the sensitive values.
    AboveProbability(Share),
}

impl Quantity {
    /// A number that only floats know, rounded to six places.
    pub(super) fn rounded(number: f64) -> Share {
        let millionths = (number * 1e6).round().clamp(-1e30, 1e30);
        Share::new(millionths as i128, 1_000_000).unwrap_or(Share::ZERO)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(number) => f.write_str(&counted(*number, "row")),
            Self::Persons(number) => f.write_str(&counted(*number, "person")),
            Self::Values(number) => f.write_str(&counted(*number, "sensitive value")),
            Self::Categories(number) => f.write_str(&counted(*number, "category")),
            Self::Weight(weight) => write!(f, "weight {weight}"),
            Self::EffectiveValues(number) => {
                write!(
                    f,
                    "the entropy of {} equally frequent values",
                    number.to_f64()
                )
            }
            Self::Commonest(rows) => write!(f, "{} of the commonest value", counted(*rows, "row")),
            Self::CommonestBelow(rows) => {
                write!(
                    f,
                    "fewer than {} of the commonest value",
                    counted(*rows, "row")
                )
            }
            Self::Part(share) => write!(f, "a share of {share} of one value"),
            Self::Distance(distance) => write!(f, "distance {distance}"),
            Self::Growth(growth) => write!(f, "a share grown by {growth} of itself"),
            Self::UnknownValue => f.write_str("a value that the table does not have"),
            Self::LogRatio(ratio) => write!(f, "a log-ratio of {}", ratio.to_f64()),
            Self::LogRatioBelow(ratio) => write!(f, "a log-ratio within {ratio}"),
            Self::AbsentValue => f.write_str("a value of the table is absent"),
            Self::Probability(limit) => write!(f, "a breach probability of at most {limit}"),
            Self::AboveProbability(limit) => write!(f, "a breach probability above {limit}"),
        }
    }
}
