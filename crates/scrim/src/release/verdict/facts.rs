//! The figures from which concerns follow, and the thresholds.

use super::concern::{Concern, ConcernReport};
use super::key::RepeatingKey;
use crate::adversary::ExposureReport;
use crate::hierarchy::is_star;
use crate::release::audit::{Audit, class_rows};
use crate::release::figures::{ColumnFigures, Figures};
use crate::release::policy::{ModelPolicy, Policy};
use crate::release::report::Publication;
use crate::table::{Role, Table};

/// Classes of fewer than these are a concern.
const FEW: u64 = 3;

/// What a release shows of a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnFact {
    /// The column.
    pub column: String,
    /// Different values in the table that was read, where it is known.
    pub before: Option<u64>,
    /// Different values in the release, stars not counted.
    pub shown: u64,
    /// Rows of the release that show stars.
    pub starred: u64,
}

/// The values of a sensitive column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitiveFact {
    /// The column.
    pub column: String,
    /// Different values in the table that was read.
    pub before: u64,
    /// Those of them that the release shows.
    pub after: u64,
}

/// What is known of a release and its policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The largest k of a k-anonymity promise over all quasi-identifiers.
    pub asked: Option<u64>,
    /// The size of the smallest class.
    pub smallest: u64,
    /// Whether that is in persons.
    pub counts_persons: bool,
    /// Rows of the release.
    pub released: u64,
    /// Rows that are suppressed or left out.
    pub suppressed: u64,
    /// Rows that were left out.
    pub left_out: u64,
    /// The quasi-identifiers.
    pub columns: Vec<ColumnFact>,
    /// A search that would not have to suppress a whole column, where that is clear.
    pub better: Option<&'static str>,
    /// The sensitive columns, where their values before are known.
    pub sensitive: Vec<SensitiveFact>,
    /// Sensitive columns that no promise speaks of.
    pub unprotected: Vec<String>,
    /// The largest prosecutor risk before and after, where both are known.
    pub risk: Option<(String, String)>,
    /// A column of the original table that looks like a person's key, where no column has that role.
    pub key: Option<RepeatingKey>,
    /// The person column of the policy, where the table was judged without it.
    pub persons_unknown: Option<String>,
}

impl Facts {
    /// What a policy says by itself.
    #[must_use]
    pub fn of_policy(policy: &Policy) -> Self {
        let speaks_of = |model: &ModelPolicy, name: &str| model.spec.of() == Some(name);
        let sensitive = policy.with_role(Role::Sensitive);
        let unprotected = sensitive.filter(|column| {
            let mut promises = policy.privacy.iter();
            !promises.any(|model| speaks_of(model, &column.name))
        });
        Self {
            asked: policy.largest_k(),
            unprotected: unprotected.map(|column| column.name.clone()).collect(),
            ..Self::default()
        }
    }

    /// What is known of a release that was just made.
    #[must_use]
    pub fn of_publication(policy: &Policy, publication: &Publication, figures: &Figures) -> Self {
        let rows = &publication.rows;
        let column = |figures: &ColumnFigures| ColumnFact {
            column: figures.column.clone(),
            before: Some(figures.values_before),
            shown: figures.values_shown,
            starred: figures.starred,
        };
        let sensitive = figures.sensitive.iter().map(|figures| SensitiveFact {
            column: figures.column.clone(),
            before: figures.values_before,
            after: figures.values_after,
        });
        let risk = |exposure: &ExposureReport| exposure.prosecutor.max_exact.clone();
        Self {
            smallest: figures.after.smallest,
            counts_persons: figures.counted == "persons",
            released: rows.released,
            suppressed: rows.suppressed,
            left_out: rows.read.saturating_sub(rows.released),
            columns: figures.columns.iter().map(column).collect(),
            sensitive: sensitive.collect(),
            risk: Some((risk(&figures.before), risk(&figures.after))),
            ..Self::of_policy(policy)
        }
    }

    /// What an audit knows of a table: nothing of the one that it was made from.
    #[must_use]
    pub fn of_audit(policy: &Policy, table: &Table, audit: &Audit, knows_persons: bool) -> Self {
        let quasi = policy.with_role(Role::Quasi);
        let columns = quasi.filter_map(|column| {
            let data = table.column(&column.name)?;
            let counts = data.counts();
            let used = data
                .dictionary()
                .texts()
                .zip(counts)
                .filter(|(_, rows)| *rows > 0);
            let (stars, shown): (Vec<_>, Vec<_>) = used.partition(|(text, _)| is_star(text));
            Some(ColumnFact {
                column: column.name.clone(),
                before: None,
                shown: shown.len() as u64,
                starred: stars.iter().map(|(_, rows)| rows).sum(),
            })
        });
        let unknown = policy.person().filter(|_| !knows_persons);
        let (smallest, counts_persons) = smallest_judged(policy, table, audit);
        Self {
            smallest,
            counts_persons,
            released: audit.rows.released,
            suppressed: audit.rows.suppressed,
            columns: columns.collect(),
            persons_unknown: unknown.map(|person| person.name.clone()),
            ..Self::of_policy(policy)
        }
    }

    /// The concerns, the gravest first.
    #[must_use]
    pub fn concerns(&self) -> Vec<ConcernReport> {
        let mut concerns = Vec::new();
        concerns.extend(self.persons());
        concerns.extend(self.small_k());
        concerns.extend(
            self.unprotected
                .iter()
                .map(|column| Concern::SensitiveUnprotected {
                    column: column.clone(),
                }),
        );
        concerns.extend(self.risk_unchanged());
        concerns.extend(self.columns.iter().filter_map(|column| self.column(column)));
        concerns.extend(self.cells_lost());
        concerns.extend(self.rows_suppressed());
        concerns.extend(self.sensitive.iter().filter_map(values_gone));
        concerns.iter().map(Concern::report).collect()
    }

    fn persons(&self) -> Option<Concern> {
        let key = self.key.as_ref().map(|key| Concern::PersonsNotCounted {
            column: key.column.clone(),
            rows: Some((key.rows, key.values)),
        });
        let unknown = self.persons_unknown.as_ref();
        key.or_else(|| {
            unknown.map(|column| Concern::PersonsNotCounted {
                column: column.clone(),
                rows: None,
            })
        })
    }

    fn small_k(&self) -> Option<Concern> {
        let is_small = self.smallest < FEW || self.asked.is_some_and(|k| k < FEW);
        (is_small && !self.columns.is_empty()).then_some(Concern::SmallK {
            smallest: self.smallest,
            asked: self.asked,
            counted: if self.counts_persons {
                "persons"
            } else {
                "rows"
            },
        })
    }

    fn risk_unchanged(&self) -> Option<Concern> {
        let (before, after) = self.risk.as_ref()?;
        (before == after && !self.columns.is_empty()).then(|| Concern::RiskUnchanged {
            risk: after.clone(),
        })
    }

    fn column(&self, fact: &ColumnFact) -> Option<Concern> {
        let column = fact.column.clone();
        match (fact.shown, fact.before) {
            (0, _) => Some(Concern::ColumnSuppressed {
                column,
                better: self.better,
            }),
            (1, Some(before)) if before > 1 => Some(Concern::ColumnCollapsed { column, before }),
            _ => None,
        }
    }

    fn cells_lost(&self) -> Option<Concern> {
        let columns = self.columns.len() as u64;
        let starred: u64 = self.columns.iter().map(|column| column.starred).sum();
        let lost = starred + self.left_out * columns;
        let cells = (self.released + self.left_out) * columns;
        (lost > cells - lost).then_some(Concern::CellsLost { lost, cells })
    }

    fn rows_suppressed(&self) -> Option<Concern> {
        let (suppressed, rows) = (self.suppressed, self.released + self.left_out);
        (suppressed > rows - suppressed).then_some(Concern::RowsSuppressed { suppressed, rows })
    }
}

/// The size of the smallest class that promises speak of, and whether it is in persons. Withheld rows are in none.
fn smallest_judged(policy: &Policy, table: &Table, audit: &Audit) -> (u64, bool) {
    let k = audit
        .models
        .iter()
        .find(|model| model.model == "k-anonymity" && !model.parameters.contains_key("columns"));
    let observed = k.and_then(|model| Some((model, model.observed.as_u64()?)));
    if let Some((model, observed)) = observed {
        let counted = model.details.get("counted");
        return (
            observed,
            counted.is_some_and(|counted| counted == "persons"),
        );
    }
    if audit.rows.withheld == 0 {
        return (audit.classes.min, false);
    }
    let classes = class_rows(policy, table, "").unwrap_or_default();
    let size = |rows: &Vec<u32>| rows.iter().map(|row| table.times(*row as usize)).sum();
    let smallest = classes.iter().map(size).min();
    (smallest.unwrap_or(audit.classes.min), false)
}

fn values_gone(fact: &SensitiveFact) -> Option<Concern> {
    (fact.after < fact.before).then(|| Concern::ValuesGone {
        column: fact.column.clone(),
        before: fact.before,
        after: fact.after,
    })
}
