//! A hierarchy down to its cut, small enough to be drawn.

use serde::Serialize;

use super::marks::Mark;
use crate::hierarchy::{Hierarchy, Ladder, TaxonId};

/// So many published values of a column are drawn: those that most rows show.
const MOST: usize = 40;

/// What is drawn of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outline {
    /// The taxa down to the published ones, each before those below it. A way without a fork is shortened.
    pub taxa: Vec<OutlineTaxon>,
    /// Published intervals of numbers, in the order of the domain.
    pub spans: Vec<Span>,
    /// Published values that are not drawn.
    pub left_out: u64,
    /// The rows that show them.
    pub left_out_rows: u64,
}

/// A taxon of an outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutlineTaxon {
    /// Its label.
    pub label: String,
    /// How many drawn taxa are above it.
    pub depth: u16,
    /// Whether the cut goes through it: rows may show it.
    pub published: bool,
    /// The rows that show it.
    pub rows: u64,
    /// The values of the domain that it stands for.
    pub values: u64,
}

/// A published interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Its label.
    pub label: String,
    /// Where it starts, as a share of the domain.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The rows that show it.
    pub rows: u64,
    /// The values of the domain that it stands for.
    pub values: u64,
}

impl Outline {
    /// What is drawn of what a column shows.
    pub(super) fn new(ladder: &Ladder, marks: &[(Mark, u64)]) -> Self {
        // The most frequent are drawn; among equals the first, so that the choice is no accident.
        let mut order: Vec<usize> = (0..marks.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(marks[*at].1), *at));
        let left = order.split_off(order.len().min(MOST));
        let mut outline = Self {
            left_out: left.len() as u64,
            left_out_rows: left.iter().map(|at| marks[*at].1).sum(),
            ..Self::default()
        };
        order.sort_unstable();
        let tree = ladder.hierarchy();
        let mut shown: Vec<Option<u64>> = vec![None; tree.len()];
        for at in order {
            match &marks[at] {
                (Mark::Taxon(taxon), rows) => shown[taxon.0 as usize] = Some(*rows),
                (Mark::Span(label, from, to, values), rows) => outline.spans.push(Span {
                    label: label.clone(),
                    from: *from,
                    to: *to,
                    rows: *rows,
                    values: *values,
                }),
            }
        }
        outline.taxa = taxa(tree, &shown);
        outline
    }
}

/// The taxa that are shown, and those above them.
fn taxa(tree: &Hierarchy, shown: &[Option<u64>]) -> Vec<OutlineTaxon> {
    let mut needed = vec![false; tree.len()];
    for taxon in tree
        .taxa()
        .filter(|taxon| shown[taxon.0 as usize].is_some())
    {
        let mut at = Some(taxon);
        while let Some(taxon) = at.filter(|taxon| !needed[taxon.0 as usize]) {
            needed[taxon.0 as usize] = true;
            at = tree.parent(taxon);
        }
    }
    let mut children = tree.child_lists();
    for below in &mut children {
        below.retain(|taxon| needed[taxon.0 as usize]);
        in_order(tree, below);
    }
    let mut drawn = Vec::new();
    // A stack, because a hierarchy may be deeper than calls should be.
    let root = Some(tree.root()).filter(|root| needed[root.0 as usize]);
    let mut open: Vec<(TaxonId, u16)> = root.into_iter().map(|root| (root, 0)).collect();
    while let Some((taxon, depth)) = open.pop() {
        let below = &children[taxon.0 as usize];
        let rows = shown[taxon.0 as usize];
        let is_passed = rows.is_none() && below.len() == 1 && taxon != tree.root();
        if !is_passed {
            drawn.push(OutlineTaxon {
                label: tree.label(taxon).to_owned(),
                depth,
                published: rows.is_some(),
                rows: rows.unwrap_or(0),
                values: tree.leaves_below(taxon),
            });
        }
        let depth = depth + u16::from(!is_passed);
        open.extend(below.iter().rev().map(|below| (*below, depth)));
    }
    drawn
}

/// Puts siblings that all begin with a number in the order of these; any others stay as they were built.
fn in_order(tree: &Hierarchy, siblings: &mut [TaxonId]) {
    let number = |taxon: &TaxonId| {
        let label = tree.label(*taxon);
        let end = label.find(|letter: char| !letter.is_ascii_digit());
        let digits = &label[..end.unwrap_or(label.len())];
        digits.parse::<u64>().ok()
    };
    // The missing value goes last.
    let is_named = |taxon: &&TaxonId| !tree.label(**taxon).is_empty();
    if siblings
        .iter()
        .filter(is_named)
        .all(|taxon| number(taxon).is_some())
    {
        siblings.sort_by_key(|taxon| number(taxon).unwrap_or(u64::MAX));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::hierarchy::from_level_csv;
    use crate::table::Column;

    fn ladder() -> Ladder {
        let text = "a;ab;x;*\nb;ab;x;*\nc;c1;y;*\nd;d1;y;*\n";
        let tree = from_level_csv("z", "z", text, true).unwrap();
        let column = Column::from_texts("z", ["a", "b", "c", "d"]);
        Ladder::new("z", Arc::new(tree), column.dictionary()).unwrap()
    }

    fn mark(ladder: &Ladder, label: &str, rows: u64) -> (Mark, u64) {
        let taxon = ladder.hierarchy().labelled(label).next().unwrap();
        (Mark::Taxon(taxon), rows)
    }

    #[test]
    fn nothing_below_the_cut_is_named() {
        let ladder = ladder();
        let marks = ["ab", "c1", "d1"].map(|label| mark(&ladder, label, 2));
        let outline = Outline::new(&ladder, &marks);
        let told: Vec<(&str, u16, bool, u64)> = outline
            .taxa
            .iter()
            .map(|taxon| {
                (
                    taxon.label.as_str(),
                    taxon.depth,
                    taxon.published,
                    taxon.values,
                )
            })
            .collect();
        // `x` has one way down only and is passed.
        assert_eq!(
            told,
            [
                ("*", 0, false, 4),
                ("ab", 1, true, 2),
                ("y", 1, false, 2),
                ("c1", 2, true, 1),
                ("d1", 2, true, 1)
            ]
        );
    }

    #[test]
    fn numbers_stand_in_their_order_and_names_as_they_were_built() {
        let text = "30;30-39;*\n5;0-9;*\n;;*\n100;100-;*\n";
        let tree = from_level_csv("z", "z", text, true).unwrap();
        let mut taxa: Vec<TaxonId> = tree.child_lists()[tree.root().0 as usize].clone();
        in_order(&tree, &mut taxa);
        let labels: Vec<&str> = taxa.iter().map(|taxon| tree.label(*taxon)).collect();
        assert_eq!(labels, ["0-9", "30-39", "100-", ""]);
        let ladder = ladder();
        let mut taxa: Vec<TaxonId> = ladder.hierarchy().taxa().collect();
        let before = taxa.clone();
        in_order(ladder.hierarchy(), &mut taxa);
        assert_eq!(taxa, before);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let ladder = ladder();
        let spans = (0..50u64).map(|at| {
            let from = at as f64 / 50.0;
            (Mark::Span(format!("{at}"), from, from + 0.02, 1), at % 7)
        });
        let marks: Vec<(Mark, u64)> = spans.collect();
        let outline = Outline::new(&ladder, &marks);
        assert_eq!((outline.spans.len(), outline.left_out), (40, 10));
        let all: u64 = marks.iter().map(|(_, rows)| rows).sum();
        let drawn: u64 = outline.spans.iter().map(|span| span.rows).sum();
        assert_eq!(drawn + outline.left_out_rows, all);
        // The rarest are those that are left out.
        assert!(outline.spans.iter().all(|span| span.rows > 0));
        assert!(outline.taxa.is_empty());
    }
}
