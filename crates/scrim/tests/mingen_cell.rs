//! The least distortion cell by cell: Figure 7, all partitions of small tables, the bound, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use scrim::algorithm::{Algorithm, Found, MinGenCell, Stop, Timed, Unwatched};
use scrim::metric::{Marginals, MetricId, Metrics, measure_local};
use scrim::model::{KAnonymity, ModelSet, PSensitive};
use scrim::recoding::{Local, Recoding};
use scrim::{Error, Share};
use support::Bench;
use testkit::{Problem, oracle, random_problem, sweeney};

fn search(bench: &Bench, metric: MetricId, questions: Option<u64>) -> Result<Option<Found>, Error> {
    let algorithm = MinGenCell {
        metric,
        weights: &bench.weights,
        preferred: &[],
    };
    bench.with_task(metric, 0, true, |task| {
        let mut watch = Unwatched;
        let Some(questions) = questions else {
            return algorithm.search(task, &mut watch);
        };
        let mut watch = Timed::until(&mut watch, &Stop::after_questions(questions), 1);
        algorithm.search(task, &mut watch)
    })
}

fn local(found: &Found) -> &Local {
    match &found.recoding {
        Recoding::Local(local) => local,
        _ => panic!("cells are recoded locally"),
    }
}

fn metrics(bench: &Bench, found: &Found) -> Metrics {
    let marginals = Marginals::new(&bench.ladders, &bench.ground);
    measure_local(&marginals, &bench.weights, local(found), &bench.ground)
}

/// The published rows, in the words of the problem.
fn published(bench: &Bench, found: &Found) -> Vec<Vec<String>> {
    let local = local(found);
    let row = |class: &u32| {
        let cells = local.classes[*class as usize].iter();
        let cells = bench.ladders.iter().zip(cells).enumerate();
        cells
            .map(|(at, (ladder, cell))| local.label(ladder, at, *cell))
            .collect()
    };
    local.class_of_row.iter().map(row).collect()
}

fn share(fraction: testkit::Fraction) -> Share {
    fraction.to_string().parse().unwrap()
}

fn without_persons(mut problem: Problem) -> Problem {
    problem.persons = None;
    problem
}

#[test]
fn figure_7_has_its_cell_level_optimum_in_every_reconstruction() {
    let answers = sweeney::figure_7_cells();
    assert_eq!(answers.len(), 30);
    for answer in answers {
        let bench = Bench::k_anonymity(&sweeney::figure_7(&answer.variant), answer.k);
        let found = search(&bench, MetricId::Prec, None).unwrap().unwrap();
        let case = format!("{}, k = {}", answer.variant, answer.k);
        assert!(found.proven, "{case}");
        let prec = metrics(&bench, &found).prec_exact.unwrap();
        assert_eq!(prec, share(answer.best_prec), "{case}");
        assert!(
            (found.bound.unwrap() - prec.to_f64()).abs() < 1e-12,
            "{case}"
        );
    }
}

#[test]
fn figure_4_has_its_cell_level_optimum() {
    for answer in sweeney::figure_4_cells() {
        let bench = Bench::k_anonymity(&sweeney::figure_4(), answer.k);
        let found = search(&bench, MetricId::Prec, None).unwrap().unwrap();
        assert_eq!(
            metrics(&bench, &found).prec_exact.unwrap(),
            share(answer.best_prec)
        );
    }
}

#[test]
fn weights_move_the_optimum_of_figure_7_as_listed() {
    let cells: Vec<_> = sweeney::figure_7_weighted()
        .into_iter()
        .filter(|answer| answer.kind == "cell")
        .collect();
    assert!(!cells.is_empty());
    for answer in cells {
        let mut problem = sweeney::figure_7("M-Y-5-D/G2");
        problem.weights = answer.weights.clone();
        let bench = Bench::k_anonymity(&problem, answer.k);
        let found = search(&bench, MetricId::Prec, None).unwrap().unwrap();
        let prec = metrics(&bench, &found).prec_exact.unwrap();
        assert_eq!(
            prec,
            share(answer.prec),
            "{:?}, k = {}",
            answer.weights,
            answer.k
        );
    }
}

#[test]
fn without_time_there_is_a_release_and_a_bound_that_says_so() {
    let problem = sweeney::figure_7("Y-D-C/G2");
    let bench = Bench::k_anonymity(&problem, 3);
    let best = oracle::cell_optimum(&problem, 3).unwrap().prec;
    let found = search(&bench, MetricId::Prec, Some(0)).unwrap().unwrap();
    assert!(!found.proven);
    assert!(
        found.remarks[0].contains("time limit"),
        "{:?}",
        found.remarks
    );
    let bound = found.bound.unwrap();
    assert!(bound >= share(best).to_f64() && bound <= 1.0, "{bound}");
    assert!(metrics(&bench, &found).prec_exact.unwrap() <= share(best));
}

#[test]
fn fewer_rows_than_k_have_no_release() {
    let bench = Bench::k_anonymity(&sweeney::figure_4(), 9);
    assert_eq!(search(&bench, MetricId::Prec, None).unwrap(), None);
}

#[test]
fn what_small_blocks_cannot_carry_is_refused() {
    let mut problem = sweeney::figure_4();
    let rows = problem.rows.len();
    problem.sensitive = vec![(0..rows).map(|row| format!("s{}", row % 3)).collect()];
    let refused = |bench: &Bench, metric: MetricId, word: &str| match search(bench, metric, None) {
        Err(Error::Unsound { what, hint, .. }) => {
            assert!(what.contains(word), "{what}");
            assert!(hint.is_some());
        }
        other => panic!("not refused: {other:?}"),
    };
    let p = PSensitive::new("sensitive0", 2).unwrap();
    let models = ModelSet::new(vec![
        Box::new(KAnonymity::new(2, None).unwrap()),
        Box::new(p),
    ]);
    refused(&Bench::new(&problem, models), MetricId::Prec, "p-sensitive");
    refused(
        &Bench::k_anonymity(&problem, 2),
        MetricId::Entropy,
        "entropy",
    );
    problem.persons = Some((0..rows as u32).map(|row| row.max(1)).collect());
    refused(&Bench::k_anonymity(&problem, 2), MetricId::Prec, "persons");
}

#[test]
fn persons_with_one_row_each_are_rows() {
    let mut problem = sweeney::figure_7("Y-D-C/G2");
    problem.persons = Some((0..12).collect());
    let bench = Bench::k_anonymity(&problem, 2);
    let found = search(&bench, MetricId::Prec, None).unwrap().unwrap();
    assert_eq!(
        metrics(&bench, &found).prec_exact.unwrap(),
        "257/288".parse().unwrap()
    );
}

/// The least mean loss over all partitions into blocks of at least k, by trying all of them.
fn least_loss_mean(bench: &Bench, problem: &Problem, k: usize) -> f64 {
    let rows = problem.rows.len();
    let mut best = f64::INFINITY;
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    partitions(rows, 0, &mut blocks, &mut |blocks| {
        if blocks.iter().any(|block| block.len() < k) {
            return;
        }
        let mut class_of_row = vec![0; rows];
        for (number, block) in (0..).zip(blocks) {
            block.iter().for_each(|row| class_of_row[*row] = number);
        }
        let taxa = |block: &Vec<usize>| {
            let common = |(at, ladder): (usize, &scrim::hierarchy::Ladder)| {
                let level = (0..=problem.height(at)).find(|level| {
                    block.iter().all(|row| {
                        problem.cell(*row, at, *level) == problem.cell(block[0], at, *level)
                    })
                });
                let tree = ladder.hierarchy();
                tree.at_level(
                    tree.leaf(&problem.rows[block[0]][at]).unwrap(),
                    level.unwrap() as u8,
                )
            };
            bench.ladders.iter().enumerate().map(common).collect()
        };
        let local = Local::of_taxa(class_of_row, blocks.iter().map(taxa).collect());
        let marginals = Marginals::new(&bench.ladders, &bench.ground);
        best = best.min(measure_local(&marginals, &bench.weights, &local, &bench.ground).loss_mean);
    });
    best
}

fn partitions(
    rows: usize,
    row: usize,
    blocks: &mut Vec<Vec<usize>>,
    visit: &mut dyn FnMut(&[Vec<usize>]),
) {
    if row == rows {
        visit(blocks);
        return;
    }
    for at in 0..blocks.len() {
        blocks[at].push(row);
        partitions(rows, row + 1, blocks, visit);
        blocks[at].pop();
    }
    blocks.push(vec![row]);
    partitions(rows, row + 1, blocks, visit);
    blocks.pop();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_optimum_is_that_of_all_partitions(seed: u64, k in 1usize..5) {
        let problem = without_persons(random_problem(seed, 9, 4, 3));
        let expected = oracle::cell_optimum(&problem, k);
        let bench = Bench::k_anonymity(&problem, k);
        let found = search(&bench, MetricId::Prec, None).unwrap();
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            prop_assert!(found.proven);
            prop_assert_eq!(metrics(&bench, &found).prec_exact.unwrap(), share(expected.prec));
            // With a column of weight 0 the oracle lists only the lowest tables, and a search may have any of its blocks.
            if problem.weights.iter().all(|(weight, _)| *weight > 0) {
                prop_assert!(expected.tables.contains(&published(&bench, &found)));
            }
            prop_assert_eq!(&search(&bench, MetricId::Prec, None).unwrap().unwrap(), &found, "the same again");
        }
    }

    #[test]
    fn no_bound_is_better_than_the_optimum(seed: u64, k in 2usize..4) {
        let problem = without_persons(random_problem(seed, 9, 4, 3));
        if let Some(expected) = oracle::cell_optimum(&problem, k) {
            let bench = Bench::k_anonymity(&problem, k);
            let found = search(&bench, MetricId::Prec, Some(0)).unwrap().unwrap();
            let best = share(expected.prec);
            prop_assert!(found.bound.unwrap() >= best.to_f64() - 1e-12);
            let prec = metrics(&bench, &found).prec_exact.unwrap();
            prop_assert!(prec <= best);
            prop_assert!(!found.proven || prec == best);
        }
    }

    #[test]
    fn every_class_of_a_larger_table_has_k_rows_and_stands_at_its_ancestors(seed: u64, k in 2usize..5) {
        let problem = without_persons(random_problem(seed, 30, 3, 3));
        let bench = Bench::k_anonymity(&problem, k);
        let Some(found) = search(&bench, MetricId::Prec, Some(3000)).unwrap() else {
            prop_assert!(problem.rows.len() < k);
            return Ok(());
        };
        let rows = published(&bench, &found);
        for (row, cells) in rows.iter().enumerate() {
            prop_assert!(rows.iter().filter(|other| *other == cells).count() >= k);
            for (column, cell) in cells.iter().enumerate() {
                prop_assert!((0..=problem.height(column)).any(|level| problem.cell(row, column, level) == cell));
            }
        }
        prop_assert!(found.bound.unwrap() >= metrics(&bench, &found).prec - 1e-12);
    }
}

/// The least level over height of all cells, in twelfths, over all partitions into blocks of k to 2k - 1 rows, set by set.
fn least_twelfths(problem: &Problem, k: usize) -> Option<usize> {
    let rows = problem.rows.len();
    let level = |block: &[usize], column: usize| {
        let label = |row: usize, level: usize| problem.cell(row, column, level);
        let alike = |level: &usize| {
            block
                .iter()
                .all(|row| label(*row, *level) == label(block[0], *level))
        };
        (0..=problem.height(column)).find(alike).unwrap()
    };
    let cost = |set: usize| {
        let block: Vec<usize> = (0..rows).filter(|row| set >> row & 1 == 1).collect();
        let cells = (0..problem.columns.len())
            .map(|column| level(&block, column) * 12 / problem.height(column));
        block.len() * cells.sum::<usize>()
    };
    let is_block = |set: &usize| (k..2 * k).contains(&(set.count_ones() as usize));
    let blocks: Vec<(usize, usize)> = (1..1 << rows)
        .filter(is_block)
        .map(|set| (set, cost(set)))
        .collect();
    let mut least: Vec<Option<usize>> = vec![None; 1 << rows];
    least[0] = Some(0);
    for covered in 0..(1usize << rows) - 1 {
        let Some(so_far) = least[covered] else {
            continue;
        };
        let next = 1 << covered.trailing_ones();
        for (block, cost) in blocks
            .iter()
            .filter(|(block, _)| block & covered == 0 && block & next != 0)
        {
            let both = &mut least[covered | block];
            *both = Some(both.map_or(so_far + cost, |known| known.min(so_far + cost)));
        }
    }
    least[(1 << rows) - 1]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_optimum_is_that_of_all_blocks_up_to_2k_less_1(seed: u64, k in 2usize..4) {
        let mut problem = without_persons(random_problem(seed, 13, 4, 3));
        problem.weights.fill((1, 1));
        let bench = Bench::k_anonymity(&problem, k);
        let found = search(&bench, MetricId::Prec, None).unwrap();
        let least = least_twelfths(&problem, k);
        prop_assert_eq!(found.is_some(), least.is_some());
        if let (Some(found), Some(least)) = (found, least) {
            let cells = problem.rows.len() * problem.columns.len() * 12;
            let expected = Share::new((cells - least) as i128, cells as i128).unwrap();
            prop_assert!(found.proven);
            prop_assert_eq!(metrics(&bench, &found).prec_exact.unwrap(), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_least_mean_loss_is_that_of_all_partitions(seed: u64, k in 2usize..4) {
        let problem = without_persons(random_problem(seed, 7, 3, 3));
        let bench = Bench::k_anonymity(&problem, k);
        if let Some(found) = search(&bench, MetricId::LossMean, None).unwrap() {
            let least = least_loss_mean(&bench, &problem, k);
            prop_assert!((metrics(&bench, &found).loss_mean - least).abs() < 1e-9);
            prop_assert!(found.proven && (found.bound.unwrap() - least).abs() < 1e-9);
        }
    }
}
