//! A table with guards, and what is published of it.
//!
//! **Definition.** \[XiaoTao06\], Equations 4 to 6: a published value that covers x of the N values of its domain loses (x - 1) / N; a
//! row loses the weighted sum over its columns; a table the sum over its rows.
//! **Reading.** Numeric domains are whole numbers from..to. A weight of none for the sensitive column forbids its generalization: a
//! factor of infinity times nought would say nothing.

use std::collections::BTreeMap;

use super::{GuardedRow, Taxonomy, sensitive_generalizations};
use crate::Fraction;

/// The domain of a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The whole numbers from..to, both among them.
    Numeric {
        /// The least.
        from: i64,
        /// The greatest.
        to: i64,
    },
    /// The leaves of a tree.
    Categorical(Taxonomy),
}

/// A quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Its weight in the loss.
    pub weight: Fraction,
}

/// A published value of a quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The whole numbers between the ends, both among them.
    Interval(i64, i64),
    /// A taxon of the column's tree.
    Taxon(usize),
}

/// A row of the microdata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalRow {
    /// By attribute: the number, or the index of the leaf.
    pub quasi: Vec<i64>,
    /// The sensitive value, the guard and the person.
    pub secret: GuardedRow,
}

/// A published row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRow {
    /// By attribute: what is published.
    pub quasi: Vec<Part>,
    /// The published taxon of the sensitive tree.
    pub sensitive: usize,
}

/// A table with the wishes of its persons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalTable {
    /// The quasi-identifiers.
    pub attributes: Vec<Attribute>,
    /// The tree of the sensitive column.
    pub tree: Taxonomy,
    /// The weight of the sensitive column; none forbids to generalize it.
    pub sensitive_weight: Option<Fraction>,
    /// The rows.
    pub rows: Vec<PersonalRow>,
    /// The greatest breach probability that is borne.
    pub p: Fraction,
    /// Whether no person has two rows.
    pub primary: bool,
}

impl Domain {
    /// The whole domain as one part.
    #[must_use]
    pub fn whole(&self) -> Part {
        match self {
            Self::Numeric { from, to } => Part::Interval(*from, *to),
            Self::Categorical(tree) => Part::Taxon(tree.root()),
        }
    }

    /// Whether the part covers the value.
    #[must_use]
    pub fn covers(&self, part: Part, value: i64) -> bool {
        match (self, part) {
            (Self::Numeric { .. }, Part::Interval(low, high)) => (low..=high).contains(&value),
            (Self::Categorical(tree), Part::Taxon(taxon)) => {
                tree.leaves_below(taxon).contains(&(value as usize))
            }
            _ => false,
        }
    }

    /// The loss of the part: how many other values it covers, over the values of the domain.
    ///
    /// # Panics
    /// When the part is of the other kind.
    #[must_use]
    pub fn loss(&self, part: Part) -> Fraction {
        match (self, part) {
            (Self::Numeric { from, to }, Part::Interval(low, high)) => {
                Fraction::new((high - low).into(), (to - from + 1).into())
            }
            (Self::Categorical(tree), Part::Taxon(taxon)) => taxon_loss(tree, taxon),
            _ => panic!("the part is not of this domain"),
        }
    }

    /// The part as a text: `5-6`, `21`, or the name of the taxon.
    ///
    /// # Panics
    /// When the part is of the other kind.
    #[must_use]
    pub fn label(&self, part: Part) -> String {
        match (self, part) {
            (_, Part::Interval(low, high)) if low == high => low.to_string(),
            (_, Part::Interval(low, high)) => format!("{low}-{high}"),
            (Self::Categorical(tree), Part::Taxon(taxon)) => tree.name(taxon).to_owned(),
            _ => panic!("the part is not of this domain"),
        }
    }
}

fn taxon_loss(tree: &Taxonomy, taxon: usize) -> Fraction {
    let others = tree.leaves_below(taxon).len() - 1;
    Fraction::new(others as i128, tree.leaves().len() as i128)
}

/// The best SA-generalization of each class seen so far, by its rows.
pub(super) type Known = BTreeMap<Vec<usize>, Option<Vec<usize>>>;

impl PersonalTable {
    /// What the rows lose as published.
    #[must_use]
    pub fn loss(&self, published: &[PublishedRow]) -> Fraction {
        published
            .iter()
            .map(|row| {
                let quasi: Fraction = self
                    .attributes
                    .iter()
                    .zip(&row.quasi)
                    .map(|(attribute, part)| attribute.weight * attribute.domain.loss(*part))
                    .sum();
                quasi + self.sensitive_loss(row.sensitive)
            })
            .sum()
    }

    /// What a published sensitive value loses; where generalization is forbidden there is nothing to lose.
    #[must_use]
    pub fn sensitive_loss(&self, taxon: usize) -> Fraction {
        self.sensitive_weight.unwrap_or(Fraction::ZERO) * taxon_loss(&self.tree, taxon)
    }

    /// The secret parts of these rows.
    #[must_use]
    pub fn secrets(&self, rows: &[usize]) -> Vec<GuardedRow> {
        rows.iter().map(|row| self.rows[*row].secret).collect()
    }

    /// The rows by equal published quasi-identifiers.
    #[must_use]
    pub fn classes(published: &[PublishedRow]) -> Vec<Vec<usize>> {
        let mut classes: BTreeMap<&[Part], Vec<usize>> = BTreeMap::new();
        for (row, published) in published.iter().enumerate() {
            classes.entry(&published.quasi).or_default().push(row);
        }
        classes.into_values().collect()
    }

    /// The table published by these parts of each attribute with the least safe SA-generalization of each class; none where a class
    /// has no such.
    pub(super) fn publish(
        &self,
        partitions: &[Vec<Part>],
        known: &mut Known,
    ) -> Option<Vec<PublishedRow>> {
        let mut published: Vec<PublishedRow> = self
            .rows
            .iter()
            .map(|row| PublishedRow {
                quasi: self.parts(partitions, row),
                sensitive: row.secret.leaf,
            })
            .collect();
        for class in Self::classes(&published) {
            let values = self.least(&class, known)?;
            for (row, value) in class.iter().zip(values) {
                published[*row].sensitive = value;
            }
        }
        Some(published)
    }

    fn parts(&self, partitions: &[Vec<Part>], row: &PersonalRow) -> Vec<Part> {
        let cover = |((attribute, parts), value): ((&Attribute, &Vec<Part>), &i64)| {
            *parts
                .iter()
                .find(|part| attribute.domain.covers(**part, *value))
                .expect("the parts cover every value that occurs")
        };
        self.attributes
            .iter()
            .zip(partitions)
            .zip(&row.quasi)
            .map(cover)
            .collect()
    }

    /// The least safe SA-generalization of a class. A class seen before is not tried again: section 4.1 says so, too.
    pub(super) fn least(&self, class: &[usize], known: &mut Known) -> Option<Vec<usize>> {
        if let Some(values) = known.get(class) {
            return values.clone();
        }
        let secrets = self.secrets(class);
        let values = sensitive_generalizations(&self.tree, &secrets, self.p, self.primary)
            .minimal
            .filter(|values| self.sensitive_weight.is_some() || unchanged(&secrets, values));
        known.insert(class.to_vec(), values.clone());
        values
    }
}

fn unchanged(secrets: &[GuardedRow], values: &[usize]) -> bool {
    secrets
        .iter()
        .zip(values)
        .all(|(row, value)| row.leaf == *value)
}
