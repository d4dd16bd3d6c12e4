//! What every search does when its time is up, by a clock that counts questions; and that `local` is never worse than the searches
//! that it starts from.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    dead_code,
    reason = "tests of small numbers, with a table that another test has too"
)]

#[path = "mondrian/plain.rs"]
mod plain;

use proptest::prelude::*;
use scrim::Error;
use scrim::algorithm::{Stop, Timed, Unwatched, Watch, tells_of_time};
use scrim::metric::MetricId;
use scrim::release::{HierarchyText, Plan, Policy, Prepared, Rows, plan};
use scrim::table::Table;

use plain::{JOBS, Plain};

const NUMERIC: &str = "age = { role = \"quasi\", numeric = { from = 0, to = 9 } }";
/// A column that may be cut anywhere beside its hierarchy.
const BOTH: &str = "age = { role = \"quasi\", numeric = { from = 0, to = 9 }, hierarchy = { intervals = { from = 0, to = 10, widths = [2, 4] } } }";
const OTHERS: &str = "job = { role = \"quasi\", hierarchy = \"job.txt\" }\nsex = { role = \"quasi\" }\nill = { role = \"sensitive\" }";

fn planned(
    table: &Table,
    age: &str,
    privacy: &str,
    search: &str,
    watch: &mut dyn Watch,
) -> Result<Option<Plan>, Error> {
    let text = format!(
        "[data]\npath = \"x.csv\"\n[columns]\n{age}\n{OTHERS}\n{privacy}\n[search]\n{search}\n"
    );
    let policy = Policy::parse("p.toml", &text)?;
    assert!(
        policy.search.ignored.is_empty(),
        "{:?}",
        policy.search.ignored
    );
    let mut load = |path: &str| {
        Ok(HierarchyText {
            name: path.to_owned(),
            text: JOBS.to_owned(),
        })
    };
    let rows = Rows {
        file: "x.csv",
        line: &|row| row as u64 + 2,
    };
    let prepared = Prepared::new(&policy, table, &mut load, &rows)?;
    plan(&policy, table, &prepared, watch)
}

fn within(
    questions: u64,
    table: &Table,
    privacy: &str,
    search: &str,
) -> Result<Option<Plan>, Error> {
    let mut watch = Unwatched;
    let mut watch = Timed::until(&mut watch, &Stop::after_questions(questions), 3);
    planned(table, NUMERIC, privacy, search, &mut watch)
}

const K: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3";

#[test]
fn every_search_takes_a_time_limit() {
    let table = Plain::random(3, 30).table();
    for algorithm in [
        "optimal",
        "mingen",
        "mingen-cell",
        "datafly",
        "incognito",
        "top-down",
        "personalized",
        "mondrian",
        "local",
        "mu-argus",
    ] {
        let search = format!("algorithm = \"{algorithm}\"\ntime-limit = 3600");
        let given = planned(&table, NUMERIC, K, &search, &mut Unwatched).unwrap();
        let Some(found) = given else {
            continue;
        };
        let remarks = &found.found.remarks;
        assert!(
            !remarks.iter().any(|told| tells_of_time(told)),
            "{algorithm}"
        );
    }
}

#[test]
fn a_search_without_an_intermediate_answer_refuses() {
    let table = Plain::random(3, 60).table();
    for algorithm in ["datafly", "mu-argus"] {
        let search = format!("algorithm = \"{algorithm}\"");
        let answer = within(0, &table, K, &search);
        assert_eq!(
            answer.unwrap_err(),
            Error::OutOfTime { seconds: 3 },
            "{algorithm}"
        );
    }
}

#[test]
fn a_search_with_one_publishes_it_without_a_proof() {
    let table = Plain::random(3, 200).table();
    for algorithm in [
        "optimal",
        "mingen",
        "top-down",
        "mondrian",
        "local",
        "personalized",
    ] {
        let search = format!("algorithm = \"{algorithm}\"");
        let found = within(0, &table, K, &search).unwrap().unwrap();
        assert!(!found.found.proven, "{algorithm}");
        let remarks = &found.found.remarks;
        assert!(
            remarks.iter().any(|told| tells_of_time(told)),
            "{algorithm}: {remarks:?}"
        );
    }
    // Before it tests nodes of all columns there is nothing.
    let incognito = "algorithm = \"incognito\"";
    let nothing = within(0, &table, K, incognito);
    assert_eq!(nothing.unwrap_err(), Error::OutOfTime { seconds: 3 });
}

fn sizes(plan: &Plan) -> Vec<u64> {
    match &plan.found.recoding {
        scrim::recoding::Recoding::Local(local) => {
            let (class_of_row, classes) = local.published();
            let mut sizes = vec![0; classes];
            class_of_row
                .iter()
                .for_each(|class| sizes[*class as usize] += 1);
            sizes
        }
        _ => Vec::new(),
    }
}

const MODELS: [&str; 4] = [
    "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2",
    "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5",
    "[[privacy]]\nmodel = \"p-sensitive\"\np = 2\nk = 3",
    "[[privacy]]\nmodel = \"l-diversity\"\nl = 2\nk = 2",
];
const METRICS: [MetricId; 4] = [
    MetricId::Prec,
    MetricId::Loss,
    MetricId::LossMean,
    MetricId::InformationLoss,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn local_is_never_worse_than_mondrian_and_top_down(seed: u64, rows in 5usize..90, model in 0usize..4, metric in 0usize..4, both: bool, questions in proptest::option::of(0u64..2000)) {
        let table = Plain::random(seed, rows).table();
        let (privacy, metric) = (MODELS[model], METRICS[metric]);
        let age = if both { BOTH } else { NUMERIC };
        let cost = |plan: &Plan| metric.cost_in(&plan.metrics);
        let named = |algorithm: &str| planned(&table, age, privacy, &format!("algorithm = {algorithm}"), &mut Unwatched).unwrap();
        let others = ["\"mondrian\"", "\"mondrian\"\nmondrian = \"relaxed\"", "\"top-down\""].map(named);
        let search = format!("algorithm = \"local\"\nmetric = \"{}\"", metric.name());
        let own = match questions {
            None => planned(&table, age, privacy, &search, &mut Unwatched),
            Some(questions) => {
                let mut watch = Unwatched;
                // The searches that it starts from ask less often than this.
                let mut watch = Timed::until(&mut watch, &Stop::after_questions(3000 + questions), 3);
                planned(&table, age, privacy, &search, &mut watch)
            }
        }.unwrap();
        prop_assert_eq!(own.is_some(), others[0].is_some());
        let Some(own) = own else { return Ok(()) };
        for other in others.iter().flatten() {
            prop_assert!(cost(&own) <= cost(other), "{} {}", cost(&own), cost(other));
        }
        let bound = own.metrics.bound.unwrap();
        let bound = if metric == MetricId::Prec { -bound } else { bound };
        prop_assert!(bound <= cost(&own) + 1e-9);
    }

    #[test]
    fn whenever_the_time_is_up_every_class_is_large_enough(seed: u64, rows in 5usize..80, questions in 0u64..400, algorithm in 0usize..5) {
        let table = Plain::random(seed, rows).table();
        let search = ["\"mondrian\"", "\"mondrian\"\nmondrian = \"relaxed\"", "\"top-down\"", "\"local\"", "\"mingen-cell\""][algorithm];
        let found = within(questions, &table, K, &format!("algorithm = {search}")).unwrap();
        let Some(found) = found else {
            prop_assert!(rows < 3);
            return Ok(());
        };
        prop_assert!(sizes(&found).into_iter().all(|size| size >= 3));
        prop_assert_eq!(sizes(&found).into_iter().sum::<u64>(), rows as u64);
        let cut = found.found.remarks.iter().any(|told| tells_of_time(told));
        prop_assert!(!(cut && found.found.proven));
    }

    #[test]
    fn a_node_found_in_time_is_valid_and_never_called_proven(seed: u64, rows in 5usize..80, questions in 0u64..60, algorithm in 0usize..3) {
        let table = Plain::random(seed, rows).table();
        let search = ["optimal", "mingen", "incognito"][algorithm];
        let search = format!("algorithm = \"{search}\"");
        let whole = planned(&table, NUMERIC, K, &search, &mut Unwatched).unwrap();
        match within(questions, &table, K, &search) {
            Err(error) => prop_assert_eq!(error, Error::OutOfTime { seconds: 3 }),
            Ok(None) => prop_assert!(whole.is_none()),
            Ok(Some(found)) => {
                let whole = whole.unwrap();
                prop_assert!(found.suppressed == 0 && found.metrics.prec <= whole.metrics.prec);
                let cut = found.found.remarks.iter().any(|told| tells_of_time(told));
                prop_assert!(!(cut && found.found.proven));
                if !cut {
                    prop_assert_eq!(&found.found.recoding, &whole.found.recoding);
                }
            }
        }
    }
}
