//! Small chains, and what the oracle says of them.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use scrim::Share;
use scrim::adversary::{
    BigRational, Chain, Disclosure, Effort, Method, Strategy, Undecided, disclosure, disclosure_by,
};
use testkit::oracle::disclosure_set::{Algorithm, Generalization};
use testkit::{Fraction, SplitMix64};

use crate::properties::Known;

/// A chain and a table.
#[derive(Clone, Debug)]
pub struct Case {
    pub table: Vec<usize>,
    pub steps: Vec<Vec<u32>>,
}

impl Case {
    pub fn chain(&self) -> Chain {
        let values = self.table.iter().map(|value| *value as u32).collect();
        Chain::new(values, self.steps.clone()).unwrap()
    }

    /// The case up to a step, from 0.
    pub fn upto(&self, step: usize) -> Self {
        Self {
            table: self.table.clone(),
            steps: self.steps[..=step].to_vec(),
        }
    }

    pub fn of(functions: &[Generalization], table: &[usize]) -> Self {
        let step = |function: &Generalization| {
            let mut labels = vec![0; table.len()];
            for (number, group) in (0..).zip(function) {
                group.iter().for_each(|id| labels[*id] = number);
            }
            labels
        };
        Self {
            table: table.to_vec(),
            steps: functions.iter().map(step).collect(),
        }
    }

    fn functions(&self) -> Vec<Generalization> {
        let function = |step: &Vec<u32>| {
            let labels: BTreeSet<u32> = step.iter().copied().collect();
            let group = |label: u32| (0..step.len()).filter(|id| step[*id] == label).collect();
            labels.into_iter().map(group).collect()
        };
        self.steps.iter().map(function).collect()
    }
}

/// What the oracle says: the size, the ratios by id and value, and whether they satisfy the property.
#[derive(Debug)]
pub struct Truth {
    pub size: usize,
    pub ratios: Vec<Vec<Fraction>>,
    pub satisfies: bool,
}

pub fn truth(case: &Case, strategy: Strategy, property: &dyn Known) -> Truth {
    let check = |rows: usize, ratios: &[Fraction]| property.check(rows, ratios);
    let algorithm = Algorithm {
        functions: case.functions(),
        values: case.table.iter().max().unwrap() + 1,
        check: &check,
    };
    let last = case.steps.len() - 1;
    let set = match strategy {
        Strategy::Inclusive => algorithm.inclusive_set(last, &case.table),
        _ => algorithm.exclusive_set(last, &case.table),
    };
    Truth {
        size: set.len(),
        ratios: algorithm.ratios(&set),
        satisfies: algorithm.satisfies(last, &set),
    }
}

/// Labels of rows, each below a number.
fn labels(random: &mut SplitMix64, rows: usize, groups: usize) -> Vec<u32> {
    (0..rows).map(|_| random.below(groups) as u32).collect()
}

/// Rows in random groups of two or more: rows that are alone tell nothing to most properties.
fn groups_of_two_or_more(random: &mut SplitMix64, rows: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..rows).collect();
    for at in (1..rows).rev() {
        order.swap(at, random.below(at + 1));
    }
    let mut labels = vec![0; rows];
    let (mut label, mut held) = (0, 0);
    for (done, row) in order.into_iter().enumerate() {
        if held >= 2 && rows - done >= 2 && random.once_in(2) {
            (label, held) = (label + 1, 0);
        }
        labels[row] = label;
        held += 1;
    }
    labels
}

/// A random chain of 2 to `steps` steps over up to so many rows: half of them nested, a quarter with rows that are alone.
pub fn random(random: &mut SplitMix64, rows: usize, steps: usize) -> Case {
    let rows = random.between(4, rows);
    let values = random.between(2, 4);
    let count = random.between(2, steps);
    let table = (0..rows).map(|_| random.below(values)).collect();
    let step = |random: &mut SplitMix64| {
        if random.once_in(4) {
            labels(random, rows, rows.div_ceil(2))
        } else {
            groups_of_two_or_more(random, rows)
        }
    };
    let mut chain = vec![step(random)];
    let nested = random.once_in(2);
    while chain.len() < count {
        let next = if nested {
            let groups = chain[chain.len() - 1]
                .iter()
                .max()
                .map_or(1, |most| *most as usize + 1);
            let fewer = random.between(1, groups);
            let above = labels(random, groups, fewer);
            chain[chain.len() - 1]
                .iter()
                .map(|label| above[*label as usize])
                .collect()
        } else {
            step(random)
        };
        chain.push(next);
    }
    Case {
        table,
        steps: chain,
    }
}

pub fn effort() -> Effort {
    Effort {
        confidence: Share::new(999_999_999, 1_000_000_000).unwrap(),
        samples: 2048,
        seed: 7,
        ..Effort::default()
    }
}

pub fn by(
    method: Method,
    case: &Case,
    strategy: Strategy,
    property: &dyn Known,
) -> Result<Disclosure, Undecided> {
    disclosure_by(
        method,
        &case.chain(),
        strategy,
        property,
        &effort(),
        &mut || Ok(()),
    )
    .unwrap()
}

pub fn decided(
    case: &Case,
    strategy: Strategy,
    property: &dyn Known,
) -> Result<Disclosure, Undecided> {
    disclosure(&case.chain(), strategy, property, &effort(), &mut || Ok(())).unwrap()
}

/// The fraction of the oracle's kind.
pub fn fraction(ratio: &BigRational) -> Fraction {
    ratio.to_string().parse().unwrap()
}

/// Asserts that exact beliefs are the oracle's, row by row and value by value.
pub fn assert_exact(found: &Disclosure, truth: &Truth, case: &Case) {
    assert!(found.method.is_exact(), "{:?} {case:?}", found.method);
    if let Some(size) = &found.size {
        assert_eq!(
            *size,
            BigUint::from(truth.size),
            "{:?} {case:?}",
            found.method
        );
    }
    for (row, ratios) in truth.ratios.iter().enumerate() {
        let mut believed = vec![Fraction::ZERO; ratios.len()];
        for (value, low, high) in &found.belief_of_row(row).unwrap().bounds {
            assert_eq!(low, high);
            believed[*value as usize] = fraction(low);
        }
        assert_eq!(&believed, ratios, "{:?} row {row} {case:?}", found.method);
    }
}

/// Asserts that bounds contain the oracle's ratios.
pub fn assert_bounds(found: &Disclosure, truth: &Truth, case: &Case) {
    for (row, ratios) in truth.ratios.iter().enumerate() {
        let mut seen = 0;
        for (value, low, high) in &found.belief_of_row(row).unwrap().bounds {
            let ratio = ratios[*value as usize].to_string();
            let ratio: BigRational = ratio.parse().unwrap();
            assert!(
                *low <= ratio && ratio <= *high,
                "{:?} row {row} {case:?}",
                found.method
            );
            seen += usize::from(ratio > BigRational::default());
        }
        let possible = ratios.iter().filter(|ratio| **ratio > Fraction::ZERO);
        assert_eq!(seen, possible.count(), "a possible value is not listed");
    }
}
