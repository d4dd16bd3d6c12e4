//! A small desk with a ledger on it, and what must hold for ledgers.

mod damage;
mod keys;
mod numbers;
mod several;
mod two;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::{Staging, files};

/// A person, a class (from 0) and a value.
pub(super) type Row<'a> = (&'a str, u32, &'a str);

pub(super) struct Desk(TempDir);

impl Desk {
    pub(super) fn new() -> Self {
        // In memory, where there is such a place: a ledger waits for the disk some twenty times a release.
        let memory = Path::new("/dev/shm");
        let dir = if files::is_dir(memory) {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        Self(dir.unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn open(&self) -> Result<Ledger, IoError> {
        let (ledger, key) = (self.path("ledger.sqlite"), self.path("ledger.key"));
        Ledger::open_or_create(&ledger, &key, Duration::ZERO, &mut |_| {})
    }

    pub(super) fn read(&self) -> Ledger {
        Ledger::open(&self.path("ledger.sqlite"), Some(&self.path("ledger.key"))).unwrap()
    }

    /// Stages two files and writes their entry.
    pub(super) fn append<'a>(
        &self,
        ledger: &'a mut Ledger,
        rows: &[Row<'_>],
    ) -> Result<Pending<'a>, IoError> {
        self.append_entry(ledger, &entry(rows), &format!("{rows:?}"))
    }

    /// The same for any entry, with this text as its release.
    pub(super) fn append_entry<'a>(
        &self,
        ledger: &'a mut Ledger,
        entry: &Entry<'_>,
        text: &str,
    ) -> Result<Pending<'a>, IoError> {
        let staging = Staging::new(&self.path("release")).unwrap();
        files::write_bytes(&staging.path("release.csv"), text.as_bytes()).unwrap();
        files::write_bytes(
            &staging.path("manifest.json"),
            text.len().to_string().as_bytes(),
        )
        .unwrap();
        let names = ["release.csv", "manifest.json"];
        ledger.append(entry, staging, &names, &["release.parquet"])
    }

    pub(super) fn publish(&self, rows: &[Row<'_>]) -> Recorded {
        let mut ledger = self.open().unwrap();
        self.append(&mut ledger, rows).unwrap().commit().unwrap()
    }

    /// The file as anybody could open it, without our settings.
    pub(super) fn raw(&self) -> Connection {
        Connection::open(self.path("ledger.sqlite")).unwrap()
    }

    pub(super) fn entries(&self, dir: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(dir)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(super) fn entry<'a>(rows: &[Row<'a>]) -> Entry<'a> {
    let classes = rows
        .iter()
        .map(|(_, class, _)| class + 1)
        .max()
        .unwrap_or(0);
    let empty = EntryClass {
        rows: 0,
        histograms: vec![BTreeMap::new()],
    };
    let mut classes = vec![empty; classes as usize];
    for (_, class, value) in rows {
        let class = &mut classes[*class as usize];
        class.rows += 1;
        *class.histograms[0].entry((*value).to_owned()).or_insert(0) += 1;
    }
    Entry {
        time: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        policy: "[data]\npath = \"x.csv\"\n",
        columns: vec!["disease".to_owned()],
        promises: vec![Promise {
            column: "disease".to_owned(),
            l: "2".to_owned(),
            values: vec!["hiv".to_owned(), "flu".to_owned()],
        }],
        classes,
        persons: rows
            .iter()
            .map(|(person, class, _)| (*person, *class))
            .collect(),
    }
}

pub(super) const FIRST: [Row<'static>; 4] = [
    ("Ada Quill", 0, "hiv"),
    ("Bob Stone", 0, "flu"),
    ("Cyd Marsh", 1, "flu"),
    ("Dan Field", 1, "cold"),
];
pub(super) const SECOND: [Row<'static>; 4] = [
    ("Ada Quill", 0, "cold"),
    ("Eve Brook", 0, "hiv"),
    ("Bob Stone", 0, "cold"),
    ("Dan Field", 0, "cold"),
];

#[test]
fn a_recorded_release_is_in_place_and_told() {
    let desk = Desk::new();
    files::create_dir(&desk.path("release")).unwrap();
    files::write_bytes(&desk.path("release/release.parquet"), b"old").unwrap();
    let first = desk.publish(&FIRST);
    let second = desk.publish(&SECOND);
    assert_eq!((first.release, second.release), (1, 2));
    assert_eq!(desk.entries("release"), ["manifest.json", "release.csv"]);
    assert_eq!(
        files::read_text(&second.files[0]).unwrap(),
        format!("{SECOND:?}")
    );
    let ledger = desk.read();
    let overview = ledger.overview().unwrap();
    assert_eq!((overview.persons, overview.head), (5, Some(second.hash)));
    let told: Vec<_> = overview
        .releases
        .iter()
        .map(|r| (r.rows, r.classes, r.newcomers, r.state, r.time.as_str()))
        .collect();
    let time = "2023-11-14T22:13:20Z";
    assert_eq!(
        told,
        [(4, 2, 4, "complete", time), (4, 1, 1, "complete", time)]
    );
    assert_eq!(overview.releases[0].files[0].path, "release/release.csv");
    let answer = ledger.verify(Some(&first.hash)).unwrap();
    assert!(answer.holds && answer.remarks.is_empty(), "{answer:?}");
    let mut told = Vec::new();
    let watched = ledger.verify_watched(None, &mut |done, all| {
        told.push((done, all));
        Ok(())
    });
    assert!(watched.unwrap().holds);
    assert_eq!(told, [(0, 2), (1, 2)]);
    let stopped = ledger.verify_watched(None, &mut |_, _| Err(scrim::Error::Interrupted));
    assert!(
        stopped.is_err(),
        "what was not looked at is not said to hold"
    );
    let shown = ledger.release(2).unwrap();
    assert_eq!(shown.class_rows, [4, 4]);
    let values = &shown.columns[0].values;
    let told: Vec<_> = values
        .iter()
        .map(|v| {
            (
                v.value.as_str(),
                v.rows,
                v.protected,
                v.max_share_exact.to_string(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("cold", 3, false, "3/4".to_owned()),
            ("hiv", 1, true, "1/4".to_owned())
        ]
    );
    assert!(ledger.release(3).is_err());
}

#[test]
fn an_entry_that_is_not_committed_leaves_nothing() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let before = files::read_bytes(&desk.path("ledger.sqlite")).unwrap();
    let mut ledger = desk.open().unwrap();
    drop(desk.append(&mut ledger, &SECOND).unwrap());
    assert_eq!(ledger.overview().unwrap().releases.len(), 1);
    drop(ledger);
    assert_eq!(
        files::read_bytes(&desk.path("ledger.sqlite")).unwrap(),
        before
    );
    assert_eq!(desk.entries("release"), ["manifest.json", "release.csv"]);
    assert_eq!(
        files::read_text(&desk.path("release/release.csv")).unwrap(),
        format!("{FIRST:?}")
    );
}

type Spoil = fn(&mut Entry<'_>);

#[test]
fn an_entry_that_contradicts_itself_is_refused() {
    let desk = Desk::new();
    let mut ledger = desk.open().unwrap();
    let twice = [FIRST[0], FIRST[1], ("Ada Quill", 1, "flu")];
    let error = desk.append(&mut ledger, &twice).unwrap_err().to_string();
    assert!(
        error.contains("a person has several rows") && !error.contains("Ada"),
        "{error}"
    );
    let staged = || {
        let staging = Staging::new(&desk.path("release")).unwrap();
        files::write_bytes(&staging.path("a"), b"").unwrap();
        staging
    };
    let spoils: [Spoil; 5] = [
        |entry| entry.classes[0].rows = 3,
        |entry| entry.persons[0].1 = 7,
        |entry| entry.persons[0].1 = 1,
        |entry| entry.promises[0].column = "other".to_owned(),
        |entry| entry.classes[0].histograms[0].clear(),
    ];
    for spoil in spoils {
        let mut entry = entry(&FIRST);
        spoil(&mut entry);
        let error = ledger.append(&entry, staged(), &["a"], &[]).unwrap_err();
        assert!(error.to_string().contains("contradicts itself"), "{error}");
    }
    assert!(ledger.overview().unwrap().releases.is_empty());
    let mut reader = desk.read();
    assert!(
        reader
            .append(&entry(&FIRST), staged(), &["a"], &[])
            .is_err()
    );
}

#[test]
fn a_second_publisher_is_told_and_readers_are_not_kept_out() {
    let desk = Desk::new();
    let first = desk.open().unwrap();
    let (path, key) = (desk.path("ledger.sqlite"), desk.path("ledger.key"));
    let mut said = Vec::new();
    let wait = Duration::from_millis(60);
    let second = Ledger::open_or_create(&path, &key, wait, &mut |text| said.push(text.to_owned()));
    let error = second.unwrap_err();
    assert!(
        error.to_string().contains("another publisher is at work"),
        "{error}"
    );
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(desk.read().overview().unwrap().releases.is_empty());
    drop(first);
    assert!(desk.open().is_ok());
}

#[test]
fn a_second_publisher_that_waits_gets_its_turn() {
    let desk = Desk::new();
    let first = desk.open().unwrap();
    let (path, key) = (desk.path("ledger.sqlite"), desk.path("ledger.key"));
    let (sender, receiver) = std::sync::mpsc::channel();
    let waiting = std::thread::spawn(move || {
        let mut say = |_: &str| sender.send(()).unwrap();
        Ledger::open_or_create(&path, &key, Duration::from_mins(1), &mut say).is_ok()
    });
    receiver.recv().unwrap();
    drop(first);
    assert!(waiting.join().unwrap());
}

#[test]
fn no_identifier_is_in_any_file_or_export() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    desk.publish(&SECOND);
    let ledger = desk.read();
    ledger.export_csv(&desk.path("export")).unwrap();
    let mut json = Vec::new();
    ledger.export_json(&mut json).unwrap();
    let mut texts = vec![
        json,
        files::read_bytes(&desk.path("ledger.sqlite")).unwrap(),
    ];
    for name in desk.entries("export") {
        texts.push(files::read_bytes(&desk.path("export").join(name)).unwrap());
    }
    for text in &texts {
        for secret in ["Ada", "Quill", "Brook"] {
            let found = text
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "{secret}");
        }
    }
}

#[test]
fn exports_hold_what_was_recorded() {
    let desk = Desk::new();
    let odd = [("Ada Quill", 0, "a \"b\", c"), ("Bob Stone", 0, "x\ny")];
    desk.publish(&odd);
    let ledger = desk.read();
    ledger.export_csv(&desk.path("export")).unwrap();
    let text = files::read_text(&desk.path("export/histogram.csv")).unwrap();
    assert_eq!(
        text,
        "release,class,column,value,count\n1,1,disease,\"a \"\"b\"\", c\",1\n1,1,disease,\"x\ny\",1\n"
    );
    let mut json = Vec::new();
    ledger.export_json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["histogram"][1]["value"], "x\ny");
    assert_eq!(json["membership"].as_array().unwrap().len(), 2);
    assert_eq!(
        json["releases"][0]["hash"],
        ledger.overview().unwrap().head.unwrap()
    );
    assert_eq!(json["protected"].as_array().unwrap().len(), 2);
}

#[test]
fn a_ledger_in_another_folder_leads_to_its_files() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let moved = desk.path("elsewhere");
    files::create_dir(&moved).unwrap();
    for name in ["ledger.sqlite", "ledger.key", "release"] {
        files::rename(&desk.path(name), &moved.join(name)).unwrap();
    }
    let ledger = Ledger::open(&moved.join("ledger.sqlite"), None).unwrap();
    let answer = ledger.verify(None).unwrap();
    assert!(answer.holds && answer.remarks.is_empty(), "{answer:?}");
    assert_eq!(
        default_key(Path::new("a/ledger.sqlite")),
        Path::new("a/ledger.key")
    );
}
