//! t-closeness.
//!
//! **Definition.** In each class the distribution of the sensitive attribute is at most *t* away from that of the table, by
//! the least transport that turns the one into the other.
//! **Reading.** The numbers of an order without a list are those that the published table has; a list counts whole.

use std::cmp::Reverse;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Signed;

use super::transport::{Mass, Places, Tree};
use super::{Cell, Finding, Fraction, Reference, Sensitive};
use crate::error::Error;
use crate::release::audit::Published;
use crate::release::policy::DistanceSpec;
use crate::share::Share;
use crate::table::Code;

pub(super) fn check(
    sensitive: &Sensitive<'_>,
    t: Share,
    distance: &DistanceSpec,
) -> Result<Finding, Error> {
    let reference = sensitive.reference()?;
    let ground = ground(sensitive, distance)?;
    let worst = sensitive
        .classes()
        .map(|(class, cells)| {
            let mass = Mass::new(cells, sensitive.size(class), &reference);
            (ground(&mass), Reverse(class))
        })
        .max();
    let broken = worst
        .filter(|(found, _)| *found > t.into())
        .map(|(found, class)| {
            let of = sensitive.name();
            (
                class.0,
                format!("`{of}` is {found} away from the table, but t is {t}"),
            )
        });
    Ok(Finding::exact(
        worst.map(|(found, class)| (found, class.0)),
        broken,
    ))
}

/// What the least transport of a mass costs.
type Ground = Box<dyn Fn(&Mass) -> Fraction + Send + Sync>;

fn ground(sensitive: &Sensitive<'_>, distance: &DistanceSpec) -> Result<Ground, Error> {
    Ok(match distance {
        DistanceSpec::Equal => Box::new(Mass::moved),
        DistanceSpec::Ordered(Some(order)) => {
            let places = listed(sensitive, order)?;
            Box::new(move |mass| places.work(mass))
        }
        DistanceSpec::Ordered(None) => {
            let places = numeric(sensitive)?;
            Box::new(move |mass| places.work(mass))
        }
        DistanceSpec::Hierarchical => {
            let tree = tree(sensitive)?;
            Box::new(move |mass| tree.work(mass))
        }
    })
}

/// How far shares of the values are from those of the published table.
pub(in super::super) struct Away {
    reference: Reference,
    ground: Ground,
}

/// Shares that are not told exactly are rounded to parts of this.
const PARTS: u64 = 1 << 32;

impl Away {
    pub(in super::super) fn new(
        published: &Published<'_>,
        of: &str,
        distance: &DistanceSpec,
    ) -> Result<Self, Error> {
        let sensitive = Sensitive::of(published, of)?;
        Ok(Self {
            reference: sensitive.reference()?,
            ground: ground(&sensitive, distance)?,
        })
    }

    /// The most that shares within bounds are away, as a fraction; shares whose bounds meet in small numbers are told exactly.
    pub(in super::super) fn at_most(
        &self,
        values: &[Code],
        low: &[BigInt],
        high: &[BigInt],
        total: &BigInt,
    ) -> Option<(BigInt, BigInt)> {
        let common = low
            .iter()
            .fold(total.clone(), |common, next| common.gcd(next));
        let small = u64::try_from(total / &common).ok();
        let exact = small.filter(|parts| *parts <= PARTS && low == high);
        let (weights, parts) = if let Some(parts) = exact {
            let weights: Vec<BigInt> = low.iter().map(|low| low / &common).collect();
            (weights, parts)
        } else {
            let middle = |(low, high): (&BigInt, &BigInt)| (low + high) * PARTS / (total * 2);
            let mut weights: Vec<BigInt> = low.iter().zip(high).map(middle).collect();
            let rest = BigInt::from(PARTS) - weights.iter().sum::<BigInt>();
            // What rounding left over goes to the first; what that does to its share is counted below.
            *weights.first_mut()? += rest;
            (weights, PARTS)
        };
        let cell = |(value, weight): (&Code, &BigInt)| {
            Some(Cell {
                class: 0,
                value: *value,
                rows: u64::try_from(weight).ok()?,
            })
        };
        let cells: Option<Vec<Cell>> = values.iter().zip(&weights).map(cell).collect();
        let mass = Mass::new(&cells?, parts, &self.reference);
        let (above, below) = (self.ground)(&mass).parts();
        // No two values are farther apart than 1, so each share adds at most what it may be off.
        let off: BigInt = weights
            .iter()
            .zip(low.iter().zip(high))
            .map(|(weight, (low, high))| {
                let here = weight * total;
                let (low, high) = (low * parts - &here, high * parts - &here);
                low.abs().max(high.abs())
            })
            .sum();
        let (above, below) = (BigInt::from(above), BigInt::from(below));
        let whole = total * parts;
        Some((above * &whole + off * &below, below * whole))
    }
}

fn listed(sensitive: &Sensitive<'_>, order: &[String]) -> Result<Places, Error> {
    let place = |_, text: &str| order.iter().position(|listed| listed == text);
    let of_value = sensitive.assign(place, "is not in the order of the policy")?;
    Ok(Places::new(of_value, order.len()))
}

fn numeric(sensitive: &Sensitive<'_>) -> Result<Places, Error> {
    let missing = sensitive.column.dictionary().missing();
    let number =
        |code, text: &str| -> Option<Share> { text.parse().ok().filter(|_| Some(code) != missing) };
    let numbers = sensitive.assign(number, "is no number")?;
    let mut sorted: Vec<Share> = numbers.iter().copied().flatten().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let place = |number: Share| sorted.binary_search(&number).ok();
    let of_value = numbers
        .into_iter()
        .map(|number| number.and_then(place))
        .collect();
    Ok(Places::new(of_value, sorted.len()))
}

fn tree(sensitive: &Sensitive<'_>) -> Result<Tree, Error> {
    let mut trees = sensitive.published.trees.iter();
    let (_, tree) = trees
        .find(|(name, _)| name == sensitive.name())
        .ok_or_else(|| {
            Error::Internal(format!(
                "the hierarchy of `{}` was not read",
                sensitive.name()
            ))
        })?;
    let leaf = |_, text: &str| tree.leaf(text);
    let leaves = sensitive.assign(leaf, "has no leaf in its hierarchy")?;
    Ok(Tree::new(tree.clone(), leaves))
}
