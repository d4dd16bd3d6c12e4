//! Earlier releases in which persons have several rows, as a policy without `serial` may have published them: onlooker,
//! condition and certifier against possible worlds.

use scrim::Share;
use scrim::adversary::{serial, worlds};
use scrim::frequency::Piles;
use scrim::release::policy::Protected;
use scrim::release::{Series, Shield, retire};
use testkit::oracle::serial::{self as oracle, Release};
use testkit::{Fraction, SplitMix64, wong};

use crate::cases::{
    Row, VALUES, certify, history, policy, prepare, random_groups, random_rows, released, table,
};
use crate::{is_allowed, random_l, rows, told};

/// Releases of a few persons with any number of rows each.
fn random_past(random: &mut SplitMix64) -> Vec<Release> {
    let releases = random.between(1, 2);
    (0..releases)
        .map(|_| {
            let mut rows = random_rows(random, 5, VALUES.len());
            for row in &mut rows {
                row.person = random.below(4) as u32;
            }
            let groups = random_groups(random, rows.len(), 4);
            released(&rows, &groups)
        })
        .collect()
}

fn everybody() -> Vec<Row> {
    rows(&[(0, "flu"), (1, "flu"), (2, "flu"), (3, "flu")])
}

#[test]
fn the_formula_is_the_share_of_possible_worlds() {
    let (mut linked, mut repeated) = (0, 0);
    for seed in 0..200 {
        let mut random = SplitMix64::new(40_000 + seed);
        let past = random_past(&mut random);
        let history = history(&past, &table(&everybody()));
        let limit = Share::new(1, 2).unwrap();
        let attack = serial(&history, &|_| true, limit, usize::MAX);
        for person in 0..4 {
            repeated += u32::from(history.is_repeated(person));
            let of = |release: &&Release| {
                let mut groups = release.iter();
                groups.any(|group| group.individuals.contains(&person))
            };
            assert_eq!(
                history.appearances(person) as usize,
                past.iter().filter(of).count()
            );
            for value in VALUES {
                let truth = oracle::probability(&past, person, value);
                let mut links = attack.nearest.iter();
                let link = links.find(|link| link.person == person && link.value == value);
                let found = link.map_or(0.0, |link| link.chance.value());
                assert!((found - truth.to_f64()).abs() < 1e-12, "seed {seed}");
                let above = link.is_some_and(|link| link.chance.is_above(limit));
                assert_eq!(above, truth > Fraction::new(1, 2), "seed {seed}");
                let (all, with) = worlds(&history, person, value, 1_000_000).unwrap();
                assert_eq!(Fraction::whole(with) / Fraction::whole(all), truth);
                linked += u32::from(truth > Fraction::new(0, 1));
            }
        }
        // Each release counts its persons once, and by itself alone.
        for (release, told) in past.iter().zip(&attack.releases) {
            let groups = release.iter();
            let mut persons: Vec<u32> = groups.flat_map(|one| one.individuals.clone()).collect();
            persons.sort_unstable();
            persons.dedup();
            assert_eq!(told.persons, persons.len() as u64, "seed {seed}");
            let alone = std::slice::from_ref(release);
            let largest = persons
                .iter()
                .flat_map(|own| VALUES.map(|value| oracle::probability(alone, *own, value)))
                .max();
            let found = told.localized.value();
            assert!((found - largest.unwrap().to_f64()).abs() < 1e-12);
        }
    }
    assert!(
        linked > 500 && repeated > 150,
        "{linked} linked, {repeated} repeated"
    );
}

#[test]
fn condition_certifier_and_definition_agree() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..900 {
        let mut random = SplitMix64::new(50_000 + seed);
        let past = random_past(&mut random);
        let mut now = random_rows(&mut random, 3, VALUES.len());
        for (person, row) in (0..).zip(&mut now) {
            row.person = person;
        }
        let l = random_l(&mut random);
        let protected = [now[0].value];
        let policy = policy(&format!("{}\nvalues = {protected:?}", told(l)), "");
        let table = table(&now);
        let history = history(&past, &table);
        let prepared = prepare(&policy, &table, &history).unwrap();
        let piles = Piles::new(&table, prepared.models.tracked()).unwrap();
        let groups = random_groups(&mut random, now.len(), 3);
        for group in &groups {
            let class = released(&now, std::slice::from_ref(group));
            let numbers: Vec<u32> = group.iter().map(|at| *at as u32).collect();
            let holds = prepared.models.holds(piles.one(&numbers).only());
            let truth = is_allowed(&past, &class, &protected, l);
            assert_eq!(holds, truth, "seed {seed}");
            // Only classes with somebody who had several rows tell anything new.
            let person = |at: &usize| table.column("person").unwrap().codes().get(*at);
            let several = group.iter().any(|at| history.is_repeated(person(at)));
            valid += u32::from(truth && several);
            invalid += u32::from(!truth && several);
        }
        let whole = released(&now, &groups);
        let answer = certify(&policy, &now, &groups, &history);
        let truth = is_allowed(&past, &whole, &protected, l);
        assert_eq!(answer.holds, truth, "seed {seed}");
        let mut all = past.clone();
        all.push(whole);
        let largest = now
            .iter()
            .flat_map(|row| {
                let of = |value: &&str| oracle::probability(&all, row.person, value);
                protected.iter().map(of).collect::<Vec<_>>()
            })
            .max();
        let found = answer.serial.unwrap().max;
        assert!(
            (found - largest.unwrap().to_f64()).abs() < 1e-12,
            "seed {seed}"
        );
    }
    assert!(
        valid > 50 && invalid > 50,
        "{valid} valid, {invalid} invalid"
    );
}

#[test]
fn several_rows_are_told_beside_the_promise_and_retire_by_releases() {
    // Person 0 has two of four rows, one of four with hiv: 1/2. Person 1 has one: 1/4.
    let past = vec![vec![wong::group(
        &[0, 0, 1, 2],
        &["hiv", "flu", "flu", "cold"],
    )]];
    let now = rows(&[(0, "flu"), (1, "hiv"), (7, "flu"), (8, "flu")]);
    let table = table(&now);
    let history = history(&past, &table);
    let alone = policy("l = 2\nvalues = [\"hiv\"]", "");
    let prepared = prepare(&alone, &table, &history).unwrap();
    let told = "1 of these persons had several rows in one earlier release";
    assert!(
        prepared
            .remarks
            .iter()
            .any(|remark| remark.starts_with(told)),
        "{:?}",
        prepared.remarks
    );
    // Person 0 has no room beside a row with hiv, the others have.
    assert!(!certify(&alone, &now, &[vec![0, 1, 2, 3]], &history).holds);
    assert!(certify(&alone, &now, &[vec![0], vec![1, 2, 3]], &history).holds);
    // Two rows of one release are one appearance.
    let after = policy("l = 2\nvalues = [\"hiv\"]\nretire = { after = 2 }", "");
    assert!(retire(&after, &table, &history, None).unwrap().is_none());
    let below = "l = 2\nvalues = [\"hiv\"]\nretire = { below = \"1/100\" }";
    let below = retire(&policy(below, ""), &table, &history, None);
    let below = below.unwrap().unwrap();
    assert_eq!((below.rows, below.retired), (vec![1, 2, 3], 1));
}

#[test]
fn lasting_values_are_not_guessed_from_several_rows() {
    let past = vec![vec![wong::group(
        &[0, 0, 1, 2],
        &["hiv", "flu", "flu", "cold"],
    )]];
    let now = rows(&[(0, "hiv"), (1, "flu"), (2, "flu")]);
    let table = table(&now);
    let mut history = history(&past, &table);
    let lasting = policy("l = 2\nlasting = [\"hiv\"]", "");
    let shield = Shield::new(
        &Protected::Named(Vec::new()),
        &["hiv".to_owned()],
        false,
        None,
    );
    let error = Series::new(&history, &shield).unwrap_err();
    assert_eq!(error, "release 1 has a person with several rows");
    let error = prepare(&lasting, &table, &history).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("lasting values cannot be judged"),
        "{error}"
    );
    let answer = certify(&lasting, &now, &[vec![0, 1, 2]], &history);
    assert!(!answer.holds);
    // A release that did not have the column says nothing about it.
    history.classes[0].counts.clear();
    history.silent.insert(1);
    assert!(Series::new(&history, &shield).is_ok());
    assert!(certify(&lasting, &now, &[vec![0, 1, 2]], &history).holds);
}
