//! SHA-256 of what flows by, so that a file is hashed while it is read and never read twice.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(digest: &[u8]) -> String {
    digest
        .iter()
        .fold(String::with_capacity(2 * digest.len()), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a string cannot fail");
            text
        })
}

/// A reader that counts and hashes the bytes that pass.
pub(crate) struct Hashing<T> {
    inner: T,
    digest: Sha256,
    bytes: u64,
}

impl<T> Hashing<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self {
            inner,
            digest: Sha256::new(),
            bytes: 0,
        }
    }

    /// How many bytes have passed so far.
    pub(crate) fn passed(&self) -> u64 {
        self.bytes
    }

    /// The digest of all bytes so far, in hexadecimal.
    pub(crate) fn hex(&self) -> String {
        hex(&self.digest.clone().finalize())
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.pass(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_digest_is_that_of_the_standard() {
        assert_eq!(sha256(b"abc"), ABC);
    }

    #[test]
    fn what_passes_is_hashed_and_counted() {
        let mut reader = Hashing::new((&b"a"[..]).chain(&b"bc"[..]));
        io::copy(&mut reader, &mut io::sink()).unwrap();
        assert_eq!((reader.hex(), reader.passed()), (ABC.to_owned(), 3));
    }
}
