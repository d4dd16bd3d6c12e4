//! Tables that are too large to be counted row by row.

use scrim::algorithm::{ChainOutcome, Unwatched};
use scrim::release::audit::Audit;
use scrim::release::disclosure::DisclosureReport;
use scrim::release::{Policy, planned};
use scrim::table::{Column, Table};
use testkit::SplitMix64;

use crate::{certified, prepare};

/// A table of two steps: its columns `g1` and `g2`, and the values of `s`.
fn large(fine: &[String], coarse: &[String], values: &[String]) -> Table {
    let column =
        |name: &str, texts: &[String]| Column::from_texts(name, texts.iter().map(String::as_str));
    let columns = vec![
        column("g1", fine),
        column("g2", coarse),
        column("s", values),
    ];
    Table::new(columns).unwrap()
}

fn two_steps(strategy: &str) -> Policy {
    along(strategy, "\"g1\", \"g2\"")
}

fn along(strategy: &str, columns: &str) -> Policy {
    let text = format!(
        "[data]\npath = \"x.csv\"\n[columns]\ns = {{ role = \"sensitive\" }}\n[[privacy]]\nmodel = \"l-diversity\"\nkind = \"recursive\"\nc = 2\nl = 2\n\
         [disclosure]\nstrategy = \"{strategy}\"\nchain = {{ columns = [{columns}] }}\n"
    );
    Policy::parse("p.toml", &text).unwrap()
}

/// Publishes naively and has it certified as if by the exclusive strategy.
fn naive_as_exclusive(table: &Table) -> Audit {
    let naive = two_steps("naive");
    let prepared = prepare(&naive, table);
    let done = planned(&naive, table, &prepared, &mut Unwatched).unwrap();
    certified(&two_steps("exclusive"), table, &prepared, &done)
}

#[test]
fn a_refusal_that_many_groups_explain_tells_nothing_and_is_certified_by_drawing() {
    let mut random = SplitMix64::new(7);
    // Classes of 30 rows in groups of 2, 3 and 5: some group of two has one value twice, as nearly always.
    let fine: Vec<String> = (0..300)
        .map(|row| format!("{}-{}", row / 10, [0, 0, 1, 1, 1, 2, 2, 2, 2, 2][row % 10]))
        .collect();
    let coarse: Vec<String> = (0..300).map(|row| format!("{}", row / 30)).collect();
    let values: Vec<String> = (0..300).map(|_| format!("v{}", random.below(6))).collect();
    let table = large(&fine, &coarse, &values);
    let audit = naive_as_exclusive(&table);
    let found = audit.disclosure.unwrap();
    assert!(found.holds, "{found:?}");
    assert_eq!(found.method, Some("sampling"));
    let policy = two_steps("exclusive");
    let prepared = prepare(&policy, &table);
    let done = planned(&policy, &table, &prepared, &mut Unwatched).unwrap();
    let decision = done.decision.unwrap();
    assert_eq!(decision.outcome, ChainOutcome::Published(2));
    // What the search bounded the certifier bounds too, by draws of its own.
    let plain = audit.classes.max as f64;
    assert!(found.max_ratio.unwrap() < 2.0 / 3.0 && plain > 0.0);
}

#[test]
fn a_refusal_that_one_group_explains_is_refused_by_search_and_certifier() {
    // Everybody has a value of his own but two in one class of six, whose group of two must be the one that was refused.
    let fine: Vec<String> = (0..300)
        .map(|row| format!("{}-{}", row / 6, usize::from(row % 6 < 2)))
        .collect();
    let coarse: Vec<String> = (0..300).map(|row| format!("{}", row / 6)).collect();
    let mut values: Vec<String> = (0..300).map(|row| format!("v{row}")).collect();
    values[61] = values[60].clone();
    let table = large(&fine, &coarse, &values);
    let policy = two_steps("exclusive");
    let prepared = prepare(&policy, &table);
    let done = planned(&policy, &table, &prepared, &mut Unwatched).unwrap();
    assert_eq!(done.decision.unwrap().outcome, ChainOutcome::Leaks(2));
    let audit = naive_as_exclusive(&table);
    let found = audit.disclosure.unwrap();
    assert!(!found.holds, "{found:?}");
    assert!(audit.models.iter().all(|model| model.holds));
}

/// Groups of 27 or 28 rows that cross classes of 300, seven values, and one group whose rows all have the same.
fn hardly_refused() -> Vec<Column> {
    let mut random = SplitMix64::new(11);
    let mut text = |row: usize| match row % 111 {
        0 => "v0".to_owned(),
        _ => format!("v{}", random.below(7)),
    };
    let values: Vec<String> = (0..3000).map(&mut text).collect();
    let column = |name: &str, text: &dyn Fn(usize) -> String| {
        let texts: Vec<String> = (0..3000).map(text).collect();
        Column::from_texts(name, texts.iter().map(String::as_str))
    };
    vec![
        column("g0", &|row| row.to_string()),
        column("g1", &|row| (row % 111).to_string()),
        column("g2", &|row| (row / 300).to_string()),
        Column::from_texts("s", values.iter().map(String::as_str)),
    ]
}

#[test]
fn a_refusal_that_is_very_unlikely_is_decided_and_certified_by_bounds() {
    let table = Table::new(hardly_refused()).unwrap();
    let cases = [
        ("exclusive", "\"g1\", \"g2\"", 2),
        ("inclusive", "\"g1\", \"g2\"", 2),
        // No table has the rows one by one: that step is never an end, and its refusal tells nothing.
        ("inclusive", "\"g0\", \"g1\", \"g2\"", 3),
        ("inclusive", "\"g1\", \"g0\", \"g2\"", 3),
    ];
    for (strategy, columns, step) in cases {
        let policy = along(strategy, columns);
        let prepared = prepare(&policy, &table);
        let done = planned(&policy, &table, &prepared, &mut Unwatched).unwrap();
        let decision = done.decision.as_ref().unwrap();
        assert_eq!(decision.outcome, ChainOutcome::Published(step), "{columns}");
        let report = DisclosureReport::new(&policy, &prepared, &table, decision).unwrap();
        assert_eq!((report.method, report.confidence), (Some("union"), None));
        let audit = certified(&policy, &table, &prepared, &done);
        let found = audit.disclosure.as_ref().unwrap();
        assert!(
            audit.holds && found.method == Some("rare refusals"),
            "{found:?}"
        );
        // Both bound the same shares, each with numbers of its own.
        let (search, audit) = (report.max_ratio.unwrap(), found.max_ratio.unwrap());
        assert!(
            (search - audit).abs() < 1e-6 && audit < 0.25,
            "{search} {audit}"
        );
    }
}

#[test]
fn an_inclusive_release_after_a_step_that_would_have_been_one_is_not_certified() {
    // Everybody has a value of his own, so that both steps keep the promise, and the first is the one to be released.
    let fine: Vec<String> = (0..300).map(|row| (row / 3).to_string()).collect();
    let coarse: Vec<String> = (0..300).map(|row| (row % 50).to_string()).collect();
    let values: Vec<String> = (0..300).map(|row| format!("v{row}")).collect();
    let table = large(&fine, &coarse, &values);
    let only_second = along("inclusive", "\"g2\"");
    let prepared = prepare(&two_steps("inclusive"), &table);
    let done = planned(&only_second, &table, &prepared, &mut Unwatched).unwrap();
    let audit = certified(&only_second, &table, &prepared, &done);
    assert!(audit.holds, "{:?}", audit.disclosure);
    let audit = certified(&two_steps("inclusive"), &table, &prepared, &done);
    let found = audit.disclosure.unwrap();
    assert!(!found.holds, "{found:?}");
    assert!(found.why.unwrap().contains("an earlier step"));
}
