//! An axis of leaves: the values of a hierarchy in leaf order, so that every taxon is a run of them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::span::Span;
use crate::hierarchy::{Decimal, Hierarchy, TaxonId};
use crate::metric::standing::stands_at;

/// The leaves of a hierarchy, each a point.
#[derive(Clone, Debug)]
pub(super) struct Leaves {
    tree: Arc<Hierarchy>,
    /// The leaves below each taxon.
    spans: Vec<Span>,
    /// The leaf of each point.
    points: Vec<TaxonId>,
    labelled: FxHashMap<Box<str>, Vec<TaxonId>>,
    /// The taxa right below the real root.
    groups: Vec<TaxonId>,
    /// The leaf of the missing value, where it hangs right below the top: then it is the last point.
    missing: Option<TaxonId>,
}

impl Leaves {
    /// The leaves in the order of the hierarchy's file, or, where it was made from the data (`generated`), of the
    /// labels: then the order of the rows does not matter.
    pub(super) fn new(tree: Arc<Hierarchy>, generated: bool, missing: Option<&str>) -> Self {
        let root = tree.root();
        let missing = missing
            .and_then(|text| tree.leaf(text))
            .filter(|leaf| tree.parent(*leaf) == Some(root));
        let mut children = tree.child_lists();
        if generated {
            children
                .iter_mut()
                .for_each(|list| list.sort_by_cached_key(|taxon| order_of(tree.label(*taxon))));
        }
        // Stable: only the missing value moves, to the end.
        children[root.0 as usize].sort_by_key(|taxon| Some(*taxon) == missing);
        let mut layout = Layout {
            spans: vec![Span::point(0); tree.len()],
            leaves: Vec::new(),
            children,
        };
        layout.place(root);
        let mut labelled: FxHashMap<Box<str>, Vec<TaxonId>> = FxHashMap::default();
        for taxon in tree.taxa() {
            labelled
                .entry(tree.label(taxon).into())
                .or_default()
                .push(taxon);
        }
        let groups = groups(&layout.children, root, missing);
        Self {
            spans: layout.spans,
            points: layout.leaves,
            labelled,
            groups,
            missing,
            tree,
        }
    }

    /// How many leaves there are.
    pub(super) fn count(&self) -> u64 {
        self.points.len() as u64
    }

    /// The point of the missing value, where it is the last.
    pub(super) fn missing(&self) -> Option<u64> {
        self.missing.map(|leaf| self.span(leaf).low())
    }

    /// The runs that a random condition may ask for: the taxa right below the real root.
    pub(super) fn groups(&self) -> impl ExactSizeIterator<Item = Span> {
        self.groups.iter().map(|taxon| self.span(*taxon))
    }

    /// What a user means by a text: the value, else the largest taxon of that name.
    pub(super) fn meant(&self, text: &str) -> Option<Span> {
        let taxa = self.labelled.get(text).into_iter().flatten();
        let largest = || {
            taxa.map(|taxon| self.span(*taxon))
                .max_by_key(|span| span.points())
        };
        self.tree
            .leaf(text)
            .map(|leaf| self.span(leaf))
            .or_else(largest)
    }

    /// What each label of a published column stands for. A name of several taxa is the one at the lowest level that
    /// fits all labels of the column, as in a full-domain recoding; where there is none, the smallest.
    pub(super) fn published<'a>(&self, labels: impl Iterator<Item = &'a str>) -> Vec<Option<Span>> {
        let cells: Vec<Vec<TaxonId>> = labels.map(|label| self.candidates(label)).collect();
        let common = (0..=self.tree.height()).find(|level| {
            let fits = |taxa: &Vec<TaxonId>| {
                taxa.is_empty()
                    || taxa.contains(&self.tree.root())
                    || taxa
                        .iter()
                        .any(|taxon| stands_at(&self.tree, *taxon, *level))
            };
            cells.iter().all(fits)
        });
        let pick = |taxa: &Vec<TaxonId>| {
            let at_level = common.and_then(|level| {
                let mut standing = taxa
                    .iter()
                    .filter(|taxon| stands_at(&self.tree, **taxon, level));
                standing.next().map(|taxon| self.span(*taxon))
            });
            at_level.or_else(|| {
                taxa.iter()
                    .map(|taxon| self.span(*taxon))
                    .min_by_key(|span| span.points())
            })
        };
        cells.iter().map(pick).collect()
    }

    /// The values of a run.
    pub(super) fn values(&self, span: Span) -> impl Iterator<Item = &str> {
        let points = (span.low() as usize)..(span.high() as usize);
        let leaves = self.points.get(points).into_iter().flatten();
        leaves.map(|leaf| self.tree.label(*leaf))
    }

    /// How a run is written: a value or a taxon, or the first and the last value.
    pub(super) fn words(&self, span: Span) -> (String, String) {
        let label = |point: u64| {
            let mut values = self.values(Span::point(point));
            values.next().unwrap_or_default().to_owned()
        };
        if span.points() == 1 {
            return (label(span.low()), String::new());
        }
        let mut named = self
            .groups
            .iter()
            .filter(|taxon| self.span(**taxon) == span);
        match named.next().map(|taxon| self.tree.label(*taxon)) {
            Some(name) if self.meant(name) == Some(span) => (name.to_owned(), String::new()),
            _ => (label(span.low()), label(span.high() - 1)),
        }
    }

    fn span(&self, taxon: TaxonId) -> Span {
        self.spans[taxon.0 as usize]
    }

    fn candidates(&self, label: &str) -> Vec<TaxonId> {
        let mut taxa = self.labelled.get(label).cloned().unwrap_or_default();
        if let Some(leaf) = self.tree.leaf(label).filter(|leaf| !taxa.contains(leaf)) {
            taxa.push(leaf);
        }
        taxa
    }
}

/// The taxa right below the real root: a top above a single other taxon says no more than that one.
fn groups(children: &[Vec<TaxonId>], root: TaxonId, missing: Option<TaxonId>) -> Vec<TaxonId> {
    let below = |taxon: TaxonId| -> Vec<TaxonId> {
        let list = children[taxon.0 as usize].iter().copied();
        list.filter(|child| Some(*child) != missing).collect()
    };
    let mut at = root;
    loop {
        match below(at).as_slice() {
            [only] if !children[only.0 as usize].is_empty() => at = *only,
            [] => return vec![at],
            several => return several.to_vec(),
        }
    }
}

/// Numbers by their size, before texts.
fn order_of(label: &str) -> (bool, Option<Decimal>, String) {
    let value = Decimal::parse(label);
    (value.is_none(), value, label.to_owned())
}

struct Layout {
    spans: Vec<Span>,
    leaves: Vec<TaxonId>,
    children: Vec<Vec<TaxonId>>,
}

impl Layout {
    /// Gives the leaves below a taxon their points. No deeper than a hierarchy is tall.
    fn place(&mut self, taxon: TaxonId) {
        let low = self.leaves.len() as u64;
        if self.children[taxon.0 as usize].is_empty() {
            self.leaves.push(taxon);
        }
        for at in 0..self.children[taxon.0 as usize].len() {
            self.place(self.children[taxon.0 as usize][at]);
        }
        if let Some(span) = Span::new(low, self.leaves.len() as u64) {
            self.spans[taxon.0 as usize] = span;
        }
    }
}
