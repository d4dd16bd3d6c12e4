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

#[test]
fn bounds_contain_what_is_counted_row_by_row() {
    let (mut bounded, mut several, mut narrow) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let rows = 5 + random.index(4);
        let values = groups(rows, 4, &mut random);
        let released: Vec<u32> = groups(rows, 2, &mut random).into_iter().rev().collect();
        let refused: Vec<Vec<u32>> = (0..=random.index(2))
            .map(|_| groups(rows, 3, &mut random))
            .collect();
        for spec in specs() {
            let judge = Judge::of_most_frequent(&spec, &values, 4);
            let secret = Secret {
                judge: &judge,
                values: &values,
                released: &released,
                refused: refused.clone(),
            };
            for target in 0..refused.len() {
                let Some(found) = Seldom::new(&secret).beliefs(target) else {
                    continue;
                };
                let exact = secret.count().map(|exact| exact.beliefs);
                let exact = exact.unwrap_or_default();
                assert_eq!(found.len(), exact.len());
                bounded += 1;
                several += usize::from(refused.len() > 1);
                for (found, exact) in found.iter().zip(&exact) {
                    assert!(exact.total > 0.into(), "seed {seed}: shown to be possible");
                    for value in 0..4 {
                        let share = &exact.low[value] * &found.total;
                        let (low, high) = (&found.low[value], &found.high[value]);
                        let within = low * &exact.total <= share && share <= high * &exact.total;
                        assert!(within, "seed {seed} row {} {spec:?}", found.row);
                        narrow += usize::from(low > &0.into() && low < high);
                    }
                }
            }
        }
    }
    assert!(
        bounded > 300 && several > 50 && narrow > 30,
        "{bounded} {several} {narrow}"
    );
}
