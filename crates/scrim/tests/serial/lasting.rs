//! Lasting values: onlooker, certifier and search against worlds that are tried person by person.

use std::collections::{BTreeMap, BTreeSet};

use scrim::Share;
use scrim::adversary::lasting;
use scrim::model::{Exact, WorldEffort};
use scrim::release::policy::Protected;
use scrim::release::{History, PastClass, Series, Shield, retire};
use testkit::oracle::lasting::{probability, worlds};
use testkit::oracle::serial::{Group, Release};
use testkit::{Fraction, SplitMix64};

use crate::cases::{Row, certify, policy, random_groups, released, table};
use crate::search::search;
use crate::told;

/// A history that knows everybody: those of the table by their codes, the others after them.
pub fn everybody(releases: &[Release], rows: &[Row]) -> (History, Vec<u32>) {
    let mut codes: Vec<u32> = rows.iter().map(|row| row.person).collect();
    let others: BTreeSet<u32> = releases
        .iter()
        .flatten()
        .flat_map(|group| group.individuals.clone())
        .filter(|person| !codes.contains(person))
        .collect();
    codes.extend(others);
    let mut history = History {
        of_person: vec![Vec::new(); codes.len()],
        ledger_row: (1..=codes.len() as u64).map(Some).collect(),
        releases: releases.len() as u32,
        promised: BTreeSet::from(["hiv".to_owned()]),
        ..History::default()
    };
    for (number, release) in (1..).zip(releases) {
        for group in release {
            let at = history.classes.len() as u32;
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for value in &group.values {
                *counts.entry((*value).to_owned()).or_default() += 1;
            }
            history.classes.push(PastClass {
                release: number,
                rows: group.values.len() as u64,
                counts,
            });
            for person in &group.individuals {
                let code = codes.iter().position(|code| code == person).unwrap();
                history.of_person[code].push(at);
            }
        }
    }
    (history, codes)
}

fn shield(lasting: &[&str], group: bool) -> Shield {
    let names: Vec<String> = lasting.iter().map(|name| (*name).to_owned()).collect();
    Shield::new(&Protected::Named(Vec::new()), &names, group, None)
}

pub fn row(person: u32, value: &'static str) -> Row {
    Row {
        person,
        age: 30 + person,
        zip: 100,
        value,
    }
}

fn group(members: &[(u32, &'static str)]) -> Group {
    Group {
        individuals: members.iter().map(|(person, _)| *person).collect(),
        values: members.iter().map(|(_, value)| *value).collect(),
    }
}

/// Rows of a release in which values last: person by person from when on they have it.
fn lasting_rows(random: &mut SplitMix64, since: &[usize], release: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (person, since) in (0..).zip(since) {
        if !random.once_in(4) {
            let other = ["flu", "cold"][random.below(2)];
            rows.push(row(person, if *since <= release { "hiv" } else { other }));
        }
    }
    rows
}

/// A random series whose values last.
fn series(
    random: &mut SplitMix64,
    persons: usize,
    releases: usize,
) -> Vec<(Vec<Row>, Vec<Vec<usize>>)> {
    let since: Vec<usize> = (0..persons).map(|_| random.below(releases * 3)).collect();
    (0..releases)
        .map(|release| {
            let rows = lasting_rows(random, &since, release);
            let groups = random_groups(random, rows.len(), 4);
            (rows, groups)
        })
        .collect()
}

pub fn exact(fraction: Fraction) -> Exact {
    Exact::new(
        i64::try_from(fraction.numerator()).unwrap().into(),
        i64::try_from(fraction.denominator()).unwrap().into(),
    )
}

/// The persons who are linked to somebody of the last release by classes.
pub fn linked_to_last(releases: &[Release]) -> BTreeSet<u32> {
    let mut reached: BTreeSet<u32> = releases
        .last()
        .into_iter()
        .flatten()
        .flat_map(|group| group.individuals.clone())
        .collect();
    loop {
        let before = reached.len();
        for group in releases.iter().flatten() {
            if group
                .individuals
                .iter()
                .any(|person| reached.contains(person))
            {
                reached.extend(&group.individuals);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

#[test]
fn onlooker_and_certifier_find_the_share_of_worlds() {
    let (mut compared, mut broken, mut bounded) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = SplitMix64::new(seed);
        let (persons, count) = (random.between(2, 6), random.between(1, 3));
        let all = series(&mut random, persons, count);
        let releases: Vec<Release> = all
            .iter()
            .map(|(rows, groups)| released(rows, groups))
            .collect();
        let (rows, groups) = all.last().unwrap();
        if rows.is_empty() {
            continue;
        }
        // The onlooker, over all releases.
        let (whole, codes) = everybody(&releases, rows);
        let told_series = Series::new(&whole, &shield(&["hiv"], false)).unwrap();
        let half = Share::new(1, 2).unwrap();
        let attack = lasting(&told_series, half, WorldEffort::default());
        let none = WorldEffort {
            of_one: 0,
            in_all: 0,
        };
        let bounds = lasting(&told_series, half, none);
        let (all_worlds, _) = worlds(&releases, &["hiv"]);
        assert!(
            all_worlds > 0 && attack.contradicted.is_empty(),
            "seed {seed}"
        );
        let mut largest = Fraction::whole(0);
        let reached = linked_to_last(&releases);
        for (code, person) in (0..).zip(&codes) {
            let truth = probability(&releases, *person, &["hiv"]).unwrap();
            let link = attack.links.iter().find(|link| link.person == code);
            let found = link.map_or_else(
                || exact(Fraction::whole(0)),
                |link| link.belief.most.clone(),
            );
            assert_eq!(found, exact(truth), "seed {seed}, person {person}");
            assert!(link.is_none_or(|link| link.belief.exact));
            let bound = bounds.links.iter().find(|link| link.person == code);
            let bound_value = bound.map_or_else(
                || exact(Fraction::whole(0)),
                |link| link.belief.most.clone(),
            );
            assert!(
                bound_value >= exact(truth),
                "seed {seed}: a bound below the truth"
            );
            bounded += u64::from(bound.is_some_and(|bound| !bound.belief.exact));
            assert_eq!(attack.above.contains(&code), truth > Fraction::new(1, 2));
            if reached.contains(person) {
                largest = largest.max(truth);
            }
            compared += 1;
        }
        // The certifier, after the releases before the last.
        let (history, _) = everybody(&releases[..count - 1], rows);
        let answer = certify(
            &policy("l = 2\nlasting = [\"hiv\"]", ""),
            rows,
            groups,
            &history,
        );
        let report = answer.serial.unwrap();
        let found = report.lasting.unwrap();
        let largest_told = if largest.denominator() == 1 {
            largest.numerator().to_string()
        } else {
            largest.to_string()
        };
        assert!(found.exact);
        assert_eq!(found.max_exact.unwrap(), largest_told, "seed {seed}");
        assert_eq!(answer.holds, largest <= Fraction::new(1, 2), "seed {seed}");
        broken += u64::from(!answer.holds);
    }
    assert!(
        compared > 1000 && broken > 50 && bounded > 100,
        "{compared} {broken} {bounded}"
    );
}

#[test]
fn the_examples_of_the_definition_are_refused_or_kept() {
    let policy = policy("l = 2\nlasting = [\"hiv\"]", "");
    let first = vec![group(&[(0, "hiv"), (1, "flu"), (2, "cold")])];
    // {a,b,c} with one hiv, then {a,d} with one and {b,c} with none: one world, p(a) = 1.
    let rows = [row(0, "hiv"), row(3, "flu"), row(1, "flu"), row(2, "cold")];
    let (history, _) = everybody(std::slice::from_ref(&first), &rows);
    let answer = certify(&policy, &rows, &[vec![0, 1], vec![2, 3]], &history);
    assert!(!answer.holds);
    assert_eq!(answer.serial.unwrap().max_exact.unwrap(), "1");
    // {a,b,c,d} with one, the same four with two: everybody 1/2.
    let four = vec![group(&[(0, "hiv"), (1, "flu"), (2, "cold"), (3, "flu")])];
    let rows = [row(0, "hiv"), row(1, "hiv"), row(2, "cold"), row(3, "flu")];
    let (history, _) = everybody(&[four], &rows);
    let answer = certify(&policy, &rows, &[vec![0, 1, 2, 3]], &history);
    assert!(answer.holds);
    assert_eq!(answer.serial.unwrap().max_exact.unwrap(), "1/2");
    // {a,b,c} with one, then {b,c} with none: p(a) = 1, because a left, and a has no row here.
    let rows = [row(1, "flu"), row(2, "cold")];
    let (history, _) = everybody(&[first], &rows);
    let answer = certify(&policy, &rows, &[vec![0, 1]], &history);
    assert!(!answer.holds);
    let serial = answer.serial.unwrap();
    assert_eq!(serial.max_exact.unwrap(), "1");
    assert_eq!(serial.assumptions.len(), 1);
    // Somebody lost the value: no world, so no probability, so no release.
    let pair = vec![group(&[(0, "hiv"), (1, "flu")])];
    let rows = [row(0, "flu"), row(1, "cold")];
    let (history, _) = everybody(&[pair], &rows);
    assert!(!certify(&policy, &rows, &[vec![0, 1]], &history).holds);
}

#[test]
fn transient_and_lasting_values_are_judged_side_by_side() {
    let past = vec![vec![group(&[
        (0, "hiv"),
        (1, "flu"),
        (2, "cold"),
        (3, "cold"),
    ])]];
    let rows = [row(0, "hiv"), row(1, "cold"), row(2, "flu"), row(3, "cold")];
    let (history, _) = everybody(&past, &rows);
    let judge = |serial: &str| {
        let answer = certify(&policy(serial, ""), &rows, &[vec![0, 1, 2, 3]], &history);
        (answer.holds, answer.serial.unwrap().max_exact.unwrap())
    };
    // As lasting hiv stays at 1/4; as transient it would have come to 7/16, as flu does.
    assert_eq!(
        judge("l = 2\nlasting = [\"hiv\"]"),
        (true, "1/4".to_owned())
    );
    assert_eq!(
        judge("l = 2\nvalues = [\"hiv\"]"),
        (true, "7/16".to_owned())
    );
    let both = "l = 2\nvalues = [\"flu\"]\nlasting = [\"hiv\"]";
    assert_eq!(judge(both), (true, "7/16".to_owned()));
    let all = "l = 3\nvalues = \"all\"\nlasting = [\"hiv\"]";
    assert!(!judge(all).0);
}

#[test]
fn what_the_ledger_does_not_say_is_not_guessed() {
    let policy = policy("l = 2\nlasting = [\"hiv\"]", "");
    let past = vec![vec![group(&[
        (0, "hiv"),
        (1, "flu"),
        (2, "cold"),
        (3, "flu"),
    ])]];
    let rows = [row(0, "hiv"), row(1, "flu"), row(2, "cold"), row(3, "flu")];
    let (mut history, _) = everybody(&past, &rows);
    history.of_person[3].clear();
    assert!(!certify(&policy, &rows, &[vec![0, 1, 2, 3]], &history).holds);
    assert!(Series::new(&history, &shield(&["hiv"], false)).is_err());
    // A release that did not have the column says nothing, and is no zero.
    let (mut history, _) = everybody(&past, &rows);
    history.classes[0].counts.clear();
    history.silent.insert(1);
    assert!(certify(&policy, &rows, &[vec![0, 1, 2, 3]], &history).holds);
    // A starred value may be any.
    let (mut history, _) = everybody(&past, &rows);
    history.classes[0].counts.insert("*".to_owned(), 1);
    assert!(!certify(&policy, &rows, &[vec![0, 1, 2, 3]], &history).holds);
}

#[test]
fn cohorts_that_stay_together_are_found_and_keep_the_promise() {
    let (mut published, mut refused, mut later) = (0, 0, 0);
    for seed in 0..150 {
        let mut random = SplitMix64::new(7_000 + seed);
        let l = [
            Fraction::new(2, 1),
            Fraction::new(3, 2),
            Fraction::new(3, 1),
        ][random.below(3)];
        let policy = policy(&format!("{}\nlasting = [\"hiv\"]", told(l)), "");
        let since: Vec<usize> = (0..8)
            .map(|_| {
                if random.once_in(4) {
                    random.below(3)
                } else {
                    9
                }
            })
            .collect();
        let mut releases: Vec<Release> = Vec::new();
        for release in 0..3 {
            let mut rows = lasting_rows(&mut random, &since, release);
            let (history, _) = everybody(&releases, &rows);
            if let Some(left) = retire(&policy, &table(&rows), &history, None).unwrap() {
                rows = left.rows.iter().map(|at| rows[*at as usize]).collect();
            }
            if rows.is_empty() {
                continue;
            }
            let (history, _) = everybody(&releases, &rows);
            let Some(groups) = search(&policy, &rows, &history) else {
                refused += 1;
                continue;
            };
            assert!(
                certify(&policy, &rows, &groups, &history).holds,
                "seed {seed}"
            );
            releases.push(released(&rows, &groups));
            published += 1;
            later += u64::from(releases.len() > 1);
        }
        for (person, linked) in worlds(&releases, &["hiv"]).1 {
            let (all, _) = worlds(&releases, &["hiv"]);
            assert!(
                Fraction::whole(linked) / Fraction::whole(all) * l <= Fraction::ONE,
                "seed {seed}: person {person} has {linked} of {all} worlds"
            );
        }
    }
    assert!(
        published > 200 && later > 100,
        "{published} {refused} {later}"
    );
}

#[test]
fn what_is_left_of_a_cohort_is_left_out_whatever_it_has_now() {
    let policy = policy("l = 2\nlasting = [\"hiv\"]", "");
    let members = |count: u32| -> Vec<(u32, &'static str)> {
        (0..count)
            .map(|at| (at, if at == 0 { "hiv" } else { "flu" }))
            .collect()
    };
    let past = vec![vec![
        group(&members(6)),
        group(&[(10, "flu"), (11, "cold")]),
    ]];
    let left = |rows: &[Row]| {
        let (history, _) = everybody(&past, rows);
        retire(&policy, &table(rows), &history, None)
            .unwrap()
            .map(|left| (left.rows, left.incomplete))
    };
    // One of six is missing, and one had it: fewer than two. The other cohort had none: who leaves it tells nothing.
    for value in ["flu", "hiv"] {
        let rows: Vec<Row> = (1..6)
            .map(|at| row(at, value))
            .chain([row(10, "flu"), row(20, "cold")])
            .collect();
        assert_eq!(left(&rows), Some((vec![5, 6], 5)), "{value}");
    }
    // Two are missing: enough. Nobody is missing: nothing to hide.
    let rows: Vec<Row> = (2..6).map(|at| row(at, "flu")).collect();
    assert_eq!(left(&rows), None);
    let rows: Vec<Row> = (0..6).map(|at| row(at, "flu")).collect();
    assert_eq!(left(&rows), None);
}
