//! A table put before the searches of the paper.

use std::time::Instant;

use scrim::algorithm::{Algorithm, Incognito, Task, TopDown, Unwatched};
use scrim::frequency::Ground;
use scrim::hierarchy::Ladder;
use scrim::metric::{Marginals, MetricId, measure_local};
use scrim::recoding::{Local, Node, Recoding};
use scrim::table::Table;
use scrim::{Error, Share};

use super::ask::Ask;
use super::bench::internal;
use super::seconds::Took;

/// A table, its quasi-identifiers, its sensitive column and the categories of that, most sensitive first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) table: &'a Table,
    pub(super) ladders: &'a [Ladder],
    pub(super) of: &'a str,
    pub(super) listed: &'a [Vec<String>],
}

impl Subject<'_> {
    /// The minimal full-domain tables by Incognito, by levels.
    pub(super) fn minimal(&self, ask: &Ask) -> Result<(Vec<Node>, Took), Error> {
        self.with_task(ask, |task| {
            let start = Instant::now();
            let (found, tested) = Incognito::default().minimal(task, &mut Unwatched)?;
            let took = Took {
                seconds: start.elapsed().as_secs_f64(),
                tested,
            };
            let mut nodes: Vec<Node> = found.into_iter().map(|minimal| minimal.node).collect();
            nodes.sort_by(|left, right| left.levels().cmp(right.levels()));
            Ok((nodes, took))
        })
    }

    /// The table of Algorithm 1; nothing where there is none.
    pub(super) fn top_down(&self, ask: &Ask, tighten: bool) -> Result<Option<Local>, Error> {
        Ok(self.top_down_timed(ask, tighten)?.0)
    }

    /// The same, and how long it took.
    pub(super) fn top_down_timed(
        &self,
        ask: &Ask,
        tighten: bool,
    ) -> Result<(Option<Local>, Took), Error> {
        let algorithm = TopDown {
            table: self.table,
            tighten,
        };
        let (found, seconds) = self.with_task(ask, |task| {
            let start = Instant::now();
            let found = algorithm.search(task, &mut Unwatched)?;
            Ok((found, start.elapsed().as_secs_f64()))
        })?;
        let tested = found.as_ref().map_or(0, |found| found.checked);
        let local = match found.map(|found| found.recoding) {
            None => None,
            Some(Recoding::Local(local)) => Some(local),
            Some(_) => return Err(internal("top-down recodes locally")),
        };
        Ok((local, Took { seconds, tested }))
    }

    /// The distortion ratio of a local recoding.
    pub(super) fn ratio(&self, local: &Local) -> Result<Share, Error> {
        let ground = Ground::count(self.table, self.ladders, &[])?;
        let marginals = Marginals::new(self.ladders, &ground);
        measure_local(&marginals, &self.weights(), local, &ground)
            .distortion_ratio_exact
            .ok_or_else(|| internal("the distortion ratio is no fraction"))
    }

    /// The published labels of a row.
    pub(super) fn labels(&self, local: &Local, row: usize) -> Vec<String> {
        let class = &local.classes[local.class_of_row[row] as usize];
        let cells = self.ladders.iter().zip(class).enumerate();
        cells
            .map(|(at, (ladder, cell))| local.label(ladder, at, *cell))
            .collect()
    }

    fn weights(&self) -> Vec<Share> {
        vec![Share::ONE; self.ladders.len()]
    }

    fn with_task<T>(
        &self,
        ask: &Ask,
        run: impl FnOnce(&Task<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let models = ask.models(self.table, self.of, self.listed)?;
        let ground = Ground::count(self.table, self.ladders, models.tracked())?;
        let marginals = Marginals::new(self.ladders, &ground);
        let metric = MetricId::DistortionRatio.bind(&marginals, &self.weights(), true);
        run(&Task {
            ground: &ground,
            ladders: self.ladders,
            models: &models,
            metric: metric.as_ref(),
            limit: 0,
            keeps_rows: true,
        })
    }
}
