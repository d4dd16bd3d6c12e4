//! What the paper leaves to its full version: sizes, schedules, the publisher's rule, and why nobody is withheld for a value.

use scrim::adversary::Chance;
use scrim::model::{Exact, Pace, Schedule};
use scrim::{Error, Share};

use super::super::bench::{internal, records};
use super::super::words::numbers;
use super::bed::{certify, policy, rows};
use super::worlds::{Group, Release, history, partitions};
use super::{Line, Part, Verdict};

const SIZES: &str = include_str!("../../../../../fixtures/papers/wong09/sizes.csv");

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    Ok(vec![sizes()?, schedules()?, publisher()?, withholding()?])
}

fn pace(l: i128, schedule: Schedule, horizon: u64) -> Result<Pace, Error> {
    Pace::new(Share::whole(l), schedule, Some(horizon)).map_err(Error::Internal)
}

fn never_linked() -> Exact {
    Exact::from_integer(1.into())
}

/// The smallest classes of one protected row, when each of K releases spends the same.
fn sizes() -> Result<Part, Error> {
    let mut table = records(SIZES);
    let horizons: Vec<u64> = table
        .next()
        .unwrap_or_default()
        .iter()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let mut lines = Vec::new();
    for cells in table {
        let l = cells[0].parse().map_err(|_| internal("no number"))?;
        let mut ours = Vec::new();
        for horizon in &horizons {
            let cap = pace(l, Schedule::Constant, *horizon)?.cap(&never_linked(), 1);
            ours.push(cap.least_size(1).unwrap_or(0).to_string());
        }
        let right = ours == cells[1..];
        lines.push(Line::new(
            format!("l = {l}"),
            "",
            ours,
            Verdict::Checked,
            right,
        ));
    }
    Ok(Part::new(
        "Smallest class with one protected row, for K appearances at one constant share",
        &["K = 1", "2", "3", "4", "5", "10", "20", "50"],
        lines,
    ))
}

/// The least sizes at a person's appearances, each class with one protected row, and what p grows to.
fn schedules() -> Result<Part, Error> {
    let mut lines = Vec::new();
    for (schedule, horizon, right, p) in [
        (Schedule::Greedy, 0, "2 none", "1/2"),
        (
            Schedule::Constant,
            10,
            "15 15 15 15 15 15 15 15 15 15",
            "0.498388",
        ),
        (Schedule::Linear, 10, "20 19 18 17 16 15 14 13 12 11", "1/2"),
        (
            Schedule::Geometric,
            0,
            "4 6 10 18 34 66 130 258 514 1026",
            "1023/2048",
        ),
        (
            Schedule::InverseSquare,
            0,
            "4 9 16 25 36 49 64 81 100 121",
            "5/11",
        ),
    ] {
        let pace = pace(2, schedule, horizon)?;
        let (mut unlinked, mut chance, mut sizes) = (never_linked(), Chance::default(), Vec::new());
        for appearance in 1..=10 {
            let Some(size) = pace.cap(&unlinked, appearance).least_size(1) else {
                sizes.push("none".to_owned());
                break;
            };
            chance.add(1, size);
            unlinked *= Exact::new((size - 1).into(), size.into());
            sizes.push(size.to_string());
        }
        let told = chance
            .exact(12)
            .unwrap_or_else(|| format!("{:.6}", chance.value()));
        let ours = vec![numbers(sizes), told];
        let right = ours == [right, p];
        lines.push(Line::new(
            schedule.name(),
            "",
            ours,
            Verdict::Checked,
            right,
        ));
    }
    Ok(Part::new(
        "Schedules, l = 2: smallest classes with one protected row over ten appearances, K = 10",
        &["sizes", "p in the end"],
        lines,
    ))
}

fn group(persons: &[u32], values: &[&'static str]) -> Vec<Release> {
    vec![vec![Group {
        persons: persons.to_vec(),
        values: values.to_vec(),
    }]]
}

/// A class is allowed exactly when `n_s/n` is at most R of every member.
fn publisher() -> Result<Part, Error> {
    let pace = pace(2, Schedule::Greedy, 0)?;
    let all = policy("\"all\"")?;
    let room = |kept: i64, rows: i64| pace.room(&Exact::new(kept.into(), rows.into())).to_string();
    let mut lines = Vec::new();
    let mut line = |name: &str, ours: String, right: &str| {
        let is_right = ours == right;
        lines.push(Line::new(name, "", vec![ours], Verdict::Checked, is_right));
    };
    line("room for syphilis after 1 of 4", room(3, 4), "1/3");
    line("room for syphilis after 1 of 2", room(1, 2), "0");
    let valid = |cells: &[(u32, &'static str)], past: &[Release]| -> Result<Vec<usize>, Error> {
        let rows = rows(cells);
        let before = history(past, 8);
        let mut valid = Vec::new();
        for groups in partitions(rows.len()) {
            if certify(&all, &rows, &groups, &before)?.holds {
                valid.push(groups.len());
            }
        }
        Ok(valid)
    };
    let found = valid(
        &[(0, "cold"), (1, "fever"), (2, "syphilis"), (3, "mumps")],
        &group(&[0, 1], &["flu", "syphilis"]),
    )?;
    line(
        "not monotone: after {a: flu, b: syphilis}, a cold, b fever, n syphilis, m mumps: valid partitions of 15",
        format!("{} ({} groups)", found.len(), numbers(found)),
        "1 (2 groups)",
    );
    let found = valid(
        &[
            (0, "syphilis"),
            (1, "cold"),
            (2, "fever"),
            (3, "mumps"),
            (4, "rash"),
        ],
        &group(&[0, 1], &["flu", "syphilis"]),
    )?;
    line(
        "own value spent: a has syphilis again: valid partitions of 52",
        found.len().to_string(),
        "0",
    );
    let past = group(&[0, 1, 2], &["syphilis", "cold", "flu"]);
    let found = valid(&[(0, "syphilis"), (1, "fever"), (2, "mumps")], &past)?;
    let cap = pace.cap(&Exact::new(2.into(), 3.into()), 2);
    let made_up = cap.counterfeits(1, 3).unwrap_or(0);
    line(
        "too few: 1 of 3 once, and again: valid partitions of 5, and made-up rows that would help",
        format!("{}, {made_up}", found.len()),
        "0, 1",
    );
    Ok(Part::new(
        "The publisher's rule, l = 2, by the certifier over all partitions",
        &["ours"],
        lines,
    ))
}

/// Its words, whether it leaves out who has a value, and what an onlooker then believes, now and ever.
type Rule<'a> = (&'a str, &'a dyn Fn(&str) -> bool, &'a str, &'a str);

/// What an onlooker learns when `a`, who was in {flu, syphilis} with somebody, is left out of the next release.
fn withholding() -> Result<Part, Error> {
    const DOMAIN: [&str; 4] = ["flu", "syphilis", "cold", "fever"];
    let pace = pace(2, Schedule::Greedy, 0)?;
    let spent = |value: &str| {
        let kept = if ["flu", "syphilis"].contains(&value) {
            1
        } else {
            2
        };
        let cap = pace.cap(&Exact::new(kept.into(), 2.into()), 2);
        cap.is_spent()
    };
    let mut lines = Vec::new();
    let rules: [Rule<'_>; 3] = [
        (
            "left out when the own value is spent, syphilis protected",
            &|own| own == "syphilis" && spent(own),
            "1",
            "1",
        ),
        (
            "left out when the own value is spent, flu and syphilis protected",
            &|own| spent(own),
            "1/2",
            "3/4",
        ),
        (
            "retired when any value is spent, whatever the own one is",
            &|_| DOMAIN.iter().any(|value| spent(value)),
            "1/4",
            "5/8",
        ),
    ];
    for (name, left_out, now, ever) in rules {
        let possible: Vec<&str> = DOMAIN.into_iter().filter(|own| left_out(own)).collect();
        let linked = possible.iter().filter(|own| **own == "syphilis").count() as u64;
        let mut chance = Chance::default();
        chance.add(linked, possible.len() as u64);
        let believed = chance.exact(9).unwrap_or_default();
        chance.add(1, 2);
        let ours = vec![believed, chance.exact(9).unwrap_or_default()];
        let right = ours == [now, ever];
        lines.push(Line::new(name, "", ours, Verdict::Checked, right));
    }
    Ok(Part::new(
        "Leaving somebody out because of a value tells it: syphilis has 1/4 beforehand, 5/8 with the first release",
        &["P(syphilis | left out)", "P(ever syphilis)"],
        lines,
    ))
}
