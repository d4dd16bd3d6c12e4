//! The problem: tuples with their rows, the axes, and what makes a class valid.

use super::axis::{Axis, Cell};
use super::rungs::Rung;
use crate::algorithm::Task;
use crate::algorithm::units::Units;
use crate::error::Error;
use crate::frequency::Piles;
use crate::hierarchy::Numbers;
use crate::metric::MetricId;
use crate::model::{ModelSet, PrivacyModel, Quantity};
use crate::share::Share;
use crate::table::Table;

/// Bits that are left for prices finer than the costs, and for sums.
const SPARE: u32 = 14;

/// What the search works on.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    pub(super) axes: Vec<Axis>,
    /// The rungs of each axis, the cheapest first.
    pub(super) rungs: Vec<Vec<Rung>>,
    /// The axes, those first whose first step costs most: so the walk over vectors stops early.
    pub(super) order: Vec<usize>,
    pub(super) units: Units,
    /// What a cell at the top costs, by axis.
    pub(super) tops: Vec<i64>,
    /// Whether costs are the metric's own, not rounded down.
    pub(super) is_exact: bool,
    /// The rows of each tuple: where they start among `rows`, one more than there are tuples.
    starts: Vec<u32>,
    rows: Vec<u32>,
    weights: Vec<u32>,
    pub(super) tuple_of_row: &'a [u32],
    /// No valid class has fewer rows.
    pub(super) least: usize,
    /// Whether every class of so many rows is valid.
    by_size: bool,
    models: &'a ModelSet,
    piles: Piles<'a>,
}

impl<'a> Frame<'a> {
    /// The problem of a task under a metric that adds up over cells.
    pub(super) fn new(
        table: &'a Table,
        numbers: &[Option<Numbers>],
        task: &Task<'a>,
        metric: MetricId,
        weights: &[Share],
    ) -> Result<Self, Error> {
        let set = task.ground.set();
        let numbers_of = |at: usize| numbers.get(at).and_then(Option::as_ref);
        let most: Vec<u64> = (0..task.ladders.len())
            .map(|at| Axis::most(metric, &task.ladders[at], numbers_of(at)))
            .collect();
        let rows = task.ground.rows();
        let exact = Units::new(metric, weights, &most, rows, SPARE);
        let is_exact = exact.is_some();
        let rounded = || Units::rounded(metric, weights, &most, rows, SPARE);
        let units = exact.or_else(rounded).ok_or_else(|| Error::Infeasible {
            what: "the weights have too many digits to be added up".to_owned(),
            hint: Some("use weights with fewer digits".to_owned()),
        })?;
        let made = |at: usize| {
            let codes: Vec<u32> = (0..set.len()).map(|tuple| set.code(tuple, at)).collect();
            let ladder = &task.ladders[at];
            Axis::new(metric, &units, at, ladder, numbers_of(at), &codes)
        };
        let (axes, rungs): (Vec<Axis>, Vec<Vec<Rung>>) = (0..task.ladders.len()).map(made).unzip();
        let tuple_of_row = task.ground.tuple_of_row();
        let mut starts = vec![0u32];
        for rows in set.rows() {
            starts.push(starts[starts.len() - 1] + *rows as u32);
        }
        let mut next = starts.clone();
        let mut rows = vec![0; tuple_of_row.len()];
        for (row, tuple) in (0..).zip(tuple_of_row) {
            let place = &mut next[*tuple as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        let mut frame = Self {
            order: (0..axes.len()).collect(),
            axes,
            rungs,
            tops: (0..)
                .zip(&most)
                .map(|(at, most)| units.per(at) * most.cast_signed())
                .collect(),
            units,
            is_exact,
            weights: starts.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            starts,
            rows,
            tuple_of_row,
            least: least(task.models),
            by_size: task
                .models
                .models()
                .all(|model| matches!(model.least_size(), Some(Quantity::Rows(_)))),
            models: task.models,
            piles: Piles::new(table, task.models.tracked())?,
        };
        let steps: Vec<i128> = (0..frame.axes.len())
            .map(|at| frame.first_step(at))
            .collect();
        frame
            .order
            .sort_by_key(|at| (std::cmp::Reverse(steps[*at]), *at));
        Ok(frame)
    }

    /// What it costs to raise all rows by a rung.
    fn first_step(&self, at: usize) -> i128 {
        let Some(rung) = self.rungs[at].get(1) else {
            return 0;
        };
        let cost = |tuple: u32| {
            let group = rung.group[self.axes[at].leaf(tuple) as usize];
            rung.floor.get(group as usize).copied().unwrap_or(0)
        };
        (0..self.tuples() as u32)
            .map(|tuple| i128::from(cost(tuple)) * i128::from(self.weight(tuple)))
            .sum()
    }

    /// How many tuples there are.
    pub(super) fn tuples(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many rows a tuple has.
    pub(super) fn weight(&self, tuple: u32) -> u32 {
        self.weights[tuple as usize]
    }

    /// The rows of a tuple.
    pub(super) fn rows(&self, tuple: u32) -> &[u32] {
        &self.rows[self.starts[tuple as usize] as usize..self.starts[tuple as usize + 1] as usize]
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// How many rows some tuples have together.
    pub(super) fn weigh(&self, tuples: &[u32]) -> u64 {
        tuples
            .iter()
            .map(|tuple| u64::from(self.weight(*tuple)))
            .sum()
    }

    /// Whether rows are a valid class.
    pub(super) fn holds(&self, rows: &[u32]) -> bool {
        rows.len() >= self.least && (self.by_size || self.models.holds(self.piles.one(rows).only()))
    }

    /// Whether all rows of some tuples are a valid class.
    pub(super) fn covers(&self, tuples: &[u32]) -> bool {
        if self.by_size {
            return self.weigh(tuples) >= self.least as u64;
        }
        let rows: Vec<u32> = tuples
            .iter()
            .flat_map(|tuple| self.rows(*tuple))
            .copied()
            .collect();
        self.holds(&rows)
    }

    /// Whether the models look at more than the number of rows.
    pub(super) fn looks_at_values(&self) -> bool {
        !self.by_size
    }

    /// What models see of a row.
    pub(super) fn signature(&self, row: u32) -> Vec<Option<u32>> {
        self.piles.signature(row)
    }

    /// The tuple of a row.
    pub(super) fn tuple(&self, row: u32) -> u32 {
        self.tuple_of_row[row as usize]
    }

    /// The cells of a tuple.
    pub(super) fn cells(&self, tuple: u32) -> Vec<Cell> {
        self.axes
            .iter()
            .map(|axis| axis.cell(axis.leaf(tuple)))
            .collect()
    }

    /// Raises cells until they cover a tuple.
    pub(super) fn join(&self, cells: &mut [Cell], tuple: u32) {
        for (axis, cell) in self.axes.iter().zip(cells) {
            *cell = axis.join(*cell, axis.leaf(tuple));
        }
    }

    /// What a row at these cells costs.
    pub(super) fn cost(&self, cells: &[Cell]) -> i64 {
        self.axes
            .iter()
            .zip(cells)
            .map(|(axis, cell)| axis.cost(*cell))
            .sum()
    }

    /// What a row costs at the least cells above these and a tuple, or something not below `limit`.
    pub(super) fn join_cost(&self, cells: &[Cell], tuple: u32, limit: i64) -> i64 {
        let mut sum = 0;
        for at in &self.order {
            let axis = &self.axes[*at];
            sum += axis.join_cost(cells[*at], axis.leaf(tuple));
            if sum >= limit {
                return i64::MAX;
            }
        }
        sum
    }
}

/// No valid class has fewer rows; a person has a row at least.
fn least(models: &ModelSet) -> usize {
    let sizes = models.models().filter_map(PrivacyModel::least_size);
    let rows = sizes.filter_map(|size| match size {
        Quantity::Rows(size) | Quantity::Persons(size) => usize::try_from(size).ok(),
        _ => None,
    });
    rows.max().unwrap_or(1).max(1)
}
