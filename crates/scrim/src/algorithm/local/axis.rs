//! A quasi-identifier as local recoding sees it: cells that join, and what each costs.
//!
//! **Reading.** The values that occur are leaves, numbered. A cell of a tree is a taxon; a cell of numbers is the first and the last
//! place that it covers, the missing value after all numbers, so that numbers and missing ones together show the top.

use super::rungs::Rung;
use crate::algorithm::taxa::Taxa;
use crate::algorithm::units::Units;
use crate::hierarchy::{Hierarchy, Ladder, Numbers, TaxonId};
use crate::metric::MetricId;
use crate::recoding;

/// A taxon by number, or two places: the first in the upper half.
pub(super) type Cell = u64;

/// Joins of taxa and leaves are looked up where the table is no larger.
const TABLE: usize = 1 << 21;

/// A quasi-identifier.
#[derive(Debug)]
pub(super) struct Axis {
    /// The leaf of each tuple.
    leaves: Vec<u32>,
    /// The cell of each leaf.
    cells: Vec<Cell>,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Tree(Tree),
    Line(Line),
}

#[derive(Debug)]
struct Tree {
    taxa: Taxa,
    /// The join of each leaf with each taxon, leaf by leaf, and what it costs; empty where that is too much.
    joins: Vec<u32>,
    join_costs: Vec<i64>,
}

/// The numbers that occur, ascending.
#[derive(Debug)]
struct Line {
    values: Vec<i64>,
    from: i64,
    to: i64,
    missing: Option<TaxonId>,
    root: TaxonId,
    measure: Measure,
}

/// What an interval costs.
#[derive(Clone, Copy, Debug)]
struct Measure {
    per: i64,
    /// Whether every interval costs the same.
    by_level: bool,
    top: i64,
    /// No cell that is not a single value costs less, whatever the column's hierarchy says of it.
    least: i64,
}

impl Axis {
    /// An axis, and its rungs from the cheapest up.
    pub(super) fn new(
        metric: MetricId,
        units: &Units,
        attribute: usize,
        ladder: &Ladder,
        numbers: Option<&Numbers>,
        codes: &[u32],
    ) -> (Self, Vec<Rung>) {
        let per = units.per(attribute);
        let by_level = metric == MetricId::Prec;
        match numbers {
            None => of_tree(ladder, codes, |tree, taxon| {
                per * if by_level {
                    i64::from(tree.level(taxon))
                } else {
                    tree.leaves_below(taxon).cast_signed() - 1
                }
            }),
            Some(numbers) => {
                let halves = i64::from(ladder.height().max(1));
                let per = if by_level { per * halves } else { per };
                of_numbers(ladder, numbers, codes, per, by_level)
            }
        }
    }

    /// The steps of an attribute at its top.
    pub(super) fn most(metric: MetricId, ladder: &Ladder, numbers: Option<&Numbers>) -> u64 {
        let most = match (metric, numbers) {
            (MetricId::Prec, None) => u64::from(ladder.height()),
            // Intervals stand half way up; so fine that the levels of a hierarchy beside it are whole steps too.
            (MetricId::Prec, Some(_)) => 2 * u64::from(ladder.height().max(1)),
            (_, None) => ladder.hierarchy().domain_size() - 1,
            (_, Some(numbers)) => numbers.domain_size() - 1,
        };
        most.max(1)
    }

    /// The leaf of a tuple.
    pub(super) fn leaf(&self, tuple: u32) -> u32 {
        self.leaves[tuple as usize]
    }

    /// The cell of a leaf.
    pub(super) fn cell(&self, leaf: u32) -> Cell {
        self.cells[leaf as usize]
    }

    /// What a cell costs.
    pub(super) fn cost(&self, cell: Cell) -> i64 {
        match &self.shape {
            Shape::Tree(tree) => tree.taxa.cost(cell as u32),
            Shape::Line(line) => line.cost(cell),
        }
    }

    /// The least cell above a cell and a leaf.
    pub(super) fn join(&self, cell: Cell, leaf: u32) -> Cell {
        match &self.shape {
            Shape::Tree(tree) => tree.join(cell as u32, leaf, &self.cells).into(),
            Shape::Line(_) => {
                let (low, high) = places(cell);
                both(low.min(leaf), high.max(leaf))
            }
        }
    }

    /// What the least cell above a cell and a leaf costs.
    pub(super) fn join_cost(&self, cell: Cell, leaf: u32) -> i64 {
        match &self.shape {
            Shape::Tree(tree) if !tree.joins.is_empty() => {
                tree.join_costs[leaf as usize * tree.taxa.len() + cell as usize]
            }
            _ => self.cost(self.join(cell, leaf)),
        }
    }

    /// The cell as a recoding shows it.
    pub(super) fn shown(&self, cell: Cell) -> recoding::Cell {
        match &self.shape {
            Shape::Tree(tree) => recoding::Cell::Taxon(tree.taxa.taxon(cell as u32)),
            Shape::Line(line) => line.shown(cell),
        }
    }
}

impl Tree {
    fn join(&self, taxon: u32, leaf: u32, cells: &[Cell]) -> u32 {
        if self.joins.is_empty() {
            self.taxa.join(taxon, cells[leaf as usize] as u32)
        } else {
            self.joins[leaf as usize * self.taxa.len() + taxon as usize]
        }
    }
}

impl Line {
    fn cost(&self, cell: Cell) -> i64 {
        let (low, high) = places(cell);
        if low == high {
            return 0;
        }
        match (
            self.values.get(low as usize),
            self.values.get(high as usize),
        ) {
            (Some(low), Some(high))
                if (*low, *high) == (self.from, self.to) && self.missing.is_none() =>
            {
                self.measure.top
            }
            (Some(low), Some(high)) => self.measure.steps(*low, *high),
            _ => self.measure.top,
        }
    }

    fn shown(&self, cell: Cell) -> recoding::Cell {
        let (low, high) = places(cell);
        let root = recoding::Cell::Taxon(self.root);
        match (
            self.values.get(low as usize),
            self.values.get(high as usize),
            self.missing,
        ) {
            (Some(low), Some(high), None)
                if low < high && (*low, *high) == (self.from, self.to) =>
            {
                root
            }
            (Some(low), Some(high), _) => recoding::Cell::Interval(*low, *high),
            (None, None, Some(leaf)) => recoding::Cell::Taxon(leaf),
            _ => root,
        }
    }
}

impl Measure {
    fn steps(self, low: i64, high: i64) -> i64 {
        if self.by_level {
            return self.per;
        }
        self.per
            .saturating_mul((Numbers::values(low, high) - 1).cast_signed())
            .min(self.top)
    }
}

fn both(low: u32, high: u32) -> Cell {
    u64::from(low) << 32 | u64::from(high)
}

fn places(cell: Cell) -> (u32, u32) {
    ((cell >> 32) as u32, cell as u32)
}

fn of_tree(
    ladder: &Ladder,
    codes: &[u32],
    cost: impl Fn(&Hierarchy, TaxonId) -> i64,
) -> (Axis, Vec<Rung>) {
    let (taxa, own) = Taxa::above(ladder, codes, cost);
    let mut leaf_of_taxon = vec![None; taxa.len()];
    let mut cells = Vec::new();
    let mut leaf = |taxon: u32| {
        *leaf_of_taxon[taxon as usize].get_or_insert_with(|| {
            cells.push(Cell::from(taxon));
            cells.len() as u32 - 1
        })
    };
    let leaves = own.into_iter().map(&mut leaf).collect();
    let rungs = Rung::of_tree(&cells, &taxa);
    let mut tree = Tree {
        taxa,
        joins: Vec::new(),
        join_costs: Vec::new(),
    };
    if tree.taxa.len().saturating_mul(cells.len()) <= TABLE {
        let all = 0..tree.taxa.len() as u32;
        tree.joins = cells
            .iter()
            .flat_map(|leaf| all.clone().map(move |taxon| (taxon, *leaf as u32)))
            .map(|(taxon, leaf)| tree.taxa.join(taxon, leaf))
            .collect();
        let costs = tree.joins.iter().map(|join| tree.taxa.cost(*join));
        tree.join_costs = costs.collect();
    }
    let axis = Axis {
        leaves,
        cells,
        shape: Shape::Tree(tree),
    };
    (axis, rungs)
}

fn of_numbers(
    ladder: &Ladder,
    numbers: &Numbers,
    codes: &[u32],
    per: i64,
    by_level: bool,
) -> (Axis, Vec<Rung>) {
    let tree = ladder.hierarchy();
    let (values, places) = numbers.line();
    let missing = values.len() as u32;
    let beside_one = |values: u64| per.saturating_mul((values - 1).cast_signed());
    let top = if by_level {
        per.saturating_mul(2)
    } else {
        beside_one(numbers.domain_size().max(1))
    };
    // Where all cells of a column happen to be taxa, they are measured as such.
    let inner = tree.taxa().filter(|taxon| tree.level(*taxon) > 0);
    let as_taxon = |taxon: TaxonId| {
        let most = if by_level {
            (u64::from(tree.level(taxon)), u64::from(tree.height()))
        } else {
            (tree.leaves_below(taxon) - 1, tree.domain_size() - 1)
        };
        (i128::from(top) * i128::from(most.0) / i128::from(most.1.max(1))) as i64
    };
    let line = Line {
        from: numbers.from(),
        to: numbers.to(),
        missing: numbers
            .of_code()
            .iter()
            .position(Option::is_none)
            .map(|code| ladder.taxa(0)[code]),
        root: tree.root(),
        measure: Measure {
            per,
            by_level,
            top,
            least: inner.map(as_taxon).min().unwrap_or(top).min(top),
        },
        values,
    };
    let leaves: Vec<u32> = codes.iter().map(|code| places[*code as usize]).collect();
    let floor = |width: u64| {
        let interval = if by_level {
            per
        } else {
            per.saturating_mul(width.cast_signed())
        };
        interval.min(line.measure.least)
    };
    let rungs = Rung::of_numbers(&line.values, by_level, top, floor);
    let axis = Axis {
        leaves,
        cells: (0..=missing).map(|place| both(place, place)).collect(),
        shape: Shape::Line(line),
    };
    (axis, rungs)
}
