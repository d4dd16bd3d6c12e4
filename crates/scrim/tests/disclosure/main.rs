//! Disclosure sets ([Zhang07]): the paper's tables, and every method against the algorithms of the paper word by word.
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the lint knows tests, but not the functions beside them"
)]

mod cases;
mod drawn;
mod large;
mod properties;
mod rare;

use std::collections::BTreeMap;

use cases::{Case, assert_bounds, assert_exact, by, decided, fraction, random, truth};
use num_bigint::BigUint;
use properties::{Below, Known, all};
use scrim::adversary::{Method, Strategy, passing};
use testkit::{Fraction, SplitMix64, zhang};

const EXACT: [Method; 5] = [
    Method::Public,
    Method::Symmetric,
    Method::Counting,
    Method::Literal,
    Method::Histograms,
];

const TWO_THIRDS: Below = Below {
    limit: (2, 3),
    told: true,
};

/// The size of the set, its highest ratio, who has it first, and whether it is safe.
fn answer(table: &[usize], step: usize, strategy: Strategy) -> (u64, String, u32, bool) {
    let case = Case::of(&zhang::functions(), table).upto(step);
    let found = decided(&case, strategy, &TWO_THIRDS).unwrap();
    let highest = found.max().unwrap();
    let size = found.size.clone().unwrap().try_into().unwrap();
    (
        size,
        highest.high.to_string(),
        highest.row,
        found.holds(&TWO_THIRDS),
    )
}

#[test]
fn the_papers_disclosure_sets_come_out() {
    use Strategy::{Exclusive, Inclusive, Naive};
    for strategy in [Naive, Exclusive, Inclusive] {
        assert_eq!(
            answer(&zhang::G0, 0, strategy),
            (16, "1".to_owned(), 4, false)
        );
        assert_eq!(
            answer(&zhang::G0, 1, strategy),
            (16, "1".to_owned(), 4, false)
        );
        assert_eq!(
            answer(&zhang::GB, 0, strategy),
            (4, "1".to_owned(), 2, false)
        );
        assert_eq!(
            answer(&zhang::GB, 1, strategy),
            (20, "4/5".to_owned(), 2, false)
        );
        assert_eq!(
            answer(&zhang::GA, 0, strategy),
            (32, "1/2".to_owned(), 0, true)
        );
    }
    for table in [zhang::G0, zhang::GA, zhang::GB] {
        assert_eq!(
            answer(&table, 2, Exclusive),
            (68, "11/17".to_owned(), 2, true)
        );
        // E14: the paper has 120 tables and 4/5.
        assert_eq!(
            answer(&table, 2, Inclusive),
            (100, "19/25".to_owned(), 4, false)
        );
    }
    assert_eq!(
        answer(&zhang::WITNESS, 1, Inclusive),
        (32, "1/2".to_owned(), 0, true)
    );
}

#[test]
fn the_papers_ratios_come_out_row_by_row() {
    let case = Case::of(&zhang::functions(), &zhang::G0);
    for strategy in [Strategy::Exclusive, Strategy::Inclusive] {
        let truth = truth(&case, strategy, &TWO_THIRDS);
        assert_exact(
            &decided(&case, strategy, &TWO_THIRDS).unwrap(),
            &truth,
            &case,
        );
    }
    let found = decided(&case, Strategy::Exclusive, &TWO_THIRDS).unwrap();
    assert_eq!(found.method, Method::Frontier);
    let of_c: Vec<String> = found
        .belief_of_row(2)
        .unwrap()
        .bounds
        .iter()
        .map(|(_, low, _)| low.to_string())
        .collect();
    assert_eq!(of_c, ["3/17", "11/17", "3/17"]);
}

#[test]
fn groups_pass_or_not_for_a_secret() {
    let step = [0, 0, 1, 1, 3];
    let held = passing(&step, &[0, 1, 2, 2, 1], 3, &TWO_THIRDS);
    assert_eq!(held, [true, false, true, false]);
}

#[test]
fn unequal_groups_in_a_class_leak_and_equal_ones_do_not() {
    // Groups of two and four rows, values a a b c d e: the first step fails only where the two rows both have a.
    let leaking = Case {
        table: vec![0, 0, 1, 2, 3, 4],
        steps: vec![vec![0, 0, 1, 1, 1, 1], vec![0; 6]],
    };
    let found = decided(&leaking, Strategy::Exclusive, &TWO_THIRDS).unwrap();
    assert_eq!(
        (found.method, found.size.clone()),
        (Method::Counting, Some(BigUint::from(24_u32)))
    );
    let highest = found.max().unwrap();
    assert_eq!(
        (highest.row, highest.value, highest.low.to_string()),
        (0, 0, "1".to_owned())
    );
    let even = Case {
        steps: vec![vec![0, 0, 1, 1, 2, 2], vec![0; 6]],
        ..leaking
    };
    let found = decided(&even, Strategy::Exclusive, &TWO_THIRDS).unwrap();
    assert_eq!(
        (found.method, fraction(&found.max().unwrap().high)),
        (Method::Symmetric, Fraction::new(1, 3))
    );
    assert_eq!(found.size, Some(BigUint::from(72_u32)));
}

#[test]
fn steps_that_surely_fail_tell_nothing() {
    // The last row is alone in the first step: it fails whatever the table is.
    let case = Case {
        table: vec![0, 0, 1, 2, 0],
        steps: vec![vec![0, 0, 1, 1, 2], vec![0; 5]],
    };
    for strategy in [Strategy::Exclusive, Strategy::Inclusive] {
        let found = decided(&case, strategy, &TWO_THIRDS).unwrap();
        assert_eq!(
            (found.method, found.size),
            (Method::Public, Some(BigUint::from(20_u32)))
        );
    }
}

/// Every method that applies agrees with the oracle; tells how often each applied.
fn agree(
    case: &Case,
    strategy: Strategy,
    property: &dyn Known,
    applied: &mut BTreeMap<&'static str, usize>,
) {
    let truth = truth(case, strategy, property);
    let told = decided(case, strategy, property);
    if truth.size == 0 {
        let exact = EXACT
            .iter()
            .filter(|method| by(**method, case, strategy, property).is_ok());
        assert!(
            told.is_err() && exact.count() == 0,
            "{strategy:?} {property:?} {case:?}"
        );
        *applied.entry("empty").or_default() += 1;
        return;
    }
    let told = told.unwrap();
    assert_exact(&told, &truth, case);
    assert_eq!(
        told.holds(property),
        truth.satisfies,
        "{strategy:?} {property:?} {case:?}"
    );
    for method in EXACT {
        if let Ok(found) = by(method, case, strategy, property) {
            assert_exact(&found, &truth, case);
            assert_eq!(found.size.is_none(), found.method == Method::Symmetric);
            assert_eq!(
                found.holds(property),
                truth.satisfies,
                "{method:?} {case:?}"
            );
            *applied.entry(found.method.name()).or_default() += 1;
        }
    }
    for method in [Method::Certificate, Method::Union, Method::Sampling] {
        if let Ok(found) = by(method, case, strategy, property) {
            assert_ne!(strategy, Strategy::Inclusive, "bounds are not sound there");
            assert_bounds(&found, &truth, case);
            assert!(
                truth.satisfies || !found.holds(property),
                "{method:?} {property:?} {case:?}"
            );
            *applied.entry(found.method.name()).or_default() += 1;
            *applied.entry("shown").or_default() += usize::from(found.holds(property));
        }
    }
    if truth.satisfies && told.method != Method::Public {
        *applied.entry("safe").or_default() += 1;
    }
}

fn agree_on(
    seeds: std::ops::Range<u64>,
    rows: usize,
    steps: usize,
    strategy: Strategy,
) -> BTreeMap<&'static str, usize> {
    let mut applied = BTreeMap::new();
    for seed in seeds {
        let case = random(&mut SplitMix64::new(seed), rows, steps);
        for property in all() {
            agree(&case, strategy, &*property, &mut applied);
        }
    }
    applied
}

#[test]
fn exclusive_sets_are_the_oracles_whatever_the_method() {
    let applied = agree_on(0..150, 6, 4, Strategy::Exclusive);
    for method in [
        "public",
        "symmetric",
        "counting",
        "frontier",
        "literal",
        "certificate",
        "union",
        "sampling",
        "empty",
        "safe",
        "shown",
    ] {
        assert!(
            applied.get(method).is_some_and(|times| *times > 5),
            "{method}: {applied:?}"
        );
    }
}

#[test]
fn exclusive_sets_of_seven_rows_are_the_oracles() {
    let applied = agree_on(1000..1012, 7, 3, Strategy::Exclusive);
    assert!(applied["literal"] > 40, "{applied:?}");
}

#[test]
fn inclusive_sets_are_the_oracles_whatever_the_method() {
    let mut applied = agree_on(2000..2100, 5, 4, Strategy::Inclusive);
    for (method, times) in agree_on(3000..3040, 6, 3, Strategy::Inclusive) {
        *applied.entry(method).or_default() += times;
    }
    for method in [
        "public",
        "symmetric",
        "counting",
        "frontier",
        "literal",
        "histograms",
        "safe",
    ] {
        assert!(
            applied.get(method).is_some_and(|times| *times > 5),
            "{method}: {applied:?}"
        );
    }
    for method in ["certificate", "union", "sampling"] {
        assert!(!applied.contains_key(method));
    }
}
