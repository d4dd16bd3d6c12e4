//! Which texts of the sensitive column `serial` protects, and as what they are counted.
//!
//! **Reading.** A name is a value, or a taxon: then every value below it, each for itself or all of them as one (`group`). What is
//! published as stars, or as a taxon above a lasting value, may be that value.

use rustc_hash::FxHashSet;

use super::super::{Published, is_suppressed};
use crate::error::Error;
use crate::hierarchy::Hierarchy;
use crate::release::policy::Protected;

/// The protected texts, and the name that each is counted under.
pub(super) struct Guarded {
    /// Every text but those that last.
    all: bool,
    transient: Vec<(String, FxHashSet<String>)>,
    pub(super) lasting: Vec<(String, FxHashSet<String>)>,
    /// Taxa above lasting values.
    above: FxHashSet<String>,
}

impl Guarded {
    pub(super) fn new(
        published: &Published<'_>,
        of: &str,
        (values, lasting, group): (&Protected, &[String], bool),
    ) -> Result<Self, Error> {
        let has_tree = published
            .policy
            .column(of)
            .is_some_and(|column| column.hierarchy.is_some());
        let tree = published.trees.iter().find(|(name, _)| name == of);
        if has_tree && tree.is_none() {
            let what = format!("the hierarchy of `{of}` was not read");
            return Err(Error::Internal(what));
        }
        let tree = tree.map(|(_, tree)| tree.as_ref());
        let names: &[String] = match values {
            Protected::All => &[],
            Protected::Named(names) => names,
        };
        let lasting = sets(lasting, group, tree);
        let lasts = |label: &str| lasting.iter().any(|(_, texts)| texts.contains(label));
        let above = tree.map_or_else(FxHashSet::default, |tree| {
            broader(tree, &|label| lasts(label), group)
        });
        Ok(Self {
            all: *values == Protected::All,
            transient: sets(names, group, tree),
            above,
            lasting,
        })
    }

    pub(super) fn transient<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        if self.all {
            return self.lasting(text).is_none().then_some(text);
        }
        named(&self.transient, text)
    }

    pub(super) fn lasting(&self, text: &str) -> Option<&str> {
        named(&self.lasting, text)
    }

    /// Whether a text may stand for a lasting value.
    pub(super) fn may_last(&self, text: &str) -> bool {
        !self.lasting.is_empty() && (is_suppressed(text) || self.above.contains(text))
    }
}

/// The labels of taxa that stand for several values of which one lasts, and that no single value has.
fn broader(tree: &Hierarchy, lasts: &dyn Fn(&str) -> bool, group: bool) -> FxHashSet<String> {
    let single = tree.taxa().filter(|taxon| tree.leaves_below(*taxon) == 1);
    let single: FxHashSet<&str> = single.map(|taxon| tree.label(taxon)).collect();
    let mut labels = FxHashSet::default();
    for taxon in tree.taxa().filter(|taxon| tree.leaves_below(*taxon) > 1) {
        let label = tree.label(taxon);
        let mut below = tree.taxa().filter(|low| tree.covers(taxon, *low));
        let is_one = group && lasts(label);
        if !is_one && !single.contains(label) && below.any(|low| lasts(tree.label(low))) {
            labels.insert(label.to_owned());
        }
    }
    labels
}

fn named<'a>(sets: &'a [(String, FxHashSet<String>)], text: &str) -> Option<&'a str> {
    let set = sets.iter().find(|(_, texts)| texts.contains(text))?;
    Some(&set.0)
}

/// The texts that each name means: one by one, or as a group; groups that overlap are one.
fn sets(
    names: &[String],
    group: bool,
    tree: Option<&Hierarchy>,
) -> Vec<(String, FxHashSet<String>)> {
    let mut sets: Vec<(String, FxHashSet<String>)> = Vec::new();
    for name in names {
        let mut texts: FxHashSet<String> = FxHashSet::from_iter([name.clone()]);
        if let Some(tree) = tree {
            texts.extend(below(tree, std::slice::from_ref(name)));
        }
        if !group {
            sets.extend(
                texts
                    .into_iter()
                    .map(|text| (text.clone(), FxHashSet::from_iter([text]))),
            );
            continue;
        }
        let mut name = name.clone();
        while let Some(at) = sets
            .iter()
            .position(|(_, other)| !other.is_disjoint(&texts))
        {
            let (other, more) = sets.remove(at);
            if more.len() > texts.len() {
                name = other;
            }
            texts.extend(more);
        }
        sets.push((name, texts));
    }
    sets
}

/// The labels of all taxa on whose way to the top one of the names stands.
fn below<'a>(tree: &'a Hierarchy, names: &'a [String]) -> impl Iterator<Item = String> + 'a {
    let is_below = |taxon: &_| {
        let mut way = std::iter::successors(Some(*taxon), |at| tree.parent(*at));
        way.any(|at| names.iter().any(|name| tree.label(at) == name))
    };
    let taxa = tree.taxa().filter(is_below);
    taxa.map(|taxon| tree.label(taxon).to_owned())
}
