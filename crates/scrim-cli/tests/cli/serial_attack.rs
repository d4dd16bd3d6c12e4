//! `scrim attack --serial`. The ledgers are made by recording releases.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use scrim_io::ledger::{Entry, EntryClass, Ledger, Promise};
use scrim_io::{Staging, files};
use serde_json::Value;
use testkit::oracle::serial::{Release, probability};
use testkit::wong::{figure2, figure4};

use crate::folder::Folder;

const POLICY: &str = r#"[data]
path = "patients.csv"
[columns]
patient = { role = "person" }
zip = { role = "quasi" }
disease = { role = "sensitive", hierarchy = "disease.csv" }
[[privacy]]
model = "serial"
l = 2
values = ["chlamydia", "fever"]
[ledger]
path = "ledger.sqlite"
"#;

const DISEASES: &str =
    "chlamydia;Infections;Any\nflu;Infections;Any\nfever;Signs;Any\ncough;Signs;Any\n";

/// A row: who, where, what. Who shares a place is in a class.
pub(crate) type Row = (String, String, String);

fn name(who: u32) -> String {
    format!("Patient Number {who}")
}

/// The rows of a release of the paper: its values belong to its individuals in their order.
pub(crate) fn rows(release: &Release) -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, group) in release.iter().enumerate() {
        for (who, value) in group.individuals.iter().zip(&group.values) {
            rows.push((name(*who), format!("zip {place}"), (*value).to_owned()));
        }
    }
    rows
}

fn folder() -> Folder {
    let folder = Folder::empty();
    folder.write("policy.toml", POLICY);
    folder.write("disease.csv", DISEASES);
    folder
}

/// The table of these rows, as raw data and as a release.
pub(crate) fn tables(rows: &[Row]) -> (String, String) {
    let (mut raw, mut published) = (
        "patient,zip,disease\n".to_owned(),
        "zip,disease\n".to_owned(),
    );
    for (who, place, value) in rows {
        raw.push_str(&format!("{who},{place},{value}\n"));
        published.push_str(&format!("{place},{value}\n"));
    }
    (raw, published)
}

/// Publishes rows into a folder and records them; `rawN.csv` keeps who they were. Classes are recorded in another order than
/// the file's.
fn record(folder: &Folder, number: usize, rows: &[Row], recorded: &[Row]) {
    let (raw, published) = tables(rows);
    folder.write(&format!("raw{number}.csv"), raw);
    let mut classes: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    for (_, place, value) in recorded {
        let class = classes.entry(place).or_default();
        *class.entry(value.clone()).or_insert(0) += 1;
    }
    let places: Vec<&str> = classes.keys().rev().copied().collect();
    let at = |place: &str| places.iter().position(|other| *other == place).unwrap() as u32;
    let entry = Entry {
        time: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        policy: POLICY,
        columns: vec!["disease".to_owned()],
        promises: vec![Promise {
            column: "disease".to_owned(),
            l: "2".to_owned(),
            values: vec!["flu".to_owned()],
        }],
        classes: places
            .iter()
            .map(|place| EntryClass {
                rows: classes[place].values().sum(),
                histograms: vec![classes[place].clone()],
            })
            .collect(),
        persons: recorded
            .iter()
            .map(|(who, place, _)| (who.as_str(), at(place)))
            .collect(),
    };
    let (path, key) = (folder.path("ledger.sqlite"), folder.path("ledger.key"));
    let mut ledger =
        Ledger::open_or_create(&path, &key, Duration::from_secs(20), &mut |_| {}).unwrap();
    let staging = Staging::new(&folder.path(&format!("release{number}"))).unwrap();
    files::write_bytes(&staging.path("release.csv"), published.as_bytes()).unwrap();
    files::write_bytes(&staging.path("manifest.json"), b"{}").unwrap();
    let names = ["release.csv", "manifest.json"];
    let pending = ledger.append(&entry, staging, &names, &[]).unwrap();
    pending.commit().unwrap();
}

pub(crate) fn published(releases: &[Release]) -> Folder {
    let folder = folder();
    for (number, release) in (1..).zip(releases) {
        record(&folder, number, &rows(release), &rows(release));
    }
    folder
}

/// The ledger's rows of the paper's individuals 1 to 5.
fn ledger_rows(folder: &Folder) -> Vec<u64> {
    let input: String = (1..=5).map(|who| name(who) + "\n").collect();
    let asked = ["ledger", "persons", "--stdin", "--json"];
    let told = folder.scrim_with(&asked, input.as_bytes()).exits(0).json();
    let shown = told["shown"].as_array().unwrap();
    shown
        .iter()
        .map(|person| person["person"].as_u64().unwrap())
        .collect()
}

const ATTACK: [&str; 4] = ["attack", "-p", "policy.toml", "--serial"];

fn attack(folder: &Folder, more: &[&str], code: i32) -> Value {
    let arguments = [&ATTACK[..], more, &["--json"]].concat();
    folder.scrim(&arguments).exits(code).json()
}

#[test]
fn every_probability_is_the_one_that_possible_worlds_give() {
    for (releases, code, max) in [(figure2(), 1, "3/4"), (figure4(), 0, "7/16")] {
        let folder = published(&releases);
        let answer = attack(&folder, &["--all"], code);
        assert_eq!(answer["max_exact"], max);
        assert_eq!(answer["limit_exact"], "1/2");
        let rows = ledger_rows(&folder);
        let told = answer["persons"].as_array().unwrap();
        let mut expected = 0;
        for who in 1..=5 {
            for value in ["chlamydia", "fever"] {
                let oracle = probability(&releases, who, value).to_string();
                let oracle = oracle.strip_suffix("/1").unwrap_or(&oracle);
                let row = rows[who as usize - 1];
                let found = told
                    .iter()
                    .find(|link| link["person"].as_u64() == Some(row) && link["value"] == value);
                let found = found.map_or("0", |link| link["p_exact"].as_str().unwrap());
                assert_eq!(found, oracle, "{who} {value}");
                expected += u64::from(oracle != "0");
            }
        }
        assert_eq!(told.len() as u64, expected);
        assert_eq!(answer["worlds"]["checked"], expected);
        assert_eq!(answer["worlds"]["too_many"], 0);
    }
}

#[test]
fn the_localized_guarantee_stands_beside_the_global_one() {
    let folder = published(&figure2());
    let files = ["release2/release.csv", "release1/release.csv"];
    let answer = attack(&folder, &files, 1);
    let of = |release: usize, key: &str| answer["releases"][release][key].clone();
    assert_eq!(
        (of(0, "localized_exact"), of(0, "global_exact")),
        ("1/2".into(), "1/2".into())
    );
    assert_eq!(
        (of(1, "localized_exact"), of(1, "global_exact")),
        ("1/2".into(), "3/4".into())
    );
    // Individuals 1 and 2 for chlamydia, 3 for fever.
    assert_eq!((of(0, "above"), of(1, "above")), (0.into(), 3.into()));
    assert_eq!(answer["above"], 3);
    assert_eq!(answer["files"][0]["release"], 2);
    assert!(
        answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .all(|file| file["holds"] == true)
    );
    let run = folder.scrim(&[&ATTACK[..], &files].concat()).exits(1);
    assert!(!run.shown().contains("Patient"), "{}", run.shown());
    assert!(run.stderr.contains("possible worlds"), "{}", run.shown());
    assert!(
        run.stdout.contains("the attack succeeds: 3 of 5 persons"),
        "{}",
        run.shown()
    );
}

#[test]
fn who_left_keeps_the_probability_and_taxa_protect_their_leaves() {
    let mut releases = figure2();
    // A third release without anybody who was linked strongly.
    releases.push(vec![testkit::wong::group(&[4, 5], &["cough", "cough"])]);
    let folder = published(&releases);
    let answer = attack(&folder, &[], 1);
    let third = &answer["releases"][2];
    assert_eq!(
        (&third["global_exact"], &third["localized_exact"]),
        (&"3/4".into(), &"0".into())
    );
    assert_eq!(third["above"], 0);
    let folder = published(&figure4());
    attack(&folder, &[], 0);
    folder.replace(
        "policy.toml",
        "[\"chlamydia\", \"fever\"]",
        "[\"Infections\"]",
    );
    let answer = attack(&folder, &["--all"], 1);
    assert_eq!(answer["max_exact"], "3/4"); // E10: flu
    let values = answer["persons"].as_array().unwrap();
    assert!(values.iter().all(|link| link["value"] != "fever"));
    folder.replace("policy.toml", "[\"Infections\"]", "[\"Signs\"]");
    attack(&folder, &[], 0);
}

#[test]
fn a_file_that_is_not_what_was_recorded_is_a_no_with_the_place() {
    let folder = published(&figure4());
    attack(&folder, &["release1/release.csv"], 0);
    folder.write(
        "other.csv",
        folder.text("release1/release.csv") + "zip 9,flu\n",
    );
    let answer = attack(&folder, &["other.csv", "release2/release.csv"], 1);
    let files = &answer["files"];
    assert_eq!(
        (&files[0]["holds"], &files[1]["holds"]),
        (&false.into(), &true.into())
    );
    assert_eq!(files[0]["release"], Value::Null);
    // The entry has other classes than the file, though its hash is right.
    let (file, entry) = (rows(&figure2()[0]), rows(&figure4()[0]));
    record(&folder, 3, &file, &entry);
    folder.replace("policy.toml", "[\"chlamydia\", \"fever\"]", "[\"cough\"]");
    let answer = attack(&folder, &["release3/release.csv"], 1);
    let fault = answer["files"][0]["fault"].as_str().unwrap();
    assert!(
        fault.starts_with("class 1 of the file, which begins in row 1 and has 2 rows"),
        "{fault}"
    );
    assert_eq!(
        (&answer["above"], &answer["max_exact"]),
        (&0.into(), &"0".into())
    );
}

#[test]
fn classes_with_too_many_worlds_are_left_to_the_formula() {
    let folder = folder();
    let large: Vec<Row> = (0..40)
        .map(|who| {
            let value = if who < 20 { "fever" } else { "flu" };
            (name(who), "one".to_owned(), value.to_owned())
        })
        .collect();
    record(&folder, 1, &large, &large);
    let answer = attack(&folder, &[], 0);
    assert_eq!(answer["max_exact"], "1/2");
    assert_eq!(
        (&answer["worlds"]["checked"], &answer["worlds"]["too_many"]),
        (&0.into(), &10.into())
    );
    assert_eq!(answer["persons"].as_array().unwrap().len(), 10);
}

#[test]
fn what_cannot_be_attacked_is_told() {
    let folder = folder();
    let run = folder.scrim(&ATTACK).exits(2);
    assert!(
        run.stderr.contains("is not there") && run.stderr.contains("hint: "),
        "{}",
        run.shown()
    );
    let folder = published(&figure2());
    folder
        .scrim(&[&ATTACK[..], &["--of", "zip"]].concat())
        .exits(2);
    folder
        .scrim(&[&ATTACK[..], &["--depth", "1"]].concat())
        .exits(2);
    folder
        .scrim(&["attack", "-p", "policy.toml", "--similarity"])
        .exits(2);
    let two = ["release1/release.csv", "release2/release.csv"];
    folder
        .scrim(&[&["attack", "-p", "policy.toml", "--similarity"][..], &two].concat())
        .exits(2);
    folder.replace(
        "policy.toml",
        "model = \"serial\"\nl = 2\nvalues = [\"chlamydia\", \"fever\"]",
        "model = \"k-anonymity\"\nk = 2",
    );
    folder.scrim(&ATTACK).exits(2);
}

#[test]
fn the_text_sets_localized_beside_global_and_names_nobody() {
    for (name, releases, code) in [("pairs", figure2(), 1), ("fours", figure4(), 0)] {
        let folder = published(&releases);
        let files = ["release1/release.csv", "release2/release.csv"];
        let run = folder.scrim(&[&ATTACK[..], &files].concat()).exits(code);
        assert!(!run.shown().contains("Patient Number"), "{}", run.shown());
        // The rows of the ledger follow its random key, and so does the order of equals.
        let (before, nearest) = run.stdout.split_once("nearest to the limit").unwrap();
        let lines = nearest.lines().map(|line| {
            let row = line.trim_start().split(' ').next().unwrap();
            match row.parse::<u64>() {
                Ok(_) => line.replacen(row, "N", 1),
                Err(_) => line.to_owned(),
            }
        });
        let mut lines: Vec<String> = lines.collect();
        lines[3..].sort_unstable_by(|left, right| {
            let probability = |line: &str| line.split_whitespace().nth(2).map(str::to_owned);
            let order = probability(right).cmp(&probability(left));
            order.then_with(|| left.cmp(right))
        });
        let text = format!(
            "{before}nearest to the limit{}\n---\n{}",
            lines.join("\n"),
            run.stderr
        );
        insta::assert_snapshot!(format!("attack_serial_{name}"), text);
    }
}
