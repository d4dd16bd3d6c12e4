//! mu-Argus: the answers on Figure 7 of [Sweeney02], and the oracle on random tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use scrim::algorithm::{
    Algorithm, Combinations, DataHolder, Decision, Generalize, Identifying, MuArgus, Progress,
    Tested, Unwatched, Watch,
};
use scrim::metric::{Marginals, MetricId, measure_local};
use scrim::recoding::{Local, Recoding};
use scrim::{Error, Place};
use support::Bench;
use testkit::oracle::{self, Identifies, TestedBy};
use testkit::{Problem, SplitMix64, random_problem, sweeney};

/// What a run came to, in plain words.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    step_2: Vec<usize>,
    levels: Vec<usize>,
    outliers: Vec<BTreeSet<Vec<usize>>>,
    suppressed: Vec<BTreeSet<usize>>,
    released: Vec<Vec<String>>,
}

struct Case<'a> {
    problem: &'a Problem,
    k: usize,
    identifies: &'a [Identifies],
    tested: TestedBy,
}

impl Case<'_> {
    fn algorithm<T>(&self, generalize: &Generalize, run: impl FnOnce(&MuArgus<'_>) -> T) -> T {
        let identifying: Vec<Identifying> = self
            .identifies
            .iter()
            .map(|identifies| match identifies {
                Identifies::Most => Identifying::Most,
                Identifies::More => Identifying::More,
                Identifies::Plainly => Identifying::Identifying,
            })
            .collect();
        run(&MuArgus {
            identifying: &identifying,
            combinations: match self.tested {
                TestedBy::All => Combinations::All,
                TestedBy::Figure12 => Combinations::Figure12,
            },
            generalize,
        })
    }

    /// The library's answer.
    fn ours(
        &self,
        generalize: &Generalize,
        watch: &mut dyn Watch,
    ) -> Result<(Outcome, Local, Bench), Error> {
        let bench = Bench::k_anonymity(self.problem, self.k);
        let (run, found) = self.algorithm(generalize, |algorithm| {
            bench.with_task(MetricId::Prec, 0, true, |task| {
                let run = algorithm.run(task, watch)?;
                // A second run with the decisions of the first: asked or listed, it is the same.
                let listed = listed(&run.raised);
                let again = MuArgus {
                    generalize: &listed,
                    ..algorithm.clone()
                };
                let found = again.search(task, &mut Unwatched)?.unwrap();
                Ok::<_, Error>((run, found))
            })
        })?;
        let Recoding::Local(local) = found.recoding else {
            panic!("cells are suppressed one by one");
        };
        let usizes = |levels: &[u8]| levels.iter().map(|level| usize::from(*level)).collect();
        let tuples = run.tuple_of_row.iter().map(|tuple| *tuple as usize);
        let label = |class: &u32| {
            let cells = local.classes[*class as usize].iter();
            let ladders = bench.ladders.iter().enumerate();
            cells
                .zip(ladders)
                .map(|(cell, (at, ladder))| local.label(ladder, at, *cell))
                .collect()
        };
        let outcome = Outcome {
            step_2: usizes(run.automatic.levels()),
            levels: usizes(run.node.levels()),
            outliers: tuples
                .clone()
                .map(|tuple| {
                    run.outliers
                        .of_tuple(tuple)
                        .map(<[usize]>::to_vec)
                        .collect()
                })
                .collect(),
            suppressed: tuples
                .map(|tuple| run.suppressed[tuple].iter().copied().collect())
                .collect(),
            released: local.class_of_row.iter().map(label).collect(),
        };
        Ok((outcome, local, bench))
    }

    fn theirs(&self, decisions: &[usize]) -> Option<Outcome> {
        let outcome = oracle::mu_argus(
            self.problem,
            self.k,
            self.identifies,
            self.tested,
            decisions,
        )?;
        Some(Outcome {
            step_2: outcome.step_2,
            levels: outcome.levels,
            outliers: outcome.outliers,
            suppressed: outcome.suppressed,
            released: outcome.released,
        })
    }
}

fn listed(attributes: &[usize]) -> Generalize {
    let decision = |attribute: &usize| Decision {
        attribute: *attribute,
        place: Place::file("policy.toml"),
    };
    Generalize::Listed(attributes.iter().map(decision).collect())
}

#[test]
fn figure_7_agrees_for_every_reconstruction_k_and_set_of_combinations() {
    for answer in sweeney::figure_7_mu_argus() {
        let problem = sweeney::figure_7(&answer.variant);
        let case = Case {
            problem: &problem,
            k: answer.k,
            identifies: &sweeney::FIGURE_7_IDENTIFIES,
            tested: answer.tested,
        };
        let (ours, local, bench) = case.ours(&listed(&[]), &mut Unwatched).unwrap();
        let told = (&answer.variant, answer.k, answer.tested);
        assert_eq!(ours.step_2, answer.levels, "{told:?}");
        assert_eq!(ours.outliers, answer.outliers, "{told:?}");
        assert_eq!(ours.suppressed, answer.suppressed, "{told:?}");
        let smallest = local.sizes().into_iter().min().unwrap();
        assert_eq!(Some(smallest as usize), answer.max_k, "{told:?}");
        let marginals = Marginals::new(&bench.ladders, &bench.ground);
        let metrics = measure_local(&marginals, &bench.weights, &local, &bench.ground);
        let prec = metrics.prec_exact.unwrap().to_string();
        assert_eq!(prec, answer.prec.to_string(), "{told:?}");
    }
}

#[test]
fn figure_15_is_the_release_and_has_two_unique_rows() {
    let problem = sweeney::figure_7("Y-D-C/G2");
    for tested in [TestedBy::All, TestedBy::Figure12] {
        let case = Case {
            problem: &problem,
            k: 2,
            identifies: &sweeney::FIGURE_7_IDENTIFIES,
            tested,
        };
        let (ours, local, _) = case.ours(&listed(&[]), &mut Unwatched).unwrap();
        assert_eq!(ours.released, sweeney::figure_15_mt());
        let unique = local.sizes().into_iter().filter(|size| *size == 1);
        assert_eq!(unique.count(), 2);
    }
}

#[test]
fn a_rare_combination_of_four_columns_is_not_seen() {
    let problem = sweeney::four_bits();
    let case = Case {
        problem: &problem,
        k: 2,
        identifies: &[Identifies::Plainly; 4],
        tested: TestedBy::All,
    };
    let (ours, local, _) = case.ours(&listed(&[]), &mut Unwatched).unwrap();
    assert!(ours.outliers.iter().all(BTreeSet::is_empty));
    assert_eq!(ours.released, problem.rows);
    assert_eq!(local.sizes(), [1; 16]);
}

#[test]
fn fewer_rows_than_k_leave_only_tops() {
    let problem = sweeney::figure_7("Y-D-C/G2");
    let case = Case {
        problem: &problem,
        k: 13,
        identifies: &sweeney::FIGURE_7_IDENTIFIES,
        tested: TestedBy::All,
    };
    let (ours, ..) = case.ours(&listed(&[]), &mut Unwatched).unwrap();
    assert_eq!(ours.levels, problem.heights());
}

#[test]
fn a_decision_beyond_the_top_is_refused_with_its_place() {
    let problem = sweeney::figure_7("Y-D-C/G2");
    let case = Case {
        problem: &problem,
        k: 2,
        identifies: &sweeney::FIGURE_7_IDENTIFIES,
        tested: TestedBy::All,
    };
    let error = case.ours(&listed(&[0, 0, 0]), &mut Unwatched).unwrap_err();
    assert!(
        error.to_string().starts_with("policy.toml: `Race`"),
        "{error}"
    );
    assert!(case.ours(&listed(&[0, 0]), &mut Unwatched).is_ok());
}

/// Answers from a list, and notes what it was told.
struct Holder {
    answers: Vec<usize>,
    told: Vec<Vec<u64>>,
}

impl Watch for Holder {
    fn step(&mut self, _: &Progress) -> Result<(), Error> {
        Ok(())
    }

    fn data_holder(&mut self) -> Option<&mut dyn DataHolder> {
        Some(self)
    }
}

impl DataHolder for Holder {
    fn generalize(&mut self, tested: &Tested<'_>) -> Result<Option<usize>, Error> {
        let rows = tested.combinations.iter().map(|(_, rows)| *rows);
        self.told.push(rows.collect());
        Ok((!self.answers.is_empty()).then(|| self.answers.remove(0)))
    }
}

#[test]
fn who_is_asked_sees_each_test_and_gets_what_a_list_gives() {
    let problem = sweeney::figure_7("Y-D-C/G2");
    let case = Case {
        problem: &problem,
        k: 2,
        identifies: &sweeney::FIGURE_7_IDENTIFIES,
        tested: TestedBy::All,
    };
    let asked = Generalize::Asked(Place::file("policy.toml"));
    let mut holder = Holder {
        answers: vec![3, 2],
        told: Vec::new(),
    };
    let (ours, ..) = case.ours(&asked, &mut holder).unwrap();
    assert_eq!(Some(ours), case.theirs(&[3, 2]));
    assert_eq!(
        holder.told,
        [
            [1, 1, 0, 0, 1, 1, 1, 2, 1, 2],
            [1, 1, 0, 0, 0, 0, 1, 1, 1, 0],
            [1, 0, 0, 0, 0, 0, 1, 1, 0, 0]
        ]
    );
    assert!(case.ours(&asked, &mut Unwatched).is_err());
}

#[test]
fn without_k_anonymity_there_is_no_k() {
    let problem = sweeney::four_bits();
    let bench = Bench::new(&problem, scrim::model::ModelSet::new(Vec::new()));
    let none = listed(&[]);
    let algorithm = MuArgus {
        identifying: &[],
        combinations: Combinations::All,
        generalize: &none,
    };
    bench.with_task(MetricId::Prec, 0, true, |task| {
        let error = algorithm.search(task, &mut Unwatched).unwrap_err();
        assert!(error.to_string().contains("k-anonymity"), "{error}");
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn mu_argus_is_its_oracle(seed: u64, k in 1usize..6, figure_12: bool) {
        let problem = random_problem(seed, 24, 6, 3);
        let mut random = SplitMix64::new(seed ^ 0x5eed);
        let classes = [Identifies::Most, Identifies::More, Identifies::Plainly];
        let columns = problem.columns.len();
        let identifies: Vec<Identifies> = (0..columns).map(|_| classes[random.below(3)]).collect();
        let decisions: Vec<usize> = (0..random.below(4)).map(|_| random.below(columns)).collect();
        let case = Case {
            problem: &problem,
            k,
            identifies: &identifies,
            tested: if figure_12 { TestedBy::Figure12 } else { TestedBy::All },
        };
        let whole: Vec<usize> = (0..problem.rows.len()).collect();
        prop_assume!(problem.class_size(&whole) >= k);
        let ours = case.ours(&listed(&decisions), &mut Unwatched).ok();
        prop_assert_eq!(ours.map(|(ours, ..)| ours), case.theirs(&decisions));
    }
}
