//! A run of points of an axis: what a condition asks for and what a label stands for are the same thing.

/// A run of points, from `low` up to, but not with, `high`; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    low: u64,
    high: u64,
}

impl Span {
    /// The points from `low` up to, but not with, `high`, or nothing where there are none.
    pub fn new(low: u64, high: u64) -> Option<Self> {
        (low < high).then_some(Self { low, high })
    }

    /// One point.
    pub fn point(at: u64) -> Self {
        Self {
            low: at,
            high: at.saturating_add(1),
        }
    }

    /// Its first point.
    pub fn low(self) -> u64 {
        self.low
    }

    /// The first point after it.
    pub fn high(self) -> u64 {
        self.high
    }

    /// How many points it has: at least one.
    pub fn points(self) -> u64 {
        self.high - self.low
    }

    /// The smallest run that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The probability that a point drawn from this run lies in another.
    pub fn share_within(self, asked: Self) -> f64 {
        let common = self
            .high
            .min(asked.high)
            .saturating_sub(self.low.max(asked.low));
        if common == self.points() {
            1.0
        } else {
            common as f64 / self.points() as f64
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "quarters are exact")]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_the_common_part_of_the_label() {
        let label = Span::new(4, 8).unwrap();
        let share = |low, high| label.share_within(Span::new(low, high).unwrap());
        assert_eq!(share(0, 4), 0.0);
        assert_eq!(share(0, 5), 0.25);
        assert_eq!(share(5, 7), 0.5);
        assert_eq!(share(7, 20), 0.25);
        assert_eq!(share(0, 20), 1.0);
        assert_eq!(share(8, 9), 0.0);
        assert_eq!(Span::new(3, 3), None);
    }
}
