//! What a release shows of a column, and in how many rows.

use std::collections::BTreeMap;

use super::Made;
use crate::hierarchy::{Hierarchy, Ladder, TaxonId};
use crate::recoding::{Cell, Cut, Local, Part, Recoding};

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
///
/// `suppressed` tells which rows that the table holds are suppressed.
pub(super) fn of(made: &Made<'_>, at: usize, suppressed: &[bool]) -> Vec<(Mark, u64)> {
    let ladder = &made.prepared.ladders[at];
    match &made.plan.found.recoding {
        Recoding::FullDomain { node, .. } => {
            full_domain(made, at, (ladder, node.levels()[at]), suppressed)
        }
        Recoding::Subtree(cuts) => subtree(made, at, ladder, &cuts[at]),
        Recoding::Local(local) => cells(ladder, local, at),
    }
}

fn full_domain(
    made: &Made<'_>,
    at: usize,
    (ladder, level): (&Ladder, u8),
    suppressed: &[bool],
) -> Vec<(Mark, u64)> {
    let ground = &made.prepared.ground;
    let mut kept = vec![0u64; ladder.width(0)];
    let mut stars = 0;
    let set = ground.set();
    for (row, (tuple, suppressed)) in ground.tuple_of_row().iter().zip(suppressed).enumerate() {
        let times = made.source.times(row);
        if *suppressed {
            stars += times;
        } else {
            kept[set.code(*tuple as usize, at) as usize] += times;
        }
    }
    let mut rows: BTreeMap<TaxonId, u64> = BTreeMap::new();
    let climb = ladder.climb(0, level);
    for (code, count) in climb.iter().zip(kept) {
        let taxon = ladder.taxa(level)[*code as usize];
        *rows.entry(taxon).or_default() += count;
    }
    if stars > 0 && !made.plan.fate.drop {
        *rows.entry(ladder.hierarchy().root()).or_default() += stars;
    }
    let marks = rows.into_iter();
    marks
        .map(|(taxon, rows)| (Mark::Taxon(taxon), rows))
        .collect()
}

fn subtree(made: &Made<'_>, at: usize, ladder: &Ladder, cut: &Cut) -> Vec<(Mark, u64)> {
    let mut rows = vec![0u64; cut.parts.len()];
    let codes = cut
        .part_of_code
        .iter()
        .zip(made.prepared.ground.marginal(at));
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

fn cells(ladder: &Ladder, local: &Local, at: usize) -> Vec<(Mark, u64)> {
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
