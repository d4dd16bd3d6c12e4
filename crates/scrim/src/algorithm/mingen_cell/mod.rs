//! The least distortion when every cell may be generalized on its own.
//!
//! **Definition.** Of all tables whose cells are each raised by levels of their own and that are k-anonymous, one that costs
//! least ([Sweeney02], Figure 5 at the cell level, where Equation 2 counts the tables).
//! **Reading.** The classes of such a table part the rows into blocks of at least k, and a block does best at the least common
//! ancestors of its rows. So each row is to stand at a vector of taxa above it, and at each vector none or at least k. A block
//! of 2k rows or more can be cut in two that stand no higher, which is used to find partitions, never to rule one out. Rows
//! are counted; persons where none has two rows. Of several best tables the first found is taken, in a fixed order, unless the
//! policy names columns that are preferred ([`preference`](super::preference)); all of them are listed where they are few.
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
mod ties;
mod vectors;

use std::collections::BTreeMap;
use std::time::Duration;

use axis::Axes;
use blocks::{Block, Maker, Partition};
use branch::{Outcome, Search};
use prices::Choice;
pub use ties::TiedTables;
use ties::{Enumeration, MOST_LISTED};

use super::columns::without_claims;
use super::preference::Preferred;
use super::task::Task;
use super::{Algorithm, Found, Stop, Watch};
use crate::error::Error;
use crate::metric::{MetricId, counts_own_levels};
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
    /// The columns, by number, that equally good tables should generalize least, in the order in which they are asked.
    pub preferred: &'a [usize],
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
        let stop = watch.stop();
        let outcome = Search::new(maker, watch).run(choice)?;
        let mut chosen = local(&axes, &outcome.best, tuple_of_row.len());
        // No release costs less than its cells by themselves, so that one which costs just as much is the best of all.
        let proven = outcome.bound >= outcome.best.cost()
            && (task.counts_cells_alone(self.metric) || counts_own_levels(task.ladders, &chosen))
            && !task.models.promises_columns();
        let mut notes = vec![
            "the first best partition in a fixed order: rows by number, vectors by cost, then rows"
                .to_owned(),
        ];
        let mut remarks = Self::remarks(&outcome, proven);
        let mut tied_tables = None;
        if proven {
            let ties = self.ties(task, maker, &outcome, stop)?;
            let preferred = ties.best.filter(|_| !self.preferred.is_empty());
            if let Some((_, partition)) = preferred {
                chosen = local(&axes, &partition, tuple_of_row.len());
                notes = vec![self.rule(task)];
                if !ties.complete {
                    remarks.push(format!("not all equally good tables were found: the one that `preferred` asks for is the first of {}", ties.count));
                }
            }
            let listed = ties.listed.iter();
            let listed = listed.map(|partition| local(&axes, partition, tuple_of_row.len()));
            tied_tables = Some(tied(&chosen, listed.collect(), ties.count, ties.complete));
        }
        let lost = axes.lost(outcome.bound);
        let found = Found {
            recoding: Recoding::Local(chosen),
            ties: Vec::new(),
            tied_tables,
            checked: outcome.checked,
            proven,
            bound: Some(if self.metric == MetricId::Prec {
                1.0 - lost
            } else {
                lost
            }),
            notes,
            remarks,
        };
        Ok(Some(without_claims(task, found)))
    }
}

impl MinGenCell<'_> {
    fn remarks(outcome: &Outcome, proven: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(cut) = outcome.cut.filter(|_| !proven) {
            remarks.push(cut.remark());
        }
        if !proven && outcome.too_large {
            remarks.push("the table is too large to prove the best: the release is the best found, with a bound".to_owned());
        }
        remarks
    }

    /// All tables of least cost, where they are few.
    fn ties(
        &self,
        task: &Task<'_>,
        maker: Maker<'_>,
        outcome: &Outcome,
        stop: Stop,
    ) -> Result<ties::Ties, Error> {
        let sites = vectors::sites(maker.axes, maker.tuple_of_row, maker.k)?;
        let choice = Choice::new(sites, maker.tuple_of_row.len(), maker.k)
            .ok_or_else(|| Error::Internal("a row has no vector above it".to_owned()))?;
        let rank = |partition: &Partition| {
            let levels = |column: &usize| {
                let tree = task.ladders[*column].hierarchy();
                let axis = &maker.axes.axes[*column];
                let blocks = partition.blocks.iter();
                let level = |block: &Block| tree.level(axis.taxon(block.vector[*column]));
                blocks
                    .map(|block| u128::from(level(block)) * block.rows.len() as u128)
                    .sum::<u128>()
            };
            self.preferred.iter().map(levels).collect()
        };
        let cost = outcome.best.cost();
        let all = Enumeration::new(maker, cost, stop, rank);
        Ok(all.run(choice, outcome.prices.clone()))
    }

    /// The rule by which one of several best tables is chosen, where the policy has one.
    fn rule(&self, task: &Task<'_>) -> String {
        let names = Preferred::new(task, self.preferred).names(task);
        format!(
            "among equally good tables: least generalized in {names}, then the first in a fixed order"
        )
    }
}

/// The tables that are equally good, the chosen one first.
fn tied(chosen: &Local, mut listed: Vec<Local>, count: u64, complete: bool) -> TiedTables {
    if let Some(at) = listed.iter().position(|table| table == chosen) {
        listed[..=at].rotate_right(1);
    } else {
        listed.insert(0, chosen.clone());
        listed.truncate(MOST_LISTED);
    }
    // Where looking for them ended early, the chosen one need not be among those that were counted.
    let count = count.max(listed.len() as u64);
    TiedTables {
        listed,
        count,
        complete,
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
