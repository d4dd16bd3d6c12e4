//! Whether the entropy of counts reaches log l, decided without trusting a rounded logarithm.
//!
//! **Definition.** For counts n1 .. nm that add up to n, entropy >= log l is n^n >= l^n * n1^n1 * .. * nm^nm.
//! **Reading.** Equal counts are decided by m >= l. Else the logarithm of the quotient is computed in floats with a bound
//! of its error: outside that bound its sign decides. Inside it the two sides are compared by their factors, which
//! tells exactly whether they are equal: then the class is diverse. A class that is not equal and still within the
//! bound (an entropy that differs from log l in the thirteenth place) counts as not diverse: the safe side.

use num_integer::Integer;

use super::proportion::Proportion;
use crate::share::Share;

/// Whether these counts, which add up to `rows`, have an entropy of at least log l; `l` is at least 1.
pub(super) fn reaches(counts: &[u32], rows: u64, l: Share) -> bool {
    let distinct = Proportion::new(counts.len() as u64, 1u64);
    // No entropy is above that of equal counts.
    if distinct.compare(l).is_lt() {
        return false;
    }
    if counts.iter().all(|count| *count == counts[0]) {
        return true;
    }
    let (surplus, error) = surplus(counts, rows, l);
    surplus > error || (surplus >= -error && is_equal(counts, rows, l))
}

/// The number of equally frequent values with the same entropy, in floats: for messages.
pub(super) fn effective_values(counts: &[u32], rows: u64) -> f64 {
    let rows = rows as f64;
    let nats = |count: &u32| {
        let part = f64::from(*count) / rows;
        -part * part.ln()
    };
    counts.iter().map(nats).sum::<f64>().exp()
}

/// The logarithm of the one side over the other, and how far it can be off.
fn surplus(counts: &[u32], rows: u64, l: Share) -> (f64, f64) {
    let n = rows as f64;
    let above = n * (n.ln() + (l.denominator() as f64).ln());
    let l_term = n * (l.numerator() as f64).ln();
    let below: f64 = counts
        .iter()
        .map(|count| f64::from(*count) * f64::from(*count).ln())
        .sum();
    // Every term and every partial sum is at most `all`; each is rounded a few times. A rounded integer under a
    // logarithm is off by a part of one, which `n` covers.
    let all = above + l_term + below + n;
    let error = (counts.len() as f64 + 16.0) * f64::EPSILON * all;
    (above - l_term - below, error)
}

/// Whether (n * denominator)^n = numerator^n * n1^n1 * .. * nm^nm.
fn is_equal(counts: &[u32], rows: u64, l: Share) -> bool {
    let n = i128::from(rows);
    let mut factors = Factors::default();
    factors.multiply(rows.into(), n);
    factors.multiply(l.denominator().unsigned_abs(), n);
    factors.multiply(l.numerator().unsigned_abs(), -n);
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    for equal in sorted.chunk_by(|left, right| left == right) {
        factors.multiply(equal[0].into(), -i128::from(equal[0]) * equal.len() as i128);
    }
    factors.is_one()
}

/// A product of powers whose bases have no common divisor: it is one only where every exponent is zero.
#[derive(Debug, Default)]
struct Factors(Vec<(u128, i128)>);

impl Factors {
    fn multiply(&mut self, base: u128, exponent: i128) {
        let mut open = vec![(base, exponent)];
        while let Some((base, exponent)) = open.pop() {
            if base == 1 {
                continue;
            }
            let shared = self.0.iter().position(|(known, _)| known.gcd(&base) > 1);
            let Some(at) = shared else {
                self.0.push((base, exponent));
                continue;
            };
            let (known, power) = self.0.swap_remove(at);
            let common = known.gcd(&base);
            open.push((common, power + exponent));
            open.push((known / common, power));
            open.push((base / common, exponent));
        }
    }

    fn is_one(&self) -> bool {
        self.0.iter().all(|(_, exponent)| *exponent == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_compared_without_being_computed() {
        let mut factors = Factors::default();
        factors.multiply(12, 1_000_000);
        factors.multiply(18, -1_000_000);
        factors.multiply(2, -1_000_000);
        assert!(!factors.is_one());
        factors.multiply(3, 1_000_000);
        assert!(factors.is_one());
    }

    #[test]
    fn a_tie_between_unequal_counts_is_found() {
        // Counts 2, 1, 1: 4^4 = 256 and 2^2 = 4, so l^4 = 64 and l = 2 * 2^(1/2); 8, 4, 4 is its double.
        // Counts 4, 1, 1, 1, 1: 8^8 / 4^4 = 2^16, so l = 4 exactly.
        assert!(reaches(&[4, 1, 1, 1, 1], 8, Share::whole(4)));
        let (surplus, error) = surplus(&[4, 1, 1, 1, 1], 8, Share::whole(4));
        assert!(surplus.abs() <= error);
        let scaled = [400_000, 100_000, 100_000, 100_000, 100_000];
        assert!(reaches(&scaled, 800_000, Share::whole(4)));
        let more = [400_001, 100_000, 100_000, 100_000, 99_999];
        assert!(!reaches(&more, 800_000, Share::whole(4)));
        let less = [399_999, 100_001, 100_000, 100_000, 100_000];
        assert!(reaches(&less, 800_000, Share::whole(4)));
    }

    #[test]
    fn a_fraction_may_be_asked_for() {
        let l: Share = "2.8".parse().unwrap();
        assert!(reaches(&[2, 1, 1], 4, l)); // 2.828..
        assert!(!reaches(&[2, 1, 1], 4, "2.83".parse().unwrap()));
    }
}
