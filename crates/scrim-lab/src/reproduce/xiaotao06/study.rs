//! The data sets of section 5, published, attacked and asked, all in a hidden folder that goes away in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scrim::Share;
use scrim::adversary::PersonalAttack;
use scrim::metric::workload::Draw;
use scrim::release::WorkloadReport;
use scrim::release::audit::BreachReport;
use scrim::release::report::Publication;
use scrim_io::pipeline::{QuerySource, WorkloadRequest, attack_personal, measure_file, publish};
use scrim_io::{Readers, Staging, files};

use super::datasets::{self, Kind};
use super::policy::{self, Method, Weight};
use super::primary::{Primary, SEED};
use super::seconds::Took;
use crate::Failure;
use crate::Monitor;

/// The most queries of a workload, as in the paper.
const QUERIES: usize = 10_000;

/// A published data set.
#[derive(Clone, Debug)]
pub(super) struct Release {
    file: PathBuf,
    /// Equation 6.
    pub(super) loss: f64,
    pub(super) classes: u64,
    /// Whether the certifier found every promise kept.
    pub(super) certified: bool,
    /// The breach probabilities as the certifier counted them, where wishes were promised.
    pub(super) breach: Option<BreachReport>,
}

/// A search, whatever came of it.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// Nothing where the search found no table.
    pub(super) release: Option<Release>,
    pub(super) took: Took,
}

/// The experiments at work.
#[derive(Debug)]
pub(super) struct Study<'a> {
    pub(super) primary: &'a Primary,
    work: Staging,
    progress: &'a mut dyn Monitor,
    written: BTreeSet<Kind>,
    attempts: BTreeMap<(Kind, Method), Attempt>,
}

impl<'a> Study<'a> {
    /// A study whose hidden folder is in `out`.
    pub(super) fn new(
        primary: &'a Primary,
        out: &Path,
        progress: &'a mut dyn Monitor,
    ) -> Result<Self, Failure> {
        let work = Staging::new(out)?;
        let write = |name: &str, text: &str| files::write_bytes(&work.path(name), text.as_bytes());
        write("occupation.csv", &primary.occupation_levels)?;
        write("income.txt", &primary.incomes.outline())?;
        if let Some(levels) = &primary.marital_levels {
            write("marital.csv", levels)?;
        }
        Ok(Self {
            primary,
            work,
            progress,
            written: BTreeSet::new(),
            attempts: BTreeMap::new(),
        })
    }

    /// How many queries a workload has.
    pub(super) fn queries(&self) -> usize {
        self.primary.people.len().min(QUERIES)
    }

    /// Publishes a data set by a method, once.
    pub(super) fn publish(&mut self, kind: Kind, method: Method) -> Result<Attempt, Failure> {
        let kind = method.data_set(kind);
        if let Some(attempt) = self.attempts.get(&(kind, method)) {
            return Ok(attempt.clone());
        }
        self.write(kind)?;
        let name = format!("{}-{}", kind.name(), method.key());
        let policy = policy::text(self.primary, kind.name(), method);
        let published = self.run(&name, &policy)?;
        let release = match (&published.files.release, &published.metrics) {
            (Some(file), Some(metrics)) => Some(Release {
                file: PathBuf::from(file),
                loss: metrics.information_loss,
                classes: published.classes.count,
                certified: published.models.iter().all(|model| model.holds),
                breach: published.breach.clone(),
            }),
            _ => None,
        };
        let took = Took {
            seconds: published.seconds.search,
            tested: published.searched.checked,
        };
        let attempt = Attempt { release, took };
        self.attempts.insert((kind, method), attempt.clone());
        Ok(attempt)
    }

    /// The breach probabilities of a release by the wishes of a data set.
    pub(super) fn attack(
        &mut self,
        kind: Kind,
        release: &Release,
    ) -> Result<PersonalAttack, Failure> {
        self.write(kind)?;
        let policy = self.policy(kind)?;
        let raw = self.raw(kind);
        Ok(attack_personal(
            &release.file,
            &policy,
            None,
            (&raw, None),
            None,
            self.progress,
        )?)
    }

    /// The errors of queries, of which a share of `tenths` tenths is about incomes alone.
    pub(super) fn errors(
        &mut self,
        kind: Kind,
        release: &Release,
        tenths: i128,
    ) -> Result<Option<WorkloadReport>, Failure> {
        let policy = self.policy(kind)?;
        let request = WorkloadRequest {
            of: None,
            queries: QuerySource::Random(Draw {
                queries: self.queries() as u64,
                type1: Share::new(tenths, 10).unwrap_or(Share::ZERO),
                least: Share::new(1, 100).unwrap_or(Share::ZERO),
                seed: SEED,
            }),
            write: None,
        };
        let raw = self.raw(kind);
        let measured = measure_file(&raw, &release.file, &policy, Some(&request), self.progress)?;
        Ok(measured.workload)
    }

    /// Puts a file beside the data sets.
    pub(super) fn put(&self, name: &str, text: &str) -> Result<(), Failure> {
        files::write_bytes(&self.work.path(name), text.as_bytes())?;
        Ok(())
    }

    /// Publishes what a policy of this name says.
    pub(super) fn run(&mut self, name: &str, policy: &str) -> Result<Publication, Failure> {
        let file = format!("{name}.toml");
        self.put(&file, policy)?;
        Ok(publish(
            &self.work.path(&file),
            Readers::Internal,
            None,
            self.progress,
        )?)
    }

    fn raw(&self, kind: Kind) -> PathBuf {
        self.work.path(&format!("{}.csv", kind.name()))
    }

    /// The policy with the wishes of a data set.
    fn policy(&self, kind: Kind) -> Result<PathBuf, Failure> {
        let wishes = Method::Personal(Weight::Of(1));
        let name = format!("{}-wishes.toml", kind.name());
        self.put(&name, &policy::text(self.primary, kind.name(), wishes))?;
        Ok(self.work.path(&name))
    }

    fn write(&mut self, kind: Kind) -> Result<(), Failure> {
        if self.written.insert(kind) {
            let rows = datasets::rows(self.primary, kind);
            let text = datasets::csv(self.primary, &rows);
            files::write_bytes(&self.raw(kind), text.as_bytes())?;
        }
        Ok(())
    }
}
