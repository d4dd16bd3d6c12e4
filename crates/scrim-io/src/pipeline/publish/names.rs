//! What the files of a release are called.

use std::path::{Path, PathBuf};

use scrim::release::policy::Format;

use crate::files;

/// The names of a release and its manifest. What breaks its promise never has the name of what keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) release: &'static str,
    pub(super) manifest: &'static str,
}

impl Names {
    /// All that there are.
    pub(super) const ALL: [Self; 4] = [
        Self {
            release: "release.csv",
            manifest: "manifest.json",
        },
        Self {
            release: "release.parquet",
            manifest: "manifest.json",
        },
        Self {
            release: "release.BROKEN.csv",
            manifest: "manifest.BROKEN.json",
        },
        Self {
            release: "release.BROKEN.parquet",
            manifest: "manifest.BROKEN.json",
        },
    ];

    pub(super) fn of(format: Format, broken: bool) -> Self {
        let [csv, parquet, broken_csv, broken_parquet] = Self::ALL;
        match (format, broken) {
            (Format::Csv, false) => csv,
            (Format::Parquet, false) => parquet,
            (Format::Csv, true) => broken_csv,
            (Format::Parquet, true) => broken_parquet,
        }
    }

    /// An earlier release of ours in the other format, which the new manifest will not speak of.
    pub(super) fn outdated(self, dir: &Path) -> Option<PathBuf> {
        let same = |other: &Self| other.manifest == self.manifest && other.release != self.release;
        let other = Self::ALL.into_iter().find(same)?.release;
        let manifest = files::read_text(&dir.join(self.manifest)).ok()?;
        let manifest: serde_json::Value = serde_json::from_str(&manifest).ok()?;
        (manifest["output"]["file"] == other).then(|| dir.join(other))
    }
}
