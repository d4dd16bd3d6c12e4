//! Publishing again and again through the command line: the ledger, the promise over all releases, and runs that are killed.

use std::process::{Command, Stdio};
use std::time::Duration;

use scrim_io::ledger::fault;
use serde_json::Value;

use crate::folder::Folder;

/// A hospital that publishes: people come and go, and their diseases change from release to release.
fn hospital(release: u64, people: u64) -> String {
    let mut text = "patient,age,sex,disease\n".to_owned();
    for person in 0..people {
        let mixed = (person * 2_654_435_761 + release * 40_503) % 1_000_003;
        if mixed.is_multiple_of(5) {
            continue;
        }
        let disease = match (person * 31 + release * 7) % 40 {
            0 => "hiv",
            1..=14 => "flu",
            15..=29 => "fever",
            _ => "cold",
        };
        let (age, sex) = (20 + person * 7 % 60, ["f", "m"][person as usize % 2]);
        text.push_str(&format!("Patient-{person},{age},{sex},{disease}\n"));
    }
    text
}

const POLICY: &str = r#"[data]
path = "data.csv"
[columns]
patient = { role = "person" }
age = { role = "quasi", numeric = { from = 20, to = 79 } }
sex = { role = "quasi" }
disease = { role = "sensitive" }
[[privacy]]
model = "serial"
l = 2
values = ["hiv"]
schedule = "geometric"
[[privacy]]
model = "k-anonymity"
k = 2
[ledger]
path = "books/ledger.sqlite"
[search]
algorithm = "auto"
[release]
dir = "release"
"#;

fn folder(people: u64) -> Folder {
    let folder = Folder::empty();
    folder.write("policy.toml", POLICY);
    folder.write("data.csv", hospital(1, people));
    folder
}

fn ledger(folder: &Folder, what: &[&str]) -> Value {
    let arguments = [
        &["ledger"],
        what,
        &["--ledger", "books/ledger.sqlite", "--json"],
    ]
    .concat();
    folder.scrim(&arguments).exits(0).json()
}

fn releases(folder: &Folder) -> usize {
    ledger(folder, &["list"])["releases"]
        .as_array()
        .unwrap()
        .len()
}

#[test]
fn release_after_release_stays_within_the_limit() {
    let folder = folder(200);
    let mut last = 0.0;
    for release in 1..=4u64 {
        folder.write("data.csv", hospital(release, 200));
        let answer = folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(answer["algorithm"], "rotating");
        let serial = &answer["serial"];
        assert_eq!(serial["release"], release);
        let max = serial["max"].as_f64().unwrap();
        assert!(max <= 0.5 && max >= last, "release {release}: {serial}");
        last = max;
        assert_eq!(serial["persons"], answer["rows"]["released"]);
        assert_eq!(releases(&folder) as u64, release);
        let text = folder.text("release/release.csv");
        assert!(!text.contains("Patient"), "a person is published");
    }
    assert!(
        last > 0.25,
        "the geometric schedule spends more with each release"
    );
    let verified = ledger(&folder, &["verify"]);
    assert_eq!(verified["holds"], true, "{verified}");
    let book = folder.read("books/ledger.sqlite");
    let name = b"Patient-";
    assert!(!book.windows(name.len()).any(|window| window == name));
}

#[test]
fn what_is_refused_or_wrong_leaves_no_ledger() {
    let folder = folder(60);
    // Everybody has what is protected: no class helps.
    let all = hospital(1, 60)
        .replace("flu", "hiv")
        .replace("fever", "hiv")
        .replace("cold", "hiv");
    folder.write("data.csv", all);
    let run = folder.scrim(&["publish", "policy.toml", "--json"]).exits(1);
    assert!(run.json()["reason"].is_string());
    assert!(folder.files("books").is_none() && folder.files("release").is_none());
    folder.write(
        "data.csv",
        "patient,age,sex,disease\nA,30,f,flu\nA,31,f,flu\n",
    );
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(run.stderr.contains("data.csv:3"), "{}", run.stderr);
    assert!(folder.files("books").is_none() && folder.files("release").is_none());
    // A comparison records nothing.
    folder.write("data.csv", hospital(1, 60));
    folder
        .scrim(&["publish", "policy.toml", "--compare"])
        .exits(0);
    assert!(folder.files("books").is_none() && folder.files("release").is_none());
}

#[test]
fn a_lost_key_is_not_guessed_around() {
    let folder = folder(60);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let before = folder.files("release");
    std::fs::remove_file(folder.path("books/ledger.key")).unwrap();
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(run.stderr.contains("key"), "{}", run.stderr);
    assert!(!folder.path("books/ledger.key").exists());
    assert_eq!(folder.files("release"), before);
    folder.write("books/ledger.key", "00".repeat(32));
    folder.scrim(&["publish", "policy.toml"]).exits(2);
}

fn start(folder: &Folder, fault: &str) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_scrim"))
        .args(["publish", "policy.toml", "--json"])
        .current_dir(folder.path(""))
        .env(fault::VARIABLE, fault)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// After a kill: what is recorded is in place, what is in place is recorded.
fn is_whole(folder: &Folder, case: &str) {
    if folder.path("books/ledger.sqlite").exists() {
        let arguments = ["ledger", "recover", "--ledger", "books/ledger.sqlite"];
        folder.scrim(&arguments).exits(0);
        let verified = ledger(folder, &["verify"]);
        assert_eq!(verified["holds"], true, "{case}: {verified}");
        let recorded = releases(folder) > 0;
        assert_eq!(
            folder.path("release/release.csv").exists(),
            recorded,
            "{case}"
        );
        assert_eq!(
            folder.path("release/manifest.json").exists(),
            recorded,
            "{case}"
        );
    } else {
        assert!(!folder.path("release/release.csv").exists(), "{case}");
    }
}

#[test]
fn killed_at_every_point_a_publication_is_whole_or_was_never() {
    for point in fault::POINTS {
        let folder = folder(40);
        for round in 0..2 {
            let status = start(&folder, point).wait().unwrap();
            let case = format!("{point}, round {round}");
            if ["files-synced", "committed", "done"].contains(&point) {
                assert!(!status.success(), "{case}: the point is never reached");
            }
            is_whole(&folder, &case);
        }
        // And the next run goes on from there.
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        is_whole(&folder, point);
        let hidden = folder.files("release").unwrap();
        assert!(
            hidden.iter().all(|(name, _)| !name.contains(".scrim-")),
            "{point}: {hidden:?}"
        );
    }
}

#[test]
fn killed_at_any_moment_a_publication_is_whole_or_was_never() {
    let folder = folder(120);
    for turn in 0..60u64 {
        let mut child = start(&folder, "");
        std::thread::sleep(Duration::from_micros(turn * 2_500));
        let _ = child.kill();
        child.wait().unwrap();
        if turn % 6 == 5 {
            is_whole(&folder, &format!("turn {turn}"));
        }
    }
    is_whole(&folder, "after all");
}
