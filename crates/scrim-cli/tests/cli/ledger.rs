//! `scrim ledger`: what it tells of ledgers that were made by recording releases.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use scrim_io::ledger::{Entry, EntryClass, Ledger, Promise};
use scrim_io::{Staging, files};

use crate::folder::{Folder, Run};

/// A person, a class and a value.
type Row = (&'static str, u32, &'static str);

/// [Wong09], Figure 1 in small: the second release has the first one's classes again.
const FIRST: [Row; 4] = [
    ("Ada Quill", 0, "chlamydia"),
    ("Bob Stone", 0, "flu"),
    ("Cyd Marsh", 1, "flu"),
    ("Dan Field", 1, "fever"),
];
const SECOND: [Row; 3] = [
    ("Ada Quill", 0, "chlamydia"),
    ("Bob Stone", 0, "fever"),
    ("Eve Brook", 1, "flu"),
];

fn record(folder: &Folder, rows: &[Row], promise: bool) {
    let classes = rows.iter().map(|row| row.1 + 1).max().unwrap();
    let mut classes: Vec<EntryClass> = (0..classes)
        .map(|_| EntryClass {
            rows: 0,
            histograms: vec![BTreeMap::new()],
        })
        .collect();
    for (_, class, value) in rows {
        let class = &mut classes[*class as usize];
        class.rows += 1;
        *class.histograms[0].entry((*value).to_owned()).or_insert(0) += 1;
    }
    let promises = vec![Promise {
        column: "disease".to_owned(),
        l: "2".to_owned(),
        values: vec!["chlamydia".to_owned(), "fever".to_owned()],
    }];
    let entry = Entry {
        time: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        policy: "[data]\npath = \"patients.csv\"\n",
        columns: vec!["disease".to_owned()],
        promises: if promise { promises } else { Vec::new() },
        classes,
        persons: rows.iter().map(|row| (row.0, row.1)).collect(),
    };
    let (path, key) = (folder.path("ledger.sqlite"), folder.path("ledger.key"));
    let mut ledger =
        Ledger::open_or_create(&path, &key, Duration::from_secs(20), &mut |_| {}).unwrap();
    let staging = Staging::new(&folder.path("release")).unwrap();
    for name in ["release.csv", "manifest.json"] {
        files::write_bytes(
            &staging.path(name),
            format!("{name} {}", rows.len()).as_bytes(),
        )
        .unwrap();
    }
    let names = ["release.csv", "manifest.json"];
    ledger
        .append(&entry, staging, &names, &[])
        .unwrap()
        .commit()
        .unwrap();
}

fn two_releases() -> Folder {
    let folder = Folder::empty();
    record(&folder, &FIRST, true);
    record(&folder, &SECOND, true);
    folder
}

/// A run with what differs from ledger to ledger left out: hashes follow from random keys.
fn shown(run: &Run) -> String {
    let mut text = run.shown();
    while let Some(at) = hash_at(&text) {
        text.replace_range(at..at + 64, "[hash]");
    }
    text
}

fn hash_at(text: &str) -> Option<usize> {
    let hex = |part: &[u8]| part.iter().all(u8::is_ascii_hexdigit);
    text.as_bytes().windows(64).position(hex)
}

#[test]
fn releases_are_listed_and_shown() {
    let folder = two_releases();
    insta::assert_snapshot!(shown(&folder.scrim(&["ledger", "list"]).exits(0)));
    insta::assert_snapshot!(shown(&folder.scrim(&["ledger", "show", "1"]).exits(0)));
    insta::assert_snapshot!(shown(&folder.scrim(&["ledger", "show", "3"]).exits(2)));
    let list = folder.scrim(&["ledger", "list", "--json"]).exits(0).json();
    assert_eq!(
        (&list["persons"], &list["releases"][1]["rows"]),
        (&5.into(), &3.into())
    );
    assert_eq!(list["head"], list["releases"][1]["hash"]);
    let show = folder
        .scrim(&["ledger", "show", "2", "--json"])
        .exits(0)
        .json();
    assert_eq!(show["columns"][0]["values"][0]["max_share_exact"], "1/2");
    assert_eq!(show["release"], 2);
}

#[test]
fn what_persons_have_left_is_told_by_row_and_by_identifier() {
    let folder = two_releases();
    let asked = ["ledger", "persons", "--stdin", "--json"];
    let input = b"Ada Quill\nEve Brook\r\nZoe New\n";
    let run = folder.scrim_with(&asked, input).exits(0);
    assert!(
        !run.stdout.contains("Ada") && !run.stdout.contains("Zoe"),
        "{}",
        run.shown()
    );
    let told = run.json();
    let left = |person: usize, value: usize| {
        let left = &told["shown"][person]["left"][value];
        let text = |key: &str| left[key].as_str().unwrap().to_owned();
        (text("value"), text("p_exact"), text("left_exact"))
    };
    let is = |value: &str, p: &str, left: &str| (value.to_owned(), p.to_owned(), left.to_owned());
    assert_eq!(left(0, 0), is("chlamydia", "3/4", "-1"));
    assert_eq!(left(0, 1), is("fever", "1/2", "0"));
    assert_eq!(left(1, 0), is("chlamydia", "0", "1/2"));
    assert_eq!(left(2, 0), is("chlamydia", "0", "1/2"));
    let shown = &told["shown"];
    assert_eq!(
        (&shown[2]["person"], &shown[2]["line"]),
        (&serde_json::Value::Null, &3.into())
    );
    let row = shown[0]["person"].to_string();
    let by_row = folder
        .scrim(&["ledger", "persons", &row, "--json"])
        .exits(0)
        .json();
    assert_eq!(by_row["shown"][0]["left"], shown[0]["left"]);
    let nearest = folder
        .scrim(&["ledger", "persons", "--nearest", "2", "--json"])
        .exits(0)
        .json();
    let nearest: Vec<&str> = (0..2)
        .map(|at| nearest["shown"][at]["left"][0]["p_exact"].as_str().unwrap())
        .collect();
    assert_eq!(nearest, ["3/4", "3/4"]);
    let all = folder.scrim(&[
        "ledger", "persons", "--all", "--values", "all", "--l", "5/2", "--json",
    ]);
    let all = all.exits(0).json();
    assert_eq!(all["shown"].as_array().unwrap().len(), 5);
    assert_eq!(all["shown"][0]["left"].as_array().unwrap().len(), 3);
    assert_eq!((&all["l"], &all["exhausted"]), (&"5/2".into(), &5.into()));
    let text = folder
        .scrim_with(&["ledger", "persons", "--stdin"], b"Zoe New\n")
        .exits(0);
    insta::assert_snapshot!(text.shown());
}

#[test]
fn terms_that_nobody_promised_must_be_named() {
    let folder = Folder::empty();
    record(&folder, &FIRST, false);
    insta::assert_snapshot!(folder.scrim(&["ledger", "persons"]).exits(2).shown());
    let terms = [
        "ledger", "persons", "--of", "disease", "--l", "2", "--values", "flu",
    ];
    folder.scrim(&terms).exits(0);
    folder
        .scrim(&[
            "ledger", "persons", "--of", "disease", "--l", "1", "--values", "flu",
        ])
        .exits(2);
}

#[test]
fn a_sound_ledger_is_verified_and_a_forged_one_is_not() {
    let folder = two_releases();
    let run = folder.scrim(&["ledger", "verify"]).exits(0);
    insta::assert_snapshot!(shown(&run));
    let head = folder
        .scrim(&["ledger", "verify", "--json"])
        .exits(0)
        .json()["head"]
        .clone();
    folder
        .scrim(&["ledger", "verify", "--head", head.as_str().unwrap()])
        .exits(0);
    folder.scrim(&["ledger", "verify", "--head", "00"]).exits(1);
    folder.write("release/release.csv", "forged");
    let answer = folder
        .scrim(&["ledger", "verify", "--json"])
        .exits(1)
        .json();
    assert_eq!(
        (&answer["holds"], &answer["faults"][0]["release"]),
        (&false.into(), &2.into())
    );
    std::fs::remove_file(folder.path("release/release.csv")).unwrap();
    let run = folder.scrim(&["ledger", "verify"]).exits(0);
    assert!(
        run.stderr.contains("cannot be read there any more"),
        "{}",
        run.shown()
    );
    let mut bytes = folder.read("ledger.sqlite");
    let at = bytes.windows(5).position(|part| part == b"fever").unwrap();
    bytes[at] = b'F';
    folder.write("ledger.sqlite", bytes);
    folder.scrim(&["ledger", "verify"]).exits(1);
}

#[test]
fn a_lost_or_wrong_key_is_told_and_a_missing_ledger_too() {
    let folder = two_releases();
    let asked = ["ledger", "persons", "--stdin"];
    let key = folder.text("ledger.key");
    folder.write("ledger.key", "0".repeat(64));
    insta::assert_snapshot!(folder.scrim_with(&asked, b"Ada Quill\n").exits(2).shown());
    folder.scrim(&["ledger", "verify"]).exits(2);
    std::fs::remove_file(folder.path("ledger.key")).unwrap();
    insta::assert_snapshot!(folder.scrim_with(&asked, b"Ada Quill\n").exits(2).shown());
    folder.scrim(&["ledger", "verify"]).exits(0);
    folder.write("elsewhere", key);
    let asked = ["ledger", "persons", "--stdin", "--key", "elsewhere"];
    folder.scrim_with(&asked, b"Ada Quill\n").exits(0);
    insta::assert_snapshot!(
        folder
            .scrim(&["ledger", "list", "--ledger", "none.sqlite"])
            .exits(2)
            .shown()
    );
    folder
        .scrim(&["ledger", "recover", "--ledger", "none.sqlite"])
        .exits(2);
    assert!(!folder.path("none.sqlite").exists());
}

#[test]
fn exports_are_written_for_other_programs() {
    let folder = two_releases();
    let json = folder.scrim(&["ledger", "export"]).exits(0).json();
    assert_eq!(json["classes"].as_array().unwrap().len(), 4);
    assert_eq!(json["membership"].as_array().unwrap().len(), 7);
    folder
        .scrim(&["ledger", "export", "--csv", "tables"])
        .exits(0);
    assert_eq!(
        folder.text("tables/classes.csv"),
        "release,class,rows\n1,1,2\n1,2,2\n2,1,2\n2,2,1\n"
    );
    // A folder with a release in it keeps its manifest.
    folder
        .scrim(&["ledger", "export", "--csv", "release"])
        .exits(0);
    assert!(folder.path("release/manifest.json").exists());
}

#[test]
fn a_table_is_checked_against_the_history_of_its_persons() {
    let folder = two_releases();
    folder.write(
        "policy.toml",
        "[data]\npath = \"next.csv\"\n[columns]\npatient = { role = \"person\" }\ndisease = { role = \"sensitive\" }\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    folder.write(
        "next.csv",
        "patient,disease\nAda Quill,flu\nEve Brook,flu\nZoe New,flu\n",
    );
    insta::assert_snapshot!(
        folder
            .scrim(&["ledger", "check", "policy.toml"])
            .exits(1)
            .shown()
    );
    let retired = [
        "ledger",
        "check",
        "policy.toml",
        "--retire-below",
        "1/100",
        "--json",
    ];
    let answer = folder.scrim(&retired).exits(0).json();
    assert_eq!(
        (&answer["retired"], &answer["fresh"]),
        (&1.into(), &1.into())
    );
    folder.replace("policy.toml", "role = \"person\"", "role = \"identifier\"");
    folder.scrim(&["ledger", "check", "policy.toml"]).exits(2);
}

#[test]
fn recovering_says_what_it_did() {
    let folder = two_releases();
    std::fs::create_dir(folder.path("release/.scrim-1-0")).unwrap();
    let run = folder.scrim(&["ledger", "recover"]).exits(0);
    assert!(
        run.stdout.contains("1 unfinished folder removed"),
        "{}",
        run.shown()
    );
    let run = folder.scrim(&["ledger", "recover", "--json"]).exits(0);
    assert_eq!(run.json()["recovered"].as_array().unwrap().len(), 0);
}
