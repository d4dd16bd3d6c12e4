//! A paper's small table, put before the library.

use std::sync::Arc;

use scrim::algorithm::{Algorithm, Found, MinGen, Task, Unwatched, Watch, minimal_nodes};
use scrim::frequency::{FrequencySet, Ground};
use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::metric::{Marginals, MetricId, Tally, measure};
use scrim::model::{KAnonymity, ModelSet};
use scrim::recoding::{Lattice, Node, Recoding};
use scrim::table::{Column, Table};
use scrim::{Error, Share};

/// A table whose first columns are quasi-identifiers, one for each hierarchy.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) table: Table,
    pub(super) ladders: Vec<Ladder>,
    pub(super) ground: Ground,
    weights: Vec<Share>,
}

impl Bench {
    /// Reads table and hierarchies. The top of a hierarchy is its suppression element, whatever it is called.
    pub(super) fn new(table: &str, hierarchies: &[&str]) -> Result<Self, Error> {
        let table = read_table(table)?;
        let ladders: Vec<Ladder> = hierarchies
            .iter()
            .zip(table.columns())
            .map(|(levels, column)| ladder(levels, column))
            .collect::<Result<_, _>>()?;
        let ground = Ground::count(&table, &ladders, &[])?;
        let weights = vec![Share::ONE; ladders.len()];
        Ok(Self {
            table,
            ladders,
            ground,
            weights,
        })
    }

    /// The same with a weight for each quasi-identifier.
    pub(super) fn weighted(mut self, weights: &[i128]) -> Self {
        self.weights = weights.iter().map(|weight| Share::whole(*weight)).collect();
        self
    }

    /// All nodes.
    pub(super) fn lattice(&self) -> Lattice {
        Lattice::new(&self.ladders)
    }

    /// The classes at a node.
    pub(super) fn classes(&self, node: &Node) -> FrequencySet {
        self.ground.set().roll_up(&self.ladders, node)
    }

    /// The largest k that a node satisfies.
    pub(super) fn max_k(&self, node: &Node) -> u64 {
        self.classes(node).rows().iter().copied().min().unwrap_or(0)
    }

    /// The k-minimal generalizations, by levels.
    pub(super) fn minimal(&self, k: u64) -> Result<Vec<Node>, Error> {
        let (found, _) = self.with_task(k, |task| minimal_nodes(task, &mut Unwatched))?;
        Ok(by_levels(
            found.into_iter().map(|minimal| minimal.node).collect(),
        ))
    }

    /// The k-minimal distortions, by levels, and their Prec.
    pub(super) fn distortions(&self, k: u64) -> Result<(Vec<Node>, Share), Error> {
        let found = self.search(&MinGen::default(), k, &mut Unwatched)?;
        let found = found.ok_or_else(|| internal("MinGen found nothing"))?;
        let prec = self.prec(&found.recoding)?;
        Ok((by_levels(found.ties), prec))
    }

    /// Runs a search for k-anonymity by Prec that suppresses nothing of its own accord.
    pub(super) fn search(
        &self,
        algorithm: &dyn Algorithm,
        k: u64,
        watch: &mut dyn Watch,
    ) -> Result<Option<Found>, Error> {
        self.with_task(k, |task| algorithm.search(task, watch))
    }

    /// The Prec of a plan: suppressed rows stand at the top.
    pub(super) fn prec(&self, recoding: &Recoding) -> Result<Share, Error> {
        let node = recoding
            .node()
            .ok_or_else(|| internal("no full-domain plan"))?;
        let (set, targets) = self.ground.set().roll_up_with_map(&self.ladders, node);
        let mut tally = Tally::of_sizes(&self.ladders, &set, self.ground.rows());
        for row in self.suppressed(recoding) {
            let tuple = self.ground.tuple_of_row()[row] as usize;
            tally.suppress(&set, targets[tuple] as usize, 1);
            tally.suppressed += 1;
        }
        let marginals = Marginals::new(&self.ladders, &self.ground);
        let metrics = measure(&marginals, &self.weights, &tally, true);
        metrics
            .prec_exact
            .ok_or_else(|| internal("Prec is no fraction"))
    }

    /// The rows that a plan suppresses.
    pub(super) fn suppressed(&self, recoding: &Recoding) -> Vec<usize> {
        let marked = recoding.suppressed_rows(&self.ground);
        (0..marked.len()).filter(|row| marked[*row]).collect()
    }

    /// The task of k-anonymity, for what a plan does not tell.
    pub(super) fn with_task<T>(
        &self,
        k: u64,
        run: impl FnOnce(&Task<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let model = KAnonymity::new(k, None).map_err(Error::Internal)?;
        let models = ModelSet::new(vec![Box::new(model)]);
        let marginals = Marginals::new(&self.ladders, &self.ground);
        let metric = MetricId::Prec.bind(&marginals, &self.weights, true);
        run(&Task {
            ground: &self.ground,
            ladders: &self.ladders,
            models: &models,
            metric: metric.as_ref(),
            limit: 0,
            keeps_rows: true,
        })
    }
}

/// The records of a plain text: no quotes, no blanks.
pub(super) fn records(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().map(|line| line.split(',').collect())
}

/// Reads a plain table with a header.
pub(super) fn read_table(text: &str) -> Result<Table, Error> {
    let mut rows = records(text);
    let header = rows.next().unwrap_or_default();
    let rows: Vec<Vec<&str>> = rows.collect();
    let column =
        |(at, name): (usize, &&str)| Column::from_texts(name, rows.iter().map(|row| row[at]));
    let columns = header.iter().enumerate().map(column).collect();
    Table::new(columns).ok_or_else(|| internal("a ragged fixture"))
}

/// A column's climb through a level file of ours.
pub(super) fn ladder(levels: &str, column: &Column) -> Result<Ladder, Error> {
    let tree = from_level_csv(column.name(), column.name(), levels, false)?;
    Ladder::new(column.name(), Arc::new(tree), column.dictionary())
        .map_err(|_| internal("a value of a fixture has no leaf"))
}

fn by_levels(mut nodes: Vec<Node>) -> Vec<Node> {
    nodes.sort_by(|left, right| left.levels().cmp(right.levels()));
    nodes
}

/// A fault of the fixtures, which are ours.
pub(super) fn internal(what: &str) -> Error {
    Error::Internal(what.to_owned())
}
