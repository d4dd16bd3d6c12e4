//! The exact search against exhaustion.

mod support;

use proptest::prelude::*;
use scrim::algorithm::{MinGen, Optimal, Unwatched, minimal_nodes};
use scrim::metric::MetricId;
use support::{Bench, node_of};
use testkit::oracle::{self, Metric};
use testkit::{Problem, random_problem};

const METRICS: [(MetricId, Metric); 7] = [
    (MetricId::Prec, Metric::Prec),
    (MetricId::DistortionRatio, Metric::DistortionRatio),
    (MetricId::InformationLoss, Metric::InformationLoss),
    (MetricId::Loss, Metric::Loss),
    (MetricId::Discernibility, Metric::Discernibility),
    (MetricId::AverageClassSize, Metric::AverageClassSize),
    (MetricId::Entropy, Metric::Entropy),
];

fn levels(node: &scrim::recoding::Node) -> Vec<usize> {
    node.levels()
        .iter()
        .map(|level| usize::from(*level))
        .collect()
}

/// Whether floats decide ties differently is not ours to test: rational metrics must agree on the node.
fn is_exact(metric: Metric) -> bool {
    !matches!(metric, Metric::Loss | Metric::Entropy)
}

fn agrees_with_exhaustion(
    problem: &Problem,
    k: usize,
    limit: usize,
    id: MetricId,
    metric: Metric,
) -> Result<(), TestCaseError> {
    let bench = Bench::k_anonymity(problem, k);
    let valid = |node: &[usize]| oracle::is_k_anonymous(problem, node, k, limit);
    let expected = oracle::preferred(problem, metric, valid);
    let found = bench.search(&Optimal::default(), id, limit as u64, true);
    prop_assert_eq!(found.is_some(), expected.is_some());
    let (Some(found), Some((node, suppressed))) = (found, expected) else {
        return Ok(());
    };
    let rows = bench.suppressed_rows(&found.recoding);
    let ours = metric.cost(problem, &levels(node_of(&found)), &rows);
    let theirs = metric.cost(problem, &node, &suppressed);
    prop_assert!(
        (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0),
        "{} costs {ours}, {node:?} costs {theirs}",
        node_of(&found)
    );
    prop_assert_eq!(valid(&levels(node_of(&found))), Some(rows.clone()));
    if is_exact(metric) {
        prop_assert_eq!(levels(node_of(&found)), node);
        prop_assert_eq!(rows, suppressed);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn optimal_finds_what_exhaustion_finds(seed: u64, k in 1usize..5, limit in prop_oneof![Just(0usize), 0usize..6, Just(99)]) {
        let problem = random_problem(seed, 14, 4, 3);
        for (id, metric) in METRICS {
            agrees_with_exhaustion(&problem, k, limit, id, metric)?;
        }
    }

    #[test]
    fn the_answer_is_the_same_for_one_and_two_threads(seed: u64, k in 1usize..5, limit in 0usize..6) {
        let problem = random_problem(seed, 30, 4, 3);
        let bench = Bench::k_anonymity(&problem, k);
        for (id, _) in METRICS {
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| bench.search(&Optimal::default(), id, limit as u64, true))
            };
            prop_assert_eq!(on(1), on(2));
        }
    }

    #[test]
    fn mingen_finds_all_minimal_distortions(seed: u64, k in 1usize..5, limit in 0usize..4) {
        let problem = random_problem(seed, 12, 4, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let expected = oracle::optimum(&problem, Metric::Prec, |node: &[usize]| oracle::is_k_anonymous(&problem, node, k, limit));
        let found = bench.search(&MinGen::default(), MetricId::Prec, limit as u64, true);
        let mut ours: Vec<Vec<usize>> = found.iter().flat_map(|found| found.ties.iter().map(levels)).collect();
        ours.sort();
        let mut theirs = expected.map(|(_, nodes)| nodes).unwrap_or_default();
        theirs.sort();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn all_minimal_nodes_are_listed(seed: u64, k in 1usize..5, limit in 0usize..4) {
        let problem = random_problem(seed, 14, 4, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let mut theirs = oracle::minimal_nodes(&problem, |node: &[usize]| oracle::is_k_anonymous(&problem, node, k, limit));
        theirs.sort();
        let (found, _) = bench.with_task(MetricId::Prec, limit as u64, true, |task| minimal_nodes(task, &mut Unwatched).unwrap());
        let mut ours: Vec<Vec<usize>> = found.iter().map(|minimal| levels(&minimal.node)).collect();
        ours.sort();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn every_metric_is_what_its_definition_says(seed: u64, k in 1usize..5) {
        let problem = random_problem(seed, 14, 4, 3);
        let bench = Bench::k_anonymity(&problem, k);
        let Some(found) = bench.search(&Optimal::default(), MetricId::Loss, 5, true) else { return Ok(()) };
        let ours = bench.metrics(&found, true);
        let node = levels(node_of(&found));
        let rows = bench.suppressed_rows(&found.recoding);
        let exact = |fraction: testkit::Fraction| fraction.to_string().parse::<scrim::Share>().unwrap();
        let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-6 * theirs.abs().max(1.0);
        prop_assert_eq!(ours.prec_exact.unwrap(), exact(oracle::prec(&problem, &node, &rows)));
        prop_assert_eq!(ours.distortion_ratio_exact.unwrap(), exact(oracle::distortion_ratio(&problem, &node, &rows)));
        prop_assert_eq!(ours.information_loss_exact.unwrap(), exact(oracle::information_loss(&problem, &node, &rows)));
        prop_assert!(close(ours.loss, oracle::loss(&problem, &node, &rows)));
        prop_assert!(close(ours.loss_mean, oracle::loss_mean(&problem, &node, &rows)));
        prop_assert_eq!(ours.discernibility, oracle::discernibility(&problem, &node, &rows));
        prop_assert!(close(ours.average_class_size, oracle::average_class_size(&problem, &node, &rows).to_f64()));
        prop_assert!(close(ours.entropy, oracle::entropy(&problem, &node, &rows)));
    }
}
