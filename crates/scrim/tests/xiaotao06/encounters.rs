//! Persons whose rows lie in several classes: no search publishes what an onlooker over all of them could believe too well.

use std::collections::{BTreeMap, BTreeSet};

use scrim::adversary::{Exposed, personal, persons_of};
use scrim::hierarchy::{TaxonId, from_outline};
use scrim::release::policy::Case;
use testkit::Fraction;
use testkit::oracle::personal::{
    Domain, Encounter, PersonalTable, Taxonomy, breaches_across, random_encounters,
};

use super::{Made, published};

const SEARCHES: [&str; 8] = [
    "personalized",
    "personalized\"\nimprove = true\n# \"",
    "optimal",
    "mingen",
    "top-down",
    "mondrian",
    "mondrian\"\nmondrian = \"relaxed",
    "datafly",
];

fn search(name: &str, more: &str) -> String {
    format!("algorithm = \"{name}\"\n{more}")
}

/// The release as the oracle sees it.
fn encounters(table: &PersonalTable, made: &Made) -> Vec<Encounter> {
    let width = table.attributes.len();
    let mut numbers: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut class = |row: &[String]| -> usize {
        let next = numbers.len();
        *numbers.entry(row.to_vec()).or_insert(next)
    };
    let secrets = table.rows.iter().map(|row| &row.secret);
    made.rows
        .iter()
        .zip(secrets)
        .map(|(row, secret)| Encounter {
            class: class(&row[..width]),
            shown: match row[width].as_str() {
                "*" => table.tree.root(),
                label => table.tree.taxon(label),
            },
            guard: secret.guard,
            person: secret.person,
        })
        .collect()
}

fn is_spread(rows: &[Encounter]) -> bool {
    let classes = |person: u32| {
        let own = rows.iter().filter(|row| row.person == person);
        own.map(|row| row.class).collect::<BTreeSet<usize>>()
    };
    rows.iter().any(|row| classes(row.person).len() > 1)
}

fn largest(tree: &Taxonomy, rows: &[Encounter]) -> Fraction {
    let all = breaches_across(tree, rows).into_iter();
    all.fold(
        Fraction::ZERO,
        |most, next| if next > most { next } else { most },
    )
}

/// What the attack finds, row by row.
fn attacked(tree: &Taxonomy, rows: &[Encounter]) -> (Vec<String>, String, u64) {
    let theirs = from_outline("s", "s.txt", &tree.outline(), false).unwrap();
    let taxon = |taxon: usize| -> TaxonId { theirs.labelled(tree.name(taxon)).next().unwrap() };
    let class_of_row: Vec<u32> = rows.iter().map(|row| row.class as u32).collect();
    let person_of_row: Vec<u32> = rows.iter().map(|row| row.person).collect();
    let shown: Vec<TaxonId> = rows.iter().map(|row| taxon(row.shown)).collect();
    let guards: Vec<Option<TaxonId>> = rows.iter().map(|row| row.guard.map(taxon)).collect();
    let classes = class_of_row
        .iter()
        .max()
        .map_or(0, |class| *class as usize + 1);
    let found = personal(
        "s",
        &Exposed {
            tree: &theirs,
            case: Case::NonPrimary,
            class_of_row: &class_of_row,
            shown: &shown,
            guards: &guards,
            persons: &persons_of(&class_of_row, classes, Some(&person_of_row)),
            person_of_row: Some(&person_of_row),
        },
        "1/2".parse().unwrap(),
    );
    let exact = found.rows.into_iter().map(|row| row.breach_exact.unwrap());
    (
        exact.collect(),
        found.max_exact.unwrap(),
        found.spread_persons,
    )
}

fn told(fraction: Fraction) -> String {
    fraction.to_string().trim_end_matches("/1").to_owned()
}

/// Every release of every search keeps the limit over all classes of everybody, and the attack finds what the oracle finds.
fn nobody_is_above_the_limit(more: &str, seeds: std::ops::Range<u64>) {
    let mut spread: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in seeds {
        let table = random_encounters(seed, 4, 9);
        let counts =
            |attribute: &testkit::oracle::personal::Attribute| attribute.weight > Fraction::ZERO;
        if !table.attributes.iter().any(counts) {
            continue;
        }
        for name in SEARCHES {
            let Some(made) = published(&table, &search(name, more)) else {
                continue;
            };
            assert_eq!(made.rows.len(), table.rows.len());
            let rows = encounters(&table, &made);
            let most = largest(&table.tree, &rows);
            assert!(
                most <= table.p,
                "seed {seed}, {name}: {most} above {}",
                table.p
            );
            let (each, max, persons) = attacked(&table.tree, &rows);
            let expected: Vec<String> = breaches_across(&table.tree, &rows)
                .into_iter()
                .map(told)
                .collect();
            assert_eq!(each, expected, "seed {seed}, {name}");
            assert_eq!(max, told(most));
            assert!(persons == 0 || is_spread(&rows));
            *spread.entry(name).or_default() += u32::from(persons > 0);
        }
    }
    assert_eq!(spread.len(), SEARCHES.len(), "{spread:?}");
    assert!(spread.values().all(|count| *count > 5), "{spread:?}");
}

#[test]
fn no_search_lets_anybody_above_the_limit_over_several_classes() {
    nobody_is_above_the_limit("", 0..150);
}

#[test]
fn nor_where_rows_may_be_suppressed() {
    nobody_is_above_the_limit("suppression = 0.5", 1000..1100);
}

/// Two persons who meet in two classes, and everybody asks for the own value.
fn meeting(p: &str, forbid: bool) -> PersonalTable {
    let mut table = random_encounters(1, 1, 1);
    let tree = Taxonomy::from_outline("any\n  a\n    a1\n    a2\n  b\n    b1\n    b2\n");
    let (a1, b1) = (tree.taxon("a1"), tree.taxon("b1"));
    table.attributes.truncate(1);
    table.attributes[0].domain = Domain::Categorical(Taxonomy::from_outline("q\n  x\n  y\n"));
    table.attributes[0].weight = Fraction::ONE;
    table.sensitive_weight = (!forbid).then_some(Fraction::ONE);
    table.p = p.parse().unwrap();
    let row = |quasi: i64, leaf: usize, person: u32| testkit::oracle::personal::PersonalRow {
        quasi: vec![quasi],
        secret: testkit::oracle::personal::GuardedRow {
            leaf,
            guard: Some(leaf),
            person,
        },
    };
    table.rows = vec![row(1, a1, 0), row(1, b1, 1), row(2, a1, 0), row(2, b1, 1)];
    table.tree = tree;
    table
}

#[test]
fn two_classes_with_one_half_each_are_three_quarters() {
    for name in [
        "optimal",
        "mingen",
        "mondrian",
        "top-down",
        "personalized",
        "datafly",
    ] {
        for forbid in [false, true] {
            // At three quarters nothing needs to be done.
            let table = meeting("3/4", forbid);
            let made = published(&table, &search(name, "")).unwrap();
            let rows = encounters(&table, &made);
            assert_eq!(largest(&table.tree, &rows), Fraction::new(3, 4), "{name}");
            // Below, classes are put together, or values are raised.
            let table = meeting("7/10", forbid);
            if let Some(made) = published(&table, &search(name, "")) {
                let rows = encounters(&table, &made);
                assert!(largest(&table.tree, &rows) <= table.p, "{name} {forbid}");
                assert!(!forbid || !is_spread(&rows), "{name}");
            }
        }
    }
}

#[test]
fn a_forbidden_generalization_is_refused_class_by_class_exactly_where_somebody_is_above_the_limit()
{
    // Without generalized values a node is published where nobody is above the limit, and nowhere else.
    let (mut kept, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut table = random_encounters(seed, 4, 7);
        table.sensitive_weight = None;
        table
            .attributes
            .iter_mut()
            .for_each(|attribute| attribute.weight = Fraction::ONE);
        let width = table.attributes.len();
        let made = published(&table, &search("optimal", ""));
        // The bottom is the best node of all, where it keeps the limit.
        let bottom = Made {
            rows: table
                .rows
                .iter()
                .map(|row| {
                    let mut texts: Vec<String> = row.quasi.iter().map(i64::to_string).collect();
                    texts.push(table.tree.name(row.secret.leaf).to_owned());
                    texts
                })
                .collect(),
            loss: Fraction::ZERO,
            remarks: Vec::new(),
        };
        let rows = encounters(&table, &bottom);
        let keeps = largest(&table.tree, &rows) <= table.p;
        let is_bottom = made.is_some_and(|made| made.loss == Fraction::ZERO);
        assert_eq!(is_bottom, keeps, "seed {seed}, {width}");
        kept += u32::from(keeps && is_spread(&rows));
        refused += u32::from(!keeps && is_spread(&rows));
    }
    assert!(kept > 10 && refused > 10, "{kept} {refused}");
}
