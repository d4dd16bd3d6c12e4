//! The search `rotating`.

use scrim::Error;
use scrim::algorithm::Unwatched;
use scrim::recoding::Recoding;
use scrim::release::policy::AlgorithmId;
use scrim::release::{Plan, plan};
use testkit::oracle::serial::{self as oracle};
use testkit::{SplitMix64, wong};

use crate::cases::{
    Row, VALUES, certify, history, policy, prepare, random_past, random_rows, released, table,
};
use crate::{random_l, told};

/// The classes of a plan as published.
fn groups(plan: &Plan) -> Vec<Vec<usize>> {
    let Recoding::Local(local) = &plan.found.recoding else {
        panic!("no local recoding")
    };
    let (class_of_row, classes) = local.published();
    let mut groups = vec![Vec::new(); classes];
    for (row, class) in class_of_row.iter().enumerate() {
        groups[*class as usize].push(row);
    }
    groups
}

pub fn search(
    policy: &scrim::release::Policy,
    rows: &[Row],
    history: &scrim::release::History,
) -> Option<Vec<Vec<usize>>> {
    let table = table(rows);
    let prepared = prepare(policy, &table, history).unwrap();
    let found = plan(policy, &table, &prepared, &mut Unwatched).unwrap();
    found.map(|plan| {
        assert_eq!(plan.algorithm, "rotating");
        groups(&plan)
    })
}

#[test]
fn rotating_partners_are_found() {
    // Figure 1, chlamydia, l = 2: groups of two in both releases (E12).
    let policy = policy("l = 2\nvalues = [\"chlamydia\"]\nk = 2", "");
    let rows = |cells: &[(u32, &'static str)]| -> Vec<Row> {
        let row = |(person, value): &(u32, &'static str)| Row {
            person: *person,
            age: 30 + person,
            zip: 100,
            value,
        };
        cells.iter().map(row).collect()
    };
    let first = rows(&wong::FIRST);
    let groups = search(&policy, &first, &history(&[], &table(&first))).unwrap();
    assert!(groups.iter().all(|group| group.len() == 2), "{groups:?}");
    let past = vec![vec![
        wong::group(&[2, 3], &["chlamydia", "flu"]),
        wong::group(&[1, 4], &["flu", "fever"]),
    ]];
    let second = rows(&wong::SECOND);
    let groups = search(&policy, &second, &history(&past, &table(&second))).unwrap();
    let mut persons: Vec<Vec<u32>> = groups
        .iter()
        .map(|group| group.iter().map(|at| second[*at].person).collect())
        .collect();
    persons.iter_mut().for_each(|group| group.sort_unstable());
    persons.sort();
    assert_eq!(persons, [vec![1, 5], vec![2, 3]]);
}

#[test]
fn classes_that_are_valid_apart_only_stay_apart() {
    let policy = policy("l = 2\nvalues = \"all\"", "");
    let past = vec![vec![wong::group(&[0, 1], &["flu", "hiv"])]];
    let row = |person, value| Row {
        person,
        age: 30,
        zip: 100,
        value,
    };
    // All four look alike: one class has to show wider cells.
    let rows = [
        row(0, "cold"),
        row(1, "fever"),
        row(4, "hiv"),
        row(5, "mumps"),
    ];
    let groups = search(&policy, &rows, &history(&past, &table(&rows))).unwrap();
    assert_eq!(groups, [vec![0, 1], vec![2, 3]]);
}

#[test]
fn small_tables_are_refused_only_where_no_partition_is_valid() {
    let (mut found, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut random = SplitMix64::new(50_000 + seed);
        let past = random_past(&mut random, 2, 4);
        let rows = random_rows(&mut random, 7, VALUES.len());
        let l = random_l(&mut random);
        let policy = policy(&format!("{}\nvalues = \"all\"", told(l)), "");
        let history = history(&past, &table(&rows));
        let keeps = |groups: &[Vec<usize>]| certify(&policy, &rows, groups, &history).holds;
        if let Some(groups) = search(&policy, &rows, &history) {
            let mut all = past.clone();
            all.push(released(&rows, &groups));
            let few = groups.iter().map(Vec::len).product::<usize>() < 12;
            assert!(
                !few || oracle::is_guaranteed(&all, &VALUES, l),
                "seed {seed}"
            );
            assert!(keeps(&groups), "seed {seed}");
            found += 1;
        } else {
            let all = oracle::partitions(rows.len());
            assert!(!all.iter().any(|groups| keeps(groups)), "seed {seed}");
            refused += 1;
        }
    }
    assert!(
        found > 80 && refused > 80,
        "{found} found, {refused} refused"
    );
}

/// A chain of releases by the search itself, with people who come and go.
#[test]
fn releases_one_after_the_other_keep_the_promise() {
    for (seed, more) in [
        (1, ""),
        (2, "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3"),
        (3, "[[privacy]]\nmodel = \"p-sensitive\"\np = 2"),
    ] {
        let mut random = SplitMix64::new(seed);
        let serial =
            "l = 2\nvalues = [\"hiv\"]\nschedule = \"linear\"\nhorizon = 6\nretire = { after = 6 }";
        let policy = policy(serial, more);
        let mut past = Vec::new();
        for release in 0..6 {
            let present: Vec<u32> = (0..1500).filter(|_| !random.once_in(4)).collect();
            let rows: Vec<Row> = present
                .into_iter()
                .map(|person| Row {
                    person,
                    age: 20 + person % 61,
                    zip: 100 + person / 7 % 300,
                    value: if random.once_in(25) {
                        "hiv"
                    } else {
                        VALUES[2 * random.below(2)]
                    },
                })
                .collect();
            let history = history(&past, &table(&rows));
            let groups =
                search(&policy, &rows, &history).unwrap_or_else(|| panic!("release {release}"));
            let answer = certify(&policy, &rows, &groups, &history);
            assert!(answer.holds, "release {release}: {:?}", answer.models);
            assert!(
                groups.len() > 60,
                "release {release}: {} classes",
                groups.len()
            );
            past.push(released(&rows, &groups));
        }
    }
}

/// Every search either says that it cannot carry the promise, or publishes classes that the certifier admits.
#[test]
fn other_searches_keep_the_promise_or_refuse_it() {
    let (mut published, mut unsound) = (Vec::new(), Vec::new());
    for seed in 0..30 {
        let mut random = SplitMix64::new(90_000 + seed);
        let past = random_past(&mut random, 2, 5);
        let mut rows = random_rows(&mut random, 12, VALUES.len());
        // Few protected rows, so that there is something to publish.
        for row in rows.iter_mut().skip(2) {
            if row.value == "hiv" {
                row.value = "flu";
            }
        }
        if !rows.iter().any(|row| row.value == "hiv") {
            continue;
        }
        let table = table(&rows);
        let history = history(&past, &table);
        let mut policy = policy("l = 2\nvalues = [\"hiv\"]", "");
        for algorithm in AlgorithmId::all() {
            policy.search.algorithm = algorithm;
            let prepared = prepare(&policy, &table, &history).unwrap();
            match plan(&policy, &table, &prepared, &mut Unwatched) {
                Err(Error::Unsound { algorithm, .. }) => unsound.push(algorithm),
                Err(other) => panic!("{other}"),
                Ok(None) => {}
                Ok(Some(plan)) => {
                    let recoding = &plan.found.recoding;
                    let (class_of_row, classes) =
                        recoding.class_of_row(&prepared.ladders, &prepared.ground);
                    let mut groups = vec![Vec::new(); classes];
                    for (row, class) in class_of_row.iter().enumerate() {
                        groups[*class as usize].push(row);
                    }
                    groups.retain(|group| !group.is_empty());
                    let answer = certify(&policy, &rows, &groups, &history);
                    assert!(answer.holds, "seed {seed}: {}", plan.algorithm);
                    published.push(plan.algorithm);
                }
            }
        }
    }
    published.sort_unstable();
    published.dedup();
    unsound.sort_unstable();
    unsound.dedup();
    assert_eq!(
        unsound,
        ["chain", "incognito", "local", "mingen-cell", "mu-argus"]
    );
    assert_eq!(
        published,
        [
            "datafly",
            "mingen",
            "mondrian",
            "optimal",
            "personalized",
            "rotating",
            "top-down"
        ]
    );
}

#[test]
fn the_same_table_gives_the_same_classes() {
    let mut random = SplitMix64::new(77);
    let policy = policy("l = 3\nvalues = [\"hiv\", \"flu\"]", "");
    let rows: Vec<Row> = (0..1200)
        .map(|person| Row {
            person,
            age: random.between(20, 80) as u32,
            zip: random.between(100, 400) as u32,
            value: VALUES[random.below(20).min(3)],
        })
        .collect();
    let history = history(&[], &table(&rows));
    let one = search(&policy, &rows, &history).unwrap();
    let pool = rayon_of(1);
    let other = pool.install(|| search(&policy, &rows, &history).unwrap());
    assert_eq!(one, other);
}

fn rayon_of(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}
