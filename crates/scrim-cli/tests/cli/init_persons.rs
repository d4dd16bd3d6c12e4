//! First policies for tables in which persons have several rows, judged by a checker that knows the persons.

use serde_json::Value;
use testkit::visits::Visits;

use crate::folder::Folder;

/// The role that `init` gave a column.
fn role<'a>(answer: &'a Value, name: &str) -> &'a str {
    let columns = answer["columns"].as_array().unwrap();
    let found = columns.iter().find(|column| column["column"] == name);
    found.unwrap()["role"].as_str().unwrap()
}

/// The persons in each class of the release of a first policy, with its k.
fn released(folder: &Folder, visits: &Visits, further: &[&str]) -> (Vec<usize>, u64) {
    folder.write("visits.csv", &visits.csv);
    let mut init = vec![
        "init",
        "visits.csv",
        "--yes",
        "--force",
        "--json",
        "--role",
        "mark=insensitive",
    ];
    init.extend(further);
    let answer = folder.scrim(&init).exits(0).json();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let columns = answer["columns"].as_array().unwrap();
    let quasi: Vec<&str> = columns
        .iter()
        .filter(|column| column["role"] == "quasi")
        .map(|column| column["column"].as_str().unwrap())
        .collect();
    let release = folder.text("release/release.csv");
    let hidden = columns
        .iter()
        .filter(|column| column["role"] == "identifier" || column["role"] == "person");
    let header: Vec<&str> = release.lines().next().unwrap().split(',').collect();
    for column in hidden {
        assert!(
            !header.contains(&column["column"].as_str().unwrap()),
            "{column}"
        );
    }
    (
        visits.persons_by_class(&release, &quasi),
        answer["k"].as_u64().unwrap(),
    )
}

#[test]
fn diagnoses_joined_with_patients_are_safe_for_persons_at_the_first_try() {
    let folder = Folder::empty();
    for seed in 0..3 {
        let visits = Visits::diagnoses(80, seed);
        let (classes, k) = released(&folder, &visits, &[]);
        assert_eq!(k, 5);
        assert!(
            classes.iter().all(|persons| *persons as u64 >= k),
            "{seed}: {classes:?}"
        );
    }
}

#[test]
fn the_same_table_by_rows_has_classes_of_few_persons_and_publish_warns() {
    let folder = Folder::empty();
    let visits = Visits::diagnoses(80, 0);
    let (classes, k) = released(&folder, &visits, &["--role", "PATIENT=identifier"]);
    assert!(
        classes.iter().any(|persons| (*persons as u64) < k),
        "{classes:?}"
    );
    let published = folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert!(
        published
            .stderr
            .contains("`PATIENT` looks like the key of a person"),
        "{}",
        published.shown()
    );
    // All but the concerns, which are numbered and indented, counts rows.
    let is_concern = |line: &&str| line.starts_with("   ") || line.starts_with(char::is_numeric);
    let mut others = published.stdout.lines().filter(|line| !is_concern(line));
    assert!(
        !others.any(|line| line.contains("persons")),
        "{}",
        published.shown()
    );
    let manifest = folder.text("release/manifest.json");
    assert!(manifest.contains("`PATIENT` looks like the key of a person"));
    let report = folder.text("release/report.html");
    assert!(report.contains("looks like the key of a person"));
}

#[test]
fn stays_are_safe_for_persons_at_the_first_try() {
    let folder = Folder::empty();
    let visits = Visits::stays(300, 7);
    let (classes, k) = released(&folder, &visits, &[]);
    assert!(
        classes.iter().all(|persons| *persons as u64 >= k),
        "{classes:?}"
    );
    // Ranges have an order, and neighbours are merged.
    assert!(
        folder
            .text("hierarchies/age.csv")
            .contains("[80-90);[80-100);")
    );
}

#[test]
fn every_column_of_both_tables_is_recognised() {
    let folder = Folder::empty();
    folder.write("visits.csv", Visits::diagnoses(60, 1).csv);
    let init = [
        "init",
        "visits.csv",
        "--yes",
        "--json",
        "--role",
        "mark=insensitive",
    ];
    let answer = folder.scrim(&init).exits(0).json();
    for (name, expected) in [
        ("PATIENT", "person"),
        ("ENCOUNTER", "identifier"),
        ("SSN", "identifier"),
        ("PREFIX", "identifier"),
        ("FIRST", "identifier"),
        ("LAST", "identifier"),
        ("MAIDEN", "identifier"),
        ("ADDRESS", "identifier"),
        ("START", "quasi"),
        ("BIRTHDATE", "quasi"),
        ("CITY", "quasi"),
        ("ZIP", "quasi"),
        ("CODE", "sensitive"),
        ("DESCRIPTION", "sensitive"),
    ] {
        assert_eq!(role(&answer, name), expected, "{name}");
    }
    assert_eq!(answer["counted"], "persons");
    let said = answer["remarks"].to_string();
    assert!(
        said.contains("`CODE` and `DESCRIPTION` determine each other: both are sensitive"),
        "{said}"
    );
    assert!(
        said.contains("`CITY` and `ZIP` determine each other: both are quasi"),
        "{said}"
    );
    assert!(
        folder
            .text("hierarchies/zip.csv")
            .contains("91911.0;9191*;919**;91***;9****;*")
    );
}
