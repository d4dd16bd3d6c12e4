//! All measures of a local recoding.
//!
//! **Reading.** Classes with the same cells look alike: they are one. Taxa count as [`standing`] says. In a column with an
//! interval that is no taxon, a single value stands at level 0, the whole domain at level 2, all between at level 1.

use std::collections::BTreeMap;

use super::entropy::fixed_log2;
use super::report::{CellSums, Metrics, Yardstick, rows_below};
use super::standing::{lowest, named, standing};
use super::tally::Marginals;
use crate::frequency::Ground;
use crate::hierarchy::{Ladder, Level, Numbers, TaxonId};
use crate::recoding::{Cell, Local};
use crate::share::Share;

/// What a cell costs: its level, the domain values and the original rows that it stands for.
struct Worth {
    level: u64,
    values: u64,
    rows: u64,
}

/// All measures of a local recoding.
pub fn measure_local(
    marginals: &Marginals<'_>,
    weights: &[Share],
    local: &Local,
    ground: &Ground,
) -> Metrics {
    let sizes = local.sizes();
    let mut sums = CellSums::default();
    let mut yardstick = Yardstick::new(marginals, weights);
    for (attribute, ladder) in marginals.ladders().iter().enumerate() {
        let mut rows: BTreeMap<Cell, u64> = BTreeMap::new();
        for (class, size) in local.classes.iter().zip(&sizes) {
            *rows.entry(class[attribute]).or_default() += size;
        }
        let cells: Vec<Cell> = rows.keys().copied().collect();
        let marginal = ground.marginal(attribute);
        let taxa = taxa_of(ladder, local, attribute, &cells);
        let worths = match (taxa, local.numbers(attribute)) {
            (None, Some(numbers)) => {
                yardstick.heights[attribute] = 2;
                yardstick.domains[attribute] = numbers.domain_size();
                of_numbers(ladder, numbers, marginal, &cells)
            }
            (taxa, _) => of_taxa(ladder, marginal, &taxa.unwrap_or_default()),
        };
        let add = |unit: &dyn Fn(&Worth) -> u64| {
            let cells = worths.iter().zip(rows.values());
            cells
                .map(|(worth, rows)| u128::from(unit(worth)) * u128::from(*rows))
                .sum::<u128>()
        };
        sums.levels.push(add(&|worth| worth.level));
        sums.leaves.push(add(&|worth| worth.values));
        sums.logs.push(add(&|worth| fixed_log2(worth.rows)));
    }
    let mut published: BTreeMap<&[Cell], u64> = BTreeMap::new();
    for (class, size) in local.classes.iter().zip(&sizes) {
        *published.entry(class).or_default() += size;
    }
    // Rows at the top of every attribute look like suppressed ones, and cost as much.
    let ladders = marginals.ladders();
    let at_top = |class: &[Cell]| {
        let mut cells = ladders.iter().zip(class);
        cells.all(|(ladder, cell)| *cell == Cell::Taxon(ladder.hierarchy().root()))
    };
    let cost = |(class, size): (&&[Cell], &u64)| {
        let told_from = if at_top(class) {
            marginals.rows()
        } else {
            *size
        };
        u128::from(*size) * u128::from(told_from)
    };
    let squares = published.iter().map(cost).sum();
    yardstick.read(&sums, squares, marginals.rows(), published.len() as u64)
}

/// Whether every taxon of a local recoding counts at its own level, whatever the others of its column show.
pub fn counts_own_levels(ladders: &[Ladder], local: &Local) -> bool {
    let mut columns = ladders.iter().enumerate();
    columns.all(|(attribute, ladder)| {
        let tree = ladder.hierarchy();
        let mut cells: Vec<Cell> = local.classes.iter().map(|class| class[attribute]).collect();
        cells.sort_unstable();
        cells.dedup();
        let taxa: Option<Vec<Vec<TaxonId>>> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Taxon(taxon) => Some(vec![*taxon]),
                Cell::Interval(..) => None,
            })
            .collect();
        taxa.is_some_and(|taxa| {
            let standing = standing(tree, &taxa);
            let mut levels = standing.iter();
            levels.all(|(level, taxon)| *level == tree.level(*taxon))
        })
    })
}

/// The taxon that each cell is read as; nothing where one is an interval that is no taxon.
fn taxa_of(
    ladder: &Ladder,
    local: &Local,
    attribute: usize,
    cells: &[Cell],
) -> Option<Vec<Vec<TaxonId>>> {
    let labels: Vec<String> = cells
        .iter()
        .map(|cell| local.label(ladder, attribute, *cell))
        .collect();
    let tree = ladder.hierarchy();
    let taxa = named(tree, labels.iter().map(String::as_str)).ok()?;
    Some(lowest(tree, taxa))
}

/// What the cells of a column cost that are all taxa.
fn of_taxa(ladder: &Ladder, marginal: &[u64], taxa: &[Vec<TaxonId>]) -> Vec<Worth> {
    let below = rows_below(ladder, marginal);
    let tree = ladder.hierarchy();
    let worth = |(level, taxon): (Level, TaxonId)| Worth {
        level: level.into(),
        values: tree.leaves_below(taxon),
        rows: below[taxon.0 as usize],
    };
    standing(tree, taxa).into_iter().map(worth).collect()
}

/// What the cells of a column of numbers cost.
fn of_numbers(ladder: &Ladder, numbers: &Numbers, marginal: &[u64], cells: &[Cell]) -> Vec<Worth> {
    let mut line: Vec<(i64, u64)> = numbers
        .of_code()
        .iter()
        .zip(marginal)
        .filter_map(|(number, rows)| Some(((*number)?, *rows)))
        .collect();
    line.sort_unstable();
    let mut before = vec![0];
    line.iter()
        .for_each(|(_, rows)| before.push(before[before.len() - 1] + rows));
    let below = rows_below(ladder, marginal);
    let tree = ladder.hierarchy();
    let domain = numbers.domain_size();
    let worth = |cell: &Cell| {
        let (values, rows) = match *cell {
            Cell::Taxon(taxon) if taxon == tree.root() => (domain, below[taxon.0 as usize]),
            Cell::Taxon(taxon) => (tree.leaves_below(taxon), below[taxon.0 as usize]),
            Cell::Interval(low, high) => {
                let first = line.partition_point(|(number, _)| *number < low);
                let last = line.partition_point(|(number, _)| *number <= high);
                (Numbers::values(low, high), before[last] - before[first])
            }
        };
        let level = match values {
            1 => 0,
            values if values == domain => 2,
            _ => 1,
        };
        Worth {
            level,
            values,
            rows,
        }
    };
    cells.iter().map(worth).collect()
}
