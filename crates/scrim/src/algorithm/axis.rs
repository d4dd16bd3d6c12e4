//! A quasi-identifier as an axis: each value a place, so that what a class covers is a run of places.
//!
//! **Reading.** Numbers stand in their order, the missing one after them; leaves in the order of a walk down the tree. So the
//! least common ancestor of a class is that of its first and its last place.

use crate::hierarchy::{Hierarchy, Ladder, LeafOrder, Numbers, TaxonId};
use crate::recoding::Cell;
use crate::table::Column;

/// A quasi-identifier.
#[derive(Debug)]
pub(super) struct Axis<'a> {
    /// The place of each row.
    places: Vec<u32>,
    scale: Scale<'a>,
    tree: &'a Hierarchy,
    domain: u64,
}

#[derive(Debug)]
enum Scale<'a> {
    Numbers {
        numbers: &'a Numbers,
        /// The numbers that occur, ascending.
        values: Vec<i64>,
        missing: Option<TaxonId>,
    },
    Taxa {
        order: LeafOrder,
    },
}

/// The places that a class covers: the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span(u32, u32);

impl Span {
    /// Whether it is one place.
    pub(super) fn is_single(self) -> bool {
        self.0 == self.1
    }

    /// What two classes cover together.
    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.max(other.1))
    }
}

impl<'a> Axis<'a> {
    pub(super) fn new(ladder: &'a Ladder, numbers: Option<&'a Numbers>, column: &Column) -> Self {
        let tree = ladder.hierarchy().as_ref();
        let missing = column.dictionary().missing();
        let missing = missing.map(|code| ladder.taxa(0)[code as usize]);
        let (scale, place_of_code) = match numbers {
            Some(numbers) => of_numbers(numbers, missing),
            None => of_taxa(tree, ladder.taxa(0)),
        };
        let domain = numbers.map_or_else(|| tree.domain_size(), Numbers::domain_size);
        let mut places = vec![0; column.codes().len()];
        column
            .codes()
            .for_each(|row, code| places[row] = place_of_code[code as usize]);
        Self {
            places,
            scale,
            tree,
            domain,
        }
    }

    /// The place of a row.
    pub(super) fn place(&self, row: u32) -> u32 {
        self.places[row as usize]
    }

    /// What a row covers.
    pub(super) fn at(&self, row: u32) -> Span {
        Span(self.place(row), self.place(row))
    }

    /// Cells that cover a little more than one: the parent of a taxon; an interval with the next number on either side.
    pub(super) fn wider(&self, cell: Cell) -> Vec<Cell> {
        let root = Cell::Taxon(self.tree.root());
        match (cell, &self.scale) {
            (Cell::Taxon(taxon), Scale::Taxa { .. }) => self
                .tree
                .parent(taxon)
                .map(Cell::Taxon)
                .into_iter()
                .collect(),
            (
                Cell::Interval(low, high),
                Scale::Numbers {
                    numbers,
                    values,
                    missing,
                },
            ) => {
                let below = values.iter().rev().find(|value| **value < low);
                let above = values.iter().find(|value| **value > high);
                let whole = |(low, high): (i64, i64)| {
                    missing.is_none() && (low, high) == (numbers.from(), numbers.to())
                };
                let wider = below.map(|below| (*below, high)).into_iter();
                let wider = wider.chain(above.map(|above| (low, *above)));
                let wider = wider.filter(|ends| !whole(*ends));
                let wider = wider.map(|(low, high)| Cell::Interval(low, high));
                wider.chain([root]).collect()
            }
            (cell, _) if cell != root => vec![root],
            _ => Vec::new(),
        }
    }

    /// The least cell that covers two.
    pub(super) fn join(&self, left: Cell, right: Cell) -> Cell {
        let root = Cell::Taxon(self.tree.root());
        match (left, right, &self.scale) {
            _ if left == right => left,
            (Cell::Taxon(left), Cell::Taxon(right), Scale::Taxa { .. }) => {
                Cell::Taxon(self.tree.common_ancestor(left, right))
            }
            (
                Cell::Interval(low, high),
                Cell::Interval(from, to),
                Scale::Numbers {
                    numbers, missing, ..
                },
            ) => {
                let (low, high) = (low.min(from), high.max(to));
                let whole = missing.is_none() && (low, high) == (numbers.from(), numbers.to());
                if whole {
                    root
                } else {
                    Cell::Interval(low, high)
                }
            }
            _ => root,
        }
    }

    /// How many values a cell stands for beside one, of those that the domain has beside one.
    pub(super) fn width_of(&self, cell: Cell) -> (u128, u128) {
        let values = match cell {
            Cell::Interval(low, high) => Numbers::values(low, high),
            Cell::Taxon(taxon) if taxon == self.tree.root() => self.domain,
            Cell::Taxon(taxon) => self.tree.leaves_below(taxon),
        };
        let beside_one = |values: u64| u128::from(values.saturating_sub(1));
        (beside_one(values), beside_one(self.domain).max(1))
    }

    /// What rows cover.
    pub(super) fn span(&self, rows: &[u32]) -> Span {
        let places = rows.iter().map(|row| self.place(*row));
        let widen = |span: Span, place: u32| Span(span.0.min(place), span.1.max(place));
        places.fold(Span(u32::MAX, 0), widen)
    }

    /// What a class shows: the hull of its numbers, the least common ancestor of its taxa.
    pub(super) fn cell(&self, span: Span) -> Cell {
        let root = Cell::Taxon(self.tree.root());
        match &self.scale {
            Scale::Numbers {
                numbers,
                values,
                missing,
            } => match (
                values.get(span.0 as usize),
                values.get(span.1 as usize),
                missing,
            ) {
                (Some(low), Some(high), None)
                    if low < high && (*low, *high) == (numbers.from(), numbers.to()) =>
                {
                    root
                }
                (Some(low), Some(high), _) => Cell::Interval(*low, *high),
                (None, None, Some(leaf)) => Cell::Taxon(*leaf),
                _ => root,
            },
            Scale::Taxa { order } => Cell::Taxon(self.ancestor(order, span)),
        }
    }

    /// How wide a class is, as a fraction: the values that it covers beside one, of those that the domain has beside one.
    pub(super) fn width(&self, span: Span) -> (u128, u128) {
        self.width_of(self.cell(span))
    }

    /// Cuts a class that covers several places: puts the rows of each part together and says where each part ends. A cut
    /// that leaves a part empty is none.
    pub(super) fn cut(&self, rows: &mut [u32], span: Span, relaxed: bool) -> Vec<usize> {
        match &self.scale {
            Scale::Taxa { order } => {
                rows.sort_unstable_by_key(|row| self.place(*row));
                self.children(rows, self.ancestor(order, span), order)
            }
            Scale::Numbers { values, .. } if span.1 as usize == values.len() => {
                let numbers = partition(rows, |row| self.place(row) < span.1);
                vec![numbers, rows.len()]
            }
            Scale::Numbers { .. } => self.halve(rows, span, relaxed),
        }
    }

    /// The least common ancestor of the leaves that a class covers.
    fn ancestor(&self, order: &LeafOrder, span: Span) -> TaxonId {
        let leaf = |place: u32| order.leaves()[place as usize];
        self.tree.common_ancestor(leaf(span.0), leaf(span.1))
    }

    /// Where each child of a taxon ends, among rows sorted by place.
    fn children(&self, rows: &[u32], above: TaxonId, order: &LeafOrder) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut start = 0;
        while let Some(row) = rows.get(start) {
            let place = self.place(*row);
            let child = self
                .tree
                .child_towards(above, order.leaves()[place as usize]);
            let end = child.map_or(place + 1, |child| order.run(child).1);
            start += rows[start..].partition_point(|row| self.place(*row) < end);
            ends.push(start);
        }
        ends
    }

    /// Cuts numbers at their median.
    fn halve(&self, rows: &mut [u32], span: Span, relaxed: bool) -> Vec<usize> {
        let count = rows.len();
        if relaxed {
            let half = count.div_ceil(2);
            if half < count {
                rows.select_nth_unstable_by_key(half, |row| (self.place(*row), *row));
                return vec![half, count];
            }
            return Vec::new();
        }
        let middle = (count - 1) / 2;
        let (_, median, above) = rows.select_nth_unstable_by_key(middle, |row| self.place(*row));
        let median = self.place(*median);
        if median == span.1 {
            return Vec::new();
        }
        let equal = partition(above, |row| self.place(row) == median);
        vec![middle + 1 + equal, count]
    }
}

/// Puts the rows that are wanted first, and says how many there are.
fn partition(rows: &mut [u32], is_wanted: impl Fn(u32) -> bool) -> usize {
    let mut wanted = 0;
    for at in 0..rows.len() {
        if is_wanted(rows[at]) {
            rows.swap(wanted, at);
            wanted += 1;
        }
    }
    wanted
}

fn of_numbers(numbers: &Numbers, missing: Option<TaxonId>) -> (Scale<'_>, Vec<u32>) {
    let (values, places) = numbers.line();
    let scale = Scale::Numbers {
        numbers,
        values,
        missing,
    };
    (scale, places)
}

fn of_taxa<'a>(tree: &Hierarchy, leaves: &[TaxonId]) -> (Scale<'a>, Vec<u32>) {
    let order = LeafOrder::new(tree);
    let places = leaves.iter().map(|leaf| order.place(*leaf)).collect();
    (Scale::Taxa { order }, places)
}
