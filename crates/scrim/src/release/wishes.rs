//! Brings guards together with the tree that they are taxa of.
//!
//! **Reading.** A guard is the name of a taxon on the way from the root to the row's value; where the way has the name
//! twice, the higher one. Empty, or what the policy calls missing, asks for nothing. Any other text is a fault of its line.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::policy::{DefaultGuard, nearest};
use super::trees::Rows;
use crate::error::{Error, Place};
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::model::Wishes;
use crate::table::{Code, Column};

/// The wishes of a sensitive column's rows, from a guard column or the same for all.
pub(super) fn wishes(
    sensitive: &Column,
    tree: &Arc<Hierarchy>,
    guards: &Guards<'_>,
    rows: &Rows<'_>,
    model: &Bound<'_>,
) -> Result<Wishes, Error> {
    let leaves: Vec<TaxonId> = sensitive
        .dictionary()
        .texts()
        .map(|text| {
            tree.leaf(text)
                .ok_or_else(|| Error::Internal("a sensitive value lost its leaf".to_owned()))
        })
        .collect::<Result<_, _>>()?;
    unambiguous(sensitive.name(), tree, rows, model)?;
    let leaf = |row: usize| leaves[sensitive.codes().get(row) as usize];
    let count = sensitive.codes().len();
    let pair: Box<dyn Fn(usize) -> (TaxonId, Option<TaxonId>)> = match guards {
        Guards::Column(column) => {
            let known = resolve(sensitive, column, tree, &leaves, rows)?;
            Box::new(move |row| {
                let pair = (sensitive.codes().get(row), column.codes().get(row));
                (leaf(row), known[&pair])
            })
        }
        Guards::Same(DefaultGuard::Value) => Box::new(move |row| (leaf(row), Some(leaf(row)))),
        Guards::Same(DefaultGuard::Taxon(name)) => {
            let guard = tree.labelled(name).min_by_key(|taxon| tree.depth(*taxon));
            let guard = guard.ok_or_else(|| unknown(name, sensitive.name(), tree, model))?;
            Box::new(move |row| {
                (
                    leaf(row),
                    Some(guard).filter(|guard| tree.covers(*guard, leaf(row))),
                )
            })
        }
    };
    Ok(Wishes::new(
        sensitive.name(),
        Arc::clone(tree),
        (0..count).map(&pair),
    ))
}

/// Where the promise stands, and whether its tree is public: one that is made from the data names their values.
pub(super) struct Bound<'a> {
    pub(super) place: &'a Place,
    pub(super) public: bool,
}

/// Where guards come from.
pub(super) enum Guards<'a> {
    /// A column of the table.
    Column(&'a Column),
    /// The policy.
    Same(&'a DefaultGuard),
}

/// The guard of each pair of value and guard text that some row has.
fn resolve(
    sensitive: &Column,
    guards: &Column,
    tree: &Hierarchy,
    leaves: &[TaxonId],
    rows: &Rows<'_>,
) -> Result<FxHashMap<(Code, Code), Option<TaxonId>>, Error> {
    let mut known = FxHashMap::default();
    let missing = guards.dictionary().missing();
    for row in 0..sensitive.codes().len() {
        let pair = (sensitive.codes().get(row), guards.codes().get(row));
        if known.contains_key(&pair) {
            continue;
        }
        let text = guards.dictionary().text(pair.1);
        let guard = if Some(pair.1) == missing || text.is_empty() {
            None
        } else {
            let leaf = leaves[pair.0 as usize];
            let path = std::iter::successors(Some(leaf), |taxon| tree.parent(*taxon));
            let named = path.filter(|taxon| tree.label(*taxon) == text).last();
            Some(
                named
                    .ok_or_else(|| stray(text, guards.name(), sensitive.name(), tree, rows, row))?,
            )
        };
        known.insert(pair, guard);
    }
    Ok(known)
}

/// A guard tells much of a value: it is not shown.
fn stray(
    text: &str,
    guard: &str,
    of: &str,
    tree: &Hierarchy,
    rows: &Rows<'_>,
    row: usize,
) -> Error {
    let what = if tree.labelled(text).next().is_some() {
        format!(
            "the guard in `{guard}` is not on the way from the root to the row's own value in `{of}`"
        )
    } else {
        format!("the guard in `{guard}` is no taxon of the hierarchy of `{of}`")
    };
    Error::Data {
        place: Place::line(rows.file, (rows.line)(row)),
        what,
        hint: Some("a guard is the row's own value or a taxon above it; an empty one asks for no protection".to_owned()),
    }
}

fn unknown(name: &str, of: &str, tree: &Hierarchy, model: &Bound<'_>) -> Error {
    let labels: Vec<&str> = tree.taxa().map(|taxon| tree.label(taxon)).collect();
    Error::Hierarchy {
        attribute: of.to_owned(),
        place: model.place.clone(),
        what: format!("`default-guard` is `{name}`, which is no taxon of it"),
        hint: nearest(name, &labels)
            .filter(|_| model.public)
            .map(|near| format!("did you mean `{near}`?")),
    }
}

/// A published taxon is read by its name, so that name must mean one set of values.
fn unambiguous(
    of: &str,
    tree: &Hierarchy,
    rows: &Rows<'_>,
    model: &Bound<'_>,
) -> Result<(), Error> {
    let mut known: FxHashMap<&str, TaxonId> = FxHashMap::default();
    for taxon in tree.taxa() {
        let other = *known.entry(tree.label(taxon)).or_insert(taxon);
        let nested = tree.covers(other, taxon) || tree.covers(taxon, other);
        if other != taxon && !(nested && tree.leaves_below(other) == tree.leaves_below(taxon)) {
            return Err(Error::Hierarchy {
                attribute: of.to_owned(),
                place: Place::file(rows.file),
                what: format!(
                    "{} is the name of two taxa with different values below them",
                    if model.public {
                        format!("`{}`", tree.label(taxon))
                    } else {
                        "one label".to_owned()
                    }
                ),
                hint: Some(
                    "`personal` publishes taxa by their names: give each its own".to_owned(),
                ),
            });
        }
    }
    Ok(())
}
