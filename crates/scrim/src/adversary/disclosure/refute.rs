//! Bounds that show that a release tells too much.
//!
//! **Definition.** A property is refuted where some row is surely believed to have some value with a share that is not allowed.
//! **Holds because** of a property of the most frequent value alone (`Property::least_failing`) a belief breaks it if one share does,
//! whatever the others are, and so does any larger share. A row's share is at least its lower bound. And over all rows of
//! a class the shares of a value add up to the rows that have it: rows that have less than their part leave more for the others, of
//! whom one has at least their mean. A class in which a value has exactly what is allowed is safe only
//! if no row's share differs from it at all.

use num_bigint::BigInt;
use num_traits::Zero;

use super::belief::Disclosure;
use super::numbers::fraction;
use super::property::BigRational;
use super::scene::Scene;

/// Whether bounds, kind by kind, show that the property does not hold.
pub(super) fn is_refuted(scene: &Scene<'_>, found: &Disclosure) -> bool {
    let beliefs = found.beliefs();
    if scene.property.least_failing(1).is_none() || beliefs.len() != scene.kinds.len() {
        return false;
    }
    let mut rows_of_kind = vec![0_u32; beliefs.len()];
    let kinds = scene.kind_of_row.iter();
    kinds.for_each(|kind| rows_of_kind[*kind as usize] += 1);
    let mut of_class = vec![Vec::new(); scene.classes.len()];
    for (kind, (class, _)) in scene.kinds.iter().enumerate() {
        of_class[*class as usize].push(kind);
    }
    scene.classes.iter().zip(&of_class).any(|(class, kinds)| {
        (0..class.counts.len()).any(|value| {
            let (_, count) = class.counts[value];
            let mean = fraction(count, class.size());
            // What is left to the rows that may have as much as the class says, or more.
            let mut left = BigRational::from(BigInt::from(count));
            let mut rows = class.size();
            let mut least = BigRational::zero();
            for kind in kinds {
                let (_, low, high) = &beliefs[*kind].bounds[value];
                if *high < mean {
                    left -= high * BigInt::from(rows_of_kind[*kind]);
                    rows -= rows_of_kind[*kind];
                }
                if *low > least {
                    least = low.clone();
                }
            }
            if rows > 0 {
                least = least.max(left / BigInt::from(rows));
            }
            breaks(scene, class.counts[value].0, class.size(), least)
        })
    })
}

/// Whether no belief is allowed in which a value has this share.
fn breaks(scene: &Scene<'_>, value: u32, rows: u32, share: BigRational) -> bool {
    let nothing = (BigRational::zero(), BigRational::zero());
    let mut bounds = vec![nothing; scene.chain.values()];
    bounds[value as usize] = (share.clone(), share);
    !scene.property.believed(rows.into(), &bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversary::disclosure::belief::Believed;
    use crate::adversary::disclosure::chain::Chain;
    use crate::adversary::disclosure::effort::Method;
    use crate::adversary::disclosure::property::Property;
    use crate::model::Monotone;

    /// No value has more than half.
    #[derive(Debug)]
    struct AtMostHalf;

    impl Property for AtMostHalf {
        fn passes(&self, counts: &[u32]) -> bool {
            let rows: u32 = counts.iter().sum();
            counts.iter().all(|count| 2 * count <= rows)
        }
        fn believed(&self, _: u64, bounds: &[(BigRational, BigRational)]) -> bool {
            bounds
                .iter()
                .all(|(_, high)| *high <= fraction(1_u32, 2_u32))
        }
        fn monotone(&self) -> Monotone {
            Monotone::Unions
        }
        fn symmetric(&self) -> bool {
            true
        }
        fn least_failing(&self, size: u32) -> Option<u32> {
            Some(size / 2 + 1)
        }
    }

    /// Four rows, two with the first value; bounds in tenths of what is believed of one row and of the other three to have it.
    fn refuted(one: (u32, u32), others: (u32, u32)) -> bool {
        let chain = Chain::new(vec![0, 0, 1, 2], vec![vec![0, 1, 1, 1], vec![0; 4]]).unwrap();
        let scene = Scene::of(&chain, &AtMostHalf, chain.earlier().iter().collect());
        assert_eq!(scene.kinds.len(), 2);
        let belief = |(kind, (low, high)): (usize, (u32, u32))| {
            let plain = scene.plain(kind);
            let tenths = |share: u32| fraction(share, 10_u32);
            let mut bounds = plain.bounds.clone();
            (bounds[0].1, bounds[0].2) = (tenths(low), tenths(high));
            Believed { bounds, ..plain }
        };
        let beliefs = [one, others].into_iter().enumerate().map(belief);
        let of_row = scene.kind_of_row.clone();
        let found = Disclosure::new(&chain, Method::Sampling, of_row, beliefs.collect());
        is_refuted(&scene, &found)
    }

    #[test]
    fn a_lower_bound_above_the_limit_refutes_and_so_does_what_others_leave() {
        // Around one half nothing is shown.
        assert!(!refuted((4, 6), (4, 6)));
        assert!(!refuted((5, 6), (4, 5)));
        // The one row surely has more; or it has so little that the others must have more.
        assert!(refuted((6, 7), (4, 6)));
        assert!(refuted((3, 4), (4, 6)));
    }
}
