//! What a release shows of a column, and in how many rows.

use std::collections::BTreeMap;

use crate::hierarchy::{Hierarchy, Ladder, TaxonId};
use crate::recoding::{Cell, Cut, Local, Part, Recoding};
use crate::release::plan::Plan;
use crate::release::prepare::Prepared;

/// Something that a release shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// A taxon.
    Taxon(TaxonId),
    /// An interval, from and to as shares of the domain, and how many values it has.
    Span(String, f64, f64, u64),
}

/// What a column shows and in how many rows of the release, in the order of taxa or of the domain. What a plan may show but
/// no row has counts none.
pub(super) fn of(prepared: &Prepared, plan: &Plan, at: usize) -> Vec<(Mark, u64)> {
    let ladder = &prepared.ladders[at];
    match &plan.found.recoding {
        Recoding::FullDomain { node, .. } => {
            full_domain(prepared, plan, at, (ladder, node.levels()[at]))
        }
        Recoding::Subtree(cuts) => subtree(prepared, at, ladder, &cuts[at]),
        Recoding::Local(local) => cells(ladder, local, at),
    }
}

fn full_domain(
    prepared: &Prepared,
    plan: &Plan,
    at: usize,
    (ladder, level): (&Ladder, u8),
) -> Vec<(Mark, u64)> {
    let mut by_code = vec![0u64; ladder.width(level)];
    let climb = ladder.climb(0, level);
    let ground = prepared.ground.marginal(at);
    let codes = climb.iter().zip(ground);
    codes.for_each(|(code, count)| by_code[*code as usize] += count);
    let gone = plan.suppressed_by.get(at).into_iter().flatten();
    for (count, gone) in by_code.iter_mut().zip(gone) {
        *count -= gone;
    }
    let mut rows: BTreeMap<TaxonId, u64> = BTreeMap::new();
    for (taxon, count) in ladder.taxa(level).iter().zip(by_code) {
        *rows.entry(*taxon).or_default() += count;
    }
    if plan.suppressed > 0 && !plan.fate.drop {
        *rows.entry(ladder.hierarchy().root()).or_default() += plan.suppressed;
    }
    let marks = rows.into_iter();
    marks
        .map(|(taxon, rows)| (Mark::Taxon(taxon), rows))
        .collect()
}

fn subtree(prepared: &Prepared, at: usize, ladder: &Ladder, cut: &Cut) -> Vec<(Mark, u64)> {
    let mut rows = vec![0u64; cut.parts.len()];
    let codes = cut.part_of_code.iter().zip(prepared.ground.marginal(at));
    codes.for_each(|(part, count)| rows[*part as usize] += count);
    let mut passed = 0u64;
    let mark = |(part, rows): (&Part, u64)| {
        let from = passed;
        passed += part.values;
        let share = |values: u64| values as f64 / cut.domain.max(1) as f64;
        let span = || Mark::Span(part.label.clone(), share(from), share(passed), part.values);
        let taxon = if cut.numeric {
            None
        } else {
            taxon_of(ladder.hierarchy(), part)
        };
        (taxon.map_or_else(span, Mark::Taxon), rows)
    };
    cut.parts.iter().zip(rows).map(mark).collect()
}

/// The taxon that a part of a categorical domain is.
fn taxon_of(tree: &Hierarchy, part: &Part) -> Option<TaxonId> {
    let is_it = |taxon: &TaxonId| tree.leaves_below(*taxon) == part.values;
    tree.labelled(&part.label).find(is_it)
}

pub(super) fn cells(ladder: &Ladder, local: &Local, at: usize) -> Vec<(Mark, u64)> {
    let mut rows: BTreeMap<Cell, u64> = BTreeMap::new();
    for (class, size) in local.classes.iter().zip(local.sizes()) {
        *rows.entry(class[at]).or_default() += size;
    }
    let mark = |cell: Cell| match (cell, local.numbers(at)) {
        (Cell::Taxon(taxon), _) => Mark::Taxon(taxon),
        (Cell::Interval(low, high), numbers) => {
            let (from, to) = numbers.map_or((low, high), |numbers| (numbers.from(), numbers.to()));
            let width = (to as f64 - from as f64 + 1.0).max(1.0);
            let start = (low as f64 - from as f64) / width;
            let end = (high as f64 - from as f64 + 1.0) / width;
            let values = crate::hierarchy::Numbers::values(low, high);
            Mark::Span(local.label(ladder, at, cell), start, end, values)
        }
    };
    let cells = rows.into_iter();
    cells.map(|(cell, rows)| (mark(cell), rows)).collect()
}
