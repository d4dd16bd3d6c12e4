//! Texts that a spreadsheet would run.
//!
//! **Reading.** A spreadsheet that opens a CSV file takes a cell that begins with `=`, `+`, `-`, `@`, a tab or CR for a formula; numbers
//! such as `-5` are none. A guarded text has an apostrophe before it, which spreadsheets take for "this is text". Texts that begin with
//! apostrophes before such a character get one more, so that every guarded text has one text that it came from.

/// Whether a spreadsheet would run a text.
#[must_use]
pub fn is_formula(text: &str) -> bool {
    begins_formula(text) && !is_number(text)
}

/// A text with an apostrophe before it, where it needs one.
#[must_use]
pub fn guarded(text: &str) -> Option<String> {
    let bare = text.trim_start_matches('\'');
    let needs = is_formula(text) || (bare.len() < text.len() && begins_formula(bare));
    needs.then(|| format!("'{text}"))
}

/// What a guarded text came from; nothing where a text is not guarded.
#[must_use]
pub fn unguarded(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('\'')?;
    begins_formula(rest.trim_start_matches('\'')).then_some(rest)
}

fn begins_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// A sign, digits with points or commas, and perhaps an exponent.
fn is_number(text: &str) -> bool {
    let Some(digits) = text.strip_prefix(['+', '-']) else {
        return false;
    };
    let (digits, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && is_digits(&digits.replace(['.', ','], ""))
        && is_digits(exponent)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_known_by_their_first_character_and_numbers_are_none() {
        for text in [
            "=1", "+1+1", "-a", "@x", "\tx", "\r", "-", "-5--1", "-inf", "-1e", "+.", "=-5",
        ] {
            assert!(is_formula(text), "{text:?}");
        }
        for text in [
            "", "a", "-5", "+5.25", "-1,5", "-1.234,5", "-1e-7", "1=1", " =1", "'=1", "[-5,0)",
        ] {
            assert!(!is_formula(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_guarded_is_no_formula_and_comes_back(text in "['=+@a0-]{0,5}") {
            let written = guarded(&text).unwrap_or_else(|| text.clone());
            prop_assert!(!is_formula(&written));
            prop_assert_eq!(unguarded(&written).unwrap_or(&written), text);
        }
    }
}
