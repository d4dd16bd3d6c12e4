//! What the catalog must have.

use super::algorithms::HOLDS_ROWS;
use super::{CATALOG, Entry, Kind, markdown, named, nearest_name};
use crate::metric::MetricId;
use crate::release::policy::{AlgorithmId, MODEL_NAMES, Policy};

fn of(kind: Kind) -> impl Iterator<Item = &'static Entry> {
    CATALOG.iter().filter(move |entry| entry.kind == kind)
}

fn names(kind: Kind) -> Vec<&'static str> {
    of(kind).map(|entry| entry.name).collect()
}

#[test]
fn everything_that_a_policy_may_name_is_listed() {
    assert_eq!(names(Kind::Metric), MetricId::ALL.map(MetricId::name));
    assert_eq!(names(Kind::Model), MODEL_NAMES);
    let algorithms: Vec<&str> = AlgorithmId::all().map(AlgorithmId::name).collect();
    assert_eq!(names(Kind::Algorithm), algorithms);
}

#[test]
fn searches_that_hold_every_row_say_so() {
    for (entry, id) in of(Kind::Algorithm).zip(AlgorithmId::all()) {
        let says = entry.limits.contains(&HOLDS_ROWS);
        assert_eq!(says, !id.needs_only_counts(), "{}", entry.name);
    }
}

#[test]
fn every_entry_is_explained() {
    for entry in CATALOG {
        let name = entry.name;
        for (what, text) in [
            ("summary", entry.summary),
            ("definition", entry.definition),
            ("example", entry.example),
            ("cost", entry.cost),
            ("page", entry.page),
        ] {
            assert!(!text.is_empty(), "{name} has no {what}");
        }
        assert!(!entry.limits.is_empty(), "{name} has no limits");
        assert!(entry.example.ends_with('\n'), "{name}: {}", entry.example);
        assert!(
            entry.definition.ends_with('.') && !entry.summary.ends_with('.'),
            "{name}"
        );
    }
}

#[test]
fn every_example_is_a_policy_that_names_its_entry() {
    for entry in CATALOG {
        let Some(text) = entry.policy() else {
            assert!(entry.example.starts_with("scrim "), "{}", entry.name);
            continue;
        };
        let policy = Policy::parse("example.toml", &text)
            .unwrap_or_else(|error| panic!("{}: {error}\n{text}", entry.name));
        assert!(
            policy.search.ignored.is_empty(),
            "{}: {:?}",
            entry.name,
            policy.search.ignored
        );
        let used = match entry.kind {
            Kind::Model => policy
                .privacy
                .iter()
                .any(|model| model.spec.name() == entry.name),
            Kind::Algorithm => policy.search.algorithm.name() == entry.name,
            _ => policy.search.metric.name() == entry.name,
        };
        assert!(used, "{}: {text}", entry.name);
    }
}

#[test]
fn keys_that_examples_set_are_parameters_of_their_entries() {
    for entry in CATALOG.iter().filter(|entry| entry.kind == Kind::Model) {
        let promise = entry
            .example
            .split("[[privacy]]")
            .nth(1)
            .unwrap_or_default();
        let keys = promise.lines().skip(1).take_while(|line| !line.is_empty());
        for key in keys
            .filter_map(|line| line.split_once(" = "))
            .map(|(key, _)| key)
        {
            let known = entry
                .parameters
                .iter()
                .any(|parameter| parameter.name == key);
            assert!(known || key == "model", "{}: {key}", entry.name);
        }
    }
}

#[test]
fn searches_are_algorithms_and_are_told_from_both_sides() {
    let algorithms = names(Kind::Algorithm);
    for entry in CATALOG {
        for search in entry.searches {
            assert!(algorithms.contains(search), "{}: {search}", entry.name);
        }
    }
    for entry in of(Kind::Model).chain(of(Kind::Metric)) {
        assert!(!entry.searches.is_empty(), "{}", entry.name);
    }
    let cell = named("mingen-cell").next().map(Entry::carried);
    assert_eq!(cell, Some(vec!["k-anonymity"]));
}

#[test]
fn searches_that_optimize_a_metric_are_those_that_accept_and_use_it() {
    for entry in of(Kind::Metric) {
        let text = entry.policy().unwrap_or_default();
        for algorithm in AlgorithmId::all() {
            let parsed = Policy::parse_with("example.toml", &text, algorithm);
            // The only measure of `personalized` is its own, whatever the policy says.
            let own = algorithm == AlgorithmId::Personalized && entry.name == "information-loss";
            let uses = parsed.is_ok_and(|policy| !policy.search.ignored.contains(&"metric"));
            let said = entry.searches.contains(&algorithm.name());
            assert_eq!(said, uses || own, "{}: {}", entry.name, algorithm.name());
        }
    }
}

#[test]
fn models_that_a_chain_carries_are_those_that_may_stand_beside_it() {
    for entry in of(Kind::Model) {
        let mut text = entry.policy().unwrap_or_default();
        text = text.replace("algorithm = ", "# algorithm = ");
        if entry.name == "k-anonymity" {
            // A chain asks for a promise about a sensitive column.
            text.push_str("\n[[privacy]]\nmodel = \"l-diversity\"\nl = 2\n");
        }
        text.push_str("\n[disclosure]\n");
        let parsed = Policy::parse("example.toml", &text);
        let said = entry.searches.contains(&"chain");
        assert_eq!(said, parsed.is_ok(), "{}: {:?}", entry.name, parsed.err());
    }
}

#[test]
fn a_name_of_two_kinds_is_found_twice_and_a_slip_is_understood() {
    assert_eq!(named("personal").count(), 2);
    assert_eq!(named("nothing").count(), 0);
    assert_eq!(nearest_name("k-anonimity", &[]), Some("k-anonymity"));
    assert_eq!(nearest_name("publsh", &["publish"]), Some("publish"));
    assert_eq!(nearest_name("something else", &[]), None);
}

#[test]
fn the_page_has_every_entry() {
    let page = markdown();
    for entry in CATALOG {
        assert!(page.contains(&format!("### `{}`\n", entry.name)));
        assert!(page.contains(entry.definition));
    }
}
