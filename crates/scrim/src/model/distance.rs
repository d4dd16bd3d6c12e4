//! Distances between the distribution of a class and a reference: what a class must move to look like the table.
//!
//! **Definition.** The earth mover's distance, after Li et al. (2007; not among the papers in hand), for shares p of the
//! class and q of the reference. *Equal*: any two values are 1 apart, so it is half the sum of |p - q|. *Ordered*: the
//! values at places i and j of m are |i - j| / (m - 1) apart, so it is the sum over all places but the last of
//! |(p1 - q1) + .. + (pi - qi)| / (m - 1). *Hierarchical*: two values are height(their lowest common taxon) / H
//! apart, H the height of the tree. With the surplus of a taxon the sum of p - q below it, and at each inner taxon the
//! smaller of what its children have too much and too little, the distance is the sum of height / H times that.
//! **Reading.** The height of a taxon is the longest way down to a leaf, in uneven trees too; leaves that the data do
//! not have count for it. Heights grow on every way up, so that going over the lowest common taxon first is never
//! dearer and the formula is the least transport in uneven trees as well. With one place, or a tree of one taxon, all
//! values are alike and the distance is 0.
//! **Holds because** all is counted in whole units of 1 / (rows * reference rows * steps): exact. With at most 2^48
//! reference rows and 2^32 places these fit into 127 bits for every class below 2^40 rows.
//! **Cost.** Equal: O(values of a class). Ordered: O(places). Hierarchical: O(taxa above the column's values).
//! **Oracle.** `testkit::oracle::transport`, a search for the cheapest transport.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::belief::ratio;
use super::proportion::Proportion;
use super::reference::Reference;
use super::{Beliefs, Exact, ValueOrder};
use crate::frequency::Slice;
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::table::Dictionary;
use crate::{counted, verb};

/// How far apart two sensitive values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Any two values equally far.
    Equal,
    /// By their places in an order.
    Ordered(ValueOrder),
    /// By their lowest common taxon.
    Hierarchical(Taxonomy),
}

impl Distance {
    /// How many values of the column it knows, where it has to know them.
    pub(super) fn codes(&self) -> Option<usize> {
        match self {
            Self::Equal => None,
            Self::Ordered(order) => Some(order.codes()),
            Self::Hierarchical(taxonomy) => Some(taxonomy.taxon_of_code.len()),
        }
    }

    /// The distance of a class from the reference.
    pub(super) fn between(&self, class: Slice<'_>, rows: u64, reference: &Reference) -> Proportion {
        let scale = u128::from(rows) * u128::from(reference.rows());
        match self {
            Self::Equal => Proportion::new(equal(class, rows, reference), 2 * scale),
            Self::Ordered(order) => {
                let (work, places) = ordered(order, class, rows, reference);
                let steps = places.saturating_sub(1).max(1);
                Proportion::new(work, scale * u128::from(steps))
            }
            Self::Hierarchical(taxonomy) => {
                let steps = taxonomy.height.max(1);
                let work = taxonomy.work(class, rows, reference);
                Proportion::new(work, scale * u128::from(steps))
            }
        }
    }

    /// The distance from the reference that no belief within bounds exceeds; where the bounds meet, the distance.
    pub(super) fn at_most_from(&self, beliefs: &Beliefs<'_>, reference: &Reference) -> Exact {
        let there = |code: u32| ratio(reference.count(code), reference.rows());
        match self {
            Self::Equal => beliefs
                .iter()
                .map(|(code, (_, high))| positive(high - there(code)))
                .sum(),
            Self::Ordered(order) => {
                let mut places = vec![Span::default(); order.places() as usize];
                for (code, (low, high)) in beliefs.iter() {
                    places[order.place(code) as usize].add(low, high);
                }
                for (code, _) in (0..).zip(reference.counts()) {
                    places[order.place(code) as usize].shift(&there(code));
                }
                let steps = order.places().saturating_sub(1).max(1);
                let mut carried = Span::default();
                let work: Exact = places
                    .iter()
                    .map(|place| {
                        carried.add(&place.low, &place.high);
                        carried.low.abs().max(carried.high.abs())
                    })
                    .sum();
                work / BigInt::from(steps)
            }
            Self::Hierarchical(taxonomy) => taxonomy.at_most_from(beliefs, reference),
        }
    }
}

/// What a sum of shares may be, against what is wanted.
#[derive(Clone, Debug, Default)]
struct Span {
    low: Exact,
    high: Exact,
}

impl Span {
    fn add(&mut self, low: &Exact, high: &Exact) {
        self.low += low;
        self.high += high;
    }

    fn shift(&mut self, wanted: &Exact) {
        self.low -= wanted;
        self.high -= wanted;
    }
}

fn positive(number: Exact) -> Exact {
    number.max(Exact::zero())
}

/// What a value has too much in the class, in units of 1 / (rows * reference rows).
fn surplus(count: u32, rows: u64, wanted: u64, reference: u64) -> i128 {
    i128::from(count) * i128::from(reference) - i128::from(wanted) * i128::from(rows)
}

fn equal(class: Slice<'_>, rows: u64, reference: &Reference) -> u128 {
    let mut absent = reference.rows();
    let mut moved = 0;
    for (code, count) in class.iter() {
        let wanted = reference.count(code);
        absent -= wanted;
        moved += surplus(count, rows, wanted, reference.rows()).unsigned_abs();
    }
    moved + u128::from(absent) * u128::from(rows)
}

/// What is moved, and how many places the order has: a numeric one has those of the visible rows.
fn ordered(order: &ValueOrder, class: Slice<'_>, rows: u64, reference: &Reference) -> (u128, u32) {
    let mut places = vec![0i128; order.places() as usize];
    for (code, count) in class.iter() {
        places[order.place(code) as usize] += i128::from(count) * i128::from(reference.rows());
    }
    let mut occurs = vec![!order.is_of_occurring(); places.len()];
    for (code, wanted) in (0..).zip(reference.counts()) {
        let place = order.place(code) as usize;
        places[place] -= i128::from(*wanted) * i128::from(rows);
        occurs[place] |= *wanted > 0;
    }
    let (mut carried, mut work, mut count) = (0, 0, 0);
    // A place where the reference has nothing and the class has something is one too.
    for (place, occurs) in places.iter().zip(occurs) {
        if occurs || *place != 0 {
            carried += place;
            work += i128::unsigned_abs(carried);
            count += 1;
        }
    }
    (work, count)
}

/// The part of a tree that lies above the values of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taxonomy {
    /// Inner taxa and leaves, each before the one above it.
    taxa: Vec<Taxon>,
    taxon_of_code: Vec<u32>,
    height: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Taxon {
    parent: Option<u32>,
    height: u16,
}

impl Taxonomy {
    /// The tree above the values of a column, each of which must be a leaf of it.
    pub fn new(tree: &Hierarchy, dictionary: &Dictionary) -> Result<Self, String> {
        let leaves: Vec<TaxonId> = dictionary
            .texts()
            .filter_map(|text| tree.leaf(text))
            .collect();
        if leaves.len() < dictionary.len() {
            return Err(format!(
                "{} of the {} in the data {} of the hierarchy",
                dictionary.len() - leaves.len(),
                counted(dictionary.len(), "value"),
                verb(
                    dictionary.len() - leaves.len(),
                    "is no leaf",
                    "are no leaves"
                )
            ));
        }
        let heights = heights(tree);
        let mut order: Vec<TaxonId> = tree.taxa().collect();
        let mut used = vec![false; tree.len()];
        for leaf in &leaves {
            let mut at = Some(*leaf);
            while let Some(taxon) = at.filter(|taxon| !used[taxon.0 as usize]) {
                used[taxon.0 as usize] = true;
                at = tree.parent(taxon);
            }
        }
        order.retain(|taxon| used[taxon.0 as usize]);
        order.sort_by_key(|taxon| std::cmp::Reverse(tree.depth(*taxon)));
        let mut number = vec![0; tree.len()];
        for (at, taxon) in (0..).zip(&order) {
            number[taxon.0 as usize] = at;
        }
        let of = |taxon: TaxonId| number[taxon.0 as usize];
        Ok(Self {
            taxa: order
                .iter()
                .map(|taxon| Taxon {
                    parent: tree.parent(*taxon).map(of),
                    height: heights[taxon.0 as usize],
                })
                .collect(),
            taxon_of_code: leaves.iter().map(|leaf| of(*leaf)).collect(),
            height: heights[tree.root().0 as usize],
        })
    }

    /// As `work`, for beliefs within bounds and as a part of the whole.
    fn at_most_from(&self, beliefs: &Beliefs<'_>, reference: &Reference) -> Exact {
        let mut spans = vec![Span::default(); self.taxa.len()];
        for (code, (low, high)) in beliefs.iter() {
            spans[self.taxon_of_code[code as usize] as usize].add(low, high);
        }
        for (code, taxon) in (0..).zip(&self.taxon_of_code) {
            let wanted = ratio(reference.count(code), reference.rows());
            spans[*taxon as usize].shift(&wanted);
        }
        let mut sides: Vec<Span> = vec![Span::default(); self.taxa.len()];
        let mut work = Exact::zero();
        for (at, taxon) in self.taxa.iter().enumerate() {
            let Span {
                low: below,
                high: above,
            } = &sides[at];
            work += above.min(below) * BigInt::from(taxon.height);
            if let Some(parent) = taxon.parent {
                let span = spans[at].clone();
                spans[parent as usize].add(&span.low, &span.high);
                sides[parent as usize].add(&positive(-span.low), &positive(span.high));
            }
        }
        work / BigInt::from(self.height.max(1))
    }

    /// The sum over all taxa of height times what is moved over them.
    fn work(&self, class: Slice<'_>, rows: u64, reference: &Reference) -> u128 {
        let mut surplus = vec![0i128; self.taxa.len()];
        for (code, count) in class.iter() {
            surplus[self.taxon_of_code[code as usize] as usize] +=
                i128::from(count) * i128::from(reference.rows());
        }
        for (taxon, wanted) in self.taxon_of_code.iter().zip(reference.counts()) {
            surplus[*taxon as usize] -= i128::from(*wanted) * i128::from(rows);
        }
        // Of each taxon: what came from below too much and too little.
        let mut parts: Vec<(u128, u128)> = surplus.into_iter().map(sides).collect();
        let mut work = 0;
        for (at, taxon) in self.taxa.iter().enumerate() {
            let (above, below) = parts[at];
            work += above.min(below) * u128::from(taxon.height);
            if let Some(parent) = taxon.parent {
                let part = &mut parts[parent as usize];
                part.0 += above.saturating_sub(below);
                part.1 += below.saturating_sub(above);
            }
        }
        work
    }
}

/// A surplus as what is too much and what is too little.
fn sides(surplus: i128) -> (u128, u128) {
    if surplus > 0 {
        (surplus.unsigned_abs(), 0)
    } else {
        (0, surplus.unsigned_abs())
    }
}

/// The longest way down from each taxon to a leaf.
fn heights(tree: &Hierarchy) -> Vec<u16> {
    let mut heights = vec![0; tree.len()];
    let mut order: Vec<TaxonId> = tree.taxa().collect();
    order.sort_by_key(|taxon| std::cmp::Reverse(tree.depth(*taxon)));
    for taxon in order {
        if let Some(parent) = tree.parent(taxon) {
            let below: u16 = heights[taxon.0 as usize];
            let height = &mut heights[parent.0 as usize];
            *height = (*height).max(below + 1);
        }
    }
    heights
}
