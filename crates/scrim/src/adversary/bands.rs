//! Sizes told in bands: 0, 1, 2, 3, 4, 5 to 9, 10 to 19, 20 to 49, 50 to 99, and so on by ones, twos and fives.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::share::Share;

/// How many classes are of these sizes, and how many records are in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Band {
    /// The smallest size.
    pub from: u64,
    /// The largest size.
    pub to: u64,
    /// Classes of these sizes, where classes have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<u64>,
    /// Records, or persons.
    pub records: u64,
    /// Their share of all.
    pub share: f64,
    /// The same as a fraction.
    pub share_exact: String,
}

impl Band {
    /// The bands that anything lies in. `classes` and `records` are counts by size.
    pub fn of(classes: Option<&BTreeMap<u64, u64>>, records: &BTreeMap<u64, u64>) -> Vec<Self> {
        let all: u64 = records.values().sum();
        let within = |counts: &BTreeMap<u64, u64>, from: u64, to: u64| {
            counts.range(from..=to).map(|(_, count)| count).sum::<u64>()
        };
        let mut bands = Vec::new();
        let largest = |counts: &BTreeMap<u64, u64>| counts.keys().last().copied();
        let last = largest(records).max(classes.and_then(largest));
        let mut from = 0;
        while last.is_some_and(|last| from <= last) {
            let to = last_of(from);
            let here = classes.map(|classes| within(classes, from, to));
            let records = within(records, from, to);
            if records > 0 || here.is_some_and(|here| here > 0) {
                let (share, share_exact) = part(records.into(), all.into());
                bands.push(Self {
                    from,
                    to,
                    classes: here,
                    records,
                    share,
                    share_exact,
                });
            }
            let Some(next) = to.checked_add(1) else { break };
            from = next;
        }
        bands
    }

    /// How it is written: `3`, `5-9`.
    pub fn label(&self) -> String {
        if self.from == self.to {
            self.from.to_string()
        } else {
            format!("{}-{}", self.from, self.to)
        }
    }
}

/// The last size of the band that begins so.
fn last_of(from: u64) -> u64 {
    if from < 5 {
        return from;
    }
    let digit = [5, 2, 1].into_iter().find_map(|digit| {
        let unit = from / digit;
        (from.is_multiple_of(digit) && is_power_of_ten(unit)).then_some((digit, unit))
    });
    match digit {
        Some((5, unit)) => unit.saturating_mul(10) - 1,
        Some((2, unit)) => unit.saturating_mul(5) - 1,
        Some((_, unit)) => unit.saturating_mul(2) - 1,
        None => from,
    }
}

fn is_power_of_ten(mut number: u64) -> bool {
    while number >= 10 && number.is_multiple_of(10) {
        number /= 10;
    }
    number == 1
}

/// A part of a whole, as a number and as a fraction; nothing of nothing is nought.
pub(super) fn part(part: u128, whole: u128) -> (f64, String) {
    let whole = whole.max(1);
    let divisor = num_integer::gcd(part, whole);
    let (above, below) = (part / divisor, whole / divisor);
    let text = if below == 1 {
        above.to_string()
    } else {
        format!("{above}/{below}")
    };
    (above as f64 / below as f64, text)
}

/// The sum of counts over sizes, as a number and, where it is short, as a share.
pub(super) fn sum_over(counts: &BTreeMap<u64, u64>) -> (f64, Option<Share>) {
    let terms = counts.iter().filter(|(size, _)| **size > 0);
    let number = terms
        .clone()
        .map(|(size, count)| *count as f64 / *size as f64)
        .sum();
    let exact = terms.clone().try_fold(Share::ZERO, |sum, (size, count)| {
        sum.checked_add(Share::new(i128::from(*count), i128::from(*size))?)
            .filter(|sum| sum.denominator() < LONGEST)
    });
    (number, exact)
}

/// Denominators beyond this are not told.
const LONGEST: i128 = 1_000_000_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_follow_each_other_without_a_gap() {
        let mut from = 0;
        let mut told = Vec::new();
        while from < 3000 {
            told.push((from, last_of(from)));
            from = last_of(from) + 1;
        }
        assert_eq!(
            told[4..12],
            [
                (4, 4),
                (5, 9),
                (10, 19),
                (20, 49),
                (50, 99),
                (100, 199),
                (200, 499),
                (500, 999)
            ]
        );
        assert_eq!(told.last(), Some(&(2000, 4999)));
        assert_eq!(last_of(10_000_000_000_000_000_000), u64::MAX - 1);
    }

    #[test]
    fn every_record_is_in_one_band() {
        let records = BTreeMap::from([(0, 1), (1, 3), (5, 10), (9, 9), (70, 7)]);
        let bands = Band::of(None, &records);
        let told: Vec<(String, u64)> = bands
            .iter()
            .map(|band| (band.label(), band.records))
            .collect();
        let expected = [("0", 1), ("1", 3), ("5-9", 19), ("50-99", 7)];
        assert_eq!(
            told,
            expected.map(|(label, count)| (label.to_owned(), count))
        );
        assert_eq!(bands[1].share_exact, "1/10");
    }
}
