//! Is the chain whole? Asked before every publication, and cheap where nobody has touched the file since it was.
//!
//! **Reading.** A publisher that leaves the ledger with a whole chain notes down what the file was like then (size, times
//! of change, number in the file system), under the ledger's key, in a file beside it. Where that note fits, nothing was
//! written since by anybody else, and what this publisher adds follows the chain: so the whole is checked by parts, each
//! once. Where there is no such note, or another, every release is checked.
//! **Does not protect against** one who can write both the ledger and the system's times, nor against one who computes the
//! chain anew: see `--head` of `scrim ledger verify`.

use std::path::PathBuf;

use super::verify::Verification;
use super::{Ledger, beside};
use crate::digest::hex;
use crate::error::IoError;
use crate::files;

impl Ledger {
    /// Refuses a ledger whose chain is broken.
    pub(super) fn must_be_sound(&self) -> Result<(), IoError> {
        let noted = files::read_text(&self.note()).ok();
        if noted.is_some() && noted == self.state()? {
            return Ok(());
        }
        let mut answer = Verification::default();
        self.check_chain(&mut answer, &mut |_, _| true)
            .map_err(|error| self.fault(&error))?;
        match answer.faults.first() {
            None => Ok(()),
            Some(fault) => {
                let release = fault.release.map(|release| format!("release {release}: "));
                Err(IoError::ledger(
                    &self.path,
                    format!(
                        "the ledger is not what it was: {}{}",
                        release.unwrap_or_default(),
                        fault.what
                    ),
                    "see `scrim ledger verify`, and put a backup back; nothing was published",
                ))
            }
        }
    }

    /// Notes down what the file is like. Without the note the next publication takes longer.
    pub(super) fn note_sound(&self) {
        if let Ok(Some(state)) = self.state() {
            drop(files::remove(&self.note()));
            drop(files::write_private(&self.note(), state.as_bytes()));
        }
    }

    fn note(&self) -> PathBuf {
        beside(&self.real, "", ".verified")
    }

    /// What the file is like, under the key; nothing where the system does not say.
    fn state(&self) -> Result<Option<String>, IoError> {
        let key = self.key()?;
        let state = files::state(&self.real);
        Ok(state.map(|state| hex(&key.note(&state))))
    }
}
