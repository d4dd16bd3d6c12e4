//! Query workloads: how far off are COUNT queries that are answered from a release?
//!
//! **Definition.** A type-1 query counts the rows whose sensitive value lies in a run of the sensitive column's leaves; a
//! type-2 query asks for a condition on one quasi-identifier too ([XiaoTao06], 5.2). The estimate sums, over the rows of
//! the release, the probability that the row satisfies the query: for each condition the share of the values below the
//! published label that satisfy it, both shares multiplied for type 2. The relative error is |act - est| / act, where act
//! is the answer from the original.
//! **Reading.** Each column is an [`Axis`], a line of points: the numbers of its domain, or the leaves of its hierarchy in
//! leaf order; labels and conditions alike are runs of points. Stars stand for the whole domain, also in a sensitive
//! column; rows that the release lacks count for nothing. A missing value is one point more. The section's figures are
//! taken as shares: its 5 and 10 of 50 thousand-dollar steps of income are 10% and 20% of the leaves; a number
//! condition covers 20% of the domain; any other column is asked for a taxon right below the root, which in a flat
//! hierarchy is a value. A top above one single taxon is no root. Lengths are rounded to the nearest whole, at least 1.
//! Queries that select less than the least share of the rows are drawn again; a query that selects nothing has no
//! relative error, is counted as undefined and left out.
//! **Holds because** nothing here vouches for anything: it is a measure of utility.
//! **Does not protect against** reading too much into it: the estimate takes values to be uniform below a label and the two
//! conditions to be independent within a row. A user who knows more of the data does better.
//! **Cost.** Each table is counted once to its distinct pairs of sensitive and other label, by column. A query costs at
//! most the pairs of one column; queries are shared among threads, sums have a fixed order.
//! **Oracle.** `testkit::oracle::workload_answer`, row by row with exact fractions.

mod axis;
mod draw;
mod file;
mod leaves;
mod numbers;
mod pairs;
mod span;
mod summary;

pub use axis::Axis;
pub use draw::{Draw, Drawn, draw};
pub use file::{read_queries, write_queries};
pub use pairs::{Misfit, Pairs};
pub use span::Span;
pub use summary::{Answer, ErrorSummary};

use rayon::prelude::*;

/// The columns that queries speak of.
#[derive(Clone, Debug)]
pub struct Axes {
    /// The sensitive column.
    pub sensitive: Axis,
    /// The quasi-identifiers.
    pub quasi: Vec<Axis>,
}

/// A COUNT query: of type 1 without, of type 2 with a condition on a quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The sensitive values that it asks for.
    pub sensitive: Span,
    /// The number of a quasi-identifier, and what is asked of it.
    pub quasi: Option<(usize, Span)>,
}

/// The answers of all queries, in their order.
pub fn ask(queries: &[Query], original: &Pairs, release: &Pairs) -> Vec<Answer> {
    queries
        .par_iter()
        .map(|query| Answer {
            // Every value of the original is one point: the sum is of whole numbers, and exact.
            actual: original.estimate(query) as u64,
            estimate: release.estimate(query),
        })
        .collect()
}
