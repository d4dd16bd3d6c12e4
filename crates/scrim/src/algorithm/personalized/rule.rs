//! Which split is better.

use super::crowd::Worth;

/// How candidates are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// As printed: a table with a class that cannot be published has infinite loss.
    Printed,
    /// Fewer such classes first, then less loss.
    SafetyFirst,
}

impl Rule {
    /// What is compared between candidates.
    pub(super) fn key(self, worth: Worth, change: Worth) -> (bool, i64, i128) {
        let after = worth.plus(change);
        match self {
            Self::Printed => (after.unsafe_classes > 0, 0, after.cost),
            Self::SafetyFirst => (false, after.unsafe_classes, after.cost),
        }
    }

    /// Whether a change is for the better.
    pub(super) fn allows(self, worth: Worth, change: Worth) -> bool {
        let after = worth.plus(change);
        match self {
            Self::Printed if worth.unsafe_classes > 0 => after.unsafe_classes == 0,
            Self::Printed => after.unsafe_classes == 0 && after.cost < worth.cost,
            Self::SafetyFirst => after < worth,
        }
    }
}
