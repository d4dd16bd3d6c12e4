//! k-anonymity.
//!
//! **Definition.** Each sequence of quasi-identifier values appears with at least *k* occurrences ([Sweeney02],
//! Definition 2).
//! **Reading.** The paper assumes that no two rows pertain to one person. Where a policy has a `person` column, a class
//! is counted by distinct persons, else by rows; `unit = "row"` overrides. A missing value is a value: it equals only
//! other missing ones. Suppressed rows form a class like any other.
//!
//! **Several quasi-identifiers.** The data holder groups attributes "into one or more quasi-identifiers" (section 4.1): with
//! `columns` the promise is about the rows projected on the published values of these columns, and each class of equal
//! projections has at least *k*. Such a class is a union of classes, so a table whose classes all have *k* rows keeps it, whatever
//! the columns. That is what [`check`](PrivacyModel::check) asks of a single class: enough, but more than needed. Searches that see all
//! classes of a node count the projections themselves ([`columns`](PrivacyModel::columns)).
//!
//! **Holds because** a superset of a class has no fewer rows and no fewer persons: monotone.
//! **Does not protect against** a class whose sensitive values are all alike; see the models that look at them.
//! **Cost.** O(classes), with persons O(their histograms). **Oracle.** `testkit::oracle::is_k_anonymous`.

use super::{Breach, Evidence, Monotone, PrivacyModel, Quantity, Verdict};
use crate::error::Error;
use crate::frequency::Tracked;

/// At least k rows, or persons, look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KAnonymity {
    k: u64,
    person: Option<String>,
    columns: Option<Vec<usize>>,
}

impl KAnonymity {
    /// Counts rows, or the distinct values of a person column. `k` is at least 1.
    pub fn new(k: u64, person: Option<String>) -> Result<Self, String> {
        if k == 0 {
            Err("`k` must be at least 1".to_owned())
        } else {
            Ok(Self {
                k,
                person,
                columns: None,
            })
        }
    }

    /// The same promise over these quasi-identifiers only, by number.
    #[must_use]
    pub fn over(mut self, columns: Vec<usize>) -> Self {
        self.columns = Some(columns);
        self
    }

    /// Whether a table that keeps this promise keeps another one, whatever the columns of that.
    pub fn implies(&self, other: &Self) -> bool {
        let unit = self.person.is_some() || other.person.is_none();
        self.columns.is_none() && unit && self.k >= other.k
    }

    fn size(&self, evidence: &Evidence<'_>) -> u64 {
        match self.person {
            Some(_) => evidence.persons(0),
            None => evidence.rows(),
        }
    }

    fn quantity(&self, number: u64) -> Quantity {
        if self.person.is_some() {
            Quantity::Persons(number)
        } else {
            Quantity::Rows(number)
        }
    }
}

impl PrivacyModel for KAnonymity {
    fn id(&self) -> &'static str {
        "k-anonymity"
    }

    fn needs(&self) -> Vec<Tracked> {
        self.person.iter().cloned().map(Tracked::Person).collect()
    }

    fn monotone(&self) -> Monotone {
        Monotone::Supersets
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        let found = self.size(evidence);
        if found >= self.k {
            Verdict::Holds
        } else {
            Verdict::Broken(Breach {
                found: self.quantity(found),
                required: self.quantity(self.k),
            })
        }
    }

    fn least_size(&self) -> Option<Quantity> {
        Some(self.quantity(self.k))
    }

    fn columns(&self) -> Option<&[usize]> {
        self.columns.as_deref()
    }

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let found = self.size(whole);
        if found >= self.k {
            return Ok(());
        }
        Err(Error::TooSmall {
            what: format!(
                "k-anonymity asks for {} in each class, but the whole table has {}",
                self.quantity(self.k),
                self.quantity(found)
            ),
            hint: Some(format!("`k` cannot be above {found} in this table")),
        })
    }
}
