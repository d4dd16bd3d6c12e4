//! How the numbers of a column are written: with a decimal point or comma, with thousands in groups.
//!
//! **Reading.** `1.234,56` and `12,5` have a decimal comma, `1,234.56` groups of thousands. A column has one notation, which fits
//! all of its numbers; the plain one goes first. Where every number has exactly three digits behind its only comma both readings give
//! the same order, and groups are taken. A last `.0`, as spreadsheets write whole numbers with gaps, says nothing and is left out.

use super::values::Values;
use crate::hierarchy::Decimal;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `1234.56`
    Plain,
    /// `1,234.56`
    Grouped,
    /// `1.234,56`
    Comma,
}

impl Notation {
    /// The notation that at least so many of a hundred rows have; the plain one where several fit.
    pub(super) fn of(values: &Values<'_>, percent: u64) -> Option<Self> {
        let all = [Self::Plain, Self::Grouped, Self::Comma];
        let fits = |notation: &Self| values.mostly(percent, |text| notation.read(text).is_some());
        all.into_iter().find(fits)
    }

    /// A number in plain notation, without zeros that say nothing.
    pub(super) fn read(self, text: &str) -> Option<String> {
        let text = text.trim();
        let plain = match self {
            Self::Plain => text.to_owned(),
            Self::Grouped => ungrouped(text, ',', '.')?,
            Self::Comma => ungrouped(text, '.', ',')?,
        };
        Decimal::parse(&plain)?;
        Some(short(&plain))
    }
}

/// A text without the marks between thousands and with a decimal point.
fn ungrouped(text: &str, thousands: char, point: char) -> Option<String> {
    let (whole, rest) = match text.split_once(point) {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (text, None),
    };
    let mut groups = whole.split(thousands);
    let first = groups.next()?.trim_start_matches(['-', '+']);
    let is_group = |group: &str| group.len() == 3 && is_digits(group);
    let grouped = whole.contains(thousands);
    let first_fits = is_digits(first) && (!grouped || first.len() <= 3);
    if !first_fits || !groups.all(is_group) || rest.is_some_and(|rest| !is_digits(rest)) {
        return None;
    }
    let whole: String = whole.chars().filter(|c| *c != thousands).collect();
    Some(rest.map_or_else(|| whole.clone(), |rest| format!("{whole}.{rest}")))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn short(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, rest)) if rest.bytes().all(|byte| byte == b'0') => whole.to_owned(),
        Some(_) if !number.contains(['e', 'E']) => number.trim_end_matches('0').to_owned(),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn notation(texts: &[&str]) -> Option<Notation> {
        let column = Column::from_texts("a", texts.iter().copied());
        Notation::of(&Values::of(&column, &[]), 100)
    }

    #[test]
    fn points_commas_and_groups_are_told_apart() {
        assert_eq!(notation(&["1.5", "20"]), Some(Notation::Plain));
        assert_eq!(notation(&["1,5", "20", "-3,25"]), Some(Notation::Comma));
        assert_eq!(notation(&["1.234,56", "7"]), Some(Notation::Comma));
        assert_eq!(notation(&["1,234.56", "12"]), Some(Notation::Grouped));
        assert_eq!(notation(&["1,234", "2,000"]), Some(Notation::Grouped));
        assert_eq!(notation(&["1,5", "1.5.6"]), None);
        assert_eq!(notation(&["1,2,3"]), None);
    }

    #[test]
    fn numbers_are_read_in_plain_notation() {
        assert_eq!(Notation::Comma.read("1.234,50").as_deref(), Some("1234.5"));
        assert_eq!(Notation::Comma.read("-0,5").as_deref(), Some("-0.5"));
        assert_eq!(
            Notation::Grouped.read("1,234.56").as_deref(),
            Some("1234.56")
        );
        assert_eq!(Notation::Plain.read(" 91911.0 ").as_deref(), Some("91911"));
        assert_eq!(Notation::Plain.read("100").as_deref(), Some("100"));
        assert_eq!(Notation::Comma.read("12.34"), None);
    }
}
