//! A quasi-identifier's domain as a line of values that is cut into parts.
//!
//! **Reading.** Numbers are cut anywhere, along the line of those that occur; a categorical domain along its taxonomy: a part is
//! a taxon, and splitting it gives its children. A missing number stands beside the numbers: the uncut domain has it, and the
//! first split parts it from them.

use std::sync::Arc;

use crate::hierarchy::{Hierarchy, Ladder, LeafOrder, Numbers, TaxonId};
use crate::table::Dictionary;

/// A part of the line: the values at places `first..last`, and what they are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) extent: Extent,
}

/// What a part of a domain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All numbers and the missing one.
    Whole,
    /// The numbers between two, both within.
    Interval(i64, i64),
    /// The missing number.
    Missing,
    /// A taxon.
    Taxon(TaxonId),
}

/// The domain of an attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    /// The place of each code on the line.
    pub(super) place: Vec<u32>,
    /// How many places there are.
    pub(super) places: u32,
    /// What a value costs that a published part has beside the row's own.
    pub(super) unit: i128,
    /// The rows before each place.
    before: Vec<u64>,
    pub(super) kind: Kind,
}

/// What the values are.
#[derive(Debug)]
pub(super) enum Kind {
    Numeric {
        numbers: Numbers,
        /// The numbers that occur, ascending.
        values: Vec<i64>,
        /// How a missing number is spelt, where some are.
        missing: Option<String>,
    },
    Categorical {
        tree: Arc<Hierarchy>,
        children: Vec<Vec<TaxonId>>,
        order: LeafOrder,
    },
}

impl Attribute {
    pub(super) fn new(
        ladder: &Ladder,
        numbers: Option<&Numbers>,
        dictionary: &Dictionary,
        marginal: &[u64],
    ) -> Self {
        let (kind, place, places) = match numbers {
            Some(numbers) => numeric(numbers, dictionary),
            None => categorical(ladder),
        };
        let mut before = vec![0u64; places as usize + 1];
        place
            .iter()
            .zip(marginal)
            .for_each(|(place, rows)| before[*place as usize + 1] += rows);
        for at in 0..places as usize {
            before[at + 1] += before[at];
        }
        Self {
            place,
            places,
            unit: 0,
            before,
            kind,
        }
    }

    /// How many values the domain has.
    pub(super) fn domain(&self) -> u64 {
        match &self.kind {
            Kind::Numeric { numbers, .. } => numbers.domain_size(),
            Kind::Categorical { tree, .. } => tree.domain_size(),
        }
    }

    /// The whole domain as one part.
    pub(super) fn uncut(&self) -> Part {
        let extent = match &self.kind {
            Kind::Numeric {
                missing: Some(_), ..
            } => Extent::Whole,
            Kind::Numeric { numbers, .. } => Extent::Interval(numbers.from(), numbers.to()),
            Kind::Categorical { tree, .. } => return self.taxon_part(tree.root()),
        };
        Part {
            first: 0,
            last: self.places,
            extent,
        }
    }

    /// The part of a taxon, or of the taxon below it where that has the same values.
    fn taxon_part(&self, taxon: TaxonId) -> Part {
        let Kind::Categorical {
            children, order, ..
        } = &self.kind
        else {
            return self.uncut();
        };
        let mut taxon = taxon;
        while let [only] = children[taxon.0 as usize].as_slice() {
            taxon = *only;
        }
        let (first, last) = order.run(taxon);
        Part {
            first,
            last,
            extent: Extent::Taxon(taxon),
        }
    }

    /// How many values a part has.
    pub(super) fn values(&self, part: Part) -> u64 {
        match part.extent {
            Extent::Whole => self.domain(),
            Extent::Interval(low, high) => Numbers::values(low, high),
            Extent::Missing => 1,
            Extent::Taxon(taxon) => match &self.kind {
                Kind::Categorical { tree, .. } => tree.leaves_below(taxon).max(1),
                Kind::Numeric { .. } => 1,
            },
        }
    }

    /// How many rows a part has.
    pub(super) fn rows(&self, part: Part) -> u64 {
        self.before[part.last as usize] - self.before[part.first as usize]
    }

    /// What a part costs.
    pub(super) fn cost(&self, part: Part) -> i128 {
        self.unit * i128::from(self.rows(part)) * i128::from(self.values(part) - 1)
    }

    /// The parts that a taxon, or a domain with a missing number, is split into; nothing for others.
    pub(super) fn split_along(&self, part: Part) -> Option<Vec<Part>> {
        match (part.extent, &self.kind) {
            (Extent::Whole, Kind::Numeric { numbers, .. }) => Some(vec![
                Part {
                    first: part.first,
                    last: part.last - 1,
                    extent: Extent::Interval(numbers.from(), numbers.to()),
                },
                Part {
                    first: part.last - 1,
                    last: part.last,
                    extent: Extent::Missing,
                },
            ]),
            (Extent::Taxon(taxon), Kind::Categorical { children, .. }) => {
                let children = &children[taxon.0 as usize];
                let split = || {
                    children
                        .iter()
                        .map(|child| self.taxon_part(*child))
                        .collect()
                };
                (!children.is_empty()).then(split)
            }
            _ => None,
        }
    }

    /// The ways to split an interval, ascending: (the last number on the left, places on the left). Between two numbers that
    /// occur the cost is linear, so only the ends matter; before the first and after the last one a split trims.
    pub(super) fn splits_of(&self, part: Part) -> Vec<(i64, u32)> {
        let (Extent::Interval(low, high), Kind::Numeric { values, .. }) = (part.extent, &self.kind)
        else {
            return Vec::new();
        };
        let inside = &values[part.first as usize..part.last as usize];
        let (Some(least), Some(most)) = (inside.first(), inside.last()) else {
            return Vec::new();
        };
        let mut splits = Vec::with_capacity(2 * inside.len());
        splits.extend((low < *least).then_some((least - 1, 0)));
        for (at, pair) in (1..).zip(inside.windows(2)) {
            splits.push((pair[0], at));
            splits.extend((pair[0] < pair[1] - 1).then_some((pair[1] - 1, at)));
        }
        splits.extend((*most < high).then_some((*most, inside.len() as u32)));
        splits
    }

    /// An interval cut after a number.
    pub(super) fn split_at(part: Part, after: i64, places: u32) -> [Part; 2] {
        let (low, high) = match part.extent {
            Extent::Interval(low, high) => (low, high),
            _ => (after, after),
        };
        let middle = part.first + places;
        [
            Part {
                first: part.first,
                last: middle,
                extent: Extent::Interval(low, after),
            },
            Part {
                first: middle,
                last: part.last,
                extent: Extent::Interval(after + 1, high),
            },
        ]
    }

    /// The narrowest part of the values at these places.
    pub(super) fn hull(&self, first: u32, last: u32) -> Part {
        let extent = match &self.kind {
            Kind::Numeric { values, .. } if first < last && last as usize <= values.len() => {
                Extent::Interval(values[first as usize], values[last as usize - 1])
            }
            Kind::Numeric { .. } => Extent::Missing,
            Kind::Categorical { .. } => return self.uncut(),
        };
        Part {
            first,
            last,
            extent,
        }
    }

    /// What parts next to each other are together, where that is a part: of numbers, two that meet; else all children of a
    /// taxon. `parts` starts with the first of them; also how many of them there are.
    pub(super) fn joined(&self, parts: &[Part]) -> Option<(Part, usize)> {
        let (first, second) = (parts.first()?, parts.get(1)?);
        match (first.extent, second.extent) {
            (Extent::Interval(..), Extent::Interval(..)) => {
                Some((self.hull(first.first, second.last), 2))
            }
            (Extent::Interval(..), Extent::Missing) if first.first == 0 => Some((self.uncut(), 2)),
            (Extent::Taxon(taxon), _) => self.siblings(taxon, parts),
            _ => None,
        }
    }

    fn siblings(&self, taxon: TaxonId, parts: &[Part]) -> Option<(Part, usize)> {
        let Kind::Categorical { tree, .. } = &self.kind else {
            return None;
        };
        let mut above = tree.parent(taxon)?;
        // A taxon below a single child stands for its ancestors as well.
        while self.taxon_part(above).extent == Extent::Taxon(taxon) {
            above = tree.parent(above)?;
        }
        let whole = self.taxon_part(above);
        let split = self.split_along(whole)?;
        parts.starts_with(&split).then_some((whole, split.len()))
    }
}

fn numeric(numbers: &Numbers, dictionary: &Dictionary) -> (Kind, Vec<u32>, u32) {
    let (values, place) = numbers.line();
    let missing = dictionary
        .missing()
        .map(|code| dictionary.text(code).to_owned());
    let places = values.len() + usize::from(missing.is_some());
    let kind = Kind::Numeric {
        numbers: numbers.clone(),
        values,
        missing,
    };
    (kind, place, places as u32)
}

fn categorical(ladder: &Ladder) -> (Kind, Vec<u32>, u32) {
    let tree = Arc::clone(ladder.hierarchy());
    let order = LeafOrder::new(&tree);
    let place = ladder.taxa(0).iter().map(|leaf| order.place(*leaf));
    let (place, places) = (place.collect(), order.leaves().len() as u32);
    let children = tree.child_lists();
    let kind = Kind::Categorical {
        tree,
        children,
        order,
    };
    (kind, place, places)
}
