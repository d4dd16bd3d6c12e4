//! Ledgers that somebody or something has changed.

use super::*;

const TABLES: [&str; 12] = [
    "meta",
    "releases",
    "files",
    "outdated",
    "done",
    "columns",
    "promises",
    "protected",
    "classes",
    "histogram",
    "persons",
    "membership",
];

/// Runs SQL past the triggers and puts them back as they were.
pub(super) fn forge(desk: &Desk, sql: &str) {
    let raw = desk.raw();
    raw.pragma_update(None, "foreign_keys", false).unwrap();
    let triggers: Vec<(String, String)> = {
        let mut select = raw
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            .unwrap();
        let rows = select
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        rows.map(Result::unwrap).collect()
    };
    for (name, _) in &triggers {
        raw.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    raw.execute_batch(sql).unwrap();
    for (_, sql) in &triggers {
        raw.execute_batch(sql).unwrap();
    }
}

pub(super) fn faults(desk: &Desk) -> Vec<Fault> {
    let ledger = Ledger::open(&desk.path("ledger.sqlite"), None).unwrap();
    let answer = ledger.verify(None).unwrap();
    assert_eq!(answer.holds, answer.faults.is_empty());
    answer.faults
}

#[test]
fn nothing_can_be_changed_or_removed() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let raw = desk.raw();
    for table in TABLES {
        let filled: i64 = raw
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .unwrap();
        assert!(filled > 0, "{table}");
        let column: String = raw
            .query_row(
                "SELECT name FROM pragma_table_info(?1) LIMIT 1",
                [table],
                |row| row.get(0),
            )
            .unwrap();
        for sql in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
        ] {
            let error = raw.execute_batch(&sql).unwrap_err().to_string();
            assert!(error.contains("append-only"), "{sql}: {error}");
        }
    }
    assert_eq!(faults(&desk), []);
}

#[test]
fn whatever_is_changed_breaks_the_chain_at_its_release() {
    for sql in [
        "UPDATE releases SET time = 'x' WHERE number = 2",
        "UPDATE releases SET scrim = 'x' WHERE number = 2",
        "UPDATE releases SET policy = policy || ' ' WHERE number = 2",
        "UPDATE releases SET newcomers = 0 WHERE number = 2",
        "UPDATE releases SET hash = zeroblob(32) WHERE number = 2",
        "UPDATE releases SET previous = zeroblob(32) WHERE number = 2",
        "UPDATE files SET sha256 = 'x' WHERE release = 2 AND position = 1",
        "UPDATE files SET path = 'x' WHERE release = 2 AND position = 1",
        "DELETE FROM outdated WHERE release = 2",
        "UPDATE columns SET name = 'x' WHERE release = 2",
        "UPDATE promises SET l = '3' WHERE release = 2",
        "DELETE FROM protected WHERE release = 2 AND value = 'flu'",
        "UPDATE classes SET rows = 5 WHERE release = 2",
        "UPDATE histogram SET value = 'x' WHERE release = 2 AND value = 'hiv'",
        "UPDATE histogram SET count = 2 WHERE release = 2 AND value = 'hiv'",
        "UPDATE persons SET hash = zeroblob(32) WHERE number = 5",
        "DELETE FROM membership WHERE release = 2 AND person = (SELECT min(person) FROM membership WHERE release = 2)",
        "INSERT INTO histogram VALUES (2, 1, 1, 'x', 0)",
    ] {
        let desk = Desk::new();
        desk.publish(&FIRST);
        desk.publish(&SECOND);
        desk.publish(&FIRST);
        forge(&desk, sql);
        let faults = faults(&desk);
        let breaks = |fault: &&Fault| fault.what.starts_with("the chain breaks");
        let first = faults.iter().find(breaks).map(|fault| fault.release);
        assert_eq!(first, Some(Some(2)), "{sql}: {faults:?}");
    }
}

#[test]
fn numbers_that_do_not_add_up_are_told() {
    for (sql, what) in [
        (
            "UPDATE classes SET rows = 5 WHERE release = 1 AND number = 1",
            "its classes have not as many rows",
        ),
        (
            "UPDATE releases SET classes = 9",
            "it has not as many classes",
        ),
        (
            "DELETE FROM membership",
            "its persons have not as many rows as it",
        ),
        (
            "UPDATE membership SET class = 1 WHERE person = (SELECT min(person) FROM membership WHERE class = 2)",
            "the persons of a class have not as many rows",
        ),
        (
            "DELETE FROM histogram WHERE class = 1",
            "a histogram does not add up",
        ),
        (
            "INSERT INTO persons VALUES (99, zeroblob(32))",
            "there are 5 persons, but the releases brought 4",
        ),
        (
            "UPDATE membership SET person = 77 WHERE person = 1",
            "it has persons that are not known",
        ),
        (
            "DELETE FROM releases",
            "`classes` has rows that belong to nothing",
        ),
        ("UPDATE releases SET number = 3", "the release is missing"),
        ("CREATE TABLE more (a)", "there is a strange table `more`"),
        (
            "UPDATE releases SET policy = 'x'",
            "the policy's text has another hash",
        ),
    ] {
        let desk = Desk::new();
        desk.publish(&FIRST);
        forge(&desk, sql);
        let faults = faults(&desk);
        assert!(
            faults.iter().any(|fault| fault.what.starts_with(what)),
            "{sql}: {faults:?}"
        );
    }
    let desk = Desk::new();
    drop(desk.open().unwrap());
    desk.raw()
        .execute_batch("DROP TRIGGER classes_never_removed")
        .unwrap();
    assert_eq!(
        faults(&desk)[0].what,
        "the trigger `classes_never_removed` is gone or changed"
    );
    let more = [
        "classes_never_changed",
        "done_never_changed",
        "done_never_removed",
    ];
    for name in more {
        let drop = format!("DROP TRIGGER {name}");
        desk.raw().execute_batch(&drop).unwrap();
    }
    let told: Vec<String> = faults(&desk).into_iter().map(|fault| fault.what).collect();
    assert_eq!(
        told,
        ["4 triggers are gone or changed, such as `classes_never_changed`"]
    );
}

#[test]
fn a_ledger_that_was_cut_short_lacks_the_hash_that_was_noted() {
    let desk = Desk::new();
    let first = desk.publish(&FIRST);
    let before = files::read_bytes(&desk.path("ledger.sqlite")).unwrap();
    let second = desk.publish(&SECOND);
    assert!(desk.read().verify(Some(&second.hash)).unwrap().holds);
    files::write_bytes(&desk.path("ledger.sqlite"), &before).unwrap();
    assert!(!desk.read().verify(Some(&second.hash)).unwrap().holds);
    // The file in place is the second release's, which this ledger does not know.
    let answer = desk.read().verify(Some(&first.hash)).unwrap();
    assert!(
        answer
            .faults
            .iter()
            .all(|fault| fault.what.contains("is not the file")),
        "{answer:?}"
    );
}

#[test]
fn a_damaged_file_is_told_and_never_panics() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let path = desk.path("ledger.sqlite");
    let sound = files::read_bytes(&path).unwrap();
    for at in (0..sound.len()).step_by(509) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x55;
        files::write_bytes(&path, &bytes).unwrap();
        if let Ok(ledger) = Ledger::open(&path, None) {
            let _ = ledger.overview();
            let _ = ledger.release(1);
            drop(ledger.verify(None));
        }
    }
    files::write_bytes(&path, &sound[..sound.len() / 2]).unwrap();
    let verdict = Ledger::open(&path, None).and_then(|ledger| ledger.verify(None));
    assert!(verdict.is_err() || !verdict.unwrap().holds);
}

#[test]
fn released_files_that_differ_are_a_fault_and_those_that_are_gone_a_remark() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let file = desk.path("release/release.csv");
    files::remove(&file).unwrap();
    let answer = desk.read().verify(None).unwrap();
    assert!(answer.holds && answer.remarks.len() == 1, "{answer:?}");
    files::write_bytes(&file, b"something else").unwrap();
    let answer = desk.read().verify(None).unwrap();
    assert!(
        answer.faults[0]
            .what
            .ends_with("is not the file that was released"),
        "{answer:?}"
    );
    assert_eq!(answer.faults[0].release, Some(1));
}

#[test]
fn files_that_got_lost_on_the_way_are_never_guessed_around() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    desk.publish(&SECOND);
    // As if the run had been killed after the commit, and somebody had removed the hidden folder.
    forge(&desk, "DELETE FROM done WHERE release = 2");
    assert_eq!(faults(&desk), []);
    files::write_bytes(&desk.path("release/release.csv"), b"other").unwrap();
    assert!(
        faults(&desk)[0]
            .what
            .ends_with("is neither in place nor waiting for it")
    );
    let error = desk.open().unwrap_err();
    assert!(error.to_string().contains("nowhere to be found"), "{error}");
    let (path, key) = (desk.path("ledger.sqlite"), desk.path("ledger.key"));
    let ledger = Ledger::open_and_recover(&path, &key, true, Duration::ZERO, &mut |_| {}).unwrap();
    assert!(
        ledger.remarks()[0].contains("the loss was accepted"),
        "{ledger:?}"
    );
    assert_eq!(ledger.overview().unwrap().releases[1].state, "lost");
    let history = ledger
        .history(&["Eve Brook"], "disease", &|_| true)
        .unwrap();
    assert_eq!(history.of_person[0].len(), 1, "it goes on counting");
    drop(ledger);
    desk.publish(&FIRST);
    assert_eq!(faults(&desk), []);
}

#[test]
fn a_folder_in_the_way_is_told_before_anything_is_recorded() {
    let desk = Desk::new();
    files::create_dir(&desk.path("release/manifest.json")).unwrap();
    let mut ledger = desk.open().unwrap();
    let error = desk.append(&mut ledger, &FIRST).unwrap_err();
    assert!(
        error.to_string().contains("a folder stands where"),
        "{error}"
    );
    assert!(ledger.overview().unwrap().releases.is_empty());
    assert_eq!(desk.entries("release"), ["manifest.json"]);
}

#[test]
fn another_ledgers_waiting_files_are_not_swept() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let dir = desk.path("release");
    for (folder, owner) in [(".scrim-0-a", Some("another ledger")), (".scrim-0-b", None)] {
        files::create_dir(&dir.join(folder)).unwrap();
        if let Some(owner) = owner {
            files::write_bytes(&dir.join(folder).join(".ledger"), owner.as_bytes()).unwrap();
        }
    }
    let ledger = desk.open().unwrap();
    assert!(
        ledger.remarks()[0].contains("1 unfinished folder removed"),
        "{ledger:?}"
    );
    assert_eq!(
        desk.entries("release"),
        [".scrim-0-a", "manifest.json", "release.csv"]
    );
}
