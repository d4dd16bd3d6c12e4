//! One publisher at a time: a lock on a file beside the ledger, which goes with the process that holds it.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use super::beside;
use crate::error::IoError;
use crate::files;
use crate::staging::wait_for;

/// The right to write, as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a ledger, beside the file that its path leads to, waiting for whoever has it at most so long.
    pub(super) fn take(
        (ledger, real): (&Path, &Path),
        wait: Duration,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, IoError> {
        // The file stays: whoever removed it could take it from under one who waits.
        let path = beside(real, "", ".lock");
        let file = files::open_for_lock(&path).map_err(|error| cannot_write(ledger, error))?;
        let waiting = &mut |words: Option<&str>| {
            words.into_iter().for_each(&mut *say);
            Ok(())
        };
        wait_for(&file, (ledger, "ledger"), wait, waiting)?;
        Ok(Self { _file: file })
    }
}

/// Who may not write beside the ledger may not publish either.
fn cannot_write(ledger: &Path, error: IoError) -> IoError {
    match error {
        IoError::File { source, .. }
            if matches!(
                source.kind(),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            IoError::ledger(
                ledger,
                format!("the folder of the ledger cannot be written to: {source}"),
                "publishing writes to the ledger; to look at it needs no right to write",
            )
        }
        other => other,
    }
}
