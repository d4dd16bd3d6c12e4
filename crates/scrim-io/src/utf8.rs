//! Where a text is not UTF-8, told so that it can be found in an editor.

use memchr::{memchr_iter, memrchr};
use scrim::Place;

use crate::error::IoError;

const HINT: &str = "save the file as UTF-8, or convert it: `iconv -f latin1 -t utf-8 FILE > NEW`";
const UTF_16: &str = "this looks like UTF-16: save the file as UTF-8, or convert it: `iconv -f utf-16 -t utf-8 FILE > NEW`";

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
    let utf_16 =
        bytes_before == 0 && (bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff"));
    IoError::data(place, what, Some(if utf_16 { UTF_16 } else { HINT }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_recognized_by_its_mark() {
        let error = fault("a.csv", b"\xff\xfea\0", 0, 0);
        assert_eq!(
            error.to_string(),
            "a.csv:1:1: this is not UTF-8 text (byte 1 of the file)"
        );
        assert!(error.hint().unwrap().contains("UTF-16"));
    }
}
