use std::collections::BTreeMap;

use super::*;
use crate::frequency::made::{Made, away, made_tracking, stored};

/// Codes, then the rows and the histograms of a class.
type Classes = BTreeMap<Vec<u32>, (u64, Vec<Vec<(u32, u32)>>)>;

fn add_classes(set: &FrequencySet, columns: usize, all: &mut Classes) {
    for class in 0..set.len() {
        let codes: Vec<u32> = (0..columns).map(|at| set.code(class, at)).collect();
        let histograms = set.histograms.iter();
        let histograms = histograms.map(|histogram| histogram.slice(class).iter().collect());
        let told = (set.rows()[class], histograms.collect());
        assert!(all.insert(codes, told).is_none(), "a class in two parts");
    }
}

fn classes(set: &FrequencySet, columns: usize) -> Classes {
    let mut all = Classes::new();
    add_classes(set, columns, &mut all);
    all
}

fn nodes(columns: usize) -> Vec<Node> {
    let level = |number: usize, at: usize| ((number * 7 + at * at) % 5 / 2) as u8;
    let node = |number| {
        (0..columns)
            .map(|at| level(number, at))
            .collect::<Vec<u8>>()
    };
    let mut nodes: Vec<Node> = (0..8).map(|number| Node::new(node(number))).collect();
    nodes.push(Node::bottom(columns));
    nodes
}

#[test]
fn parts_together_are_what_held_tuples_are_rolled_up_to() {
    let (mut parted, mut whole) = (0, 0);
    for (columns, values, rows, tracked) in [
        (3, 7, 400, 1),
        (6, 40, 900, 2),
        (4, 60, 20_000, 1),
        (4, 60, 20_000, 0),
        // Numbers of more than 64 bits, keys of two words.
        (14, 40, 5000, 1),
    ] {
        let made = made_tracking(columns, values, rows, tracked);
        for room in [1 << 16, 1 << 19, u64::MAX] {
            let passing = away(&made, room, false);
            assert!(!passing.set().is_held());
            for node in nodes(columns) {
                let held = made.ground.set().roll_up(&made.ladders, &node);
                let (mut all, mut sets) = (Classes::new(), 0);
                let only = passing.set().each_part(&made.ladders, &node, |set| {
                    sets += 1;
                    add_classes(set, columns, &mut all);
                });
                assert_eq!(all, classes(&held, columns), "{node}");
                assert_eq!(only.is_some(), sets == 1);
                parted += usize::from(sets > 1);
                whole += usize::from(sets == 1);
            }
            assert!(passing.must_have_told_all().is_ok());
        }
    }
    assert!(parted > 20 && whole > 20, "{parted} {whole}");
}

#[test]
fn tuples_that_are_taken_in_are_those_of_the_table() {
    for tracked in 0..3 {
        let made = made_tracking(4, 9, 3000, tracked);
        let held = Ground::of_sections(&made.ground, stored(&made, 0, false), true).unwrap();
        assert!(held.is_of_sections() && held.set().is_held());
        assert_eq!(classes(held.set(), 4), classes(made.ground.set(), 4));
        assert_eq!(held.rows(), 3000);
        let sizes = |ground: &Ground| {
            let mut sizes = Vec::new();
            ground.each_size(&[], |rows| sizes.push(rows));
            sizes.sort_unstable();
            sizes
        };
        let passing = away(&made, 0, false);
        assert_eq!(sizes(&passing), sizes(&made.ground));
        assert_eq!(sizes(&held), sizes(&made.ground));
        // Codes 1 to 3 of an attribute are the same.
        let same = |at: usize| {
            let codes = 0..made.ladders[at].width(0) as u32;
            let is_same = |code: u32| at == 1 && (1..4).contains(&code);
            let same = codes.map(|code| if is_same(code) { 2 } else { code });
            same.collect::<Vec<u32>>()
        };
        let same: Vec<Vec<u32>> = (0..4).map(same).collect();
        let mut expected: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        let set = made.ground.set();
        for (tuple, rows) in set.rows().iter().enumerate() {
            let codes = (0..4).map(|at| same[at][set.code(tuple, at) as usize]);
            *expected.entry(codes.collect()).or_default() += rows;
        }
        let mut expected: Vec<u64> = expected.into_values().collect();
        expected.sort_unstable();
        for ground in [&passing, &held] {
            let mut sizes = Vec::new();
            ground.each_size(&same, |rows| sizes.push(rows));
            sizes.sort_unstable();
            assert_eq!(sizes, expected);
        }
        let top = passing.at_top(&made.ladders);
        assert_eq!((top.len(), top.rows()[0]), (1, 3000));
    }
}

#[test]
fn chosen_classes_have_the_rows_that_are_in_them() {
    let made = made_tracking(4, 30, 5000, 1);
    let Made {
        ladders, ground, ..
    } = &made;
    for node in nodes(4) {
        let (set, targets) = ground.set().roll_up_with_map(ladders, &node);
        let is_small = |class: &u32| set.rows()[*class as usize] < 4;
        let small: Vec<u32> = (0..set.len() as u32).filter(is_small).collect();
        let only = set.only_classes(&small);
        assert_eq!(only.len(), small.len());
        let mut rows = Vec::new();
        Chosen::new(&only).each_row(ladders, ground, |row| rows.push(row));
        let tuples = ground.tuple_of_row().iter().enumerate();
        let wanted: Vec<usize> = tuples
            .filter(|(_, tuple)| is_small(&targets[**tuple as usize]))
            .map(|(row, _)| row)
            .collect();
        assert_eq!(rows, wanted);
        // Put together with all others they are all again.
        let others: Vec<u32> = (0..set.len() as u32).filter(|at| !is_small(at)).collect();
        let both = only.and(&set.only_classes(&others), ladders);
        assert_eq!(classes(&both, 4), classes(&set, 4));
        let doubled = set.clone().and(&set, ladders);
        assert_eq!(doubled.len(), set.len());
        assert!(
            doubled
                .rows()
                .iter()
                .zip(set.rows())
                .all(|(two, one)| *two == one * 2)
        );
    }
}
