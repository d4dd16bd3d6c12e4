//! `mondrian` against its definition over plain rows, and by its invariants.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    reason = "tests of small numbers"
)]

mod plain;

use proptest::prelude::*;
use scrim::algorithm::Unwatched;
use scrim::recoding::{Local, Recoding, apply};
use scrim::release::{HierarchyText, Policy, Prepared, Rows, plan};
use scrim::table::{Column, Table};
use testkit::{Fraction, oracle};

use plain::{JOBS, Plain, values};

struct Made {
    local: Local,
    /// The published labels of each row, quasi-identifiers only.
    rows: Vec<Vec<String>>,
    suppressed: u64,
    notes: Vec<String>,
}

fn made(table: &Table, columns: &str, privacy: &str, search: &str) -> Option<Made> {
    let text = format!(
        "[data]\npath = \"x.csv\"\n[columns]\n{columns}\n{privacy}\n[search]\nalgorithm = \"mondrian\"\n{search}\n"
    );
    let policy = Policy::parse("p.toml", &text).unwrap();
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
    let prepared = Prepared::new(&policy, table, &mut load, &rows).unwrap();
    let plan = plan(&policy, table, &prepared, &mut Unwatched).unwrap()?;
    let Recoding::Local(local) = plan.found.recoding.clone() else {
        panic!("mondrian recodes locally")
    };
    let applied = apply(
        table,
        &prepared.roles,
        &prepared.ladders,
        &plan.found.recoding.suppressed_rows(&prepared.ground),
        &plan.found.recoding,
        &plan.sensitive,
        plan.fate,
    );
    let label = |row: usize| {
        let columns = applied.columns.iter().take(prepared.ladders.len());
        columns
            .map(|column| column.labels[column.codes.get(row) as usize].clone())
            .collect()
    };
    Some(Made {
        local,
        rows: (0..applied.rows.len()).map(label).collect(),
        suppressed: plan.suppressed,
        notes: plan.found.notes,
    })
}

const COLUMNS: &str = "age = { role = \"quasi\", numeric = { from = 0, to = 9 } }\n\
    job = { role = \"quasi\", hierarchy = \"job.txt\" }\nsex = { role = \"quasi\" }\nill = { role = \"sensitive\" }";

fn search_of(relaxed: bool) -> &'static str {
    if relaxed {
        "mondrian = \"relaxed\""
    } else {
        ""
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn classes_and_cells_are_those_of_the_definition(seed: u64, rows in 1usize..22, k in 1usize..5, kind in 0usize..3, relaxed: bool) {
        let plain = Plain::random(seed, rows);
        let holds = |class: &[usize]| {
            let ills: Vec<&str> = class.iter().map(|row| plain.ills[*row].as_str()).collect();
            class.len() >= k && match kind {
                0 => true,
                1 => oracle::p_sensitive(&ills, 2),
                _ => oracle::alpha_k(&ills, None, Fraction::new(1, 2)),
            }
        };
        let privacy = match kind {
            0 => format!("[[privacy]]\nmodel = \"k-anonymity\"\nk = {k}"),
            1 => format!("[[privacy]]\nmodel = \"p-sensitive\"\np = 2\nk = {k}"),
            _ => format!("[[privacy]]\nmodel = \"alpha-k\"\nalpha = 0.5\nk = {k}"),
        };
        let made = made(&plain.table(), COLUMNS, &privacy, search_of(relaxed));
        let expected = plain.classes(relaxed, &holds);
        prop_assert_eq!(made.is_some(), expected.is_some(), "feasible exactly when the table as one class is valid");
        let (Some(made), Some(expected)) = (made, expected) else { return Ok(()) };
        prop_assert_eq!(made.suppressed, 0);
        let mut classes = vec![Vec::new(); made.local.classes.len()];
        for (row, class) in made.local.class_of_row.iter().enumerate() {
            classes[*class as usize].push(row);
        }
        // By itself: valid, true, no allowable cut left. Then the very classes of the definition.
        for class in &classes {
            prop_assert!(holds(class), "{:?}", class);
            prop_assert!(plain.allowable(class, relaxed, &holds).is_none(), "{:?} may be cut", class);
            for row in class {
                prop_assert_eq!(&made.rows[*row], &plain.cells(class));
                let age = plain.ages[*row].unwrap_or(-1);
                let own = [age, plain.jobs[*row] as i64, plain.sexes[*row] as i64];
                for (column, value) in own.iter().enumerate() {
                    prop_assert!(values(&plain, column, &made.rows[*row][column]).contains(value));
                }
            }
        }
        prop_assert_eq!(&classes, &expected);
        if relaxed {
            return Ok(());
        }
        for (at, left) in classes.iter().enumerate() {
            for right in &classes[..at] {
                let apart = |column: usize| {
                    let shown = |class: &[usize]| values(&plain, column, &made.rows[class[0]][column]);
                    shown(left).is_disjoint(&shown(right))
                };
                prop_assert!((0..3).any(apart), "{:?} and {:?} overlap", left, right);
            }
        }
    }
}

#[test]
fn six_patients_are_recoded_as_worked_out_by_hand() {
    let table = Table::new(vec![
        Column::from_texts("sex", ["M", "F", "M", "M", "F", "M"]),
        Column::from_texts("age", ["25", "25", "26", "27", "27", "28"]),
        Column::from_texts(
            "zip",
            ["53711", "53712", "53711", "53710", "53712", "53711"],
        ),
    ])
    .unwrap();
    let columns = "sex = { role = \"quasi\" }\nage = { role = \"quasi\", numeric = {} }\nzip = { role = \"quasi\", numeric = {} }";
    let made = made(
        &table,
        columns,
        "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2",
        "",
    )
    .unwrap();
    // All three ranges are whole, so sex is cut first; then age is wider than zip among the men.
    let (young, women, old) = (
        ["M", "25-26", "53711"],
        ["F", "25-27", "53712"],
        ["M", "27-28", "53710-53711"],
    );
    assert_eq!(made.rows, [young, women, young, old, women, old]);
    assert_eq!(made.local.class_of_row, [0, 1, 0, 2, 1, 2]);
}

#[test]
fn relaxed_parts_rows_that_are_equal_and_strict_does_not() {
    let table = Table::new(vec![Column::from_texts(
        "n",
        ["2", "1", "2", "3", "2.0", "2"],
    )])
    .unwrap();
    let columns = "n = { role = \"quasi\", numeric = { from = 1, to = 4 } }";
    let privacy = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2";
    let strict = made(&table, columns, privacy, "mondrian = \"strict\"").unwrap();
    assert_eq!(strict.rows, vec![["1-3"]; 6]);
    let relaxed = made(&table, columns, privacy, "mondrian = \"relaxed\"").unwrap();
    assert_eq!(
        relaxed.rows,
        [["1-2"], ["1-2"], ["1-2"], ["2-3"], ["2-3"], ["2-3"]]
    );
}

#[test]
fn relaxed_classes_that_look_alike_and_are_not_valid_together_are_made_strict() {
    // Relaxed: 4 5 | 5 5 | 5 5 | 5 6. Of the two classes of fives one row guards its value, which half of its class has; the
    // other class, without a wish, has that value only: together three of four rows.
    let guarded = |ills: [&str; 8]| {
        Table::new(vec![
            Column::from_texts("n", ["4", "5", "5", "5", "5", "5", "5", "6"]),
            Column::from_texts("ill", ills),
            Column::from_texts("wish", ["", "", "a1", "", "", "", "", ""]),
        ])
        .unwrap()
    };
    let columns = "n = { role = \"quasi\", numeric = { from = 4, to = 6 } }\n\
        ill = { role = \"sensitive\", hierarchy = \"ill.txt\" }\nwish = { role = \"guard\", of = \"ill\" }";
    let privacy = "[[privacy]]\nmodel = \"personal\"\nbreach = \"1/2\"\n\
        [[privacy]]\nmodel = \"k-anonymity\"\nk = 2";
    let search = "mondrian = \"relaxed\"\nweights = { ill = \"forbid\" }";
    let alike = guarded(["c", "c", "a1", "c", "c", "b1", "c", "c"]);
    let made_relaxed = made(&alike, columns, privacy, search).unwrap();
    let labels: Vec<&str> = made_relaxed
        .rows
        .iter()
        .map(|row| row[0].as_str())
        .collect();
    assert_eq!(labels, ["4-5", "4-5", "5", "5", "5", "5", "5-6", "5-6"]);
    assert_eq!(made_relaxed.notes.len(), 1);
    let spoilt = guarded(["c", "c", "a1", "c", "a1", "a1", "c", "c"]);
    let made_strict = made(&spoilt, columns, privacy, search).unwrap();
    assert_eq!(made_strict.rows, vec![["*"]; 8]);
    assert!(
        made_strict.notes[1].starts_with("strict:"),
        "{:?}",
        made_strict.notes
    );
}

#[test]
fn single_numbers_are_spelt_as_the_data_spell_them() {
    let texts = ["05", "05", "7.50", "7.50", "8", "8.0", "8.25", "9"];
    let table = Table::new(vec![Column::from_texts("n", texts)]).unwrap();
    let columns = "n = { role = \"quasi\", numeric = { from = 0, to = 9 } }";
    let made = made(
        &table,
        columns,
        "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2",
        "",
    )
    .unwrap();
    let labels: Vec<&str> = made.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(
        labels,
        [
            "05",
            "05",
            "7.50",
            "7.50",
            "8",
            "8",
            "[8.25, 9]",
            "[8.25, 9]"
        ]
    );
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_threads() {
    let plain = Plain::random(3, 3000);
    let privacy = "[[privacy]]\nmodel = \"p-sensitive\"\np = 2\nk = 3";
    for relaxed in [false, true] {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                made(&plain.table(), COLUMNS, privacy, search_of(relaxed))
                    .unwrap()
                    .local
            })
        };
        let one = with(1);
        assert!(one.classes.len() > 20, "{}", one.classes.len());
        assert_eq!(one, with(4));
    }
}
