//! `local`: local recoding of high quality, with a bound that no release beats.
//!
//! **Definition.** Of all partitions of the rows into valid classes, each shown at the least cells above its rows, one that costs
//! little by the metric, and a bound that says how little any can ([Sweeney02], MinGen at the cell level; not solved, but bounded).
//! **Reading.** A cell is a taxon or, where the column may be cut anywhere, an interval. The plain bound is the sum over rows of the cheapest
//! vector above it that covers a valid class; prices of rows sharpen it ([`prices`]). The prices also say which classes to
//! form first ([`greedy`]), unless the classes of `mondrian` or `top-down` cost less ([`start`]); closing classes and moving rows ([`settle`]) and making neighbours anew ([`rebuild`]) do the rest. No row
//! is suppressed. `loss`, a geometric mean, is searched by the arithmetic mean with the weights that its slope has at what is
//! found, and bounded by chords: see [`LocalRecoding::search`].
//! **Holds because** every class is judged when it is made or loses a row, and the models let valid classes grow.
//! **Does not hold** for models whose valid classes can be spoilt by more rows: they are refused.
//! **Cost.** Walks over vectors of generalized values that are not hopeless, linear in the tuples each; rounds of local search, by
//! default a number that grows with the classes. `time-limit` ends it with the best so far. The same for any number of threads.
//! **Oracle.** `testkit::oracle::cell_optimum`, which neither bound nor release may cross.

mod axis;
mod cheapest;
mod columns;
mod frame;
mod geometric;
mod greedy;
mod nearest;
mod partition;
mod prices;
mod rebuild;
mod rungs;
mod search;
mod settle;
mod start;
mod vectors;

use frame::Frame;
use partition::Partition;
use search::{Clock, Outcome};
use start::Starts;

use super::columns::without_claims;
use super::ending::Cut;
use super::task::Task;
use super::{Algorithm, Found, Watch};
use crate::error::Error;
use crate::hierarchy::Numbers;
use crate::metric::{MetricId, counts_own_levels};
use crate::model::Monotone;
use crate::recoding::{Local, Recoding};
use crate::share::Share;
use crate::table::Table;

const ID: &str = "local";

/// Local recoding with a bound.
#[derive(Clone, Copy, Debug)]
pub struct LocalRecoding<'a> {
    /// The table.
    pub table: &'a Table,
    /// The numbers of the attributes that may be cut anywhere, in policy order.
    pub numbers: &'a [Option<Numbers>],
    /// What is optimized.
    pub metric: MetricId,
    /// The weight of each quasi-identifier in it.
    pub weights: &'a [Share],
    /// Whether to use all of the time that the watch leaves, as long as it helps; otherwise a number of rounds is made.
    pub uses_time: bool,
}

impl LocalRecoding<'_> {
    /// The metrics that can be optimized.
    pub const METRICS: [MetricId; 4] = [
        MetricId::Prec,
        MetricId::Loss,
        MetricId::LossMean,
        MetricId::InformationLoss,
    ];
}

impl Algorithm for LocalRecoding<'_> {
    fn id(&self) -> &'static str {
        ID
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        self.refuse(task)?;
        let rows = task.ground.tuple_of_row().len();
        if rows == 0 {
            return Ok(None);
        }
        let Some(starts) = Starts::find(self, task, watch)? else {
            return Ok(None);
        };
        let mut found = if self.metric == MetricId::Loss {
            self.search_geometric(task, &starts, watch)?
        } else {
            self.search_additive(task, &starts, watch)?
        };
        if let Some((name, better, value)) = starts.better_than(&found.recoding, self, task) {
            // Its cells are of a kind that the bound does not know, or count in another way.
            found.bound = found.bound.map(|bound| match self.metric {
                MetricId::Prec => bound.max(value),
                _ => bound.min(value),
            });
            found.proven = false;
            found.notes = vec![format!("the classes of `{name}`")];
            found.recoding = Recoding::Local(better);
        }
        Ok(Some(without_claims(task, found)))
    }
}

impl LocalRecoding<'_> {
    /// Under a metric that adds up over cells.
    fn search_additive(
        &self,
        task: &Task<'_>,
        starts: &Starts,
        watch: &mut dyn Watch,
    ) -> Result<Found, Error> {
        let frame = Frame::new(self.table, self.numbers, task, self.metric, self.weights)?;
        let metric = match self.metric {
            MetricId::Prec => |frame: &Frame<'_>, cost: i64| 1.0 - frame.units.lost(cost),
            _ => |frame: &Frame<'_>, cost: i64| frame.units.lost(cost),
        };
        let mut clock = Clock::new(self.uses_time, watch, starts.cut, metric);
        let outcome = search::search(&frame, starts.cheapest(&frame), &mut clock)?;
        let bound = metric(&frame, outcome.bound);
        let local = local(&frame, &outcome.partition, self.numbers);
        let proven = frame.is_exact
            && outcome.bound >= outcome.partition.cost()
            && (task.counts_cells_alone(self.metric) || counts_own_levels(task.ladders, &local));
        Ok(found(local, &outcome, bound, proven, clock.cut))
    }

    /// Under the geometric mean.
    fn search_geometric(
        &self,
        task: &Task<'_>,
        starts: &Starts,
        watch: &mut dyn Watch,
    ) -> Result<Found, Error> {
        let frame = |metric: MetricId, weights: &[Share]| {
            Frame::new(self.table, self.numbers, task, metric, weights)
        };
        let metric = |frame: &Frame<'_>, cost: i64| frame.units.lost(cost);
        let mut clock = Clock::new(self.uses_time, watch, starts.cut, metric);
        let start = |frame: &Frame<'_>| starts.cheapest(frame);
        let best = geometric::search(&frame, self.weights, &start, &mut clock)?;
        let local = local(&best.frame, &best.outcome.partition, self.numbers);
        // Nothing is lost: no release can do better.
        let proven = best.outcome.partition.cost() == 0;
        Ok(found(local, &best.outcome, best.bound, proven, clock.cut))
    }

    /// Refuses what it cannot soundly carry.
    fn refuse(&self, task: &Task<'_>) -> Result<(), Error> {
        if !Self::METRICS.contains(&self.metric) {
            return Err(Error::Unsound {
                algorithm: ID,
                what: format!("it cannot optimize `{}`", self.metric.name()),
                hint: Some(
                    "use `metric = \"prec\"`, `\"loss\"`, `\"loss-mean\"` or `\"information-loss\"`"
                        .to_owned(),
                ),
            });
        }
        let spoilt = task
            .models
            .models()
            .find(|model| model.monotone() != Monotone::Supersets);
        spoilt.map_or(Ok(()), |model| {
            Err(Error::Unsound {
                algorithm: ID,
                what: format!(
                    "a class that keeps `{}` may be spoilt by more rows, so neither its bound nor its moves hold",
                    model.id()
                ),
                hint: Some(
                    "use `algorithm = \"mondrian\"` or `\"top-down\"`, which judge every class whole"
                        .to_owned(),
                ),
            })
        })
    }
}

fn found(local: Local, outcome: &Outcome, bound: f64, proven: bool, cut: Option<Cut>) -> Found {
    Found {
        recoding: Recoding::Local(local),
        ties: Vec::new(),
        tied_tables: None,
        checked: outcome.checked,
        proven,
        bound: Some(bound),
        notes: vec!["a local search from a fixed seed; ties by row number".to_owned()],
        remarks: cut
            .filter(|_| !proven)
            .map(Cut::remark)
            .into_iter()
            .collect(),
    }
}

/// The blocks as classes, in the order of their first rows.
fn local(frame: &Frame<'_>, partition: &Partition, numbers: &[Option<Numbers>]) -> Local {
    let show = |block: &partition::Block| {
        let cells = frame.axes.iter().zip(&block.cells);
        cells.map(|(axis, cell)| axis.shown(*cell)).collect()
    };
    Local {
        class_of_row: partition.block_of_row.clone(),
        classes: partition.blocks.iter().map(show).collect(),
        numbers: (0..frame.axes.len())
            .map(|at| numbers.get(at).cloned().flatten())
            .collect(),
    }
}
