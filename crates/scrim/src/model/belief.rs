//! What an onlooker believes of one row, judged by the models of its class.
//!
//! **Definition.** A belief gives each sensitive value a share; the shares add up to one. Somebody who knows only that a row
//! stands in a class believes of it the shares of the class ([Zhang07], section 2.1: every permutation within the class is as
//! likely); somebody who knows more believes something else. A model that speaks of the values of a class speaks of a belief
//! as of a class of as many rows that has these shares.
//! **Reading.** Beliefs may be known by bounds only. Then a model holds when it does for every belief within them; where that
//! would be hard to tell the answer is no. Bounds that meet are a belief, and the answer is exact.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use super::Exact;
use crate::share::Share;
use crate::table::Code;

/// All beliefs about a row within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Beliefs<'a> {
    /// The rows of the class in which the row stands.
    pub rows: u64,
    /// The values.
    pub codes: &'a [Code],
    /// The least and the largest share of each value.
    pub bounds: &'a [(Exact, Exact)],
}

/// A model that can judge what is believed of a row.
pub trait BeliefModel {
    /// Whether it holds for all these beliefs.
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool;
    /// Whether other names of the values could change a verdict.
    fn names_values(&self) -> bool {
        false
    }
    /// Where a class of so many rows is broken exactly when some value has at least q rows: that q.
    fn least_failing(&self, _rows: u64) -> Option<u64> {
        None
    }
}

impl Beliefs<'_> {
    /// The largest share of any value.
    pub(super) fn highest(&self) -> Exact {
        self.top(1)
    }

    /// The largest sum of the shares of so many values.
    pub(super) fn top(&self, values: usize) -> Exact {
        let mut highs: Vec<&Exact> = self.bounds.iter().map(|(_, high)| high).collect();
        highs.sort_unstable_by(|left, right| right.cmp(left));
        let sum: Exact = highs.into_iter().take(values).sum();
        let mut lows: Vec<&Exact> = self.bounds.iter().map(|(low, _)| low).collect();
        lows.sort_unstable();
        let others = lows.len().saturating_sub(values);
        // What the others have at least cannot be theirs.
        let rest: Exact = lows.into_iter().take(others).sum();
        sum.min(Exact::one() - rest)
    }

    /// The largest share of one value.
    pub(super) fn high(&self, value: Code) -> Exact {
        let at = self.codes.iter().position(|code| *code == value);
        at.map_or_else(Exact::zero, |at| self.bounds[at].1.clone())
    }

    /// The values that are surely possible.
    pub(super) fn possible(&self) -> impl Iterator<Item = Code> {
        let pairs = self.codes.iter().zip(self.bounds);
        pairs
            .filter(|(_, (low, _))| *low > Exact::zero())
            .map(|(code, _)| *code)
    }

    /// Values with the bounds of their shares.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Code, &(Exact, Exact))> {
        self.codes.iter().copied().zip(self.bounds)
    }

    /// The least sum of unit weights of the rows, each value having its own.
    pub(super) fn least_weight(&self, unit: impl Fn(Code) -> u64) -> Exact {
        let mut sum = Exact::zero();
        let mut rest = Exact::one();
        let mut lightest: Option<u64> = None;
        for (code, (low, high)) in self.iter() {
            let unit = unit(code);
            sum += low * BigInt::from(unit);
            rest -= low;
            if high > low {
                lightest = Some(lightest.map_or(unit, |least| least.min(unit)));
            }
        }
        sum += rest * BigInt::from(lightest.unwrap_or(0));
        sum * BigInt::from(self.rows)
    }

    /// The belief in whole numbers without a common divisor, where the bounds meet and the numbers are not too large.
    pub(super) fn counts(&self) -> Option<Vec<u32>> {
        if self.bounds.iter().any(|(low, high)| low != high) {
            return None;
        }
        let common = self
            .bounds
            .iter()
            .fold(BigInt::one(), |common, (share, _)| {
                num_integer::lcm(common, share.denom().clone())
            });
        let count = |share: &Exact| u32::try_from((share * &common).to_integer()).ok();
        let counts: Option<Vec<u32>> = self.bounds.iter().map(|(share, _)| count(share)).collect();
        counts.map(|mut counts| {
            counts.retain(|count| *count > 0);
            counts
        })
    }
}

/// A parameter of a policy.
pub(super) fn rational(share: Share) -> Exact {
    Exact::new(share.numerator().into(), share.denominator().into())
}

/// One count over another.
pub(super) fn ratio(part: u64, whole: u64) -> Exact {
    Exact::new(part.into(), whole.max(1).into())
}

/// As a float, for what logarithms decide and for readers.
pub(crate) fn to_f64(exact: &Exact) -> f64 {
    let (above, below) = (exact.numer(), exact.denom());
    // Both are cut to a length that floats hold; the guard of who asks is wider than what is lost.
    let cut = above.bits().max(below.bits()).saturating_sub(900);
    let float = |number: &BigInt| (number >> cut).to_f64().unwrap_or(f64::NAN);
    float(above) / float(below)
}
