//! What a publisher hands over about a release.

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::error::IoError;

/// A release to be recorded.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// When it was made.
    pub time: SystemTime,
    /// The policy file's text.
    pub policy: &'a str,
    /// The sensitive columns.
    pub columns: Vec<String>,
    /// What is promised about some of them.
    pub promises: Vec<Promise>,
    /// The classes as published.
    pub classes: Vec<EntryClass>,
    /// Every row of the release: its person's identifier, and the place of its class in `classes`. A person may have several rows,
    /// but only where nothing is promised over several releases.
    pub persons: Vec<(&'a str, u32)>,
}

/// The promise about a sensitive column, with protected taxa told as the values below them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The column.
    pub column: String,
    /// Nobody is linked to a protected value with more than 1/l: an exact number as policies write it.
    pub l: String,
    /// The protected values.
    pub values: Vec<String>,
}

/// A class of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryClass {
    /// How many rows it has.
    pub rows: u64,
    /// For each of the entry's columns: rows by value.
    pub histograms: Vec<BTreeMap<String, u64>>,
}

impl Entry<'_> {
    /// All rows of the release.
    pub fn rows(&self) -> u64 {
        self.classes.iter().map(|class| class.rows).sum()
    }

    /// An entry whose numbers contradict each other is a fault of ours and is never recorded.
    pub(super) fn must_agree(&self) -> Result<(), IoError> {
        let mut members = vec![0u64; self.classes.len()];
        for (_, class) in &self.persons {
            let class = members.get_mut(*class as usize);
            *class.ok_or_else(|| wrong("a person is in no class of it"))? += 1;
        }
        for (class, members) in self.classes.iter().zip(members) {
            let whole = |histogram: &BTreeMap<String, u64>| {
                histogram.values().sum::<u64>() == class.rows
                    && histogram.values().all(|count| *count > 0)
            };
            if class.rows == 0 || class.rows != members {
                return Err(wrong("a class has not as many rows as its persons have"));
            }
            if class.histograms.len() != self.columns.len() || !class.histograms.iter().all(whole) {
                return Err(wrong("a histogram does not add up to its class"));
            }
        }
        let known = |promise: &Promise| self.columns.contains(&promise.column);
        if !self.promises.iter().all(known) {
            return Err(wrong("a promise is about no column of it"));
        }
        Ok(())
    }
}

fn wrong(what: &str) -> IoError {
    IoError::internal(&format!(
        "an entry for the ledger contradicts itself: {what}"
    ))
}
