//! Codes of diagnoses (ICD-9-CM, ICD-10 and ICD-10-CM): category and chapter from the code alone.
//!
//! **Reading.** A code of ICD-10 is a letter, two digits, and up to four more after an optional point, or one of the few categories
//! that have another letter; one of ICD-9 three digits, or V and two digits, or E and three, with up to two more after the
//! point. The category is what stands before the point. Names of chapters are ours, and short. What fits no chapter is `other`.

/// The chapters by the first three characters, both ends within: those of ICD-10-CM (2026), as far as the World Health
/// Organization's reach where these go further (E90, F00, T89 to T98).
const TENTH: [(&str, &str, &str); 22] = [
    ("A00", "B99", "infections"),
    ("C00", "D49", "neoplasms"),
    ("D50", "D89", "blood and immunity"),
    ("E00", "E90", "hormones, nutrition, metabolism"),
    ("F00", "F99", "mind and behaviour"),
    ("G00", "G99", "nerves"),
    ("H00", "H59", "eye"),
    ("H60", "H95", "ear"),
    ("I00", "I99", "circulation"),
    ("J00", "J99", "breathing"),
    ("K00", "K95", "digestion"),
    ("L00", "L99", "skin"),
    ("M00", "M99", "muscles and bones"),
    ("N00", "N99", "kidneys and genitals"),
    ("O00", "O9A", "pregnancy and childbirth"),
    ("P00", "P96", "around birth"),
    ("Q00", "QA0", "malformations"),
    ("R00", "R99", "symptoms and findings"),
    ("S00", "T98", "injuries and poisonings"),
    ("U00", "U85", "special purposes"),
    ("V00", "Y99", "external causes"),
    ("Z00", "Z99", "contact with health care"),
];

/// The categories of ICD-10-CM (2026) that have a second letter; else many plate numbers would be codes.
const LETTERED: [&str; 11] = [
    "C4A", "C7A", "C7B", "D3A", "I1A", "I5A", "J4A", "M1A", "O9A", "QA0", "Z3A",
];

/// The chapters of ICD-9-CM by their first and last categories.
const NINTH: [(u16, u16, &str); 17] = [
    (1, 139, "infections"),
    (140, 239, "neoplasms"),
    (240, 279, "hormones, nutrition, metabolism, immunity"),
    (280, 289, "blood"),
    (290, 319, "mind and behaviour"),
    (320, 389, "nerves and senses"),
    (390, 459, "circulation"),
    (460, 519, "breathing"),
    (520, 579, "digestion"),
    (580, 629, "kidneys and genitals"),
    (630, 679, "pregnancy and childbirth"),
    (680, 709, "skin"),
    (710, 739, "muscles and bones"),
    (740, 759, "malformations"),
    (760, 779, "around birth"),
    (780, 799, "symptoms and findings"),
    (800, 999, "injuries and poisonings"),
];

/// Whether a text has the form of a code of ICD-10.
pub(super) fn is_tenth(text: &str) -> bool {
    tenth(text).is_some()
}

/// Whether a text has the form of a code of ICD-9. Numbers below 100 may have lost their zeros.
pub(super) fn is_ninth(text: &str) -> bool {
    ninth(text).is_some()
}

/// Category and chapter of a code of ICD-10.
pub(super) fn tenth(text: &str) -> Option<(String, &'static str)> {
    let code = text.trim().to_ascii_uppercase();
    let (head, rest) = code.split_at_checked(3)?;
    let bytes = head.as_bytes();
    let fits = bytes[0].is_ascii_uppercase()
        && (bytes[1..].iter().all(u8::is_ascii_digit) || LETTERED.contains(&head));
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    let tail = rest.len() <= 4 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let chapter = TENTH
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&head))
        .map_or("other", |(_, _, name)| *name);
    (fits && tail).then(|| (head.to_owned(), chapter))
}

/// Category and chapter of a code of ICD-9.
pub(super) fn ninth(text: &str) -> Option<(String, &'static str)> {
    let code = text.trim().to_ascii_uppercase();
    let (head, rest) = code.split_once('.').unwrap_or((&code, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(rest) || rest.len() > 2 {
        return None;
    }
    if let Some(number) = head.strip_prefix('V') {
        return (number.len() == 2 && digits(number))
            .then(|| (head.to_owned(), "contact with health care"));
    }
    if let Some(number) = head.strip_prefix('E') {
        return (number.len() == 3 && digits(number)).then(|| (head.to_owned(), "external causes"));
    }
    if head.is_empty() || head.len() > 3 || !digits(head) {
        return None;
    }
    let number: u16 = head.parse().ok()?;
    let chapter = NINTH
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&number))
        .map_or("other", |(_, _, name)| *name);
    Some((format!("{number:03}"), chapter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_find_their_chapters() {
        assert_eq!(tenth("j45.909"), Some(("J45".to_owned(), "breathing")));
        assert_eq!(tenth("D49"), Some(("D49".to_owned(), "neoplasms")));
        assert_eq!(
            tenth("D500"),
            Some(("D50".to_owned(), "blood and immunity"))
        );
        assert_eq!(
            tenth("O9A.1"),
            Some(("O9A".to_owned(), "pregnancy and childbirth"))
        );
        assert_eq!(tenth("T99"), Some(("T99".to_owned(), "other")));
        for (code, chapter) in [
            ("E90", "hormones, nutrition, metabolism"),
            ("F00.1", "mind and behaviour"),
            ("I1A.0", "circulation"),
            ("J4A", "breathing"),
            ("QA0.8", "malformations"),
            ("T98.3", "injuries and poisonings"),
            ("Z3A.20", "contact with health care"),
        ] {
            assert_eq!(tenth(code).map(|found| found.1), Some(chapter), "{code}");
        }
        assert_eq!(
            ninth("250.83"),
            Some((
                "250".to_owned(),
                "hormones, nutrition, metabolism, immunity"
            ))
        );
        assert_eq!(ninth("8"), Some(("008".to_owned(), "infections")));
        assert_eq!(
            ninth("V57"),
            Some(("V57".to_owned(), "contact with health care"))
        );
        assert_eq!(
            ninth("E909.1"),
            Some(("E909".to_owned(), "external causes"))
        );
    }

    #[test]
    fn other_texts_are_no_codes() {
        for text in [
            "",
            "A",
            "ü12",
            "AB1",
            "A12.12345",
            "A1-",
            "West 1",
            "C1A",
            "B2Z",
        ] {
            assert_eq!(tenth(text), None, "{text}");
        }
        for text in ["", "1234", "1.234", "V1", "E12", "-1", "flu"] {
            assert_eq!(ninth(text), None, "{text}");
        }
    }

    #[test]
    fn chapters_stand_in_order_and_do_not_overlap() {
        assert!(TENTH.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(NINTH.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
    }
}
