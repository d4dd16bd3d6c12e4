//! What kind of values a column holds.
//!
//! **Reading.** Whole numbers of one length with a leading zero are codes. Dates that can be read both ways are month first
//! where slashes part them, day first where dots do. A column is *mixed* where at least 4 of 5 rows have a date, or 19 of 20 a
//! number, and others something else. Numbers may have a decimal comma, and `91911.0` is whole (`notation`).

use super::content::{is_code, is_yes_or_no, words_in};
use super::notation::Notation;
use super::ranges::are_ranges;
use super::values::Values;
use crate::hierarchy::DateFormat;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: all values are missing.
    Empty,
    /// Two values that say yes and no.
    Boolean,
    /// Whole numbers.
    Whole,
    /// Numbers with decimals.
    Decimal,
    /// Dates of one format.
    Date(DateFormat),
    /// Dates of several formats, or with something else among them.
    MixedDates,
    /// Numbers with something else among them.
    MixedNumbers,
    /// Ranges that have an order, such as `[80-90)`.
    Range,
    /// Short texts with digits, such as postal codes.
    Code,
    /// Texts that say which of several it is.
    Category,
    /// Sentences.
    FreeText,
}

/// The formats of dates, in the order in which they are tried.
pub(super) const FORMATS: [DateFormat; 3] = [DateFormat::Iso, DateFormat::Mdy, DateFormat::Dmy];

impl Kind {
    /// The kind of these values.
    pub(super) fn of(values: &Values<'_>) -> Self {
        if values.texts.is_empty() {
            return Self::Empty;
        }
        if values.distinct() == 2 && values.all(is_yes_or_no) {
            return Self::Boolean;
        }
        if let Some(format) = one_format(values) {
            return Self::Date(format);
        }
        if let Some(notation) = Notation::of(values, 100) {
            return number(values, notation);
        }
        if are_ranges(values) {
            return Self::Range;
        }
        if values.mostly(80, |text| any_format(text).is_some()) {
            Self::MixedDates
        } else if Notation::of(values, 95).is_some() {
            Self::MixedNumbers
        } else if values.mostly(90, is_code) {
            Self::Code
        } else if is_free_text(values) {
            Self::FreeText
        } else {
            Self::Category
        }
    }

    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => "no value",
            Self::Boolean => "yes or no",
            Self::Whole => "whole number",
            Self::Decimal => "decimal",
            Self::Date(DateFormat::Iso) => "date (2024-03-31)",
            Self::Date(DateFormat::Mdy) => "date (3/31/2024)",
            Self::Date(DateFormat::Dmy) => "date (31.3.2024)",
            Self::MixedDates => "mixed dates",
            Self::MixedNumbers => "mixed numbers",
            Self::Range => "range",
            Self::Code => "code",
            Self::Category => "category",
            Self::FreeText => "free text",
        }
    }

    /// Whether its values are numbers.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Whole | Self::Decimal | Self::MixedNumbers)
    }

    /// Whether its values are dates.
    pub(super) fn is_date(self) -> bool {
        matches!(self, Self::Date(_) | Self::MixedDates)
    }
}

/// The format that every value has.
fn one_format(values: &Values<'_>) -> Option<DateFormat> {
    let fits = |format: DateFormat| values.all(|text| format.read(text).is_some());
    let dotted = values.all(|text| text.contains('.'));
    if dotted && fits(DateFormat::Dmy) {
        return Some(DateFormat::Dmy);
    }
    FORMATS.into_iter().find(|format| fits(*format))
}

/// The date that a text is, in any format.
pub(super) fn any_format(text: &str) -> Option<(u32, u32, u32)> {
    let text = text.trim();
    let dotted = text.contains('.').then_some(DateFormat::Dmy);
    let mut formats = dotted.into_iter().chain(FORMATS);
    formats.find_map(|format| format.read(text))
}

fn number(values: &Values<'_>, notation: Notation) -> Kind {
    let width = values.longest();
    let one_width = values.shortest() == width && width >= 3;
    let digits = values.all(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    if one_width && digits && values.texts.iter().any(|(text, _)| text.starts_with('0')) {
        Kind::Code
    } else if values.all(|text| notation.read(text).is_some_and(|number| is_whole(&number))) {
        Kind::Whole
    } else {
        Kind::Decimal
    }
}

fn is_whole(number: &str) -> bool {
    !number.contains('.')
}

/// Several words in most rows, and rarely the same.
fn is_free_text(values: &Values<'_>) -> bool {
    let wordy = values.mostly(50, |text| words_in(text) >= 4 || text.chars().count() >= 40);
    let varied = u128::from(values.distinct()) * 2 >= u128::from(values.present());
    wordy && (varied || values.longest() >= 120)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn kind(texts: &[&str]) -> Kind {
        let column = Column::from_texts("a", texts.iter().copied());
        Kind::of(&Values::of(&column, &[String::new()]))
    }

    #[test]
    fn numbers_dates_codes_and_words_are_told_apart() {
        assert_eq!(kind(&["1", "-20", "+3"]), Kind::Whole);
        assert_eq!(kind(&["1.5", "2"]), Kind::Decimal);
        assert_eq!(kind(&["1.234,56", "2,5"]), Kind::Decimal);
        assert_eq!(kind(&["91911.0", "92614.0", ""]), Kind::Whole);
        assert_eq!(kind(&["[0-10)", "[10-20)", "[20-30)"]), Kind::Range);
        assert_eq!(kind(&["02138", "10115"]), Kind::Code);
        assert_eq!(kind(&["2024-02-29", ""]), Kind::Date(DateFormat::Iso));
        assert_eq!(
            kind(&["1/2/2024", "12/31/2024"]),
            Kind::Date(DateFormat::Mdy)
        );
        assert_eq!(
            kind(&["1/2/2024", "31/12/2024"]),
            Kind::Date(DateFormat::Dmy)
        );
        assert_eq!(kind(&["1.2.2024", "2.3.2024"]), Kind::Date(DateFormat::Dmy));
        assert_eq!(kind(&["Yes", "no"]), Kind::Boolean);
        assert_eq!(kind(&["AB-12", "CD-34"]), Kind::Code);
        assert_eq!(kind(&["red", "green", "blue"]), Kind::Category);
        assert_eq!(kind(&["", ""]), Kind::Empty);
        assert_eq!(
            kind(&["came in with a cough", "was sent home at once"]),
            Kind::FreeText
        );
    }

    #[test]
    fn some_others_make_a_column_mixed() {
        let dates = ["2024-01-01", "1/13/2024", "13.1.2024", "2024-02-02", "soon"];
        assert_eq!(kind(&dates), Kind::MixedDates);
        let mut numbers = vec!["7"; 40];
        numbers.extend(["8", "many"]);
        assert_eq!(kind(&numbers), Kind::MixedNumbers);
    }
}
