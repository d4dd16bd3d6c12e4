//! Intervals on round numbers, from the range of a column and from where most of its numbers lie.
//!
//! **Reading.** The finest width is 1, 2 or 5 times a power of ten: about a sixteenth of the stretch between the fifth and the
//! ninety-fifth of a hundred rows, so that few outliers do not widen it. Each further width is a round multiple, up to two thirds of
//! the whole range. The first interval starts at a multiple of the widest width, so that all ends are round.

use super::notation::Notation;
use super::values::Values;
use crate::hierarchy::{Decimal, Intervals};
use crate::share::Share;

/// So many widths at most.
const MOST_WIDTHS: usize = 5;
/// Finer decimals have no round intervals.
const MOST_PLACES: u32 = 6;
/// Numbers that are larger, in steps of the finest place, are no measure of anything.
const LARGEST: i128 = 1 << 48;

/// Intervals in steps of the finest decimal place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rounded {
    pub(super) from: i128,
    pub(super) to: i128,
    pub(super) widths: Vec<i128>,
    pub(super) places: u32,
}

impl Rounded {
    /// Intervals over the numbers among these values; nothing where they are too few, too large or too fine.
    pub(super) fn over(values: &Values<'_>, notation: Notation) -> Option<Self> {
        let mut numbers: Vec<(Decimal, u64)> = values
            .texts
            .iter()
            .filter_map(|(text, rows)| Some((Decimal::parse(&notation.read(text)?)?, *rows)))
            .collect();
        numbers.sort_unstable();
        let places = numbers.iter().map(|(number, _)| number.places()).max()?;
        if places > MOST_PLACES {
            return None;
        }
        let steps: Vec<(i128, u64)> = numbers
            .iter()
            .map(|(number, rows)| (number.floor(places), *rows))
            .collect();
        let (first, last) = (steps.first()?.0, steps.last()?.0);
        if first == last || first.abs() > LARGEST || last.abs() > LARGEST {
            return None;
        }
        let most = quantile(&steps, 95) - quantile(&steps, 5);
        let stretch = if most > 0 { most } else { last - first };
        let widths = widths(round_up((stretch / 16).max(1)), last - first);
        let (finest, widest) = (*widths.first()?, *widths.last()?);
        Some(Self {
            from: first.div_euclid(widest) * widest,
            to: (last.div_euclid(finest) + 1) * finest - 1,
            widths,
            places,
        })
    }

    /// A number of steps as a decimal.
    pub(super) fn text(&self, steps: i128) -> String {
        let scale = 10i128.pow(self.places);
        let sign = if steps < 0 { "-" } else { "" };
        let (whole, rest) = (steps.abs() / scale, steps.abs() % scale);
        if rest == 0 {
            return format!("{sign}{whole}");
        }
        let rest = format!("{rest:0width$}", width = self.places as usize);
        format!("{sign}{whole}.{}", rest.trim_end_matches('0'))
    }

    /// The same as a hierarchy that a policy may describe.
    pub(super) fn intervals(&self) -> Option<Intervals> {
        let share = |steps: i128| Share::new(steps, 10i128.pow(self.places));
        let widths = self.widths.iter().map(|width| share(*width));
        Intervals::new(
            share(self.from)?,
            share(self.to)?,
            widths.collect::<Option<_>>()?,
        )
        .ok()
    }

    /// The interval of each width that holds a number, as a label; nothing for what is no number of the range.
    pub(super) fn labels(&self, text: &str, notation: Notation) -> Option<Vec<String>> {
        let number = Decimal::parse(&notation.read(text)?)?.floor(self.places);
        let label = |width: &i128| {
            let low = self.from + (number - self.from).div_euclid(*width) * width;
            let high = low + width - 1;
            format!("{} to {}", self.text(low), self.text(high))
        };
        (self.from..=self.to)
            .contains(&number)
            .then(|| self.widths.iter().map(label).collect())
    }
}

/// The number that so many of a hundred rows do not pass.
fn quantile(steps: &[(i128, u64)], percent: u64) -> i128 {
    let all: u128 = steps.iter().map(|(_, rows)| u128::from(*rows)).sum();
    let mut seen = 0u128;
    for (number, rows) in steps {
        seen += u128::from(*rows);
        if seen * 100 >= all * u128::from(percent) {
            return *number;
        }
    }
    steps.last().map_or(0, |(number, _)| *number)
}

/// The least of 1, 2, 5, 10, 20, 50, … that is not below a number.
fn round_up(number: i128) -> i128 {
    let mut ten = 1;
    while ten * 10 <= number {
        ten *= 10;
    }
    [1, 2, 5, 10]
        .map(|digit| digit * ten)
        .into_iter()
        .find(|width| *width >= number)
        .unwrap_or(ten * 10)
}

/// Widths from the finest on, each a round multiple of the one before, none above two thirds of the range.
fn widths(finest: i128, range: i128) -> Vec<i128> {
    let finest = if finest == 1 { 2.min(range) } else { finest };
    // Where doubling stays far below the range, tens do not.
    let by_tens = (finest << (MOST_WIDTHS - 1)) * 8 < range;
    let fits = |width: i128| width * 3 <= range * 2;
    let mut widths = vec![finest];
    let mut width = finest;
    while widths.len() < MOST_WIDTHS {
        let from_two = width.to_string().starts_with('2') && widths.len() == 1;
        width *= match (by_tens, from_two && fits(width * 5)) {
            (true, _) => 10,
            (false, true) => 5,
            (false, false) => 2,
        };
        if !fits(width) {
            break;
        }
        widths.push(width);
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn rounded(texts: &[&str]) -> Option<Rounded> {
        let column = Column::from_texts("a", texts.iter().copied());
        Rounded::over(&Values::of(&column, &[]), Notation::Plain)
    }

    #[test]
    fn ages_get_fives_tens_twenties_and_forties() {
        let ages: Vec<String> = (17..=90).map(|age| age.to_string()).collect();
        let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
        let rounded = rounded(&ages).unwrap();
        assert_eq!(rounded.widths, [5, 10, 20, 40]);
        assert_eq!((rounded.from, rounded.to), (0, 94));
        assert_eq!(
            rounded.labels("37", Notation::Plain).unwrap(),
            ["35 to 39", "30 to 39", "20 to 39", "0 to 39"]
        );
    }

    #[test]
    fn outliers_do_not_widen_the_finest_intervals() {
        let mut texts = vec!["0"; 500];
        let small: Vec<String> = (0..160).map(|number| number.to_string()).collect();
        texts.extend(small.iter().map(String::as_str));
        texts.push("99999");
        let rounded = rounded(&texts).unwrap();
        assert_eq!(rounded.widths, [10, 100, 1000, 10_000]);
        assert!(rounded.intervals().is_some());
    }

    #[test]
    fn two_is_followed_by_ten_where_there_is_room() {
        assert_eq!(widths(2, 73), [2, 10, 20, 40]);
        assert_eq!(widths(1, 12), [2, 4, 8]);
        assert_eq!(widths(20, 100), [20, 40]);
    }

    #[test]
    fn decimals_keep_their_places() {
        let rounded = rounded(&["-1.25", "0.5", "3.75", "7"]).unwrap();
        assert!(rounded.intervals().is_some());
        assert_eq!(rounded.text(-125), "-1.25");
        assert_eq!(rounded.text(50), "0.5");
        assert_eq!(rounded.text(-300), "-3");
    }

    #[test]
    fn what_has_no_range_has_no_intervals() {
        assert_eq!(rounded(&["7", "7.0"]), None);
        assert_eq!(rounded(&["1", "999999999999999999"]), None);
        assert_eq!(rounded(&["0.123456789", "1"]), None);
        assert_eq!(rounded(&["x"]), None);
        assert_eq!(rounded(&["3", "4"]).unwrap().widths, [1]);
    }
}
