//! Bounds beside exact counts, on tables that can be counted row by row.

use crate::random::Random;
use crate::release::policy::{DiversityKind, ModelSpec};
use crate::share::Share;

use super::super::judge::Judge;
use super::super::set::Secret;
use super::Seldom;

fn specs() -> Vec<ModelSpec> {
    let of = "s".to_owned();
    let share = |above, below| Share::new(above, below).unwrap_or(Share::ONE);
    let recursive = ModelSpec::LDiversity {
        of: of.clone(),
        kind: DiversityKind::Recursive,
        l: Share::whole(2),
        c: Some(Share::whole(2)),
    };
    let within = |alpha| ModelSpec::AlphaK {
        of: of.clone(),
        alpha,
        value: None,
    };
    vec![recursive, within(share(1, 2)), within(share(2, 5))]
}

/// Numbers below `most`, each of which some row has.
fn groups(rows: usize, most: usize, random: &mut Random) -> Vec<u32> {
    let number = |row: usize| if row < most { row } else { random.index(most) };
    (0..rows).map(number).map(|number| number as u32).collect()
}

/// What was compared: bounds, those with several refused steps, and shares with a lower bound of their own.
#[derive(Debug, Default)]
struct Compared {
    bounded: usize,
    several: usize,
    narrow: usize,
}

/// The bounds from each refused step contain the exact shares.
fn compare(secret: &Secret<'_>, at: &str, compared: &mut Compared) {
    for target in 0..secret.refused.len() {
        let Some(found) = Seldom::new(secret).beliefs(target) else {
            continue;
        };
        let exact = secret.count().map(|exact| exact.beliefs);
        let exact = exact.unwrap_or_default();
        assert_eq!(found.len(), exact.len());
        compared.bounded += 1;
        compared.several += usize::from(secret.refused.len() > 1);
        for (found, exact) in found.iter().zip(&exact) {
            assert!(exact.total > 0.into(), "{at}: shown to be possible");
            for value in 0..secret.width() {
                let share = &exact.low[value] * &found.total;
                let (low, high) = (&found.low[value], &found.high[value]);
                let within = low * &exact.total <= share && share <= high * &exact.total;
                assert!(within, "{at} row {}", found.row);
                compared.narrow += usize::from(low > &0.into() && low < high);
            }
        }
    }
}

#[test]
fn bounds_contain_what_is_counted_row_by_row() {
    let mut compared = Compared::default();
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let rows = 5 + random.index(4);
        let values = groups(rows, 4, &mut random);
        let released: Vec<u32> = groups(rows, 2, &mut random).into_iter().rev().collect();
        let refused: Vec<Vec<u32>> = (0..=random.index(2))
            .map(|_| groups(rows, 3, &mut random))
            .collect();
        for spec in specs() {
            let secret = Secret {
                judge: &Judge::of_most_frequent(&spec, &values, 4),
                values: &values,
                released: &released,
                refused: refused.clone(),
            };
            compare(&secret, &format!("seed {seed} {spec:?}"), &mut compared);
        }
    }
    let Compared {
        bounded,
        several,
        narrow,
    } = compared;
    assert!(
        bounded > 300 && several > 50 && narrow > 30,
        "{bounded} {several} {narrow}"
    );
}

/// The numbers below nine in random order.
fn order(random: &mut Random) -> Vec<u32> {
    let mut order: Vec<u32> = (0..9).collect();
    (1..9).for_each(|at| order.swap(at, random.index(at + 1)));
    order
}

#[test]
fn bounds_contain_what_is_counted_where_two_values_can_break_a_promise_at_once() {
    // Two rows of four break it, and two values have two rows; in the group of five none can.
    let spec = ModelSpec::AlphaK {
        of: "s".to_owned(),
        alpha: Share::new(2, 5).unwrap_or(Share::ONE),
        value: None,
    };
    let mut compared = Compared::default();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let values: Vec<u32> = order(&mut random)
            .into_iter()
            .map(|place| if place < 4 { place / 2 } else { place - 2 })
            .collect();
        let cut = 5 + random.index(4);
        let secret = Secret {
            judge: &Judge::of_most_frequent(&spec, &values, 7),
            values: &values,
            released: &(0..9).map(|row| u32::from(row >= cut)).collect::<Vec<_>>(),
            refused: vec![
                order(&mut random)
                    .iter()
                    .map(|place| u32::from(*place < 4))
                    .collect(),
            ],
        };
        compare(&secret, &format!("seed {seed}"), &mut compared);
    }
    assert!(compared.bounded > 30, "{compared:?}");
}
