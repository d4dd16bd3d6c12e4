//! One publisher at a time: a lock on a file beside the ledger, which goes with the process that holds it.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::beside;
use crate::error::IoError;
use crate::files;

const STEP: Duration = Duration::from_millis(25);

/// The right to write, as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a ledger, waiting for whoever has it at most so long.
    pub(super) fn take(
        ledger: &Path,
        wait: Duration,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, IoError> {
        // The file stays: whoever removed it could take it from under one who waits.
        let path = beside(ledger, "", ".lock");
        let file = files::open_for_lock(&path).map_err(|error| cannot_write(ledger, error))?;
        let start = Instant::now();
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(source)) => return Err(IoError::file(&path, source)),
                Err(TryLockError::WouldBlock) => {}
            }
            if start.elapsed() >= wait {
                return Err(IoError::ledger(
                    ledger,
                    "another publisher is at work on this ledger",
                    "wait until it has ended and run again: nothing was written",
                ));
            }
            if !told {
                told = true;
                say(&format!(
                    "another publisher is at work on {}; waiting for it at most {} s",
                    ledger.display(),
                    wait.as_secs()
                ));
            }
            sleep(STEP.min(wait));
        }
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
