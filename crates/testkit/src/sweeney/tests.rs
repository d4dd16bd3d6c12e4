use super::{
    CellAnswer, VARIANTS, WeightedAnswer, def6_tie, figure_1, figure_4, figure_4_best_prec,
    figure_4_cells, figure_4_distortions, figure_4_lattice, figure_4_minimal, figure_4_protected,
    figure_4_weighted, figure_7, figure_7_best_prec, figure_7_cells, figure_7_datafly,
    figure_7_distortions, figure_7_gt, figure_7_minimal, figure_7_protected, figure_7_variants,
    figure_7_weighted, figure_10_mgt,
};
use crate::oracle::{
    Metric, Mode, Step4, cell_optimum, datafly, distortion_ratio, is_k_anonymous, max_k,
    minimal_nodes, optimum, prec, prec_of_cells,
};
use crate::{Fraction, Problem};

/// The nodes of highest Prec, and that Prec, without suppression.
fn most_precise(problem: &Problem, k: usize) -> (Vec<Vec<usize>>, Fraction) {
    let valid = |node: &[usize]| is_k_anonymous(problem, node, k, 0);
    let (cost, nodes) = optimum(problem, Metric::Prec, valid).unwrap();
    let best = prec(problem, &nodes[0], &[]);
    assert!((cost - (Fraction::ONE - best).to_f64()).abs() < 1e-12);
    (nodes, best)
}

fn protected(problem: &Problem, k: usize) -> usize {
    let is_valid = |node: &&Vec<usize>| is_k_anonymous(problem, node, k, 0).is_some();
    problem.all_nodes().iter().filter(is_valid).count()
}

/// The level of each cell of the printed GT.
fn gt_levels(problem: &Problem) -> Vec<Vec<usize>> {
    let level = |row: usize, column: usize, label: &String| {
        let chain = &problem.chains[column][&problem.rows[row][column]];
        chain.iter().position(|at| at == label).unwrap()
    };
    let released = figure_7_gt();
    (0..released.len())
        .map(|row| {
            (0..4)
                .map(|column| level(row, column, &released[row][column]))
                .collect()
        })
        .collect()
}

fn step_4(name: &str) -> Step4 {
    match name {
        "tuple" => Step4::Tuple,
        "sequence" => Step4::Sequence,
        other => panic!("{other}"),
    }
}

#[test]
fn every_value_of_figure_1_occurs_as_often_as_example_2_says() {
    let problem = figure_1();
    let count = |column: usize, value: &str| {
        problem
            .rows
            .iter()
            .filter(|row| row[column] == value)
            .count()
    };
    assert_eq!([count(0, "Black"), count(0, "White")], [4, 3]);
    assert_eq!([count(1, "1964"), count(1, "1965")], [5, 2]);
    assert_eq!([count(2, "m"), count(2, "f")], [5, 2]);
    assert_eq!([count(3, "02138"), count(3, "02141")], [5, 2]);
    assert_eq!(problem.sensitive[0].len(), 7);
}

#[test]
fn the_lattice_of_figure_4_has_these_sizes_and_precisions() {
    let problem = figure_4();
    let lattice = figure_4_lattice();
    let nodes: Vec<_> = lattice.iter().map(|answer| answer.levels.clone()).collect();
    assert_eq!(nodes, problem.all_nodes());
    for answer in lattice {
        let node = &answer.levels;
        assert_eq!(max_k(&problem, node), Some(answer.max_k));
        assert_eq!(problem.classes(node).len(), answer.classes);
        assert_eq!(prec(&problem, node, &[]), answer.prec);
        assert_eq!(
            distortion_ratio(&problem, node, &[]),
            answer.distortion_ratio
        );
    }
}

#[test]
fn figure_4_has_these_minimal_and_most_precise_nodes() {
    let problem = figure_4();
    for k in 2..=8 {
        let minimal = minimal_nodes(&problem, |node| is_k_anonymous(&problem, node, k, 0));
        assert_eq!(minimal, figure_4_minimal(k), "k = {k}");
        assert_eq!(
            most_precise(&problem, k),
            (figure_4_distortions(k), figure_4_best_prec(k))
        );
        assert_eq!(protected(&problem, k), figure_4_protected(k));
    }
}

#[test]
fn definition_6_read_literally_has_no_solution_under_a_tie() {
    let problem = def6_tie();
    let (nodes, best) = most_precise(&problem, 2);
    assert_eq!((nodes.len(), best), (2, Fraction::new(1, 2)));
    // Literally: a valid table such that every valid table at least as precise is that table.
    let valid: Vec<_> = problem
        .all_nodes()
        .into_iter()
        .filter(|node| is_k_anonymous(&problem, node, 2, 0).is_some())
        .collect();
    let is_literal = |node: &&Vec<usize>| {
        valid
            .iter()
            .all(|other| prec(&problem, other, &[]) < prec(&problem, node, &[]) || other == *node)
    };
    assert_eq!(valid.iter().filter(is_literal).count(), 0);
}

#[test]
fn figure_7_has_these_minimal_and_most_precise_nodes_in_every_variant() {
    for variant in VARIANTS {
        let problem = figure_7(variant);
        for k in 2..=6 {
            let minimal = minimal_nodes(&problem, |node| is_k_anonymous(&problem, node, k, 0));
            assert_eq!(minimal, figure_7_minimal(variant, k), "{variant}, k = {k}");
            let best = (
                figure_7_distortions(variant, k),
                figure_7_best_prec(variant, k),
            );
            assert_eq!(most_precise(&problem, k), best, "{variant}, k = {k}");
            assert_eq!(protected(&problem, k), figure_7_protected(variant, k));
        }
    }
}

#[test]
fn the_printed_gt_and_datafly_have_these_precisions_in_every_variant() {
    let variants = figure_7_variants();
    assert_eq!(
        variants
            .iter()
            .map(|answer| answer.variant.as_str())
            .collect::<Vec<_>>(),
        VARIANTS
    );
    for answer in variants {
        let problem = figure_7(&answer.variant);
        assert_eq!(problem.heights(), answer.heights);
        assert_eq!(
            prec_of_cells(&problem, &gt_levels(&problem)),
            answer.gt_prec
        );
        let outcome = datafly(&problem, 2, Step4::Tuple, Mode::Strict).unwrap();
        let found = prec(&problem, &outcome.levels, &outcome.suppressed);
        assert_eq!(found, answer.datafly_prec);
    }
}

#[test]
fn weighted_precisions_are_these() {
    let cases = [
        (figure_4(), figure_4_weighted()),
        (figure_7("M-Y-5-D/G2"), figure_7_weighted()),
    ];
    for (plain, answers) in cases {
        for answer in &answers {
            let mut problem = plain.clone();
            problem.weights.clone_from(&answer.weights);
            assert_eq!(
                weighted(&problem, answer, &answers),
                answer.prec,
                "{answer:?}"
            );
        }
    }
}

fn weighted(problem: &Problem, answer: &WeightedAnswer, all: &[WeightedAnswer]) -> Fraction {
    match answer.kind.as_str() {
        "gt" => prec_of_cells(problem, &gt_levels(problem)),
        "datafly" => {
            let outcome = datafly(problem, answer.k, Step4::Tuple, Mode::Strict).unwrap();
            prec(problem, &outcome.levels, &outcome.suppressed)
        }
        "cell" => cell_optimum(problem, answer.k).unwrap().prec,
        "distortion" => {
            let same = |other: &&WeightedAnswer| {
                (&other.weights, other.k, &other.kind) == (&answer.weights, answer.k, &answer.kind)
            };
            let expected: Vec<_> = all
                .iter()
                .filter(same)
                .map(|one| one.levels.clone())
                .collect();
            let (nodes, best) = most_precise(problem, answer.k);
            assert_eq!(nodes, expected);
            best
        }
        other => panic!("{other}"),
    }
}

#[test]
fn datafly_gives_these_levels_and_rows_in_every_variant() {
    let answers = figure_7_datafly();
    assert_eq!(answers.len(), 10 * 11 * 2);
    for answer in answers {
        let problem = figure_7(&answer.variant);
        let outcome = datafly(&problem, answer.k, step_4(&answer.step_4), Mode::Strict).unwrap();
        assert_eq!(outcome.levels, answer.levels, "{answer:?}");
        assert_eq!(outcome.step_3, answer.step_3, "{answer:?}");
        assert_eq!(outcome.suppressed, answer.suppressed, "{answer:?}");
        assert_eq!(
            prec(&problem, &outcome.levels, &outcome.suppressed),
            answer.prec
        );
    }
}

#[test]
fn datafly_prints_figure_10() {
    let problem = figure_7("Y-D-C/G2");
    let outcome = datafly(&problem, 2, Step4::Tuple, Mode::Strict).unwrap();
    let table = problem.generalize(&outcome.levels);
    let kept: Vec<Vec<String>> = (0..12)
        .filter(|row| !outcome.suppressed.contains(row))
        .map(|row| [&table[row][..], &problem.sensitive[0][row..=row]].concat())
        .collect();
    assert_eq!(kept, figure_10_mgt());
}

#[test]
fn datafly_keeps_something_in_every_variant_unless_it_is_strict() {
    for variant in VARIANTS {
        let problem = figure_7(variant);
        for k in 2..=12 {
            for step_4 in [Step4::Tuple, Step4::Sequence] {
                let outcome = datafly(&problem, k, step_4, Mode::Generalizing).unwrap();
                assert!(outcome.suppressed.len() < 12, "{variant}, k = {k}");
            }
        }
    }
}

#[test]
fn the_cell_level_optima_are_these_and_gt_is_never_one() {
    let answer = |problem: &Problem, answer: &CellAnswer| {
        let best = cell_optimum(problem, answer.k).unwrap();
        assert_eq!(
            (best.prec, best.tables.len()),
            (answer.best_prec, answer.tables),
            "{answer:?}"
        );
        best
    };
    for one in figure_4_cells() {
        answer(&figure_4(), &one);
    }
    let gt: Vec<Vec<String>> = figure_7_gt().iter().map(|row| row[..4].to_vec()).collect();
    for one in figure_7_cells() {
        let best = answer(&figure_7(&one.variant), &one);
        assert!(!best.tables.contains(&gt));
    }
}
