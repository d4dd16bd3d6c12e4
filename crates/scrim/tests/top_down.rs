//! `top-down` against Algorithm 1 as defined, choice by choice, with models that grow with their classes and models that do not.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "tests of small numbers, with a bench that other tests share"
)]

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use scrim::Share;
use scrim::algorithm::{Algorithm, Stop, Timed, TopDown, Unwatched};
use scrim::metric::MetricId;
use scrim::model::{
    AlphaK, BetaLikeness, Categories, Distance, KAnonymity, Likeness, ModelSet, PAlpha, PPlusAlpha,
    PSensitive, PrivacyModel, TCloseness,
};
use scrim::recoding::{Local, Recoding};
use scrim::table::Table;
use support::Bench;
use testkit::oracle::{self, Asked};
use testkit::{Fraction, Problem, SplitMix64, random_problem};

const OF: &str = "sensitive0";

/// Six values in three categories.
fn categories() -> Vec<Vec<String>> {
    let category = |at: usize| vec![format!("v{}", 2 * at), format!("v{}", 2 * at + 1)];
    (0..3).map(category).collect()
}

fn problem(seed: u64, rows: usize, with_persons: bool) -> Problem {
    let mut problem = random_problem(seed, rows, 3, 3);
    let mut random = SplitMix64::new(seed ^ 0x70D0);
    let count = problem.rows.len();
    // Common and rare values.
    let mut value = || format!("v{}", random.below(6).min(random.below(6)));
    problem.sensitive = vec![(0..count).map(|_| value()).collect()];
    let mut persons = SplitMix64::new(seed ^ 0x9E25);
    problem.persons = with_persons.then(|| {
        let person = |_| persons.below(count) as u32;
        (0..count).map(person).collect()
    });
    problem
}

/// What a policy asks for.
#[derive(Clone, Debug)]
struct Wanted {
    k: usize,
    p: Option<usize>,
    /// By categories rather than values.
    plus: bool,
    alpha: Option<Fraction>,
    t: Option<Fraction>,
    beta: Option<Fraction>,
    /// No value has a larger share.
    most: Option<Fraction>,
}

fn share(fraction: Fraction) -> Share {
    Share::new(fraction.numerator(), fraction.denominator()).unwrap()
}

fn models(wanted: &Wanted, problem: &Problem, table: &Table) -> ModelSet {
    let column = table.column(OF).unwrap();
    let listed = || Categories::new(&categories(), column.dictionary()).unwrap();
    let person = problem.persons.as_ref().map(|_| "person".to_owned());
    let mut models: Vec<Box<dyn PrivacyModel>> =
        vec![Box::new(KAnonymity::new(wanted.k as u64, person).unwrap())];
    match (
        wanted.p.map(|p| p as u64),
        wanted.alpha.map(share),
        wanted.plus,
    ) {
        (Some(p), None, _) => models.push(Box::new(PSensitive::new(OF, p).unwrap())),
        (Some(p), Some(alpha), false) => {
            models.push(Box::new(PAlpha::new(OF, p, alpha, listed()).unwrap()));
        }
        (Some(p), Some(alpha), true) => {
            models.push(Box::new(PPlusAlpha::new(OF, p, alpha, listed()).unwrap()));
        }
        (None, ..) => {}
    }
    let reference = || column.counts();
    if let Some(t) = wanted.t {
        let model = TCloseness::new(OF, share(t), Distance::Equal, reference());
        models.push(Box::new(model.unwrap()));
    }
    if let Some(beta) = wanted.beta {
        let model = BetaLikeness::new(OF, share(beta), Likeness::Basic, reference());
        models.push(Box::new(model.unwrap()));
    }
    if let Some(most) = wanted.most {
        models.push(Box::new(AlphaK::new(OF, share(most), None).unwrap()));
    }
    ModelSet::new(models)
}

fn values<'p>(problem: &'p Problem, rows: &[usize]) -> Vec<&'p str> {
    rows.iter()
        .map(|row| problem.sensitive[0][*row].as_str())
        .collect()
}

fn size(problem: &Problem, rows: &[usize]) -> usize {
    let persons = problem.persons.as_ref();
    persons.map_or(rows.len(), |persons| {
        rows.iter()
            .map(|row| persons[*row])
            .collect::<BTreeSet<_>>()
            .len()
    })
}

/// How many values or categories rows lack, and how much weight.
fn lacks(wanted: &Wanted, problem: &Problem, rows: &[usize]) -> (usize, Fraction) {
    let Some(p) = wanted.p else {
        return (0, Fraction::ZERO);
    };
    let values = values(problem, rows);
    let has = if wanted.plus && wanted.alpha.is_some() {
        oracle::distinct_categories(&values, &categories())
    } else {
        values.iter().collect::<BTreeSet<_>>().len()
    };
    let weight = oracle::total_weight(&values, &categories());
    let short = wanted.alpha.filter(|alpha| weight < *alpha);
    (
        p.saturating_sub(has),
        short.map_or(Fraction::ZERO, |alpha| alpha - weight),
    )
}

fn holds(wanted: &Wanted, problem: &Problem, rows: &[usize]) -> bool {
    let all: Vec<&str> = problem.sensitive[0].iter().map(String::as_str).collect();
    let class = values(problem, rows);
    size(problem, rows) >= wanted.k
        && lacks(wanted, problem, rows) == (0, Fraction::ZERO)
        && wanted
            .t
            .is_none_or(|t| oracle::t_close_equal(&class, &all, t))
        && wanted
            .beta
            .is_none_or(|beta| oracle::beta_likeness(&class, &all, beta, false))
        && wanted.most.is_none_or(|most| {
            let commonest = class
                .iter()
                .map(|value| class.iter().filter(|other| *other == value).count())
                .max();
            let rows = Fraction::whole(class.len());
            Fraction::whole(commonest.unwrap_or(0)) <= most * rows
        })
}

fn cells(bench: &Bench, local: &Local, row: usize) -> Vec<String> {
    let class = &local.classes[local.class_of_row[row] as usize];
    let cells = bench.ladders.iter().zip(class).enumerate();
    cells
        .map(|(at, (ladder, cell))| local.label(ladder, at, *cell))
        .collect()
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let quarters = |most: i128| (1..=most).prop_map(|n| Fraction::new(n, 4));
    (
        1usize..5,
        proptest::option::of(1usize..4),
        any::<bool>(),
        proptest::option::of(quarters(8)),
        proptest::option::of(quarters(3)),
        proptest::option::weighted(0.3, quarters(12)),
        proptest::option::weighted(0.3, (2i128..5).prop_map(|n| Fraction::new(n, 5))),
    )
        .prop_map(|(k, p, plus, alpha, t, beta, most)| Wanted {
            k,
            p,
            plus,
            alpha: alpha.filter(|_| p.is_some()),
            t,
            beta,
            most,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_choice_is_that_of_the_definition(seed: u64, wanted in wanted(), with_persons: bool) {
        let problem = problem(seed, 36, with_persons);
        let table = support::table(&problem);
        let bench = Bench::new(&problem, models(&wanted, &problem, &table));
        let search = TopDown { table: &table, tighten: false };
        let found = bench.with_task(MetricId::DistortionRatio, 0, true, |task| search.search(task, &mut Unwatched).unwrap());
        let expected = oracle::top_down(&problem, &Asked {
            holds: &|rows| holds(&wanted, &problem, rows),
            lacks: &|rows| lacks(&wanted, &problem, rows),
        });
        let published = found.map(|found| {
            let Recoding::Local(local) = found.recoding else { panic!("top-down recodes locally") };
            (0..problem.rows.len()).map(|row| cells(&bench, &local, row)).collect::<Vec<_>>()
        });
        prop_assert_eq!(published, expected);
    }

    #[test]
    fn whenever_the_time_is_up_every_class_is_valid(seed: u64, wanted in wanted(), questions in 0u64..60) {
        let problem = problem(seed, 36, false);
        let table = support::table(&problem);
        let bench = Bench::new(&problem, models(&wanted, &problem, &table));
        let search = TopDown { table: &table, tighten: false };
        let mut watch = Unwatched;
        let mut watch = Timed::until(&mut watch, &Stop::after_questions(questions), 7);
        let found = bench.with_task(MetricId::DistortionRatio, 0, true, |task| search.search(task, &mut watch).unwrap());
        let Some(found) = found else { return Ok(()) };
        let whole = bench.with_task(MetricId::DistortionRatio, 0, true, |task| search.search(task, &mut Unwatched).unwrap().unwrap());
        prop_assert!(!found.proven);
        if found.remarks.is_empty() {
            prop_assert_eq!(&found.recoding, &whole.recoding);
        } else {
            prop_assert!(found.remarks[0].contains("time limit of 7 seconds"));
        }
        let Recoding::Local(local) = found.recoding else { panic!("top-down recodes locally") };
        for class in 0..local.classes.len() {
            let rows: Vec<usize> = (0..problem.rows.len()).filter(|row| local.class_of_row[*row] as usize == class).collect();
            prop_assert!(holds(&wanted, &problem, &rows));
        }
    }
}
