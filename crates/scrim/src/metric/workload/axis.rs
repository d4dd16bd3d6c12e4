//! The domain of a column as a line of points, on which labels and conditions alike are runs.

use std::sync::Arc;

use super::leaves::Leaves;
use super::numbers::Numbers;
use super::span::Span;
use crate::hierarchy::{Hierarchy, is_star};
use crate::random::Random;
use crate::share::Share;
use crate::table::{Code, Column, Dictionary};

/// The domain of a column as a line of points: the numbers of an interval, or the leaves of a hierarchy in leaf order.
#[derive(Clone, Debug)]
pub struct Axis {
    name: String,
    scale: Scale,
    /// Where the data have missing values in a column of numbers: the point after the last number.
    missing_number: bool,
}

#[derive(Clone, Debug)]
enum Scale {
    Numbers(Numbers, Option<Leaves>),
    Leaves(Leaves),
}

impl Axis {
    /// The leaves of the hierarchy of an original column; `generated` where it was made from the column's values.
    pub fn leaves(column: &Column, tree: Arc<Hierarchy>, generated: bool) -> Self {
        let missing = missing_text(column.dictionary());
        Self {
            name: column.name().to_owned(),
            scale: Scale::Leaves(Leaves::new(tree, generated, missing)),
            missing_number: false,
        }
    }

    /// The numbers of an original column from one bound to another; a bound that is not given is taken from the data.
    /// Nothing where the column has no numbers. A taxon of the hierarchy that is no interval stands for the numbers from
    /// its least to its greatest leaf.
    pub fn numbers(
        column: &Column,
        from: Option<Share>,
        to: Option<Share>,
        tree: Option<Arc<Hierarchy>>,
    ) -> Option<Self> {
        let dictionary = column.dictionary();
        let missing = missing_text(dictionary);
        let numbers = Numbers::over(present(dictionary), from, to)?;
        let leaves = tree.map(|tree| Leaves::new(tree, true, missing));
        Some(Self {
            name: column.name().to_owned(),
            scale: Scale::Numbers(numbers, leaves),
            missing_number: missing.is_some(),
        })
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many points it has, the missing value included.
    pub fn points(&self) -> u64 {
        match &self.scale {
            Scale::Numbers(numbers, _) => numbers.count() + u64::from(self.missing_number),
            Scale::Leaves(leaves) => leaves.count(),
        }
    }

    /// The whole domain: what stars stand for.
    pub fn whole(&self) -> Span {
        Span::new(0, self.points()).unwrap_or(Span::point(0))
    }

    /// What each code of a column stands for, original or published, or the first code that stands for nothing here.
    pub fn read(&self, column: &Column) -> Result<Vec<Span>, Code> {
        let dictionary = column.dictionary();
        let by_name = match &self.scale {
            Scale::Numbers(numbers, leaves) => dictionary
                .texts()
                .map(|text| {
                    numbers
                        .span(text)
                        .or_else(|| hull(numbers, leaves.as_ref()?, text))
                })
                .collect(),
            Scale::Leaves(leaves) => leaves.published(dictionary.texts()),
        };
        (0..)
            .zip(dictionary.texts())
            .zip(by_name)
            .map(|((code, text), named)| match named {
                _ if is_star(text) => Ok(self.whole()),
                _ if dictionary.missing() == Some(code) && self.missing().is_some() => {
                    self.missing().map(Span::point).ok_or(code)
                }
                named => named.ok_or(code),
            })
            .collect()
    }

    /// The points that a condition asks for: from one value to another, both within, or, where the second text is empty,
    /// a single value, a taxon, an interval or stars. Nothing where the texts name no point.
    pub fn asked(&self, from: &str, to: &str) -> Option<Span> {
        if to.is_empty() {
            return self.meant(from);
        }
        match &self.scale {
            Scale::Numbers(numbers, _) => numbers.run(from, to),
            Scale::Leaves(leaves) => {
                let (first, last) = (leaves.meant(from)?, leaves.meant(to)?);
                Span::new(first.low(), last.high()).filter(|_| first.low() <= last.low())
            }
        }
    }

    /// How a condition is written, so that [`Axis::asked`] reads it.
    pub fn words(&self, span: Span) -> (String, String) {
        if span == self.whole() {
            return ("*".to_owned(), String::new());
        }
        match &self.scale {
            Scale::Numbers(numbers, _) => {
                let last = span.high() - 1;
                let to = if last == span.low() {
                    String::new()
                } else {
                    numbers.text(last)
                };
                (numbers.text(span.low()), to)
            }
            Scale::Leaves(leaves) => leaves.words(span),
        }
    }

    /// What a condition may be, in words.
    pub(super) fn expects(&self) -> &'static str {
        match &self.scale {
            Scale::Numbers(..) => {
                "write numbers of the domain, the smaller first, an interval like 20-29, or `*`"
            }
            Scale::Leaves(_) => {
                "write a value of the column, a taxon of its hierarchy, `*`, or two values in the order of the leaves"
            }
        }
    }

    /// A random run of so many percent of the points, to the nearest whole, at least one. Missing values are not asked for.
    pub(super) fn random_run(&self, percent: u64, random: &mut Random) -> Span {
        let points = (self.points() - u64::from(self.missing().is_some())).max(1);
        let length = ((u128::from(points) * u128::from(percent) + 50) / 100).max(1) as u64;
        let low = random.below(points - length + 1);
        Span::new(low, low + length).unwrap_or(Span::point(low))
    }

    /// A random condition on a quasi-identifier: a fifth of the numbers, or a taxon right below the root.
    pub(super) fn random_condition(&self, random: &mut Random) -> Span {
        match &self.scale {
            Scale::Numbers(..) => self.random_run(20, random),
            Scale::Leaves(leaves) => {
                let at = random.index(leaves.groups().len());
                leaves.groups().nth(at).unwrap_or(self.whole())
            }
        }
    }

    fn missing(&self) -> Option<u64> {
        match &self.scale {
            Scale::Numbers(numbers, _) => self.missing_number.then(|| numbers.count()),
            Scale::Leaves(leaves) => leaves.missing(),
        }
    }

    fn meant(&self, text: &str) -> Option<Span> {
        let named = match &self.scale {
            Scale::Numbers(numbers, leaves) => numbers
                .span(text)
                .or_else(|| hull(numbers, leaves.as_ref()?, text)),
            Scale::Leaves(leaves) => leaves.meant(text),
        };
        named.or_else(|| is_star(text).then(|| self.whole()))
    }
}

/// The numbers from the least to the greatest leaf of a taxon.
fn hull(numbers: &Numbers, leaves: &Leaves, text: &str) -> Option<Span> {
    leaves
        .values(leaves.meant(text)?)
        .map(|value| numbers.span(value))
        .try_fold(None, |hull: Option<Span>, span| {
            let span = span?;
            Some(Some(hull.map_or(span, |hull| hull.hull(span))))
        })
        .flatten()
}

fn missing_text(dictionary: &Dictionary) -> Option<&str> {
    dictionary.missing().map(|code| dictionary.text(code))
}

/// The texts that are not missing.
fn present(dictionary: &Dictionary) -> impl Iterator<Item = &str> {
    (0..)
        .zip(dictionary.texts())
        .filter(|(code, _)| Some(*code) != dictionary.missing())
        .map(|(_, text)| text)
}
