//! Why an experiment could not run.

use scrim_io::IoError;

/// Why an experiment could not run: a fault of the request, or of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// What was asked for cannot be done.
    #[error("{what}")]
    Request {
        /// What is wrong.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// A file cannot be read or written, a table is faulty, or the work was interrupted.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl Failure {
    /// A fault of what was asked for.
    pub(crate) fn new(what: impl Into<String>, hint: Option<&str>) -> Self {
        Self::Request {
            what: what.into(),
            hint: hint.map(str::to_owned),
        }
    }
}

impl From<scrim::Error> for Failure {
    fn from(error: scrim::Error) -> Self {
        Self::Io(error.into())
    }
}
