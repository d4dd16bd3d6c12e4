//! l-diversity, in four kinds.
//!
//! **Definition.** For a class of n rows whose sensitive values have the counts r1 >= r2 >= .. >= rm. *Distinct*:
//! m >= l. *Entropy*: the entropy of the counts is at least ln l. *Recursive*: r1 < c (rl + .. + rm). *Frequency*: no
//! value has more than 1/l of the rows.
//! **Reading.** With l above m the sum is 0 and the class is broken. What the entropy reaches exactly it reaches; where
//! floats cannot tell and it is no tie, the class counts as broken.

use super::exact::{GUARD, log_ratio};
use super::p_sensitive::fewest_values;
use super::sensitive::most;
use super::{Cell, Finding, Fraction, Sensitive};
use crate::error::Error;
use crate::release::policy::DiversityKind;
use crate::share::Share;

pub(super) fn check(
    sensitive: &Sensitive<'_>,
    kind: DiversityKind,
    l: Share,
    c: Option<Share>,
) -> Result<Finding, Error> {
    let whole = u64::try_from(l.numerator()).unwrap_or(u64::MAX);
    match (kind, c) {
        (DiversityKind::Distinct, _) => Ok(fewest_values(sensitive, "l", whole)),
        (DiversityKind::Entropy, _) => Ok(entropy(sensitive, l)),
        (DiversityKind::Recursive, Some(c)) => Ok(recursive(sensitive, c, whole)),
        (DiversityKind::Recursive, None) => Err(Error::Internal(
            "recursive l-diversity without a `c`".to_owned(),
        )),
        (DiversityKind::Frequency, _) => Ok(frequency(sensitive, l)),
    }
}

fn recursive(sensitive: &Sensitive<'_>, c: Share, l: u64) -> Finding {
    let skipped = usize::try_from(l.saturating_sub(1)).unwrap_or(usize::MAX);
    let ratio = |cells: &[Cell]| {
        let mut counts: Vec<u64> = cells.iter().map(|cell| cell.rows).collect();
        counts.sort_unstable();
        let rare: u64 = counts.iter().rev().skip(skipped).sum();
        Fraction::new(counts.last().copied().unwrap_or(0), rare)
    };
    let worst = sensitive
        .classes()
        .map(|(class, cells)| (ratio(cells), std::cmp::Reverse(class)))
        .max();
    let of = sensitive.name();
    let broken = worst.filter(|(ratio, _)| *ratio >= c.into()).map(|(ratio, class)| {
        let found = if ratio.is_finite() {
            let as_many = if ratio == Fraction::new(1_u64, 1_u64) {
                "as many rows as".to_owned()
            } else {
                format!("{ratio} times the rows of")
            };
            format!("the commonest value of `{of}` has {as_many} all but the {skipped} commonest, but c is {c}")
        } else {
            format!("fewer distinct values of `{of}` than l, which is {l}")
        };
        (class.0, found)
    });
    Finding::exact(worst.map(|(ratio, class)| (ratio, class.0)), broken)
}

fn frequency(sensitive: &Sensitive<'_>, l: Share) -> Finding {
    let worst = sensitive
        .classes()
        .map(|(class, cells)| (Fraction::new(sensitive.size(class), most(cells)), class))
        .min();
    let of = sensitive.name();
    let told = |(spread, class): (Fraction, usize)| {
        let share = spread.inverse();
        (
            class,
            format!("a value of `{of}` in {share} of the rows, but l is {l}"),
        )
    };
    let broken = worst.filter(|(spread, _)| *spread < l.into()).map(told);
    Finding::exact(worst, broken)
}

fn entropy(sensitive: &Sensitive<'_>, l: Share) -> Finding {
    let mut least: Option<(f64, usize)> = None;
    let mut broken: Option<(f64, usize)> = None;
    for (class, cells) in sensitive.classes() {
        let mut counts: Vec<u64> = cells.iter().map(|cell| cell.rows).collect();
        counts.sort_unstable();
        let nats = nats(&counts);
        let is_less = |best: Option<(f64, usize)>| best.is_none_or(|(best, _)| nats < best);
        if is_less(least) {
            least = Some((nats, class));
        }
        if is_less(broken) && !reaches(&counts, nats, l) {
            broken = Some((nats, class));
        }
    }
    Finding {
        observed: least.map(|(nats, _)| nats.exp()).into(),
        worst: least
            .iter()
            .chain(&broken)
            .map(|(_, class)| *class)
            .collect(),
        broken: broken.map(|(nats, class)| {
            let (of, values) = (sensitive.name(), nats.exp());
            (
                class,
                format!(
                    "an entropy of `{of}` as of {values:.6} equally frequent values, but l is {l}"
                ),
            )
        }),
        ..Finding::default()
    }
}

/// The entropy: each row's surprise, ln(n / count), on average.
fn nats(counts: &[u64]) -> f64 {
    let rows: u64 = counts.iter().sum();
    let surprise = |count: u64| log_ratio(rows.into(), count.into()) * count as f64;
    counts.iter().map(|count| surprise(*count)).sum::<f64>() / rows as f64
}

/// Whether counts have an entropy of at least ln l.
pub(in super::super) fn reaches_entropy(mut counts: Vec<u64>, l: Share) -> bool {
    counts.sort_unstable();
    reaches(&counts, nats(&counts), l)
}

fn reaches(counts: &[u64], nats: f64, l: Share) -> bool {
    let asked = log_ratio(l.numerator().unsigned_abs(), l.denominator().unsigned_abs());
    // Every value adds a rounding of its own.
    let guard = (GUARD + counts.len() as f64 * f64::EPSILON) * (1.0 + asked.max(nats));
    nats > asked + guard || (nats >= asked - guard && is_tie(counts, l))
}

/// Whether the entropy is ln l exactly: for l = a/b, whether (n b)^n = a^n r1^r1 .. rm^rm, prime by prime.
///
/// Entropy knows proportions only, so the counts are divided by what they have in common. In a tie a prime of a divides
/// n, for a and b have none in common, and likewise a prime of b divides a count: no others need be looked at.
fn is_tie(counts: &[u64], l: Share) -> bool {
    let common = counts.iter().fold(0, |divisor, count| gcd(divisor, *count));
    let counts: Vec<u64> = counts.iter().map(|count| count / common.max(1)).collect();
    let rows: u64 = counts.iter().sum();
    let (mut above, mut below) = (l.numerator().unsigned_abs(), l.denominator().unsigned_abs());
    let mut distinct = counts.clone();
    distinct.push(rows);
    distinct.sort_unstable();
    distinct.dedup();
    let mut primes: Vec<u64> = distinct.into_iter().flat_map(primes_of).collect();
    primes.sort_unstable();
    primes.dedup();
    for prime in primes {
        let n = i128::from(rows);
        let left = n * (exponent(&mut rows.into(), prime) + exponent(&mut below, prime));
        let right = n * exponent(&mut above, prime)
            + counts
                .iter()
                .map(|count| i128::from(*count) * exponent(&mut (*count).into(), prime))
                .sum::<i128>();
        if left != right {
            return false;
        }
    }
    above == 1 && below == 1
}

fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 {
        left
    } else {
        gcd(right, left % right)
    }
}

/// The prime divisors of a count.
fn primes_of(mut number: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            primes.push(divisor);
            while number.is_multiple_of(divisor) {
                number /= divisor;
            }
        }
        divisor += 1;
    }
    if number > 1 {
        primes.push(number);
    }
    primes
}

/// How often a prime divides a number, which is left without it.
fn exponent(number: &mut u128, prime: u64) -> i128 {
    let mut times = 0;
    while number.is_multiple_of(u128::from(prime)) {
        *number /= u128::from(prime);
        times += 1;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diverse(counts: &[u64], l: &str) -> bool {
        reaches(counts, nats(counts), l.parse().unwrap())
    }

    #[test]
    fn ties_reach_what_they_tie_with() {
        assert!(diverse(&[7, 7], "2") && diverse(&[1, 1, 1], "3"));
        // 8^8 / 4^4 = 2^16 = 4^8.
        assert!(diverse(&[1, 1, 1, 1, 4], "4"));
        assert!(diverse(&[100_000, 100_000, 100_000, 100_000, 400_000], "4"));
        assert!(!diverse(&[99_999, 100_000, 100_000, 100_000, 400_001], "4"));
        assert!(diverse(&[100_000, 100_000, 100_000, 100_001, 399_999], "4"));
        assert!(diverse(&[5], "1") && !diverse(&[5], "1.000001"));
        assert!(!diverse(&[7, 7], "2.0000000000001"));
    }
}
