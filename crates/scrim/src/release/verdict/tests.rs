//! Each concern at its threshold: just before it, and just at it.

use super::*;
use crate::table::Column;

fn column(shown: u64, starred: u64) -> ColumnFact {
    ColumnFact {
        column: "zip".to_owned(),
        before: Some(9),
        shown,
        starred,
    }
}

/// A release without any concern.
fn good() -> Facts {
    Facts {
        asked: Some(3),
        smallest: 3,
        released: 100,
        columns: vec![column(4, 0), column(2, 0)],
        sensitive: vec![SensitiveFact {
            column: "disease".to_owned(),
            before: 7,
            after: 7,
        }],
        risk: Some(("1".to_owned(), "1/3".to_owned())),
        ..Facts::default()
    }
}

fn codes(facts: &Facts) -> Vec<&'static str> {
    facts
        .concerns()
        .iter()
        .map(|concern| concern.code)
        .collect()
}

/// The codes of a good release with one change.
fn with(change: impl FnOnce(&mut Facts)) -> Vec<&'static str> {
    let mut facts = good();
    change(&mut facts);
    codes(&facts)
}

#[test]
fn a_good_release_is_kept() {
    let concerns = good().concerns();
    assert!(concerns.is_empty(), "{concerns:?}");
    assert_eq!(Verdict::of(true, &concerns), Verdict::Kept);
    assert_eq!(Verdict::of(false, &concerns), Verdict::Broken);
}

#[test]
fn one_concern_makes_it_kept_but() {
    let mut facts = good();
    facts.smallest = 2;
    let concerns = facts.concerns();
    assert_eq!(Verdict::of(true, &concerns), Verdict::KeptBut);
    assert_eq!(Verdict::of(false, &concerns), Verdict::Broken);
}

#[test]
fn two_alike_are_too_few_and_three_are_not() {
    assert_eq!(with(|facts| facts.smallest = 2), ["small-k"]);
    assert_eq!(with(|facts| facts.asked = Some(2)), ["small-k"]);
    assert!(with(|facts| facts.asked = None).is_empty());
    assert!(with(|facts| facts.smallest = 3).is_empty());
}

#[test]
fn a_column_is_suppressed_when_no_row_shows_it() {
    assert_eq!(
        with(|facts| facts.columns[0] = column(0, 10)),
        ["column-suppressed"]
    );
    assert!(with(|facts| facts.columns[0] = column(2, 99)).is_empty());
}

#[test]
fn a_column_with_one_value_left_is_collapsed_unless_it_had_one() {
    assert_eq!(
        with(|facts| facts.columns[0].shown = 1),
        ["column-collapsed"]
    );
    let constant = |facts: &mut Facts| {
        facts.columns[0].shown = 1;
        facts.columns[0].before = Some(1);
    };
    assert!(with(constant).is_empty());
    let unknown = |facts: &mut Facts| {
        facts.columns[0].shown = 1;
        facts.columns[0].before = None;
    };
    assert!(with(unknown).is_empty());
}

#[test]
fn more_than_half_of_the_cells_is_too_much_and_half_is_not() {
    let starred = |first, second| {
        move |facts: &mut Facts| {
            facts.columns[0].starred = first;
            facts.columns[1].starred = second;
        }
    };
    assert!(with(starred(60, 40)).is_empty());
    assert_eq!(with(starred(60, 41)), ["cells-lost"]);
    // Rows that were left out lose all their cells.
    let left_out = |facts: &mut Facts| {
        facts.columns[0].starred = 60;
        facts.columns[1].starred = 40;
        facts.left_out = 1;
        facts.suppressed = 1;
    };
    assert_eq!(with(left_out), ["cells-lost"]);
}

#[test]
fn more_than_half_of_the_rows_is_too_much_and_half_is_not() {
    assert!(with(|facts| facts.suppressed = 50).is_empty());
    assert_eq!(with(|facts| facts.suppressed = 51), ["rows-suppressed"]);
}

#[test]
fn a_sensitive_column_without_a_promise_is_named() {
    assert_eq!(
        with(|facts| facts.unprotected = vec!["disease".to_owned()]),
        ["sensitive-unprotected"]
    );
}

#[test]
fn an_equal_largest_risk_is_a_concern_and_a_smaller_one_is_not() {
    let risk = |before: &str, after: &str| {
        let risk = Some((before.to_owned(), after.to_owned()));
        move |facts: &mut Facts| facts.risk = risk
    };
    assert_eq!(with(risk("1/3", "1/3")), ["risk-unchanged"]);
    assert!(with(risk("1/2", "1/3")).is_empty());
    assert!(with(|facts| facts.risk = None).is_empty());
}

#[test]
fn one_sensitive_value_that_is_gone_is_a_concern() {
    assert_eq!(with(|facts| facts.sensitive[0].after = 6), ["values-gone"]);
}

#[test]
fn persons_are_not_counted_where_a_key_repeats_or_the_table_lacks_them() {
    let key = RepeatingKey {
        column: "mrn".to_owned(),
        rows: 100,
        values: 40,
    };
    assert_eq!(with(|facts| facts.key = Some(key)), ["persons-not-counted"]);
    assert_eq!(
        with(|facts| facts.persons_unknown = Some("patient".to_owned())),
        ["persons-not-counted"]
    );
}

#[test]
fn a_full_domain_search_that_suppresses_a_column_points_to_local() {
    let mut facts = good();
    facts.columns[0] = column(0, 100);
    let points = |facts: &Facts| {
        facts.concerns()[0]
            .suggestion
            .contains("`algorithm = \"local\"`")
    };
    assert!(!points(&facts));
    facts.better = Some("local");
    assert!(points(&facts));
}

/// A column of so many rows, of which so many repeat an earlier value.
fn keys(name: &str, rows: usize, repeated: usize, prefix: &str) -> Column {
    let values = rows - repeated;
    let texts: Vec<String> = (0..rows)
        .map(|row| format!("{prefix}{}", row % values))
        .collect();
    Column::from_texts(name, texts.iter().map(String::as_str))
}

#[test]
fn a_key_repeats_from_one_row_in_twenty_on() {
    assert!(RepeatingKey::of(&keys("record", 100, 4, "A")).is_none());
    let found = RepeatingKey::of(&keys("record", 100, 5, "A"));
    assert_eq!(found.map(|key| (key.rows, key.values)), Some((100, 95)));
}

#[test]
fn few_values_are_a_code_and_no_key() {
    assert!(RepeatingKey::of(&keys("ward", 100, 91, "W")).is_none());
    assert!(RepeatingKey::of(&keys("ward", 100, 90, "W")).is_some());
}

#[test]
fn names_without_digits_are_no_keys_unless_the_column_says_so() {
    let names = ["Ann", "Bob", "Ann", "Cyd"];
    assert!(RepeatingKey::of(&Column::from_texts("name", names)).is_none());
    assert!(RepeatingKey::of(&Column::from_texts("PATIENT", names)).is_some());
}

#[test]
fn every_concern_has_its_own_code_and_sentences() {
    let column = || "zip".to_owned();
    let all = [
        Concern::SmallK {
            smallest: 1,
            asked: None,
            counted: "rows",
        },
        Concern::ColumnSuppressed {
            column: column(),
            better: None,
        },
        Concern::ColumnCollapsed {
            column: column(),
            before: 4,
        },
        Concern::CellsLost { lost: 3, cells: 4 },
        Concern::RowsSuppressed {
            suppressed: 3,
            rows: 4,
        },
        Concern::PersonsNotCounted {
            column: column(),
            rows: None,
        },
        Concern::SensitiveUnprotected { column: column() },
        Concern::RiskUnchanged {
            risk: "1/4".to_owned(),
        },
        Concern::ValuesGone {
            column: column(),
            before: 4,
            after: 3,
        },
    ];
    for (at, concern) in all.iter().enumerate() {
        assert!(concern.text().ends_with('.') && concern.suggestion().ends_with('.'));
        let others = all.iter().skip(at + 1);
        assert!(others.clone().all(|other| other.code() != concern.code()));
        let json = serde_json::to_value(concern.report()).unwrap();
        assert_eq!(json["code"], concern.code());
        assert!(json["text"].is_string() && json["suggestion"].is_string());
    }
}
