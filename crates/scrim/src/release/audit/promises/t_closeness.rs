//! t-closeness.
//!
//! **Definition.** In each class the distribution of the sensitive attribute is at most *t* away from that of the table, by
//! the least transport that turns the one into the other.
//! **Reading.** The numbers of an order without a list are those that the published table has; a list counts whole.

use std::cmp::Reverse;

use super::transport::{Mass, Places, Tree};
use super::{Finding, Fraction, Sensitive};
use crate::error::Error;
use crate::release::policy::DistanceSpec;
use crate::share::Share;

pub(super) fn check(
    sensitive: &Sensitive<'_>,
    t: Share,
    distance: &DistanceSpec,
) -> Result<Finding, Error> {
    let reference = sensitive.reference()?;
    let ground: Box<dyn Fn(&Mass) -> Fraction> = match distance {
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
    };
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
    Ok(Finding::exact(worst.map(|(found, _)| found), broken))
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
