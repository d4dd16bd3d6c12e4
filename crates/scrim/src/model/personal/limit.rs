//! The breach probability of a guard against a limit, decided exactly.
//!
//! **Definition.** Of a class, *b* rows may show the guard, each with probability *c*, the share of the published taxon's
//! leaves that lie below the guard; *n* persons may own them. Primary: b·c/n ([XiaoTao06], Theorem 1). Non-primary:
//! 1 − (1 − c/n)^b (Theorem 2). Several classes together: 1 − Π (1 − c/n)^b.
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

impl Exposure {
    /// The logarithm of 1 less the breach probability of the non-primary case.
    pub(super) fn log_of_missing(self) -> f64 {
        let all = u128::from(self.wide) * u128::from(self.persons);
        let guard = u128::from(self.guard);
        match self.rows {
            0 => 0.0,
            _ if guard >= all => f64::NEG_INFINITY,
            rows => rows as f64 * (-(guard as f64) / all as f64).ln_1p(),
        }
    }
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

    /// Whether the breach probability is above the limit in so many classes like this one together.
    pub(super) fn exceeded_in(&self, exposure: Exposure, classes: u32) -> bool {
        let rows = exposure.rows.saturating_mul(u64::from(classes));
        self.exceeded(Exposure { rows, ..exposure })
    }

    /// Whether the breach probability over several classes together is above the limit: of the non-primary case.
    pub(super) fn exceeded_together(
        &self,
        classes: impl Iterator<Item = Exposure> + Clone,
    ) -> bool {
        let classes = classes.filter(|exposure| exposure.rows > 0);
        if self.above >= self.below {
            return false;
        }
        let log: f64 = classes.clone().map(Exposure::log_of_missing).sum();
        let doubt = 1e-12 * (log.abs() + self.log_rest.abs());
        if !log.is_finite() || (log - self.log_rest).abs() > doubt {
            return log < self.log_rest;
        }
        let (mut missed, mut all) = (BigUint::from(1u8), BigUint::from(1u8));
        for exposure in classes {
            let of = u128::from(exposure.wide) * u128::from(exposure.persons);
            missed *= pow(
                &BigUint::from(of - u128::from(exposure.guard)),
                exposure.rows,
            );
            all *= pow(&BigUint::from(of), exposure.rows);
        }
        missed * self.below < all * (self.below - self.above)
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
        let log = exposure.log_of_missing();
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
    fn two_classes_with_one_half_each_are_three_quarters() {
        let half = Exposure {
            rows: 1,
            persons: 2,
            guard: 1,
            wide: 1,
        };
        let together = |limit: &str, classes: &[Exposure]| {
            let limit = Limit::new(limit.parse().unwrap(), Ownership::NonPrimary);
            limit.exceeded_together(classes.iter().copied())
        };
        assert!(!together("3/4", &[half, half]));
        assert!(together(
            "749999999999999999/1000000000000000000",
            &[half, half]
        ));
        assert!(!together("1/2", &[half]) && together("1/2", &[half, half]));
        let none = Exposure { rows: 0, ..half };
        assert!(!together("1/2", &[half, none]) && !together("0", &[none, none]));
        let certain = Exposure { persons: 1, ..half };
        assert!(together("999/1000", &[half, certain]) && !together("1", &[certain]));
        let limit = Limit::new("3/4".parse().unwrap(), Ownership::NonPrimary);
        assert!(!limit.exceeded_in(half, 2) && limit.exceeded_in(half, 3));
    }

    #[test]
    fn limits_of_many_digits_are_compared_exactly() {
        let near = "1/1000000000000000000000000000000";
        assert!(exceeded(near, Ownership::Primary, [1, u64::MAX, 1, 9]));
        assert!(exceeded(near, Ownership::NonPrimary, [1, 4, 1, 9]));
        assert!(!exceeded("1", Ownership::NonPrimary, [9, 1, 1, 1]));
    }
}
