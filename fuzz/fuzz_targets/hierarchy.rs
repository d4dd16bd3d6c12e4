//! Hierarchy files of all three kinds. What is accepted is one tree: every value goes up to the top in `height` levels, what is equal at
//! a level is equal above it, and the leaves below the taxa add up.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use scrim::hierarchy::{
    Decimal, Hierarchy, Interval, LeafOrder, TaxonId, from_level_csv, from_outline,
    from_parents_csv, is_parents_csv,
};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let _ = is_parents_csv(text);
    for suppressible in [false, true] {
        for read in [from_level_csv, from_outline, from_parents_csv] {
            match read("column", "file", text, suppressible) {
                Ok(tree) => {
                    must_be_a_tree(&tree);
                    // In a tree of one value the missing value would hang below that value.
                    if tree.height() > 0 {
                        must_be_a_tree(&tree.with_missing("?"));
                    }
                }
                Err(error) => assert!(error.to_string().starts_with("file"), "no place: {error}"),
            }
        }
    }
});

fn must_be_a_tree(tree: &Hierarchy) {
    let children = tree.child_lists();
    for taxon in tree.taxa() {
        assert!(tree.covers(tree.root(), taxon));
        assert_eq!(tree.parent(taxon).is_none(), taxon == tree.root());
        let below = &children[taxon.0 as usize];
        if !below.is_empty() {
            let sum: u64 = below.iter().map(|child| tree.leaves_below(*child)).sum();
            assert_eq!(sum, tree.leaves_below(taxon));
        }
        numbers(tree.label(taxon));
    }
    let leaves: Vec<TaxonId> = LeafOrder::new(tree).leaves().to_vec();
    for level in 0..tree.height() {
        let mut above: BTreeMap<TaxonId, TaxonId> = BTreeMap::new();
        for leaf in &leaves {
            let (here, next) = (tree.at_level(*leaf, level), tree.at_level(*leaf, level + 1));
            assert!(tree.covers(next, here));
            assert_eq!(
                *above.entry(here).or_insert(next),
                next,
                "a level that is no function of the one below"
            );
        }
    }
    assert!(
        leaves
            .iter()
            .all(|leaf| tree.at_level(*leaf, tree.height()) == tree.root())
    );
}

/// Labels are read as numbers and intervals where searches cut numbers.
fn numbers(label: &str) {
    if let Some(number) = Decimal::parse(label) {
        let places = number.places();
        assert_eq!(number.floor(places), number.ceiling(places));
    }
    if let Some(interval) = Interval::parse(label) {
        assert!(interval.low() <= interval.high());
    }
}
