//! The examples of the catalog: each is published on the table of `scrim demo`, or typed beside it.

use std::collections::BTreeMap;

use scrim::release::catalog::{CATALOG, Entry, Kind, named};

use crate::folder::Folder;

/// A small sample hospital. With `once` each patient has one row, the first.
fn hospital(once: bool) -> Folder {
    let folder = Folder::empty();
    folder
        .scrim(&["demo", ".", "--rows", "120", "--quiet"])
        .exits(0);
    if once {
        let text = folder.text("patients.csv");
        let mut seen = std::collections::BTreeSet::new();
        let first =
            |line: &&str| seen.insert(line.split(',').next().unwrap_or_default().to_owned());
        let lines: Vec<&str> = text.lines().filter(first).collect();
        folder.write("patients.csv", lines.join("\n") + "\n");
    }
    folder
}

fn of_kind(kind: Kind) -> impl Iterator<Item = &'static Entry> {
    CATALOG.iter().filter(move |entry| entry.kind == kind)
}

/// Writes what `scrim help KIND NAME --example` prints.
fn write_example(folder: &Folder, entry: &Entry) -> String {
    let run = folder
        .scrim(&["help", entry.kind.title(), entry.name, "--example"])
        .exits(0);
    assert_eq!(Some(&run.stdout), entry.policy().as_ref());
    let file = format!("{}.toml", entry.name);
    folder.write(&file, run.stdout);
    file
}

#[test]
fn every_example_is_published_on_the_table_of_the_demo() {
    let (whole, once) = (hospital(false), hospital(true));
    let policies = of_kind(Kind::Model)
        .chain(of_kind(Kind::Algorithm))
        .chain(of_kind(Kind::Metric));
    for entry in policies {
        // `serial` wants one row a person.
        let serial = entry.example.contains("[ledger]");
        let folder = if serial { &once } else { &whole };
        if serial {
            for file in ["ledger.sqlite", "ledger.key"] {
                let _ = std::fs::remove_file(folder.path(file));
            }
        }
        let file = write_example(folder, entry);
        let run = folder.scrim(&["publish", &file, "--json"]);
        if entry.name == "mu-argus" {
            // It says itself that it is often not k-anonymous, and then writes under a name that says so.
            assert!(matches!(run.code, Some(0 | 1)), "{}", run.shown());
            continue;
        }
        let run = run.exits(0);
        assert_eq!(run.json()["status"], "published", "{}", run.shown());
    }
}

#[test]
fn searches_that_carry_a_model_are_those_that_a_comparison_runs() {
    let folder = hospital(true);
    // These need a section or a model of their own; a test of the catalog parses what they carry.
    let apart = ["rotating", "chain"];
    for entry in of_kind(Kind::Model) {
        let file = write_example(&folder, entry);
        let _ = std::fs::remove_file(folder.path("ledger.sqlite"));
        let _ = std::fs::remove_file(folder.path("ledger.key"));
        let run = folder.scrim(&["publish", &file, "--compare", "--time-limit", "1", "--json"]);
        let verdicts: BTreeMap<String, String> = run.json()["compared"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| {
                let word = |key: &str| one[key].as_str().unwrap().to_owned();
                (word("algorithm"), word("verdict"))
            })
            .collect();
        for (algorithm, verdict) in &verdicts {
            if apart.contains(&algorithm.as_str()) {
                continue;
            }
            assert_eq!(
                entry.searches.contains(&algorithm.as_str()),
                verdict != "not applicable",
                "{}: {algorithm} is {verdict}\n{}",
                entry.name,
                run.shown()
            );
        }
    }
}

#[test]
fn every_command_of_an_example_runs_beside_the_demo() {
    let folder = hospital(true);
    folder.write(
        "serial.toml",
        named("serial").next().unwrap().policy().unwrap(),
    );
    folder.scrim(&["publish", "serial.toml"]).exits(0);
    let chain = named("chain").next().unwrap().policy().unwrap();
    folder.write("chain.toml", chain);
    folder.scrim(&["publish", "chain.toml"]).exits(0);
    // The release that stands beside each policy.
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.scrim(&["publish", "personal.toml"]).exits(0);
    let patients = folder.text("patients.csv");
    let mut totals = std::collections::BTreeMap::new();
    for line in patients.lines().skip(1) {
        *totals.entry(line.split(',').nth(3).unwrap()).or_insert(0) += 1;
    }
    let totals = totals
        .iter()
        .map(|(sex, count)| format!("sex,{sex},{count}\n"));
    folder.write(
        "totals.csv",
        format!("column,value,count\n{}", totals.collect::<String>()),
    );
    for entry in of_kind(Kind::Attack).chain(of_kind(Kind::Risk)) {
        for line in entry.example.lines() {
            let own = match entry.name {
                "personal" => "release-personal/",
                "knows-algorithm" => "release-chain/",
                _ => "release/",
            };
            let line = line.replace("release/", own);
            let words: Vec<&str> = line.split(' ').skip(1).collect();
            let run = folder.scrim(&words);
            assert!(matches!(run.code, Some(0 | 1)), "{}", run.shown());
        }
    }
}
