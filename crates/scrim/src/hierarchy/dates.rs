//! Calendar steps: `dates = ["month", "year", "decade"]`.
//!
//! **Reading.** Dates are ISO (`2024-03-31`, a time may follow) unless `format` says `"mdy"` (`3/31/2024`) or `"dmy"`
//! (`31.3.2024`). Steps must nest, so weeks are not offered.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::builder::TreeBuilder;
use super::{Hierarchy, STAR, TaxonId};

/// A calendar step, from fine to coarse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateStep {
    /// `2024-03-31`
    Day,
    /// `2024-03`
    Month,
    /// `2024-Q1`
    Quarter,
    /// `2024`
    Year,
    /// `2020-2029`
    Decade,
    /// `2000-2099`
    Century,
}

/// The order of day, month and year in the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateFormat {
    /// `2024-03-31`
    #[default]
    Iso,
    /// `3/31/2024`
    Mdy,
    /// `31.3.2024`
    Dmy,
}

impl DateFormat {
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Iso => "2024-03-31",
            Self::Mdy => "3/31/2024",
            Self::Dmy => "31.3.2024",
        }
    }

    pub(crate) fn read(self, text: &str) -> Option<(u32, u32, u32)> {
        let date = text.split(['T', ' ']).next()?;
        let parts: Vec<&str> = date.split(['-', '/', '.']).collect();
        let [first, second, third] = parts.as_slice() else {
            return None;
        };
        let (year, month, day) = match self {
            Self::Iso => (first, second, third),
            Self::Mdy => (third, first, second),
            Self::Dmy => (third, second, first),
        };
        let number = |text: &str, most: usize| {
            (!text.is_empty()
                && text.len() <= most
                && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())
            .flatten()
        };
        let (month, day) = (number(month, 2)?, number(day, 2)?);
        let year = number(year, 4).filter(|_| year.len() == 4)?;
        (1..=days_in(year, month)?)
            .contains(&day)
            .then_some((year, month, day))
    }
}

fn days_in(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}

impl DateStep {
    fn label(self, (year, month, day): (u32, u32, u32)) -> String {
        match self {
            Self::Day => format!("{year:04}-{month:02}-{day:02}"),
            Self::Month => format!("{year:04}-{month:02}"),
            Self::Quarter => format!("{year:04}-Q{}", (month - 1) / 3 + 1),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}-{:04}", year / 10 * 10, year / 10 * 10 + 9),
            Self::Century => format!("{:04}-{:04}", year / 100 * 100, year / 100 * 100 + 99),
        }
    }
}

pub(super) fn over<'a>(
    steps: &[DateStep],
    format: DateFormat,
    values: impl Iterator<Item = &'a str>,
    suppressible: bool,
) -> Option<Hierarchy> {
    let mut builder = TreeBuilder::default();
    let top = builder.add(STAR);
    let mut known: FxHashMap<(DateStep, String), TaxonId> = FxHashMap::default();
    for value in values {
        let Some(date) = format.read(value) else {
            continue;
        };
        let mut above = top;
        for step in steps.iter().rev() {
            above = *known
                .entry((*step, step.label(date)))
                .or_insert_with_key(|(_, label)| {
                    let taxon = builder.add(label);
                    builder.link(taxon, above);
                    taxon
                });
        }
        let leaf = builder.add(value);
        builder.link(leaf, above);
        builder.value(value, leaf);
    }
    builder.finish(suppressible).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_climbs_the_calendar() {
        let steps = [
            DateStep::Month,
            DateStep::Quarter,
            DateStep::Year,
            DateStep::Decade,
            DateStep::Century,
        ];
        let tree = over(&steps, DateFormat::Iso, ["1965-09-20"].into_iter(), true).unwrap();
        let leaf = tree.leaf("1965-09-20").unwrap();
        let labels: Vec<&str> = (0..=tree.height())
            .map(|level| tree.label(tree.at_level(leaf, level)))
            .collect();
        assert_eq!(
            labels,
            [
                "1965-09-20",
                "1965-09",
                "1965-Q3",
                "1965",
                "1960-1969",
                "1900-1999",
                "*"
            ]
        );
    }

    #[test]
    fn what_is_no_date_has_no_leaf() {
        for (format, good, bad) in [
            (DateFormat::Iso, "2024-02-29T10:00", "2023-02-29"),
            (DateFormat::Mdy, "9/20/1965", "20/9/1965"),
            (DateFormat::Dmy, "20.9.1965", "9/20/1965"),
        ] {
            let tree = over(
                &[DateStep::Year],
                format,
                [good, bad, "", "x-y-z", "65-1-1"].into_iter(),
                true,
            )
            .unwrap();
            assert!(tree.leaf(good).is_some(), "{good}");
            assert!(
                [bad, "", "x-y-z", "65-1-1"]
                    .iter()
                    .all(|value| tree.leaf(value).is_none()),
                "{bad}"
            );
        }
    }
}
