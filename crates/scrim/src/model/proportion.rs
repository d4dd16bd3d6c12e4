//! One count over another, compared exactly with what a policy wrote.
//!
//! **Reading.** Both parts have up to 128 bits, so that a product of two counts fits; the comparison is by whole parts
//! and remainders (as in Euclid's algorithm) and never multiplies, so it cannot overflow.

use std::cmp::Ordering;

use crate::share::Share;

/// `part / whole` with a whole above zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proportion {
    part: u128,
    whole: u128,
}

impl Proportion {
    /// A proportion. A whole of zero is taken as one: an empty class has no part either.
    pub(super) fn new(part: impl Into<u128>, whole: impl Into<u128>) -> Self {
        Self {
            part: part.into(),
            whole: whole.into().max(1),
        }
    }

    /// Whether it is below, equal to or above a share.
    pub(super) fn compare(self, share: Share) -> Ordering {
        match u128::try_from(share.numerator()) {
            Ok(numerator) => compare(
                (self.part, self.whole),
                (numerator, share.denominator().unsigned_abs()),
            ),
            Err(_) => Ordering::Greater,
        }
    }

    /// The same as a share, for messages; the whole part alone where it does not fit.
    pub(super) fn share(self) -> Share {
        let parts = i128::try_from(self.part)
            .ok()
            .zip(i128::try_from(self.whole).ok());
        parts
            .and_then(|(part, whole)| Share::new(part, whole))
            .unwrap_or_else(|| {
                Share::whole(i128::try_from(self.part / self.whole).unwrap_or(i128::MAX))
            })
    }
}

/// Compares two fractions by their continued fractions.
fn compare(mut left: (u128, u128), mut right: (u128, u128)) -> Ordering {
    let mut turned = false;
    loop {
        let order = (left.0 / left.1).cmp(&(right.0 / right.1));
        let rests = (left.0 % left.1, right.0 % right.1);
        let order = order.then_with(|| match rests {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            _ => Ordering::Equal,
        });
        if order != Ordering::Equal || rests.0 == 0 {
            return if turned { order.reverse() } else { order };
        }
        // Both rests are above zero: of two fractions below one the smaller has the larger reciprocal.
        left = (left.1, rests.0);
        right = (right.1, rests.1);
        turned = !turned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_fractions_compare_as_their_cross_products() {
        for (a, b, c, d) in (0..8u128)
            .flat_map(|a| (1..8).map(move |b| (a, b)))
            .flat_map(|(a, b)| (0..8).flat_map(move |c| (1..8).map(move |d| (a, b, c, d))))
        {
            assert_eq!(
                compare((a, b), (c, d)),
                (a * d).cmp(&(c * b)),
                "{a}/{b} {c}/{d}"
            );
        }
    }

    #[test]
    fn neighbours_of_full_width_are_told_apart() {
        let large = u128::MAX;
        assert_eq!(
            compare((large - 1, large), (large - 2, large - 1)),
            Ordering::Greater
        );
        assert_eq!(compare((large, large), (1, 1)), Ordering::Equal);
        assert_eq!(
            Proportion::new(0u64, 3u64).compare(Share::whole(-1)),
            Ordering::Greater
        );
    }
}
