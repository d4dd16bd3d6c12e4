//! Promises about some of the quasi-identifiers, against all sets of classes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use scrim::Share;
use scrim::algorithm::{
    Algorithm, Complement, Datafly, Incognito, MinGenCell, Mondrian, Optimal, Partitioning,
    TopDown, Unwatched, minimal_nodes,
};
use scrim::metric::MetricId;
use scrim::model::{
    BetaLikeness, Diversity, KAnonymity, LDiversity, Likeness, ModelSet, PrivacyModel,
};
use scrim::recoding::{Node, Recoding};
use support::{Bench, node_of};
use testkit::{Problem, SplitMix64, oracle, random_problem};

type Promises = Vec<(Vec<usize>, usize)>;

/// One to three promises, the first about all columns as often as not.
fn promises(seed: u64, columns: usize) -> Promises {
    let mut random = SplitMix64::new(seed);
    let promise = |random: &mut SplitMix64| {
        let mut chosen: Vec<usize> = (0..columns).filter(|_| random.below(2) == 0).collect();
        if chosen.is_empty() {
            chosen.push(random.below(columns));
        }
        (chosen, random.between(1, 5))
    };
    let count = random.between(1, 3);
    (0..count).map(|_| promise(&mut random)).collect()
}

fn models(problem: &Problem, promises: &Promises) -> Vec<Box<dyn PrivacyModel>> {
    let person = problem.persons.as_ref().map(|_| "person".to_owned());
    let model = |(columns, k): &(Vec<usize>, usize)| -> Box<dyn PrivacyModel> {
        let all = KAnonymity::new(*k as u64, person.clone()).unwrap();
        if columns.len() == problem.columns.len() {
            Box::new(all)
        } else {
            Box::new(all.over(columns.clone()))
        }
    };
    promises.iter().map(model).collect()
}

fn bench(problem: &Problem, promises: &Promises) -> Bench {
    Bench::new(problem, ModelSet::new(models(problem, promises)))
}

fn levels(node: &Node) -> Vec<usize> {
    node.levels()
        .iter()
        .map(|level| usize::from(*level))
        .collect()
}

/// Whether the promises hold in these rows of a node.
fn holds(problem: &Problem, node: &[usize], kept: &[usize], promises: &Promises) -> bool {
    let same = |left: usize, right: usize, at: usize| {
        problem.cell(left, at, node[at]) == problem.cell(right, at, node[at])
    };
    promises.iter().all(|(columns, k)| {
        kept.iter().all(|row| {
            let alike = |other: &usize| columns.iter().all(|at| same(*row, *other, *at));
            let alike: Vec<usize> = kept.iter().copied().filter(alike).collect();
            problem.class_size(&alike) >= *k
        })
    })
}

/// Whether all rows of a class-by-class release keep the promises, by what they show.
fn keeps(problem: &Problem, bench: &Bench, recoding: &Recoding, promises: &Promises) -> bool {
    let (class_of_row, _) = recoding.class_of_row(&bench.ladders, &bench.ground);
    let Recoding::Local(local) = recoding else {
        panic!("a local recoding")
    };
    let shown = |row: usize, column: usize| {
        let cell = local.classes[local.class_of_row[row] as usize][column];
        local.label(&bench.ladders[column], column, cell)
    };
    promises.iter().all(|(columns, k)| {
        (0..class_of_row.len()).all(|row| {
            let alike: Vec<usize> = (0..class_of_row.len())
                .filter(|other| {
                    columns
                        .iter()
                        .all(|at| shown(row, *at) == shown(*other, *at))
                })
                .collect();
            problem.class_size(&alike) >= *k
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_node_suppresses_what_its_definition_says(seed: u64) {
        let problem = random_problem(seed, 10, 4, 2);
        let promises = promises(seed, problem.columns.len());
        let bench = bench(&problem, &promises);
        bench.with_task(MetricId::Prec, 0, true, |task| {
            for node in problem.all_nodes() {
                let expected = oracle::closed_under(&problem, &node, &promises, 99).unwrap();
                let at = Node::new(node.iter().map(|level| *level as u8).collect::<Vec<_>>());
                let recoding = Recoding::FullDomain { suppressed: task.suppressed_at(&at), node: at };
                prop_assert_eq!(bench.suppressed_rows(&recoding), expected, "{:?} at {:?}", promises, node);
            }
            Ok(())
        })?;
    }

    #[test]
    fn searches_of_the_lattice_find_what_exhaustion_finds(seed: u64, limit in prop_oneof![Just(0usize), 0usize..6, Just(99)]) {
        let problem = random_problem(seed, 10, 4, 3);
        let promises = promises(seed, problem.columns.len());
        let bench = bench(&problem, &promises);
        let valid = |node: &[usize]| oracle::closed_under(&problem, node, &promises, limit);
        let expected = oracle::preferred(&problem, oracle::Metric::Prec, valid);
        let found = bench.search(&Optimal::default(), MetricId::Prec, limit as u64, true);
        let ours = found.map(|found| {
            assert!(found.proven);
            (levels(node_of(&found)), bench.suppressed_rows(&found.recoding))
        });
        prop_assert_eq!(ours, expected);
        let mut theirs = oracle::minimal_nodes(&problem, valid);
        theirs.sort();
        bench.with_task(MetricId::Prec, limit as u64, true, |task| {
            let listed = minimal_nodes(task, &mut Unwatched).unwrap().0;
            let by_subsets = Incognito::default().minimal(task, &mut Unwatched).unwrap().0;
            for found in [listed, by_subsets] {
                let mut ours: Vec<Vec<usize>> = found.iter().map(|minimal| levels(&minimal.node)).collect();
                ours.sort();
                prop_assert_eq!(&ours, &theirs);
            }
            Ok(())
        })?;
    }

    #[test]
    fn beside_a_model_that_more_rows_may_break_the_best_is_still_found(seed: u64, limit in 0usize..8, l in 1i128..3) {
        let problem = random_problem(seed, 10, 3, 3);
        prop_assume!(!problem.sensitive.is_empty());
        let promises = promises(seed, problem.columns.len());
        let mut all = models(&problem, &promises);
        let l = Share::whole(l);
        all.push(Box::new(LDiversity::new("sensitive0", Diversity::Frequency { l }).unwrap()));
        let bench = Bench::new(&problem, ModelSet::new(all));
        // The same task, searched node by node.
        let best = bench.with_task(MetricId::Prec, limit as u64, true, |task| {
            let lattice = task.lattice();
            (0..lattice.size() as usize)
                .filter_map(|index| {
                    let node = lattice.node(index);
                    let set = task.ground.set().roll_up(task.ladders, &node);
                    let judged = task.judge_within(&set, limit as u64)?;
                    let cost = task.metric.cost(&task.tally(&set, &judged));
                    Some((cost, judged.suppressed, node.height(), levels(&node)))
                })
                .min()
        });
        let found = bench.search(&Optimal::default(), MetricId::Prec, limit as u64, true);
        prop_assert_eq!(found.map(|found| levels(node_of(&found))), best.map(|best| best.3));
    }

    #[test]
    fn beside_a_model_that_compares_classes_with_what_is_left_every_promise_holds(seed: u64, stays: bool) {
        let problem = random_problem(seed, 10, 3, 3);
        prop_assume!(!problem.sensitive.is_empty());
        let promises = promises(seed, problem.columns.len());
        let counts = support::table(&problem).column("sensitive0").unwrap().counts();
        let mut all = models(&problem, &promises);
        all.push(Box::new(BetaLikeness::new("sensitive0", Share::ONE, Likeness::Basic, counts).unwrap()));
        let bench = Bench::new(&problem, ModelSet::new(all));
        bench.with_task(MetricId::Prec, 99, stays, |task| {
            for node in problem.all_nodes() {
                let at = Node::new(node.iter().map(|level| *level as u8).collect::<Vec<_>>());
                let recoding = Recoding::FullDomain { suppressed: task.suppressed_at(&at), node: at };
                let gone = bench.suppressed_rows(&recoding);
                let kept: Vec<usize> = (0..problem.rows.len()).filter(|row| !gone.contains(row)).collect();
                prop_assert!(holds(&problem, &node, &kept, &promises), "{:?} at {:?}", promises, node);
            }
            Ok(())
        })?;
    }

    #[test]
    fn datafly_keeps_every_promise(seed: u64, by in 0usize..2) {
        let problem = random_problem(seed, 12, 4, 3);
        let promises = promises(seed, problem.columns.len());
        let bench = bench(&problem, &promises);
        let algorithm = Datafly {
            k: promises.iter().map(|(_, k)| *k as u64).max().unwrap(),
            strict: false,
            complement: [Complement::Tuple, Complement::Sequence][by],
            weights: vec![Share::ONE; problem.columns.len()],
            limit: None,
        };
        let Some(found) = bench.search(&algorithm, MetricId::Prec, 0, true) else { return Ok(()) };
        let (node, gone) = (levels(node_of(&found)), bench.suppressed_rows(&found.recoding));
        let kept: Vec<usize> = (0..problem.rows.len()).filter(|row| !gone.contains(row)).collect();
        prop_assert!(holds(&problem, &node, &kept, &promises), "{:?} at {:?}", promises, node);
    }

    #[test]
    fn searches_that_form_classes_one_by_one_keep_every_promise_and_claim_nothing(seed: u64) {
        let mut problem = random_problem(seed, 14, 4, 3);
        problem.persons = None;
        let promises = promises(seed, problem.columns.len());
        let bench = bench(&problem, &promises);
        let table = support::table(&problem);
        let numbers = vec![None; problem.columns.len()];
        let mondrian = Mondrian { table: &table, numbers: &numbers, partitioning: Partitioning::Strict };
        let top_down = TopDown { table: &table, tighten: true };
        let by_cell = MinGenCell { metric: MetricId::Prec, weights: &bench.weights, preferred: &[] };
        for algorithm in [&mondrian as &dyn Algorithm, &top_down, &by_cell] {
            let Some(found) = bench.search(algorithm, MetricId::Prec, 0, true) else { continue };
            prop_assert!(keeps(&problem, &bench, &found.recoding, &promises), "{}", algorithm.id());
            if promises.iter().any(|(columns, _)| columns.len() < problem.columns.len()) {
                prop_assert!(!found.proven && found.bound.is_none() && found.tied_tables.is_none());
            }
        }
    }
}
