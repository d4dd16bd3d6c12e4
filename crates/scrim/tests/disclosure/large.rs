//! Tables that no oracle can list: methods against each other.

use scrim::adversary::{Chain, Decide, Effort, Method, Strategy, disclosure, disclosure_by};

use crate::cases::effort;
use crate::properties::Below;

/// Rows in classes of so many, cut into groups of sizes that take turns; values follow a fixed pattern of frequencies.
fn nested(rows: u32, class: u32, sizes: &[u32], pattern: &[u32]) -> Chain {
    let (mut fine, mut number, mut left) = (Vec::new(), 0, 0);
    let mut turns = sizes.iter().cycle();
    for row in 0..rows {
        if left == 0 || row % class == 0 {
            number += 1;
            left = *turns.next().unwrap();
        }
        fine.push(number);
        left -= 1;
    }
    let released = (0..rows).map(|row| row / class).collect();
    // A step that has no common divisor with the pattern spreads it over each class.
    let value = |row: u32| pattern[(row * 5) as usize % pattern.len()];
    Chain::new((0..rows).map(value).collect(), vec![fine, released]).unwrap()
}

const TWO_THIRDS: Below = Below {
    limit: (2, 3),
    told: true,
};

const THREE_QUARTERS: Below = Below {
    limit: (3, 4),
    told: true,
};

#[test]
fn counting_and_bounds_agree_on_two_hundred_and_forty_rows() {
    let chain = nested(240, 60, &[4, 6, 5], &[0, 0, 0, 1, 1, 2, 3]);
    let by = |method| {
        let effort = Effort {
            samples: 4096,
            ..effort()
        };
        disclosure_by(
            method,
            &chain,
            Strategy::Exclusive,
            &TWO_THIRDS,
            &effort,
            &mut || Ok(()),
        )
        .unwrap()
        .unwrap()
    };
    let counted = by(Method::Counting);
    assert_eq!(
        (counted.method, counted.holds(&TWO_THIRDS)),
        (Method::Counting, true)
    );
    for method in [Method::Sampling, Method::Certificate] {
        let bounds = by(method);
        let mut compared = 0;
        for row in 0..240 {
            let exact = &counted.belief_of_row(row).unwrap().bounds;
            for ((value, exact, _), (other, low, high)) in
                exact.iter().zip(&bounds.belief_of_row(row).unwrap().bounds)
            {
                assert_eq!(value, other);
                assert!(low <= exact && exact <= high, "{method:?} row {row}");
                compared += usize::from(low < high);
            }
        }
        assert!(compared > 0, "{method:?}");
    }
}

#[test]
fn a_class_of_five_thousand_rows_is_decided_by_a_certificate() {
    let chain = nested(4995, 4995, &[2, 3, 4], &[0, 0, 0, 1, 1, 2, 3, 4]);
    let found = disclosure(
        &chain,
        Strategy::Exclusive,
        &TWO_THIRDS,
        &effort(),
        &mut || Ok(()),
    )
    .unwrap()
    .unwrap();
    assert_eq!(
        (found.method, found.size.is_none()),
        (Method::Certificate, true)
    );
    let highest = found.max().unwrap();
    assert!(highest.low < highest.high && found.holds(&TWO_THIRDS));
}

#[test]
fn a_class_of_five_thousand_rows_is_decided_by_sampling() {
    let chain = nested(4995, 4995, &[2, 3, 4], &[0, 0, 0, 1, 1, 2, 3, 4]);
    let sampled = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let effort = Effort {
            decide: Some(Decide::Sampling),
            ..effort()
        };
        pool.install(|| {
            disclosure(
                &chain,
                Strategy::Exclusive,
                &THREE_QUARTERS,
                &effort,
                &mut || Ok(()),
            )
            .unwrap()
            .unwrap()
        })
    };
    let once = sampled(1);
    let draws = once.draws.unwrap();
    assert!(once.method == Method::Sampling && draws.accepted > 0 && draws.accepted <= draws.drawn);
    assert_eq!(once, sampled(3));
}

#[test]
fn work_can_be_stopped_from_outside() {
    let chain = nested(4995, 4995, &[2, 3, 4], &[0, 0, 0, 1, 1, 2, 3, 4]);
    for decide in [Decide::Exact, Decide::Certificate, Decide::Sampling] {
        let effort = Effort {
            decide: Some(decide),
            ..effort()
        };
        let mut stop = || Err(scrim::Error::Interrupted);
        let outcome = disclosure(&chain, Strategy::Exclusive, &TWO_THIRDS, &effort, &mut stop);
        // Counting gives up before it first looks at the clock: the class has too many groups.
        let gave_up = decide == Decide::Exact && matches!(outcome, Ok(Err(_)));
        assert!(
            gave_up || outcome == Err(scrim::Error::Interrupted),
            "{decide:?}"
        );
    }
}
