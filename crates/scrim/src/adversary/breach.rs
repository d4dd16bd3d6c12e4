//! The breach probability of one guard, in one class or in several together.
//!
//! **Definition.** Somebody knows that a person is one of *n* who may own the rows of a class. The person's breach
//! probability is that a random assignment of rows to persons gives them a row whose value lies below their guard
//! ([XiaoTao06], Definitions 3, 9 and 10, Theorems 1 and 2). A row that shows a taxon lies below the guard with the share of the
//! taxon's leaves that lie there (*Fpercent*). Where a person owns at most one row, the shares are added up and divided
//! by n; where a person may own any number, every row misses by itself with probability 1 - share / n.
//! A person whose rows lie in several classes is breached by a row of any of them: 1 minus the product over the classes of
//! 1 - the probability in each, since what owns the rows of one class says nothing about another.
//! **Reading.** The sum and the product run over all rows of the class: this is what both theorems come to where
//! published values do not overlap, and what enumeration gives where they do. The guard itself lies below the guard.
//! Only the non-primary case has persons in several classes.
//! **Cost.** O(depth of the guard) to gather; powers of whole numbers only where floats are too near to the bound.
//! **Oracle.** The enumeration in `tests/breach.rs`.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub, One, checked_pow};

use crate::release::policy::Case;
use crate::share::Share;

/// Logarithms this near to each other, as a part of themselves, do not decide.
const TOO_NEAR: f64 = 1e-11;

/// The breach probability of a guard in a class, as the counts that it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    case: Case,
    persons: u64,
    /// Rows that lie wholly below the guard.
    inside: u64,
    /// Rows that may lie below it.
    partly: Vec<Partly>,
    /// The same of the other classes that the person has rows in.
    elsewhere: Vec<Breach>,
}

/// Rows that lie below the guard with the probability `part / whole`, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Partly {
    rows: u64,
    part: u64,
    whole: u64,
}

impl Breach {
    /// Among so many persons, with so many rows that show values below the guard.
    pub fn new(case: Case, persons: u64, inside: u64) -> Self {
        Self {
            case,
            persons: persons.max(1),
            inside,
            partly: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    /// The same guard of the same person in these classes together: of the non-primary case. None of no class.
    pub fn together(classes: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut classes = classes.into_iter();
        let mut first = classes.next()?;
        first.elsewhere.extend(classes);
        Some(first)
    }

    /// Adds rows of which `part` of `whole` leaves lie below the guard.
    pub fn add(&mut self, rows: u64, part: u64, whole: u64) {
        let divisor = part.gcd(&whole);
        if rows == 0 || part == 0 || divisor == 0 {
            return;
        }
        if part >= whole {
            self.inside += rows;
            return;
        }
        self.partly.push(Partly {
            rows,
            part: part / divisor,
            whole: whole / divisor,
        });
    }

    /// The persons among whom the owner is sought.
    pub fn persons(&self) -> u64 {
        self.persons
    }

    /// The probability, for reports and pictures.
    pub fn value(&self) -> f64 {
        if let Some((above, below)) = self.fraction::<u128>() {
            return above as f64 / below as f64;
        }
        match self.case {
            Case::Primary => {
                let share =
                    |piece: &Partly| piece.rows as f64 * (piece.part as f64 / piece.whole as f64);
                let sum = self.inside as f64 + self.partly.iter().map(share).sum::<f64>();
                sum / self.persons as f64
            }
            Case::NonPrimary => -self.log_of_missing().exp_m1(),
        }
    }

    /// The probability as a fraction in lowest terms, where its denominator has about so many digits at most.
    pub fn exact(&self, digits: u32) -> Option<String> {
        fn told<T: One + PartialEq + std::fmt::Display>(above: &T, below: &T) -> String {
            if below.is_one() {
                above.to_string()
            } else {
                format!("{above}/{below}")
            }
        }
        if let Some((above, below)) = self.fraction::<u128>() {
            return Some(told(&above, &below));
        }
        if self.digits() > f64::from(digits) {
            return None;
        }
        let (above, below) = self.fraction::<BigUint>()?;
        Some(told(&above, &below))
    }

    /// Whether the probability is above a limit from 0 to 1: exactly.
    pub fn is_above(&self, limit: Share) -> bool {
        let most = limit.numerator().max(0).unsigned_abs();
        let of = limit.denominator().unsigned_abs();
        if most >= of {
            return false;
        }
        if let Some((above, below)) = self.unreduced::<u128>() {
            return wide(above, of) > wide(most, below);
        }
        if self.case == Case::NonPrimary {
            // P > p where the logarithm of 1 - P is below that of 1 - p.
            let (found, bound) = (self.log_of_missing(), log_of_rest(most, of));
            if (found - bound).abs() > TOO_NEAR * found.abs().max(bound.abs()) {
                return found < bound;
            }
        }
        let exactly = self.unreduced::<BigUint>();
        exactly.is_none_or(|(above, below)| above * of > below * most)
    }

    /// ln(1 - P) of the non-primary case.
    fn log_of_missing(&self) -> f64 {
        let whole = Partly {
            rows: self.inside,
            part: 1,
            whole: 1,
        };
        let all = self
            .partly
            .iter()
            .chain((self.inside > 0).then_some(&whole));
        let log = |piece: &Partly| {
            let of = u128::from(piece.whole) * u128::from(self.persons);
            piece.rows as f64 * log_of_rest(piece.part.into(), of)
        };
        let here: f64 = all.map(log).sum();
        here + self.elsewhere.iter().map(Self::log_of_missing).sum::<f64>()
    }

    /// About how many decimal digits the denominator has before it is reduced.
    fn digits(&self) -> f64 {
        let persons = (self.persons as f64).log10();
        let partly = self.partly.iter();
        match self.case {
            Case::Primary => {
                persons
                    + partly
                        .map(|piece| (piece.whole as f64).log10())
                        .sum::<f64>()
            }
            Case::NonPrimary => {
                let digits =
                    |piece: &Partly| piece.rows as f64 * (persons + (piece.whole as f64).log10());
                let here = self.inside as f64 * persons + partly.map(digits).sum::<f64>();
                here + self.elsewhere.iter().map(Self::digits).sum::<f64>()
            }
        }
    }

    /// The probability in lowest terms; nothing where the numbers do not hold it.
    fn fraction<T: Whole>(&self) -> Option<(T, T)> {
        let (above, below): (T, T) = self.unreduced()?;
        let divisor = above.gcd(&below);
        Some((above / divisor.clone(), below / divisor))
    }

    /// The probability as it comes: a common divisor of large powers would cost far more than the powers.
    fn unreduced<T: Whole>(&self) -> Option<(T, T)> {
        match self.case {
            Case::Primary => self.sum(),
            Case::NonPrimary => {
                let (missed, all) = self.missed()?;
                let hit = T::checked_sub(&all, &missed)?;
                Some((hit, all))
            }
        }
    }

    /// (inside + Σ rows · part / whole) / n.
    fn sum<T: Whole>(&self) -> Option<(T, T)> {
        let (mut above, mut below) = (T::from(self.inside), T::one());
        for piece in &self.partly {
            let more = T::from(piece.rows).checked_mul(&T::from(piece.part))?;
            above = above
                .checked_mul(&T::from(piece.whole))?
                .checked_add(&more.checked_mul(&below)?)?;
            below = below.checked_mul(&T::from(piece.whole))?;
        }
        Some((above, below.checked_mul(&T::from(self.persons))?))
    }

    /// (1 - 1/n)^inside · Π (1 - part / (whole · n))^rows, over all classes.
    fn missed<T: Whole>(&self) -> Option<(T, T)> {
        let power = |base: T, rows: u64| checked_pow(base, usize::try_from(rows).ok()?);
        let persons = T::from(self.persons);
        let mut missed = power(T::from(self.persons - 1), self.inside)?;
        let mut all = power(persons.clone(), self.inside)?;
        for piece in &self.partly {
            let of = T::from(piece.whole).checked_mul(&persons)?;
            let rest = of.checked_sub(&T::from(piece.part))?;
            missed = missed.checked_mul(&power(rest, piece.rows)?)?;
            all = all.checked_mul(&power(of, piece.rows)?)?;
        }
        for class in &self.elsewhere {
            let (missed_there, all_there) = class.missed::<T>()?;
            missed = missed.checked_mul(&missed_there)?;
            all = all.checked_mul(&all_there)?;
        }
        Some((missed, all))
    }
}

/// Whole numbers of some width.
trait Whole: From<u64> + Clone + One + CheckedAdd + CheckedMul + CheckedSub + Integer {}

impl<T: From<u64> + Clone + One + CheckedAdd + CheckedMul + CheckedSub + Integer> Whole for T {}

/// ln(1 - part / of), off by a small part of itself.
fn log_of_rest(part: u128, of: u128) -> f64 {
    if part < of / 2 {
        (-(part as f64 / of as f64)).ln_1p()
    } else {
        ((of - part) as f64 / of as f64).ln()
    }
}

/// A product in 256 bits, high half first.
fn wide(left: u128, right: u128) -> (u128, u128) {
    let (low, high) = left.carrying_mul(right, 0);
    (high, low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_examples_come_out() {
        let share = |text: &str| text.parse::<Share>().unwrap();
        // Example 1 and 2: four rows, two of them wholly below the guard, five persons.
        let primary = Breach::new(Case::Primary, 5, 2);
        let other = Breach::new(Case::NonPrimary, 5, 2);
        assert_eq!(primary.exact(9).unwrap(), "2/5");
        assert_eq!(other.exact(9).unwrap(), "9/25");
        assert!(!primary.is_above(share("2/5")) && primary.is_above(share("0.39")));
        assert!(!other.is_above(share("9/25")) && other.is_above(share("8/25")));
        // Examples 3 and 4: two rows that show three leaves, one of them guarded, two persons.
        for (case, told) in [(Case::Primary, "1/3"), (Case::NonPrimary, "11/36")] {
            let mut breach = Breach::new(case, 2, 0);
            breach.add(2, 1, 3);
            assert_eq!(breach.exact(9).unwrap(), told);
        }
    }

    #[test]
    fn large_powers_are_decided_exactly_where_floats_are_too_near() {
        let mut breach = Breach::new(Case::NonPrimary, 7, 60);
        breach.add(40, 3, 9);
        let text = breach.exact(1_000).unwrap();
        assert!(text.len() > 80 && breach.fraction::<u128>().is_none());
        let limit = Share::new(1_000_000_000_000_000_000, 1_000_000_000_000_000_001).unwrap();
        // 1 - P is about 1e-5: far from the limit, on either side of it.
        assert!(!breach.is_above(limit) && breach.is_above(Share::new(1, 2).unwrap()));
        // 4/2^40 - 6/2^80 + … against 4/2^40: the floats are too near to each other.
        let near = Breach::new(Case::NonPrimary, 1 << 40, 4);
        assert!(near.fraction::<u128>().is_none());
        let exactly = near.fraction::<BigUint>().unwrap();
        assert!(exactly.0 * (1u64 << 38) < exactly.1);
        assert!(!near.is_above(Share::new(1, 1 << 38).unwrap()));
        assert!((near.value() * (1u64 << 38) as f64 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_large_class_is_decided_on_either_side_of_a_near_limit() {
        let mut breach = Breach::new(Case::NonPrimary, 5_000, 3_000);
        breach.add(2_000, 1, 3);
        let of = 1_000_000_000_000_000i128;
        let near = (breach.value() * of as f64).round() as i128;
        // Within a hundred-billionth of the logarithms, so the powers decide; known to a tenth of that from the float.
        let (log, bound) = (
            breach.log_of_missing(),
            log_of_rest((near + 20) as u128, of as u128),
        );
        assert!((log - bound).abs() < TOO_NEAR * bound.abs());
        assert!(breach.is_above(Share::new(near - 20, of).unwrap()));
        assert!(!breach.is_above(Share::new(near + 20, of).unwrap()));
    }

    #[test]
    fn two_classes_with_one_half_each_are_three_quarters() {
        let half = || Breach::new(Case::NonPrimary, 2, 1);
        let both = Breach::together([half(), half()]).unwrap();
        assert_eq!(half().exact(9).unwrap(), "1/2");
        assert_eq!(both.exact(9).unwrap(), "3/4");
        assert!(!both.is_above(Share::new(3, 4).unwrap()));
        assert!(both.is_above(Share::new(749, 1000).unwrap()));
        // Powers beyond 128 bits are multiplied as well.
        let many = || Breach::new(Case::NonPrimary, 1 << 40, 4);
        let both = Breach::together([many(), many()]).unwrap();
        assert!(both.fraction::<u128>().is_none());
        assert!(both.is_above(Share::new(7, 1 << 40).unwrap()));
        assert!(!both.is_above(Share::new(8, 1 << 40).unwrap()));
    }

    #[test]
    fn a_single_person_is_breached_by_any_guarded_row() {
        let breach = Breach::new(Case::NonPrimary, 1, 100_000);
        assert!(breach.is_above(Share::new(999, 1000).unwrap()) && !breach.is_above(Share::ONE));
        assert_eq!(breach.exact(9).unwrap(), "1");
        assert!(!Breach::new(Case::NonPrimary, 3, 0).is_above(Share::ZERO));
    }
}
