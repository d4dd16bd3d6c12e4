//! Choices of the made-up tables, decided by their seed.

use scrim::Random;

/// True in so many of a thousand cases.
pub(super) fn happens(random: &mut Random, per_mille: u64) -> bool {
    random.below(1_000) < per_mille
}

/// The index of a weight, each as likely as it is heavy; 0 where there is none.
pub(super) fn pick(random: &mut Random, weights: &[u64]) -> usize {
    let mut point = random.below(weights.iter().sum());
    let chosen = weights.iter().position(|weight| {
        let within = point < *weight;
        point = point.saturating_sub(*weight);
        within
    });
    chosen.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_of_zero_is_never_picked_and_the_others_by_their_share() {
        let mut random = Random::new(1);
        let mut counts = [0_u32; 5];
        (0..40_000).for_each(|_| counts[pick(&mut random, &[0, 1, 0, 3, 0])] += 1);
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        assert!((9_500..10_500).contains(&counts[1]), "{counts:?}");
        assert_eq!(pick(&mut random, &[]), 0);
    }
}
