//! The key that persons are hidden under.
//!
//! **Reading.** 32 random bytes, written as 64 hexadecimal digits on one line of a file of its own, which only its owner
//! may read. A person is HMAC-SHA-256 of the identifier under it. The ledger keeps the HMAC of a fixed text, so that a
//! wrong key is recognised before it can make strangers of persons who are known.
//! **Does not protect against** one who has both files: he can ask for any identifier whether it is in the ledger.

use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::digest::hex;
use crate::error::IoError;
use crate::files;

/// A person in the ledger.
pub(super) type Hash = [u8; 32];

const CHECK: &[u8] = b"scrim ledger: is this the right key? 1";
/// Before every identifier, so that none has the hash of the fixed text.
const PERSON: &[u8] = b"person:";

/// Before every note.
const NOTE: &[u8] = b"note:";

/// The key of a ledger.
#[derive(Clone)]
pub(super) struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// A new key.
    pub(super) fn random() -> Result<Self, IoError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|_| IoError::internal("the system gives no random bytes for a key"))?;
        Ok(Self(bytes))
    }

    /// Reads a key file.
    pub(super) fn read(path: &Path) -> Result<Self, IoError> {
        let bytes = files::read_bytes(path)?;
        Self::parse(&bytes).ok_or_else(|| {
            IoError::ledger(
                path,
                "this is no key of a ledger: it must be 64 hexadecimal digits",
                "put the right key file back; a key cannot be made again from the ledger",
            )
        })
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.trim_end();
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The text of the key file.
    pub(super) fn text(&self) -> String {
        hex(&self.0) + "\n"
    }

    /// What the ledger keeps to recognise the key by.
    pub(super) fn check(&self) -> Hash {
        self.mac(&[CHECK])
    }

    /// Something that only one who has the key can have noted down.
    pub(super) fn note(&self, text: &str) -> Hash {
        self.mac(&[NOTE, text.as_bytes()])
    }

    /// A person as the ledger knows it.
    pub(super) fn person(&self, identifier: &str) -> Hash {
        self.mac(&[PERSON, identifier.as_bytes()])
    }

    fn mac(&self, parts: &[&[u8]]) -> Hash {
        // HMAC fills a short key up with zeros to the block of its hash; done here, it cannot fail.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_hmac_sha_256() {
        // Made with Python's `hmac` module.
        let key = Key([7; 32]);
        assert_eq!(hex(&key.person("Ada")), PYTHON);
        assert_ne!(key.person("Ada"), key.person("Bob"));
        assert_ne!(key.person("Ada"), Key([8; 32]).person("Ada"));
    }

    #[test]
    fn a_key_file_is_read_as_it_was_written() {
        let key = Key::random().unwrap();
        let read = Key::parse(key.text().as_bytes()).unwrap();
        assert_eq!(read.0, key.0);
        assert_ne!(Key::random().unwrap().0, key.0);
        assert!(!format!("{key:?}").contains(&key.text()[..8]));
        for bad in ["", "00", &"g".repeat(64), &"0".repeat(65), &"é".repeat(32)] {
            assert!(Key::parse(bad.as_bytes()).is_none(), "{bad}");
        }
    }

    const PYTHON: &str = "1fc216d228397fcddbab5815c7f0c209d4ba642c90b23129df37cc1ea4af38a2";
}
