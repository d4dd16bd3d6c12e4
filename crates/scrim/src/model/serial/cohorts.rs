//! Cohorts: persons whom earlier releases put into the same classes, for lasting values.
//!
//! **Definition.** Persons who shared a class, directly or through others, are one cohort. Worlds of different cohorts are independent
//! ([`super::lasting`]), so a class of whole cohorts and newcomers is judged with what was published of these cohorts alone.
//! **Reading.** A class that has only a part of those of a cohort who are in the table is not allowed here, though some such
//! releases keep the promise: the certifier decides what is right.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::lasting::{Effort, atoms, beliefs};
use super::pace::Exact;
use crate::table::Code;

/// The cohorts of a table's rows.
#[derive(Clone, Debug, Default)]
pub struct Cohorts {
    /// By row: the classes that its person was in, and the cohort; nothing for newcomers.
    pub of_row: Vec<(Vec<u32>, Option<u32>)>,
    /// By cohort: the classes of each member who has no row.
    pub absent: Vec<Vec<Vec<u32>>>,
    /// By lasting value, as a code of the present column: the rows of each earlier class that had it.
    pub linked: Vec<(Code, Vec<u64>)>,
    /// Each cohort's rows, ascending.
    rows_of: Arc<[Vec<u32>]>,
}

impl Cohorts {
    /// The cohorts of rows.
    pub fn new(
        of_row: Vec<(Vec<u32>, Option<u32>)>,
        absent: Vec<Vec<Vec<u32>>>,
        linked: Vec<(Code, Vec<u64>)>,
    ) -> Self {
        let mut rows_of = vec![Vec::new(); absent.len()];
        for (row, (_, cohort)) in (0..).zip(&of_row) {
            if let Some(cohort) = cohort {
                rows_of[*cohort as usize].push(row);
            }
        }
        Self {
            of_row,
            absent,
            linked,
            rows_of: rows_of.into(),
        }
    }

    /// The rows of each cohort that has some.
    pub fn units(&self) -> impl Iterator<Item = &Vec<u32>> {
        self.rows_of.iter().filter(|rows| !rows.is_empty())
    }

    /// Whether the row's person is in no cohort yet.
    pub fn is_newcomer(&self, row: u32) -> bool {
        self.of_row[row as usize].1.is_none()
    }

    /// Whether a class of these rows, with these own values, leaves nobody of its cohorts with a probability above the limit.
    pub fn allows(&self, rows: &[u32], value: &dyn Fn(u32) -> Code, limit: &Exact) -> bool {
        let cohorts: BTreeSet<u32> = rows
            .iter()
            .filter_map(|row| self.of_row[*row as usize].1)
            .collect();
        let whole: usize = cohorts
            .iter()
            .map(|cohort| self.rows_of[*cohort as usize].len())
            .sum();
        let old = rows.iter().filter(|row| !self.is_newcomer(**row)).count();
        if whole != old {
            return false;
        }
        // The classes of these cohorts, numbered anew; the present one comes last.
        let absent = || {
            let of_cohort = cohorts.iter().map(|cohort| &self.absent[*cohort as usize]);
            of_cohort.flatten()
        };
        let past = rows.iter().map(|row| &self.of_row[*row as usize].0);
        let used: BTreeSet<u32> = past.chain(absent()).flatten().copied().collect();
        let number: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
        let moved =
            |classes: &[u32]| -> Vec<u32> { classes.iter().map(|class| number[class]).collect() };
        let present = used.len() as u32;
        let histories: Vec<Vec<u32>> = rows
            .iter()
            .map(|row| [moved(&self.of_row[*row as usize].0), vec![present]].concat())
            .chain(absent().map(|classes| moved(classes)))
            .collect();
        let (atoms, _) = atoms(histories.iter().map(Vec::as_slice));
        self.linked.iter().all(|(code, linked)| {
            let now = rows.iter().filter(|row| value(**row) == *code).count() as u64;
            let past = used.iter().map(|class| linked[*class as usize]);
            let linked: Vec<u64> = past.chain([now]).collect();
            let beliefs = beliefs(&atoms, &linked, Effort::default());
            beliefs.is_some_and(|all| all.iter().all(|belief| belief.most <= *limit))
        })
    }
}
