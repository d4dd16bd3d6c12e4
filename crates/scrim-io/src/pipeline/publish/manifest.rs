//! Puts the manifest of a release together.

use scrim::release::figures::Figures;
use scrim::release::manifest::{
    BreachCurve, CategorySource, Hashed, InputSource, Manifest, Output, PolicySource,
};
use scrim::release::recoded::SensitiveReport;
use scrim::release::report::Publication;

use super::Work;
use super::names::Names;
use super::ties;
use crate::IoError;
use crate::feed::Digested;

impl Work<'_> {
    /// What was done, so that it can be checked and done again.
    pub(super) fn manifest(
        &self,
        publication: &Publication,
        written: &Digested,
        sensitive: Vec<SensitiveReport>,
        report: Figures,
    ) -> Result<Manifest, IoError> {
        let internal = || {
            IoError::from(scrim::Error::Internal(
                "a publication without a recoding".to_owned(),
            ))
        };
        let names = Names::of(self.policy.policy.release.format, publication.broken);
        let missing = self.table.read.missing.iter().filter(|(_, rows)| *rows > 0);
        Ok(Manifest {
            manifest: 1,
            verdict: publication.verdict,
            concerns: publication.concerns.clone(),
            broken: publication.broken,
            combination: publication.combination.clone(),
            scrim: env!("CARGO_PKG_VERSION"),
            policy: PolicySource {
                hashed: self.policy.hashed(),
                text: self.policy.text.clone(),
            },
            input: InputSource {
                hashed: Hashed {
                    file: self.policy.policy.data.path.clone(),
                    sha256: self.table.read.sha256.clone(),
                },
                missing: missing
                    .map(|(column, rows)| (column.clone(), (*rows).into()))
                    .collect(),
            },
            hierarchies: self.policy.hierarchy_sources(self.prepared)?,
            output: Output {
                hashed: Hashed {
                    file: names.release.to_owned(),
                    sha256: written.sha256.clone(),
                },
                bytes: written.bytes,
            },
            algorithm: publication.algorithm,
            metric: self.policy.policy.search.metric.name(),
            optimal: publication.optimal,
            recoding: publication.recoding.clone().ok_or_else(internal)?,
            sensitive,
            categories: self.category_sources(),
            rows: publication.rows,
            classes: publication.classes.clone(),
            models: publication.models.clone(),
            breach: publication.breach.clone().map(|report| BreachCurve {
                curve: report.curve.clone(),
                report,
            }),
            serial: publication.serial.clone(),
            disclosure: publication.disclosure.clone(),
            metrics: publication.metrics.clone().ok_or_else(internal)?,
            searched: publication.searched.clone(),
            ties: ties::for_manifest(self.plan, publication),
            tie_rules: ties::rules(self.plan),
            seed: publication
                .disclosure
                .as_ref()
                .and_then(|disclosure| disclosure.seed),
            remarks: publication.remarks.clone(),
            report,
        })
    }

    fn category_sources(&self) -> Vec<CategorySource> {
        let published = self.prepared.categories.iter();
        published
            .map(|categories| CategorySource {
                column: categories.name.clone(),
                of: categories.of.clone(),
                labels: categories.labels.clone(),
            })
            .collect()
    }
}
