//! Hierarchies that a policy describes instead of listing: made from the values that the column has.

use super::dates::{DateFormat, DateStep};
use super::intervals::Intervals;
use super::mask::Side;
use super::{Hierarchy, dates, flat, intervals, mask};
use crate::share::Share;

/// The bounds of a numeric column, both within the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumericDomain {
    /// The least value; taken from the data where the policy is silent.
    pub from: Option<Share>,
    /// The greatest value; taken from the data where the policy is silent.
    pub to: Option<Share>,
}

/// How to make a hierarchy from the values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Generated {
    /// A value, then `*`.
    Flat,
    /// A number, then `*`; the domain is an interval.
    Numeric(NumericDomain),
    /// Nested intervals of growing width.
    Intervals(Intervals),
    /// Characters replaced by stars, from one end.
    Mask(Side),
    /// Calendar steps.
    Dates(Vec<DateStep>, DateFormat),
}

impl Generated {
    /// The hierarchy over these values. A value that has no place in it gets no leaf.
    pub fn over<'a>(
        &self,
        values: impl Iterator<Item = &'a str> + Clone,
        suppressible: bool,
    ) -> Option<Hierarchy> {
        match self {
            Self::Flat => flat::over(values, None, suppressible),
            Self::Numeric(domain) => intervals::numeric(*domain, values, suppressible),
            Self::Intervals(spec) => spec.over(values, suppressible),
            Self::Mask(side) => mask::over(*side, values, suppressible),
            Self::Dates(steps, format) => dates::over(steps, *format, values, suppressible),
        }
    }

    /// What a value must look like to have a place in it.
    pub fn expects(&self) -> String {
        match self {
            Self::Flat => "any text".to_owned(),
            Self::Mask(_) => format!("a text of at most {} characters", super::MAX_HEIGHT),
            Self::Numeric(domain) => {
                let bound = |share: Option<Share>, word: &str| {
                    share.map_or(String::new(), |share| format!(" {word} {share}"))
                };
                format!(
                    "a number{}{}",
                    bound(domain.from, "from"),
                    bound(domain.to, "to")
                )
            }
            Self::Intervals(spec) => format!("a number from {} to {}", spec.from(), spec.to()),
            Self::Dates(_, format) => format!("a date like {}", format.example()),
        }
    }
}
