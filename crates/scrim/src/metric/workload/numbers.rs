//! An axis of numbers: all multiples of the finest decimal place of the data from one bound to the other.
//!
//! **Reading.** Labels are read as [`Interval`] reads them. An end between two points counts as the next point inside. What lies
//! beyond the bounds is cut off: no value of the data is there.

use super::span::Span;
use crate::hierarchy::{Decimal, Interval};
use crate::share::Share;

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
        let values: Vec<Decimal> = values.filter_map(Decimal::parse).collect();
        let from = match from {
            Some(from) => decimal(from)?,
            None => *values.iter().min()?,
        };
        let to = match to {
            Some(to) => decimal(to)?,
            None => *values.iter().max()?,
        };
        let places = values
            .iter()
            .chain([&from, &to])
            .map(|value| value.places());
        let places = places.max().filter(|places| *places <= 9)?;
        let low = from.ceiling(places);
        let count = u64::try_from(to.floor(places) - low + 1).ok()?;
        (1..1 << 60).contains(&count).then_some(Self {
            from: low,
            count,
            places,
        })
    }

    /// How many numbers there are: at least one.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The numbers that a label stands for.
    pub(super) fn span(&self, label: &str) -> Option<Span> {
        self.between(&Interval::parse(label.trim())?)
    }

    /// The numbers from one to another, both within.
    pub(super) fn run(&self, from: &str, to: &str) -> Option<Span> {
        let (from, to) = (Decimal::parse(from)?, Decimal::parse(to)?);
        self.between(&Interval::closed(from, to))
    }

    /// A point as a number.
    pub(super) fn text(&self, point: u64) -> String {
        let scaled = self.from + i128::from(point);
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
        let (low, high) = interval.steps(self.places);
        let cut = |at: i128| (at - self.from).clamp(0, i128::from(self.count)) as u64;
        Span::new(cut(low), cut(high + 1))
    }
}

/// A bound of the policy as a decimal; nothing where it is none.
fn decimal(bound: Share) -> Option<Decimal> {
    let places = (0..=9u32).find(|places| 10i128.pow(*places) % bound.denominator() == 0)?;
    let scaled = bound.checked_mul(Share::whole(10i128.pow(places)))?;
    Decimal::of_steps(scaled.numerator(), places)
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
