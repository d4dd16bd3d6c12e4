//! A sound ledger, and what one tells.

use scrim_io::ledger::Ledger;

use crate::file;

/// A ledger of three releases with pages of 512 bytes; `fuzz/seeds` makes it.
const FILE: &[u8] = include_bytes!("../ledger/sound.db");

/// A ledger that nobody changed.
pub struct Sound {
    bytes: &'static [u8],
    /// The hash of its last release, as its owner notes it down.
    pub head: String,
    /// What it tells.
    pub told: Option<String>,
}

/// Reads the sound ledger.
pub fn sound() -> Sound {
    let ledger = Ledger::open(&file("sound.db", FILE), None).expect("the ledger is sound");
    let verified = ledger.verify(None).expect("the ledger can be verified");
    assert!(verified.holds, "{:?}", verified.faults);
    Sound {
        bytes: FILE,
        head: verified.head.expect("there is a release"),
        told: Some(told(&ledger).expect("the ledger can be exported")),
    }
}

impl Sound {
    /// The file with changes: of each, three bytes say where and one says what.
    pub fn changed(&self, changes: &[u8]) -> Vec<u8> {
        let mut bytes = self.bytes.to_vec();
        for change in changes.chunks_exact(4) {
            let place = u32::from_be_bytes([0, change[0], change[1], change[2]]) as usize;
            let length = bytes.len();
            bytes[place % length] = change[3];
        }
        bytes
    }
}

/// All that an export of a ledger says; nothing where it cannot be read.
pub fn told(ledger: &Ledger) -> Option<String> {
    let mut out = Vec::new();
    ledger.export_json(&mut out).ok()?;
    String::from_utf8(out).ok()
}
