//! The worked examples of [Sweeney02], with the answers of the paper or, where it errs, the corrected ones.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use scrim::Share;
use scrim::algorithm::{Complement, Datafly, MinGen, Unwatched, minimal_nodes};
use scrim::metric::MetricId;
use support::{Bench, node_of};
use testkit::oracle::{self, Mode, Step4};
use testkit::{Problem, random_problem, sweeney};

fn levels(node: &scrim::recoding::Node) -> Vec<usize> {
    node.levels()
        .iter()
        .map(|level| usize::from(*level))
        .collect()
}

fn minimal(problem: &Problem, k: usize) -> Vec<Vec<usize>> {
    let bench = Bench::k_anonymity(problem, k);
    let (found, _) = bench.with_task(MetricId::Prec, 0, true, |task| {
        minimal_nodes(task, &mut Unwatched).unwrap()
    });
    let mut nodes: Vec<Vec<usize>> = found.iter().map(|minimal| levels(&minimal.node)).collect();
    nodes.sort();
    nodes
}

fn distortions(problem: &Problem, k: usize) -> (Vec<Vec<usize>>, Share) {
    let bench = Bench::k_anonymity(problem, k);
    let found = bench
        .search(&MinGen::default(), MetricId::Prec, 0, true)
        .unwrap();
    let mut nodes: Vec<Vec<usize>> = found.ties.iter().map(levels).collect();
    nodes.sort();
    (nodes, bench.metrics(&found, true).prec_exact.unwrap())
}

fn share(fraction: testkit::Fraction) -> Share {
    fraction.to_string().parse().unwrap()
}

#[test]
fn figure_1_is_two_anonymous_and_not_three() {
    assert_eq!(minimal(&sweeney::figure_1(), 2), [[0, 0, 0, 0]]);
    assert!(!minimal(&sweeney::figure_1(), 3).contains(&vec![0, 0, 0, 0]));
}

#[test]
fn figure_4_has_the_minimal_generalizations_and_distortions_of_examples_3_4_and_6() {
    let problem = sweeney::figure_4();
    assert_eq!(minimal(&problem, 2), [[0, 1], [1, 0]]);
    assert_eq!(
        distortions(&problem, 2),
        (vec![vec![0, 1]], "5/6".parse().unwrap())
    );
    for k in 2..=8 {
        assert_eq!(
            minimal(&problem, k),
            sweeney::figure_4_minimal(k),
            "k = {k}"
        );
        let (nodes, best) = distortions(&problem, k);
        assert_eq!(nodes, sweeney::figure_4_distortions(k), "k = {k}");
        assert_eq!(best, share(sweeney::figure_4_best_prec(k)), "k = {k}");
    }
}

#[test]
fn figure_7_agrees_for_every_reconstruction_of_figure_6() {
    for variant in sweeney::VARIANTS {
        let problem = sweeney::figure_7(variant);
        for k in 2..=6 {
            assert_eq!(
                minimal(&problem, k),
                sweeney::figure_7_minimal(variant, k),
                "{variant}, k = {k}"
            );
            let (nodes, best) = distortions(&problem, k);
            assert_eq!(
                nodes,
                sweeney::figure_7_distortions(variant, k),
                "{variant}, k = {k}"
            );
            assert_eq!(
                best,
                share(sweeney::figure_7_best_prec(variant, k)),
                "{variant}, k = {k}"
            );
        }
    }
}

#[test]
fn under_a_tie_all_maxima_are_kept() {
    assert_eq!(distortions(&sweeney::def6_tie(), 2).0, [[0, 1], [1, 0]]);
}

fn datafly(
    problem: &Problem,
    k: usize,
    complement: Complement,
    strict: bool,
) -> Option<(Vec<usize>, Vec<usize>)> {
    datafly_within(problem, k, complement, strict, None)
}

fn datafly_within(
    problem: &Problem,
    k: usize,
    complement: Complement,
    strict: bool,
    limit: Option<usize>,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let bench = Bench::k_anonymity(problem, k);
    let weights = vec![Share::ONE; problem.columns.len()];
    let algorithm = Datafly {
        k: k as u64,
        strict,
        complement,
        weights,
        limit: limit.map(|limit| limit as u64),
    };
    let found = bench.search(&algorithm, MetricId::Prec, 0, true)?;
    Some((
        levels(node_of(&found)),
        bench.suppressed_rows(&found.recoding),
    ))
}

#[test]
fn datafly_gives_figure_10() {
    let (levels, suppressed) =
        datafly(&sweeney::figure_7("Y-D-C/G2"), 2, Complement::Tuple, false).unwrap();
    assert_eq!(levels, [0, 1, 0, 0]);
    assert_eq!(suppressed, [6, 7]); // t7 and t8
}

#[test]
fn strict_datafly_agrees_for_every_reconstruction_and_k() {
    for variant in sweeney::VARIANTS {
        let problem = sweeney::figure_7(variant);
        for k in 2..=12 {
            for (complement, step_4) in [
                (Complement::Tuple, Step4::Tuple),
                (Complement::Sequence, Step4::Sequence),
            ] {
                let expected = oracle::datafly(&problem, k, step_4, Mode::Strict).unwrap();
                let expected = (expected.suppressed.len() < 12)
                    .then_some((expected.levels, expected.suppressed));
                assert_eq!(
                    datafly(&problem, k, complement, true),
                    expected,
                    "{variant}, k = {k}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn datafly_is_its_oracle(seed: u64, k in 1usize..6) {
        let mut problem = random_problem(seed, 20, 4, 3);
        problem.persons = None;
        for (complement, step_4) in [(Complement::Tuple, Step4::Tuple), (Complement::Sequence, Step4::Sequence)] {
            let expected = oracle::datafly(&problem, k, step_4, Mode::Generalizing).map(|outcome| (outcome.levels, outcome.suppressed));
            prop_assert_eq!(datafly(&problem, k, complement, false), expected);
        }
    }

    #[test]
    fn datafly_keeps_the_suppression_limit_and_is_its_oracle(seed: u64, k in 1usize..6, limit in 0usize..8) {
        let mut problem = random_problem(seed, 20, 4, 3);
        problem.persons = None;
        let rows = problem.rows.len();
        for (complement, step_4) in [(Complement::Tuple, Step4::Tuple), (Complement::Sequence, Step4::Sequence)] {
            for (strict, mode) in [(false, Mode::Generalizing), (true, Mode::Strict)] {
                let expected = oracle::datafly_within(&problem, k, step_4, mode, limit);
                // What gives up everything is no release.
                let expected = expected.filter(|outcome| outcome.suppressed.len() < rows);
                let expected = expected.map(|outcome| (outcome.levels, outcome.suppressed));
                let found = datafly_within(&problem, k, complement, strict, Some(limit));
                prop_assert!(found.as_ref().is_none_or(|(_, suppressed)| suppressed.len() <= limit));
                prop_assert_eq!(found, expected);
            }
        }
    }
}
