//! Everything that can go wrong in the library, by cause.
//!
//! A message says what was found and where; [`Error::hint`] says what to try. Messages are releases too: they give
//! coordinates (file, line, column, class number), never an identifier, a sensitive value or a raw row. A
//! quasi-identifier's domain value is named only in [`Error::repair`], for the terminal of those who have the table and must repair a
//! hierarchy.

use std::fmt;

use crate::printable;

/// Where something was found: a file, and the line and column in it as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file as the user named it.
    pub file: String,
    /// 1-based line.
    pub line: Option<u64>,
    /// 1-based column of characters.
    pub column: Option<u64>,
}

impl Place {
    /// A place that is a whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            column: None,
        }
    }

    /// A line of a file.
    pub fn line(file: impl Into<String>, line: u64) -> Self {
        Self {
            file: file.into(),
            line: Some(line),
            column: None,
        }
    }

    /// The place of a byte offset in a text.
    pub fn offset(file: impl Into<String>, text: &str, offset: usize) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line = before.matches('\n').count() as u64 + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[start..].chars().count() as u64 + 1;
        Self {
            file: file.into(),
            line: Some(line),
            column: Some(column),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        Ok(())
    }
}

/// A message that names values of a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The message.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}

/// What can go wrong, by cause.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The policy file cannot be read as one, or asks for something that does not exist.
    #[error("{place}: {what}")]
    Policy {
        /// Where in the policy.
        place: Place,
        /// What was found and what was expected.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// A hierarchy is no rooted tree, or does not fit its column.
    #[error("{place}: {what} (hierarchy of `{attribute}`)")]
    Hierarchy {
        /// The column that the hierarchy belongs to.
        attribute: String,
        /// Where in the hierarchy's file, or in the policy for a generated one.
        place: Place,
        /// What was found.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// Values of the data have no leaf in the hierarchy of their column.
    #[error("{place}: {what} (hierarchy of `{attribute}`)")]
    NoLeaf {
        /// The column that the hierarchy belongs to.
        attribute: String,
        /// The hierarchy's file, or the policy for a generated one.
        place: Place,
        /// How many values there are, and on which lines.
        what: String,
        /// What to try.
        hint: Option<String>,
        /// Both with the values of a quasi-identifier, for whoever repairs the hierarchy.
        repair: Option<Box<Repair>>,
    },
    /// The table itself is not what the policy says.
    #[error("{place}: {what}")]
    Data {
        /// Where in the data.
        place: Place,
        /// What was found and what was expected.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// The table has fewer rows, or persons, than one class must have.
    #[error("{what}")]
    TooSmall {
        /// Both numbers.
        what: String,
        /// The largest that would do.
        hint: Option<String>,
    },
    /// The policy asks for something that no release of this table can give.
    #[error("{what}")]
    Infeasible {
        /// The number that stands in the way.
        what: String,
        /// The largest that would do.
        hint: Option<String>,
    },
    /// An algorithm cannot soundly carry what the policy asks for.
    #[error("algorithm `{algorithm}`: {what}")]
    Unsound {
        /// The algorithm.
        algorithm: &'static str,
        /// The reason.
        what: String,
        /// What to use instead.
        hint: Option<String>,
    },
    /// The time of a search was up before it had anything to publish.
    #[error("the time limit of {seconds} seconds was hit before there was anything to publish")]
    OutOfTime {
        /// The limit.
        seconds: u64,
    },
    /// The user stopped the work.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// A broken invariant of our own.
    #[error("internal error: {0}; please report this as a bug")]
    Internal(String),
}

impl Error {
    /// What the user may try.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Policy { hint, .. }
            | Self::Hierarchy { hint, .. }
            | Self::NoLeaf { hint, .. }
            | Self::Data { hint, .. }
            | Self::TooSmall { hint, .. }
            | Self::Infeasible { hint, .. }
            | Self::Unsound { hint, .. } => hint.as_deref(),
            Self::OutOfTime { .. } => Some(
                "give a longer `time-limit`, or use `algorithm = \"mondrian\"` or `\"top-down\"`, which have something to publish at any time",
            ),
            Self::Interrupted | Self::Internal(_) => None,
        }
    }

    /// The same with the values that must be given a leaf: for the terminal only, of a command that makes or uses hierarchies.
    pub fn repair(&self) -> Option<&Repair> {
        match self {
            Self::NoLeaf { repair, .. } => repair.as_deref(),
            _ => None,
        }
    }

    /// A fault of the data as a whole.
    pub fn data(place: Place, what: impl Into<String>) -> Self {
        Self::Data {
            place,
            what: what.into(),
            hint: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_told_as_line_and_column() {
        let place = Place::offset("a.toml", "one\ntwö three\n", 9);
        assert_eq!(place.to_string(), "a.toml:2:5");
    }
}
