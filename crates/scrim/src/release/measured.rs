//! What a release costs, measured from its file alone: for any release, also one made elsewhere.
//!
//! **Reading.** A published label is the taxon of that name. Where one level fits all labels of a column, that level
//! counts for all its cells, as in a full-domain recoding; else each label counts at the lowest level it can stand at.
//! Intervals of a numeric column that are no taxa stand one level above its values and one below the top. Stars are the top. Rows that the release lacks count as suppressed. Row order does not matter.

use super::audit::{Audit, ClassSizes};
use super::plan::sensitive_units;
use super::policy::Policy;
use super::prepare::Prepared;
use crate::error::{Error, Place};
use crate::hierarchy::{Hierarchy, Ladder, is_star};
use crate::metric::workload::{Axis, Span};
use crate::metric::{
    CellSums, Marginals, Metrics, Yardstick, log_units, named, rows_below, standing,
};
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
    let released = release.rows() as u64;
    let dropped = rows.checked_sub(released).ok_or_else(|| {
        Error::data(
            Place::file(file),
            format!("the release has {released} rows, but the original only {rows}"),
        )
    })?;
    let mut sums = CellSums::default();
    let mut yardstick = Yardstick::new(&marginals, &policy.search.weights);
    for (attribute, ladder) in prepared.ladders.iter().enumerate() {
        let column = release.column(ladder.name()).ok_or_else(|| {
            Error::data(
                Place::file(file),
                format!("the release has no column `{}`", ladder.name()),
            )
        })?;
        if let Some(intervals) = intervals(policy, original, ladder, column) {
            yardstick.heights[attribute] = 2;
            yardstick.domains[attribute] = intervals.domain;
            intervals.add(&mut sums, column, dropped);
            continue;
        }
        let below = rows_below(ladder, prepared.ground.marginal(attribute));
        add_column(&mut sums, ladder, column, &below, rows, dropped, file)?;
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
        .zip(raw.counts())
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
        rows: raw.counts().iter().sum(),
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
    ladder: &Ladder,
    column: &Column,
    below: &[u64],
    rows: u64,
    dropped: u64,
    file: &str,
) -> Result<(), Error> {
    let tree = ladder.hierarchy();
    let cells = named(tree, column.dictionary().texts()).map_err(|label| Error::Data {
        place: Place::file(file),
        what: format!(
            "`{label}` in column `{}` is no label of its hierarchy",
            column.name()
        ),
        hint: Some("was the release made with another hierarchy?".to_owned()),
    })?;
    let (mut levels, mut leaves, mut logs) = (0u128, 0u128, 0u128);
    for ((level, taxon), count) in standing(tree, &cells).iter().zip(column.counts()) {
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
    Ok(())
}
