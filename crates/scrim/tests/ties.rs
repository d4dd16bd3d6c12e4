//! Equally good recodings: all of them, and the one that the policy prefers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use scrim::Share;
use scrim::algorithm::{
    Algorithm, Complement, Datafly, Found, Incognito, MinGen, MinGenCell, Optimal, Stop, Timed,
    Unwatched,
};
use scrim::metric::MetricId;
use scrim::recoding::{Local, Recoding};
use std::collections::BTreeSet;
use support::{Bench, node_of};
use testkit::{Problem, oracle, random_problem, sweeney};

type Shown = Vec<Vec<String>>;

fn without_persons(mut problem: Problem) -> Problem {
    problem.persons = None;
    problem
}

fn by_cell(bench: &Bench, preferred: &[usize]) -> Option<Found> {
    let algorithm = MinGenCell {
        metric: MetricId::Prec,
        weights: &bench.weights,
        preferred,
    };
    bench.with_task(MetricId::Prec, 0, true, |task| {
        algorithm.search(task, &mut Unwatched).unwrap()
    })
}

/// The rows of a table, in the words of the problem.
fn shown(bench: &Bench, local: &Local) -> Shown {
    let row = |class: &u32| {
        let cells = local.classes[*class as usize].iter();
        let cells = bench.ladders.iter().zip(cells).enumerate();
        cells
            .map(|(at, (ladder, cell))| local.label(ladder, at, *cell))
            .collect()
    };
    local.class_of_row.iter().map(row).collect()
}

fn chosen(bench: &Bench, found: &Found) -> Shown {
    match &found.recoding {
        Recoding::Local(local) => shown(bench, local),
        _ => panic!("cells are recoded locally"),
    }
}

/// The sum of the levels of a column's cells.
fn generalized(problem: &Problem, table: &Shown, column: usize) -> usize {
    let level = |(row, cells): (usize, &Vec<String>)| {
        (0..=problem.height(column))
            .find(|level| problem.cell(row, column, *level) == cells[column])
            .unwrap()
    };
    table.iter().enumerate().map(level).sum()
}

#[test]
fn figure_7_has_as_many_optimal_tables_as_listed_in_every_reconstruction() {
    for answer in sweeney::figure_7_cells() {
        let bench = Bench::k_anonymity(&sweeney::figure_7(&answer.variant), answer.k);
        let found = by_cell(&bench, &[]).unwrap();
        let ties = found.tied_tables.unwrap();
        let case = format!("{}, k = {}", answer.variant, answer.k);
        assert!(ties.complete, "{case}");
        assert_eq!(ties.count, answer.tables as u64, "{case}");
        let all: BTreeSet<Shown> = ties
            .listed
            .iter()
            .map(|local| shown(&bench, local))
            .collect();
        assert_eq!(all.len(), answer.tables, "{case}");
    }
}

#[test]
fn a_hundred_tables_are_listed_and_all_are_counted() {
    // The only `b` needs three of ten `a` beside it: 120 ways to choose them.
    let mut problem = without_persons(sweeney::def6_tie());
    let row = |value: &str| vec![value.to_owned(), "x".to_owned()];
    problem.rows = (0..10).map(|_| row("a")).collect();
    problem.rows.push(row("b"));
    let bench = Bench::k_anonymity(&problem, 4);
    let found = by_cell(&bench, &[]).unwrap();
    let expected = oracle::cell_optimum(&problem, 4).unwrap();
    assert_eq!(expected.tables.len(), 120);
    let ties = found.tied_tables.unwrap();
    assert_eq!((ties.count, ties.complete), (120, true));
    assert_eq!(ties.listed.len(), 100);
}

#[test]
fn without_time_nothing_is_said_of_other_tables() {
    let bench = Bench::k_anonymity(&sweeney::figure_7("Y-D-C/G2"), 2);
    let algorithm = MinGenCell {
        metric: MetricId::Prec,
        weights: &bench.weights,
        preferred: &[],
    };
    let found = bench.with_task(MetricId::Prec, 0, true, |task| {
        let mut watch = Unwatched;
        let mut watch = Timed::until(&mut watch, &Stop::after_questions(0), 1);
        algorithm.search(task, &mut watch).unwrap().unwrap()
    });
    assert!(!found.proven);
    assert_eq!(found.tied_tables, None);
}

/// How much a node generalizes the preferred columns, suppressed rows at the top.
fn rank(problem: &Problem, preferred: &[usize], levels: &[usize], suppressed: usize) -> Vec<usize> {
    let rows = problem.rows.len();
    let sum = |column: &usize| {
        levels[*column] * (rows - suppressed) + problem.height(*column) * suppressed
    };
    preferred.iter().map(sum).collect()
}

fn levels(node: &scrim::recoding::Node) -> Vec<usize> {
    node.levels()
        .iter()
        .map(|level| usize::from(*level))
        .collect()
}

#[test]
fn the_preferred_column_decides_between_the_two_nodes_of_definition_6() {
    let problem = sweeney::def6_tie();
    let bench = Bench::k_anonymity(&problem, 2);
    for (preferred, node) in [([0, 1], [0, 1]), ([1, 0], [1, 0])] {
        let searches: [&dyn Algorithm; 3] = [
            &Optimal {
                preferred: &preferred,
                ..Optimal::default()
            },
            &MinGen {
                preferred: &preferred,
                ..MinGen::default()
            },
            &Incognito {
                preferred: &preferred,
                ..Incognito::default()
            },
        ];
        for search in searches {
            let found = bench.search(search, MetricId::Prec, 0, true).unwrap();
            assert_eq!(levels(node_of(&found)), node, "{}", search.id());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_optimal_tables_are_found(seed: u64, k in 1usize..5) {
        let problem = without_persons(random_problem(seed, 8, 3, 3));
        let bench = Bench::k_anonymity(&problem, k);
        let (found, expected) = (by_cell(&bench, &[]), oracle::cell_optimum(&problem, k));
        prop_assert_eq!(found.is_some(), expected.is_some());
        let (Some(found), Some(expected)) = (found, expected) else { return Ok(()) };
        let ties = found.tied_tables.clone().unwrap();
        let all: BTreeSet<Shown> = ties.listed.iter().map(|local| shown(&bench, local)).collect();
        prop_assert_eq!(all.len(), ties.listed.len(), "none is listed twice");
        prop_assert_eq!(shown(&bench, &ties.listed[0]), chosen(&bench, &found));
        // The oracle too has only tables whose blocks stand as low as they can.
        let positive = problem.weights.iter().all(|(weight, _)| *weight > 0);
        prop_assert!(ties.complete || !positive);
        if ties.count <= 100 && ties.complete {
            prop_assert_eq!(all, expected.tables);
        } else if ties.complete {
            prop_assert_eq!(ties.count, expected.tables.len() as u64);
        }
    }

    #[test]
    fn the_preferred_table_generalizes_the_first_column_least(seed: u64, k in 2usize..4, turn in 0usize..3) {
        let problem = without_persons(random_problem(seed, 8, 3, 3));
        prop_assume!(problem.weights.iter().all(|(weight, _)| *weight > 0));
        let columns = problem.columns.len();
        let preferred: Vec<usize> = (0..columns.min(2)).map(|at| (at + turn) % columns).collect();
        let bench = Bench::k_anonymity(&problem, k);
        let (found, expected) = (by_cell(&bench, &preferred), oracle::cell_optimum(&problem, k));
        let (Some(found), Some(expected)) = (found, expected) else { return Ok(()) };
        let rank = |table: &Shown| -> Vec<usize> {
            preferred.iter().map(|column| generalized(&problem, table, *column)).collect()
        };
        let table = chosen(&bench, &found);
        prop_assert!(expected.tables.contains(&table));
        prop_assert_eq!(rank(&table), expected.tables.iter().map(rank).min().unwrap());
    }

    #[test]
    fn the_preferred_node_is_first_in_the_documented_order(seed: u64, k in 1usize..5, limit in 0usize..6, turn in 0usize..4) {
        let problem = random_problem(seed, 12, 4, 3);
        let columns = problem.columns.len();
        let preferred: Vec<usize> = (0..columns.min(2)).map(|at| (at + turn) % columns).collect();
        let bench = Bench::k_anonymity(&problem, k);
        let best = oracle::optimum(&problem, oracle::Metric::Prec, |node: &[usize]| oracle::is_k_anonymous(&problem, node, k, limit));
        let expected = best.map(|(_, nodes)| {
            let key = |node: &Vec<usize>| {
                let suppressed = oracle::is_k_anonymous(&problem, node, k, limit).unwrap().len();
                (rank(&problem, &preferred, node, suppressed), suppressed, node.iter().sum::<usize>(), node.clone())
            };
            nodes.into_iter().min_by_key(key).unwrap()
        });
        let optimal = Optimal { preferred: &preferred, ..Optimal::default() };
        let mingen = MinGen { preferred: &preferred, ..MinGen::default() };
        for search in [&optimal as &dyn Algorithm, &mingen] {
            let found = bench.search(search, MetricId::Prec, limit as u64, true);
            prop_assert_eq!(found.map(|found| levels(node_of(&found))), expected.clone());
        }
    }

    #[test]
    fn datafly_with_equal_weights_is_datafly_without(seed: u64, k in 1usize..6, by in 0usize..3) {
        let problem = random_problem(seed, 14, 4, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let run = |weight: Option<Share>| {
            let algorithm = Datafly {
                k: k as u64,
                strict: false,
                complement: Complement::Tuple,
                weights: weight.map_or_else(Vec::new, |weight| vec![weight; problem.columns.len()]),
                limit: None,
            };
            bench.search(&algorithm, MetricId::Prec, 0, true).map(|found| found.recoding)
        };
        let weight = [Share::ZERO, Share::new(1, 3).unwrap(), Share::ONE][by];
        prop_assert_eq!(run(Some(weight)), run(None));
    }
}
