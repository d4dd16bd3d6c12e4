//! Two publishers at one ledger by other ways than its lock, and ledgers that lead astray.

use super::damage::forge;
use super::*;
use crate::ledger::chain::{ReleaseRow, digest};

#[test]
#[cfg(unix)]
fn a_link_to_a_ledger_has_the_lock_of_the_ledger_and_its_paths() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    files::create_dir(&desk.path("elsewhere")).unwrap();
    let link = desk.path("elsewhere/link.sqlite");
    std::os::unix::fs::symlink(desk.path("ledger.sqlite"), &link).unwrap();
    let by_link =
        || Ledger::open_or_create(&link, &desk.path("ledger.key"), Duration::ZERO, &mut |_| {});
    let held = desk.open().unwrap();
    let error = by_link().unwrap_err();
    assert!(
        error.to_string().contains("another publisher is at work"),
        "{error}"
    );
    drop(held);
    let mut ledger = by_link().unwrap();
    desk.append(&mut ledger, &SECOND).unwrap().commit().unwrap();
    drop(ledger);
    let answer = desk.read().verify(None).unwrap();
    assert!(answer.holds && answer.remarks.is_empty(), "{answer:?}");
    assert_eq!(desk.entries("elsewhere"), ["link.sqlite"]);
    // A link that leads nowhere is not taken for a ledger that is to be made.
    let lost = desk.path("lost.sqlite");
    std::os::unix::fs::symlink(desk.path("nowhere"), &lost).unwrap();
    assert!(
        Ledger::open_or_create(&lost, &desk.path("lost.key"), Duration::ZERO, &mut |_| {}).is_err()
    );
}

#[test]
fn a_publisher_without_the_lock_does_not_record_past_another() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let mut first = desk.open().unwrap();
    files::remove(&desk.path("ledger.sqlite.lock")).unwrap();
    let mut second = desk.open().unwrap();
    desk.append(&mut second, &SECOND).unwrap().commit().unwrap();
    let error = desk.append(&mut first, &FIRST).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("somebody else published meanwhile"),
        "{error}"
    );
    // What the second itself recorded is no reason to refuse.
    desk.append(&mut second, &FIRST).unwrap().commit().unwrap();
    let answer = desk.read().verify(None).unwrap();
    assert!(answer.holds, "{answer:?}");
    assert_eq!(answer.releases, 3);
}

#[test]
fn a_broken_chain_is_noticed_before_anything_is_published_or_moved() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    desk.publish(&SECOND);
    drop(desk.open().unwrap());
    forge(
        &desk,
        "UPDATE membership SET class = 2 WHERE release = 1 AND person = 1",
    );
    let error = desk.open().unwrap_err();
    assert!(
        error.to_string().contains("release 1: the chain breaks"),
        "{error}"
    );
    forge(
        &desk,
        "UPDATE membership SET class = 1 WHERE release = 1 AND person = 1",
    );
    drop(desk.open().unwrap());
}

#[test]
fn a_note_of_another_state_or_key_does_not_pass_for_a_check() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let note = desk.path("ledger.sqlite.verified");
    let before = files::read_bytes(&note).unwrap();
    forge(
        &desk,
        "UPDATE histogram SET value = 'cold' WHERE value = 'hiv'",
    );
    for text in [&before[..], b"", b"0"] {
        files::write_bytes(&note, text).unwrap();
        assert!(desk.open().is_err());
    }
}

#[test]
fn the_chain_is_not_read_again_where_nobody_touched_the_file() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let ledger = desk.open().unwrap();
    let noted = files::read_text(&desk.path("ledger.sqlite.verified")).unwrap();
    drop(ledger);
    drop(desk.open().unwrap());
    assert_eq!(
        files::read_text(&desk.path("ledger.sqlite.verified")).unwrap(),
        noted
    );
}

/// Computes the hash of the last release anew, as one who may write the file can.
fn made_anew(desk: &Desk) {
    let raw = desk.raw();
    let row = raw.query_row(
        "SELECT * FROM releases WHERE number = 1",
        [],
        ReleaseRow::read,
    );
    let hash = digest(&raw, &row.unwrap(), 0).unwrap();
    drop(raw);
    let hash = crate::digest::hex(&hash);
    forge(
        desk,
        &format!("UPDATE releases SET hash = x'{hash}' WHERE number = 1"),
    );
}

#[test]
fn a_forged_row_removes_no_file_elsewhere() {
    for anew in [false, true] {
        for forged in [
            "/precious",
            "precious",
            "release/../precious",
            "other/precious",
        ] {
            let desk = Desk::new();
            desk.publish(&FIRST);
            files::create_dir(&desk.path("other")).unwrap();
            let path = if forged.starts_with('/') {
                desk.path("precious").display().to_string()
            } else {
                forged.to_owned()
            };
            for file in ["precious", "other/precious"] {
                files::write_bytes(&desk.path(file), b"x").unwrap();
            }
            forge(
                &desk,
                &format!("INSERT INTO outdated VALUES (1, '{path}'); DELETE FROM done;"),
            );
            if anew {
                made_anew(&desk);
            }
            let error = desk.open().unwrap_err().to_string();
            let words = if anew {
                "in no folder of the release"
            } else {
                "the chain breaks"
            };
            assert!(error.contains(words), "{error}");
            assert!(files::exists(&desk.path("precious")), "{forged}");
            assert!(files::exists(&desk.path("other/precious")), "{forged}");
        }
    }
    // Beside the release, where no publisher of this ledger was interrupted.
    let desk = Desk::new();
    desk.publish(&FIRST);
    files::write_bytes(&desk.path("release/precious"), b"x").unwrap();
    forge(
        &desk,
        "INSERT INTO outdated VALUES (1, 'release/precious'); DELETE FROM done;",
    );
    made_anew(&desk);
    drop(desk.open().unwrap());
    assert!(files::exists(&desk.path("release/precious")));
}

#[test]
fn a_ledger_is_not_its_own_key() {
    let desk = Desk::new();
    let path = desk.path("ledger.sqlite");
    let error = Ledger::open_or_create(&path, &path, Duration::ZERO, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("are one file"), "{error}");
}
