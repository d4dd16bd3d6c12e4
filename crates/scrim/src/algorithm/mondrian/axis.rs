//! A quasi-identifier as an axis: each value a place, so that what a class covers is a run of places.
//!
//! **Reading.** Numbers stand in their order, the missing one after them; taxa in the order of a walk down the tree, each
//! right before those below it. So the least common ancestor of a class is that of its first and its last place.

use crate::hierarchy::{Hierarchy, Ladder, Numbers, TaxonId};
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
        /// The taxon of each place.
        taxa: Vec<TaxonId>,
        /// The last place below each taxon.
        last: Vec<u32>,
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

    fn place(&self, row: u32) -> u32 {
        self.places[row as usize]
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
            Scale::Taxa { taxa, .. } => Cell::Taxon(
                self.tree
                    .common_ancestor(taxa[span.0 as usize], taxa[span.1 as usize]),
            ),
        }
    }

    /// How wide a class is, as a fraction: the values that it covers beside one, of those that the domain has beside one.
    pub(super) fn width(&self, span: Span) -> (u128, u128) {
        let values = match self.cell(span) {
            Cell::Interval(low, high) => Numbers::values(low, high),
            Cell::Taxon(taxon) if taxon == self.tree.root() => self.domain,
            Cell::Taxon(taxon) => self.tree.leaves_below(taxon),
        };
        let beside_one = |values: u64| u128::from(values.saturating_sub(1));
        (beside_one(values), beside_one(self.domain).max(1))
    }

    /// Cuts a class that covers several places: puts the rows of each part together and says where each part ends. A cut
    /// that leaves a part empty is none.
    pub(super) fn cut(&self, rows: &mut [u32], span: Span, relaxed: bool) -> Vec<usize> {
        match &self.scale {
            Scale::Taxa { last, taxa } => {
                let above = self
                    .tree
                    .common_ancestor(taxa[span.0 as usize], taxa[span.1 as usize]);
                rows.sort_unstable_by_key(|row| self.place(*row));
                self.children(rows, above, taxa, last)
            }
            Scale::Numbers { values, .. } if span.1 as usize == values.len() => {
                let numbers = partition(rows, |row| self.place(row) < span.1);
                vec![numbers, rows.len()]
            }
            Scale::Numbers { .. } => self.halve(rows, span, relaxed),
        }
    }

    /// Where each child of a taxon ends, among rows sorted by place.
    fn children(&self, rows: &[u32], above: TaxonId, taxa: &[TaxonId], last: &[u32]) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut start = 0;
        while let Some(row) = rows.get(start) {
            let taxon = taxa[self.place(*row) as usize];
            // A value that is the taxon itself is a part of its own.
            let child = self.tree.child_towards(above, taxon);
            let end = child.map_or(self.place(*row), |child| last[child.0 as usize]);
            start += rows[start..].partition_point(|row| self.place(*row) <= end);
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
    let mut values: Vec<i64> = numbers.of_code().iter().flatten().copied().collect();
    values.sort_unstable();
    values.dedup();
    let place = |number: &Option<i64>| match number {
        Some(number) => values.partition_point(|value| value < number) as u32,
        None => values.len() as u32,
    };
    let places = numbers.of_code().iter().map(place).collect();
    let scale = Scale::Numbers {
        numbers,
        values,
        missing,
    };
    (scale, places)
}

fn of_taxa<'a>(tree: &Hierarchy, leaves: &[TaxonId]) -> (Scale<'a>, Vec<u32>) {
    let children = tree.child_lists();
    let mut taxa = Vec::with_capacity(tree.len());
    let mut place = vec![0; tree.len()];
    let mut last = vec![0; tree.len()];
    let mut open = vec![(tree.root(), false)];
    while let Some((taxon, leaving)) = open.pop() {
        let at = taxon.0 as usize;
        if leaving {
            last[at] = taxa.len() as u32 - 1;
            continue;
        }
        place[at] = taxa.len() as u32;
        taxa.push(taxon);
        open.push((taxon, true));
        open.extend(children[at].iter().rev().map(|child| (*child, false)));
    }
    let places = leaves.iter().map(|leaf| place[leaf.0 as usize]).collect();
    (Scale::Taxa { taxa, last }, places)
}
