//! What a release costs, measured from its file alone: for any release, also one made elsewhere. `publish` measures what it wrote
//! in the same way, so that both say the same of every release.
//!
//! **Reading.** A published label is the taxon of that name, the lowest where several have it. Where the policy names a full-domain
//! search and every column of the release has a level that fits all of its labels, these levels count for all cells. Else each label
//! counts as `metric::standing` says. Intervals of a numeric column that are no taxa stand one level above its values and one
//! below the top. Stars are the top. Rows that the release lacks count as suppressed. Row order does not matter.

use super::audit::{Audit, ClassSizes};
use super::plan::{Plan, sensitive_units};
use super::policy::{AlgorithmId, Policy};
use super::prepare::Prepared;
use crate::algorithm::Found;
use crate::counted;
use crate::error::{Error, Place};
use crate::hierarchy::{Hierarchy, Ladder, TaxonId, is_star};
use crate::metric::workload::{Axis, Span};
use crate::metric::{
    CellSums, Marginals, MetricId, Metrics, Yardstick, fits_one_level, log_units, lowest, named,
    reads_as_meant, rows_below, standing,
};
use crate::recoding::Recoding;
use crate::table::{Column, Table};

/// The measures of a published table.
pub fn measure_release(
    policy: &Policy,
    original: &Table,
    prepared: &Prepared,
    release: &Table,
    file: &str,
    audit: &Audit,
) -> Result<Metrics, Error> {
    let marginals = Marginals::new(&prepared.ladders, &prepared.ground);
    let rows = prepared.ground.rows();
    let released = audit.rows.released;
    let dropped = rows.checked_sub(released).ok_or_else(|| {
        Error::data(
            Place::file(file),
            format!(
                "the release has {}, but the original only {rows}",
                counted(released, "row")
            ),
        )
    })?;
    let mut sums = CellSums::default();
    let mut yardstick = Yardstick::new(&marginals, &policy.search.weights);
    let columns = columns(policy, original, prepared, release, file)?;
    let is_full_domain = is_full_domain(policy.search.algorithm)
        && columns.iter().zip(&prepared.ladders).all(|(column, ladder)| {
            matches!(&column.shows, Shows::Taxa(taxa) if fits_one_level(ladder.hierarchy(), taxa))
        });
    for (attribute, (shown, ladder)) in columns.into_iter().zip(&prepared.ladders).enumerate() {
        match shown.shows {
            Shows::Intervals(intervals) => {
                yardstick.heights[attribute] = 2;
                yardstick.domains[attribute] = intervals.domain;
                intervals.add(&mut sums, shown.column, dropped);
            }
            Shows::Taxa(taxa) => {
                let tree = ladder.hierarchy();
                let taxa = if is_full_domain {
                    taxa
                } else {
                    lowest(tree, taxa)
                };
                let below = rows_below(ladder, prepared.ground.marginal(attribute));
                add_column(
                    &mut sums,
                    tree,
                    (shown.column, &taxa),
                    &below,
                    rows,
                    dropped,
                );
            }
        }
    }
    let suppressed = audit.rows.suppressed;
    let kept_squares = audit.squares
        - square(suppressed.saturating_sub(audit.rows.withheld))
        - square(audit.rows.withheld);
    let discernibility = kept_squares + u128::from(suppressed + dropped) * u128::from(rows);
    let ClassSizes { count, .. } = audit.classes;
    let mut metrics = yardstick.read(&sums, discernibility, released, count);
    let units = sensitive_units(policy, prepared);
    let mut lost = Vec::new();
    for (personal, unit) in prepared.personal.iter().zip(units) {
        let wishes = personal.wishes();
        let leaves = match release.column(wishes.of()) {
            Some(column) => leaves_lost(wishes.tree(), column).map_err(|row| Error::Data {
                place: Place::file(file),
                what: format!(
                    "row {} has a value in `{}` that is no taxon of its hierarchy",
                    row + 1,
                    wishes.of()
                ),
                hint: Some("was the release made with another hierarchy?".to_owned()),
            })?,
            None => 0,
        };
        let dropped = u128::from(dropped) * u128::from(unit.domain.saturating_sub(1));
        lost.push((unit, leaves + dropped));
    }
    metrics.add_sensitive(lost.into_iter());
    Ok(metrics)
}

/// A quasi-identifier as published.
struct Shown<'a> {
    column: &'a Column,
    shows: Shows,
}

/// What the codes of a published column stand for.
enum Shows {
    /// The taxa that each may be.
    Taxa(Vec<Vec<TaxonId>>),
    /// Intervals, not all of which are taxa.
    Intervals(Intervals),
}

/// Whether a search gives every column one level for all rows.
fn is_full_domain(algorithm: AlgorithmId) -> bool {
    matches!(
        algorithm,
        AlgorithmId::Optimal
            | AlgorithmId::MinGen
            | AlgorithmId::Incognito
            | AlgorithmId::Datafly
            | AlgorithmId::Chain
    )
}

/// The quasi-identifiers as published, in policy order.
fn columns<'a>(
    policy: &Policy,
    original: &Table,
    prepared: &Prepared,
    release: &'a Table,
    file: &str,
) -> Result<Vec<Shown<'a>>, Error> {
    let shown = |(attribute, ladder): (usize, &Ladder)| {
        let column = release.column(ladder.name()).ok_or_else(|| {
            Error::data(
                Place::file(file),
                format!("the release has no column `{}`", ladder.name()),
            )
        })?;
        let marginal = prepared.ground.marginal(attribute);
        let shows = if let Some(intervals) = intervals(policy, original, ladder, marginal, column) {
            Shows::Intervals(intervals)
        } else {
            let taxa = named(ladder.hierarchy(), column.dictionary().texts());
            Shows::Taxa(taxa.map_err(|label| Error::Data {
                place: Place::file(file),
                what: format!(
                    "`{label}` in column `{}` is no label of its hierarchy",
                    column.name()
                ),
                hint: Some("was the release made with another hierarchy?".to_owned()),
            })?)
        };
        Ok(Shown { column, shows })
    };
    prepared.ladders.iter().enumerate().map(shown).collect()
}

/// The leaves that rows may have beside their own, added up; or the first row whose label is no taxon.
fn leaves_lost(tree: &Hierarchy, column: &Column) -> Result<u128, usize> {
    let lost = |text: &str| {
        let leaf = tree.leaf(text).map(|leaf| tree.leaves_below(leaf));
        let taxa = tree.labelled(text).map(|taxon| tree.leaves_below(taxon));
        let star = is_star(text).then(|| tree.domain_size());
        leaf.or(taxa.min())
            .or(star)
            .map(|leaves| leaves.saturating_sub(1))
    };
    let mut sum = 0u128;
    let cells = column.dictionary().texts().zip(column.counts());
    for (code, (text, rows)) in (0..).zip(cells) {
        let first = || (0..column.codes().len()).find(|row| column.codes().get(*row) == code);
        let lost = lost(text).ok_or_else(|| first().unwrap_or(0))?;
        sum += u128::from(lost) * u128::from(rows);
    }
    Ok(sum)
}

/// A column of numbers that was cut where its hierarchy has no taxa.
struct Intervals {
    /// The values of the domain.
    domain: u64,
    /// The values and the original rows below each code of the published column.
    cells: Vec<(u64, u64)>,
    rows: u64,
}

/// The intervals of a published column; none where all its labels are taxa, or it is no column of numbers.
fn intervals(
    policy: &Policy,
    original: &Table,
    ladder: &Ladder,
    marginal: &[u64],
    column: &Column,
) -> Option<Intervals> {
    let domain = policy.column(ladder.name())?.numeric?;
    if named(ladder.hierarchy(), column.dictionary().texts()).is_ok() {
        return None;
    }
    let raw = original.column(ladder.name())?;
    let axis = Axis::numbers(raw, domain.from, domain.to, None)?;
    let mut points: Vec<(u64, u64)> = axis
        .read(raw)
        .ok()?
        .iter()
        .map(|span| span.low())
        .zip(marginal.iter().copied())
        .collect();
    points.sort_unstable();
    let within = |span: Span| {
        let inside = |(point, _): &&(u64, u64)| (span.low()..span.high()).contains(point);
        points.iter().filter(inside).map(|(_, rows)| rows).sum()
    };
    let spans = axis.read(column).ok()?;
    Some(Intervals {
        domain: axis.points(),
        cells: spans
            .iter()
            .map(|span| (span.points(), within(*span)))
            .collect(),
        rows: marginal.iter().sum(),
    })
}

impl Intervals {
    fn add(&self, sums: &mut CellSums, column: &Column, dropped: u64) {
        let whole = (self.domain, self.rows);
        let cells = self.cells.iter().copied().zip(column.counts());
        let (mut levels, mut leaves, mut logs) = (0u128, 0u128, 0u128);
        for ((values, below), count) in cells.chain([(whole, dropped)]) {
            let level = match values {
                1 => 0u128,
                values if values == self.domain => 2,
                _ => 1,
            };
            levels += level * u128::from(count);
            leaves += u128::from(values) * u128::from(count);
            logs += u128::from(log_units(below)) * u128::from(count);
        }
        sums.levels.push(levels);
        sums.leaves.push(leaves);
        sums.logs.push(logs);
    }
}

fn square(size: u64) -> u128 {
    u128::from(size) * u128::from(size)
}

fn add_column(
    sums: &mut CellSums,
    tree: &Hierarchy,
    (column, taxa): (&Column, &[Vec<TaxonId>]),
    below: &[u64],
    rows: u64,
    dropped: u64,
) {
    let (mut levels, mut leaves, mut logs) = (0u128, 0u128, 0u128);
    for ((level, taxon), count) in standing(tree, taxa).iter().zip(column.counts()) {
        levels += u128::from(*level) * u128::from(count);
        leaves += u128::from(tree.leaves_below(*taxon)) * u128::from(count);
        logs += u128::from(log_units(below[taxon.0 as usize])) * u128::from(count);
    }
    let dropped = u128::from(dropped);
    sums.levels
        .push(levels + dropped * u128::from(tree.height()));
    sums.leaves
        .push(leaves + dropped * u128::from(tree.domain_size()));
    sums.logs.push(logs + dropped * u128::from(log_units(rows)));
}

/// Takes back what a search claims of a local recoding where a release could cost less by its labels than by its taxa, which is what
/// searches count.
pub(super) fn give_up_bound(policy: &Policy, prepared: &Prepared, found: &mut Found) {
    let by_level = policy.search.metric == MetricId::Prec;
    let mut ladders = prepared.ladders.iter();
    let is_clear = ladders.all(|ladder| reads_as_meant(ladder.hierarchy(), by_level));
    if is_clear || !matches!(found.recoding, Recoding::Local(_)) {
        return;
    }
    found.proven = false;
    if found.bound.take().is_some() {
        found.remarks.push("a hierarchy has labels that stand for several taxa, which count as the lowest of them: the search has no bound for that".to_owned());
    }
}

/// What a publication says of the release that a plan made, from what was measured in its file: its measures with the bound of the
/// search, and whether the search proved that none is better.
pub fn claimed(policy: &Policy, plan: &Plan, mut measured: Metrics) -> (Metrics, bool) {
    let metric = policy.search.metric;
    let (planned, found) = (metric.value_in(&plan.metrics), metric.value_in(&measured));
    // What the search counted is what the file shows, unless labels of a hierarchy stand for several taxa.
    let is_as_planned = (planned - found).abs() <= found.abs().max(1.0) * 1e-9;
    let proven = plan.found.proven && is_as_planned;
    if let Some(bound) = plan.metrics.bound.filter(|_| is_as_planned) {
        measured.set_bound(metric, bound, proven);
    }
    (measured, proven)
}
