//! Random queries, decided by a seed.

use rayon::prelude::*;

use super::{Axes, Axis, Pairs, Query, Span};
use crate::error::Error;
use crate::random::Random;
use crate::share::Share;

/// How often a query is drawn again before none is thought to be found.
const MOST_DRAWS: u64 = 1000;

/// A random workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// How many queries.
    pub queries: u64,
    /// The share of type-1 queries: the paper's r.
    pub type1: Share,
    /// The least share of the original's rows that a query selects.
    pub least: Share,
    /// What decides all choices.
    pub seed: u64,
}

/// Queries that were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The queries: those of type 1 first.
    pub queries: Vec<Query>,
    /// How many were drawn again because they selected too few rows.
    pub redrawn: u64,
}

/// Draws a workload. Every query has a stream of its own, so that they can be drawn side by side.
pub fn draw(axes: &Axes, original: &Pairs, wanted: &Draw) -> Result<Drawn, Error> {
    let type1 = wanted.type1.floor_of(wanted.queries).min(wanted.queries);
    if type1 < wanted.queries && axes.quasi.is_empty() {
        return Err(Error::Infeasible {
            what: "a type-2 query needs a quasi-identifier, and the policy has none".to_owned(),
            hint: Some("ask type-1 queries only: --share 1".to_owned()),
        });
    }
    let mut seeds = Random::new(wanted.seed);
    let streams: Vec<(bool, u64)> = (0..wanted.queries)
        .map(|at| (at < type1, seeds.bits()))
        .collect();
    let drawn: Vec<(Query, u64)> = streams
        .into_par_iter()
        .map(|(is_type1, seed)| draw_one(axes, original, wanted.least, is_type1, seed))
        .collect::<Result<_, _>>()?;
    Ok(Drawn {
        redrawn: drawn.iter().map(|(_, redrawn)| redrawn).sum(),
        queries: drawn.into_iter().map(|(query, _)| query).collect(),
    })
}

fn draw_one(
    axes: &Axes,
    original: &Pairs,
    least: Share,
    is_type1: bool,
    seed: u64,
) -> Result<(Query, u64), Error> {
    let mut random = Random::new(seed);
    for redrawn in 0..MOST_DRAWS {
        let query = random_query(axes, is_type1, &mut random);
        if selects_enough(original, least, &query) && can_be_written(axes, &query) {
            return Ok((query, redrawn));
        }
    }
    let kind = if is_type1 { "type 1" } else { "type 2" };
    Err(Error::Infeasible {
        what: format!(
            "among {MOST_DRAWS} random queries of {kind} none selects at least {least} of the rows"
        ),
        hint: Some(
            "ask for less with --least, or write queries into a file for --workload".to_owned(),
        ),
    })
}

fn random_query(axes: &Axes, is_type1: bool, random: &mut Random) -> Query {
    if is_type1 {
        return Query {
            sensitive: axes.sensitive.random_run(10, random),
            quasi: None,
        };
    }
    let sensitive = axes.sensitive.random_run(20, random);
    let at = random.index(axes.quasi.len());
    Query {
        sensitive,
        quasi: Some((at, axes.quasi[at].random_condition(random))),
    }
}

/// Compared as whole numbers; a query that selects no row has no relative error, whatever the limit.
fn selects_enough(original: &Pairs, least: Share, query: &Query) -> bool {
    let actual = original.estimate(query) as i128;
    let limit = least
        .numerator()
        .saturating_mul(i128::from(original.rows()));
    actual > 0 && actual.saturating_mul(least.denominator()) >= limit
}

/// A leaf without a name, or with one of several lines, could not be found again in a file.
fn can_be_written(axes: &Axes, query: &Query) -> bool {
    let named = |axis: &Axis, span: Span| {
        let (from, to) = axis.words(span);
        !from.contains(['\n', '\r'])
            && !to.contains(['\n', '\r'])
            && axis.asked(&from, &to) == Some(span)
    };
    let quasi = query
        .quasi
        .is_none_or(|(at, span)| named(&axes.quasi[at], span));
    quasi && named(&axes.sensitive, query.sensitive)
}
