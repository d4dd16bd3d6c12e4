//! Wishes: what the rows of a release were before, and what their owners asked to have kept from others. A release does
//! not tell them, so they are read from its source.
//!
//! **Reading.** A wish is the label of a taxon on the way from the row's value to the top; where a label stands there
//! twice, the higher one is meant. An empty or missing wish asks for nothing. A published label stands on the same way;
//! where it is there twice, the lower one is meant; stars are the top.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Source;
use crate::error::{Error, Place};
use crate::hierarchy::{Hierarchy, TaxonId, is_star};
use crate::release::policy::{Case, DefaultGuard, ModelPolicy, ModelSpec, Policy};
use crate::release::trees::Rows;
use crate::table::{Code, Column, Table};

/// The wishes about one sensitive column, by row of the release.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The sensitive column.
    pub of: String,
    /// Its tree.
    pub tree: Arc<Hierarchy>,
    /// Whether a person may own several rows: as the policy says, or whether any does in the source.
    pub case: Case,
    /// The leaf of a missing value, where the source has one.
    pub missing: Option<TaxonId>,
    /// The raw value of each row.
    pub values: Vec<TaxonId>,
    /// What each row's owner wants kept; none where nothing.
    pub guards: Vec<Option<TaxonId>>,
}

impl Wishes {
    /// The wishes of every `personal` promise. `source.hierarchies` must have the trees of the sensitive columns.
    pub fn read(policy: &Policy, source: &Source<'_>, rows: &Rows<'_>) -> Result<Vec<Self>, Error> {
        let models = policy.privacy.iter();
        let personal = models.filter(|model| matches!(model.spec, ModelSpec::Personal { .. }));
        personal
            .map(|model| read_one(policy, model, source, rows))
            .collect()
    }

    /// The taxon that each row of a published column shows; a row number where it shows none on its value's way.
    pub fn shown(&self, published: &Column) -> Result<Vec<TaxonId>, usize> {
        let dictionary = published.dictionary();
        let mut known: FxHashMap<(TaxonId, Code), Option<TaxonId>> = FxHashMap::default();
        let shown = |(row, value): (usize, &TaxonId)| {
            let code = published.codes().get(row);
            let find = || {
                // A missing value may have another spelling in the release.
                if dictionary.missing() == Some(code) && self.missing == Some(*value) {
                    return self.missing;
                }
                let label = dictionary.text(code);
                if is_star(label) {
                    return Some(self.tree.root());
                }
                way(&self.tree, *value).find(|taxon| self.tree.label(*taxon) == label)
            };
            known.entry((*value, code)).or_insert_with(find).ok_or(row)
        };
        self.values.iter().enumerate().map(shown).collect()
    }
}

/// From a taxon to the top.
fn way(tree: &Hierarchy, from: TaxonId) -> impl Iterator<Item = TaxonId> {
    std::iter::successors(Some(from), |taxon| tree.parent(*taxon))
}

fn read_one(
    policy: &Policy,
    model: &ModelPolicy,
    source: &Source<'_>,
    rows: &Rows<'_>,
) -> Result<Wishes, Error> {
    let ModelSpec::Personal {
        of,
        guard,
        default_guard,
        case,
        ..
    } = &model.spec
    else {
        return Err(Error::Internal("not a `personal` promise".to_owned()));
    };
    let absent = |name: &str| Error::Internal(format!("column `{name}` was not read"));
    let find = |name: &str| source.table.column(name).ok_or_else(|| absent(name));
    let column = find(of)?;
    let tree = source.hierarchies.iter().find(|(name, _)| name == of);
    let tree = tree
        .map(|(_, tree)| tree.clone())
        .ok_or_else(|| absent(of))?;
    let values = leaves(&tree, column, source, rows)?;
    let guards = match (guard, default_guard) {
        (Some(guard), _) => read_guards(&tree, &values, find(guard)?, of, source, rows)?,
        (None, Some(DefaultGuard::Taxon(label))) => {
            if tree.labelled(label).next().is_none() {
                return Err(Error::Policy {
                    place: model.place.clone(),
                    what: format!("`default-guard` is no taxon of the hierarchy of `{of}`"),
                    hint: Some("a taxon's name, or \"value\" for the row's own value".to_owned()),
                });
            }
            values
                .iter()
                .map(|value| highest(&tree, *value, label))
                .collect()
        }
        (None, _) => values.iter().copied().map(Some).collect(),
    };
    let case = decide_case(*case, persons_repeat(policy, source.table), model)?;
    let missing = column.dictionary().missing();
    let missing = missing.and_then(|code| tree.leaf(column.dictionary().text(code)));
    Ok(Wishes {
        of: of.clone(),
        tree,
        case,
        missing,
        values,
        guards,
    })
}

fn leaves(
    tree: &Hierarchy,
    column: &Column,
    source: &Source<'_>,
    rows: &Rows<'_>,
) -> Result<Vec<TaxonId>, Error> {
    let texts = column.dictionary().texts();
    let leaves: Vec<Option<TaxonId>> = texts.map(|text| tree.leaf(text)).collect();
    let leaf = |row: &u32| {
        let code = column.codes().get(*row as usize);
        leaves[code as usize].ok_or_else(|| {
            let what = format!(
                "the value of `{}` has no leaf in its hierarchy",
                column.name()
            );
            Error::data(Place::line(rows.file, (rows.line)(*row as usize)), what)
        })
    };
    source.rows.iter().map(leaf).collect()
}

fn read_guards(
    tree: &Hierarchy,
    values: &[TaxonId],
    wishes: &Column,
    of: &str,
    source: &Source<'_>,
    rows: &Rows<'_>,
) -> Result<Vec<Option<TaxonId>>, Error> {
    let dictionary = wishes.dictionary();
    let mut known: FxHashMap<(TaxonId, Code), Option<TaxonId>> = FxHashMap::default();
    let guard = |(row, value): (&u32, &TaxonId)| {
        let code = wishes.codes().get(*row as usize);
        let label = dictionary.text(code);
        if dictionary.missing() == Some(code) || label.is_empty() {
            return Ok(None);
        }
        let find = || highest(tree, *value, label);
        let guard = known.entry((*value, code)).or_insert_with(find);
        guard.map(Some).ok_or_else(|| Error::Data {
            place: Place::line(rows.file, (rows.line)(*row as usize)),
            what: format!(
                "the wish in `{}` is no taxon on the way from the row's value to the top of the hierarchy of `{of}`",
                wishes.name()
            ),
            hint: Some("the value itself, or a taxon above it; empty asks for no protection".to_owned()),
        })
    };
    source.rows.iter().zip(values).map(guard).collect()
}

fn highest(tree: &Hierarchy, value: TaxonId, label: &str) -> Option<TaxonId> {
    way(tree, value)
        .filter(|taxon| tree.label(*taxon) == label)
        .last()
}

/// Whether somebody has two rows of the source.
fn persons_repeat(policy: &Policy, source: &Table) -> bool {
    let person = policy
        .person()
        .and_then(|person| source.column(&person.name));
    person.is_some_and(|column| {
        let mut seen: FxHashSet<Code> = FxHashSet::default();
        !(0..source.rows()).all(|row| seen.insert(column.codes().get(row)))
    })
}

fn decide_case(asked: Option<Case>, repeat: bool, model: &ModelPolicy) -> Result<Case, Error> {
    match (asked, repeat) {
        (Some(Case::Primary), true) => Err(Error::Policy {
            place: model.place.clone(),
            what: "`case` is \"primary\", but some person has several rows".to_owned(),
            hint: Some("leave `case` out: the person column decides".to_owned()),
        }),
        (Some(case), _) => Ok(case),
        (None, true) => Ok(Case::NonPrimary),
        (None, false) => Ok(Case::Primary),
    }
}
