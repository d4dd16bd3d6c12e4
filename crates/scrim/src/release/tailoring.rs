//! Generalizes sensitive values, class by class, where wishes ask for it: after any search, over the classes as published.

use std::sync::Arc;

use super::prepare::Prepared;
use crate::error::Error;
use crate::frequency::Piles;
use crate::hierarchy::TaxonId;
use crate::model::{Evidence, Personal, PrivacyModel};
use crate::recoding::{GeneralizedSensitive, Recoding};
use crate::table::Table;

/// What becomes of each sensitive column that wishes speak of. A class that no function makes safe keeps its values: the
/// certifier will say so.
pub(super) fn tailor(
    table: &Table,
    prepared: &Prepared,
    recoding: &Recoding,
) -> Result<Vec<GeneralizedSensitive>, Error> {
    if prepared.personal.is_empty() {
        return Ok(Vec::new());
    }
    let (class_of_row, classes) = recoding.class_of_row(&prepared.ladders, &prepared.ground);
    prepared
        .personal
        .iter()
        .map(|personal| column(table, personal, &class_of_row, classes))
        .collect()
}

fn column(
    table: &Table,
    personal: &Arc<Personal>,
    class_of_row: &[u32],
    classes: usize,
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
    Ok(GeneralizedSensitive {
        column: wishes.of().to_owned(),
        tree: Arc::clone(tree),
        taxon_of_row: class_of_row.iter().enumerate().map(shown).collect(),
        class_of_row: class_of_row.to_vec(),
        lost: functions
            .iter()
            .flatten()
            .map(|function| function.lost)
            .sum(),
        functions: functions
            .into_iter()
            .map(|function| function.map(|function| function.raised))
            .collect(),
    })
}
