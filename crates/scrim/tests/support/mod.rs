//! Puts a plain problem of the testkit before the library.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "each test binary uses a part of it"
)]

use std::sync::Arc;

use scrim::Share;
use scrim::algorithm::{Algorithm, Found, Task, Unwatched};
use scrim::frequency::Ground;
use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::metric::{Marginals, MetricId, Metrics, Tally, measure};
use scrim::model::{KAnonymity, ModelSet};
use scrim::recoding::{Node, Recoding};
use scrim::table::{Column, Table};
use testkit::Problem;

/// A problem as the library sees it.
#[derive(Debug)]
pub struct Bench {
    pub ladders: Vec<Ladder>,
    pub ground: Ground,
    pub models: ModelSet,
    pub weights: Vec<Share>,
}

impl Bench {
    /// k-anonymity on a problem, by persons where it has them.
    pub fn k_anonymity(problem: &Problem, k: usize) -> Self {
        let person = problem.persons.as_ref().map(|_| "person".to_owned());
        let model = KAnonymity::new(k as u64, person).unwrap();
        Self::new(problem, ModelSet::new(vec![Box::new(model)]))
    }

    pub fn new(problem: &Problem, models: ModelSet) -> Self {
        let table = table(problem);
        let ladders: Vec<Ladder> = (0..problem.columns.len())
            .map(|at| ladder(problem, at, &table))
            .collect();
        let ground = Ground::count(&table, &ladders, models.tracked()).unwrap();
        let weights = problem
            .weights
            .iter()
            .map(|(n, d)| Share::new((*n).into(), (*d).into()).unwrap())
            .collect();
        Self {
            ladders,
            ground,
            models,
            weights,
        }
    }

    /// Runs a search under a metric and a limit.
    pub fn search(
        &self,
        algorithm: &dyn Algorithm,
        metric: MetricId,
        limit: u64,
        keeps_rows: bool,
    ) -> Option<Found> {
        self.with_task(metric, limit, keeps_rows, |task| {
            algorithm.search(task, &mut Unwatched).unwrap()
        })
    }

    pub fn with_task<T>(
        &self,
        metric: MetricId,
        limit: u64,
        keeps_rows: bool,
        run: impl FnOnce(&Task<'_>) -> T,
    ) -> T {
        let marginals = Marginals::new(&self.ladders, &self.ground);
        let metric = metric.bind(&marginals, &self.weights, keeps_rows);
        run(&Task {
            ground: &self.ground,
            ladders: &self.ladders,
            models: &self.models,
            metric: metric.as_ref(),
            limit,
            keeps_rows,
        })
    }

    /// All metrics of what a search found, full-domain with whole classes suppressed.
    pub fn metrics(&self, found: &Found, keeps_rows: bool) -> Metrics {
        let marginals = Marginals::new(&self.ladders, &self.ground);
        let tally = self.with_task(MetricId::Prec, u64::MAX, keeps_rows, |task| {
            let set = task.ground.set().roll_up(task.ladders, node_of(found));
            let judged = task.judge(&set);
            Tally::new(task.ladders, &set, &judged.failing, task.ground.rows())
        });
        measure(&marginals, &self.weights, &tally, keeps_rows)
    }

    /// The suppressed rows of a plan.
    pub fn suppressed_rows(&self, recoding: &Recoding) -> Vec<usize> {
        let marked = recoding.suppressed_rows(&self.ground);
        marked
            .iter()
            .enumerate()
            .filter(|(_, marked)| **marked)
            .map(|(row, _)| row)
            .collect()
    }
}

/// The node of a full-domain plan.
pub fn node_of(found: &Found) -> &Node {
    found.recoding.node().unwrap()
}

pub fn table(problem: &Problem) -> Table {
    let texts = |at: usize| problem.rows.iter().map(move |row| row[at].as_str());
    let mut columns: Vec<Column> = problem
        .columns
        .iter()
        .enumerate()
        .map(|(at, name)| Column::from_texts(name, texts(at)))
        .collect();
    if let Some(persons) = &problem.persons {
        let names: Vec<String> = persons.iter().map(ToString::to_string).collect();
        columns.push(Column::from_texts(
            "person",
            names.iter().map(String::as_str),
        ));
    }
    for (at, values) in problem.sensitive.iter().enumerate() {
        columns.push(Column::from_texts(
            &format!("sensitive{at}"),
            values.iter().map(String::as_str),
        ));
    }
    Table::new(columns).unwrap()
}

fn ladder(problem: &Problem, at: usize, table: &Table) -> Ladder {
    let lines: Vec<String> = problem.chains[at]
        .values()
        .map(|chain| chain.join(";"))
        .collect();
    let name = &problem.columns[at];
    // The testkit's top is the suppression element, whatever it is called: nothing is added above it.
    let tree = from_level_csv(name, "chains", &lines.join("\n"), false).unwrap();
    Ladder::new(
        name,
        Arc::new(tree),
        table.column(name).unwrap().dictionary(),
    )
    .unwrap()
}
