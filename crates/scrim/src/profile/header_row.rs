//! Whether the names of a table's columns are names, or the first row of a file without a header.
//!
//! **Reading.** A name looks like a value where it is a date or an address of mail, where it is one of its column's values, or where it
//! has digits and the same shape as every value of its column. A number over numbers looks like one too, unless it continues
//! the number beside it, as years and days do (`2019,2020,2021`).

use super::content;
use super::kind::any_format;
use super::shape::shape;
use super::values::Values;
use crate::hierarchy::Decimal;

/// A name with fewer digits is not compared by its shape: `q1` is a name.
const FEWEST_DIGITS: usize = 3;

/// What the name of a column looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameIs {
    /// A name.
    Name,
    /// A number, over a column with something else.
    Number,
    /// A number, over a column of nothing but numbers.
    NumberOverNumbers,
    /// A value.
    Value,
}

impl NameIs {
    pub(super) fn of(name: &str, values: &Values<'_>) -> Self {
        let is_own = || values.texts.iter().any(|(text, _)| *text == name);
        if Decimal::parse(name).is_some() {
            let is_number = |(text, _): &(&str, u64)| Decimal::parse(text).is_some();
            if !values.texts.is_empty() && values.texts.iter().all(is_number) {
                Self::NumberOverNumbers
            } else {
                Self::Number
            }
        } else if any_format(name).is_some()
            || content::is_email(name)
            || is_own()
            || has_their_shape(name, values)
        {
            Self::Value
        } else {
            Self::Name
        }
    }
}

/// Whether a name has digits and looks like all values: `MRN-00017` over `MRN-00018`.
fn has_their_shape(name: &str, values: &Values<'_>) -> bool {
    let digits = name.chars().filter(char::is_ascii_digit).count();
    let own = shape(name);
    digits >= FEWEST_DIGITS
        && !values.texts.is_empty()
        && values.texts.iter().all(|(text, _)| shape(text) == own)
}

/// Whether the names of all columns look like a row.
pub(super) fn is_a_row(names: &[(&str, NameIs)]) -> bool {
    let count = |wanted: &[NameIs]| names.iter().filter(|(_, is)| wanted.contains(is)).count();
    let values = count(&[NameIs::Value]);
    let both = values + count(&[NameIs::Number, NameIs::NumberOverNumbers]);
    let numbers_alone = (0..names.len())
        .any(|at| names[at].1 == NameIs::NumberOverNumbers && !continues_another(names, at));
    values > 0 && both * 3 >= names.len() || both == names.len() || numbers_alone
}

/// Whether the number that names a column comes right before or after the one beside it.
fn continues_another(names: &[(&str, NameIs)], at: usize) -> bool {
    let number = |at: usize| names.get(at).and_then(|(name, _)| name.parse::<u32>().ok());
    let is_next = |other: usize| {
        let both = number(at).zip(number(other));
        both.is_some_and(|(left, right)| left.abs_diff(right) == 1)
    };
    is_next(at + 1) || at > 0 && is_next(at - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(name: &'static str, texts: &[&'static str]) -> (&'static str, NameIs) {
        let values = Values {
            texts: texts.iter().map(|text| (*text, 1)).collect(),
            missing: 0,
            rows: texts.len() as u64,
        };
        (name, NameIs::of(name, &values))
    }

    #[test]
    fn one_number_over_numbers_is_enough_and_years_in_a_row_are_names() {
        let name = over("Ann", &["Bert", "Carl"]);
        let fever = over("fever", &["cough", "rash"]);
        assert!(is_a_row(&[name, over("37", &["41", "29"]), fever]));
        assert!(!is_a_row(&[
            over("name", &["Bert"]),
            over("age", &["41", "29"])
        ]));
        let country = over("country", &["France", "Italy"]);
        let years = ["2019", "2020", "2021"].map(|year| over(year, &["1.5", "7"]));
        assert!(!is_a_row(&[&[country][..], &years].concat()));
        // Numbers over words, as the answers to questions 1 and 7 are.
        let answers = ["1", "7"].map(|question| over(question, &["yes", "no"]));
        assert!(!is_a_row(&[&[country][..], &answers].concat()));
    }

    #[test]
    fn a_name_of_the_shape_of_all_values_is_a_value() {
        let key = over("MRN-00017", &["MRN-00018", "MRN-00021"]);
        assert_eq!(key.1, NameIs::Value);
        assert_eq!(over("q17", &["a12", "b14"]).1, NameIs::Name);
        assert_eq!(over("icd2010", &["J45", "I10"]).1, NameIs::Name);
    }
}
