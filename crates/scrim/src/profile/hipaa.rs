//! The identifiers that HIPAA's Safe Harbor wants gone: 45 CFR 164.514(b)(2)(i), (A) to (R).
//!
//! **Reading.** The words are ours, and short: the law has the exceptions. A release by a policy of Scrim is not thereby Safe Harbor: it
//! generalizes where Safe Harbor removes, and Safe Harbor knows no promise about who looks alike.

/// One of the eighteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hipaa {
    letter: char,
    words: &'static str,
}

const ALL: [(char, &str); 18] = [
    ('A', "names"),
    (
        'B',
        "places smaller than a state, postal codes too, but for three digits of populous areas",
    ),
    (
        'C',
        "dates of a person other than the year, and ages above 89",
    ),
    ('D', "telephone numbers"),
    ('E', "fax numbers"),
    ('F', "e-mail addresses"),
    ('G', "social security numbers"),
    ('H', "medical record numbers"),
    ('I', "health plan numbers"),
    ('J', "account numbers"),
    ('K', "certificate and license numbers"),
    ('L', "vehicle identifiers and plates"),
    ('M', "device identifiers"),
    ('N', "web addresses"),
    ('O', "internet addresses"),
    ('P', "biometric identifiers"),
    ('Q', "photographs of faces"),
    ('R', "any other identifying number or code"),
];

impl Hipaa {
    /// The one of this letter.
    pub fn of(letter: char) -> Option<Self> {
        let found = ALL.iter().find(|(own, _)| *own == letter);
        found.map(|&(letter, words)| Self { letter, words })
    }

    /// Its letter in the law, from A to R.
    pub fn letter(self) -> char {
        self.letter
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        self.words
    }
}

impl std::fmt::Display for Hipaa {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}) {}", self.letter, self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_eighteen_from_a_to_r() {
        assert!(('A'..='R').all(|letter| Hipaa::of(letter).is_some()));
        assert_eq!(Hipaa::of('S'), None);
    }
}
