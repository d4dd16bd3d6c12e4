//! The largest share of a class that may have a value: a fraction, or a root that is never drawn.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, pow};

use super::pace::Exact;

/// Floats this near to each other do not decide.
const TOO_NEAR: f64 = 1e-9;

/// 1 - kept^(1/horizon).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Root {
    pub(super) horizon: u64,
    pub(super) kept: Exact,
}

impl Root {
    /// Whether a share is no larger.
    pub(super) fn allows(&self, share: &Exact) -> bool {
        let rest = Exact::one() - share;
        if rest.is_negative() {
            return false;
        }
        if !share.is_positive() {
            return true;
        }
        let power = usize::try_from(self.horizon).unwrap_or(usize::MAX);
        pow(rest, power) >= self.kept
    }

    fn near(&self) -> f64 {
        1.0 - nearest(&self.kept).powf(1.0 / self.horizon as f64)
    }
}

/// The nearest float: for pictures, and for verdicts that are not near.
pub fn nearest(exact: &Exact) -> f64 {
    // Beyond what floats hold both parts lose the same low bits.
    let bits = exact
        .numer()
        .bits()
        .max(exact.denom().bits())
        .saturating_sub(1000);
    let part = |number: &BigInt| (number >> bits).to_f64().unwrap_or(0.0);
    part(exact.numer()) / part(exact.denom()).max(f64::MIN_POSITIVE)
}

/// The largest share of a class that may have a value.
#[derive(Clone, Debug)]
pub struct Cap {
    most: Most,
    near: f64,
    /// The same above and below zero, where both fit: most caps are such.
    small: Option<(u64, u64)>,
}

// A cap by root is the schedule's own, which no cap of the same pace is above.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Most {
    Ratio(Exact),
    Root(Root),
}

impl PartialEq for Cap {
    fn eq(&self, other: &Self) -> bool {
        self.most == other.most
    }
}

impl Eq for Cap {}

impl PartialOrd for Cap {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cap {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.most.cmp(&other.most)
    }
}

impl Cap {
    pub(super) fn ratio(most: Exact) -> Self {
        Self {
            near: nearest(&most),
            small: most
                .numer()
                .to_u64()
                .filter(|above| *above > 0)
                .zip(most.denom().to_u64()),
            most: Most::Ratio(most),
        }
    }

    pub(super) fn root(root: Root) -> Self {
        Self {
            near: root.near(),
            small: None,
            most: Most::Root(root),
        }
    }

    /// Whether `linked` of `rows` rows may have the value.
    pub fn allows(&self, linked: u64, rows: u64) -> bool {
        if let Some((above, below)) = self.small {
            let product = |left: u64, right: u64| u128::from(left) * u128::from(right);
            return product(linked, below) <= product(above, rows.max(1));
        }
        let share = linked as f64 / rows.max(1) as f64;
        if (share - self.near).abs() > TOO_NEAR {
            return share < self.near;
        }
        let (linked, rows) = (BigInt::from(linked), BigInt::from(rows.max(1)));
        match &self.most {
            Most::Ratio(most) => linked * most.denom() <= most.numer() * rows,
            Most::Root(root) => root.allows(&Exact::new(linked, rows)),
        }
    }

    /// Whether no class at all may have the value.
    pub fn is_spent(&self) -> bool {
        matches!(&self.most, Most::Ratio(most) if !most.is_positive())
    }

    /// The smallest class in which so many rows may have the value; none where there is none of any size.
    pub fn least_size(&self, linked: u64) -> Option<u64> {
        if self.is_spent() {
            return (linked == 0).then_some(0);
        }
        if linked == 0 {
            return Some(0);
        }
        if let Some((above, below)) = self.small {
            let rows = (u128::from(linked) * u128::from(below)).div_ceil(above.into());
            return u64::try_from(rows).ok().map(|rows| rows.max(linked));
        }
        if let Most::Ratio(most) = &self.most
            && self.near < TOO_NEAR
        {
            let rows = (BigInt::from(linked) * most.denom()).div_ceil(most.numer());
            return rows.to_u64();
        }
        // A float is off by one at most.
        let mut rows = ((linked as f64 / self.near).ceil() as u64).max(linked);
        while !self.allows(linked, rows) {
            rows += 1;
        }
        while rows > linked && self.allows(linked, rows - 1) {
            rows -= 1;
        }
        Some(rows)
    }

    /// The fewest made-up rows that a class of `rows` rows needs so that `linked` of them may have the value.
    pub fn counterfeits(&self, linked: u64, rows: u64) -> Option<u64> {
        self.least_size(linked)
            .map(|least| least.saturating_sub(rows))
    }
}
