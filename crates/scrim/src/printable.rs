//! Texts of others, made safe to print.
//!
//! A header, a cell, a label or a path may hold characters that a terminal obeys (escape sequences), that forge a line of output
//! (line ends), or that show other text than there is (marks of direction, characters without width). They are shown escaped.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character does something else than be seen.
#[must_use]
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' // Arabic letter mark
            | '\u{200b}' | '\u{200e}' | '\u{200f}' // no width; left-to-right and right-to-left marks
            | '\u{2028}'..='\u{202e}' // separators of lines, embeddings and overrides of direction
            | '\u{2060}'..='\u{206f}' // invisible operators, isolates of direction, deprecated controls
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' // byte order mark, annotations
            | '\u{e0000}'..='\u{e007f}') // tags
}

/// A text of others as one line: every character that is not seen is escaped, line ends too.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_unprintable)
}

/// A text of our own, which may quote others: its line ends stay.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| {
        character != '\n' && is_unprintable(character)
    })
}

/// A JSON text with such characters, which can only be in its strings, in JSON's own escapes.
#[must_use]
pub fn printable_json(text: &str) -> Cow<'_, str> {
    let is_special = |character| character != '\n' && is_unprintable(character);
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_special(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

fn escaped(text: &str, is_special: impl Fn(char) -> bool + Copy) -> Cow<'_, str> {
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_special(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_escaped_and_the_rest_stays() {
        assert_eq!(
            printable("a\x1b[31mb\u{202e}c\r\n\u{9b}d\u{200f}"),
            "a\\u{1b}[31mb\\u{202e}c\\r\\n\\u{9b}d\\u{200f}"
        );
        // Letters of any script, joiners that scripts need, and emoji are seen.
        for text in [
            "Müller",
            "שלום",
            "می\u{200c}خواهم",
            "日本",
            "👩\u{200d}⚕",
            "a\\b",
        ] {
            assert_eq!(printable(text), text);
        }
        assert_eq!(printable_lines("a\nb\tc\n"), "a\nb\\tc\n");
    }

    #[test]
    fn json_means_the_same_after_it() {
        let value = serde_json::json!({ "a\u{202e}": "\u{7f}\u{9b}\n\u{e0041}b" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = printable_json(&text);
        assert!(
            !shown.contains(|c| c != '\n' && is_unprintable(c)),
            "{shown}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            value
        );
    }
}
