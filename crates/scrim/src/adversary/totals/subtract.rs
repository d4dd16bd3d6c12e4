//! What the cells of one column may be, by their number and the totals.
//!
//! **Holds because** of the cells that show a taxon or something below it, as many values are left over as the totals of its leaves exceed
//! the cells; these go up to the parent. In the parent's pool a value comes from one child only, so the least and the most that
//! may be there follow from those of the child: of a pool with between *l* and *h* cells of a value, *m* cells are taken and *s* go
//! up, in any way; so the *m* have between max(0, l - s) and min(m, h) of it, and the others between max(0, l - m) and min(h, s).
//! Worlds are as many as ways to hand the people to the cells, up to the order of equals, so each choice of *m* from a pool is
//! equally likely, and the expected number of a value is shared out in proportion.

use std::collections::BTreeMap;

use crate::hierarchy::{Hierarchy, TaxonId};
use crate::share::Share;

/// The cells that show one taxon.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they show.
    pub taxon: TaxonId,
    /// How many they are.
    pub cells: u64,
    /// Whether it is no single value.
    pub is_hidden: bool,
    /// Whether it is the top.
    pub is_root: bool,
    /// The value that all of them have, where that is certain.
    pub certain: Option<TaxonId>,
    /// How many values a cell may have.
    pub possible: u64,
    /// How many of the values with a total lie below what they show.
    pub below: u64,
    /// The largest probability of a value of a cell.
    pub most: f64,
    /// The same, where it is short.
    pub most_exact: Option<Share>,
}

/// More cells show a taxon, or something below it, than the totals allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The taxon.
    pub taxon: TaxonId,
    /// The cells.
    pub cells: u64,
    /// The total.
    pub total: u64,
}

/// A part of a pool that has one value.
#[derive(Clone, Copy, Debug)]
struct Part {
    least: u64,
    most: u64,
    expected: f64,
    exact: Option<Share>,
}

/// What the cells may be: how many show each taxon, against the totals of leaves. All cells together are as many as all totals.
pub fn subtract(
    tree: &Hierarchy,
    totals: &[(TaxonId, u64)],
    shown: &BTreeMap<TaxonId, u64>,
) -> Result<Vec<Group>, Contradiction> {
    let left = leftover(tree, totals, shown)?;
    let mut is_leaf = vec![true; tree.len()];
    for parent in tree.taxa().filter_map(|taxon| tree.parent(taxon)) {
        is_leaf[parent.0 as usize] = false;
    }
    let group = |taxon: TaxonId, cells: u64| Group {
        taxon,
        cells,
        is_hidden: !is_leaf[taxon.0 as usize],
        is_root: tree.parent(taxon).is_none(),
        certain: None,
        possible: 0,
        below: 0,
        most: 0.0,
        most_exact: None,
    };
    let mut groups: BTreeMap<TaxonId, Group> = shown
        .iter()
        .filter(|(_, cells)| **cells > 0)
        .map(|(taxon, cells)| (*taxon, group(*taxon, *cells)))
        .collect();
    for (leaf, total) in totals.iter().filter(|(_, total)| *total > 0) {
        let mut part = Part {
            least: *total,
            most: *total,
            expected: *total as f64,
            exact: Some(Share::whole((*total).into())),
        };
        let mut at = Some(*leaf);
        while let Some(taxon) = at {
            let (cells, up) = (
                shown.get(&taxon).copied().unwrap_or(0),
                left[taxon.0 as usize],
            );
            if let Some(group) = groups.get_mut(&taxon) {
                group.take(*leaf, part, up);
            }
            part = part.handed_up(cells, up);
            at = tree.parent(taxon);
        }
    }
    Ok(groups.into_values().collect())
}

impl Group {
    /// Takes note of a value of which the pool has a part; `up` of the pool are left over.
    fn take(&mut self, leaf: TaxonId, part: Part, up: u64) {
        self.below += 1;
        if part.most == 0 {
            return;
        }
        self.possible += 1;
        if part.least.saturating_sub(up) >= self.cells {
            self.certain = Some(leaf);
        }
        let pool = self.cells + up;
        let probability = part.expected / pool as f64;
        if probability > self.most {
            self.most = probability;
            self.most_exact = over(part.exact, pool);
        }
    }
}

impl Part {
    /// What is left of it when so many cells took theirs, and so many of the pool go up.
    fn handed_up(self, cells: u64, up: u64) -> Self {
        let pool = (cells + up).max(1);
        let exact = self
            .exact
            .and_then(|exact| exact.checked_mul(Share::whole(up.into())));
        Self {
            least: self.least.saturating_sub(cells),
            most: self.most.min(up),
            expected: self.expected * up as f64 / pool as f64,
            exact: over(exact, pool),
        }
    }
}

fn over(share: Option<Share>, number: u64) -> Option<Share> {
    share?.checked_mul(Share::new(1, number.into())?)
}

/// By taxon: how many values of its leaves go to cells above it.
fn leftover(
    tree: &Hierarchy,
    totals: &[(TaxonId, u64)],
    shown: &BTreeMap<TaxonId, u64>,
) -> Result<Vec<u64>, Contradiction> {
    let mut supply = vec![0u64; tree.len()];
    let mut demand = vec![0u64; tree.len()];
    totals
        .iter()
        .for_each(|(leaf, total)| supply[leaf.0 as usize] += total);
    shown
        .iter()
        .for_each(|(taxon, cells)| demand[taxon.0 as usize] += cells);
    let mut deepest_first: Vec<TaxonId> = tree.taxa().collect();
    deepest_first.sort_by_key(|taxon| std::cmp::Reverse(tree.depth(*taxon)));
    let mut left = vec![0; tree.len()];
    for taxon in deepest_first {
        let at = taxon.0 as usize;
        left[at] = supply[at].checked_sub(demand[at]).ok_or(Contradiction {
            taxon,
            cells: demand[at],
            total: supply[at],
        })?;
        if let Some(parent) = tree.parent(taxon) {
            supply[parent.0 as usize] += supply[at];
            demand[parent.0 as usize] += demand[at];
        }
    }
    Ok(left)
}
