//! Risks against direct counting, and estimates against populations that are known.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    reason = "tests of small numbers"
)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use scrim::Share;
use scrim::adversary::{Covering, Linked, Population, Risk, Tuples, covered, estimates, risk};
use scrim::table::{Column, ColumnBuilder};
use testkit::oracle::risk::{self as oracle, Record};
use testkit::{Fraction, SplitMix64};

const VALUES: [Option<&str>; 6] = [Some("a"), Some("b"), Some("c"), Some("*"), Some("**"), None];
const NAMES: [&str; 4] = ["w", "x", "y", "z"];

fn columns(records: &[Record], count: usize) -> Vec<Column> {
    let column = |at: usize| {
        let mut builder = ColumnBuilder::new(NAMES[at], &[]);
        for record in records {
            match &record.quasi[at] {
                Some(text) => builder.push(text),
                None => builder.push_missing(),
            }
        }
        builder.finish()
    };
    (0..count).map(column).collect()
}

fn persons(records: &[Record]) -> Option<Vec<u32>> {
    records.iter().map(|record| record.person).collect()
}

fn tuples(records: &[Record], columns: &[Column]) -> Tuples {
    let columns: Vec<&Column> = columns.iter().collect();
    Tuples::new(&columns, records.len(), persons(records).as_deref())
}

fn found(records: &[Record], count: usize, population: Population<'_>, threshold: Share) -> Risk {
    let columns = columns(records, count);
    let tuples = tuples(records, &columns);
    let by_person = persons(records).is_some();
    risk(&NAMES[..count], &tuples, by_person, population, threshold)
}

fn told(fraction: Fraction) -> String {
    if fraction.denominator() == 1 {
        fraction.numerator().to_string()
    } else {
        fraction.to_string()
    }
}

/// Rows of a few columns, with or without persons.
fn records(columns: usize, most: usize) -> impl Strategy<Value = Vec<Record>> {
    let quasi = proptest::collection::vec(0..VALUES.len(), columns);
    let row = (quasi, 0..8u32);
    (proptest::collection::vec(row, 1..most), any::<bool>()).prop_map(|(rows, told)| {
        let record = |(quasi, person): (Vec<usize>, u32)| Record {
            quasi: quasi
                .iter()
                .map(|at| VALUES[*at].map(str::to_owned))
                .collect(),
            person: told.then_some(person),
        };
        rows.into_iter().map(record).collect()
    })
}

fn cases() -> impl Strategy<Value = (usize, Vec<Record>)> {
    (1..=4usize).prop_flat_map(|count| (Just(count), records(count, 16)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn figures_are_those_of_direct_counting((count, records) in cases(), of in 1..=6i128) {
        let (threshold, exact) = (Share::new(1, of).unwrap(), Fraction::new(1, of));
        let all: Vec<usize> = (0..count).collect();
        let found = found(&records, count, Population::Unknown, threshold);
        let sizes = oracle::smallest_classes(&records, &all);
        let subjects = oracle::subjects(&records).len();
        prop_assert_eq!(found.rows, records.len() as u64);
        prop_assert_eq!(found.persons, records[0].person.map(|_| subjects as u64));
        prop_assert_eq!(found.classes, oracle::classes(&records, &all).len() as u64);
        prop_assert_eq!(found.unique, oracle::unique(&records, &all) as u64);
        let smallest = *sizes.iter().min().unwrap();
        prop_assert_eq!(&found.prosecutor.max_exact, &told(Fraction::new(1, smallest as i128)));
        let mean = told(oracle::mean(&sizes));
        prop_assert_eq!(found.prosecutor.mean_exact.as_ref(), Some(&mean));
        prop_assert_eq!(found.marketer_exact.as_ref(), Some(&mean));
        prop_assert!((found.marketer - oracle::mean(&sizes).to_f64()).abs() < 1e-12);
        prop_assert_eq!(found.prosecutor.above, oracle::above(&records, &all, exact) as u64);
        let banded: u64 = found.sizes.iter().map(|band| band.records).sum();
        let classes: u64 = found.sizes.iter().filter_map(|band| band.classes).sum();
        prop_assert_eq!((banded, classes), (subjects as u64, found.classes));
        for row in &found.smallest_rows {
            let own = oracle::classes(&records[..], &all);
            prop_assert_eq!(found.smallest, own.iter().map(|class| class.len() as u64).min().unwrap());
            prop_assert!((1..=records.len() as u64).contains(row));
        }
    }

    #[test]
    fn columns_and_pairs_are_those_of_direct_counting((count, records) in cases(), of in 1..=4i128) {
        let (threshold, exact) = (Share::new(1, of).unwrap(), Fraction::new(1, of));
        let all: Vec<usize> = (0..count).collect();
        let found = found(&records, count, Population::Unknown, threshold);
        prop_assert_eq!(found.columns.len(), count);
        for column in &found.columns {
            let at = NAMES.iter().position(|name| *name == column.column).unwrap();
            let others: Vec<usize> = all.iter().copied().filter(|other| *other != at).collect();
            prop_assert_eq!(&column.distinction_exact, &told(oracle::distinction(&records, &[at])));
            prop_assert_eq!(&column.separation_exact, &told(oracle::separation(&records, &[at])));
            prop_assert_eq!(column.unique, oracle::unique(&records, &[at]) as u64);
            let alone = oracle::unique(&records, &all) - oracle::unique(&records, &others);
            prop_assert_eq!(column.unique_through, alone as u64);
            let above = oracle::above(&records, &all, exact) - oracle::above(&records, &others, exact);
            prop_assert_eq!(column.above_through, above as u64);
        }
        let ranks: Vec<(u64, u64)> =
            found.columns.iter().map(|column| (column.unique_through, column.above_through)).collect();
        prop_assert!(ranks.is_sorted_by(|left, right| left >= right));
        prop_assert_eq!(found.pairs.len(), count * (count - 1) / 2);
        for pair in &found.pairs {
            let at = [0, 1].map(|at| NAMES.iter().position(|name| *name == pair.columns[at]).unwrap());
            prop_assert_eq!(&pair.separation_exact, &told(oracle::separation(&records, &at)));
            prop_assert_eq!(&pair.distinction_exact, &told(oracle::distinction(&records, &at)));
            prop_assert_eq!(pair.unique, oracle::unique(&records, &at) as u64);
            prop_assert_eq!(pair.above, oracle::above(&records, &at, exact) as u64);
        }
    }

    #[test]
    fn a_population_is_counted_person_by_person(
        (records, population) in (1..=3usize).prop_flat_map(|count| (records(count, 10), records(count, 24)))
    ) {
        let count = records[0].quasi.len();
        let (own, other) = (columns(&records, count), columns(&population, count));
        let linked: Vec<Linked<'_>> = own.iter().zip(&other).map(|(published, external)| Linked {
            published, external, tree: None, numeric: false,
        }).collect();
        let (table, everybody) = (tuples(&records, &own), tuples(&population, &other));
        let covering = Covering::new(&linked, table.first_rows());
        let counts = covered(&covering, &everybody, table.len(), &mut |_, _| Ok(())).unwrap();
        let known = Population::Counted { covered: &counts, persons: everybody.subjects() };
        let third = Share::new(1, 3).unwrap();
        let found = risk(&NAMES[..count], &table, false, known, third).journalist.unwrap();
        let sizes = oracle::smallest_in_population(&records, &population);
        let smallest = *sizes.iter().min().unwrap();
        prop_assert_eq!(found.max_exact, Some(told(Fraction::new(1, smallest as i128))));
        prop_assert_eq!(found.mean_exact, Some(told(oracle::mean(&sizes))));
        prop_assert_eq!(found.above, sizes.iter().filter(|size| **size < 3).count() as u64);
        prop_assert_eq!(found.unique, Some(sizes.iter().filter(|size| **size == 1).count() as u64));
    }

    #[test]
    fn zayatz_is_the_formula_with_binomial_coefficients(
        sizes in proptest::collection::vec(1..5usize, 1..6), more in 0..25usize
    ) {
        let members: usize = sizes.iter().sum();
        let mut classes: BTreeMap<u64, u64> = BTreeMap::new();
        sizes.iter().for_each(|size| *classes.entry(*size as u64).or_default() += 1);
        let found = estimates(&classes, (members + more) as u64).unwrap();
        let unique = found.estimates[0].unique;
        let wanted = if sizes.contains(&1) && more > 0 {
            oracle::zayatz(&sizes, members + more).to_f64()
        } else {
            sizes.iter().filter(|size| **size == 1).count() as f64
        };
        prop_assert!((unique.unwrap() - wanted).abs() < 1e-9 * wanted.max(1.0), "{:?} {}", unique, wanted);
    }

    #[test]
    fn the_order_of_rows_changes_nothing((count, records) in cases()) {
        let threshold = Share::new(1, 3).unwrap();
        let forth = found(&records, count, Population::Unknown, threshold);
        let mut turned = records;
        turned.reverse();
        let mut back = found(&turned, count, Population::Unknown, threshold);
        back.smallest_rows.clone_from(&forth.smallest_rows);
        prop_assert_eq!(forth, back);
    }
}

/// A population of persons whose classes have these weights, and a sample of it: the sample's classes by size, and how many are
/// unique in the population.
fn drawn(people: usize, cells: usize, fraction: f64, seed: u64) -> (BTreeMap<u64, u64>, u64) {
    let mut random = SplitMix64::new(seed);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (mut all, mut sample) = (vec![0u64; cells], vec![0u64; cells]);
    for _ in 0..people {
        // A long tail: few cells are common, many rare.
        let cell = (cells as f64 * unit().powi(3)) as usize;
        all[cell] += 1;
        sample[cell] += u64::from(unit() < fraction);
    }
    let mut classes = BTreeMap::new();
    for size in sample.into_iter().filter(|size| *size > 0) {
        *classes.entry(size).or_default() += 1;
    }
    (
        classes,
        all.iter().filter(|size| **size == 1).count() as u64,
    )
}

/// A draw from Pitman's sampling formula, and a sample of it.
fn seated(
    people: usize,
    theta: f64,
    alpha: f64,
    fraction: f64,
    seed: u64,
) -> (BTreeMap<u64, u64>, u64) {
    let mut random = SplitMix64::new(seed);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (mut all, mut seats): (Vec<u64>, Vec<usize>) = (Vec::new(), Vec::new());
    while seats.len() < people {
        let new = (theta + all.len() as f64 * alpha) / (theta + seats.len() as f64);
        if unit() < new {
            seats.push(all.len());
            all.push(1);
            continue;
        }
        // An old class with probability (size − alpha): by a random member, now and then refused.
        loop {
            let class = seats[(unit() * seats.len() as f64) as usize];
            if unit() * all[class] as f64 >= alpha {
                seats.push(class);
                all[class] += 1;
                break;
            }
        }
    }
    let mut sample = vec![0u64; all.len()];
    for class in seats {
        sample[class] += u64::from(unit() < fraction);
    }
    let mut classes = BTreeMap::new();
    for size in sample.into_iter().filter(|size| *size > 0) {
        *classes.entry(size).or_default() += 1;
    }
    (
        classes,
        all.iter().filter(|size| **size == 1).count() as u64,
    )
}

#[test]
fn the_chosen_estimate_is_near_a_population_that_is_known() {
    let near = |(classes, truth): (BTreeMap<u64, u64>, u64), model: &str, off: f64| {
        let found = estimates(&classes, 100_000).unwrap();
        assert_eq!(found.chosen, model, "{found:?}");
        let ratio = found.unique.unwrap() / truth as f64;
        assert!(
            (1.0 / off..off).contains(&ratio),
            "{ratio} {truth} {found:?}"
        );
        assert!((found.share.unwrap() * 100_000.0 - found.unique.unwrap()).abs() < 1e-6);
    };
    near(drawn(100_000, 30_000, 0.5, 7), "snb", 2.0);
    near(drawn(100_000, 30_000, 0.3, 7), "snb", 2.0);
    near(seated(100_000, 30.0, 0.6, 0.05, 7), "pitman", 1.1);
    near(seated(100_000, 500.0, 0.3, 0.1, 8), "pitman", 1.1);
}

#[test]
fn without_sample_uniques_or_with_the_whole_population_nothing_is_guessed() {
    let none = estimates(&BTreeMap::from([(2, 5), (7, 1)]), 1_000).unwrap();
    assert!(
        none.estimates
            .iter()
            .all(|estimate| estimate.unique == Some(0.0))
    );
    let whole = estimates(&BTreeMap::from([(1, 4), (3, 2)]), 10).unwrap();
    assert!(
        whole
            .estimates
            .iter()
            .all(|estimate| estimate.unique == Some(4.0))
    );
    assert_eq!(estimates(&BTreeMap::from([(1, 4)]), 3), None);
    // All alone: neither Pitman nor SNB has a solution, and that is said.
    let alone = estimates(&BTreeMap::from([(1, 40)]), 1_000).unwrap();
    let told: Vec<bool> = alone
        .estimates
        .iter()
        .map(|estimate| estimate.why.is_some())
        .collect();
    assert_eq!((told, alone.chosen), (vec![false, true, true], "zayatz"));
}
