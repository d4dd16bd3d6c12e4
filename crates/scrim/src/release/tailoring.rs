//! Generalizes sensitive values, class by class, where wishes ask for it: after any search, over the classes as published.

use std::sync::Arc;

use super::prepare::Prepared;
use crate::error::Error;
use crate::frequency::Piles;
use crate::hierarchy::TaxonId;
use crate::model::{Evidence, Personal, PrivacyModel};
use crate::recoding::{Fate, GeneralizedSensitive, Recoding};
use crate::table::Table;

/// What becomes of each sensitive column that wishes speak of. A class that no function makes safe keeps its values: the
/// certifier will say so.
pub(super) fn tailor(
    table: &Table,
    prepared: &Prepared,
    recoding: &Recoding,
    fate: Fate,
) -> Result<Vec<GeneralizedSensitive>, Error> {
    if prepared.personal.is_empty() {
        return Ok(Vec::new());
    }
    let (class_of_row, classes) = recoding.class_of_row(&prepared.ladders, &prepared.ground);
    // Of rows that are left out or withheld nothing is told.
    let untold = recoding.suppressed_rows(&prepared.ground);
    let untold = (fate.drop || fate.star_sensitive).then_some(&untold[..]);
    let columns = prepared.personal.iter();
    columns
        .map(|personal| column(table, personal, &class_of_row, classes, untold))
        .collect()
}

fn column(
    table: &Table,
    personal: &Arc<Personal>,
    class_of_row: &[u32],
    classes: usize,
    untold: Option<&[bool]>,
) -> Result<GeneralizedSensitive, Error> {
    let needs = personal.needs();
    let piles = Piles::new(table, &needs)?;
    let rows: Vec<u32> = (0..class_of_row.len() as u32).collect();
    let set = piles.count(&rows, classes, class_of_row);
    let places: Vec<usize> = (0..needs.len()).collect();
    let functions: Vec<_> = set
        .classes()
        .map(|class| personal.of_class(&Evidence::of(class, &places)))
        .collect();
    let wishes = personal.wishes();
    let tree = wishes.tree();
    let shown = |(row, class): (usize, &u32)| -> TaxonId {
        let leaf = wishes.leaf(wishes.codes().get(row));
        let raised = functions[*class as usize]
            .iter()
            .flat_map(|function| &function.raised);
        raised
            .copied()
            .find(|taxon| tree.covers(*taxon, leaf))
            .unwrap_or(leaf)
    };
    let taxon_of_row: Vec<TaxonId> = class_of_row.iter().enumerate().map(shown).collect();
    let lost = |(row, taxon): (usize, &TaxonId)| {
        let leaves = if untold.is_some_and(|untold| untold[row]) {
            tree.domain_size()
        } else {
            tree.leaves_below(*taxon)
        };
        leaves.saturating_sub(1)
    };
    Ok(GeneralizedSensitive {
        column: wishes.of().to_owned(),
        tree: Arc::clone(tree),
        lost: taxon_of_row.iter().enumerate().map(lost).sum(),
        taxon_of_row,
        class_of_row: class_of_row.to_vec(),
        functions: functions
            .into_iter()
            .map(|function| function.map(|function| function.raised))
            .collect(),
    })
}
