//! Roll-ups against grouping row by row: few and many values, keys of one word and of several.
#![allow(clippy::unwrap_used, reason = "tests of small tables")]

use std::collections::BTreeMap;
use std::sync::Arc;

use scrim::frequency::{FrequencySet, Ground};
use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::recoding::Node;
use scrim::table::{Column, Table};
use testkit::SplitMix64;

struct Case {
    table: Table,
    ladders: Vec<Ladder>,
}

/// Columns of so many values each: the value, a tenth of it, a hundredth, the top.
fn case(columns: usize, values: usize, rows: usize, random: &mut SplitMix64) -> Case {
    let column = |at: usize, random: &mut SplitMix64| {
        let texts: Vec<String> = (0..rows)
            .map(|_| random.below(values).to_string())
            .collect();
        Column::from_texts(&format!("c{at}"), texts.iter().map(String::as_str))
    };
    let made: Vec<Column> = (0..columns).map(|at| column(at, random)).collect();
    let table = Table::new(made).unwrap();
    let lines: Vec<String> = (0..values)
        .map(|value| format!("{value};{}x;{}xx;*", value / 10, value / 100))
        .collect();
    let ladder = |at: usize| {
        let name = format!("c{at}");
        let tree = from_level_csv(&name, "made", &lines.join("\n"), true).unwrap();
        let dictionary = table.column(&name).unwrap().dictionary();
        Ladder::new(&name, Arc::new(tree), dictionary).unwrap()
    };
    let ladders = (0..columns).map(ladder).collect();
    Case { table, ladders }
}

/// The codes of each row at a node, and the classes by first occurrence.
fn by_rows(case: &Case, node: &Node) -> (Vec<usize>, Vec<(Vec<u32>, u64)>) {
    let climbs: Vec<Vec<u32>> = case
        .ladders
        .iter()
        .zip(node.levels())
        .map(|(ladder, level)| ladder.climb(0, *level))
        .collect();
    let rows = case.table.rows();
    let mut known: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    let mut classes: Vec<(Vec<u32>, u64)> = Vec::new();
    let mut class_of_row = Vec::new();
    for row in 0..rows {
        let code = |at: usize| {
            let column = case.table.column(&format!("c{at}")).unwrap();
            climbs[at][column.codes().get(row) as usize]
        };
        let codes: Vec<u32> = (0..climbs.len()).map(code).collect();
        let class = *known.entry(codes.clone()).or_insert_with(|| {
            classes.push((codes, 0));
            classes.len() - 1
        });
        classes[class].1 += 1;
        class_of_row.push(class);
    }
    (class_of_row, classes)
}

fn classes(set: &FrequencySet, columns: usize) -> Vec<(Vec<u32>, u64)> {
    let codes = |class: usize| (0..columns).map(|at| set.code(class, at)).collect();
    (0..set.len())
        .map(|class| (codes(class), set.rows()[class]))
        .collect()
}

#[test]
fn a_roll_up_is_grouping_the_rows_anew() {
    let mut random = SplitMix64::new(11);
    // Few numbers; more than an array holds; more than 64 bits hold; a column with a value a row.
    for (columns, values, rows) in [
        (3, 7, 400),
        (6, 40, 900),
        (9, 300, 700),
        (2, 5000, 600),
        (20, 3, 300),
    ] {
        let case = case(columns, values, rows, &mut random);
        let ground = Ground::count(&case.table, &case.ladders, &[]).unwrap();
        for _ in 0..40 {
            let low: Vec<u8> = (0..columns).map(|_| random.below(4) as u8).collect();
            let high = low
                .iter()
                .map(|level| random.between(usize::from(*level), 3) as u8);
            let high = Node::new(high.collect::<Vec<_>>());
            let (class_of_row, expected) = by_rows(&case, &high);
            let (set, map) = ground.set().roll_up_with_map(&case.ladders, &high);
            assert_eq!(classes(&set, columns), expected, "{high}");
            for (row, class) in class_of_row.iter().enumerate() {
                assert_eq!(map[ground.tuple_of_row()[row] as usize] as usize, *class);
            }
            let below = ground.set().roll_up(&case.ladders, &Node::new(low));
            assert_eq!(
                classes(&below.roll_up(&case.ladders, &high), columns),
                expected,
                "{high}"
            );
        }
    }
}
