//! The exact search where it is cut short, goes deep, or meets lattices too large to list.

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use scrim::Error;
use scrim::algorithm::{Algorithm, Found, Optimal, Progress, Stop, Timed, Unwatched, Watch};
use scrim::metric::MetricId;
use scrim::release::{HierarchyText, Policy, Prepared, Rows, plan};
use support::{Bench, node_of};
use testkit::oracle::{self, Metric};
use testkit::{Problem, SplitMix64, random_problem};

/// Interrupts after so many steps and keeps what there is; every step must enclose the optimum ever closer.
struct Impatient {
    steps: usize,
    bounds: Vec<(f64, f64)>,
}

impl Watch for Impatient {
    fn step(&mut self, progress: &Progress) -> Result<(), Error> {
        self.bounds.extend(progress.cost);
        if self.steps == 0 {
            return Err(Error::Interrupted);
        }
        self.steps -= 1;
        Ok(())
    }

    fn keeps_best(&self) -> bool {
        true
    }
}

/// A measure as something that is to be small.
fn as_cost(id: MetricId, value: f64) -> f64 {
    if id == MetricId::Prec { -value } else { value }
}

fn no_less(left: f64, right: f64) -> bool {
    left >= right - 1e-9 * right.abs().max(1.0)
}

fn measured(bench: &Bench, id: MetricId, found: &Found) -> f64 {
    as_cost(id, id.value_in(&bench.metrics(found, true)))
}

fn levels(found: &Found) -> Vec<usize> {
    let levels = node_of(found).levels().iter();
    levels.map(|level| usize::from(*level)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_optimum_lies_between_the_best_so_far_and_the_bound(seed: u64, k in 1usize..5, limit in prop_oneof![Just(0usize), 0usize..8, Just(99)], steps in 0usize..6, by in 0usize..8) {
        let problem = random_problem(seed, 24, 6, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let id = MetricId::ALL[by];
        let Some(whole) = bench.search(&Optimal::default(), id, limit as u64, true) else { return Ok(()) };
        prop_assert!(whole.proven && whole.bound.is_none());
        let optimum = measured(&bench, id, &whole);
        let mut watch = Impatient { steps, bounds: Vec::new() };
        let cut = bench.with_task(id, limit as u64, true, |task| Optimal::default().search(task, &mut watch).unwrap().unwrap());
        for (best, bound) in &watch.bounds {
            prop_assert!(no_less(as_cost(id, *best), optimum) && no_less(optimum, as_cost(id, *bound)), "{best} {optimum} {bound}");
        }
        prop_assert!(no_less(measured(&bench, id, &cut), optimum));
        prop_assert_eq!(cut.proven, cut.bound.is_none());
        if let Some(bound) = cut.bound {
            prop_assert!(no_less(optimum, as_cost(id, bound)), "{optimum} {bound}");
            prop_assert!(cut.remarks.iter().any(|remark| remark.contains("interrupted")));
        } else {
            prop_assert_eq!(&cut, &whole);
        }
        let suppressed = bench.suppressed_rows(&cut.recoding);
        prop_assert_eq!(oracle::is_k_anonymous(&problem, &levels(&cut), k, limit), Some(suppressed));
    }

    #[test]
    fn no_time_gives_a_release_with_a_right_bound_and_enough_time_a_proof(seed: u64, k in 1usize..4, limit in 0usize..6, by in 0usize..8) {
        let problem = random_problem(seed, 20, 5, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let id = MetricId::ALL[by];
        let Some(whole) = bench.search(&Optimal::default(), id, limit as u64, true) else { return Ok(()) };
        let optimum = measured(&bench, id, &whole);
        let within = |questions: u64| {
            let mut watch = Unwatched;
            let mut watch = Timed::until(&mut watch, &Stop::after_questions(questions), 1);
            bench.with_task(id, limit as u64, true, |task| Optimal::default().search(task, &mut watch).unwrap().unwrap())
        };
        let none = within(0);
        prop_assert_eq!(none.proven, none.bound.is_none());
        prop_assert!(none.bound.is_none_or(|bound| no_less(optimum, as_cost(id, bound))));
        prop_assert!(no_less(measured(&bench, id, &none), optimum));
        prop_assert_eq!(none.proven, none.remarks.is_empty());
        let enough = within(u64::MAX);
        prop_assert_eq!(enough, whole);
    }

    #[test]
    fn going_deep_or_with_little_memory_finds_the_same(seed: u64, k in 1usize..5, limit in prop_oneof![Just(0usize), 0usize..8, Just(99)], by in 0usize..8, waiting in 0usize..3, all_ties: bool) {
        let problem = random_problem(seed, 24, 6, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let id = MetricId::ALL[by];
        let wide = Optimal { all_ties, ..Optimal::default() };
        let deep = Optimal { all_ties, most_waiting: Some(waiting), ..Optimal::default() };
        let poor = Optimal { all_ties, memory: Some(0), ..Optimal::default() };
        let [wide, deep, poor] = [wide, deep, poor].map(|search| bench.search(&search, id, limit as u64, true));
        for other in [deep, poor] {
            prop_assert_eq!(wide.as_ref().map(|found| (&found.recoding, &found.ties)), other.as_ref().map(|found| (&found.recoding, &found.ties)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn seven_attributes_agree_with_exhaustion(seed: u64, k in 1usize..6, limit in prop_oneof![Just(0usize), 0usize..8, Just(99)], by in 0usize..5) {
        let (id, metric) = [
            (MetricId::Prec, Metric::Prec),
            (MetricId::DistortionRatio, Metric::DistortionRatio),
            (MetricId::InformationLoss, Metric::InformationLoss),
            (MetricId::Discernibility, Metric::Discernibility),
            (MetricId::AverageClassSize, Metric::AverageClassSize),
        ][by];
        let problem = random_problem(seed, 18, 7, 2);
        let bench = Bench::k_anonymity(&problem, k);
        let expected = oracle::preferred(&problem, metric, |node: &[usize]| oracle::is_k_anonymous(&problem, node, k, limit));
        let found = bench.search(&Optimal::default(), id, limit as u64, true);
        let ours = found.map(|found| (levels(&found), bench.suppressed_rows(&found.recoding)));
        prop_assert_eq!(ours, expected);
    }
}

/// Columns of three levels and nine values; in each row a value at random, but for the columns that are the same everywhere.
fn wide(columns: usize, rows: usize, constant: &[usize], seed: u64) -> Problem {
    let mut random = SplitMix64::new(seed);
    let label = |column: usize, level: usize, number: usize| format!("c{column}l{level}v{number}");
    let chain = |column: usize, value: usize| {
        vec![
            label(column, 0, value),
            label(column, 1, value / 3),
            label(column, 2, 0),
        ]
    };
    let chains = |column: usize| -> BTreeMap<String, Vec<String>> {
        (0..9)
            .map(|value| (label(column, 0, value), chain(column, value)))
            .collect()
    };
    let mut row = || {
        (0..columns)
            .map(|column| {
                let value = random.below(9);
                label(
                    column,
                    0,
                    if constant.contains(&column) { 0 } else { value },
                )
            })
            .collect::<Vec<_>>()
    };
    Problem {
        columns: (0..columns).map(|column| format!("c{column}")).collect(),
        weights: vec![(1, 1); columns],
        persons: None,
        sensitive: Vec::new(),
        rows: (0..rows).map(|_| row()).collect(),
        chains: (0..columns).map(chains).collect(),
    }
}

/// 3^20 nodes: all columns but the constant ones tell rows apart, so the best for k = 10 is known.
#[test]
fn twenty_attributes_and_ten_rows_are_proven() {
    let constant = [3, 11];
    let problem = wide(20, 10, &constant, 7);
    let bench = Bench::k_anonymity(&problem, 10);
    let found = bench
        .search(&Optimal::default(), MetricId::Loss, 0, true)
        .unwrap();
    assert!(found.proven && found.checked < 1000, "{}", found.checked);
    let expected: Vec<usize> = (0..20)
        .map(|column| if constant.contains(&column) { 0 } else { 2 })
        .collect();
    assert_eq!(levels(&found), expected);
}

/// No valid node one step below or beside the best may be better, and no random one.
#[test]
fn twenty_attributes_with_small_classes_are_proven_too() {
    for (limit, metric) in [
        (0, MetricId::Loss),
        (3, MetricId::Prec),
        (10, MetricId::Loss),
    ] {
        let problem = wide(20, 10, &[], 3);
        let bench = Bench::k_anonymity(&problem, 2);
        let mut random = SplitMix64::new(limit);
        bench.with_task(metric, limit, true, |task| {
            let found = Optimal::default()
                .search(task, &mut Unwatched)
                .unwrap()
                .unwrap();
            assert!(found.proven);
            let cost = |node: &scrim::recoding::Node| {
                let set = task.ground.set().roll_up(task.ladders, node);
                let judged = task.judge_within(&set, limit)?;
                Some(task.metric.cost(&task.tally(&set, &judged)))
            };
            let best = cost(node_of(&found)).unwrap();
            for _ in 0..20_000 {
                let mut node = node_of(&found).clone();
                for _ in 0..random.between(1, 8) {
                    node = node.with(random.below(20), random.below(3) as u8);
                }
                assert!(cost(&node).is_none_or(|other| other >= best), "{node}");
            }
        });
    }
}

/// A watch that never lets a search end by itself.
struct Halted;

impl Watch for Halted {
    fn step(&mut self, _: &Progress) -> Result<(), Error> {
        Err(Error::Interrupted)
    }

    fn keeps_best(&self) -> bool {
        true
    }
}

#[test]
fn a_plan_that_was_cut_short_tells_how_far_it_may_be_from_the_best() {
    let problem = wide(8, 60, &[], 5);
    let table = support::table(&problem);
    let columns: Vec<String> = (0..8)
        .map(|column| format!("c{column} = {{ role = \"quasi\", hierarchy = \"c{column}.csv\" }}"))
        .collect();
    let text = format!(
        "[data]\npath = \"x.csv\"\n[columns]\n{}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[search]\nmetric = \"loss\"\ntime-limit = 3600\n",
        columns.join("\n")
    );
    let policy = Policy::parse("p.toml", &text).unwrap();
    assert!(policy.search.ignored.is_empty());
    let mut load = |path: &str| {
        let column: usize = path[1..2].parse().unwrap();
        let lines: Vec<String> = problem.chains[column]
            .values()
            .map(|chain| chain.join(";"))
            .collect();
        Ok(HierarchyText {
            name: path.to_owned(),
            text: lines.join("\n"),
        })
    };
    let rows = Rows {
        file: "x.csv",
        line: &|row| row as u64 + 2,
    };
    let prepared = Prepared::new(&policy, &table, &mut load, &rows).unwrap();
    let whole = plan(&policy, &table, &prepared, &mut Unwatched)
        .unwrap()
        .unwrap();
    assert!(whole.found.proven && whole.metrics.bound.is_none());
    let cut = plan(&policy, &table, &prepared, &mut Halted)
        .unwrap()
        .unwrap();
    let (bound, gap) = (cut.metrics.bound.unwrap(), cut.metrics.gap.unwrap());
    assert!(!cut.found.proven && gap > 0.0);
    assert!(bound <= whole.metrics.loss && whole.metrics.loss <= cut.metrics.loss);
    assert!((cut.metrics.loss - bound - gap).abs() < 1e-12);
}
