//! Generalizes sensitive values, class by class, where wishes ask for it: after any search, over the classes as published, which are
//! judged together where persons have rows in several of them.

use std::sync::Arc;

use super::prepare::Prepared;
use crate::error::Error;
use crate::frequency::{FrequencySet, Piles};
use crate::hierarchy::TaxonId;
use crate::model::{Evidence, Member, Personal, PrivacyModel, Tailored};
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
    let suppressed = recoding.suppressed_rows(&prepared.ground);
    // The class that has suppressed rows only.
    let mut of_suppressed = vec![true; classes];
    for (class, suppressed) in class_of_row.iter().zip(&suppressed) {
        of_suppressed[*class as usize] &= suppressed;
    }
    // Of rows that are left out or withheld nothing is told.
    let untold = (fate.drop || fate.star_sensitive).then_some(&suppressed[..]);
    let columns = prepared.personal.iter();
    columns
        .map(|personal| {
            let set = count(table, personal, &class_of_row, classes)?;
            let functions = functions(prepared, personal, &set, &of_suppressed, fate);
            Ok(column(personal, &class_of_row, functions, untold))
        })
        .collect()
}

/// The classes as one promise sees them.
fn count(
    table: &Table,
    personal: &Personal,
    class_of_row: &[u32],
    classes: usize,
) -> Result<FrequencySet, Error> {
    let needs = personal.needs();
    let rows: Vec<u32> = (0..class_of_row.len() as u32).collect();
    Ok(Piles::new(table, &needs)?.count(&rows, classes, class_of_row))
}

/// The function of each class. Where the classes cannot be published together, each has that of its own rows: the certifier
/// will say so. Where other models do not bear the functions of all classes together, each has that by which it was judged.
fn functions(
    prepared: &Prepared,
    personal: &Personal,
    set: &FrequencySet,
    of_suppressed: &[bool],
    fate: Fate,
) -> Vec<Option<Tailored>> {
    let places: Vec<usize> = (0..personal.needs().len()).collect();
    let evidence = || set.classes().map(|class| Evidence::of(class, &places));
    let apart = || evidence().map(|evidence| personal.of_class_apart(&evidence));
    if !personal.looks_across() {
        return apart().collect();
    }
    let is_told = |class: &usize| !(fate.drop && of_suppressed[*class]);
    let told: Vec<usize> = (0..of_suppressed.len()).filter(is_told).collect();
    let members = evidence()
        .zip(of_suppressed)
        .filter(|(_, gone)| !(fate.drop && **gone));
    let members = members.map(|(evidence, gone)| Member {
        evidence,
        suppressed: *gone,
        withheld: *gone && fate.star_sensitive,
    });
    let members: Vec<Member<'_>> = members.collect();
    let Ok(together) = personal.together(&members) else {
        return apart().collect();
    };
    let of = personal.wishes().of();
    let bears = |(member, function): (&Member<'_>, &Option<Tailored>)| {
        let models = || prepared.models.models();
        let raised = function.as_ref();
        raised.is_none_or(|raised| {
            models().all(|model| model.holds_raised(&member.evidence, of, raised))
        })
    };
    if !members.iter().zip(&together).all(bears) {
        return evidence()
            .map(|evidence| personal.of_class(&evidence))
            .collect();
    }
    let mut functions = vec![None; of_suppressed.len()];
    for (class, function) in told.into_iter().zip(together) {
        functions[class] = function;
    }
    functions
}

fn column(
    personal: &Personal,
    class_of_row: &[u32],
    functions: Vec<Option<Tailored>>,
    untold: Option<&[bool]>,
) -> GeneralizedSensitive {
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
    GeneralizedSensitive {
        column: wishes.of().to_owned(),
        tree: Arc::clone(tree),
        lost: taxon_of_row.iter().enumerate().map(lost).sum(),
        taxon_of_row,
        class_of_row: class_of_row.to_vec(),
        functions: functions
            .into_iter()
            .map(|function| function.map(|function| function.raised))
            .collect(),
    }
}
