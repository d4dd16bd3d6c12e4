//! An axis of numbers: all multiples of the finest decimal place of the data from one bound to the other.
//!
//! **Reading.** A label is a number (`21`), both ends of an interval (`5-6`, `[2, 3]`), or an interval with an end that
//! lies without (`[1.5, 2)`, `(4, 5]`). An end between two points counts as the next point inside. What lies beyond the
//! bounds is cut off: no value of the data is there.

use crate::share::Share;

use super::span::Span;

/// The numbers of a domain, each a point.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The least number, in units of the last place.
    from: i128,
    count: u64,
    places: u32,
}

impl Numbers {
    /// The domain over these values; a bound that is not given is taken from them. Nothing where there is no number, or
    /// where the domain has too many.
    pub(super) fn over<'a>(
        values: impl Iterator<Item = &'a str>,
        from: Option<Share>,
        to: Option<Share>,
    ) -> Option<Self> {
        let values: Vec<Share> = values.filter_map(number).collect();
        let from = from.or_else(|| values.iter().min().copied())?;
        let to = to.or_else(|| values.iter().max().copied())?;
        let places: Option<Vec<u32>> = values
            .iter()
            .chain([&from, &to])
            .map(|value| places_of(*value))
            .collect();
        let places = places?.into_iter().max()?;
        let empty = Self {
            from: 0,
            count: 0,
            places,
        };
        let (low, high) = (empty.ceiling(from)?, empty.floor(to)?);
        Some(Self {
            from: low,
            count: u64::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?,
            places,
        })
        .filter(|numbers| (1..1 << 60).contains(&numbers.count))
    }

    /// How many numbers there are: at least one.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The numbers that a label stands for.
    pub(super) fn span(&self, label: &str) -> Option<Span> {
        self.between(&Interval::read(label)?)
    }

    /// The numbers from one to another, both within.
    pub(super) fn run(&self, from: &str, to: &str) -> Option<Span> {
        self.between(&Interval {
            low: number(from)?,
            high: number(to)?,
            low_within: true,
            high_within: true,
        })
    }

    /// A point as a number.
    pub(super) fn text(&self, point: u64) -> String {
        let scaled = self.from + i128::from(point);
        if self.places == 0 {
            return scaled.to_string();
        }
        let scale = 10i128.pow(self.places);
        let sign = if scaled < 0 { "-" } else { "" };
        let (whole, fraction) = (scaled.abs() / scale, scaled.abs() % scale);
        let text = format!(
            "{sign}{whole}.{fraction:0width$}",
            width = self.places as usize
        );
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    fn between(&self, interval: &Interval) -> Option<Span> {
        let low = if interval.low_within {
            self.ceiling(interval.low)?
        } else {
            self.floor(interval.low)? + 1
        };
        let high = if interval.high_within {
            self.floor(interval.high)? + 1
        } else {
            self.ceiling(interval.high)?
        };
        let cut = |at: i128| (at - self.from).clamp(0, i128::from(self.count)) as u64;
        Span::new(cut(low), cut(high))
    }

    fn floor(&self, number: Share) -> Option<i128> {
        let scaled = number.checked_mul(Share::whole(10i128.pow(self.places)))?;
        Some(scaled.numerator().div_euclid(scaled.denominator()))
            .filter(|floor| floor.unsigned_abs() < 1 << 100)
    }

    fn ceiling(&self, number: Share) -> Option<i128> {
        let floor = self.floor(number)?;
        let scaled = number.checked_mul(Share::whole(10i128.pow(self.places)))?;
        Some(if scaled.denominator() == 1 {
            floor
        } else {
            floor + 1
        })
    }
}

/// Two ends, each within or without.
struct Interval {
    low: Share,
    high: Share,
    low_within: bool,
    high_within: bool,
}

impl Interval {
    fn read(label: &str) -> Option<Self> {
        let label = label.trim();
        let closed = |low: Share, high: Share| Self {
            low,
            high,
            low_within: true,
            high_within: true,
        };
        if let Some(value) = number(label) {
            return Some(closed(value, value));
        }
        let bracketed = label
            .strip_prefix(['[', '('])
            .and_then(|rest| rest.strip_suffix([']', ')']));
        if let Some(inner) = bracketed {
            let (low, high) = inner.split_once(',')?;
            return Some(Self {
                low: number(low.trim())?,
                high: number(high.trim())?,
                low_within: label.starts_with('['),
                high_within: label.ends_with(']'),
            });
        }
        // A minus may stand before either end: the hyphen between them is the first that has a number on both sides.
        label.match_indices('-').find_map(|(at, _)| {
            let (low, high) = (label[..at].trim(), label[at + 1..].trim());
            Some(closed(number(low)?, number(high)?))
        })
    }
}

/// A plain decimal: no exponent, no fraction bar.
pub(super) fn number(text: &str) -> Option<Share> {
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    (text.len() <= 26 && text.bytes().all(plain))
        .then(|| text.parse().ok())
        .flatten()
}

/// The decimal places of a number, `None` above nine.
fn places_of(number: Share) -> Option<u32> {
    (0..=9).find(|places| 10i128.pow(*places) % number.denominator() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ages() -> Numbers {
        Numbers::over(
            ["5", "56"].into_iter(),
            Some(Share::whole(1)),
            Some(Share::whole(60)),
        )
        .unwrap()
    }

    fn points(span: Option<Span>) -> Option<(u64, u64)> {
        span.map(|span| (span.low(), span.high()))
    }

    #[test]
    fn whole_numbers_and_both_kinds_of_intervals_are_read() {
        let ages = ages();
        assert_eq!(ages.count(), 60);
        assert_eq!(points(ages.span("21")), Some((20, 21)));
        assert_eq!(points(ages.span("5-6")), Some((4, 6)));
        assert_eq!(points(ages.span("[21, 60]")), Some((20, 60)));
        assert_eq!(points(ages.span("[21, 60)")), Some((20, 59)));
        assert_eq!(points(ages.span("(20,22]")), Some((20, 22)));
        assert_eq!(points(ages.span("50-99")), Some((49, 60)));
        assert_eq!(points(ages.run("30.5", "60")), Some((30, 60)));
        for label in [
            "61", "61-70", "young", "", "-", "5-", "[5, 6", "6-5", "1e1", "1/2", "20.5",
        ] {
            assert_eq!(ages.span(label), None, "{label}");
        }
    }

    #[test]
    fn a_minus_may_stand_before_either_end() {
        let cold = Numbers::over(["-9", "3"].into_iter(), None, None).unwrap();
        assert_eq!(points(cold.span("-9--7")), Some((0, 3)));
        assert_eq!(points(cold.span("-1-1")), Some((8, 11)));
        assert_eq!(points(cold.span("-8")), Some((1, 2)));
        assert_eq!(cold.text(0), "-9");
    }

    #[test]
    fn decimals_count_on_the_finest_place_of_the_data() {
        let doses = Numbers::over(["1", "1.5", "3"].into_iter(), None, None).unwrap();
        assert_eq!(doses.count(), 21);
        assert_eq!(points(doses.span("[1.5, 2)")), Some((5, 10)));
        assert_eq!(points(doses.span("[2, 3]")), Some((10, 21)));
        assert_eq!(points(doses.run("1.25", "1.55")), Some((3, 6)));
        assert_eq!(doses.text(3), "1.3");
        assert_eq!(doses.text(10), "2");
    }

    #[test]
    fn the_text_of_a_point_is_read_as_that_point() {
        let doses = Numbers::over(["-0.3", "0.25"].into_iter(), None, None).unwrap();
        for point in 0..doses.count() {
            assert_eq!(doses.span(&doses.text(point)), Some(Span::point(point)));
        }
    }

    #[test]
    fn a_domain_without_numbers_is_none() {
        assert!(Numbers::over(["a"].into_iter(), None, None).is_none());
        assert!(Numbers::over(["0.0000000001"].into_iter(), None, None).is_none());
    }
}
