//! How time and memory grow with persons and releases: run by hand, see docs/ledger.md.
//!
//! `PERSONS=1000000 cargo test --release -p scrim-io --test ledger_scale -- --ignored --nocapture`
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a measurement that cannot prepare its files has failed"
)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant, UNIX_EPOCH};

use scrim_io::ledger::{Entry, EntryClass, Ledger, Promise, Terms, Which};
use scrim_io::{Staging, files};

const RELEASES: usize = 10;
const CLASS: usize = 10;

/// The most memory that the process has had, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or(0u64)
        / 1024
}

#[test]
#[ignore = "a measurement, not a claim"]
fn many_persons_over_ten_releases() {
    let count: usize = std::env::var("PERSONS").map_or(100_000, |text| text.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let (path, key) = (
        dir.path().join("ledger.sqlite"),
        dir.path().join("ledger.key"),
    );
    println!("{count} persons a release, classes of {CLASS}, a tenth of them new each time");
    println!("release  history s  append s  commit s  ledger MB  peak MB");
    let classes: Vec<EntryClass> = (0..count / CLASS)
        .map(|class| EntryClass {
            rows: CLASS as u64,
            histograms: vec![BTreeMap::from([
                (format!("value {}", class % 50), 2),
                (format!("value {}", 50 + class % 7), CLASS as u64 - 2),
            ])],
        })
        .collect();
    let protected = |value: &str| value == "value 3";
    for release in 0..RELEASES {
        let names: Vec<String> = (0..count)
            .map(|row| format!("patient {}", row + release * count / 10))
            .collect();
        let texts: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut ledger = Ledger::open_or_create(&path, &key, Duration::ZERO, &mut |_| {}).unwrap();
        let start = Instant::now();
        let history = ledger.history(&texts, "disease", &protected).unwrap();
        assert_eq!(history.releases as usize, release);
        drop(history);
        let looked = start.elapsed();
        // Partners rotate: another order of the same persons each time.
        let class = |row: usize| ((row * (2 * release + 1)) % count / CLASS) as u32;
        let mut sizes = vec![0; count / CLASS];
        let persons: Vec<(&str, u32)> = texts
            .iter()
            .enumerate()
            .map(|(row, text)| (*text, class(row)))
            .collect();
        persons
            .iter()
            .for_each(|(_, class)| sizes[*class as usize] += 1);
        let persons = if sizes.iter().all(|size| *size == CLASS) {
            persons
        } else {
            texts
                .iter()
                .enumerate()
                .map(|(row, text)| (*text, (row / CLASS) as u32))
                .collect()
        };
        let staging = Staging::new(&dir.path().join("release")).unwrap();
        files::write_bytes(&staging.path("release.csv"), b"x").unwrap();
        let entry = Entry {
            time: UNIX_EPOCH,
            policy: "",
            columns: vec!["disease".to_owned()],
            promises: vec![Promise {
                column: "disease".to_owned(),
                l: "2".to_owned(),
                values: vec!["value 3".to_owned()],
            }],
            classes: classes.clone(),
            persons,
        };
        let start = Instant::now();
        let pending = ledger
            .append(&entry, staging, &["release.csv"], &[])
            .unwrap();
        let appended = start.elapsed();
        let start = Instant::now();
        pending.commit().unwrap();
        println!(
            "{:7}  {:9.2}  {:8.2}  {:8.2}  {:9}  {:7}",
            release + 1,
            looked.as_secs_f64(),
            appended.as_secs_f64(),
            start.elapsed().as_secs_f64(),
            std::fs::metadata(&path).unwrap().len() >> 20,
            peak()
        );
    }
    let ledger = Ledger::open(&path, Some(&key)).unwrap();
    let start = Instant::now();
    assert!(ledger.verify(None).unwrap().holds);
    println!("verify {:.2} s", start.elapsed().as_secs_f64());
    let terms = Terms {
        column: "disease".to_owned(),
        l: "2".parse().unwrap(),
        values: vec!["value 3".to_owned()],
    };
    let start = Instant::now();
    ledger.persons(&terms, Which::Nearest(20)).unwrap();
    println!("persons --nearest {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    ledger
        .persons(&terms, Which::Identifiers(&["patient 5"]))
        .unwrap();
    println!(
        "one person {:.4} s; peak {} MB",
        start.elapsed().as_secs_f64(),
        peak()
    );
}
