//! Local recoding: rows in classes, each with cells of its own.
//!
//! **Definition.** A class shows one cell for each quasi-identifier, the same for all its rows: a taxon of its hierarchy or,
//! where the column may be cut anywhere, an interval of numbers.
//! **Reading.** An interval that is the whole domain is the taxon at the top, and the missing value alone is its leaf: so cells
//! that look alike are equal.

use rustc_hash::FxHashMap;

use crate::hierarchy::{Ladder, Numbers, TaxonId};

/// What a class shows of a quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A taxon of its hierarchy.
    Taxon(TaxonId),
    /// The numbers between two, both within, in grid steps.
    Interval(i64, i64),
}

/// Rows in classes, each with its own cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The class of each row.
    pub class_of_row: Vec<u32>,
    /// The cell of each quasi-identifier, by class.
    pub classes: Vec<Box<[Cell]>>,
    /// The numbers of each quasi-identifier whose cells may be intervals.
    pub numbers: Vec<Option<Numbers>>,
}

impl Local {
    /// Classes that show taxa only.
    pub fn of_taxa(class_of_row: Vec<u32>, classes: Vec<Box<[TaxonId]>>) -> Self {
        let numbers = vec![None; classes.first().map_or(0, |class| class.len())];
        let cells = |taxa: Box<[TaxonId]>| taxa.iter().copied().map(Cell::Taxon).collect();
        Self {
            class_of_row,
            classes: classes.into_iter().map(cells).collect(),
            numbers,
        }
    }

    /// The numbers of a quasi-identifier whose cells may be intervals.
    pub fn numbers(&self, attribute: usize) -> Option<&Numbers> {
        self.numbers.get(attribute).and_then(Option::as_ref)
    }

    /// How a cell of a quasi-identifier is published.
    pub fn label(&self, ladder: &Ladder, attribute: usize, cell: Cell) -> String {
        match (cell, self.numbers(attribute)) {
            (Cell::Taxon(taxon), _) => ladder.hierarchy().label(taxon).to_owned(),
            (Cell::Interval(low, high), Some(numbers)) => numbers.label(low, high),
            (Cell::Interval(low, high), None) => format!("{low}-{high}"),
        }
    }

    /// The class of each row as published, where classes with the same cells are one, and how many there are.
    pub fn published(&self) -> (Vec<u32>, usize) {
        let mut numbers: FxHashMap<&[Cell], u32> = FxHashMap::default();
        let number = |cells| {
            let next = numbers.len() as u32;
            *numbers.entry(cells).or_insert(next)
        };
        let published: Vec<u32> = self.classes.iter().map(AsRef::as_ref).map(number).collect();
        let rows = self.class_of_row.iter();
        let class_of_row = rows.map(|class| published[*class as usize]).collect();
        (class_of_row, numbers.len())
    }

    /// How many rows each class has.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.classes.len()];
        let rows = self.class_of_row.iter();
        rows.for_each(|class| sizes[*class as usize] += 1);
        sizes
    }
}
