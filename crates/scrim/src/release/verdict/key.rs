//! A column that is not published and looks like the key of a person, although the policy knows no persons.
//!
//! **Definition.** A column looks like a repeating key where at least one row in twenty repeats a value of an earlier row, the number of
//! its values is at least the square root of the number of rows, and it looks like a key: every value has a digit, or its name has one of
//! a few words for persons or keys. Missing values are left out of all of this.
//! **Reading.** Names of people repeat too, but have no digits; a code of a ward has few values. The rule is a guess, and the concern
//! says so ("looks like").

use crate::table::Column;

/// A column that looks like a person's key, with rows that share a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatingKey {
    /// The column.
    pub column: String,
    /// Its rows with a value.
    pub rows: u64,
    /// Its different values.
    pub values: u64,
}

/// Words that name persons and their keys, in lower case.
const WORDS: [&str; 10] = [
    "patient", "person", "subject", "member", "insur", "mrn", "ssn", "uuid", "client", "student",
];

impl RepeatingKey {
    /// The column, where it looks like a repeating key.
    #[must_use]
    pub fn of(column: &Column) -> Option<Self> {
        let dictionary = column.dictionary();
        let counts = column.counts();
        let (mut rows, mut values, mut has_digits) = (0u64, 0u64, true);
        for ((code, text), count) in (0..).zip(dictionary.texts()).zip(counts) {
            if count > 0 && Some(code) != dictionary.missing() {
                rows += count;
                values += 1;
                has_digits &= text.bytes().any(|byte| byte.is_ascii_digit());
            }
        }
        let name = column.name().to_lowercase();
        let is_key = has_digits || WORDS.iter().any(|word| name.contains(word));
        let repeats = rows > values && (rows - values) * 20 >= rows;
        let is_fine = u128::from(values) * u128::from(values) >= u128::from(rows);
        (is_key && repeats && is_fine).then(|| Self {
            column: column.name().to_owned(),
            rows,
            values,
        })
    }
}
