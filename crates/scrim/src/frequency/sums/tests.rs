use super::*;
use crate::error::Error;
use crate::frequency::made::{Made, away, made, made_tracking};
use crate::frequency::scratch::FEW;
use crate::frequency::{Asked, Capped};

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

/// The same without squares, of which capped counts know nothing.
fn without_squares(found: Option<SmallClasses>) -> Option<SmallClasses> {
    let mut found = found?;
    (found.all.squares, found.small.squares) = (0, 0);
    Some(found)
}

#[test]
fn capped_counts_tell_the_same_small_classes() {
    // Tuples of more rows than the cap; arrays; sketches and tables; two words; none where 64 bits do not hold the numbers.
    let shapes = [
        (2, 3, 9000),
        (3, 7, 400),
        (6, 40, 900),
        (4, 60, 40_000),
        (11, 33, 700),
        (12, 300, 500),
    ];
    let (mut made_sets, mut hopeless, mut too_wide) = (0, 0, 0);
    for (columns, values, rows) in shapes {
        let (ground, ladders) = made(columns, values, rows);
        for (room, sorts) in [(None, true), (Some(0), false)] {
            let scratch = &mut Scratch::new(room);
            let Some(capped) = Capped::of(ground.set(), &ladders, sorts) else {
                too_wide += 1;
                continue;
            };
            assert_eq!(
                (capped.len(), capped.node()),
                (ground.set().len(), ground.set().node())
            );
            for number in 0..12usize {
                let level = |at: usize| ((number * 7 + at * at) % 5 / 2) as u8;
                let node = Node::new((0..columns).map(level).collect::<Vec<u8>>());
                let top = Node::new(ladders.iter().map(Ladder::height).collect::<Vec<u8>>());
                let set = ground.set().roll_up(&ladders, &node);
                let above = set.roll_up(&ladders, &top);
                for least in [1u8, 2, 5, 50, u8::MAX] {
                    for limit in [0, rows / 50, rows / 2, rows] {
                        let asked = |node| Asked {
                            ladders: &ladders,
                            node,
                            least,
                            limit,
                        };
                        let wanted = expected(&set, &ladders, least.into(), limit);
                        let wanted = without_squares(wanted);
                        hopeless += usize::from(wanted.is_none());
                        let few = |classes: usize| classes * 2 < capped.len();
                        let (found, smaller) =
                            capped.small_classes_and_set(asked(&node), few, scratch);
                        assert_eq!(found, wanted, "{node} {least} {limit}");
                        assert!(smaller.is_none() || few(set.len()));
                        let (found, cheap) = capped.small_classes(asked(&node), few, scratch);
                        assert_eq!(found, wanted, "{node} {least} {limit}");
                        assert!(cheap.is_none() || smaller.is_some());
                        let Some(smaller) = cheap.or(smaller) else {
                            continue;
                        };
                        made_sets += 1;
                        assert_eq!((smaller.len(), smaller.node()), (set.len(), &node));
                        // What is made of it is what is made of all.
                        let wanted = expected(&above, &ladders, least.into(), limit);
                        let unwanted = |_: usize| false;
                        let (found, _) = smaller.small_classes(asked(&top), unwanted, scratch);
                        assert_eq!(found, without_squares(wanted));
                        let (own, _) = smaller.small_classes(asked(&node), unwanted, scratch);
                        assert_eq!(
                            own,
                            without_squares(expected(&set, &ladders, least.into(), limit))
                        );
                    }
                }
            }
        }
    }
    assert!(
        made_sets > 100 && hopeless > 100 && too_wide == 2,
        "{made_sets} {hopeless} {too_wide}"
    );
}

#[test]
fn tuples_that_pass_by_are_summed_like_those_that_are_held() {
    let mut passes = 0;
    for (columns, values, rows) in [(3, 7, 400), (6, 40, 900), (4, 60, 40_000)] {
        let made = made_tracking(columns, values, rows, 0);
        let passing = away(&made, 0, false);
        let Made {
            ground, ladders, ..
        } = made;
        let set = passing.set();
        assert!(!set.is_held() && set.len() == ground.set().len());
        for room in [None, Some(0)] {
            let scratch = &mut Scratch::new(room);
            for number in 0..12usize {
                let level = |at: usize| ((number * 7 + at * at) % 5 / 2) as u8;
                let node = Node::new((0..columns).map(level).collect::<Vec<u8>>());
                let held = ground.set().roll_up(&ladders, &node);
                let summed = set.summed(&ladders, &node, (rows, None), scratch);
                assert_eq!(classes(&summed, columns), classes(&held, columns));
                passes += usize::from(scratch.passes(set.len()) > 1);
                for (least, limit) in [(2, rows), (5, rows / 50), (50, 0)] {
                    let found = set.small_classes(&ladders, &node, (least, limit), rows, scratch);
                    assert_eq!(found, expected(&held, &ladders, least, limit), "{node}");
                }
            }
        }
        assert!(passing.must_have_told_all().is_ok());
    }
    assert!(passes > 0);
}

#[test]
fn a_store_that_fails_is_told() {
    let made = made_tracking(3, 7, 4000, 0);
    let passing = away(&made, 0, true);
    let ladders = &made.ladders;
    assert!(passing.must_have_told_all().is_ok());
    let top = Node::new(vec![2; 3]);
    let scratch = &mut Scratch::new(None);
    drop(passing.set().summed(ladders, &top, (4000, None), scratch));
    let told = passing.must_have_told_all();
    assert!(matches!(told, Err(Error::Interrupted)), "{told:?}");
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
