//! The least distortion when every cell may be generalized on its own.
//!
//! **Definition.** Of all tables whose cells are each raised by levels of their own and that are k-anonymous, one that costs
//! least ([Sweeney02], Figure 5 at the cell level, where Equation 2 counts the tables).
//! **Reading.** The classes of such a table part the rows into blocks of at least k, and a block does best at the least common
//! ancestors of its rows. So each row is to stand at a vector of taxa above it, and at each vector none or at least k. A block
//! of 2k rows or more can be cut in two that stand no higher, which is used to find partitions, never to rule one out. Rows
//! are counted; persons where none has two rows. Of several best tables the first found is taken, in a fixed order.
//! **Holds because** the bound is a Lagrangian of "each row stands at one vector": whole-number prices of the rows, against
//! which every vector does its best alone. A row is barred from a vector only where the bound says that it costs more than
//! the best partition known less one unit, and branching tries every vector that is left for a row. Equal rows are
//! exchangeable, so they are kept in the order of their vectors.
//! **Does not hold** for models that ask for more than a number of rows: there a valid block need not split, and k rows need
//! not be valid. They are refused. **Cost.** Exponential; anytime: when the time is up, the best partition and the bound.
//! **Oracle.** `testkit::oracle::cell_optimum`: all partitions.

mod axis;
mod blocks;
mod branch;
mod prices;
mod vectors;

use std::collections::BTreeMap;
use std::time::Duration;

use axis::Axes;
use blocks::{Maker, Partition};
use branch::Search;
use prices::Choice;

use super::task::Task;
use super::{Algorithm, Found, Watch};
use crate::error::Error;
use crate::metric::MetricId;
use crate::model::{PrivacyModel, Quantity};
use crate::recoding::{Lattice, Local, Recoding};
use crate::share::Share;

const ID: &str = "mingen-cell";

/// The least distortion cell by cell.
#[derive(Clone, Copy, Debug)]
pub struct MinGenCell<'a> {
    /// What is optimized: `Prec` or `LossMean`.
    pub metric: MetricId,
    /// The weight of each quasi-identifier in it.
    pub weights: &'a [Share],
}

impl MinGenCell<'_> {
    /// The metrics that can be optimized.
    pub const METRICS: [MetricId; 2] = [MetricId::Prec, MetricId::LossMean];
    /// How long it searches where nobody says.
    pub const TIME_LIMIT: Duration = Duration::from_mins(1);
}

impl Algorithm for MinGenCell<'_> {
    fn id(&self) -> &'static str {
        ID
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let k = least_size(task)?;
        if !Self::METRICS.contains(&self.metric) {
            return Err(unsound(
                format!("it cannot optimize `{}`", self.metric.name()),
                "use `metric = \"prec\"` or `\"loss-mean\"`",
            ));
        }
        let tuple_of_row = task.ground.tuple_of_row();
        let Some(k) = usize::try_from(k.max(1))
            .ok()
            .filter(|k| *k <= tuple_of_row.len())
        else {
            return Ok(None);
        };
        let axes = Axes::new(task, self.metric, self.weights).ok_or_else(|| {
            unsound(
                "the costs of single cells are too fine to be added exactly".to_owned(),
                "use weights with fewer digits",
            )
        })?;
        let sites = vectors::sites(&axes, tuple_of_row, k)?;
        let choice = Choice::new(sites, tuple_of_row.len(), k)
            .ok_or_else(|| Error::Internal("a row has no vector above it".to_owned()))?;
        let maker = Maker {
            axes: &axes,
            tuple_of_row,
            k,
        };
        let outcome = Search::new(maker, watch).run(choice)?;
        let proven = outcome.bound >= outcome.best.cost() && task.counts_cells_alone(self.metric);
        let mut remarks = Vec::new();
        if let Some(cut) = outcome.cut.filter(|_| !proven) {
            remarks.push(cut.remark());
        }
        if !proven && outcome.too_large {
            remarks.push("the table is too large to prove the best: the release is the best found, with a bound".to_owned());
        }
        let lost = axes.lost(outcome.bound);
        Ok(Some(Found {
            recoding: Recoding::Local(local(&axes, &outcome.best, tuple_of_row.len())),
            ties: Vec::new(),
            checked: outcome.checked,
            proven,
            bound: Some(if self.metric == MetricId::Prec { 1.0 - lost } else { lost }),
            notes: vec![
                "the first best partition in a fixed order: rows by number, vectors by cost, then rows".to_owned(),
            ],
            remarks,
        }))
    }
}

/// The blocks as classes, in the order of their first rows; blocks that look alike are one.
fn local(axes: &Axes, partition: &Partition, rows: usize) -> Local {
    let mut by_vector: BTreeMap<&[u32], Vec<u32>> = BTreeMap::new();
    for block in &partition.blocks {
        by_vector
            .entry(&block.vector)
            .or_default()
            .extend(&block.rows);
    }
    let mut classes: Vec<(&[u32], Vec<u32>)> = by_vector.into_iter().collect();
    classes.sort_by_key(|(_, rows)| rows.iter().min().copied());
    let mut class_of_row = vec![0; rows];
    for (number, (_, rows)) in (0..).zip(&classes) {
        rows.iter()
            .for_each(|row| class_of_row[*row as usize] = number);
    }
    let taxa = |vector: &[u32]| {
        axes.axes
            .iter()
            .zip(vector)
            .map(|(axis, at)| axis.taxon(*at))
            .collect()
    };
    let shown = classes.iter().map(|(vector, _)| taxa(vector)).collect();
    Local::of_taxa(class_of_row, shown)
}

/// The least number of rows of a class, which must be all that the models ask for.
fn least_size(task: &Task<'_>) -> Result<u64, Error> {
    let top = Lattice::new(task.ladders).top();
    let whole = task.ground.set().roll_up(task.ladders, &top);
    let one_row_each = |model: &dyn PrivacyModel| {
        let need = model.needs().into_iter().next();
        let place = task
            .models
            .tracked()
            .iter()
            .position(|tracked| Some(tracked) == need.as_ref());
        place.is_some_and(|place| {
            whole
                .classes()
                .all(|class| class.persons(place) == class.rows())
        })
    };
    let mut least = 0;
    for model in task.models.models() {
        least = match model.least_size() {
            Some(Quantity::Rows(k)) => least.max(k),
            Some(Quantity::Persons(k)) if one_row_each(model) => least.max(k),
            Some(_) => {
                return Err(unsound(
                    "persons have several rows, so a block of k rows need not have k persons"
                        .to_owned(),
                    "use `algorithm = \"top-down\"`, or `unit = \"row\"` if rows are what is to be protected",
                ));
            }
            None => {
                return Err(unsound(
                    format!(
                        "`{}` asks for more than a number of rows, so the least distortion need not be made of small blocks",
                        model.id()
                    ),
                    "use `algorithm = \"top-down\"`, or `\"optimal\"` for a proven full-domain recoding",
                ));
            }
        };
    }
    Ok(least)
}

fn unsound(what: String, hint: &str) -> Error {
    Error::Unsound {
        algorithm: ID,
        what,
        hint: Some(hint.to_owned()),
    }
}
