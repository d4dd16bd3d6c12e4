//! Suggestions of a refusal, applied: each lets the publication through, and the strictest is the strictest.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use scrim::release::figures::shows_something;
use scrim::release::refusal::{Refusal, Suggestion, explain};
use scrim::release::{HierarchyText, Policy, Prepared, Rows, planned};
use scrim::table::Table;
use serde_json::Value;
use support::table;
use testkit::{Problem, SplitMix64, random_problem};

/// A random policy over a random problem: one or two promises, a limit, a search that looks at every node.
fn policy(problem: &Problem, seed: u64) -> toml::Table {
    let mut random = SplitMix64::new(seed);
    let mut columns = toml::Table::new();
    for (at, name) in problem.columns.iter().enumerate() {
        let column = format!("{{ role = \"quasi\", hierarchy = \"{at}.csv\" }}");
        columns.insert(name.clone(), value(&column));
    }
    for at in 0..problem.sensitive.len() {
        let name = format!("sensitive{at}");
        columns.insert(name, value("{ role = \"sensitive\" }"));
    }
    if problem.persons.is_some() {
        columns.insert("person".to_owned(), value("{ role = \"person\" }"));
    }
    let rows = problem.rows.len();
    let mut privacy = vec![format!(
        "{{ model = \"k-anonymity\", k = {} }}",
        random.between(1, rows + 2)
    )];
    // A second promise about some of the quasi-identifiers only.
    if random.below(3) == 0 && problem.columns.len() > 1 {
        let columns = &problem.columns[..random.between(1, problem.columns.len() - 1)];
        privacy.push(format!(
            "{{ model = \"k-anonymity\", k = {}, columns = {columns:?} }}",
            random.between(2, rows + 2)
        ));
    }
    if !problem.sensitive.is_empty() {
        let kind = ["distinct", "entropy", "frequency"][random.below(3)];
        privacy.push(match random.below(4) {
            0 => format!("{{ model = \"l-diversity\", of = \"sensitive0\", kind = \"{kind}\", l = {} }}", random.between(2, 4)),
            1 => format!("{{ model = \"t-closeness\", of = \"sensitive0\", distance = \"equal\", t = 0.{:02} }}", random.between(1, 40)),
            2 => format!("{{ model = \"alpha-k\", of = \"sensitive0\", alpha = 0.{:02} }}", random.between(20, 80)),
            _ => format!("{{ model = \"p-sensitive\", of = \"sensitive0\", p = {}, k = {} }}", random.between(2, 4), random.between(2, 4)),
        });
    }
    let metric = [
        "prec",
        "loss",
        "discernibility",
        "entropy",
        "average-class-size",
    ][random.below(5)];
    let algorithm = ["optimal", "mingen", "datafly"][random.below(3)];
    let metric = if algorithm == "optimal" {
        metric
    } else {
        "prec"
    };
    let suppressed = ["star", "drop"][random.below(2)];
    let search = format!(
        "{{ algorithm = \"{algorithm}\", metric = \"{metric}\", suppressed = \"{suppressed}\", suppression = 0.{} }}",
        random.below(4)
    );
    toml::Table::from_iter([
        ("data".to_owned(), value("{ path = \"t.csv\" }")),
        ("columns".to_owned(), toml::Value::Table(columns)),
        (
            "privacy".to_owned(),
            value(&format!("[{}]", privacy.join(", "))),
        ),
        ("search".to_owned(), value(&search)),
    ])
}

fn value(text: &str) -> toml::Value {
    let table: toml::Table = format!("value = {text}").parse().unwrap();
    table["value"].clone()
}

/// A policy with a suggestion applied.
fn with(policy: &toml::Table, suggestion: &Suggestion) -> toml::Table {
    let mut changed = toml::Value::Table(policy.clone());
    for (key, new) in &suggestion.set {
        let mut at = &mut changed;
        let parts: Vec<&str> = key.split('.').collect();
        for part in &parts[..parts.len() - 1] {
            at = match part.parse::<usize>() {
                Ok(number) => &mut at.as_array_mut().unwrap()[number],
                Err(_) => at.get_mut(*part).unwrap(),
            };
        }
        let last = (*parts.last().unwrap()).to_owned();
        at.as_table_mut().unwrap().insert(last, toml_of(new));
    }
    changed.as_table().unwrap().clone()
}

fn toml_of(value: &Value) -> toml::Value {
    match value {
        Value::Number(number) if number.is_i64() || number.is_u64() => {
            toml::Value::Integer(number.as_i64().unwrap())
        }
        Value::Number(number) => toml::Value::Float(number.as_f64().unwrap()),
        Value::String(text) => toml::Value::String(text.clone()),
        other => panic!("{other}"),
    }
}

/// Publishes as far as a plan: whether it goes through, and what is said where it does not.
fn publish(
    problem: &Problem,
    table: &Table,
    policy: &toml::Table,
) -> (bool, Option<(Refusal, Vec<Suggestion>)>) {
    let policy = Policy::parse("policy.toml", &policy.to_string()).unwrap();
    let mut load = |path: &str| {
        let at: usize = path.trim_end_matches(".csv").parse().unwrap();
        let chains = problem.chains[at].values();
        let lines: Vec<String> = chains.map(|chain| chain.join(";")).collect();
        let name = path.to_owned();
        let text = lines.join("\n");
        Ok(HierarchyText { name, text })
    };
    let rows = Rows {
        file: "t.csv",
        line: &|row| row as u64 + 2,
    };
    let prepared = Prepared::new(&policy, table, &mut load, &rows).unwrap();
    let mut watch = scrim::algorithm::Unwatched;
    let goes = prepared.must_be_feasible().is_ok()
        && planned(&policy, table, &prepared, &mut watch)
            .unwrap()
            .plan
            .is_some_and(|plan| shows_something(&prepared, &plan));
    let explained = (!goes).then(|| explain(&policy, table, &prepared, &rows).unwrap());
    (goes, explained)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_is_suggested_lets_the_publication_through(seed in any::<u64>()) {
        let problem = random_problem(seed, 14, 3, 3);
        let table = table(&problem);
        let asked = policy(&problem, seed ^ 1);
        let (_, Some((refusal, suggestions))) = publish(&problem, &table, &asked) else {
            return Ok(());
        };
        for suggestion in suggestions.iter().filter(|one| one.proven) {
            let changed = with(&asked, suggestion);
            let (goes, _) = publish(&problem, &table, &changed);
            prop_assert!(goes, "{}\n{}", suggestion.text, asked);
            let parsed = Policy::parse("policy.toml", &changed.to_string()).unwrap();
            prop_assert_eq!(&parsed.privacy.len(), &suggestion.policy.privacy.len());
            prop_assert!(parsed.search.suppression == suggestion.policy.search.suppression);
            // The next larger k is refused, where the answer says that it is the largest.
            let k = suggestion.set.get("privacy.0.k").and_then(Value::as_u64);
            if let Some(k) = k.filter(|_| refusal.complete && suggestion.set.len() == 1) {
                let mut larger = suggestion.clone();
                larger.set["privacy.0.k"] = Value::from(k + 1);
                let (goes, _) = publish(&problem, &table, &with(&asked, &larger));
                prop_assert!(!goes, "k = {} goes through too\n{}", k + 1, asked);
            }
        }
    }

    /// Where the answer claims to be complete and suggests no suppression, none up to one half helps.
    #[test]
    fn what_is_not_suggested_does_not_help(seed in any::<u64>()) {
        let problem = random_problem(seed, 14, 3, 3);
        let table = table(&problem);
        let asked = policy(&problem, seed ^ 1);
        let (_, Some((refusal, suggestions))) = publish(&problem, &table, &asked) else {
            return Ok(());
        };
        // With rows suppressed a promise may be harder to conclude from one node to another.
        let only_k = asked["privacy"].as_array().unwrap().len() == 1;
        let suggests = |key: &str| suggestions.iter().any(|one| one.set.contains_key(key));
        if refusal.complete && only_k && !suggests("search.suppression") {
            let mut changed = asked.clone();
            let search = changed["search"].as_table_mut().unwrap();
            search.insert("suppression".to_owned(), toml::Value::Float(0.5));
            prop_assert!(!publish(&problem, &table, &changed).0, "{}", asked);
        }
        if refusal.complete && only_k && !suggests("privacy.0.k") {
            let mut changed = asked.clone();
            changed["privacy"].as_array_mut().unwrap()[0]
                .as_table_mut()
                .unwrap()
                .insert("k".to_owned(), toml::Value::Integer(2));
            let asked_k = asked["privacy"][0]["k"].as_integer().unwrap();
            prop_assert!(asked_k <= 2 || !publish(&problem, &table, &changed).0, "{}", asked);
        }
    }
}
