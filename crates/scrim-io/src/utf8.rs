//! Where a text is not UTF-8, told so that it can be found in an editor.

use memchr::{memchr_iter, memrchr};
use scrim::Place;

use crate::error::IoError;

const HINT: &str = "is it Windows-1252 or Latin-1? save the file as UTF-8, or convert it: `iconv -f windows-1252 -t utf-8 FILE > NEW`";

/// The error for bytes that are not UTF-8, which begin at the start of a line, so many lines and bytes into the file.
pub(crate) fn fault(file: &str, bytes: &[u8], lines_before: u64, bytes_before: u64) -> IoError {
    let Err(error) = std::str::from_utf8(bytes) else {
        return IoError::internal("an encoding fault without a wrong byte");
    };
    let valid = &bytes[..error.valid_up_to()];
    let start = memrchr(b'\n', valid).map_or(0, |at| at + 1);
    // The valid part is UTF-8 and lines begin at character borders, so that each character has one leading byte.
    let characters = valid[start..]
        .iter()
        .filter(|byte| **byte & 0xc0 != 0x80)
        .count() as u64;
    let place = Place {
        file: file.to_owned(),
        line: Some(lines_before + memchr_iter(b'\n', valid).count() as u64 + 1),
        column: Some(characters + 1),
    };
    let what = format!(
        "this is not UTF-8 text (byte {} of the file)",
        bytes_before + valid.len() as u64 + 1
    );
    IoError::data(place, what, Some(HINT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_is_named_and_how_to_convert_the_file() {
        let error = fault("a.csv", b"a\nM\xfcller\n", 0, 0);
        assert_eq!(
            error.to_string(),
            "a.csv:2:2: this is not UTF-8 text (byte 4 of the file)"
        );
        assert!(error.hint().unwrap().contains("windows-1252"));
    }
}
