//! Inference from known totals, against all worlds.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use scrim::adversary::{Group, Totals, TotalsColumn, filled, subtract};
use scrim::hierarchy::{Hierarchy, TaxonId, from_level_csv};
use testkit::{SplitMix64, oracle};

/// Values of an uneven hierarchy: a pair, a triple that has a pair, and a value by itself.
const LINES: &str = "a;ab;ab;*\nb;ab;ab;*\nc;cd;cde;*\nd;cd;cde;*\ne;e2;cde;*\nf;f1;f2;*\n";

fn tree() -> Hierarchy {
    from_level_csv("x", "x.csv", LINES, true).unwrap()
}

fn leaves(tree: &Hierarchy) -> Vec<TaxonId> {
    let values = ["a", "b", "c", "d", "e", "f"];
    values
        .iter()
        .map(|value| tree.leaf(value).unwrap())
        .collect()
}

/// A random column: what each cell is, and what it shows.
fn column(seed: u64, cells: usize, tree: &Hierarchy) -> (Vec<usize>, Vec<TaxonId>) {
    let mut random = SplitMix64::new(seed);
    let leaves = leaves(tree);
    let cell = |_| {
        let value = random.below(leaves.len());
        let mut shown = leaves[value];
        for _ in 0..random.below(4) {
            shown = tree.parent(shown).unwrap_or(shown);
        }
        (value, shown)
    };
    (0..cells).map(cell).unzip()
}

fn groups(tree: &Hierarchy, totals: &[usize], shown: &[TaxonId]) -> Vec<Group> {
    let leaves = leaves(tree);
    let totals: Vec<(TaxonId, u64)> = leaves
        .into_iter()
        .zip(totals.iter().map(|total| *total as u64))
        .collect();
    let mut counts: BTreeMap<TaxonId, u64> = BTreeMap::new();
    shown
        .iter()
        .for_each(|taxon| *counts.entry(*taxon).or_default() += 1);
    subtract(tree, &totals, &counts).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_certain_possible_and_likely_is_what_all_worlds_say(seed: u64, cells in 1usize..8) {
        let tree = tree();
        let leaves = leaves(&tree);
        let (values, shown) = column(seed, cells, &tree);
        let mut totals = vec![0; leaves.len()];
        values.iter().for_each(|value| totals[*value] += 1);
        let may_be = |taxon: &TaxonId| -> Vec<usize> {
            (0..leaves.len()).filter(|value| tree.covers(*taxon, leaves[*value])).collect()
        };
        let options: Vec<Vec<usize>> = shown.iter().map(may_be).collect();
        let (counts, worlds) = oracle::worlds_of_totals(&options, &totals);
        prop_assert!(worlds > 0);
        let groups = groups(&tree, &totals, &shown);
        for (cell, taxon) in shown.iter().enumerate() {
            let group = groups.iter().find(|group| group.taxon == *taxon).unwrap();
            let certain = match counts[cell].len() {
                1 => counts[cell].keys().next().map(|value| leaves[*value]),
                _ => None,
            };
            prop_assert_eq!(group.certain, certain);
            prop_assert_eq!(group.possible, counts[cell].len() as u64);
            let most = *counts[cell].values().max().unwrap();
            let exact = scrim::Share::new(most.into(), worlds.into()).unwrap();
            prop_assert_eq!(group.most_exact, Some(exact));
            prop_assert!((group.most - exact.to_f64()).abs() < 1e-9);
        }
    }
}

#[test]
fn the_suppressed_sexes_of_figure_15_follow_from_the_number_of_men_and_women() {
    // MT of Figure 15: of 12 rows the sex of t8 alone is suppressed; PT has 7 men and 5 women.
    let tree = from_level_csv("Gender", "gender.csv", "male;*\nfemale;*\n", true).unwrap();
    let (male, female) = (tree.leaf("male").unwrap(), tree.leaf("female").unwrap());
    let shown = BTreeMap::from([(male, 7), (female, 4), (tree.root(), 1)]);
    let groups = subtract(&tree, &[(male, 7), (female, 5)], &shown).unwrap();
    let found = TotalsColumn::new("Gender", &groups, 0);
    assert_eq!((found.hidden, found.inferred), (1, 1));
    assert_eq!(found.max_exact.as_deref(), Some("1"));
    let hidden = groups.iter().find(|group| group.is_hidden).unwrap();
    assert_eq!(hidden.certain, Some(female));
}

#[test]
fn rows_that_were_left_out_are_subtracted_too() {
    let tree = from_level_csv("Gender", "gender.csv", "male;*\nfemale;*\n", true).unwrap();
    let (male, female) = (tree.leaf("male").unwrap(), tree.leaf("female").unwrap());
    // Ten rows are published, two are not: both were women.
    let shown = BTreeMap::from([(male, 7), (female, 3), (tree.root(), 2)]);
    let groups = subtract(&tree, &[(male, 7), (female, 5)], &shown).unwrap();
    let found = TotalsColumn::new("Gender", &groups, 2);
    assert_eq!(
        (found.hidden, found.missing, found.missing_inferred),
        (0, 2, 2)
    );
}

#[test]
fn totals_that_the_release_contradicts_are_told_by_their_numbers() {
    let tree = tree();
    let leaves = leaves(&tree);
    let shown = BTreeMap::from([(leaves[0], 2)]);
    let found = subtract(&tree, &[(leaves[0], 1), (leaves[1], 1)], &shown).unwrap_err();
    assert_eq!((found.cells, found.total), (2, 1));
}

#[test]
fn filled_cells_make_classes_smaller() {
    let before = filled(&[vec![0, 0, 0], vec![0, 0, 1]], 3, Some(2));
    assert_eq!(
        (
            before.classes,
            before.smallest,
            before.unique,
            before.below_k
        ),
        (2, 1, 1, Some(1))
    );
}

#[test]
fn faults_of_a_list_of_totals_are_told_by_line_and_never_with_the_value() {
    for (text, found) in [
        ("column,count\n", "t.csv:1: the heading has no `value`"),
        ("column,value,count\n", "t.csv:1: there is no total"),
        (
            "column,value,count\nsex,HIV,x\n",
            "t.csv:2: `count` is no whole number",
        ),
        (
            "column,value,count\nsex,HIV,-1\n",
            "t.csv:2: `count` is no whole number",
        ),
        (
            "column,value,count\nsex,HIV,1\nsex,HIV,2\n",
            "t.csv:3: this value of `sex` has a total on line 2 already",
        ),
        (
            "column,value,count\nsex,HIV,18446744073709551615\n",
            "t.csv:2: `count` is above 1000000000000",
        ),
        (
            "column,value,count\nsex,HIV\n",
            "t.csv:2: there are 2 fields, and the heading has more",
        ),
    ] {
        assert_eq!(Totals::parse("t.csv", text).unwrap_err().to_string(), found);
    }
}
