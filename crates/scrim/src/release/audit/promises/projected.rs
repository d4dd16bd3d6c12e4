//! k-anonymity over some of the quasi-identifiers.
//!
//! **Definition.** Of the published table projected on the columns of the promise, each sequence of values appears with at
//! least k occurrences ([Sweeney02], section 4.1 and Definition 2), counted by distinct persons where those are known.
//! **Reading.** Suppressed rows show stars in these columns and count with all rows that do. Withheld rows, of which no promise
//! speaks, are not counted.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use super::super::classes::normal;
use super::super::{Published, Witness};
use super::Finding;
use crate::error::Error;
use crate::release::policy::Unit;
use crate::table::Column;

/// The rows that are equal in the columns.
struct Projection {
    first_row: usize,
    rows: u64,
    persons: u64,
}

pub(super) fn check(
    published: &Published<'_>,
    k: u64,
    unit: Unit,
    names: &[String],
) -> Result<Finding, Error> {
    let find = |name: &String| {
        let column = published.table.column(name);
        column.ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))
    };
    let columns: Vec<&Column> = names.iter().map(find).collect::<Result<_, _>>()?;
    let persons = published.persons.filter(|_| unit == Unit::Person);
    let classes = project(published, &columns, persons);
    let size = |class: &Projection| {
        if persons.is_some() {
            class.persons
        } else {
            class.rows
        }
    };
    let smallest = (0..classes.len()).min_by_key(|at| size(&classes[*at]));
    let of = if persons.is_some() { "person" } else { "row" };
    let witness = |at: usize| {
        let class = &classes[at];
        let value = |column: &&Column| {
            (
                column.name().to_owned(),
                json!(column.text(class.first_row)),
            )
        };
        let s = if size(class) == 1 { "" } else { "s" };
        Witness {
            class: at as u64 + 1,
            of: classes.len() as u64,
            rows: class.rows,
            line: None,
            values: columns.iter().map(value).collect::<Map<_, _>>(),
            found: format!(
                "{} {of}{s} over {}, but k is {k}",
                size(class),
                names.join(", ")
            ),
            first: published.table.first(class.first_row),
        }
    };
    Ok(Finding {
        observed: smallest.map_or(Value::Null, |at| size(&classes[at]).into()),
        witness: smallest.filter(|at| size(&classes[*at]) < k).map(witness),
        details: std::iter::once(("counted".to_owned(), Value::from(format!("{of}s")))).collect(),
        ..Finding::default()
    })
}

/// The classes of equal projections, by first row.
fn project(
    published: &Published<'_>,
    columns: &[&Column],
    persons: Option<&[u32]>,
) -> Vec<Projection> {
    let shown: Vec<Vec<u32>> = columns.iter().map(|column| normal(column)).collect();
    let mut numbers: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut seen: FxHashSet<(usize, u32)> = FxHashSet::default();
    let mut classes: Vec<Projection> = Vec::new();
    for row in (0..published.table.rows()).filter(|row| !published.classes.is_withheld(*row)) {
        let codes = columns.iter().zip(&shown);
        let key = codes.map(|(column, shown)| shown[column.codes().get(row) as usize]);
        let at = *numbers.entry(key.collect()).or_insert(classes.len());
        if at == classes.len() {
            classes.push(Projection {
                first_row: row,
                rows: 0,
                persons: 0,
            });
        }
        classes[at].rows += published.table.times(row);
        if let Some(persons) = persons {
            classes[at].persons += u64::from(seen.insert((at, persons[row])));
        }
    }
    classes
}
