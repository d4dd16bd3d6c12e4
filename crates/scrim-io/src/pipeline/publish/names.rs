//! What the files of a release are called.

use std::path::Path;

use scrim::release::policy::Format;
use serde_json::Value;

use super::replaced::is_ours_for_outsiders;
use crate::files;
use crate::page::{GENERATOR, Readers};

/// The report of a release that keeps its promise.
const REPORT: &str = "report.html";

/// The plan of a release that keeps its promise.
pub(in crate::pipeline) const PLAN: &str = "plan.json";

/// The same for outsiders.
pub(in crate::pipeline) const EXTERNAL: &str = "report.external.html";

/// The policy by which outsiders audit.
pub(in crate::pipeline) const EXTERNAL_POLICY: &str = "policy.external.toml";

/// The manifest that says which file is meant, and nothing else.
pub(in crate::pipeline) const EXTERNAL_MANIFEST: &str = "manifest.external.json";

/// What goes out with a release.
pub(super) const FOR_OUTSIDERS: [&str; 3] = [EXTERNAL, EXTERNAL_POLICY, EXTERNAL_MANIFEST];

/// The names of a release, its manifest, its report and its plan. What breaks its promise never has the name of what keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) struct Names {
    pub(in crate::pipeline) release: &'static str,
    pub(in crate::pipeline) manifest: &'static str,
    pub(in crate::pipeline) report: &'static str,
    pub(in crate::pipeline) plan: &'static str,
}

impl Names {
    /// All that there are.
    pub(in crate::pipeline) const ALL: [Self; 4] = [
        Self {
            release: "release.csv",
            manifest: "manifest.json",
            report: REPORT,
            plan: PLAN,
        },
        Self {
            release: "release.parquet",
            manifest: "manifest.json",
            report: REPORT,
            plan: PLAN,
        },
        Self {
            release: "release.BROKEN.csv",
            manifest: "manifest.BROKEN.json",
            report: "report.BROKEN.html",
            plan: "plan.BROKEN.json",
        },
        Self {
            release: "release.BROKEN.parquet",
            manifest: "manifest.BROKEN.json",
            report: "report.BROKEN.html",
            plan: "plan.BROKEN.json",
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

    /// The files that a publication for these readers writes.
    pub(super) fn written(self, readers: Readers) -> Vec<&'static str> {
        let own = [self.release, self.report, self.plan, self.manifest];
        let outside = FOR_OUTSIDERS
            .into_iter()
            .filter(|_| readers == Readers::External);
        own.into_iter().chain(outside).collect()
    }

    /// All files that a publication may write or remove.
    pub(super) fn files() -> impl Iterator<Item = &'static str> {
        let own = |names: Self| [names.release, names.manifest, names.report, names.plan];
        Self::ALL.into_iter().flat_map(own).chain(FOR_OUTSIDERS)
    }

    /// Whether a file of an earlier release does not outlive this one: what breaks its promise leaves what keeps it alone.
    pub(super) fn replaces(self, file: &str) -> bool {
        let mut same = Self::ALL
            .iter()
            .filter(|names| names.manifest == self.manifest);
        let own = same
            .any(|names| [names.release, names.manifest, names.report, names.plan].contains(&file));
        own || (self.report == REPORT && FOR_OUTSIDERS.contains(&file))
    }

    /// Files of ours that the new manifest will not speak of and that are not made anew: an earlier release in the other
    /// format, and what went out with an earlier release.
    pub(super) fn outdated(self, dir: &Path, anew: &[&str]) -> Vec<&'static str> {
        let same = |other: &Self| other.manifest == self.manifest && other.release != self.release;
        let other = Self::ALL.into_iter().find(same);
        let other = other.filter(|other| {
            let manifest = files::read_text(&dir.join(self.manifest)).ok();
            let manifest = manifest.and_then(|text| serde_json::from_str::<Value>(&text).ok());
            manifest.is_some_and(|manifest| manifest["output"]["file"] == other.release)
        });
        let stays = anew.contains(&EXTERNAL) || self.report != REPORT;
        let external = FOR_OUTSIDERS.into_iter();
        let external = external.filter(|file| !stays && is_ours_for_outsiders(dir, file));
        let outdated = other.map(|other| other.release).into_iter().chain(external);
        outdated
            .filter(|file| files::exists(&dir.join(file)))
            .collect()
    }
}

/// Whether a file is a report of ours.
pub(super) fn is_report(path: &Path) -> bool {
    files::read_text(path).is_ok_and(|text| text.contains(GENERATOR))
}
