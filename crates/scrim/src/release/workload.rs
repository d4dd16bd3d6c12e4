//! Workloads of a policy: which columns queries speak of, and what is reported of their errors.

use std::sync::Arc;

use serde::Serialize;

use super::policy::{ColumnPolicy, HierarchyPolicy, Policy};
use super::prepare::Prepared;
use super::trees::Rows;
use crate::error::{Error, Place};
use crate::hierarchy::{Generated, Hierarchy};
use crate::metric::workload::{Answer, Axes, Axis, Draw, ErrorSummary, Misfit, Pairs, Query};
use crate::share::Share;
use crate::table::{Column, Table};

/// How far off the queries of a workload are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkloadReport {
    /// The relative errors of all queries.
    #[serde(flatten)]
    pub all: ErrorSummary,
    /// Those about the sensitive column alone.
    pub type1: ErrorSummary,
    /// Those with a condition on a quasi-identifier.
    pub type2: ErrorSummary,
    /// The sensitive column.
    pub of: String,
    /// The file that the queries are from; nothing where they are random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How they were drawn, where they are random.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomReport>,
}

/// How a random workload was drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomReport {
    /// The seed.
    pub seed: u64,
    /// The share of type-1 queries that was asked for.
    pub share: Share,
    /// The least share of the rows that a query selects.
    pub least: Share,
    /// How many queries were drawn again because they selected fewer.
    pub redrawn: u64,
}

impl WorkloadReport {
    /// Sums up the answers of queries from a file.
    pub fn of_file(axes: &Axes, queries: &[Query], answers: &[Answer], file: &str) -> Self {
        Self {
            file: Some(file.to_owned()),
            ..Self::new(axes, queries, answers)
        }
    }

    /// Sums up the answers of random queries.
    pub fn of_random(
        axes: &Axes,
        queries: &[Query],
        answers: &[Answer],
        draw: &Draw,
        redrawn: u64,
    ) -> Self {
        Self {
            random: Some(RandomReport {
                seed: draw.seed,
                share: draw.type1,
                least: draw.least,
                redrawn,
            }),
            ..Self::new(axes, queries, answers)
        }
    }

    fn new(axes: &Axes, queries: &[Query], answers: &[Answer]) -> Self {
        let of_type = |is_type1: bool| {
            let both = queries.iter().zip(answers);
            let these = both.filter(|(query, _)| query.quasi.is_none() == is_type1);
            ErrorSummary::of(these.map(|(_, answer)| *answer))
        };
        Self {
            all: ErrorSummary::of(answers.iter().copied()),
            type1: of_type(true),
            type2: of_type(false),
            of: axes.sensitive.name().to_owned(),
            file: None,
            random: None,
        }
    }
}

/// The columns that queries about the sensitive column `of` speak of, over the values of the original table.
pub fn axes_of(
    policy: &Policy,
    prepared: &Prepared,
    original: &Table,
    of: &ColumnPolicy,
) -> Result<Axes, Error> {
    let tree = prepared
        .sensitive
        .iter()
        .find(|(name, _)| *name == of.name)
        .map(|(_, tree)| Arc::clone(tree));
    let quasi = prepared.ladders.iter().map(|ladder| {
        let column = policy.column(ladder.name()).ok_or_else(|| {
            Error::Internal(format!("`{}` is no column of the policy", ladder.name()))
        })?;
        axis_of(column, Some(Arc::clone(ladder.hierarchy())), original)
    });
    Ok(Axes {
        sensitive: axis_of(of, tree, original)?,
        quasi: quasi.collect::<Result<_, _>>()?,
    })
}

fn axis_of(
    policy: &ColumnPolicy,
    tree: Option<Arc<Hierarchy>>,
    original: &Table,
) -> Result<Axis, Error> {
    let column = original
        .column(&policy.name)
        .ok_or_else(|| Error::Internal(format!("column `{}` was not read", policy.name)))?;
    let source = policy.hierarchy();
    let bounds = match (&policy.numeric, &source) {
        (Some(domain), _) => Some((domain.from, domain.to)),
        (None, HierarchyPolicy::Generated(Generated::Intervals(spec))) => {
            Some((Some(spec.from()), Some(spec.to())))
        }
        (None, _) => None,
    };
    if let Some((from, to)) = bounds {
        return Axis::numbers(column, from, to, tree).ok_or_else(|| Error::Hierarchy {
            attribute: policy.name.clone(),
            place: policy.place.clone(),
            what: "the column has no domain of numbers that queries could ask for".to_owned(),
            hint: None,
        });
    }
    let generated = matches!(source, HierarchyPolicy::Generated(_));
    let tree = tree.map_or_else(|| flat(column), Ok)?;
    Ok(Axis::leaves(column, tree, generated))
}

/// The values of a column without a hierarchy.
fn flat(column: &Column) -> Result<Arc<Hierarchy>, Error> {
    let dictionary = column.dictionary();
    let present = (0..)
        .zip(dictionary.texts())
        .filter(|(code, _)| Some(*code) != dictionary.missing());
    let tree = Generated::Flat
        .over(present.map(|(_, text)| text), false)
        .ok_or_else(|| Error::Internal("a flat hierarchy failed".to_owned()))?;
    Ok(Arc::new(match dictionary.missing() {
        Some(code) => tree.with_missing(dictionary.text(code)),
        None => tree,
    }))
}

/// Counts a table for queries. A label that stands for nothing is told by its line, never by its text.
pub fn count_pairs(axes: &Axes, table: &Table, rows: &Rows<'_>) -> Result<Pairs, Error> {
    Pairs::count(axes, table).map_err(|misfit| match misfit {
        Misfit::NoColumn(column) => Error::data(
            Place::file(rows.file),
            format!("the table has no column `{column}`"),
        ),
        Misfit::NoLabel { column, row } => Error::Data {
            place: Place::line(rows.file, (rows.line)(row)),
            what: format!(
                "the label of `{column}` is neither a value of the original, nor a taxon of its hierarchy, nor an interval of its numbers"
            ),
            hint: Some("was the release made from another table, or with another hierarchy?".to_owned()),
        },
    })
}
