//! What a `serial` promise protects: which texts of the sensitive column count as which protected value.
//!
//! **Reading.** A name is a value, or a taxon of the column's tree: then every value below it is protected, each for itself, or
//! all of them as one where the policy says `group`. Groups that overlap are one group. `"all"` means every value that
//! is not lasting.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::policy::Protected;
use crate::hierarchy::{Hierarchy, is_star};

/// Which texts of a sensitive column are protected, and as what they are counted.
#[derive(Clone, Debug)]
pub struct Shield {
    all: bool,
    /// By text: the name that it is counted under.
    transient: FxHashMap<String, String>,
    lasting: FxHashMap<String, String>,
    /// Labels of taxa above lasting values: what is published so may be one of them.
    above: BTreeSet<String>,
}

impl Shield {
    /// The values and taxa of a policy, over the column's tree where it has one. Names that are no taxa are values.
    pub fn new(
        values: &Protected,
        lasting: &[String],
        group: bool,
        tree: Option<&Hierarchy>,
    ) -> Self {
        let names: &[String] = match values {
            Protected::All => &[],
            Protected::Named(names) => names,
        };
        let lasting = counted_under(lasting, group, tree);
        Self {
            all: *values == Protected::All,
            transient: counted_under(names, group, tree),
            above: above(&lasting, group, tree),
            lasting,
        }
    }

    /// Whether a text is protected.
    pub fn covers(&self, text: &str) -> bool {
        self.transient(text).or(self.lasting(text)).is_some()
    }

    /// The name under which a transient text is counted.
    pub fn transient<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        if self.all {
            return (!self.lasting.contains_key(text)).then_some(text);
        }
        self.transient.get(text).map(String::as_str)
    }

    /// The name under which a lasting text is counted.
    pub fn lasting(&self, text: &str) -> Option<&str> {
        self.lasting.get(text).map(String::as_str)
    }

    /// The names under which lasting texts are counted.
    pub fn lasting_names(&self) -> BTreeSet<&str> {
        // A set: the order of the map does not matter.
        self.lasting.values().map(String::as_str).collect()
    }

    /// Whether a text that is not lasting may stand for one that is: stars, or a taxon above it.
    pub fn may_be_lasting(&self, text: &str) -> bool {
        !self.lasting.is_empty() && (is_star(text) || self.above.contains(text))
    }

    /// Whether a history must have the counts of this text.
    pub fn asks_for(&self, text: &str) -> bool {
        self.covers(text) || self.may_be_lasting(text)
    }

    /// A text that is called both transient and lasting.
    pub fn contradiction(&self) -> Option<&str> {
        let mut both: Vec<&str> = self.transient.keys().map(String::as_str).collect();
        both.retain(|text| self.lasting.contains_key(*text));
        both.into_iter().min()
    }
}

/// By text the name that it is counted under.
fn counted_under(
    names: &[String],
    group: bool,
    tree: Option<&Hierarchy>,
) -> FxHashMap<String, String> {
    let mut groups: Vec<(String, BTreeSet<String>)> = Vec::new();
    for name in names {
        let mut texts = below(name, tree);
        texts.insert(name.clone());
        if !group {
            groups.extend(
                texts
                    .into_iter()
                    .map(|text| (text.clone(), BTreeSet::from([text]))),
            );
            continue;
        }
        let mut joined = (name.clone(), texts);
        let (overlapping, apart) = groups
            .into_iter()
            .partition(|(_, texts): &(_, BTreeSet<String>)| !texts.is_disjoint(&joined.1));
        groups = apart;
        let overlapping: Vec<(String, BTreeSet<String>)> = overlapping;
        for (name, texts) in overlapping {
            // Of nested groups the larger gives the name.
            if !texts.is_subset(&joined.1) {
                joined.0 = if joined.1.is_subset(&texts) {
                    name
                } else {
                    format!("{name} or {}", joined.0)
                };
            }
            joined.1.extend(texts);
        }
        groups.push(joined);
    }
    let texts = groups.into_iter().flat_map(|(name, texts)| {
        let counted = move |text: String| (text, name.clone());
        texts.into_iter().map(counted).collect::<Vec<_>>()
    });
    texts.collect()
}

/// The labels of the leaves below taxa of this name.
fn below(name: &str, tree: Option<&Hierarchy>) -> BTreeSet<String> {
    let Some(tree) = tree else {
        return BTreeSet::new();
    };
    let taxa: Vec<_> = tree.labelled(name).collect();
    let leaves = tree.taxa().filter(|leaf| {
        tree.leaves_below(*leaf) == 1 && taxa.iter().any(|taxon| tree.covers(*taxon, *leaf))
    });
    leaves.map(|leaf| tree.label(leaf).to_owned()).collect()
}

/// The labels of taxa that stand for several values, a lasting one among them; in a group all that lies below it is one value.
fn above(
    lasting: &FxHashMap<String, String>,
    group: bool,
    tree: Option<&Hierarchy>,
) -> BTreeSet<String> {
    let Some(tree) = tree.filter(|_| !lasting.is_empty()) else {
        return BTreeSet::new();
    };
    let is_leaf = |taxon: &_| tree.leaves_below(*taxon) == 1;
    let leaves = || tree.taxa().filter(is_leaf);
    let mut above = BTreeSet::new();
    for leaf in leaves().filter(|leaf| lasting.contains_key(tree.label(*leaf))) {
        let way = std::iter::successors(tree.parent(leaf), |at| tree.parent(*at));
        let several = way.filter(|taxon| !is_leaf(taxon));
        above.extend(several.map(|taxon| tree.label(taxon).to_owned()));
    }
    above.retain(|label| !(group && lasting.contains_key(label)));
    let single: BTreeSet<&str> = leaves().map(|leaf| tree.label(leaf)).collect();
    above.retain(|label| !single.contains(label.as_str()));
    above
}
