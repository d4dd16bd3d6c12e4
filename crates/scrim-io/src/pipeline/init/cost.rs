//! What a release under a first policy would cost, before it is published.
//!
//! **Reading.** The plan of a search is applied in memory. A column is wholly suppressed where every row shows a star. The k
//! that costs nothing is the size of the smallest class that is not suppressed, in persons where a column tells them: every
//! k up to it lets the same release through.

use rustc_hash::{FxHashMap, FxHashSet};
use scrim::hierarchy::is_star;
use scrim::recoding::{Applied, apply};
use scrim::release::{Plan, Policy, Prepared};
use scrim::table::{Role, Table};
use serde::Serialize;

/// What a release would cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The search.
    pub algorithm: &'static str,
    /// The share of detail that is lost, over all cells of quasi-identifiers: 0 as they are, 1 all suppressed.
    pub loss: f64,
    /// How many rows are suppressed.
    pub suppressed_rows: u64,
    /// The quasi-identifiers that would be stars in every row.
    pub suppressed_columns: Vec<String>,
    /// The largest k that this release keeps too.
    pub free_k: u64,
    /// What k counts: persons or rows.
    pub unit: &'static str,
    /// Whether some row shows something other than stars.
    #[serde(skip)]
    pub(super) shows_something: bool,
}

impl Cost {
    pub(super) fn of(policy: &Policy, table: &Table, prepared: &Prepared, plan: &Plan) -> Self {
        let recoding = &plan.found.recoding;
        let marked = recoding.suppressed_rows(&prepared.ground);
        let made = apply(
            table,
            &prepared.roles,
            &prepared.ladders,
            &marked,
            recoding,
            &plan.sensitive,
            plan.fate,
        );
        let quasi: Vec<usize> = made
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| {
                policy
                    .column(&column.name)
                    .is_some_and(|own| own.role == Role::Quasi)
            })
            .map(|(at, _)| at)
            .collect();
        let person = policy
            .person()
            .and_then(|person| table.column(&person.name));
        let person_of = |row: usize| person.map_or(row as u32, |column| column.codes().get(row));
        let suppressed_columns: Vec<String> = quasi
            .iter()
            .filter(|at| is_suppressed(&made, **at))
            .map(|at| made.columns[*at].name.clone())
            .collect();
        Self {
            shows_something: suppressed_columns.len() < quasi.len(),
            algorithm: plan.algorithm,
            loss: plan.metrics.loss_mean,
            suppressed_rows: plan.suppressed,
            suppressed_columns,
            free_k: smallest_class(&made, &quasi, &person_of),
            unit: if person.is_some() { "persons" } else { "rows" },
        }
    }
}

/// Whether every row of a column shows a star.
fn is_suppressed(made: &Applied, at: usize) -> bool {
    let column = &made.columns[at];
    let stars: Vec<bool> = column.labels.iter().map(|label| is_star(label)).collect();
    (0..made.rows.len()).all(|row| stars[column.codes.get(row) as usize])
}

/// The size of the smallest class that shows something.
fn smallest_class(made: &Applied, quasi: &[usize], person_of: &dyn Fn(usize) -> u32) -> u64 {
    let mut classes: FxHashMap<Vec<u32>, FxHashSet<u32>> = FxHashMap::default();
    for (row, source) in made.rows.iter().enumerate() {
        let key = quasi.iter().map(|at| made.columns[*at].codes.get(row));
        let class = classes.entry(key.collect()).or_default();
        class.insert(person_of(*source as usize));
    }
    let is_shown = |key: &[u32]| {
        let mut cells = quasi.iter().zip(key);
        cells.any(|(at, code)| !is_star(&made.columns[*at].labels[*code as usize]))
    };
    let sizes = classes.iter().filter(|(key, _)| is_shown(key));
    sizes
        .map(|(_, class)| class.len() as u64)
        .min()
        .unwrap_or(0)
}
