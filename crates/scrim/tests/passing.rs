//! Searches of tuples that pass by, in parts where they are many, find what those find that hold them.
#![allow(
    clippy::unwrap_used,
    reason = "the lint knows tests, but not the functions beside them"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use scrim::algorithm::{Algorithm, Incognito, MinGen, Optimal, Unwatched};
use scrim::frequency::{Block, Ground, Store, Stored};
use scrim::metric::{MetricId, Sizes};
use scrim::model::{AlphaK, Distance, KAnonymity, ModelSet, PSensitive, PrivacyModel, TCloseness};
use scrim::{Error, Share};
use support::Bench;
use testkit::{Problem, SplitMix64, random_problem};

const OF: &str = "sensitive0";

/// Tuples as they come from the disk.
#[derive(Debug, Default)]
struct Away {
    words: usize,
    tracked: usize,
    keys: Vec<u64>,
    codes: Vec<u32>,
    rows: Vec<u64>,
}

impl Store for Away {
    fn each_block(&self, visit: &mut dyn FnMut(&Block<'_>)) -> Result<(), Error> {
        const AT_ONCE: usize = 50;
        for (at, rows) in self.rows.chunks(AT_ONCE).enumerate() {
            let from = at * AT_ONCE;
            visit(&Block {
                keys: &self.keys[from * self.words..][..rows.len() * self.words],
                tracked: &self.codes[from * self.tracked..][..rows.len() * self.tracked],
                rows,
            });
        }
        Ok(())
    }
}

/// The same bench, its tuples elsewhere.
fn away(problem: &Problem, bench: Bench, room: u64) -> Bench {
    let table = support::table(problem);
    let tracked = bench.models.tracked();
    let mut store = Away {
        words: bench.ground.words(),
        tracked: tracked.len(),
        ..Away::default()
    };
    let each = |key: &[u64], codes: &[u32], rows: u64| {
        store.keys.extend_from_slice(key);
        store.codes.extend_from_slice(codes);
        store.rows.push(rows);
        Ok::<_, Error>(())
    };
    bench.ground.each_sorted(&table, tracked, each).unwrap();
    let stored = Stored {
        sizes: Sizes::of(bench.ground.set().rows()),
        rows: bench.ground.rows(),
        cells: store.rows.len() as u64,
        tracked: tracked.len(),
        room,
        store: Arc::new(store),
    };
    let ground = Ground::of_sections(&bench.ground, stored, false).unwrap();
    Bench { ground, ..bench }
}

fn models(problem: &Problem, kind: usize, k: u64) -> ModelSet {
    let table = support::table(problem);
    let share = |text: &str| text.parse::<Share>().unwrap();
    let by_size: Box<dyn PrivacyModel> = Box::new(KAnonymity::new(k, None).unwrap());
    let counts = table.column(OF).unwrap().counts();
    let other: Box<dyn PrivacyModel> = match kind {
        0 => return ModelSet::new(vec![by_size]),
        1 => Box::new(PSensitive::new(OF, 2).unwrap()),
        2 => Box::new(AlphaK::new(OF, share("3/4"), None).unwrap()),
        _ => Box::new(TCloseness::new(OF, share("2/5"), Distance::Equal, counts).unwrap()),
    };
    ModelSet::new(vec![by_size, other])
}

fn problem(seed: u64, rows: usize) -> Problem {
    let mut problem = random_problem(seed, rows, 4, 6);
    problem.persons = None;
    let random = &mut SplitMix64::new(seed);
    let value = |_: &Vec<String>| ["a", "b", "c"][random.below(3)].to_owned();
    let values = problem.rows.iter().map(value).collect();
    problem.sensitive = vec![values];
    problem
}

/// Each part alone stays within the limit, but not all together.
#[test]
fn the_limit_is_that_of_all_parts() {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for tuple in 0..400 {
        for value in ["a", "b"].iter().take(1 + (tuple + tuple / 20) % 2) {
            rows.push(vec![(tuple % 20).to_string(), (tuple / 20).to_string()]);
            values.push((*value).to_owned());
        }
    }
    let chain = |value: usize| (value.to_string(), vec![value.to_string(), "*".to_owned()]);
    let chains: BTreeMap<String, Vec<String>> = (0..20).map(chain).collect();
    let problem = Problem {
        columns: vec!["c0".to_owned(), "c1".to_owned()],
        weights: vec![(1, 1); 2],
        persons: None,
        sensitive: vec![values],
        rows,
        chains: vec![chains.clone(), chains],
    };
    // 200 of 600 rows are alone.
    for (limit, height) in [(200, 0), (150, 1)] {
        let bench = Bench::new(&problem, models(&problem, 1, 2));
        let away = away(&problem, bench, 0);
        for algorithm in [&Optimal::default() as &dyn Algorithm, &Incognito::default()] {
            let found = away.search(algorithm, MetricId::Prec, limit, true).unwrap();
            assert_eq!(support::node_of(&found).height(), height, "{limit}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_answer_is_that_of_held_tuples(seed: u64, rows in 1usize..600, kind in 0usize..4, k in 1u64..5, share in 0u64..4, large: bool, star: bool) {
        let problem = problem(seed, rows);
        let held = Bench::new(&problem, models(&problem, kind, k));
        let room = if large { u64::MAX } else { 0 };
        let bench = Bench::new(&problem, models(&problem, kind, k));
        let away = away(&problem, bench, room);
        let limit = held.ground.rows() * share / 6;
        let memory = Some(if large { 1 << 30 } else { 0 });
        let searches: [(&dyn Algorithm, MetricId); 4] = [
            (&Optimal { memory, ..Optimal::default() }, MetricId::Loss),
            (&Optimal { memory, ..Optimal::default() }, MetricId::Discernibility),
            (&MinGen { memory, preferred: &[] }, MetricId::Prec),
            (&Incognito { memory, preferred: &[] }, MetricId::Loss),
        ];
        for (algorithm, metric) in searches {
            let search = |bench: &Bench| {
                bench.with_task(metric, limit, star, |task| algorithm.search(task, &mut Unwatched))
            };
            let (expected, found) = match (search(&held), search(&away)) {
                (Ok(expected), Ok(found)) => (expected, found),
                (expected, found) => {
                    // Incognito refuses what it cannot carry.
                    prop_assert!(expected.is_err() && found.is_err());
                    continue;
                }
            };
            prop_assert_eq!(found.is_some(), expected.is_some());
            let (Some(expected), Some(found)) = (expected, found) else { continue };
            prop_assert_eq!(found.recoding.node(), expected.recoding.node());
            prop_assert_eq!((&found.ties, found.proven), (&expected.ties, expected.proven));
            let node = expected.recoding.node().unwrap();
            let weighed = away.with_task(metric, limit, star, |task| task.weigh(node).unwrap());
            let whole = held.with_task(metric, limit, star, |task| {
                let set = task.ground.set().roll_up(task.ladders, node);
                let judged = task.judge(&set);
                task.tally(&set, &judged)
            });
            prop_assert_eq!(&weighed.0, &whole);
            let gone = weighed.1.map_or(0, |class| class.only().rows());
            prop_assert_eq!(gone, whole.suppressed);
        }
    }
}
