//! The searches of [Sun08]: Incognito against exhaustion, top-down by its invariants and its worked cases.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use scrim::Share;
use scrim::algorithm::{Algorithm, Incognito, TopDown, Unwatched};
use scrim::metric::MetricId;
use scrim::model::{
    AlphaK, Categories, KAnonymity, ModelSet, PAlpha, PPlusAlpha, PSensitive, PrivacyModel,
};
use scrim::recoding::{Local, Recoding};
use scrim::table::Table;
use support::Bench;
use testkit::oracle;
use testkit::{Fraction, Problem, SplitMix64, random_problem, sun};

const OF: &str = "sensitive0";

fn levels(node: &scrim::recoding::Node) -> Vec<usize> {
    node.levels()
        .iter()
        .map(|level| usize::from(*level))
        .collect()
}

fn share(text: &str) -> Share {
    text.parse().unwrap()
}

/// The models of a line of the fixtures.
fn models(
    table: &Table,
    kind: &str,
    k: u64,
    p: u64,
    alpha: &str,
    listed: &[Vec<String>],
) -> ModelSet {
    let categories = || Categories::new(listed, table.column(OF).unwrap().dictionary()).unwrap();
    let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(k, None).unwrap())];
    match kind {
        "k" => {}
        "p" => models.push(Box::new(PSensitive::new(OF, p).unwrap())),
        "pa" => models.push(Box::new(
            PAlpha::new(OF, p, share(alpha), categories()).unwrap(),
        )),
        "p+a" => models.push(Box::new(
            PPlusAlpha::new(OF, p, share(alpha), categories()).unwrap(),
        )),
        other => panic!("no model {other}"),
    }
    ModelSet::new(models)
}

/// The problem with some of its columns only.
fn project(problem: &Problem, columns: &[&str]) -> Problem {
    let keep: Vec<usize> = columns
        .iter()
        .map(|name| {
            problem
                .columns
                .iter()
                .position(|column| column == name)
                .unwrap()
        })
        .collect();
    let mut part = problem.clone();
    part.columns = columns.iter().map(|&name| name.to_owned()).collect();
    part.rows = problem
        .rows
        .iter()
        .map(|row| keep.iter().map(|at| row[*at].clone()).collect())
        .collect();
    part.chains = keep.iter().map(|at| problem.chains[*at].clone()).collect();
    part.weights = keep.iter().map(|at| problem.weights[*at]).collect();
    part
}

fn top_down(bench: &Bench, table: &Table, tighten: bool) -> Option<Local> {
    let algorithm = TopDown { table, tighten };
    let found = bench.with_task(MetricId::DistortionRatio, 0, true, |task| {
        algorithm.search(task, &mut Unwatched).unwrap()
    })?;
    match found.recoding {
        Recoding::Local(local) => Some(local),
        _ => panic!("top-down recodes locally"),
    }
}

/// The published labels of a row.
fn labels(bench: &Bench, local: &Local, row: usize) -> Vec<String> {
    let class = &local.classes[local.class_of_row[row] as usize];
    bench
        .ladders
        .iter()
        .zip(class)
        .enumerate()
        .map(|(at, (ladder, cell))| local.label(ladder, at, *cell))
        .collect()
}

fn worked_cases(fixture: &str, problem: &Problem, listed: &[Vec<String>]) {
    for line in fixture.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').collect();
        let columns: Vec<&str> = fields[0].split(',').collect();
        if columns
            .iter()
            .any(|name| !problem.columns.iter().any(|column| column == name))
        {
            continue;
        }
        let part = project(problem, &columns);
        let table = support::table(&part);
        let (k, p) = (fields[2].parse().unwrap(), fields[3].parse().unwrap());
        let bench = Bench::new(&part, models(&table, fields[1], k, p, fields[4], listed));
        let local = top_down(&bench, &table, false);
        let published = local.map(|local| {
            let row = |row: usize| labels(&bench, &local, row).join("/").replace(' ', "_");
            (0..part.rows.len()).map(row).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(published.as_deref().unwrap_or("-"), fields[6], "{line}");
    }
}

#[test]
fn algorithm_1_on_table_1_is_as_worked_out() {
    worked_cases(
        include_str!("../../../fixtures/papers/sun08/table1_top_down.txt"),
        &sun::table_1(),
        &sun::categories(),
    );
}

#[test]
fn algorithm_1_on_table_8_is_as_worked_out() {
    let mut problem = sun::table_8();
    problem.columns = vec!["Zip".to_owned()];
    let listed = sun::categories_of("table8_printed");
    worked_cases(
        include_str!("../../../fixtures/papers/sun08/table8_top_down.txt"),
        &problem,
        &listed,
    );
}

#[test]
fn incognito_lists_the_minimal_tables_of_table_1() {
    let problem = sun::table_1();
    let table = support::table(&problem);
    for answer in sun::table_1_minimal() {
        let kind = match answer.model.as_str() {
            "p-plus-alpha" => "p+a",
            "p-alpha" => "pa",
            "p-sensitive" => "p",
            "k-anonymity" => "k",
            other => panic!("no model {other}"),
        };
        let models = models(
            &table,
            kind,
            answer.k as u64,
            answer.p.max(1) as u64,
            &answer.alpha.to_string(),
            &sun::categories(),
        );
        let bench = Bench::new(&problem, models);
        let (found, _) = bench.with_task(MetricId::Prec, 0, true, |task| {
            Incognito::default().minimal(task, &mut Unwatched).unwrap()
        });
        let mut found: Vec<Vec<usize>> =
            found.iter().map(|minimal| levels(&minimal.node)).collect();
        found.sort();
        let mut expected = answer.minimal.clone();
        expected.sort();
        assert_eq!(
            found, expected,
            "{} k = {} p = {} alpha = {}",
            answer.model, answer.k, answer.p, answer.alpha
        );
    }
}

#[test]
fn incognito_refuses_what_it_cannot_soundly_carry() {
    let problem = sun::table_1();
    let bench = Bench::new(
        &problem,
        ModelSet::new(vec![Box::new(AlphaK::new(OF, share("1/2"), None).unwrap())]),
    );
    let refused = bench.with_task(MetricId::Prec, 2, true, |task| {
        Incognito::default()
            .minimal(task, &mut Unwatched)
            .unwrap_err()
    });
    assert!(
        refused
            .to_string()
            .contains("`alpha-k` may break when a valid class takes in rows of an invalid one"),
        "{refused}"
    );
    bench.with_task(MetricId::Prec, 0, true, |task| {
        Incognito::default().minimal(task, &mut Unwatched).unwrap()
    });
    let table = support::table(&problem);
    // Top-down checks each class after the last row that joined or left it: it carries such a model.
    let local = top_down(&bench, &table, true).unwrap();
    let piles = scrim::frequency::Piles::new(&table, bench.models.tracked()).unwrap();
    for class in 0..local.classes.len() {
        let rows: Vec<u32> = (0..table.rows() as u32)
            .filter(|row| local.class_of_row[*row as usize] as usize == class)
            .collect();
        assert!(bench.models.holds(piles.one(&rows).only()), "class {class}");
    }
}

/// A random problem with a sensitive column of six values in three categories.
fn sensitive_problem(seed: u64, rows: usize) -> (Problem, Vec<Vec<String>>) {
    let mut problem = random_problem(seed, rows, 4, 3);
    let mut random = SplitMix64::new(seed ^ 0x5e45);
    problem.sensitive = vec![
        problem
            .rows
            .iter()
            .map(|_| format!("v{}", random.below(6)))
            .collect(),
    ];
    let listed = (0..3)
        .map(|category| {
            vec![
                format!("v{}", 2 * category),
                format!("v{}", 2 * category + 1),
            ]
        })
        .collect();
    (problem, listed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn incognito_finds_what_exhaustion_finds(seed: u64, k in 1usize..5, p in 1usize..4, limit in 0usize..5) {
        let (mut problem, _) = sensitive_problem(seed, 14);
        problem.persons = None;
        let table = support::table(&problem);
        let bench = Bench::new(&problem, models(&table, "p", k as u64, p as u64, "0", &[]));
        let valid = |node: &[usize]| {
            let breaks = |class: &Vec<usize>| {
                let values: Vec<&str> = class.iter().map(|row| problem.sensitive[0][*row].as_str()).collect();
                class.len() < k || !oracle::p_sensitive(&values, p)
            };
            let mut rows: Vec<usize> = problem.classes(node).into_iter().filter(|class| breaks(class)).flatten().collect();
            rows.sort_unstable();
            (rows.len() <= limit).then_some(rows)
        };
        let mut expected = oracle::minimal_nodes(&problem, valid);
        expected.sort();
        let (found, _) = bench.with_task(MetricId::Prec, limit as u64, true, |task| Incognito::default().minimal(task, &mut Unwatched).unwrap());
        let mut found: Vec<Vec<usize>> = found.iter().map(|minimal| levels(&minimal.node)).collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn top_down_keeps_its_invariants(seed: u64, k in 1usize..4, p in 1usize..4, alpha in 0i128..5, kind in 0usize..4, tighten: bool) {
        let (mut problem, listed) = sensitive_problem(seed, 24);
        problem.persons = None;
        let table = support::table(&problem);
        let kind = ["k", "p", "pa", "p+a"][kind];
        let alpha = Fraction::new(alpha, 2);
        let bench = Bench::new(&problem, models(&table, kind, k as u64, p as u64, &alpha.to_string(), &listed));
        let holds = |rows: &[usize]| {
            let values: Vec<&str> = rows.iter().map(|row| problem.sensitive[0][*row].as_str()).collect();
            rows.len() >= k && match kind {
                "k" => true,
                "p" => oracle::p_sensitive(&values, p),
                "pa" => oracle::p_alpha(&values, &listed, p, alpha),
                _ => oracle::p_plus_alpha(&values, &listed, p, alpha),
            }
        };
        let all: Vec<usize> = (0..problem.rows.len()).collect();
        let found = top_down(&bench, &table, tighten);
        prop_assert_eq!(found.is_some(), holds(&all), "feasible exactly when the table as one class is valid");
        let Some(local) = found else { return Ok(()) };
        prop_assert_eq!(local.class_of_row.len(), problem.rows.len());
        for class in 0..local.classes.len() {
            let rows: Vec<usize> = all.iter().copied().filter(|row| local.class_of_row[*row] as usize == class).collect();
            prop_assert!(holds(&rows), "class {} of {:?}", class, rows);
            for row in rows {
                for (at, label) in labels(&bench, &local, row).iter().enumerate() {
                    prop_assert!(problem.chains[at][&problem.rows[row][at]].contains(label));
                }
            }
        }
        prop_assert_eq!(top_down(&bench, &table, tighten), Some(local), "the same again");
    }
}
