//! What a killed run left behind is settled before anything new begins: see the module doc of [`super`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Ledger;
use super::append::not_in_place;
use super::fault::point;
use super::place::{Placing, Standing};
use super::schema;
use crate::digest::hex;
use crate::error::IoError;
use crate::staging::{FolderLock, OWNER, WAIT};
use crate::{Staging, files};

impl Ledger {
    /// Opens a ledger for writing and settles what is left; `accept_loss` gives up files that are nowhere to be found.
    /// Their releases stay recorded and go on counting.
    pub fn open_and_recover(
        path: &Path,
        key: &Path,
        accept_loss: bool,
        wait: Duration,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, IoError> {
        // There must be one: recovering makes none.
        Self::open(path, None)?;
        let mut ledger = Self::open_locked(path, key, wait, say)?;
        ledger.settle(accept_loss)?;
        Ok(ledger)
    }

    /// Checks the chain, finishes what a killed run began, and sweeps.
    pub(super) fn settle(&mut self, accept_loss: bool) -> Result<(), IoError> {
        // What a ledger says that is not what it was is not acted on.
        self.must_be_sound()?;
        self.recover(accept_loss)?;
        self.sweep_known();
        self.note_sound();
        Ok(())
    }

    /// Removes the hidden folders that killed runs left in a folder where releases go.
    pub fn sweep(&mut self, dir: &Path) {
        // What another ledger has recorded is that ledger's to finish.
        let own = self.id();
        let foreign = |folder: &Path| {
            let owner = folder.join(OWNER);
            // One who was killed while signing has recorded nothing yet.
            let signed = files::read_text(&owner).ok();
            signed.is_some_and(|id| !id.is_empty() && id != own)
        };
        let swept = Staging::sweep(dir, &foreign);
        if swept > 0 {
            let noun = if swept == 1 { "folder" } else { "folders" };
            self.remarks.push(format!(
                "an earlier run was interrupted before anything was recorded: {swept} unfinished {noun} removed from {}",
                dir.display()
            ));
        }
    }

    /// Writes into a hidden folder whose it is, so that no other ledger sweeps it.
    pub(super) fn sign(&self, staging: &Staging) -> Result<(), IoError> {
        staging.write(OWNER, self.id().as_bytes())
    }

    /// The ledger's own number.
    pub(super) fn id(&self) -> String {
        let id = schema::meta(&self.connection, "id");
        hex(&id.ok().flatten().unwrap_or_default())
    }

    /// The releases that are recorded but not known to be in place.
    pub(super) fn unfinished(&self) -> rusqlite::Result<Vec<i64>> {
        let mut select = self.connection.prepare(
            "SELECT number FROM releases WHERE number NOT IN (SELECT release FROM done) ORDER BY number",
        )?;
        let numbers = select.query_map([], |row| row.get(0))?;
        numbers.collect()
    }

    /// Finishes what an earlier run began.
    pub(super) fn recover(&mut self, accept_loss: bool) -> Result<(), IoError> {
        let unfinished = self.unfinished();
        for release in unfinished.map_err(|error| self.fault(&error))? {
            point("recovery-begun");
            let placing = self.placing(release)?;
            let _locks = locked(&placing)?;
            let standings = placing.standings();
            let lost: Vec<&PathBuf> = standings
                .iter()
                .filter(|(_, standing)| *standing == Standing::Lost)
                .map(|(path, _)| path)
                .collect();
            if let Some(path) = lost.first()
                && !accept_loss
            {
                return Err(IoError::ledger(
                    &self.path,
                    format!(
                        "release {release} was recorded by a run that was interrupted, and its file {} is nowhere to be found",
                        path.display()
                    ),
                    "put the file back; or `scrim ledger recover --accept-loss`: the release stays recorded and counts, since \
                     somebody may have seen it",
                ));
            }
            placing
                .place()
                .and_then(|()| placing.settle(&self.id()))
                .map_err(|error| not_in_place(&self.path, release, &error))?;
            point("recovery-placed");
            self.finish(release, &placing, !lost.is_empty())?;
            self.remarks.push(if lost.is_empty() {
                format!("the last run was interrupted: release {release} was completed now")
            } else {
                format!("release {release} stays recorded without its files: the loss was accepted")
            });
        }
        Ok(())
    }

    /// The files of a recorded release.
    pub(super) fn placing(&self, release: i64) -> Result<Placing, IoError> {
        Placing::read(&self.connection, &self.folder, release).map_err(|error| self.fault(&error))
    }

    /// Sweeps the folders that releases went to.
    pub(super) fn sweep_known(&mut self) {
        let folders: BTreeSet<PathBuf> = self.known_folders().unwrap_or_default();
        for folder in folders {
            self.sweep(&folder);
        }
    }

    fn known_folders(&self) -> rusqlite::Result<BTreeSet<PathBuf>> {
        let mut select = self.connection.prepare("SELECT DISTINCT path FROM files")?;
        let paths = select.query_map([], |row| row.get::<_, String>(0))?;
        let folder = |path: String| self.folder.join(path).parent().map(Path::to_owned);
        paths
            .filter_map(|path| path.map(folder).transpose())
            .collect()
    }
}

/// The locks of the folders that a release's files go to, so that nobody else moves files there meanwhile.
fn locked(placing: &Placing) -> Result<Vec<FolderLock>, IoError> {
    let folders = placing.folders().into_iter();
    let there = folders.filter(|folder| files::is_dir(folder));
    there
        .map(|folder| FolderLock::take(&folder, WAIT, &mut |_| Ok(())))
        .collect()
}
