//! What values look like: signs by which a column is recognised whatever its name.

use super::icd;
use super::topic::Topic;
use super::values::Values;

/// What a value that looks so is about.
type Look = (Topic, fn(&str) -> bool);

/// What most values of a column are, where their looks tell it.
pub(super) fn topic(values: &Values<'_>) -> Option<Topic> {
    let looks: [Look; 6] = [
        (Topic::Email, is_email),
        (Topic::Web, is_web),
        (Topic::Internet, is_internet),
        (Topic::SocialSecurity, is_social_security),
        (Topic::OtherId, is_uuid),
        (Topic::Phone, is_phone),
    ];
    let found = looks
        .into_iter()
        .find(|(_, is_such)| values.mostly(80, is_such));
    let dotted = || values.mostly(30, |text| text.as_bytes().get(3) == Some(&b'.'));
    let found = found.map(|(topic, _)| topic);
    found.or_else(|| {
        let icd = values.distinct() >= 3 && values.mostly(90, icd::is_tenth) && dotted();
        let illness = values.distinct() >= 5 && values.mostly(30, names_an_illness);
        (icd || illness).then_some(Topic::Diagnosis)
    })
}

/// Whether a text has a word that stands for an illness, in English as in the Latin that many languages share.
fn names_an_illness(text: &str) -> bool {
    const PARTS: [&str; 18] = [
        "disorder",
        "disease",
        "syndrome",
        "infection",
        "fracture",
        "injury",
        "cancer",
        "carcinoma",
        "diabetes",
        "hypertens",
        "asthma",
        "anemia",
        "itis",
        "opathy",
        "neoplasm",
        "sprain",
        "laceration",
        "pneumonia",
    ];
    let text = text.to_lowercase();
    PARTS.iter().any(|part| text.contains(part))
}

/// How many words a text has.
pub(super) fn words_in(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A short text of letters, digits and marks, with at least one digit.
pub(super) fn is_code(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._/#".contains(c);
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && text.len() <= 40 && text.chars().all(fits)
}

/// One of two answers.
pub(super) fn is_yes_or_no(text: &str) -> bool {
    const WORDS: [&str; 18] = [
        "yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "ja", "nein", "oui", "non",
        "si", "sí", "positive", "negative",
    ];
    WORDS.contains(&text.trim().to_lowercase().as_str())
}

pub(super) fn is_email(text: &str) -> bool {
    let parts = text.trim().split_once('@');
    parts.is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains(['@', ' '])
    })
}

fn is_web(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    ["http://", "https://", "ftp://", "www."]
        .iter()
        .any(|start| text.starts_with(start))
}

fn is_internet(text: &str) -> bool {
    text.trim().parse::<std::net::IpAddr>().is_ok()
}

fn is_social_security(text: &str) -> bool {
    matches_shape(text, "999-99-9999")
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.trim().split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let hexadecimal = |group: &&str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    lengths == [8, 4, 4, 4, 12] && groups.iter().all(hexadecimal)
}

/// Seven to fifteen digits in groups: a plus in front, or at least two groups parted by what parts telephone numbers.
fn is_phone(text: &str) -> bool {
    let text = text.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let fits = text
        .chars()
        .all(|c| c.is_ascii_digit() || "+()-./ ".contains(c));
    let groups = text.split(|c: char| !c.is_ascii_digit());
    let groups: Vec<usize> = groups.map(str::len).filter(|length| *length > 0).collect();
    // Dates have a year among three groups; amounts have two groups and a point.
    let date = groups.len() == 3 && digits <= 8;
    let parted =
        text.starts_with(['+', '(']) || groups.len() >= 2 && text.contains(['-', ' ', '/']);
    fits && (7..=15).contains(&digits) && parted && !date && !text.starts_with('-')
}

/// Whether a text has the digits and marks of a pattern.
fn matches_shape(text: &str, pattern: &str) -> bool {
    let text = text.trim();
    let fits = |(own, wanted): (u8, u8)| match wanted {
        b'9' => own.is_ascii_digit(),
        mark => own == mark,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_looks_of_identifiers() {
        assert!(is_email("a.b@example.org") && !is_email("a@b") && !is_email("@x.y"));
        assert!(is_web("https://example.org") && !is_web("httpd"));
        assert!(is_internet("10.0.0.1") && is_internet("::1") && !is_internet("10.0.0"));
        assert!(is_social_security("123-45-6789") && !is_social_security("123-456-789"));
        assert!(is_uuid("123e4567-e89b-12d3-a456-426614174000") && !is_uuid("123e4567"));
        assert!(
            is_phone("+49 30 1234567") && is_phone("(555) 123-4567") && is_phone("555-123-4567")
        );
    }

    #[test]
    fn dates_amounts_and_numbers_are_no_telephone() {
        for text in [
            "2024-03-31",
            "31/12/2024",
            "1234567",
            "-1234567",
            "12345.67",
            "10 20",
        ] {
            assert!(!is_phone(text), "{text}");
        }
    }
}
