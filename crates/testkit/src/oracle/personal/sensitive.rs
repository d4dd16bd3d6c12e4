//! SA-generalization of one class: all of them, and the least safe one.
//!
//! **Definition.** A general domain (\[XiaoTao06\], Definition 5) is a set of disjoint taxa that covers all leaves; an
//! SA-generalization publishes for each row of the class the taxon of one domain above its value. It is safe when no row of the class
//! is breached with more than p. The least one is pointwise at or below all safe ones (Theorem 3).
//! **Reading.** A domain serves one class only; classes may use different domains. n is the number of distinct persons in the class.

use std::collections::BTreeSet;

use super::{Taxonomy, breach};
use crate::Fraction;

/// The secret part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardedRow {
    /// The sensitive value: a leaf.
    pub leaf: usize,
    /// The guard, on the path from the root to the leaf; none asks for nothing.
    pub guard: Option<usize>,
    /// Whose row it is.
    pub person: u32,
}

/// What a class can publish safely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitiveGeneralizations {
    /// All safe lists of published values, row by row, each once.
    pub safe: Vec<Vec<usize>>,
    /// The safe list at or below all others, where there is one.
    pub minimal: Option<Vec<usize>>,
}

/// All general domains of the tree, each with its taxa in order.
#[must_use]
pub fn general_domains(tree: &Taxonomy) -> Vec<Vec<usize>> {
    domains_below(tree, tree.root())
}

/// The taxon itself, or one domain of each child, in all ways.
fn domains_below(tree: &Taxonomy, taxon: usize) -> Vec<Vec<usize>> {
    let mut domains = vec![vec![taxon]];
    let children = tree.children(taxon);
    if !children.is_empty() {
        domains.extend(children.iter().fold(vec![Vec::new()], |begun, child| {
            let below = domains_below(tree, *child);
            begun
                .iter()
                .flat_map(|domain| below.iter().map(move |more| [&domain[..], more].concat()))
                .collect()
        }));
    }
    domains
}

/// The breach probability of each row, the persons counted by the class itself.
#[must_use]
pub fn breaches(
    tree: &Taxonomy,
    rows: &[GuardedRow],
    published: &[usize],
    primary: bool,
) -> Vec<Fraction> {
    let persons: BTreeSet<u32> = rows.iter().map(|row| row.person).collect();
    rows.iter()
        .map(|row| breach(tree, published, persons.len(), row.guard, primary))
        .collect()
}

/// Whether no row is breached with more than p.
#[must_use]
pub fn is_safe(
    tree: &Taxonomy,
    rows: &[GuardedRow],
    published: &[usize],
    p: Fraction,
    primary: bool,
) -> bool {
    breaches(tree, rows, published, primary)
        .into_iter()
        .all(|probability| probability <= p)
}

/// All safe SA-generalizations of the class, by trying every general domain.
///
/// # Panics
/// When a value is not a leaf or a guard is not on its path.
#[must_use]
pub fn sensitive_generalizations(
    tree: &Taxonomy,
    rows: &[GuardedRow],
    p: Fraction,
    primary: bool,
) -> SensitiveGeneralizations {
    for row in rows {
        assert_eq!(tree.leaves_below(row.leaf), [row.leaf], "no leaf");
        assert!(
            row.guard
                .is_none_or(|guard| tree.is_within(row.leaf, guard))
        );
    }
    let published: BTreeSet<Vec<usize>> = general_domains(tree)
        .iter()
        .map(|domain| {
            rows.iter()
                .map(|row| cover(tree, domain, row.leaf))
                .collect()
        })
        .collect();
    let safe: Vec<Vec<usize>> = published
        .into_iter()
        .filter(|published| is_safe(tree, rows, published, p, primary))
        .collect();
    let minimal = safe
        .iter()
        .find(|least| safe.iter().all(|other| is_at_most(tree, least, other)))
        .cloned();
    SensitiveGeneralizations { safe, minimal }
}

fn cover(tree: &Taxonomy, domain: &[usize], leaf: usize) -> usize {
    *domain
        .iter()
        .find(|taxon| tree.is_within(leaf, **taxon))
        .expect("a general domain covers all leaves")
}

fn is_at_most(tree: &Taxonomy, low: &[usize], high: &[usize]) -> bool {
    low.iter()
        .zip(high)
        .all(|(low, high)| tree.is_within(*low, *high))
}
