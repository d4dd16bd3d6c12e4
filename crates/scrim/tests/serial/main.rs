//! Serial publishing ([Wong09]): the formula against possible worlds, the condition against the definition, the certifier against
//! both, and the search against all partitions of small tables.
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the lint knows tests, but not the functions beside them"
)]

mod cases;
mod lasting;
mod refusals;
mod schedules;
mod search;
mod several;
mod stays;

use cases::{
    Row, VALUES, certify, history, policy, prepare, random_groups, random_past, random_rows,
    released, table,
};
use scrim::adversary::{serial, worlds};
use scrim::frequency::Piles;
use scrim::release::{History, PastClass, retire};
use scrim::{Error, Share};
use testkit::oracle::serial::{self as oracle, Release};
use testkit::{Fraction, SplitMix64, wong};

fn random_l(random: &mut SplitMix64) -> Fraction {
    let all = [(2, 1), (3, 1), (3, 2), (7, 3), (5, 4)];
    let (numerator, denominator) = all[random.below(all.len())];
    Fraction::new(numerator, denominator)
}

fn told(l: Fraction) -> String {
    format!("l = \"{}/{}\"", l.numerator(), l.denominator())
}

#[test]
fn the_formula_is_the_share_of_possible_worlds() {
    let mut compared = 0;
    for seed in 0..300 {
        let mut random = SplitMix64::new(seed);
        let past = random_past(&mut random, 3, 4);
        let rows: Vec<Row> = (0..6)
            .map(|person| Row {
                person,
                age: 30,
                zip: 100,
                value: "flu",
            })
            .collect();
        let history = history(&past, &table(&rows));
        let limit = Share::new(1, 2).unwrap();
        let attack = serial(&history, &|_| true, limit, usize::MAX);
        for row in &rows {
            for value in VALUES {
                let truth = oracle::probability(&past, row.person, value);
                let link = attack
                    .nearest
                    .iter()
                    .find(|link| link.person == row.person && link.value == value);
                let found = link.map_or_else(|| Some("0".to_owned()), |link| link.chance.exact(99));
                let truth_told = if truth.denominator() == 1 {
                    truth.numerator().to_string()
                } else {
                    truth.to_string()
                };
                assert_eq!(found.unwrap(), truth_told, "seed {seed}");
                let above = link.is_some_and(|link| link.chance.is_above(limit));
                assert_eq!(above, truth > Fraction::new(1, 2));
                let (all, linked) = worlds(&history, row.person, value, 1_000_000).unwrap();
                assert_eq!(Fraction::whole(linked) / Fraction::whole(all), truth);
                compared += 1;
            }
        }
        let largest = rows
            .iter()
            .flat_map(|row| VALUES.map(|value| oracle::probability(&past, row.person, value)));
        assert_eq!(
            attack.max.compare(
                &attack
                    .nearest
                    .first()
                    .map_or_else(Default::default, |link| link.chance.clone())
            ),
            std::cmp::Ordering::Equal
        );
        assert!((attack.max.value() - largest.max().unwrap().to_f64()).abs() < 1e-12);
        assert_eq!(attack.releases.len(), past.len());
    }
    assert!(compared >= 7000);
}

#[test]
fn a_release_without_the_column_adds_no_worlds() {
    // Of three classes that the person was in, the second is of a release that did not have the column.
    let class = |release: u32, counts: &[(&str, u64)]| PastClass {
        release,
        rows: 3,
        counts: counts
            .iter()
            .map(|(value, rows)| ((*value).to_owned(), *rows))
            .collect(),
    };
    let all = History {
        classes: vec![
            class(1, &[("hiv", 1), ("flu", 2)]),
            class(2, &[]),
            class(3, &[("hiv", 1), ("cold", 1), ("flu", 1)]),
        ],
        of_person: vec![vec![0, 1, 2], vec![1]],
        ledger_row: vec![Some(1), Some(2)],
        releases: 3,
        ..History::default()
    };
    // 3 worlds of the first class, 6 of the third; in 2 and 4 of them the person has something else.
    assert_eq!(worlds(&all, 0, "hiv", 100), Some((18, 10)));
    // Who was only there is in one world, and not linked in it.
    assert_eq!(worlds(&all, 1, "hiv", 100), Some((1, 0)));
    let found = serial(&all, &|value| value == "hiv", Share::new(1, 2).unwrap(), 10);
    assert_eq!(found.max.exact(20).unwrap(), "5/9");
    assert_eq!((found.persons, found.nearest.len()), (2, 1));
}

#[test]
fn the_attack_tells_localized_from_global_release_by_release() {
    let rows: Vec<Row> = (1..=5)
        .map(|person| Row {
            person,
            age: 30,
            zip: 100,
            value: "flu",
        })
        .collect();
    let history = history(&wong::figure2(), &table(&rows));
    let half = Share::new(1, 2).unwrap();
    let attack = serial(&history, &|value| value == "chlamydia", half, 1);
    assert_eq!(attack.max.exact(9).unwrap(), "3/4");
    assert_eq!((attack.above, attack.persons), (2, 5));
    let told: Vec<(u32, String, String, u64)> = attack
        .releases
        .iter()
        .map(|one| {
            let exact = |chance: &scrim::adversary::Chance| chance.exact(9).unwrap();
            (
                one.release,
                exact(&one.localized),
                exact(&one.global),
                one.above,
            )
        })
        .collect();
    assert_eq!(told[0], (1, "1/2".to_owned(), "1/2".to_owned(), 0));
    assert_eq!(told[1], (2, "1/2".to_owned(), "3/4".to_owned(), 2));
    assert_eq!(attack.nearest.len(), 1);
    assert_eq!(attack.nearest[0].ledger_row, Some(1));
}

/// The oracle's word about one class after a past, for its members alone.
fn is_allowed(past: &[Release], class: &Release, protected: &[&str], l: Fraction) -> bool {
    let mut all = past.to_vec();
    all.push(class.clone());
    oracle::is_guaranteed(&all, protected, l)
}

#[test]
fn condition_certifier_and_definition_agree() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..600 {
        let mut random = SplitMix64::new(1_000 + seed);
        let past = random_past(&mut random, 2, 4);
        let rows = random_rows(&mut random, 5, VALUES.len());
        let l = random_l(&mut random);
        let protected: Vec<&str> = VALUES
            .into_iter()
            .filter(|value| rows.iter().any(|row| row.value == *value) && !random.once_in(3))
            .collect();
        if protected.is_empty() {
            continue;
        }
        let policy = policy(&format!("{}\nvalues = {protected:?}", told(l)), "");
        let table = table(&rows);
        let history = history(&past, &table);
        let prepared = prepare(&policy, &table, &history).unwrap();
        let piles = Piles::new(&table, prepared.models.tracked()).unwrap();
        let groups = random_groups(&mut random, rows.len(), 5);
        for group in &groups {
            let class = released(&rows, std::slice::from_ref(group));
            let numbers: Vec<u32> = group.iter().map(|at| *at as u32).collect();
            let holds = prepared.models.holds(piles.one(&numbers).only());
            let truth = is_allowed(&past, &class, &protected, l);
            assert_eq!(holds, truth, "seed {seed}");
            if truth {
                valid += 1;
            } else {
                invalid += 1;
            }
        }
        let answer = certify(&policy, &rows, &groups, &history);
        let whole = released(&rows, &groups);
        assert_eq!(
            answer.holds,
            is_allowed(&past, &whole, &protected, l),
            "seed {seed}"
        );
        let mut all = past.clone();
        all.push(whole);
        let probabilities = rows.iter().flat_map(|row| {
            let of = |value: &&str| oracle::probability(&all, row.person, value);
            protected.iter().map(of).collect::<Vec<_>>()
        });
        let largest = probabilities.max().unwrap();
        let report = answer.serial.unwrap();
        assert!((report.max - largest.to_f64()).abs() < 1e-12, "seed {seed}");
        assert_eq!(report.release as usize, past.len() + 1);
        assert_eq!(answer.models[0].witness.is_some(), !answer.holds);
    }
    assert!(
        valid > 200 && invalid > 200,
        "{valid} valid, {invalid} invalid"
    );
}

fn rows(cells: &[(u32, &'static str)]) -> Vec<Row> {
    let row = |(person, value): &(u32, &'static str)| Row {
        person: *person,
        age: 20 + person,
        zip: 100 + person,
        value,
    };
    cells.iter().map(row).collect()
}

#[test]
fn the_golden_publisher_cases_hold() {
    let hiv = policy("l = 2\nvalues = [\"hiv\"]", "");
    // a, b, c, d = 0 to 3 were in one class with one hiv; n, m = 4, 5 are new.
    let past = vec![vec![wong::group(
        &[0, 1, 2, 3],
        &["flu", "hiv", "cold", "fever"],
    )]];
    let newcomers = rows(&[(4, "hiv"), (5, "cold")]);
    let mixed = rows(&[(0, "hiv"), (5, "cold")]);
    let three = rows(&[(0, "hiv"), (4, "cold"), (5, "mumps")]);
    for (rows, holds) in [(newcomers, true), (mixed, false), (three, true)] {
        let history = history(&past, &table(&rows));
        let groups = vec![(0..rows.len()).collect()];
        assert_eq!(certify(&hiv, &rows, &groups, &history).holds, holds);
    }
    // Not union-monotone: {a, b} and {n, m}, but not all four.
    let all = policy("l = 2\nvalues = \"all\"", "");
    let past = vec![vec![wong::group(&[0, 1], &["flu", "hiv"])]];
    let four = rows(&[(0, "cold"), (1, "fever"), (4, "hiv"), (5, "mumps")]);
    let history = history(&past, &table(&four));
    assert!(certify(&all, &four, &[vec![0, 1], vec![2, 3]], &history).holds);
    assert!(!certify(&all, &four, &[vec![0, 1, 2, 3]], &history).holds);
    assert!(!certify(&all, &four, &[vec![0, 2], vec![1, 3]], &history).holds);
}

#[test]
fn who_is_above_the_limit_by_earlier_releases_is_in_no_class() {
    let policy = policy("l = 2\nvalues = [\"hiv\"]", "");
    let past = vec![vec![wong::group(&[0, 1, 2], &["hiv", "hiv", "flu"])]];
    let rows = rows(&[(0, "cold"), (4, "hiv"), (5, "flu"), (6, "flu")]);
    let table = table(&rows);
    let history = history(&past, &table);
    let prepared = prepare(&policy, &table, &history).unwrap();
    let error = prepared.must_be_feasible().unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("earlier releases link 1 person (ledger row 1)"),
        "{error}"
    );
    assert!(!certify(&policy, &rows, &[vec![0], vec![1, 2, 3]], &history).holds);
}

#[test]
fn persons_are_retired_by_public_history_only() {
    let policy = policy(
        "l = 2\nvalues = [\"hiv\"]\nretire = { after = 2, below = \"1/5\" }",
        "",
    );
    let past = vec![
        vec![
            wong::group(&[0, 1], &["flu", "hiv"]),
            wong::group(&[2, 3], &["flu", "cold"]),
        ],
        vec![wong::group(&[2, 4, 5, 6], &["hiv", "cold", "flu", "flu"])],
    ];
    // 0 and 1 have no room for hiv, 2 was there twice; 4 has room for 1/3.
    for value in ["hiv", "flu"] {
        let rows = rows(&[(0, value), (1, "flu"), (2, value), (4, value), (7, "flu")]);
        let table = table(&rows);
        let history = history(&past, &table);
        let remaining = retire(&policy, &table, &history, None).unwrap().unwrap();
        assert_eq!((remaining.rows, remaining.retired), (vec![3, 4], 3));
        let person = remaining.table.column("person").unwrap();
        assert_eq!((person.text(0), person.codes().get(0)), ("o4", 3));
        assert_eq!(remaining.table.column("age").unwrap().dictionary().len(), 2);
        assert!(prepare(&policy, &remaining.table, &history).is_ok());
    }
    let none = retire(
        &policy,
        &table(&rows(&[(7, "hiv")])),
        &History::default(),
        None,
    );
    assert!(none.unwrap().is_none());
}

#[test]
fn a_person_with_two_rows_is_told_by_line() {
    let policy = policy("l = 2\nvalues = [\"hiv\"]", "");
    let table = table(&rows(&[(0, "hiv"), (1, "flu"), (0, "flu")]));
    let error = prepare(&policy, &table, &History::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv:4: the person in `person` has a row above already"
    );
    assert!(matches!(error, Error::Data { .. }));
}

#[test]
fn a_protected_value_that_nothing_knows_is_a_fault_of_the_policy() {
    let policy = policy("l = 2\nvalues = [\"hivv\"]", "");
    let table = table(&rows(&[(0, "hiv"), (1, "flu")]));
    let error = prepare(&policy, &table, &History::default()).unwrap_err();
    let told = error.to_string();
    assert!(
        told.contains("`values` has `hivv`, which is neither a value of `s`"),
        "{told}"
    );
    assert!(!error.hint().unwrap().contains("`hiv`")); // values of the data are not told
    // In a later release too, it would protect nobody; what was promised before is known.
    let later = |promised: &[&str]| History {
        releases: 1,
        promised: promised.iter().map(|value| (*value).to_owned()).collect(),
        ..History::default()
    };
    assert!(prepare(&policy, &table, &later(&["hiv"])).is_err());
    assert!(prepare(&policy, &table, &later(&["hivv"])).is_ok());
}
