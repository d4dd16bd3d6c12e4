//! Releases in which persons have several rows, against a model that knows no ledger and counts possible worlds.

use scrim::{Random, Share};

use super::damage::{faults, forge};
use super::*;

/// Ada has two rows in the first class and one in the second, Bob one in each.
const SEVERAL: [Row<'static>; 7] = [
    ("Ada Quill", 0, "hiv"),
    ("Bob Stone", 0, "flu"),
    ("Ada Quill", 0, "cold"),
    ("Cyd Marsh", 0, "cold"),
    ("Ada Quill", 1, "flu"),
    ("Bob Stone", 1, "cold"),
    ("Dan Field", 1, "hiv"),
];

fn publish(desk: &Desk, rows: &[Row<'_>]) -> Recorded {
    let mut ledger = desk.open().unwrap();
    let unpromised = Entry {
        promises: Vec::new(),
        ..entry(rows)
    };
    let pending = desk.append_entry(&mut ledger, &unpromised, &format!("{rows:?}"));
    pending.unwrap().commit().unwrap()
}

fn terms() -> Terms {
    Terms {
        column: "disease".to_owned(),
        l: Share::whole(2),
        values: vec!["hiv".to_owned(), "flu".to_owned()],
    }
}

fn version(desk: &Desk) -> i64 {
    let raw = desk.raw();
    raw.query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap()
}

/// The share of the ways to choose a person's rows among those of a class in which none has the value: all ways are tried.
fn missed(values: &[&str], value: &str, own: usize) -> (u64, u64) {
    let (mut all, mut without) = (0, 0);
    for chosen in 0u32..1 << values.len() {
        if chosen.count_ones() as usize != own {
            continue;
        }
        let has = |(at, text): (usize, &&str)| chosen >> at & 1 == 1 && *text == value;
        all += 1;
        without += u64::from(!values.iter().enumerate().any(has));
    }
    (without, all)
}

/// The belief about a person and a value by all releases, in floats.
fn belief(releases: &[Vec<Row<'_>>], person: &str, value: &str) -> f64 {
    let mut doubt = 1.0;
    for rows in releases {
        let classes = rows
            .iter()
            .map(|row| row.1)
            .max()
            .map_or(0, |last| last + 1);
        for class in 0..classes {
            let of_class = rows.iter().filter(|row| row.1 == class);
            let own = of_class.clone().filter(|row| row.0 == person).count();
            let values: Vec<&str> = of_class.map(|row| row.2).collect();
            let (without, all) = missed(&values, value, own);
            doubt *= without as f64 / all as f64;
        }
    }
    1.0 - doubt
}

#[test]
fn a_release_with_several_rows_of_a_person_is_recorded_and_told() {
    let desk = Desk::new();
    let recorded = publish(&desk, &SEVERAL);
    let ledger = desk.read();
    let overview = ledger.overview().unwrap();
    let release = &overview.releases[0];
    assert_eq!((release.rows, release.persons), (7, 4));
    assert_eq!((release.newcomers, overview.persons), (4, 4));
    let answer = ledger.verify(Some(&recorded.hash)).unwrap();
    assert!(answer.holds && answer.remarks.is_empty(), "{answer:?}");
    let history = ledger
        .history(&["Bob Stone", "Ada Quill"], "disease", &|_| true)
        .unwrap();
    let rows: Vec<_> = history
        .in_classes(1)
        .map(|(_, class, own)| (class.release, class.rows, own))
        .collect();
    assert_eq!(rows, [(1, 4, 2), (1, 3, 1)]);
    assert_eq!(history.appearances(1), 1);
    // hiv for Ada: 1 - 1/2 · 2/3.
    let told = ledger
        .persons(&terms(), Which::Identifiers(&["Ada Quill"]))
        .unwrap();
    assert_eq!(told.shown[0].left[0].p_exact.to_string(), "2/3");
    assert_eq!(told.shown[0].releases, 1);
    let mut json = Vec::new();
    ledger.export_json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["ledger"], 2);
    assert_eq!(json["membership"].as_array().unwrap().len(), 4);
    let further = json["further"].as_array().unwrap();
    let rows: u64 = further
        .iter()
        .map(|more| more["rows"].as_u64().unwrap())
        .sum();
    assert_eq!((further.len(), rows), (3, 3));
    ledger.export_csv(&desk.path("export")).unwrap();
    let csv = files::read_text(&desk.path("export/further.csv")).unwrap();
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn a_ledger_gets_the_table_with_the_first_release_that_needs_it() {
    let desk = Desk::new();
    let first = desk.publish(&FIRST);
    assert_eq!(version(&desk), 1);
    let mut json = Vec::new();
    desk.read().export_json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["ledger"] == 1 && json.get("further").is_none());
    // What is not committed changes no table.
    let before = files::read_bytes(&desk.path("ledger.sqlite")).unwrap();
    let mut ledger = desk.open().unwrap();
    let unpromised = Entry {
        promises: Vec::new(),
        ..entry(&SEVERAL)
    };
    drop(desk.append_entry(&mut ledger, &unpromised, "x").unwrap());
    drop(ledger);
    let after = files::read_bytes(&desk.path("ledger.sqlite")).unwrap();
    assert_eq!(after, before);
    publish(&desk, &SEVERAL);
    assert_eq!(version(&desk), 2);
    let last = desk.publish(&SECOND);
    assert_eq!(faults(&desk), []);
    // The hashes of before and of releases without such persons are what they were.
    for head in [&first.hash, &last.hash] {
        assert!(desk.read().verify(Some(head)).unwrap().holds);
    }
    let releases = desk.read().overview().unwrap().releases;
    let told: Vec<_> = releases.iter().map(|one| (one.rows, one.persons)).collect();
    assert_eq!(told, [(4, 4), (7, 4), (4, 4)]);
}

#[test]
fn hashes_are_what_they_are_by_definition() {
    // Made with Python's `hashlib` from the definition in `chain`; the first is that of a ledger of version 1.
    let raw = Connection::open_in_memory().unwrap();
    schema::create(&raw, &[3; 32], &[4; 32]).unwrap();
    raw.pragma_update(None, "foreign_keys", false).unwrap();
    raw.execute_batch(
        "INSERT INTO columns VALUES (1, 1, 'disease'); INSERT INTO classes VALUES (1, 1, 2), (1, 2, 1); \
         INSERT INTO histogram VALUES (1, 1, 1, 'flu', 2), (1, 2, 1, 'cold', 1); \
         INSERT INTO membership VALUES (1, 1, 1), (1, 2, 1);",
    )
    .unwrap();
    for number in [1u8, 2] {
        let person = rusqlite::params![number, [number; 32]];
        raw.execute("INSERT INTO persons VALUES (?1, ?2)", person)
            .unwrap();
    }
    let row = chain::ReleaseRow {
        number: 1,
        time: "2023".to_owned(),
        scrim: "0.1.0".to_owned(),
        policy: "policy".to_owned(),
        policy_sha256: "abc".to_owned(),
        rows: 3,
        classes: 2,
        newcomers: 2,
        previous: [7; 32],
    };
    let hash = || crate::digest::hex(&chain::digest(&raw, &row, 0).unwrap());
    let first = "a5568062e4b4bb8afc63723e998b316c91cfddea36cbd147394c37c06dc7f317";
    assert_eq!(hash(), first);
    schema::add_further(&raw).unwrap();
    assert_eq!(hash(), first);
    let more = "INSERT INTO further VALUES (1, 1, 2, 1)";
    raw.execute_batch(more).unwrap();
    let second = "b333d06539ae3c4376dc48ea425b768633d18e76cd24a77e45521f21b7734a68";
    assert_eq!(hash(), second);
}

#[test]
fn the_hash_of_a_release_without_further_rows_does_not_depend_on_the_table() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    // As if an earlier Scrim had recorded it, and this one then added the table.
    let raw = desk.raw();
    schema::add_further(&raw).unwrap();
    drop(raw);
    assert_eq!(version(&desk), 2);
    assert_eq!(faults(&desk), []);
    desk.publish(&SECOND);
    assert_eq!(faults(&desk), []);
}

#[test]
fn whatever_is_changed_about_further_rows_breaks_the_chain() {
    for (sql, what) in [
        (
            "UPDATE further SET rows = 2 WHERE class = 1",
            "its persons have not as many rows as it",
        ),
        (
            "DELETE FROM further",
            "its persons have not as many rows as it",
        ),
        (
            "UPDATE further SET class = 2 WHERE class = 1 AND release = 1",
            "the chain breaks",
        ),
        (
            "UPDATE further SET person = 99 WHERE class = 1",
            "it has further rows of persons without a first",
        ),
        (
            "INSERT INTO further VALUES (1, 1, 2, 0)",
            "it has further rows of persons without a first",
        ),
        (
            "INSERT INTO further VALUES (1, 1, 9, 1)",
            "`further` has rows that belong to nothing",
        ),
        (
            "PRAGMA user_version = 1",
            "there is a strange table `further`",
        ),
    ] {
        let desk = Desk::new();
        publish(
            &desk,
            &[
                ("Ada Quill", 0, "hiv"),
                ("Bob Stone", 1, "flu"),
                ("Ada Quill", 0, "flu"),
            ],
        );
        forge(&desk, sql);
        let faults = faults(&desk);
        let says = |what: &str| faults.iter().any(|fault| fault.what.starts_with(what));
        assert!(says(what), "{sql}: {faults:?}");
        assert!(
            says("the chain breaks") || says("it cannot be read"),
            "{sql}: {faults:?}"
        );
    }
    let desk = Desk::new();
    publish(&desk, &SEVERAL);
    desk.raw().execute_batch("DROP TABLE further").unwrap();
    let gone = faults(&desk);
    let says = |what: &str| gone.iter().any(|fault| fault.what.starts_with(what));
    assert!(says("the table `further` is gone or changed"), "{gone:?}");
    let desk = Desk::new();
    publish(&desk, &SEVERAL);
    for sql in ["UPDATE further SET rows = rows", "DELETE FROM further"] {
        let error = desk.raw().execute_batch(sql).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{sql}: {error}");
    }
}

#[test]
fn beliefs_are_those_of_all_ways_to_choose_a_persons_rows() {
    const NAMES: [&str; 6] = ["p0", "p1", "p2", "p3", "p4", "p5"];
    const VALUES: [&str; 3] = ["hiv", "flu", "cold"];
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut draw = |below: usize| random.below(below as u64) as usize;
        let desk = Desk::new();
        let mut releases: Vec<Vec<Row<'_>>> = Vec::new();
        for _ in 0..2 {
            let count = 4 + draw(8);
            let rows = (0..count).map(|row| (NAMES[draw(6)], (row / 4) as u32, VALUES[draw(3)]));
            releases.push(rows.collect());
        }
        releases.iter().for_each(|rows| drop(publish(&desk, rows)));
        let ledger = desk.read();
        assert_eq!(faults(&desk), [], "seed {seed}");
        let by_name = ledger
            .persons(&terms(), Which::Identifiers(&NAMES))
            .unwrap();
        let all = ledger.persons(&terms(), Which::All).unwrap();
        // Each alone is looked up, all together are merged.
        for (name, told) in NAMES.iter().zip(&by_name.shown) {
            let alone = ledger
                .persons(&terms(), Which::Identifiers(&[name]))
                .unwrap();
            let is_in = |rows: &&Vec<Row<'_>>| rows.iter().any(|row| row.0 == *name);
            let expected = releases.iter().filter(is_in).count() as u64;
            assert_eq!(told.releases, expected, "seed {seed}");
            for (at, left) in told.left.iter().enumerate() {
                let expected = belief(&releases, name, &left.value);
                assert!(
                    (left.p - expected).abs() < 1e-12,
                    "seed {seed}: {name} {left:?}"
                );
                assert_eq!(alone.shown[0].left[at].p_exact, left.p_exact);
                let Some(row) = told.person else { continue };
                let by_row = &all.shown[row as usize - 1];
                assert_eq!(by_row.left[at].p_exact, left.p_exact, "seed {seed}");
                assert_eq!(by_row.releases, told.releases);
            }
        }
    }
}
