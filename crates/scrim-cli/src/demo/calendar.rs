//! The two years over which the hospital admits people.

use super::random::Weighted;

/// The years covered, with the days of their months.
const YEARS: [(u32, [u32; 12]); 2] = [
    (2023, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]),
    (2024, [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]),
];

/// Days before the first admission on which the count of days starts, so that everyone was born on a day above 0.
const BEFORE: u32 = 40_000;

/// A Gregorian year is 146097 / 400 days long.
const DAYS_IN_400_YEARS: u32 = 146_097;

/// A day, counted from long before the hospital opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(u32);

impl Day {
    /// The day so many days after the hospital opened.
    pub(super) fn of_opening(days: usize) -> Self {
        Self(BEFORE + days as u32)
    }

    /// The day on which someone was born who is `age` years and up to 364 `days` old today.
    pub(super) fn birth(self, age: u32, days: u32) -> Self {
        Self(self.0 - (age * DAYS_IN_400_YEARS).div_ceil(400) - days)
    }

    /// The full years from `birth` to this day.
    pub(super) fn age(self, birth: Self) -> u32 {
        (self.0 - birth.0) * 400 / DAYS_IN_400_YEARS
    }

    /// The days from `earlier` to this day.
    pub(super) fn since(self, earlier: Self) -> u32 {
        self.0 - earlier.0
    }
}

/// All days of the two years as ISO dates, in order.
pub(super) fn dates() -> Vec<String> {
    let mut dates = Vec::with_capacity(731);
    for (year, months) in YEARS {
        for (month, days) in (1..).zip(months) {
            dates.extend((1..=days).map(|day| format!("{year}-{month:02}-{day:02}")));
        }
    }
    dates
}

/// How busy each day is: fewer come at the weekend, more in the first and the last quarter of a year.
pub(super) fn bustle(days: usize) -> Weighted {
    Weighted::new((0..days).map(|day| {
        // 1 January 2023 was a Sunday.
        let weekday = if matches!(day % 7, 0 | 6) { 60 } else { 100 };
        let season = if (91..274).contains(&(day % 365)) {
            9
        } else {
            11
        };
        weekday * season
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_years_have_731_days_one_of_them_a_leap_day() {
        let dates = dates();
        assert_eq!(dates.len(), 731);
        assert!(dates.is_sorted());
        assert!(dates.contains(&"2024-02-29".to_owned()));
    }

    #[test]
    fn a_birth_gives_back_the_age_it_was_made_for() {
        let today = Day::of_opening(0);
        for age in 0..100 {
            assert_eq!(today.age(today.birth(age, 0)), age);
            assert_eq!(today.age(today.birth(age, 364)), age);
        }
    }
}
