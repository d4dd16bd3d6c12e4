//! The penalty w^s as the x axis of Figures 8 and 9, and the data sets that share a picture.

use super::datasets::Kind;
use super::policy::Weight;
use crate::plot::{Axis, Place, Scale};

/// Two data sets in one picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) kinds: [Kind; 2],
    /// The letters of their pictures in Figure 8, few and many queries about incomes alone.
    pub(super) eight: [&'static str; 2],
    /// The letter in Figure 9.
    pub(super) nine: &'static str,
}

/// All four.
pub(super) const PAIRS: [Pair; 2] = [
    Pair {
        kinds: [Kind::PriLeaf, Kind::NonpriLeaf],
        eight: ["a", "b"],
        nine: "a",
    },
    Pair {
        kinds: [Kind::PriMixed, Kind::NonpriMixed],
        eight: ["c", "d"],
        nine: "b",
    },
];

/// The axis of the penalties.
pub(super) fn axis() -> Axis {
    let numbers = Weight::ALL.into_iter().filter_map(|weight| match weight {
        Weight::Of(weight) => Some(f64::from(weight)),
        Weight::Forbid => None,
    });
    Axis {
        ticks: numbers.collect(),
        last: Some("forbid".to_owned()),
        ..Axis::new(
            "penalty of a generalized income, w^s (log scale)",
            // A little room on both sides.
            Scale::Log {
                from: 0.85,
                to: 110.0,
            },
        )
    }
}

/// Where a penalty stands on it.
pub(super) fn place(weight: Weight) -> Place {
    match weight {
        Weight::Of(weight) => Place::At(f64::from(weight)),
        Weight::Forbid => Place::Last,
    }
}
