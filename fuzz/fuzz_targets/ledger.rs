//! Damaged ledgers. Reading never changes the file, and a ledger that is sound by the hash that was noted down tells of the same classes
//! and persons as before the damage.
//!
//! The input is a list of changes to a sound ledger: three bytes of place and one of content each; or, where it begins like a database, the
//! file itself.
#![no_main]

use std::fs;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use scrim_fuzz::ledger::{Sound, sound, told};
use scrim_fuzz::{file, start};
use scrim_io::ledger::Ledger;

fuzz_target!(init: start(), |data: &[u8]| {
    static SOUND: OnceLock<Sound> = OnceLock::new();
    let sound = SOUND.get_or_init(sound);
    let bytes = if data.starts_with(b"SQLite format 3\0") { data.to_vec() } else { sound.changed(data) };
    let path = file("damaged.db", &bytes);
    let Ok(ledger) = Ledger::open(&path, None) else { return };
    if let Ok(verified) = ledger.verify(Some(&sound.head))
        && verified.holds
    {
        assert_eq!(told(&ledger), sound.told, "a change that verify does not see");
    }
    let _ = told(&ledger);
    if let Ok(overview) = ledger.overview() {
        for release in overview.releases.iter().take(4) {
            let _ = ledger.release(release.release);
            let _ = ledger.classes(release.release, "illness");
        }
    }
    let _ = (ledger.whole("illness", &|_| true).is_ok(), ledger.last_promise(None).is_ok());
    drop(ledger);
    assert!(fs::read(&path).is_ok_and(|now| now == bytes), "reading changed the ledger");
});
