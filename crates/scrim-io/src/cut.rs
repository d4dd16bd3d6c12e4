//! Cuts a text into pieces of whole records, which can then be read side by side.
//!
//! Where a text has no quote, every line end is the end of a record. Where it has one, records are walked over from
//! the start: whether a line end is text depends on all that stands before it.

use std::ops::Range;

use memchr::{memchr, memrchr};

use crate::field::{LONGEST, field};

/// Pieces of whole records.
pub(crate) struct Cut {
    pub(crate) pieces: Vec<Range<usize>>,
    /// Where the rest begins: a record that is not whole yet, with blank lines before it.
    pub(crate) rest: usize,
    /// Where a field begins that is too long to be believed.
    pub(crate) too_long: Option<usize>,
}

/// Cuts a buffer that begins with a record. At the end of the file nothing but blank lines is left over.
pub(crate) fn cut(buffer: &[u8], delimiter: u8, at_end: bool, size: usize) -> Cut {
    let has_quotes = memchr(b'"', buffer).is_some();
    let (mut ends, too_long) = if has_quotes {
        walk(buffer, delimiter, size)
    } else {
        (jump(buffer, size), None)
    };
    let rest = trim(
        buffer,
        if at_end {
            buffer.len()
        } else {
            ends.last().copied().unwrap_or(0)
        },
    );
    while ends.last().is_some_and(|end| *end >= rest) {
        ends.pop();
    }
    if rest > 0 {
        ends.push(rest);
    }
    let mut start = 0;
    let pieces = ends
        .into_iter()
        .map(|end| std::mem::replace(&mut start, end)..end)
        .collect();
    Cut {
        pieces,
        rest,
        too_long,
    }
}

/// Line ends about so far apart, the last one among them.
fn jump(buffer: &[u8], size: usize) -> Vec<usize> {
    let Some(last) = memrchr(b'\n', buffer) else {
        return Vec::new();
    };
    let mut ends = Vec::new();
    let mut at = size;
    while at < last {
        at += memchr(b'\n', &buffer[at..]).map_or(0, |length| length + 1);
        ends.push(at);
        at += size;
    }
    if ends.last() != Some(&(last + 1)) {
        ends.push(last + 1);
    }
    ends
}

/// Record ends about so far apart, the last one among them.
fn walk(buffer: &[u8], delimiter: u8, size: usize) -> (Vec<usize>, Option<usize>) {
    let mut ends = Vec::new();
    let mut scratch = Vec::new();
    let mut whole = 0;
    let mut start = 0;
    let mut at = 0;
    while at < buffer.len() {
        let Some(field) = field(buffer, at, delimiter, &mut scratch) else {
            let too_long = (buffer.len() - at > LONGEST).then_some(at);
            push(&mut ends, whole);
            return (ends, too_long);
        };
        if field.last && field.at_end {
            break;
        }
        at = field.next;
        if field.last {
            whole = at;
            if whole - start >= size {
                ends.push(whole);
                start = whole;
            }
        }
    }
    push(&mut ends, whole);
    (ends, None)
}

fn push(ends: &mut Vec<usize>, end: usize) {
    if end > 0 && ends.last() != Some(&end) {
        ends.push(end);
    }
}

/// Leaves off the blank lines at the end: whether they are the file's last is not known yet.
fn trim(buffer: &[u8], mut end: usize) -> usize {
    while end > 0 {
        let line = buffer[..end].strip_suffix(b"\n").unwrap_or(&buffer[..end]);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.last() {
            Some(byte) if *byte != b'\n' => break,
            _ => end = line.len(),
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, at_end: bool) -> (Vec<&str>, &str) {
        let cut = cut(text.as_bytes(), b',', at_end, 1);
        (
            cut.pieces.into_iter().map(|piece| &text[piece]).collect(),
            &text[cut.rest..],
        )
    }

    #[test]
    fn pieces_end_with_records() {
        assert_eq!(pieces("a,b\nc,d\ne", false), (vec!["a,b\n", "c,d\n"], "e"));
        assert_eq!(
            pieces("a,\"b\n\"\nc,d\n\"e\n", false),
            (vec!["a,\"b\n\"\n", "c,d\n"], "\"e\n")
        );
    }

    #[test]
    fn blank_lines_wait_for_what_follows() {
        assert_eq!(pieces("a\n\r\n\n", false), (vec!["a\n"], "\r\n\n"));
        assert_eq!(pieces("\n\n", false), (vec![], "\n\n"));
        assert_eq!(pieces("a\n\n\r", true), (vec!["a\n"], "\n\r"));
        assert_eq!(pieces("a\n\nb", true).0.concat(), "a\n\nb");
    }

    #[test]
    fn a_quote_that_nobody_closes_is_noticed_early() {
        let text = format!("a\n\"{}", "x".repeat(LONGEST + 1));
        assert_eq!(cut(text.as_bytes(), b',', false, 1).too_long, Some(2));
    }
}
