//! Random tables: what they show holds, what they refute does not.

use scrim::adversary::{Decide, Disclosure, Effort, Method, Strategy, disclosure};
use testkit::SplitMix64;

use crate::cases::{Case, assert_bounds, by, effort, random, truth};
use crate::properties::{Below, Known};

/// No value has more than half: a belief of exactly one half is allowed.
#[derive(Debug)]
struct AtMostHalf;

impl scrim::adversary::Property for AtMostHalf {
    fn passes(&self, counts: &[u32]) -> bool {
        let rows: u32 = counts.iter().sum();
        counts.iter().all(|count| 2 * count <= rows)
    }
    fn believed(
        &self,
        _: u64,
        bounds: &[(scrim::adversary::BigRational, scrim::adversary::BigRational)],
    ) -> bool {
        let half = crate::properties::ratio(1, 2);
        bounds.iter().all(|(_, high)| *high <= half)
    }
    fn monotone(&self) -> scrim::model::Monotone {
        scrim::model::Monotone::Unions
    }
    fn symmetric(&self) -> bool {
        true
    }
    fn least_failing(&self, size: u32) -> Option<u32> {
        Some(size / 2 + 1)
    }
}

impl Known for AtMostHalf {
    fn check(&self, _: usize, ratios: &[testkit::Fraction]) -> bool {
        let half = testkit::Fraction::new(1, 2);
        ratios.iter().all(|ratio| *ratio <= half)
    }
}

/// What is decided by random tables alone.
fn drawn(case: &Case, property: &dyn Known, samples: u64) -> Option<Disclosure> {
    let effort = Effort {
        decide: Some(Decide::Sampling),
        samples,
        ..effort()
    };
    let strategy = Strategy::Exclusive;
    disclosure(&case.chain(), strategy, property, &effort, &mut || Ok(()))
        .unwrap()
        .ok()
        .filter(|found| found.method == Method::Sampling)
}

#[test]
fn what_is_drawn_contains_the_truth_and_decides_as_it_is() {
    let below = |limit| Below { limit, told: true };
    let properties: [Box<dyn Known>; 4] = [
        Box::new(AtMostHalf),
        Box::new(below((1, 2))),
        Box::new(below((2, 3))),
        Box::new(below((3, 4))),
    ];
    let (mut held, mut refuted, mut others) = (0, 0, 0);
    for seed in 0..400 {
        let case = random(&mut SplitMix64::new(20_000 + seed), 7, 3);
        for property in &properties {
            let property = &**property;
            let Some(found) = drawn(&case, property, 4096) else {
                continue;
            };
            let truth = truth(&case, Strategy::Exclusive, property);
            assert_bounds(&found, &truth, &case);
            let holds = found.holds(property);
            assert_eq!(holds, truth.satisfies, "{property:?} {case:?}");
            held += u32::from(holds);
            refuted += u32::from(!holds);
            let draws = found.draws.unwrap();
            others += u32::from(draws.drawn > 512 && draws.accepted * 2 > draws.drawn);
        }
    }
    assert!(
        held > 50 && refuted > 50 && others > 20,
        "{held} {refuted} {others}"
    );
}

#[test]
fn a_class_at_the_limit_is_refuted_by_any_row_that_differs() {
    // Of six rows three have the value. The refused step has groups of two, three and one more row of another class: two rows with
    // the value in the pair fail it.
    let case = Case {
        table: vec![0, 0, 0, 1, 2, 3, 4, 5, 6],
        steps: vec![
            vec![0, 0, 1, 1, 1, 1, 1, 1, 1],
            vec![0, 0, 0, 0, 0, 0, 1, 1, 1],
        ],
    };
    let truth = truth(&case, Strategy::Exclusive, &AtMostHalf);
    assert!(!truth.satisfies);
    let found = drawn(&case, &AtMostHalf, 65_536).unwrap();
    assert!(!found.holds(&AtMostHalf));
    // Bounds that any method gives contain the truth.
    for method in [Method::Sampling, Method::Union, Method::Certificate] {
        if let Ok(found) = by(method, &case, Strategy::Exclusive, &AtMostHalf) {
            assert_bounds(&found, &truth, &case);
        }
    }
}
