//! One field of a delimited text.
//!
//! **Reading.** A quote opens a quoted field only as the field's first byte; in it, two quotes are one, and line ends
//! and delimiters are text. Text between a closing quote and the next delimiter is a stray quote's doing: it is told,
//! because a quote that nobody meant can swallow whole rows into one cell. A line ends with LF or CR LF; a CR elsewhere is text. Spaces are text.

use std::ops::Range;

use memchr::{memchr, memchr2};

/// The longest field that is believed: a longer one is a quote that nobody closed.
pub(crate) const LONGEST: usize = 1 << 20;

/// Where the text of a field stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// In the buffer.
    Here(Range<usize>),
    /// In the scratch buffer, because quotes had to be taken out of its middle.
    Scratch,
}

/// One field and what follows it.
pub(crate) struct Field {
    pub(crate) text: Text,
    /// Where the next field begins.
    pub(crate) next: usize,
    /// Whether it is the last of its record.
    pub(crate) last: bool,
    /// Whether its record ends with the buffer and not with a line end.
    pub(crate) at_end: bool,
    /// Whether text follows its closing quote.
    pub(crate) stray: bool,
}

/// The field that begins here, or nothing when its closing quote is missing.
pub(crate) fn field(
    buffer: &[u8],
    start: usize,
    delimiter: u8,
    scratch: &mut Vec<u8>,
) -> Option<Field> {
    if buffer.get(start) == Some(&b'"') {
        quoted(buffer, start, delimiter, scratch)
    } else {
        Some(plain(buffer, start, delimiter))
    }
}

fn plain(buffer: &[u8], start: usize, delimiter: u8) -> Field {
    let end =
        memchr2(delimiter, b'\n', &buffer[start..]).map_or(buffer.len(), |length| start + length);
    let at_end = end == buffer.len();
    let last = at_end || buffer[end] == b'\n';
    let stop = if last && end > start && buffer[end - 1] == b'\r' {
        end - 1
    } else {
        end
    };
    Field {
        text: Text::Here(start..stop),
        next: if at_end { end } else { end + 1 },
        last,
        at_end,
        stray: false,
    }
}

fn quoted(buffer: &[u8], start: usize, delimiter: u8, scratch: &mut Vec<u8>) -> Option<Field> {
    let mut from = start + 1;
    let mut close = from + memchr(b'"', &buffer[from..])?;
    scratch.clear();
    while buffer.get(close + 1) == Some(&b'"') {
        scratch.extend_from_slice(&buffer[from..=close]);
        from = close + 2;
        close = from + memchr(b'"', &buffer[from..])?;
    }
    let rest = plain(buffer, close + 1, delimiter);
    let Text::Here(tail) = rest.text else {
        return None;
    };
    if scratch.is_empty() && tail.is_empty() {
        return Some(Field {
            text: Text::Here(from..close),
            ..rest
        });
    }
    scratch.extend_from_slice(&buffer[from..close]);
    scratch.extend_from_slice(&buffer[tail.clone()]);
    Some(Field {
        text: Text::Scratch,
        stray: !tail.is_empty(),
        ..rest
    })
}

/// Whether the line that begins here has nothing in it.
pub(crate) fn is_blank(buffer: &[u8], start: usize) -> bool {
    matches!(
        buffer[start..],
        [] | [b'\n', ..] | [b'\r'] | [b'\r', b'\n', ..]
    )
}

/// The fields of the record that begins here and where the next record begins; nothing when a quote is not closed.
pub(crate) fn record(
    buffer: &[u8],
    start: usize,
    delimiter: u8,
) -> Option<(Vec<Vec<u8>>, usize, bool)> {
    let mut fields = Vec::new();
    let mut scratch = Vec::new();
    let mut at = start;
    loop {
        let field = field(buffer, at, delimiter, &mut scratch)?;
        fields.push(match field.text {
            Text::Here(range) => buffer[range].to_vec(),
            Text::Scratch => scratch.clone(),
        });
        at = field.next;
        if field.last {
            return Some((fields, at, field.at_end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<String> {
        let (fields, ..) = record(text.as_bytes(), 0, b',').unwrap();
        fields
            .into_iter()
            .map(|field| String::from_utf8(field).unwrap())
            .collect()
    }

    #[test]
    fn quotes_protect_delimiters_line_ends_and_quotes() {
        assert_eq!(
            fields("a,\"b,\"\"c\"\"\r\n\",d\r\ne"),
            ["a", "b,\"c\"\r\n", "d"]
        );
        assert_eq!(fields("\"\",\"\"\"\"\n"), ["", "\""]);
    }

    #[test]
    fn a_quote_within_a_field_is_text() {
        assert_eq!(
            fields("5\" pipe, \"x\",\"y\"z\"\n"),
            ["5\" pipe", " \"x\"", "yz\""]
        );
    }

    #[test]
    fn a_delimiter_before_the_end_leaves_an_empty_field() {
        assert_eq!(fields("a,"), ["a", ""]);
        assert_eq!(fields("a,\r\n"), ["a", ""]);
    }

    #[test]
    fn an_open_quote_is_no_field() {
        assert!(record(b"a,\"b\nc", 0, b',').is_none());
        assert!(record(b"\"a\"\"", 0, b',').is_none());
    }
}
