use std::sync::Arc;

use super::*;
use crate::frequency::Ground;
use crate::frequency::scratch::FEW;
use crate::hierarchy::from_level_csv;
use crate::table::{Column, Table};

/// Columns of so many values each, and ladders of the value, a third of it, the top.
fn made(columns: usize, values: u64, rows: u64) -> (Ground, Vec<Ladder>) {
    let mut state = 1;
    let mut random = || {
        state = u64::wrapping_mul(state, 0x5851_f42d_4c95_7f2d) + 1;
        state >> 33
    };
    // Small values are frequent.
    let mut texts = || -> Vec<String> {
        let value = |_| (random() % values).min(random() % values).to_string();
        (0..rows).map(value).collect()
    };
    let column =
        |at: usize| Column::from_texts(&format!("c{at}"), texts().iter().map(String::as_str));
    let table = Table::new((0..columns).map(column).collect()).unwrap();
    let line = |value: u64| format!("{value};{}x;*", value / 3);
    let lines: Vec<String> = (0..values).map(line).collect();
    let ladder = |column: &Column| {
        let tree = from_level_csv(column.name(), "made", &lines.join("\n"), true).unwrap();
        Ladder::new(column.name(), Arc::new(tree), column.dictionary()).unwrap()
    };
    let ladders: Vec<Ladder> = table.columns().iter().map(ladder).collect();
    let ground = Ground::count(&table, &ladders, &[]).unwrap();
    (ground, ladders)
}

/// By the definition, from a set whose classes are known.
fn expected(
    set: &FrequencySet,
    ladders: &[Ladder],
    least: u64,
    limit: u64,
) -> Option<SmallClasses> {
    let small: Vec<usize> = (0..set.len())
        .filter(|at| set.rows()[*at] < least)
        .collect();
    let rows: Vec<u64> = small.iter().map(|at| set.rows()[*at]).collect();
    let by = ladders.iter().enumerate().map(|(attribute, ladder)| {
        let mut counts = vec![0; ladder.width(set.node().levels()[attribute])];
        for class in &small {
            counts[set.code(*class, attribute) as usize] += set.rows()[*class];
        }
        counts
    });
    let found = SmallClasses {
        all: Sizes::of(set.rows()),
        small: Sizes::of(&rows),
        rows: rows.iter().sum(),
        by: by.collect(),
    };
    (found.rows <= limit).then_some(found)
}

fn classes(set: &FrequencySet, columns: usize) -> Vec<(Vec<u32>, u64)> {
    let codes = |class: usize| (0..columns).map(|at| set.code(class, at)).collect();
    let all = (0..set.len()).map(|class| (codes(class), set.rows()[class]));
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all
}

#[test]
fn sums_are_those_of_a_roll_up() {
    // With room for arrays by number, and without.
    for room in [None, Some(0)] {
        compare(&mut Scratch::new(room));
    }
}

fn compare(scratch: &mut Scratch) {
    // Few numbers; a table; more than 64 bits hold; so many tuples that they are parted.
    let shapes = [(3, 7, 400), (6, 40, 900), (12, 300, 500), (4, 60, 40_000)];
    let (mut hopeless, mut sketched) = (0, 0);
    for (columns, values, rows) in shapes {
        let (ground, ladders) = made(columns, values, rows);
        let from = &ground.set().sorted();
        assert_eq!(classes(from, columns), classes(ground.set(), columns));
        let keys: Vec<Vec<u32>> = (0..from.len())
            .map(|tuple| (0..columns).rev().map(|at| from.code(tuple, at)).collect())
            .collect();
        assert!(keys.is_sorted());
        for number in 0..12usize {
            let level = |at: usize| ((number * 7 + at * at) % 5 / 2) as u8;
            let node = Node::new((0..columns).map(level).collect::<Vec<u8>>());
            let set = from.roll_up(&ladders, &node);
            assert_eq!(
                classes(
                    &from.summed(&ladders, &node, (rows, None), scratch),
                    columns
                ),
                classes(&set, columns)
            );
            for least in [2, 5, 50] {
                for limit in [0, rows / 50, rows / 2, rows] {
                    let found = from.small_classes(&ladders, &node, (least, limit), rows, scratch);
                    assert_eq!(found, expected(&set, &ladders, least, limit), "{node}");
                    hopeless += usize::from(found.is_none());
                    let recoder = from.recoder(&ladders, &node);
                    let can = recoder.can_sum(rows);
                    let all = can.then(|| recoder.at_least(from, least as u32, scratch));
                    let small = expected(&set, &ladders, least, rows).unwrap().rows;
                    assert!(all.is_none_or(|all| all <= small), "{node}");
                    sketched += usize::from(from.len() > FEW && all > Some(limit));
                    let seems = from
                        .seems(&ladders, &node, rows, scratch)
                        .unwrap_or(set.len());
                    assert!(seems.abs_diff(set.len()) * 20 <= set.len(), "{node}");
                }
            }
        }
    }
    assert!(hopeless > 20 && sketched > 5, "{hopeless}, {sketched}");
}

#[test]
fn numbers_of_all_64_bits_are_summed() {
    let scratch = &mut Scratch::new(None);
    let mut met = 0;
    for values in 120..150 {
        let (ground, ladders) = made(9, values, 1500);
        let from = ground.set();
        let node = from.node().with(8, 1);
        let bottom = from.node().clone();
        let Some(numbers) = from.recoder(&ladders, &bottom).numbers() else {
            continue;
        };
        met += usize::from(numbers > 1 << 63);
        for to in [bottom, node] {
            let set = from.roll_up(&ladders, &to);
            let summed = from.summed(&ladders, &to, (1500, None), scratch);
            assert_eq!(classes(&summed, 9), classes(&set, 9));
        }
    }
    assert!(met > 0);
}
