//! What a lasting value does to a promise about transient ones, and groups of values that are protected as a whole.

use std::sync::Arc;

use scrim::Share;
use scrim::adversary::lasting;
use scrim::hierarchy::{Hierarchy, from_outline};
use scrim::model::WorldEffort;
use scrim::release::policy::Protected;
use scrim::release::{Policy, Series, Shield};
use testkit::oracle::lasting::{probability, worlds};
use testkit::oracle::serial::{self as oracle, Release};
use testkit::{Fraction, SplitMix64};

use crate::cases::{Row, certify, certify_with, policy, random_groups, released};
use crate::lasting::{everybody, exact, linked_to_last, row};
use crate::search::search;

const PERSONS: u32 = 8;
const RELEASES: usize = 4;

/// One of eight persons has hiv, in every release.
fn rows(carrier: u32, random: &mut SplitMix64) -> Vec<Row> {
    let value = |person: u32, random: &mut SplitMix64| {
        if person == carrier {
            "hiv"
        } else {
            ["flu", "cold"][random.below(2)]
        }
    };
    (0..PERSONS)
        .map(|person| row(person, value(person, random)))
        .collect()
}

/// Two groups of four, others in every release.
fn halves(random: &mut SplitMix64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..PERSONS as usize).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    order.chunks(4).map(<[usize]>::to_vec).collect()
}

/// The largest probability that somebody is linked to hiv, and who it is.
fn largest(releases: &[Release]) -> (Fraction, u32) {
    let (all, linked) = worlds(releases, &["hiv"]);
    let shares = linked
        .into_iter()
        .map(|(person, count)| (Fraction::whole(count) / Fraction::whole(all), person));
    shares.max().unwrap()
}

#[test]
fn a_lasting_value_gives_carriers_away_under_the_promise_for_transient_ones() {
    // 1 - (3/4)^4 = 175/256 is at most 5/7, so that four releases of classes of four are certified for a transient value.
    let transient = policy("l = \"7/5\"\nvalues = [\"hiv\"]", "");
    let lasting = policy("l = \"7/5\"\nlasting = [\"hiv\"]", "");
    let limit = Fraction::new(5, 7);
    let mut certain = 0;
    for seed in 0..9 {
        let mut random = SplitMix64::new(seed);
        let carrier = random.below(PERSONS as usize) as u32;
        let (mut rotated, mut together): (Vec<Release>, Vec<Release>) = (Vec::new(), Vec::new());
        for _ in 0..RELEASES {
            let rows = rows(carrier, &mut random);
            let groups = halves(&mut random);
            let (history, _) = everybody(&rotated, &rows);
            assert!(certify(&transient, &rows, &groups, &history).holds);
            let refused = !certify(&lasting, &rows, &groups, &history).holds;
            rotated.push(released(&rows, &groups));
            assert_eq!(refused, largest(&rotated).0 > limit, "seed {seed}");
            // The same table under `lasting`, by the search.
            let (history, _) = everybody(&together, &rows);
            let groups = search(&lasting, &rows, &history).unwrap();
            assert!(certify(&lasting, &rows, &groups, &history).holds);
            together.push(released(&rows, &groups));
        }
        let (share, person) = largest(&rotated);
        if share == Fraction::ONE {
            assert_eq!(person, carrier);
            certain += 1;
        }
        assert!(largest(&together).0 <= limit, "seed {seed}");
    }
    assert!(certain >= 5, "{certain} of 9 series");
}

const OUTLINE: &str = "any\n  viral\n    hiv\n    flu\n  other\n    cold\n    fever\n";
const VIRAL: [&str; 2] = ["hiv", "flu"];

fn tree() -> Hierarchy {
    from_outline("s", "s.txt", OUTLINE, false).unwrap()
}

fn grouped(serial: &str) -> Policy {
    let text = format!(
        "[data]\npath = \"t.csv\"\n[ledger]\npath = \"l.sqlite\"\n[columns]\nperson = {{ role = \"person\" }}\n\
         age = {{ role = \"quasi\", numeric = {{ from = 0, to = 99 }} }}\n\
         zip = {{ role = \"quasi\", hierarchy = {{ mask = \"right\" }} }}\n\
         s = {{ role = \"sensitive\", hierarchy = \"s.txt\" }}\n[search]\nalgorithm = \"auto\"\n\
         [[privacy]]\nmodel = \"serial\"\nl = 2\n{serial}\ngroup = true\n"
    );
    Policy::parse("p.toml", &text).unwrap()
}

/// A random series: from some release on a person has one of the viral values, not always the same; or, where values are
/// transient, any value in any release.
fn series(random: &mut SplitMix64, lasts: bool) -> Vec<(Vec<Row>, Vec<Vec<usize>>)> {
    let releases = random.between(1, 3);
    let persons = random.between(2, if lasts { 6 } else { 4 });
    let since: Vec<usize> = (0..persons).map(|_| random.below(releases * 3)).collect();
    let of_release = |release: usize, random: &mut SplitMix64| {
        let mut rows = Vec::new();
        for (person, since) in (0..).zip(&since) {
            let viral = if lasts {
                *since <= release
            } else {
                random.once_in(3)
            };
            let values = if viral { VIRAL } else { ["cold", "fever"] };
            let value = values[random.below(2)];
            // Everybody is in the last release, so that there always is one.
            if release + 1 == releases || !random.once_in(4) {
                rows.push(row(person, value));
            }
        }
        let groups = random_groups(random, rows.len(), 4);
        (rows, groups)
    };
    (0..releases)
        .map(|release| of_release(release, random))
        .collect()
}

fn told(share: Fraction) -> String {
    match share.denominator() {
        1 => share.numerator().to_string(),
        _ => share.to_string(),
    }
}

#[test]
fn a_lasting_group_is_having_any_of_its_values() {
    let policy = grouped("lasting = [\"viral\"]");
    let trees = [("s".to_owned(), Arc::new(tree()))];
    let names = ["viral".to_owned()];
    let shield = Shield::new(
        &Protected::Named(Vec::new()),
        &names,
        true,
        Some(&trees[0].1),
    );
    let half = Share::new(1, 2).unwrap();
    let (mut kept, mut broken, mut differs) = (0, 0, 0);
    for seed in 0..250 {
        let all = series(&mut SplitMix64::new(seed), true);
        let releases: Vec<Release> = all
            .iter()
            .map(|(rows, groups)| released(rows, groups))
            .collect();
        let (rows, groups) = all.last().unwrap();
        let (whole, codes) = everybody(&releases, rows);
        let attack = lasting(
            &Series::new(&whole, &shield).unwrap(),
            half,
            WorldEffort::default(),
        );
        let reached = linked_to_last(&releases);
        let mut largest = Fraction::ZERO;
        for (code, person) in (0..).zip(&codes) {
            let truth = probability(&releases, *person, &VIRAL).unwrap();
            let link = attack.links.iter().find(|link| link.person == code);
            let found = link.map_or_else(|| exact(Fraction::ZERO), |link| link.belief.most.clone());
            assert_eq!(found, exact(truth), "seed {seed}, person {person}");
            if reached.contains(person) {
                largest = largest.max(truth);
            }
        }
        let (history, _) = everybody(&releases[..releases.len() - 1], rows);
        let answer = certify_with(&policy, rows, groups, &history, &trees);
        let found = answer.serial.unwrap().lasting.unwrap();
        assert_eq!(found.max_exact, Some(told(largest)), "seed {seed}");
        assert_eq!(answer.holds, largest <= Fraction::new(1, 2), "seed {seed}");
        kept += u32::from(answer.holds && largest > Fraction::ZERO);
        broken += u32::from(!answer.holds);
        let alone = VIRAL.map(|value| probability(&releases, rows[0].person, &[value]));
        differs += u32::from(!alone.contains(&probability(&releases, rows[0].person, &VIRAL)));
    }
    assert!(
        kept > 20 && broken > 50 && differs > 30,
        "{kept} {broken} {differs}"
    );
}

#[test]
fn a_transient_group_is_having_any_of_its_values() {
    let policy = grouped("values = [\"viral\"]");
    let trees = [("s".to_owned(), Arc::new(tree()))];
    let (mut kept, mut broken, mut differs) = (0, 0, 0);
    for seed in 0..250 {
        let all = series(&mut SplitMix64::new(9_000 + seed), false);
        let releases: Vec<Release> = all
            .iter()
            .map(|(rows, groups)| released(rows, groups))
            .collect();
        let (rows, groups) = all.last().unwrap();
        let share = |values: &[&str]| {
            let of = |row: &Row| {
                let (all, linked) = oracle::worlds_of_any(&releases, row.person, values);
                Fraction::whole(linked) / Fraction::whole(all)
            };
            rows.iter().map(of).max().unwrap()
        };
        let largest = share(&VIRAL);
        let (history, _) = everybody(&releases[..releases.len() - 1], rows);
        let answer = certify_with(&policy, rows, groups, &history, &trees);
        let found = answer.serial.unwrap().max_exact;
        assert_eq!(found, Some(told(largest)), "seed {seed}");
        assert_eq!(answer.holds, largest <= Fraction::new(1, 2), "seed {seed}");
        kept += u32::from(answer.holds && largest > Fraction::ZERO);
        broken += u32::from(!answer.holds);
        differs += u32::from(VIRAL.iter().all(|value| share(&[value]) < largest));
    }
    assert!(
        kept > 20 && broken > 50 && differs > 30,
        "{kept} {broken} {differs}"
    );
}
