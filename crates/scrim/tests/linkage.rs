//! The linkage attack against a join of every person with every row.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    reason = "tests of small numbers"
)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use scrim::Share;
use scrim::adversary::{Covering, Hidden, LinkageAttack, Linked, Links, Shown, Tuples, linkage};
use scrim::hierarchy::{DateFormat, DateStep, Generated, Hierarchy, Side, from_outline, is_star};
use scrim::release::policy::Case;
use scrim::table::{Column, ColumnBuilder};
use testkit::Fraction;
use testkit::oracle::linkage::{Above, Cell, Join, Known, Published};

const TREE: &str = "any\n  north\n    a\n    b\n  south\n    c\n    far\n      d\n";
/// By column: what persons have, and what a release may show. Some values no hierarchy knows, some labels cover nothing.
const VALUES: [&[Cell]; 4] = [
    &[Some("a"), Some("b"), Some("c"), Some("d"), Some("e"), None],
    &[
        Some("1"),
        Some("2"),
        Some("2.5"),
        Some("4"),
        Some("9"),
        Some("x"),
        None,
    ],
    &[Some("021"), Some("022"), Some("13"), Some("03"), None],
    &[
        Some("2019-12-31"),
        Some("2020-01-01"),
        Some("2020-02-01"),
        Some("soon"),
        None,
    ],
];
const LABELS: [&[Cell]; 4] = [
    &[
        Some("a"),
        Some("north"),
        Some("south"),
        Some("far"),
        Some("any"),
        Some("*"),
        Some("**"),
        Some("e"),
        None,
    ],
    &[
        Some("1-2"),
        Some("2"),
        Some("[2, 4)"),
        Some("3-9"),
        Some("*"),
        Some("x"),
        None,
    ],
    &[
        Some("02*"),
        Some("0**"),
        Some("021"),
        Some("1*"),
        Some("***"),
        Some("0*"),
        None,
    ],
    &[
        Some("2020-01"),
        Some("2020"),
        Some("2020-2029"),
        Some("2019-12-31"),
        Some("*"),
        Some("soon"),
        None,
    ],
];
const SECRETS: [&str; 5] = ["flu", "cold", "lung", "hiv", "*"];
/// Those of them that several values lie below.
const TAXA: [&str; 1] = ["lung"];

fn above() -> Vec<Above> {
    let labels = BTreeMap::from([
        ("a", vec!["north", "any"]),
        ("b", vec!["north", "any"]),
        ("c", vec!["south", "any"]),
        ("d", vec!["far", "south", "any"]),
    ]);
    vec![
        Above::Labels(labels),
        Above::Intervals,
        Above::Masks,
        Above::Dates,
    ]
}

/// The hierarchies over what persons have, as a policy would make them.
fn trees() -> Vec<Option<Hierarchy>> {
    let values = |at: usize| VALUES[at].iter().copied().flatten();
    let dates = Generated::Dates(
        vec![DateStep::Month, DateStep::Year, DateStep::Decade],
        DateFormat::Iso,
    );
    vec![
        from_outline("place", "place.txt", TREE, true).ok(),
        None,
        Generated::Mask(Side::Right).over(values(2), true),
        dates.over(values(3), true),
    ]
}

fn column(cells: impl Iterator<Item = Cell>) -> Column {
    let mut builder = ColumnBuilder::new("c", &[]);
    for cell in cells {
        match cell {
            Some(text) => builder.push(text),
            None => builder.push_missing(),
        }
    }
    builder.finish()
}

#[derive(Clone, Debug)]
struct Joined {
    release: Vec<Published>,
    external: Vec<Known>,
    /// Whether several external rows may be one person's.
    told: bool,
}

fn cases() -> impl Strategy<Value = Joined> {
    let cell = |of: &'static [Cell]| (0..of.len()).prop_map(move |at| of[at]);
    // Often stars or the same label, so that rows share classes and persons match several.
    let row = (
        LABELS.map(|of| prop_oneof![4 => Just(Some("*")), 2 => Just(of[1]), 3 => cell(of)]),
        0..SECRETS.len(),
    );
    let row = row.prop_map(|(quasi, secret)| Published {
        quasi: quasi.to_vec(),
        secret: SECRETS[secret],
    });
    let known = (VALUES.map(cell), 0..6u32).prop_map(|(quasi, person)| Known {
        person,
        quasi: quasi.to_vec(),
    });
    let rows = proptest::collection::vec(row, 1..14);
    let persons = proptest::collection::vec(known, 1..12);
    (rows, persons, any::<bool>()).prop_map(|(release, mut external, told)| {
        if !told {
            (0..)
                .zip(&mut external)
                .for_each(|(at, known)| known.person = at);
        }
        Joined {
            release,
            external,
            told,
        }
    })
}

/// What the library finds.
fn found(case: &Joined, limit: Share, disease: Option<(&Hierarchy, Case)>) -> LinkageAttack {
    let trees = trees();
    let quasi = |at: usize| column(case.release.iter().map(move |row| row.quasi[at]));
    let known = |at: usize| column(case.external.iter().map(move |row| row.quasi[at]));
    let (shown, raw): (Vec<Column>, Vec<Column>) = (0..4).map(|at| (quasi(at), known(at))).unzip();
    let linked: Vec<Linked<'_>> = (0..4)
        .map(|at| Linked {
            published: &shown[at],
            external: &raw[at],
            tree: trees[at].as_ref(),
            numeric: at == 1,
        })
        .collect();
    let secrets = column(case.release.iter().map(|row| Some(row.secret)));
    let texts = || secrets.dictionary().texts();
    let taxon = |tree: &Hierarchy, text: &str| {
        if is_star(text) {
            Some(tree.root())
        } else {
            tree.labelled(text).next()
        }
    };
    let hidden = Hidden {
        column: &secrets,
        silent: texts().map(is_star).collect(),
        taxon: texts().map(|text| TAXA.contains(&text)).collect(),
        personal: disease.map(|(tree, case)| Shown {
            tree,
            taxa: texts().map(|text| taxon(tree, text)).collect(),
            case,
            guard: None,
        }),
        limit,
    };
    let persons: Vec<u32> = case.external.iter().map(|known| known.person).collect();
    let persons = case.told.then_some(&persons[..]);
    let all: Vec<&Column> = shown.iter().collect();
    let release = Tuples::new(&all, case.release.len(), None);
    let all: Vec<&Column> = raw.iter().collect();
    let external = Tuples::new(&all, case.external.len(), persons);
    let covering = Covering::new(&linked, release.first_rows());
    let links = Links {
        release: &release,
        external: &external,
        persons,
        covering: &covering,
    };
    linkage(&links, Some(&hidden), &mut |_, _| Ok(())).unwrap()
}

fn limits() -> impl Strategy<Value = (Share, Fraction)> {
    (0..=4i128, 1..=6i128).prop_map(|(above, more)| {
        let below = above + more;
        (
            Share::new(above, below).unwrap(),
            Fraction::new(above, below),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_join_is_that_of_every_person_with_every_row(case in cases(), (limit, exact) in limits()) {
        let above = above();
        let join = Join { above: &above, release: &case.release, external: &case.external };
        let found = found(&case, limit, None);
        prop_assert_eq!(found.external, join.persons().len() as u64);
        prop_assert_eq!(found.matched_one, join.matching(1) as u64);
        prop_assert_eq!(found.unmatched, join.matching(0) as u64);
        let expected = join.expected();
        prop_assert!((found.expected_matches - expected.to_f64()).abs() < 1e-12);
        let told = found.expected_matches_exact.clone().unwrap();
        prop_assert_eq!(told.parse::<Fraction>().unwrap(), expected);
        let certain = join.certain(&TAXA);
        prop_assert_eq!(found.certain, certain.len() as u64);
        prop_assert_eq!(found.certain_taxon, join.certain_taxon(&TAXA).len() as u64);
        prop_assert_eq!(found.above_limit, join.above(exact) as u64);
        // Rows told are those of the persons who are certain, each once.
        let told: Vec<u32> =
            found.certain_rows.iter().map(|row| case.external[*row as usize - 1].person).collect();
        prop_assert_eq!(told.len() as u64, found.certain);
        prop_assert_eq!(told.into_iter().collect::<BTreeSet<u32>>(), certain);
        let sizes: u64 = found.sizes.iter().map(|band| band.records).sum();
        prop_assert_eq!(sizes, found.external);
        prop_assert_eq!(found.succeeds(), found.certain + found.matched_one > 0);
    }

    #[test]
    fn breaches_are_those_of_definition_8(case in cases(), (limit, exact) in limits(), primary in any::<bool>()) {
        // Stars show any leaf; `lung` is a taxon above two.
        let outline = "any\n  lung\n    flu\n    cold\n  hiv\n";
        let tree = from_outline("disease", "disease.txt", outline, false).unwrap();
        let leaves = BTreeMap::from([
            ("flu", vec!["flu"]), ("cold", vec!["cold"]), ("hiv", vec!["hiv"]),
            ("lung", vec!["flu", "cold"]), ("*", vec!["flu", "cold", "hiv"]),
        ]);
        let above = above();
        let join = Join { above: &above, release: &case.release, external: &case.external };
        let kind = if primary { Case::Primary } else { Case::NonPrimary };
        let found = found(&case, limit, Some((&tree, kind)));
        prop_assert_eq!(found.above_limit, join.breached(&leaves, primary, exact) as u64);
    }
}

#[test]
fn random_cases_meet_what_they_are_about() {
    // The cases above are worth little if nobody is ever certain, matched to one, or unmatched.
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let half = Share::new(1, 2).unwrap();
    let mut met = [0u64; 6];
    for _ in 0..300 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let found = found(&case, half, None);
        let many = found.sizes.iter().any(|band| band.from > 2);
        for (met, seen) in met.iter_mut().zip([
            found.certain > found.matched_one,
            found.certain_taxon > 0,
            found.matched_one > 0,
            found.unmatched > 0,
            found.above_limit > found.certain,
            many,
        ]) {
            *met += u64::from(seen);
        }
    }
    assert!(met.iter().all(|met| *met >= 10), "{met:?}");
}

#[test]
fn a_long_table_is_joined_in_stretches_that_are_told_and_can_be_stopped() {
    const PERSONS: u64 = 600_000;
    let one = |texts: &mut dyn Iterator<Item = String>| {
        let mut builder = ColumnBuilder::new("c", &[]);
        texts.for_each(|text| builder.push(&text));
        builder.finish()
    };
    // 0 to 99,999 once; 100,000 to 299,999 twice; half a million and above in no row.
    let rows = ["0-99999", "100000-299999", "100000-299999", "300000-499999"];
    let shown = one(&mut rows.iter().map(ToString::to_string));
    let raw = one(&mut (0..PERSONS).map(|at| at.to_string()));
    let linked = [Linked {
        published: &shown,
        external: &raw,
        tree: None,
        numeric: true,
    }];
    let release = Tuples::new(&[&shown], rows.len(), None);
    let external = Tuples::new(&[&raw], PERSONS as usize, None);
    let covering = Covering::new(&linked, release.first_rows());
    let links = Links {
        release: &release,
        external: &external,
        persons: None,
        covering: &covering,
    };
    let mut told = Vec::new();
    let found = linkage(&links, None, &mut |done, all| {
        told.push((done, all));
        Ok(())
    });
    let found = found.unwrap();
    assert_eq!(
        (found.matched_one, found.matched, found.unmatched),
        (300_000, 500_000, 100_000)
    );
    // A row for each of those, and two for 200,000 of which one is right.
    assert!((found.expected_matches - 400_000.0).abs() < 1e-6);
    assert!(told.len() > 4, "{told:?}");
    assert!(
        told.windows(2).all(|pair| pair[0].0 < pair[1].0),
        "{told:?}"
    );
    assert!(told.iter().all(|(_, all)| *all == 2 * PERSONS));
    assert_eq!(told.last(), Some(&(2 * PERSONS, 2 * PERSONS)));
    let mut left = 2;
    let stopped = linkage(&links, None, &mut |_, _| {
        left -= 1;
        if left > 0 {
            Ok(())
        } else {
            Err(scrim::Error::Interrupted)
        }
    });
    assert!(stopped.is_err());
}
