//! Keys that fit, do not, are lost, or can be read by others.

use super::*;

#[test]
fn a_ledger_and_its_key_are_made_for_their_owner_only() {
    let desk = Desk::new();
    assert!(desk.open().unwrap().remarks().is_empty());
    let names = [
        "ledger.key",
        "ledger.sqlite",
        "ledger.sqlite.lock",
        "ledger.sqlite.verified",
    ];
    assert_eq!(desk.entries(""), names);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for name in ["ledger.key", "ledger.sqlite"] {
            assert!(!files::open_to_others(&desk.path(name)), "{name}");
        }
        let open = std::fs::Permissions::from_mode(0o640);
        std::fs::set_permissions(desk.path("ledger.key"), open).unwrap();
        let ledger = desk.open().unwrap();
        assert!(
            ledger.remarks()[0].contains("can be read by others"),
            "{ledger:?}"
        );
    }
}

#[test]
fn a_lost_key_is_recognised_and_never_replaced() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    files::remove(&desk.path("ledger.key")).unwrap();
    let error = desk.open().unwrap_err();
    assert!(error.to_string().contains("is not there"), "{error}");
    assert!(error.hint().unwrap().contains("backup"));
    assert!(!files::exists(&desk.path("ledger.key")));
    // What needs no key still works.
    let ledger = Ledger::open(&desk.path("ledger.sqlite"), None).unwrap();
    assert!(ledger.verify(None).unwrap().holds);
    assert!(
        ledger
            .history(&["Ada Quill"], "disease", &|_| true)
            .is_err()
    );
}

#[test]
fn a_wrong_key_is_recognised() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let key = desk.path("ledger.key");
    let right = files::read_text(&key).unwrap();
    for (text, said) in [
        ("0".repeat(64) + "\n", "is not the key of this ledger"),
        (right[..60].to_owned(), "this is no key of a ledger"),
        (String::new(), "this is no key of a ledger"),
    ] {
        files::write_bytes(&key, text.as_bytes()).unwrap();
        let error = desk.open().unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(files::read_text(&key).unwrap(), text);
        assert!(Ledger::open(&desk.path("ledger.sqlite"), Some(&key)).is_err());
    }
    files::write_bytes(&key, right.trim_end().as_bytes()).unwrap();
    assert!(desk.open().is_ok());
}

#[test]
fn a_key_without_its_ledger_starts_no_new_one() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    files::remove(&desk.path("ledger.sqlite")).unwrap();
    let error = desk.open().unwrap_err();
    assert!(error.to_string().contains("its key is"), "{error}");
    assert!(!files::exists(&desk.path("ledger.sqlite")));
}

#[test]
fn a_ledger_whose_making_was_interrupted_is_made_again() {
    let desk = Desk::new();
    drop(desk.open().unwrap());
    // As after a crash between the two renames.
    files::remove(&desk.path("ledger.key")).unwrap();
    files::write_bytes(&desk.path(".ledger.key.new"), b"left").unwrap();
    files::write_bytes(&desk.path(".ledger.sqlite.new"), b"left").unwrap();
    desk.publish(&FIRST);
    assert!(desk.read().verify(None).unwrap().holds);
    let names = [
        "ledger.key",
        "ledger.sqlite",
        "ledger.sqlite.lock",
        "ledger.sqlite.verified",
        "release",
    ];
    assert_eq!(desk.entries(""), names);
}

#[test]
fn a_file_that_is_no_ledger_is_left_alone() {
    let desk = Desk::new();
    drop(desk.open().unwrap());
    let other = Connection::open(desk.path("other.sqlite")).unwrap();
    other.execute_batch("CREATE TABLE a (b)").unwrap();
    drop(other);
    files::write_bytes(
        &desk.path("text.sqlite"),
        b"no database at all, but long enough to look",
    )
    .unwrap();
    files::write_bytes(&desk.path("empty.sqlite"), b"").unwrap();
    for name in ["other.sqlite", "text.sqlite", "empty.sqlite"] {
        let path = desk.path(name);
        let before = files::read_bytes(&path).unwrap();
        for key in ["ledger.key", "none.key"] {
            let opened =
                Ledger::open_or_create(&path, &desk.path(key), Duration::ZERO, &mut |_| {});
            let error = opened.unwrap_err().to_string();
            assert!(
                error.contains("this is no ledger of Scrim"),
                "{name}: {error}"
            );
        }
        assert_eq!(files::read_bytes(&path).unwrap(), before);
    }
    desk.raw().pragma_update(None, "user_version", 3).unwrap();
    let error = desk.open().unwrap_err();
    assert!(error.to_string().contains("version 3"), "{error}");
    let none = Ledger::open(&desk.path("none.sqlite"), None).unwrap_err();
    assert!(
        none.to_string().contains("there is no ledger here"),
        "{none}"
    );
}
