//! Published intervals of numbers, read from their labels.
//!
//! **Reading.** `5-6` holds both of its ends, also where they are negative (`-5--3`); `[1.5, 2)` is open where its
//! bracket is round; a plain number holds itself. Numbers are decimals of at most 18 digits before and after the point,
//! compared exactly.

/// An interval of decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    low: Decimal,
    high: Decimal,
    low_within: bool,
    high_within: bool,
}

/// A decimal number, in units of its eighteenth place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(i128);

const PLACES: usize = 18;

impl Decimal {
    /// Reads a plain decimal; nothing where the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let has_digit = digits.bytes().any(|byte| byte.is_ascii_digit());
        if !has_digit || !plain(whole) || !plain(fraction) {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > PLACES || fraction.len() > PLACES {
            return None;
        }
        let number: i128 = format!("0{whole}{fraction:0<PLACES$}").parse().ok()?;
        Some(Self(if text.starts_with('-') {
            -number
        } else {
            number
        }))
    }
}

impl Decimal {
    /// So many times 10^-places, unless that is too large.
    pub fn of_steps(steps: i128, places: u32) -> Option<Self> {
        let whole = steps.checked_mul(step(places))?;
        (whole.unsigned_abs() < 10u128.pow(2 * PLACES as u32)).then_some(Self(whole))
    }

    /// The decimal places that it needs.
    pub fn places(self) -> u32 {
        let all = PLACES as u32;
        (0..all)
            .find(|places| self.0 % step(*places) == 0)
            .unwrap_or(all)
    }

    /// The greatest whole multiple of 10^-places that is not above it.
    pub fn floor(self, places: u32) -> i128 {
        self.0.div_euclid(step(places))
    }

    /// The least whole multiple of 10^-places that is not below it.
    pub fn ceiling(self, places: u32) -> i128 {
        -(-self.0).div_euclid(step(places))
    }
}

/// 10^-places, in units of the eighteenth place.
fn step(places: u32) -> i128 {
    10i128.pow((PLACES as u32).saturating_sub(places))
}

impl Interval {
    /// Reads a label; nothing where it is no interval.
    pub fn parse(label: &str) -> Option<Self> {
        let interval = match (label.strip_prefix('['), label.strip_prefix('(')) {
            (Some(rest), _) => bracketed(rest, true)?,
            (_, Some(rest)) => bracketed(rest, false)?,
            _ => plain(label)?,
        };
        (interval.low <= interval.high).then_some(interval)
    }

    /// Whether a number lies within.
    pub fn holds(&self, number: Decimal) -> bool {
        let above = self.low < number || self.low_within && self.low == number;
        let below = number < self.high || self.high_within && self.high == number;
        above && below
    }

    /// The numbers between two, both within.
    pub fn closed(low: Decimal, high: Decimal) -> Self {
        Self {
            low,
            high,
            low_within: true,
            high_within: true,
        }
    }

    /// The least number that may lie within.
    pub fn low(&self) -> Decimal {
        self.low
    }

    /// The greatest number that may lie within.
    pub fn high(&self) -> Decimal {
        self.high
    }

    /// The least and the greatest whole multiple of 10^-places that lie within, as multiples; the first is above the second
    /// where there is none.
    pub fn steps(&self, places: u32) -> (i128, i128) {
        let (low, high) = (self.low.ceiling(places), self.high.floor(places));
        let without = |within: bool, end: Decimal| {
            i128::from(!within && end.ceiling(places) == end.floor(places))
        };
        (
            low + without(self.low_within, self.low),
            high - without(self.high_within, self.high),
        )
    }
}

/// The rest of a label after its first bracket.
fn bracketed(rest: &str, low_within: bool) -> Option<Interval> {
    let (inner, high_within) = match (rest.strip_suffix(']'), rest.strip_suffix(')')) {
        (Some(inner), _) => (inner, true),
        (_, Some(inner)) => (inner, false),
        _ => return None,
    };
    let (low, high) = inner.split_once(',')?;
    Some(Interval {
        low: Decimal::parse(low.trim())?,
        high: Decimal::parse(high.trim())?,
        low_within,
        high_within,
    })
}

/// One number, or two that a dash parts: the dash that leaves a number on either side.
fn plain(label: &str) -> Option<Interval> {
    let both = Interval::closed;
    if let Some(number) = Decimal::parse(label) {
        return Some(both(number, number));
    }
    let mut dashes = label.match_indices('-').filter(|(at, _)| *at > 0);
    dashes.find_map(|(at, _)| {
        let low = Decimal::parse(&label[..at])?;
        Some(both(low, Decimal::parse(&label[at + 1..])?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(label: &str, number: &str) -> Option<bool> {
        Some(Interval::parse(label)?.holds(Decimal::parse(number)?))
    }

    #[test]
    fn whole_numbers_hold_both_ends() {
        for (number, within) in [("4", false), ("5", true), ("6", true), ("7", false)] {
            assert_eq!(holds("5-6", number), Some(within), "{number}");
        }
        assert_eq!(holds("5-6", "5.50"), Some(true));
        assert_eq!(holds("21", "21.0"), Some(true));
        assert_eq!(holds("21", "22"), Some(false));
    }

    #[test]
    fn negative_ends_are_told_from_dashes() {
        for (label, number, within) in [
            ("-5--3", "-4", true),
            ("-5--3", "-3", true),
            ("-5--3", "3", false),
            ("-5-3", "0", true),
            ("-5-3", "-6", false),
            ("-5", "-5", true),
            ("-5", "5", false),
        ] {
            assert_eq!(holds(label, number), Some(within), "{label} {number}");
        }
    }

    #[test]
    fn brackets_say_which_ends_are_within() {
        for (label, number, within) in [
            ("[1.5, 2)", "1.5", true),
            ("[1.5, 2)", "1.999999999999999999", true),
            ("[1.5, 2)", "2", false),
            ("[2, 3]", "3", true),
            ("[2, 3]", "3.000000000000000001", false),
            ("(-2,-1]", "-2", false),
            ("(-2,-1]", "-1.5", true),
        ] {
            assert_eq!(holds(label, number), Some(within), "{label} {number}");
        }
    }

    #[test]
    fn the_steps_within_leave_open_ends_out() {
        for (label, places, steps) in [
            ("5-6", 0, (5, 6)),
            ("[1.5, 2)", 1, (15, 19)),
            ("[1.5, 2]", 0, (2, 2)),
            ("(1.5, 2]", 1, (16, 20)),
            ("(-2, -1.5)", 0, (-1, -2)),
            ("-5--3", 0, (-5, -3)),
        ] {
            assert_eq!(
                Interval::parse(label).unwrap().steps(places),
                steps,
                "{label}"
            );
        }
        assert_eq!(Decimal::parse("1.250").unwrap().places(), 2);
    }

    #[test]
    fn what_is_no_interval_is_none() {
        let long = "1".repeat(19);
        for label in [
            "", "-", "--", ".", "6-5", "a-b", "5-", "-5-", "[1, 2", "[1 2]", "[2, 1]", "*",
            "5-6-7", "1e3", &long, "[]", "[,]", "5–6",
        ] {
            assert_eq!(Interval::parse(label), None, "{label}");
        }
    }
}
