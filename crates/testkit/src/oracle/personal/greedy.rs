//! Figure 4 of \[XiaoTao06\], word by word.
//!
//! **Definition.** Each attribute begins with one part. Every round tries all splits of one part of one attribute (a numeric part at
//! each point, a taxon into its children), generalizes the sensitive values of each class in the least safe way, and keeps the split
//! of the least loss; it ends when no split loses less than the table before.
//! **Reading.** Candidates come by attribute, part and split point, ascending, and replace the best only when strictly better. A table
//! with a class that cannot be published loses infinitely much; when the first table is such, the rounds begin all the same.

use super::{Attribute, Domain, Part, PersonalTable, PublishedRow};
use crate::Fraction;

use super::table::Known;

/// Which points of a numeric part are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splits {
    /// All of them, as the paper says.
    All,
    /// Between two neighbouring values of the data only the first and the last point: the loss is linear between them.
    Ends,
}

/// A round that found something better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreedyStep {
    /// The attribute that was refined.
    pub attribute: usize,
    /// The part that was split.
    pub split: Part,
    /// Into what.
    pub into: Vec<Part>,
    /// The loss afterwards.
    pub loss: Fraction,
}

/// What Figure 4 returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreedyOutcome {
    /// The final parts of each attribute, ascending.
    pub partitions: Vec<Vec<Part>>,
    /// The table, in the order of the rows.
    pub published: Vec<PublishedRow>,
    /// Its loss.
    pub loss: Fraction,
    /// The loss of the unsplit table, where it can be published.
    pub initial: Option<Fraction>,
    /// The rounds.
    pub trace: Vec<GreedyStep>,
}

/// Figure 4; none when it finds no table to publish.
#[must_use]
pub fn greedy(table: &PersonalTable, splits: Splits) -> Option<GreedyOutcome> {
    let mut known = Known::new();
    let mut partitions: Vec<Vec<Part>> = table
        .attributes
        .iter()
        .map(|attribute| vec![attribute.domain.whole()])
        .collect();
    let mut published = table.publish(&partitions, &mut known);
    let initial = published.as_ref().map(|rows| table.loss(rows));
    let mut least = initial;
    let mut trace = Vec::new();
    loop {
        let mut best = None;
        for (attribute, position, into) in candidates(table, &partitions, splits) {
            let mut refined = partitions.clone();
            refined[attribute].splice(position..=position, into.iter().copied());
            let Some(rows) = table.publish(&refined, &mut known) else {
                continue;
            };
            let loss = table.loss(&rows);
            if least.is_none_or(|least| loss < least) {
                least = Some(loss);
                let split = partitions[attribute][position];
                let step = GreedyStep {
                    attribute,
                    split,
                    into,
                    loss,
                };
                best = Some((step, refined, rows));
            }
        }
        let Some((step, refined, rows)) = best else {
            break;
        };
        trace.push(step);
        partitions = refined;
        published = Some(rows);
    }
    Some(GreedyOutcome {
        partitions,
        published: published?,
        loss: least?,
        initial,
        trace,
    })
}

/// Every split of one part of one attribute: the attribute, the position of the part, and what it becomes.
fn candidates(
    table: &PersonalTable,
    partitions: &[Vec<Part>],
    splits: Splits,
) -> Vec<(usize, usize, Vec<Part>)> {
    let mut candidates = Vec::new();
    for (attribute, parts) in partitions.iter().enumerate() {
        for (position, part) in parts.iter().enumerate() {
            for into in refinements(table, attribute, *part, splits) {
                candidates.push((attribute, position, into));
            }
        }
    }
    candidates
}

fn refinements(
    table: &PersonalTable,
    attribute: usize,
    part: Part,
    splits: Splits,
) -> Vec<Vec<Part>> {
    let Attribute { domain, .. } = &table.attributes[attribute];
    match (domain, part) {
        (Domain::Categorical(tree), Part::Taxon(taxon)) => {
            let children: Vec<Part> = tree.children(taxon).into_iter().map(Part::Taxon).collect();
            if children.is_empty() {
                Vec::new()
            } else {
                vec![children]
            }
        }
        (Domain::Numeric { .. }, Part::Interval(low, high)) => {
            points(table, attribute, low, high, splits)
                .into_iter()
                .map(|point| vec![Part::Interval(low, point), Part::Interval(point + 1, high)])
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The points x that split low..high into low..x and x + 1..high, ascending.
fn points(
    table: &PersonalTable,
    attribute: usize,
    low: i64,
    high: i64,
    splits: Splits,
) -> Vec<i64> {
    if splits == Splits::All {
        return (low..high).collect();
    }
    let mut points = vec![low, high - 1];
    for row in &table.rows {
        points.extend([row.quasi[attribute] - 1, row.quasi[attribute]]);
    }
    points.retain(|point| (low..high).contains(point));
    points.sort_unstable();
    points.dedup();
    points
}
