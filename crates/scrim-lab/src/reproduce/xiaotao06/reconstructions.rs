//! Definitions 9 and 10 word by word: every possible reconstruction of a class, one after the other.

use scrim::Share;
use scrim::hierarchy::{Hierarchy, TaxonId};

/// How many reconstructions there are, and how many of them breach the guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) possible: u64,
    pub(super) breaching: u64,
}

impl Counted {
    /// The breach probability, by equation 3.
    pub(super) fn probability(self) -> Option<Share> {
        Share::new(self.breaching.into(), self.possible.into())
    }
}

/// A class as the adversary sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) tree: &'a Hierarchy,
    /// The published value of each row.
    pub(super) published: &'a [TaxonId],
    /// How many persons may own them; the first one is the target.
    pub(super) persons: usize,
    /// Whether a person owns one row at most.
    pub(super) primary: bool,
}

impl Seen<'_> {
    /// Counts by trying all owners with all leaves.
    pub(super) fn count(&self, guard: Option<TaxonId>) -> Counted {
        let leaves: Vec<Vec<TaxonId>> = self
            .published
            .iter()
            .map(|taxon| leaves_below(self.tree, *taxon))
            .collect();
        let widths: Vec<usize> = leaves.iter().map(Vec::len).collect();
        let mut counted = Counted {
            possible: 0,
            breaching: 0,
        };
        each(&vec![self.persons; leaves.len()], &mut |owners| {
            if self.primary && (1..owners.len()).any(|at| owners[..at].contains(&owners[at])) {
                return;
            }
            each(&widths, &mut |values| {
                let breaches = (0..owners.len()).any(|row| {
                    let value = leaves[row][values[row]];
                    owners[row] == 0 && guard.is_some_and(|guard| self.tree.covers(guard, value))
                });
                counted.possible += 1;
                counted.breaching += u64::from(breaches);
            });
        });
        counted
    }
}

fn leaves_below(tree: &Hierarchy, taxon: TaxonId) -> Vec<TaxonId> {
    tree.taxa()
        .filter(|below| tree.covers(taxon, *below))
        .filter(|below| tree.leaf(tree.label(*below)) == Some(*below))
        .collect()
}

/// Every choice of one of so many at each place.
fn each(widths: &[usize], visit: &mut dyn FnMut(&[usize])) {
    let mut chosen = vec![0; widths.len()];
    if widths.contains(&0) {
        return;
    }
    loop {
        visit(&chosen);
        let Some(place) = (0..widths.len()).find(|place| chosen[*place] + 1 < widths[*place])
        else {
            return;
        };
        chosen[..place].fill(0);
        chosen[place] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_choices_are_visited_once() {
        let mut seen = Vec::new();
        each(&[2, 3], &mut |chosen| seen.push(chosen.to_vec()));
        seen.sort();
        let all = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]];
        assert_eq!(seen, all);
        each(&[2, 0], &mut |_| panic!("there is no choice"));
    }
}
