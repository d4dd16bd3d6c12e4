//! l-diversity of one class, in four kinds, and (alpha, k)-anonymity.
//!
//! **Definition.** Distinct: at least l values. Entropy: -sum p ln p >= ln l. Recursive: with counts r1 >= .. >= rm,
//! r1 < c (rl + .. + rm). Frequency: no value in more than 1/l of the rows. (alpha, k): no value, or not this one, in more than
//! alpha of the rows.
//! **Reading.** Entropy is compared as whole numbers: with l = a/b, (n b)^n >= a^n times the product of all ni^ni.

use std::collections::BTreeMap;

use crate::Fraction;

/// How often each value occurs.
pub(super) fn counts<'a>(values: &[&'a str]) -> BTreeMap<&'a str, i128> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(*value).or_insert(0) += 1;
    }
    counts
}

/// Whether there are at least l values.
#[must_use]
pub fn distinct_l_diverse(values: &[&str], l: usize) -> bool {
    counts(values).len() >= l
}

/// Whether the entropy is at least log l.
#[must_use]
pub fn entropy_l_diverse(values: &[&str], l: Fraction) -> bool {
    let rows = values.len() as i128;
    let mut left = Natural::one();
    let mut right = Natural::one();
    left.multiply(rows * l.denominator(), rows);
    right.multiply(l.numerator(), rows);
    for count in counts(values).into_values() {
        right.multiply(count, count);
    }
    left.is_at_least(&right)
}

/// Whether the commonest value is rarer than c times all but the l - 1 commonest.
#[must_use]
pub fn recursive_cl_diverse(values: &[&str], c: Fraction, l: usize) -> bool {
    let mut sorted: Vec<i128> = counts(values).into_values().collect();
    sorted.sort_unstable_by(|left, right| right.cmp(left));
    let tail: i128 = sorted.iter().skip(l - 1).sum();
    Fraction::whole(sorted[0]) < c * Fraction::whole(tail)
}

/// Whether no value has more than 1/l of the rows.
#[must_use]
pub fn frequency_l_diverse(values: &[&str], l: Fraction) -> bool {
    alpha_k(values, None, Fraction::ONE / l)
}

/// Whether this value, or every value, has at most alpha of the rows.
#[must_use]
pub fn alpha_k(values: &[&str], value: Option<&str>, alpha: Fraction) -> bool {
    counts(values)
        .into_iter()
        .filter(|(found, _)| value.is_none_or(|value| value == *found))
        .all(|(_, count)| Fraction::new(count, values.len() as i128) <= alpha)
}

/// A whole number of any size, the lowest digits first.
#[derive(Debug)]
struct Natural(Vec<u32>);

impl Natural {
    fn one() -> Self {
        Self(vec![1])
    }

    fn multiply(&mut self, factor: i128, times: i128) {
        let factor = u64::try_from(factor).expect("the factors of a test are small");
        for _ in 0..times {
            let mut carry = 0;
            for digit in &mut self.0 {
                let product = u128::from(*digit) * u128::from(factor) + carry;
                *digit = product as u32;
                carry = product >> 32;
            }
            while carry > 0 {
                self.0.push(carry as u32);
                carry >>= 32;
            }
        }
    }

    fn is_at_least(&self, other: &Self) -> bool {
        (self.0.len(), self.0.iter().rev().collect::<Vec<_>>())
            >= (other.0.len(), other.0.iter().rev().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Natural, alpha_k, entropy_l_diverse, recursive_cl_diverse};
    use crate::Fraction;

    #[test]
    fn natural_numbers_grow_beyond_any_word() {
        let [mut left, mut right] = [Natural::one(), Natural::one()];
        left.multiply(6, 100);
        right.multiply(2, 100);
        assert!(left.is_at_least(&right) && !right.is_at_least(&left));
        right.multiply(3, 100);
        assert!(left.is_at_least(&right) && right.is_at_least(&left));
    }

    #[test]
    fn ties_hold_where_the_definition_has_at_least() {
        assert!(entropy_l_diverse(&["a", "b"], Fraction::whole(2)));
        assert!(!entropy_l_diverse(&["a", "a", "b"], Fraction::whole(2)));
        assert!(alpha_k(&["a", "b"], Some("a"), Fraction::new(1, 2)));
        assert!(!recursive_cl_diverse(&["a", "b"], Fraction::ONE, 2));
    }
}
