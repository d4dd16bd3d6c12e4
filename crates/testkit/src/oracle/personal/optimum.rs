//! The best table of the kind that Figure 4 searches, by trying all of them.
//!
//! **Definition.** \[XiaoTao06\], section 4: one general domain for each quasi-identifier, and for each class the least safe
//! SA-generalization; the table of the least loss.
//! **Reading.** The domains of a number are all ways to cut it (`Cuts::All`), which is for tiny domains only. `Cuts::Hulls` takes all
//! ways to cut the values that occur into runs, and publishes of each run its least and greatest: parts without rows may fill what
//! lies between, so that nothing better is missed. A candidate whose quasi-identifiers alone lose as much as the best is passed over.
//! Of equally good tables the first is kept.

use std::collections::BTreeSet;

use super::table::Known;
use super::{Attribute, Domain, Part, PersonalTable, PublishedRow, general_domains};
use crate::Fraction;

/// Which cuts of a numeric domain are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// All.
    All,
    /// The hulls of all runs of occurring values.
    Hulls,
}

/// The best table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutsOptimum {
    /// The parts of each attribute, ascending; by `Cuts::Hulls` without the parts that hold no row.
    pub partitions: Vec<Vec<Part>>,
    /// The table, in the order of the rows.
    pub published: Vec<PublishedRow>,
    /// Its loss.
    pub loss: Fraction,
}

/// The best table, or none where no table can be published.
#[must_use]
pub fn cuts_optimum(table: &PersonalTable, cuts: Cuts) -> Option<CutsOptimum> {
    let choices: Vec<Vec<(Vec<Part>, Fraction)>> = (0..table.attributes.len())
        .map(|attribute| with_loss(table, attribute, partitions(table, attribute, cuts)))
        .collect();
    let mut known = Known::new();
    let mut best: Option<CutsOptimum> = None;
    let mut chosen = vec![0; choices.len()];
    loop {
        let here = || {
            choices
                .iter()
                .zip(&chosen)
                .map(|(choices, at)| &choices[*at])
        };
        let quasi: Fraction = here().map(|(_, loss)| *loss).sum();
        if best.as_ref().is_none_or(|best| quasi < best.loss) {
            let partitions: Vec<Vec<Part>> = here().map(|(parts, _)| parts.clone()).collect();
            if let Some(published) = table.publish(&partitions, &mut known) {
                let loss = table.loss(&published);
                if best.as_ref().is_none_or(|best| loss < best.loss) {
                    best = Some(CutsOptimum {
                        partitions,
                        published,
                        loss,
                    });
                }
            }
        }
        // The next combination, the last attribute turning fastest.
        let Some(turned) = (0..chosen.len()).rfind(|at| chosen[*at] + 1 < choices[*at].len())
        else {
            return best;
        };
        chosen[turned] += 1;
        chosen[turned + 1..].fill(0);
    }
}

/// Each partition of the attribute with what the rows lose by it.
fn with_loss(
    table: &PersonalTable,
    attribute: usize,
    partitions: Vec<Vec<Part>>,
) -> Vec<(Vec<Part>, Fraction)> {
    let Attribute { domain, weight, .. } = &table.attributes[attribute];
    let loss = |parts: &[Part]| -> Fraction {
        table
            .rows
            .iter()
            .filter_map(|row| {
                parts
                    .iter()
                    .find(|part| domain.covers(**part, row.quasi[attribute]))
            })
            .map(|part| *weight * domain.loss(*part))
            .sum()
    };
    partitions
        .into_iter()
        .map(|parts| (parts.clone(), loss(&parts)))
        .collect()
}

fn partitions(table: &PersonalTable, attribute: usize, cuts: Cuts) -> Vec<Vec<Part>> {
    let (from, to) = match &table.attributes[attribute].domain {
        Domain::Categorical(tree) => {
            return general_domains(tree)
                .into_iter()
                .map(|domain| domain.into_iter().map(Part::Taxon).collect())
                .collect();
        }
        Domain::Numeric { from, to } => (*from, *to),
    };
    let values: Vec<i64> = match cuts {
        Cuts::All => (from..=to).collect(),
        Cuts::Hulls => {
            let seen: BTreeSet<i64> = table.rows.iter().map(|row| row.quasi[attribute]).collect();
            seen.into_iter().collect()
        }
    };
    runs(&values)
}

/// All ways to cut the ascending values into runs; each run becomes the interval of its ends.
fn runs(values: &[i64]) -> Vec<Vec<Part>> {
    assert!(
        (1..=16).contains(&values.len()),
        "too many values to try all cuts"
    );
    (0..1_u32 << (values.len() - 1))
        .map(|cut| {
            let mut parts = vec![Part::Interval(values[0], values[0])];
            for (position, value) in values.iter().enumerate().skip(1) {
                match parts.last_mut() {
                    Some(Part::Interval(_, high)) if cut >> (position - 1) & 1 == 0 => {
                        *high = *value;
                    }
                    _ => parts.push(Part::Interval(*value, *value)),
                }
            }
            parts
        })
        .collect()
}
