//! Numbers of arrangements.

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::property::BigRational;

/// In how many orders rows with these counts of values can stand: n! / Π m!.
///
/// By the powers of its primes, so that no factorial is ever made.
pub(super) fn arrangements(counts: &[u32]) -> BigUint {
    let all: u32 = counts.iter().sum();
    let mut composite = vec![false; all as usize + 1];
    let mut powers = Vec::new();
    for prime in 2..=all {
        if composite[prime as usize] {
            continue;
        }
        let multiples = (prime as usize..=all as usize).step_by(prime as usize);
        multiples.for_each(|multiple| composite[multiple] = true);
        let below: u32 = counts.iter().map(|count| in_factorial(*count, prime)).sum();
        let power = in_factorial(all, prime) - below;
        if power > 0 {
            powers.push(BigUint::from(prime).pow(power));
        }
    }
    product(powers)
}

/// How often a prime divides n!.
fn in_factorial(n: u32, prime: u32) -> u32 {
    let (mut left, mut power) = (n, 0);
    while left > 0 {
        left /= prime;
        power += left;
    }
    power
}

/// The product, by halves: factors of like length are multiplied.
pub(super) fn product(mut factors: Vec<BigUint>) -> BigUint {
    while factors.len() > 1 {
        factors = factors
            .chunks(2)
            .map(|pair| pair.iter().product())
            .collect();
    }
    factors.pop().unwrap_or_else(BigUint::one)
}

/// A fraction of two counts; the lower one is above zero.
pub(super) fn fraction(above: impl Into<BigUint>, below: impl Into<BigUint>) -> BigRational {
    BigRational::new(BigInt::from(above.into()), BigInt::from(below.into()))
}

/// Binomial coefficients, made once.
#[derive(Debug, Default)]
pub(super) struct Binomials {
    rows: Vec<Vec<BigUint>>,
}

impl Binomials {
    /// n over k, for k up to n.
    pub(super) fn of(&mut self, n: u32, k: u32) -> &BigUint {
        while self.rows.len() <= n as usize {
            let mut next = vec![BigUint::one()];
            if let Some(last) = self.rows.last() {
                next.extend(last.windows(2).map(|pair| &pair[0] + &pair[1]));
                next.push(BigUint::one());
            }
            self.rows.push(next);
        }
        &self.rows[n as usize][k.min(n) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_are_multinomials() {
        let small = |counts: &[u32]| arrangements(counts).to_string();
        assert_eq!(small(&[2, 1, 1]), "12");
        assert_eq!(small(&[5]), "1");
        assert_eq!(small(&[]), "1");
        assert_eq!(small(&[10, 10]), "184756");
        assert_eq!(Binomials::default().of(20, 10).to_string(), "184756");
    }
}
