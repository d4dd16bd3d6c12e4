//! A policy's ledger, and the promise `serial` that counts by it, for those who check and attack.

use std::path::{Path, PathBuf};

use scrim::hierarchy::{Hierarchy, TaxonId};
use scrim::release::policy::{HierarchyPolicy, ModelSpec, Protected, Retire};
use scrim::release::{History, Shield, read_file};
use scrim::{Error, Place, Share};

use super::load::LoadedPolicy;
use crate::ledger::Ledger;
use crate::{IoError, files};

/// The ledger that a policy names.
#[derive(Debug)]
pub struct LedgerPlace {
    /// The ledger.
    pub ledger: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

impl LedgerPlace {
    /// The ledger, where the policy names one.
    pub fn of(policy: &LoadedPolicy) -> Option<Self> {
        let ledger = policy.policy.ledger.as_ref()?;
        Some(Self {
            ledger: policy.resolve(&ledger.path),
            key: policy.resolve(&ledger.key),
        })
    }
}

/// The promise `serial` of a policy.
#[derive(Debug)]
pub struct SerialPromise<'p> {
    policy: &'p LoadedPolicy,
    /// The sensitive column.
    pub of: &'p str,
    /// Nobody is linked to a protected value with more than 1/l.
    pub l: Share,
    /// The protected values and taxa that are had anew or not in each release.
    pub values: &'p Protected,
    /// Those that stay once somebody has them.
    pub lasting: &'p [String],
    /// Whether a taxon is protected as a whole.
    pub group: bool,
    /// Who is left out.
    pub retire: Retire,
    /// Where earlier releases are recorded.
    pub place: LedgerPlace,
}

impl<'p> SerialPromise<'p> {
    /// The promise, where the policy has one.
    pub fn of(policy: &'p LoadedPolicy) -> Option<Self> {
        let ModelSpec::Serial {
            of,
            l,
            values,
            lasting,
            group,
            retire,
            ..
        } = &policy.policy.serial()?.spec
        else {
            return None;
        };
        Some(Self {
            policy,
            of,
            l: *l,
            values,
            lasting,
            group: *group,
            retire: *retire,
            place: LedgerPlace::of(policy)?,
        })
    }

    /// The promise that a command is about.
    pub(super) fn needed(policy: &'p LoadedPolicy) -> Result<Self, IoError> {
        let fault = || Error::Policy {
            place: Place::file(&policy.policy.file),
            what: "the policy has no `serial` promise to attack".to_owned(),
            hint: Some("add a [[privacy]] with model = \"serial\" and a [ledger]".to_owned()),
        };
        Ok(Self::of(policy).ok_or_else(fault)?)
    }

    /// Opens the ledger for reading; with its key where persons are to be recognised.
    pub(super) fn open(&self, with_key: bool) -> Result<Ledger, IoError> {
        let LedgerPlace { ledger, key } = &self.place;
        if !files::exists(ledger) {
            return Err(IoError::ledger(
                ledger,
                "the ledger that the policy names is not there, so nobody knows what was published before",
                "put it back from a backup, or correct `[ledger] path`; publishing under the policy makes a new one",
            ));
        }
        let ledger = Ledger::open(ledger, with_key.then_some(key.as_path()))?;
        self.must_be_counted(&ledger)?;
        Ok(ledger)
    }

    /// Refuses a ledger in which a release without this promise shows a taxon above protected values: how many of its rows have which
    /// of them is not recorded, so that what they tell cannot be counted.
    pub(super) fn must_be_counted(&self, ledger: &Ledger) -> Result<(), IoError> {
        let Some(tree) = self.tree(ledger)? else {
            return Ok(());
        };
        let shield = self.shield(Some(&tree));
        let protected: Vec<TaxonId> = tree
            .taxa()
            .filter(|taxon| tree.leaves_below(*taxon) == 1 && shield.covers(tree.label(*taxon)))
            .collect();
        let hides = |value: &String| {
            let mut taxa = tree
                .labelled(value)
                .filter(|taxon| tree.leaves_below(*taxon) > 1);
            tree.leaf(value).is_none()
                && taxa.any(|taxon| protected.iter().any(|leaf| tree.covers(taxon, *leaf)))
        };
        if ledger.values_without_promise(self.of)?.iter().any(hides) {
            return Err(IoError::ledger(
                &self.place.ledger,
                format!(
                    "a release that promised nothing over several releases shows `{}` generalized above protected values: what it tells about them is not recorded",
                    self.of
                ),
                "`serial` needs releases that show the values themselves: begin a new ledger for persons who were in none of these releases",
            ));
        }
        Ok(())
    }

    /// What is protected, over the column's hierarchy.
    pub fn shield(&self, tree: Option<&Hierarchy>) -> Shield {
        Shield::new(self.values, self.lasting, self.group, tree)
    }

    /// What the ledger knows of these persons, and of everybody else where values last.
    pub(super) fn history(
        &self,
        ledger: &Ledger,
        persons: &[&str],
        shield: &Shield,
    ) -> Result<History, IoError> {
        let keep = |text: &str| shield.asks_for(text);
        if self.lasting.is_empty() {
            ledger.history(persons, self.of, &keep)
        } else {
            ledger.history_with_others(persons, self.of, &keep)
        }
    }

    /// The column's hierarchy; one that is made from data is made from the values that the ledger knows.
    pub fn tree(&self, ledger: &Ledger) -> Result<Option<Hierarchy>, IoError> {
        let column = self.policy.policy.column(self.of);
        match column.and_then(|column| column.hierarchy.clone()) {
            None => Ok(None),
            Some(HierarchyPolicy::File { path, kind }) => {
                let file = self.policy.load_hierarchy(&path)?;
                Ok(Some(read_file(self.of, &file, kind, false)?))
            }
            Some(HierarchyPolicy::Generated(spec)) => {
                let values = ledger.values_of(self.of)?;
                Ok(spec.over(values.iter().map(String::as_str), false))
            }
        }
    }

    /// The protected values by name: those of the ledger, and those that were named though no release had them.
    pub fn protected(&self, values: &Protected, ledger: &Ledger) -> Result<Vec<String>, IoError> {
        let tree = self.tree(ledger)?;
        let shield = Shield::new(values, &[], false, tree.as_ref());
        let mut protected = ledger.values_of(self.of)?;
        protected.retain(|value| shield.covers(value));
        protected.extend(named_values(values, tree.as_ref()));
        protected.sort_unstable();
        protected.dedup();
        Ok(protected)
    }
}

/// The values that a policy names, also those that no release had: taxa above values are told by what is below them.
pub(super) fn named_values(values: &Protected, tree: Option<&Hierarchy>) -> Vec<String> {
    match values {
        Protected::All => Vec::new(),
        Protected::Named(names) => values_among(names, tree),
    }
}

/// The names that are no taxa above several values.
pub(super) fn values_among(names: &[String], tree: Option<&Hierarchy>) -> Vec<String> {
    let is_inner = |name: &&String| {
        tree.is_some_and(|tree| {
            let mut taxa = tree.labelled(name).peekable();
            taxa.peek().is_some() && taxa.all(|taxon| tree.leaves_below(taxon) > 1)
        })
    };
    names
        .iter()
        .filter(|name| !is_inner(name))
        .cloned()
        .collect()
}

/// The last release that a file is recorded for, by its hash.
pub(super) fn release_of(ledger: &Ledger, file: &Path) -> Result<Option<u64>, IoError> {
    let hash = files::sha256_file(file)?;
    let releases = ledger.overview()?.releases;
    let mut latest = releases.iter().rev();
    let has = |release: &&crate::ledger::ReleaseRecord| {
        release.files.iter().any(|file| file.sha256 == hash)
    };
    Ok(latest.find(has).map(|release| release.release))
}
