//! The largest share of a class that may have a value: a fraction, or a root that is never drawn.

use std::cmp::Ordering;

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

#[derive(Clone, Debug, PartialEq, Eq)]
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
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cap {
    /// By size. A root is compared by what it allows: after its horizon a person's cap is the room, which may be above it.
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.most, &other.most) {
            (Most::Ratio(left), Most::Ratio(right)) => left.cmp(right),
            (Most::Root(left), Most::Root(right)) => left.cmp(right),
            _ if (self.near - other.near).abs() > TOO_NEAR => self.near.total_cmp(&other.near),
            (Most::Ratio(ratio), Most::Root(root)) => order(ratio, root),
            (Most::Root(root), Most::Ratio(ratio)) => order(ratio, root).reverse(),
        }
    }
}

/// A ratio beside a root; of equal ones the ratio is first.
fn order(ratio: &Exact, root: &Root) -> Ordering {
    if root.allows(ratio) {
        Ordering::Less
    } else {
        Ordering::Greater
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

    /// The cap in units of 2^-40, rounded up: sums of it are exact bounds, whatever the denominators.
    pub(super) fn units(&self) -> u64 {
        const UNITS: f64 = (1u64 << Cap::UNIT_BITS) as f64;
        match &self.most {
            Most::Ratio(most) if !most.is_positive() => 0,
            Most::Ratio(most) => {
                let units = (most.numer() << Self::UNIT_BITS).div_ceil(most.denom());
                units.to_u64().unwrap_or(u64::MAX)
            }
            Most::Root(_) => ((self.near + TOO_NEAR) * UNITS).ceil() as u64,
        }
    }

    /// See [`Cap::units`].
    pub(super) const UNIT_BITS: u32 = 40;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u32, denominator: u32) -> Cap {
        Cap::ratio(Exact::new(numerator.into(), denominator.into()))
    }

    /// 1 - (1/2)^(1/3), about 0.206.
    fn root() -> Cap {
        Cap::root(Root {
            horizon: 3,
            kept: Exact::new(1.into(), 2.into()),
        })
    }

    #[test]
    fn a_root_stands_where_its_size_puts_it() {
        // It was below every ratio: a room of 1/3, after the horizon, then counted as the smaller cap of a class.
        let mut caps = vec![ratio(1, 3), root(), ratio(1, 5), ratio(21, 100)];
        caps.sort();
        assert_eq!(caps, [ratio(1, 5), root(), ratio(21, 100), ratio(1, 3)]);
        assert_eq!(root().cmp(&root()), Ordering::Equal);
    }

    #[test]
    fn units_are_never_below_the_cap() {
        let unit = 1u64 << Cap::UNIT_BITS;
        assert_eq!(ratio(1, 2).units(), unit / 2);
        assert_eq!(ratio(1, 3).units(), unit / 3 + 1);
        assert_eq!(Cap::ratio(Exact::from_integer((-1).into())).units(), 0);
        let root = root().units();
        assert!(root >= unit / 5 && root <= unit / 4, "{root}");
    }
}
