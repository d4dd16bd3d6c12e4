//! Where the search starts: the classes of `mondrian`, strict and relaxed, and of `top-down`.
//!
//! **Reading.** The cheapest of them is what is improved, unless classes formed by prices cost less. In the end the release is compared
//! with each of them by the metric as it is reported; so it is never worse than they are, also where the search itself counts
//! in other units (`loss`, uneven trees, columns with a hierarchy that may be cut anywhere). Where the time is up while one of them is made, it counts
//! as far as it came, and those after it are left out.

use super::LocalRecoding;
use super::frame::Frame;
use super::partition::{Block, Partition};
use crate::algorithm::ending::Cut;
use crate::algorithm::{Found, Mondrian, Partitioning, Task, TopDown, Watch};
use crate::error::Error;
use crate::metric::{Marginals, measure_local};
use crate::recoding::{Local, Recoding};

/// The releases of other searches.
#[derive(Debug)]
pub(super) struct Starts {
    locals: Vec<(&'static str, Local)>,
    /// Why the last of them is not finished, where it is not.
    pub(super) cut: Option<Cut>,
}

impl Starts {
    /// Makes them; nothing where the table as one class breaks a model.
    pub(super) fn find(
        search: &LocalRecoding<'_>,
        task: &Task<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Self>, Error> {
        let mut starts = Self {
            locals: Vec::new(),
            cut: None,
        };
        for partitioning in [Partitioning::Strict, Partitioning::Relaxed] {
            let mondrian = Mondrian {
                table: search.table,
                numbers: search.numbers,
                partitioning,
            };
            if starts.cut.is_none() && !starts.add("mondrian", mondrian.found(task, watch)?) {
                return Ok(None);
            }
        }
        if starts.cut.is_none() {
            let top_down = TopDown {
                table: search.table,
                tighten: true,
            };
            starts.add("top-down", top_down.found(task, watch)?);
        }
        Ok(Some(starts))
    }

    /// Takes in what a search found; says whether it found anything.
    fn add(&mut self, name: &'static str, found: Option<(Found, Option<Cut>)>) -> bool {
        let Some((found, cut)) = found else {
            return false;
        };
        if let Recoding::Local(local) = found.recoding {
            self.locals.push((name, local));
        }
        self.cut = cut;
        true
    }

    /// The classes that cost least under a frame.
    pub(super) fn cheapest(&self, frame: &Frame<'_>) -> Partition {
        let partitions = self.locals.iter().map(|(_, local)| partition(frame, local));
        partitions
            .min_by_key(Partition::cost)
            .unwrap_or_else(|| Partition::new(Vec::new(), 0))
    }

    /// The release that is better than another by the metric, with its value, and the search that made it.
    pub(super) fn better_than(
        self,
        own: &Recoding,
        search: &LocalRecoding<'_>,
        task: &Task<'_>,
    ) -> Option<(&'static str, Local, f64)> {
        let Recoding::Local(own) = own else {
            return None;
        };
        let marginals = Marginals::new(task.ladders, task.ground);
        let metrics = |local: &Local| measure_local(&marginals, search.weights, local, task.ground);
        let mut least = search.metric.cost_in(&metrics(own));
        let mut better = None;
        for (name, local) in self.locals {
            let metrics = metrics(&local);
            let cost = search.metric.cost_in(&metrics);
            if cost < least {
                least = cost;
                better = Some((name, local, search.metric.value_in(&metrics)));
            }
        }
        better
    }
}

/// The same classes, each at the least cells above its rows.
fn partition(frame: &Frame<'_>, local: &Local) -> Partition {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); local.classes.len()];
    for (row, class) in (0..).zip(&local.class_of_row) {
        rows[*class as usize].push(row);
    }
    let blocks = rows.into_iter().filter(|rows| !rows.is_empty());
    let blocks = blocks.map(|rows| Block::new(frame, rows)).collect();
    Partition::new(blocks, frame.count())
}
