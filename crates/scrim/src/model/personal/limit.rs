//! The breach probability of a guard against a limit, decided exactly.
//!
//! **Definition.** Of a class, *b* rows may show the guard, each with probability *c*, the share of the published taxon's
//! leaves that lie below the guard; *n* persons may own them. Primary: b·c/n ([XiaoTao06], Theorem 1). Non-primary:
//! 1 − (1 − c/n)^b (Theorem 2).
//! **Reading.** *n* is its lower bound, the persons of the class: what an onlooker with a larger list can tell is less.
//! **Holds because** the primary case compares whole numbers. The non-primary one compares logarithms while they lie
//! apart by more than floats can err, and whole powers otherwise.

use num_bigint::BigUint;

use crate::share::Share;

/// Whether a person may own several rows of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// Each row is a person of its own.
    Primary,
    /// A person may own any number of rows.
    NonPrimary,
}

/// The largest breach probability that is allowed.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    ownership: Ownership,
    above: u128,
    below: u128,
    /// The logarithm of what must remain.
    log_rest: f64,
}

/// What may show a guard: `rows` of a class of `persons`, at a taxon of `wide` leaves of which `guard` are guarded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exposure {
    pub(super) rows: u64,
    pub(super) persons: u64,
    pub(super) guard: u64,
    pub(super) wide: u64,
}

impl Limit {
    pub(super) fn new(breach: Share, ownership: Ownership) -> Self {
        let (above, below) = (
            breach.numerator().unsigned_abs(),
            breach.denominator().unsigned_abs(),
        );
        Self {
            ownership,
            above,
            below,
            log_rest: ((below.saturating_sub(above)) as f64 / below as f64).ln(),
        }
    }

    pub(super) fn ownership(&self) -> Ownership {
        self.ownership
    }

    /// Whether the breach probability is above the limit.
    #[inline]
    pub(super) fn exceeded(&self, exposure: Exposure) -> bool {
        match self.ownership {
            Ownership::Primary => self.exceeded_once(exposure),
            Ownership::NonPrimary => self.exceeded_often(exposure),
        }
    }

    fn exceeded_once(&self, exposure: Exposure) -> bool {
        let Exposure {
            rows,
            persons,
            guard,
            wide,
        } = exposure;
        let left = (u128::from(rows) * u128::from(guard)).checked_mul(self.below);
        let right = (u128::from(wide) * u128::from(persons)).checked_mul(self.above);
        match (left, right) {
            (Some(left), Some(right)) => left > right,
            _ => {
                BigUint::from(rows) * guard * self.below
                    > BigUint::from(wide) * persons * self.above
            }
        }
    }

    fn exceeded_often(&self, exposure: Exposure) -> bool {
        let Exposure {
            rows,
            persons,
            guard,
            wide,
        } = exposure;
        if rows == 0 || self.above >= self.below {
            return false;
        }
        let all = u128::from(wide) * u128::from(persons);
        let guard = u128::from(guard);
        if guard >= all {
            return true;
        }
        let log = rows as f64 * (-(guard as f64) / all as f64).ln_1p();
        // Each side errs by a few units in the last place: a millionth of a millionth is far beyond that.
        let doubt = 1e-12 * (log.abs() + self.log_rest.abs());
        if (log - self.log_rest).abs() > doubt {
            return log < self.log_rest;
        }
        let power = |base: u128| pow(&BigUint::from(base), rows);
        power(all - guard) * self.below < power(all) * (self.below - self.above)
    }
}

fn pow(base: &BigUint, exponent: u64) -> BigUint {
    match u32::try_from(exponent) {
        Ok(exponent) => base.pow(exponent),
        Err(_) => base.pow(u32::MAX) * pow(base, exponent - u64::from(u32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exceeded(limit: &str, ownership: Ownership, exposure: [u64; 4]) -> bool {
        let [rows, persons, guard, wide] = exposure;
        Limit::new(limit.parse().unwrap(), ownership).exceeded(Exposure {
            rows,
            persons,
            guard,
            wide,
        })
    }

    #[test]
    fn the_papers_examples_meet_their_own_limit_and_break_any_below() {
        use Ownership::{NonPrimary, Primary};
        let examples = [
            (Primary, [2, 5, 3, 3], "2/5", "399/1000"),
            (Primary, [2, 2, 1, 3], "1/3", "333333/1000000"),
            (
                NonPrimary,
                [2, 5, 3, 3],
                "9/25",
                "359999999999999/1000000000000000",
            ),
            (
                NonPrimary,
                [2, 2, 1, 3],
                "11/36",
                "305555555555555555/1000000000000000000",
            ),
        ];
        for (ownership, exposure, equal, less) in examples {
            assert!(!exceeded(equal, ownership, exposure), "{equal}");
            assert!(exceeded(less, ownership, exposure), "{less}");
        }
    }

    #[test]
    fn limits_of_many_digits_are_compared_exactly() {
        let near = "1/1000000000000000000000000000000";
        assert!(exceeded(near, Ownership::Primary, [1, u64::MAX, 1, 9]));
        assert!(exceeded(near, Ownership::NonPrimary, [1, 4, 1, 9]));
        assert!(!exceeded("1", Ownership::NonPrimary, [9, 1, 1, 1]));
    }
}
